"""Evaluations of named features: the compiled value is the sum that a person would write down."""

from __future__ import annotations

import random

import pytest

from awale import Game
from awale.kernels.convert import pack_game
from awale.rules.reference import Position
from awale.search.heuristics import HEURISTICS
from awale.search.linear import (
    BUILT_IN,
    NAMES,
    OF_SIDES,
    EvaluationError,
    Tapered,
    Weighing,
    linear_value,
    names_for,
)
from tests.search.random_positions import unfinished

BOARDS = ("abapa", "ghana", "tricolor", "abapa:pits=8,seeds=2")
ENDED = {"ones": 1, "twos": 2, "threes": 3, "fours": 4, "fives": 5}


def positions(rules: str, count: int = 12) -> list[Game]:
    return unfinished(rules, count, plies=40, seed=rules)


def most_taken(game: Game) -> tuple[int, int]:
    taken = [game.trace(move).taken for move in game.legal_moves]
    return max(taken, default=0), sum(seeds > 0 for seeds in taken)


def turned(game: Game) -> Game:
    state = game.state
    return Game(game.rules, start=Position(state.board, state.scores, 1 - state.turn, state.ply))


def oracle(game: Game, name: str, side: int) -> int:
    """A feature from the words that describe it, over `Game` alone."""
    rules, turn = game.rules, game.turn
    if name == "captured":
        return game.scores[turn] - game.scores[1 - turn]
    if name == "best":
        return most_taken(game)[0]
    if name == "captures":
        return most_taken(game)[1]
    if name == "fear":
        # Where the other may have nothing to play, the game would pass the turn back.
        other = turned(game)
        return most_taken(other)[0] if other.turn != turn and not other.over else 0
    if name == "tempo":
        return 1
    player = turn if side == 0 else 1 - turn
    pits = [pit for pit in range(rules.holes) if rules.owner(pit) == player]
    held = [game.counts[pit] for pit in pits]
    if name == "seeds":
        return sum(held)
    if name == "filled":
        return sum(seeds > 0 for seeds in held)
    if name in ENDED:
        return held.count(ENDED[name])
    if name == "granaries":
        return sum(seeds >= 12 for seeds in held)
    if name == "front":
        return sum(held[len(held) - len(held) // 2 :])
    colours = [game.board[pit] for pit in pits]
    if name == "choices":
        return sum((hole[0] > 0) + (hole[1] > 0) + 2 * (hole[2] > 0) for hole in colours)  # type: ignore[index]
    return sum(hole[("red", "blue", "clear").index(name)] for hole in colours)  # type: ignore[index]


@pytest.mark.parametrize("rules", BOARDS)
def test_the_compiled_value_is_the_sum_of_the_features(rules: str) -> None:
    chance = random.Random(5)
    names = [name for name in names_for(Game(rules).rules) if name != "potential"]
    for game in positions(rules):

        def weight() -> Tapered:
            return Tapered(chance.randrange(-300, 300) / 100, chance.randrange(-300, 300) / 100)

        weighing = Weighing({name: weight() for name in names}, {name: weight() for name in names if name in OF_SIDES})
        lying, gone = sum(game.counts), sum(game.scores)
        expected = 0.0
        for side, weights in enumerate((weighing.mine, weighing.theirs)):
            for name, tapered in weights.items():
                now = (tapered.full * lying + tapered.empty * gone) / (lying + gone)
                expected += now * oracle(game, name, side)
        k, state = pack_game(game)
        value = linear_value(k, weighing.array(game.rules), state)
        assert abs(value - 100 * expected) < 1.0001, (game.position, value, expected)


def test_potential_captures_are_the_reports() -> None:
    from awale.search.tricolor_2025 import evaluate

    weighing = Weighing.of(captured=1, potential=2.25, seeds=0.5, clear=0.75)
    for game in positions("tricolor"):
        k, state = pack_game(game)
        said = evaluate(game, "corrected") * (1 if game.turn == 0 else -1)
        value = linear_value(k, weighing.array(game.rules), state)
        # The report cuts its values off at 1; ours are in seeds, 120 of them.
        assert max(-12000, min(12000, value)) == pytest.approx(100 * 120 * said, abs=1.01)


def test_every_feature_is_known_where_it_belongs() -> None:
    one, three = names_for(Game("abapa").rules), names_for(Game("tricolor").rules)
    assert set(one) | set(three) == set(NAMES)
    assert "front" not in three
    assert "red" not in one


def test_a_feature_of_other_rules_is_refused() -> None:
    with pytest.raises(EvaluationError, match="'red' is for the three-colour game"):
        Weighing.of(red=1).array(Game("abapa").rules)
    with pytest.raises(EvaluationError, match="'front' is for one-colour games"):
        Weighing.of(front=1).array(Game("tricolor").rules)


def test_the_classic_heuristics_by_hand() -> None:
    """South to move: 3 seeds ahead, two more pits filled, a granary, one weak pit more, 15 more seeds on the side."""
    game = Game("abapa", start="13-1-2-0-3-0-0-0-1-0-3-0-14-11-S")
    k, state = pack_game(game)
    values = {name: linear_value(k, BUILT_IN[name].array(game.rules), state) for name in HEURISTICS}
    assert values == {"material": 300, "mobility": 400, "kroo": 450, "defence": 250, "mixed": 300 + 40 + 100 - 30 + 300}
