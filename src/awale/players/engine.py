"""The engine with endgame tables: where the search and the tables meet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from time import monotonic
from typing import Any, Self

from awale.game import Game
from awale.players.base import Choice, PlayerClock
from awale.rules.description import Rules
from awale.search.analysis import Analysis
from awale.search.engine import SearchEngine, Stop
from awale.search.limits import DEFAULT_HASH_MB, Limit

TABLES_RETRY_SECONDS = 2.0
TABLE_SEEDS = 12
"""The size of the table that is built in the background when some rules are first played."""
LARGER_TABLES = (16, 18)
"""Its next sizes for single-lap games, built one after the other while the engine plays by time: 30 and 86 MB."""


class Engine(SearchEngine):
    """The search engine with the endgame tables of its rules: used as soon as they exist; a process is started that
    builds a small one, and later larger ones for searches by time, unless `build_tables` is False.

    >>> from awale import Game, Limit
    >>> Engine("abapa").analyse(Game("abapa"), Limit(depth=3)).depth
    3
    """

    def __init__(
        self,
        rules: str | Rules,
        *,
        threads: int = 1,
        hash_mb: float = DEFAULT_HASH_MB,
        build_tables: bool = True,
    ) -> None:
        super().__init__(rules, threads=threads, hash_mb=hash_mb)
        self._next_try = 0.0
        larger = LARGER_TABLES if self.rules.family == "lap" and self.rules.move_limit is None else ()
        self._sizes = [TABLE_SEEDS, *larger] if build_tables else []
        """Of the tables still to be built."""

    def play(self, game: Game, limit: Limit | None = None, *, clock: PlayerClock | None = None) -> Choice:
        """Return the best move, as an engine client does. One second without a limit or a clock."""
        seconds = None if clock is None else clock.budget()
        if seconds is not None:
            limit = replace(limit or Limit(), time=seconds)
        elif limit is None or limit.unbounded:
            limit = replace(limit or Limit(), time=1.0)
        found = self.analyse(game, limit, prove=False)
        return Choice(found.best, found.value.seeds, found.line, found.nodes, {"depth": found.depth})

    def new_game(self) -> None:
        """Empty the transposition table."""
        self.clear()

    def close(self) -> None:
        """Do nothing: the engine runs in this process."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def analyse_inline(self, game: Game, depth: int, *, every_move: bool = False) -> Analysis:
        self._load_tables()
        return super().analyse_inline(game, depth, every_move=every_move)

    def updates(self, game: Game, limit: Limit | None = None, **options: Any) -> Iterator[Analysis]:
        self._load_tables(timed=limit is not None and limit.time is not None)
        return super().updates(game, limit, **options)

    def _load_tables(self, *, timed: bool = False) -> None:
        """Look for tables. Only a search by time uses those that were built meanwhile: the answers of the others do not
        depend on when a table is complete."""
        from awale import tables

        # This reads the disk: not at every move while a table is being built, or where there can be none.
        while (self.tables is None or (timed and self._sizes)) and monotonic() >= self._next_try:
            found = tables.ensure_small(self.rules, self._sizes[0]) if self._sizes else tables.find_tables(self.rules)
            if found is None:
                self._next_try = monotonic() + TABLES_RETRY_SECONDS
                break
            if not timed and self._sizes[1:] and TABLE_SEEDS < found.seeds <= self._sizes[-1]:
                found = tables.open(self.rules, most_seeds=TABLE_SEEDS)
            self.tables = found
            self._sizes = [size for size in self._sizes[1:] if size > found.seeds]


def analyse(
    game: Game,
    limit: Limit | None = None,
    *,
    time: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    every_move: bool = False,
    multi: int = 1,
    tables: bool = True,
) -> Analysis:
    """Return the analysis of a position by a new engine, one second long by default; it uses tables, and builds none.

    `time=` and `depth=` stand for `Limit(time=..., depth=...)`.

    >>> from awale import Game
    >>> analyse(Game("abapa"), depth=4).best in Game("abapa").legal_moves
    True
    """
    limit = limit or Limit(time=time, depth=depth, nodes=nodes)
    *_, last = updates(game, limit, every_move=every_move, multi=multi, tables=tables)
    return last


def updates(
    game: Game,
    limit: Limit | None = None,
    *,
    every_move: bool = False,
    multi: int = 1,
    tables: bool = True,
    stop: Stop | None = None,
) -> Iterator[Analysis]:
    """Yield an analysis for every depth; `stop=Stop()` makes a handle to end the search from another thread."""
    if stop is None and (limit is None or limit.unbounded):
        limit = Limit(time=1.0) if limit is None else replace(limit, time=1.0)
    # A single analysis ends before a table is built: compiling the builder would only take time, and every time again.
    engine = Engine(game.rules, build_tables=False) if tables else SearchEngine(game.rules)
    return engine.updates(game, limit, every_move=every_move, multi=multi, stop=stop)
