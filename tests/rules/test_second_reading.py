"""A thousand random games of every preset, played by the library and by a second reading of the rules side by side."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from awale import Game
from awale.rules import names
from awale.rules.moves import make
from tests.rules import second_reading
from tests.rules.second_reading import SecondReading

GAMES = 1000
# Only casabianca can go on for ever: nothing but an agreement ends a cycle there.
LONGEST = 500


def compare(game: Game, second: SecondReading) -> None:
    assert [(move.pit, move.colour) for move in game.legal_moves] == second.legal(), game
    assert game.board == second.position_board, game
    assert list(game.scores) == second.scores, game
    assert game.over == second.over, game
    assert game.ply == second.moves_played, game
    if not second.over:
        assert game.turn == second.turn, game


def play_both(preset: str, chance: random.Random) -> str | None:
    """One game to its end; says how it ended."""
    game, second = Game(preset), SecondReading(preset)
    compare(game, second)
    while not second.over and game.ply < LONGEST:
        pit, colour = chance.choice(second.legal())
        second.play((pit, colour))
        game.push(make(game.rules, pit, colour))
        compare(game, second)
    outcome = game.outcome()
    if outcome is None:
        return None
    assert outcome.winner == second.winner, game
    assert list(outcome.scores) == second.scores, game
    return outcome.reason


def test_every_preset_is_read_twice() -> None:
    assert set(second_reading.PRESETS) == set(names())


@pytest.mark.parametrize("preset", names())
def test_random_games_agree_move_by_move(preset: str) -> None:
    chance = random.Random(f"second reading of {preset}")
    ended = Counter(play_both(preset, chance) for _ in range(GAMES))
    if preset == "casabianca":
        assert ended[None] < GAMES / 2
    else:
        assert ended[None] == 0, "a game that should have ended goes on"
    # Enough of the ways to end must have been seen for the thousand games to mean something.
    assert len(ended) >= 2, ended
