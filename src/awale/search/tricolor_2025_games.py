"""Replay the 27 games of the 2025 report on the three-colour game.

`report_2025.json` holds the report's three tables as printed, and what its own program gives today (with the lengths of
some games). Four cells differ: the program does not show the board after the last move, so the printed score lacks the
last capture. Every game is played here, and the score before its last capture is recorded for comparison with the
print.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from threading import Event
from typing import Literal

from awale.cores import cores
from awale.game import Game, Outcome
from awale.search.tricolor_2025 import Depth, ReportSearch

Score = tuple[int, int]

REPORTED = "tricolor-2025"
"""The rules of the report's program."""
DESCRIBED = "tricolor"
"""The rules that the report describes: who starves the other takes the rest."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One game of a table: who plays J1 and J2, and the known results."""

    j1: str
    j2: str
    published: Score
    program: Score
    """What the report's own program gives."""
    moves: int | None
    """The length of its game, where known."""


@dataclass(frozen=True, slots=True)
class Table:
    number: int
    depths: tuple[Depth, Depth]
    cells: tuple[Cell, ...]
    """In row-major order."""


@dataclass(frozen=True, slots=True)
class Played:
    """A played game of a table."""

    table: int
    cell: Cell
    rules: str
    game: Game
    outcome: Outcome
    before_last_capture: Score
    nodes: int
    seconds: float
    slowest: float
    """The longest time of a move, in seconds."""

    @property
    def scores(self) -> Score:
        return self.outcome.scores

    @property
    def agrees(self) -> bool:
        """Return whether score, and length where known, are those of the report's program."""
        return self.scores == self.cell.program and self.cell.moves in (None, self.game.ply)

    @property
    def misprint(self) -> bool:
        """Return whether the report prints another score than its own program gives."""
        return self.cell.published != self.cell.program


@cache
def tables() -> tuple[Table, ...]:
    """Return the report's three tables."""
    data = json.loads(files("awale.search").joinpath("report_2025.json").read_text(encoding="utf-8"))
    names: list[str] = data["evaluations"]
    return tuple(
        Table(
            number=table["number"],
            depths=(table["depths"][0], table["depths"][1]),
            cells=tuple(
                Cell(j1, j2, _score(table["published"][i][k]), _score(table["program"][i][k]), table["moves"][i][k])
                for i, j1 in enumerate(names)
                for k, j2 in enumerate(names)
            ),
        )
        for table in data["tables"]
    )


def _score(pair: Sequence[int]) -> Score:
    return pair[0], pair[1]


class Stopped(Exception):
    """Raised when a game was cancelled."""


def play_cell(table: Table, cell: Cell, rules: str = REPORTED, *, stop: Event | None = None) -> Played:
    """Play one game to its end. Setting `stop` cancels it."""
    game = Game(rules)
    search = ReportSearch(game.rules, (cell.j1, cell.j2))
    nodes, seconds, slowest = 0, 0.0, 0.0
    captured = before = game.scores
    while not game.over:
        if stop is not None and stop.is_set():
            raise Stopped
        begun = time.perf_counter()
        choice = search.choose(game, table.depths[game.turn])
        spent = time.perf_counter() - begun
        nodes, seconds, slowest = nodes + choice.nodes, seconds + spent, max(slowest, spent)
        game.push(choice.move)
        if game.scores != captured:
            before, captured = captured, game.scores
    outcome = game.outcome()
    assert outcome is not None
    return Played(table.number, cell, rules, game, outcome, before, nodes, seconds, slowest)


def play_table(
    table: Table, rules: str = REPORTED, *, threads: int | None = None, done: Callable[[Played], None] | None = None
) -> list[Played]:
    """Play the nine games of a table, several at a time, and return them in table order; `done` is called with each."""
    stop = Event()
    found: dict[int, Played] = {}
    with ThreadPoolExecutor(max_workers=threads or cores()) as pool:
        try:
            running = {
                pool.submit(play_cell, table, cell, rules, stop=stop): place for place, cell in enumerate(table.cells)
            }
            for future in as_completed(running):
                found[running[future]] = played = future.result()
                if done is not None:
                    done(played)
        finally:
            # After Ctrl-C or an error, the other games stop at their next move.
            stop.set()
    return [found[place] for place in range(len(table.cells))]


@dataclass(frozen=True, slots=True)
class Tally:
    """Results of some games."""

    j1: int
    j2: int
    draws: int

    @property
    def luck(self) -> float:
        """Return the probability that J1 wins at least this share of the decided games if each is a coin toss."""
        n = self.j1 + self.j2
        return sum(math.comb(n, k) for k in range(self.j1, n + 1)) / 2**n


def tally(games: Iterable[Played]) -> Tally:
    winners = [played.outcome.winner for played in games]
    return Tally(winners.count(0), winners.count(1), winners.count(None))


def different(games: Iterable[Played]) -> list[Played]:
    """Return the games without repetitions of an earlier one, move for move."""
    found: dict[tuple[str, object], Played] = {}
    for played in games:
        found.setdefault((played.rules, played.game.moves), played)
    return list(found.values())


def winners_changed(reported: Iterable[Played], mended: Iterable[Played]) -> list[tuple[Played, Played]]:
    """Return the cells that another player wins under the other rules."""
    others = {(played.table, played.cell.j1, played.cell.j2): played for played in mended}
    pairs = [(played, others[played.table, played.cell.j1, played.cell.j2]) for played in reported]
    return [(one, two) for one, two in pairs if one.outcome.winner != two.outcome.winner]


Verdict = Literal["favoured", "leaning", "open", "against"]


def verdict(count: Tally) -> Verdict:
    """Return what these wins say about the hypothesis that J1 is favoured, at the five per cent level."""
    if count.j1 < count.j2:
        return "against"
    if count.j1 == count.j2:
        return "open"
    return "favoured" if count.luck < 0.05 else "leaning"


# -- what the report claims about its tables -----------------------------------------------------------------------


def corrected_for_raw(games: Sequence[Played]) -> tuple[float, float] | None:
    """Return by how much the scores of J1 and J2 change on average when J2 plays `corrected` and not `raw`, as shares.

    The report averages the changes against each J1; None where a score of 0 has no such change.
    """
    scores = {(played.cell.j1, played.cell.j2): played.scores for played in games}
    changes: tuple[list[float], list[float]] = ([], [])
    for (j1, j2), before in scores.items():
        after = scores.get((j1, "corrected"))
        if j2 == "raw" and after is not None:
            for player in (0, 1):
                if before[player] == 0:
                    return None
                changes[player].append(after[player] / before[player] - 1)
    if not changes[0]:
        return None
    return sum(changes[0]) / len(changes[0]), sum(changes[1]) / len(changes[1])


def j2_wins(games: Iterable[Played]) -> set[tuple[str, str]]:
    """Return the pairs of evaluations with which J2 wins."""
    return {(played.cell.j1, played.cell.j2) for played in games if played.outcome.winner == 1}


def circling(games: Iterable[Played]) -> list[Played]:
    """Return the games that the limit of moves ends, one of each that are the same."""
    return [played for played in different(list(games)) if played.outcome.reason == "moves"]


def last_capture(game: Game) -> int:
    """Return the number of the last move that captured."""
    probe, scores, found = Game(game.rules), (0, 0), 0
    for number, move in enumerate(game.moves, 1):
        probe.push(move)
        if probe.scores != scores:
            scores, found = probe.scores, number
    return found
