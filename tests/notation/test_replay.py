"""The quick replay says what `Game` says, move by move, for every rule system."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from awale import Game, Move, MoveError, Rules
from awale.notation import replay
from awale.rules import get
from awale.rules.moves import COLOURS, make
from tests.notation.strategies import ALL_RULES, by_name, games, play_on


def all_moves(rules: Rules) -> list[Move]:
    colours = COLOURS if rules.coloured else (None,)
    return [make(rules, pit, colour) for pit in range(rules.holes) for colour in colours]


def compare(game: Game, rng: random.Random, plies: int) -> None:
    player = replay.for_rules(game.rules)
    spot = player.start(game.start)
    for move in game.moves:
        _, spot = player.push_move(spot, move)
    for _ in range(plies):
        assert spot.position == game.state
        assert spot.outcome() == game.outcome()
        legal = set(game.legal_moves)
        for move in all_moves(game.rules):
            if move in legal:
                after = player.play(spot, move)
                assert after is not None
                trace = game.trace(move)
                assert (after.taken, after.swept, after.passed) == (trace.taken, trace.swept, trace.passed)
                assert after.outcome() == trace.outcome
            else:
                with pytest.raises(MoveError) as caught:
                    player.push_move(spot, move)
                assert str(caught.value) == game.why_illegal(move)
        if game.over:
            return
        move = rng.choice(game.legal_moves)
        game.push(move)
        named, spot = player.push(spot, rng.choice([str(move), str(move).lower(), str(move).upper()]))
        assert named == move
        assert named.text == str(move)


@pytest.mark.parametrize("rules", ALL_RULES, ids=by_name)
@settings(max_examples=max(5, settings().max_examples // 10))
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_agrees_with_game(rules: Rules, data: st.DataObject, seed: int) -> None:
    game = data.draw(games(rules, most=60))
    if game.ended is None:
        compare(game, random.Random(seed), 10)


@pytest.mark.parametrize("rules", ALL_RULES, ids=by_name)
def test_agrees_with_game_to_the_end(rules: Rules) -> None:
    rng = random.Random(rules.name)
    for _ in range(3):
        game = Game(rules)
        play_on(game, rng, 500)
        player = replay.for_rules(rules)
        spot = player.start()
        for index, move in enumerate(game.moves):
            spot = player.push_move(spot, move)[1]
            assert spot.position == game.history[index + 1]
        assert spot.outcome() == game.outcome()


@pytest.mark.slow
@pytest.mark.parametrize("rules", ALL_RULES, ids=by_name)
def test_agrees_with_game_in_many_games(rules: Rules) -> None:
    rng = random.Random(1)
    for _ in range(100):
        compare(Game(rules), rng, 400)


@pytest.mark.parametrize(
    ("rules", "start", "move"),
    [
        # The opponent has nothing: feed, or may one not, or need one not?
        ("casabianca", "1-0-0-0-0-1-0-0-0-0-0-0-20-26-S", "A"),
        ("abapa", "1-0-0-0-0-1-0-0-0-0-0-0-20-26-S", "A"),
        ("awari", "1-0-0-0-0-0-0-0-0-0-0-0-23-24-S", "A"),
        # A grand slam: refused, taking nothing, refused unless forced.
        ("casabianca", "0-0-0-0-1-1-1-0-0-0-0-0-20-25-S", "F"),
        ("abapa", "0-0-0-0-1-1-1-0-0-0-0-0-20-25-S", "F"),
        ("awari", "0-0-0-0-1-1-1-0-0-0-0-0-20-25-S", "F"),
        ("awari", "0-0-0-0-0-1-1-0-0-0-0-0-21-25-S", "F"),
        ("ghana4", "1-2-0-2-0-0-S", "2"),
        ("ghana-basic:pits=2", "1-2-0-2-0-0-S", "2"),
    ],
)
def test_agrees_where_rules_differ(rules: str, start: str, move: str) -> None:
    game = Game(rules, start=start)
    compare(game, random.Random(0), 3)
    player = replay.for_rules(get(rules))
    refused = Game(rules, start=start).why_illegal(move)
    if refused is None:
        player.push(player.start(Game(rules, start=start).start), move)
    else:
        with pytest.raises(MoveError, match=refused[:10]):
            player.push(player.start(Game(rules, start=start).start), move)


def test_stray_moves_are_refused() -> None:
    player = replay.for_rules(get("abapa"))
    for move in (*(make(player.rules, pit) for pit in (-1, 12, 99, 6)), make(player.rules, 0, "r")):
        with pytest.raises(MoveError):
            player.push_move(player.start(), move)
