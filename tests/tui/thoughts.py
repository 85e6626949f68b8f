"""An engine that makes its thoughts up at once, always the same ones: nothing is compiled."""

from __future__ import annotations

from collections.abc import Iterator

from awale.game import Game
from awale.search.analysis import Analysis, MoveValue, Value
from awale.tui.analysis_thread import Cancel


def made_up(game: Game, seconds: float, cancel: Cancel) -> Iterator[Analysis]:
    for depth in (1, 2):
        legal = game.legal_moves
        values = [
            MoveValue(move, Value(3.0 - 1.5 * n, game.turn, *((3, 3) if n == 0 else ())), n > 2)
            for n, move in enumerate(legal)
        ]
        yield Analysis(
            game.rules,
            game.position,
            game.turn,
            depth,
            values[0].value,
            legal[:4],
            tuple(values),
            1234 * depth,
            0.5,
            depth == 2,
        )
