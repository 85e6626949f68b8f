"""`awale puzzles make`: games one after the other, a work file from which an interrupted run is resumed."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from awale import i18n
from awale.errors import AwaleError
from awale.game import Game
from awale.paths import resumed_lines
from awale.rules import Rules
from awale.training.exact import PROOF_NODES, ExactValues
from awale.training.make import MOST_SEEDS, Collection, Finder, Wanted, self_play
from awale.training.puzzle import Puzzle, parse_puzzle

if TYPE_CHECKING:
    from awale.store import Store

FORM = "awale-puzzles-1"
TABLE_SEEDS = 12
"""Tables of this size are computed within seconds."""
T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that a run's puzzles depend on, except the games of a file or a store."""

    rules: Rules
    count: int = 100
    seed: int = 1
    """Of self-play."""
    most_seeds: int | None = None
    """On the board; None for what suits the rules."""
    gain: int = 4
    table_seeds: int = TABLE_SEEDS
    nodes: int = PROOF_NODES
    source: str = ""
    """The file or store whose games are looked at; self-play if empty."""

    def signature(self) -> dict[str, Any]:
        """Return what the puzzles of every game depend on: another number of puzzles may be asked for later."""
        options = {name: value for name, value in asdict(self).items() if name not in ("rules", "count")}
        return {"form": FORM, "rules": self.rules.name, "version": self.rules.version, **options}


class Step(NamedTuple):
    """The progress of a run."""

    games: int
    found: int
    wanted: int


def _line(entry: object) -> str:
    return json.dumps(entry, separators=(",", ":"))


class WorkFile:
    """The games that were looked at, a line each after a first line with the settings."""

    def __init__(self, path: Path, settings: Settings, *, fresh: bool = False) -> None:
        self.path = path
        self.games: list[list[Puzzle]] = []
        if fresh:
            path.unlink(missing_ok=True)
        try:
            lines = resumed_lines(path, _line(settings.signature()))
        except UnicodeDecodeError:
            raise self._damaged(1) from None
        if lines is None:
            raise AwaleError(i18n.message("puzzles.bad.other-work", file=path))
        for number, line in enumerate(lines, 2):
            try:
                self.games.append([parse_puzzle(json.dumps(puzzle)) for puzzle in json.loads(line)])
            except (ValueError, TypeError):  # a PuzzleError is a ValueError too
                raise self._damaged(number) from None
        self._file = path.open("a", encoding="utf-8", newline="\n")

    def _damaged(self, line: int) -> AwaleError:
        return AwaleError(i18n.message("puzzles.bad.work", file=self.path, line=line))

    def add(self, puzzles: list[Puzzle]) -> None:
        """Keep what was found in the next game."""
        self.games.append(puzzles)
        self._file.write(_line([puzzle.as_json() for puzzle in puzzles]) + "\n")
        self._file.flush()

    def close(self) -> None:
        self._file.close()


Games = Callable[[int], Iterable[Callable[[], Game]]]
"""From a number on, functions that return each game, in an order that does not change."""


def self_play_games(settings: Settings, most: int | None = None) -> Games:
    """Return games of the engine against itself, without end or so many."""
    return lambda first: (
        partial(self_play, settings.rules, settings.seed, number)
        for number in (count(first) if most is None else range(first, most))
    )


@lru_cache(maxsize=1)
def _finder(settings: Settings) -> Finder:
    from awale.tables import compute, refusal

    rules = settings.rules
    tables = None if refusal(rules) else compute(rules, settings.table_seeds)
    wanted = Wanted(settings.most_seeds or MOST_SEEDS[rules.family], settings.gain)
    return Finder(rules, ExactValues(rules, tables, nodes=settings.nodes), wanted)


def _look(settings: Settings, game: Callable[[], Game]) -> list[Puzzle]:
    return _finder(settings).in_game(game())


def _confirm(settings: Settings, puzzle: Puzzle) -> Puzzle | None:
    return _finder(settings).confirmed(puzzle)


class Making:
    """One run: the games looked at so far, and the puzzles chosen. `concurrency`: processes that look for puzzles; how
    many there are changes nothing in the result."""

    def __init__(self, settings: Settings, work: WorkFile, *, concurrency: int = 1) -> None:
        self.settings, self.work, self.concurrency = settings, work, concurrency
        self.collection = Collection(settings.count)
        for known in work.games:
            self.collection.add(known)

    def run(self, games: Games, tell: Callable[[Step], None] = lambda step: None) -> None:
        """Look at games until there are enough puzzles or no more games. May be interrupted after any game."""
        if self.collection.full():
            return
        for found in self._each(_look, games(len(self.work.games))):
            self.work.add(found)
            self.collection.add(found)
            tell(Step(len(self.work.games), len(self.collection.chosen), self.settings.count))
            if self.collection.full():
                return

    def confirmed(self, tell: Callable[[int, int], None] = lambda done, total: None) -> list[Puzzle]:
        """Return the puzzles as far as another method confirms them, the easiest first."""
        chosen = self.collection.result(fill=True)
        kept = []
        for done, puzzle in enumerate(self._each(_confirm, chosen), 1):
            kept.append(puzzle)
            tell(done, len(chosen))
        return sorted((puzzle for puzzle in kept if puzzle is not None), key=lambda p: (p.rating, p.id))

    def _each(self, work: Callable[[Settings, T], R], items: Iterable[T]) -> Iterator[R]:
        """Yield what is made of each item, in their order."""
        rest = iter(items)
        # In this process at first: what it compiles, the others read from the cache.
        yield from (work(self.settings, item) for item in (islice(rest, 1) if self.concurrency > 1 else rest))
        if self.concurrency == 1:
            return
        from awale.arena.pool import LocalProcesses

        waiting: deque[Future[R]] = deque()
        with LocalProcesses(self.concurrency) as (submit, ahead):
            for item in rest:
                waiting.append(submit(work, self.settings, item))
                if len(waiting) > ahead:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()


def file_games(path: Path, rules: Rules) -> Games:
    """Return the games of an OGN or JSON file that were played by these rules."""
    from awale.notation import read_json, read_ogn

    read = read_json if path.suffix.lower() in (".json", ".jsonl") else read_ogn
    return lambda first: islice(
        (record.game for record in read(path, name=str(path)) if record.rules == rules), first, None
    )


def store_games(store: Store, rules: Rules) -> Games:
    """Return the games of a database that were played by these rules, the oldest first."""
    from sqlalchemy import select

    from awale.store.models import Game as Row
    from awale.store.transfer import export_records

    def games(first: int) -> Iterator[Callable[[], Game]]:
        with store.transaction(read_only=True) as session:
            query: Any = select(Row).where(Row.rules == rules.name)
            for record in islice(export_records(session, query), first, None):
                yield record.game

    return games
