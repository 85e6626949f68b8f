"""The engine with all it may know: where the search and the endgame tables meet."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic
from typing import Any

from awale.game import Game
from awale.rules import get
from awale.rules.description import Rules
from awale.search.engine import DEFAULT_HASH_MB, Analysis, Engine

ASK_AGAIN_SECONDS = 2.0
TABLE_SEEDS = 12
"""The table that is made in the background when some rules are first played."""


class TableEngine(Engine):
    """An engine that uses the endgame tables of its rules as soon as they are there, and has a small one made."""

    def __init__(self, rules: str | Rules, *, threads: int = 1, hash_mb: float = DEFAULT_HASH_MB) -> None:
        super().__init__(rules, threads=threads, hash_mb=hash_mb)
        self._ask_again = 0.0

    def at_once(self, game: Game, depth: int, *, every_move: bool = False) -> Analysis:
        self._look_for_tables()
        return super().at_once(game, depth, every_move=every_move)

    def updates(self, game: Game, **limits: Any) -> Iterator[Analysis]:
        self._look_for_tables()
        return super().updates(game, **limits)

    def _look_for_tables(self) -> None:
        # Asking looks at the disk: not at every move while a table is being made, or where there can be none.
        if self.tables is None and monotonic() >= self._ask_again:
            from awale.tables import ensure_small

            self.tables = ensure_small(self.rules, TABLE_SEEDS)
            self._ask_again = monotonic() + ASK_AGAIN_SECONDS


def analyse(
    game: Game,
    *,
    time: float | None = None,
    depth: int | None = None,
    threads: int = 1,
    every_move: bool = False,
    tables: bool = True,
) -> Analysis:
    """What the engine thinks of a position, after so many seconds (one by default) or so many moves ahead.

    >>> from awale import Game
    >>> analyse(Game("abapa"), depth=4).best in Game("abapa").legal_moves
    True
    """
    *_, last = updates(game, time=time, depth=depth, threads=threads, every_move=every_move, tables=tables)
    return last


def updates(
    game: Game,
    *,
    time: float | None = None,
    depth: int | None = None,
    threads: int = 1,
    every_move: bool = False,
    tables: bool = True,
    **limits: Any,
) -> Iterator[Analysis]:
    """The same, with an update for every depth; give `stop=Stop()` to be able to end it from elsewhere."""
    if time is None and depth is None and not limits:
        time = 1.0
    kind = TableEngine if tables else Engine
    return kind(get(game.rules), threads=threads).updates(game, time=time, depth=depth, every_move=every_move, **limits)
