"""A position as numbers, a number as a move: the same for both seats and under every rule system."""

from __future__ import annotations

import random

import numpy as np
import pytest

from awale import AwaleError, Game, Rules
from awale.envs.encoding import Encoding, start_game
from awale.rules import names
from awale.rules.reference import Position

VILLAGES = ("ghana:pits=3,seeds=2", "abapa:pits=9,seeds=3", "tricolor:pits=3,seeds=1", "awari:pits=1,seeds=5")


@pytest.mark.parametrize("name", [*names(), *VILLAGES])
def test_actions_are_the_legal_moves_in_their_order(name: str) -> None:
    chance = random.Random(name)
    encoding, game = Encoding(name), Game(name)
    while not game.over and game.ply < 60:
        actions = np.flatnonzero(encoding.mask(game)).tolist()
        assert [encoding.move(game.turn, action) for action in actions] == list(game.legal_moves)
        assert [encoding.action(move) for move in game.legal_moves] == actions
        game.push(chance.choice(game.legal_moves))


@pytest.mark.parametrize("name", [*names(), *VILLAGES])
def test_numbers_say_what_lies_where(name: str) -> None:
    chance = random.Random(name)
    encoding, game = Encoding(name), Game(name)
    space = encoding.highest
    while not game.over and game.ply < 40:
        for player in (0, 1):
            seen = encoding.observe(game.state, player)
            assert seen.dtype == np.int32
            assert seen.shape == space.shape == (encoding.size,)
            assert (seen >= 0).all()
            assert (seen <= space).all()
            assert seen[:-1].sum() == game.rules.total
            assert seen[-3] == game.scores[player]
            assert seen[-2] == game.scores[1 - player]
            assert seen[-1] == min(1000, game.rules.move_limit or 1000) - game.ply
            ring = seen[:-3].reshape(game.rules.holes, -1).sum(axis=1)
            first = game.rules.own_pits(player)[0]
            assert ring.tolist() == [*game.counts[first:], *game.counts[:first]]
        game.push(chance.choice(game.legal_moves))


def turned(game: Game) -> Position:
    """The same position with the players' seats exchanged."""
    board = game.board
    if game.rules.coloured:
        board = (*board[-1:], *board[:-1])  # type: ignore[assignment]
    else:
        pits = game.rules.pits
        board = (*board[pits:], *board[:pits])  # type: ignore[assignment]
    return Position(board, (game.scores[1], game.scores[0]), 1 - game.turn, game.ply)


@pytest.mark.parametrize("name", ["abapa", "ghana", "tricolor", "upsti"])
def test_both_seats_see_the_same_game(name: str) -> None:
    """What one player sees and may do is what the other would in his place, and leads to the same again."""
    chance = random.Random(name)
    encoding = Encoding(name)
    game = Game(name)
    for _ in range(12):
        game.push(chance.choice(game.legal_moves))
    twin = Game(name, start=turned(game))
    for _ in range(30):
        if game.over:
            break
        assert twin.turn == 1 - game.turn
        for player in (0, 1):
            mine = encoding.observe(game.state, player)[:-1]
            other = encoding.observe(twin.state, 1 - player)[:-1]
            if game.rules.coloured and player == 1:
                other = np.concatenate((np.roll(other[:-2], -2 * encoding.colours), other[-2:]))
            assert (mine == other).all()
        # In a ring of alternating owners, changing seats twice is a turn by two holes: the second player's first hole
        # becomes the other's second.
        shift = encoding.ways if game.rules.coloured and game.turn == 1 else 0
        assert (encoding.mask(game) == np.roll(encoding.mask(twin), -shift)).all()
        action = int(chance.choice(np.flatnonzero(encoding.mask(game))))
        game.push(encoding.move(game.turn, action))
        twin.push(encoding.move(twin.turn, (action + shift) % encoding.actions))


def test_village_rules_are_encoded_too() -> None:
    village = Rules.from_toml("examples/five-pits.toml")
    encoding = Encoding(village)
    assert encoding.actions == 5
    assert encoding.observe(Game(village).state, 0)[-1] > 0


def test_bad_settings_are_refused_with_a_sentence() -> None:
    with pytest.raises(AwaleError, match="max_moves: must be a whole number from 1 to 1000000, not 0"):
        Encoding("abapa", 0)
    with pytest.raises(AwaleError, match="the game is over in the position"):
        start_game(Encoding("abapa").rules, "0-0-0-0-0-0-0-0-0-0-0-0-24-24-S")
