"""The plain search for proofs, compared with trying every line on the reference rules."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from awale import Game
from awale.rules import Rules, get
from awale.rules.reference import Position
from awale.training.plain import PlainProver
from tests.search.naive_solver import NaiveSolver, TooLargeError

MARGINS = (-4, -1, 0, 1, 2, 5)


def small_games(rules: Rules, count: int) -> Iterator[Game]:
    """Games with few seeds on the board, some of them after quiet moves that count for repetition."""
    chance = random.Random(f"{rules.name} plain")
    while count:
        board = [0] * rules.holes
        for _ in range(chance.randint(2, 6)):
            board[chance.randrange(rules.holes)] += 1
        rest = rules.holes * rules.seeds - sum(board)
        south = chance.randint(0, rest)
        game = Game(rules, start=Position(tuple(board), (south, rest - south), chance.randrange(2), 0))
        for _ in range(chance.randint(0, 4)):
            if not game.over:
                game.push(chance.choice(game.legal_moves))
        if not game.over and len(game.legal_moves) > 1:
            count -= 1
            yield game


@pytest.mark.parametrize("pits", [2, 3])
@pytest.mark.parametrize("preset", ["abapa", "awari"])
def test_it_agrees_with_every_line_where_repetition_ends_the_game(preset: str, pits: int) -> None:
    rules = get(preset).variant(pits=pits, seeds=2)
    prover = PlainProver(rules, nodes=100_000)
    compared = with_history = 0
    for game in small_games(rules, 60):
        try:
            margins = NaiveSolver(rules, 4_000).margins(game)
        except TooLargeError:
            continue
        for move, margin in margins.items():
            for claimed in MARGINS:
                for likely in (True, False):
                    found = prover.at_least(game, move, claimed, likely=likely)
                    assert found in (None, margin >= claimed), (game.position, str(move), claimed)
                    compared += found is not None
        with_history += len(game.moves) > 0
    assert compared > 200
    assert with_history > 5


def value(game: Game, player: int) -> int:
    """The final margin for a player, by trying every line."""
    if game.over:
        return game.scores[player] - game.scores[1 - player]
    values = []
    for move in game.legal_moves:
        game.push(move)
        values.append(value(game, player))
        game.pop()
    return max(values) if game.turn == player else min(values)


@pytest.mark.parametrize(("preset", "ply"), [("upsti", 96), ("tricolor", 397)])
def test_it_agrees_with_every_line_before_the_end(preset: str, ply: int) -> None:
    rules = get(preset)
    chance = random.Random(f"{preset} last moves")
    prover = PlainProver(rules, nodes=100_000)
    compared = 0
    for _ in range(4):
        game = Game(preset)
        seeds = 20 if rules.coloured else 12
        while not game.over and sum(game.counts) > seeds:
            game.push(chance.choice(game.legal_moves))
        if game.over:
            continue
        total = sum(game.scores)
        game = Game(rules, start=game.state._replace(ply=ply, scores=(total // 2, total - total // 2)))
        if game.over:
            continue
        for move in game.legal_moves:
            player = game.turn
            game.push(move)
            margin = value(game, player)
            game.pop()
            for claimed in MARGINS:
                assert prover.at_least(game, move, claimed) == (margin >= claimed)
                compared += 1
    assert compared > 10


def test_a_search_that_may_not_go_on_settles_nothing() -> None:
    game = Game("abapa", start="4-4-4-4-4-4-0-0-0-0-0-0-12-12-S")
    assert PlainProver(game.rules, nodes=50).at_least(game, "F", 1) is None
