"""How far the engine is from perfect play, judged by exact tables: positions of its own games, and how often its move
keeps the result where the choice of the move decides it.

The positions come from games with fixed seeds and a limit in positions, so they are the same on every machine; the
engine answers each of them anew, by time, on one thread, with the tables that every player by time has after the first
minute. Values are those of the positions by themselves, without the game before them.

Set by the environment: `AWALE_PERFECTION_SEEDS` (the largest table, 20), `AWALE_PERFECTION_DEVICE` (`cpu` or `cuda`),
`AWALE_PERFECTION_RULES` (`awari,wikipedia,casabianca`), `AWALE_PERFECTION_POSITIONS` (for each range of seeds, 400),
`AWALE_PERFECTION_TABLES` (the seeds of the engine's own tables, 18), `AWALE_PERFECTION_PROCESSES` (one for each core),
`AWALE_PERFECTION_DIR` (where to keep the tables; a temporary folder).
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context

from awale import Game, Limit, tables
from awale.players.engine import LARGER_TABLES
from awale.search.engine import SearchEngine
from benchmarks.measure import Row

SEEDS = int(os.environ.get("AWALE_PERFECTION_SEEDS", "20"))
DEVICE = os.environ.get("AWALE_PERFECTION_DEVICE", "cpu")
RULES = os.environ.get("AWALE_PERFECTION_RULES", "awari,wikipedia,casabianca").split(",")
POSITIONS = int(os.environ.get("AWALE_PERFECTION_POSITIONS", "400"))
OWN = int(os.environ.get("AWALE_PERFECTION_TABLES", str(LARGER_TABLES[-1])))
PROCESSES = int(os.environ.get("AWALE_PERFECTION_PROCESSES", str(os.cpu_count() or 1)))
LEAST, STEP = 13, 4
"""The fewest seeds of a position, above the first table of a player; and the width of a range."""
GAMES, OPENING_PLIES, NODES = 400, 8, 3000
TIMES = {0.01: None, 0.1: 99.0, 1.0: 99.5}
"""Seconds for a move, and the share of results kept, in percent, that is the goal."""
LONG, PART = 1.0, 4
"""From this time on, one of so many positions is asked."""
SEED = 14


@lru_cache(maxsize=1)
def _engine(rules: str, folder: str) -> SearchEngine:
    small = tables.open(rules, folder, most_seeds=OWN)
    engine = SearchEngine(rules, hash_mb=32, tables=small)
    engine.load(prove=False)
    return engine


def play(rules: str, folder: str, number: int) -> list[str]:
    """Return the positions of a game of the engine against itself with so many seeds."""
    chance = random.Random(f"{SEED}/{rules}/{number}")
    engine = _engine(rules, folder)
    engine.clear()
    game = Game(rules)
    found = []
    while not game.over and len(game.moves) < 200:
        if LEAST <= sum(game.counts) <= SEEDS:
            found.append(game.position)
        if len(game.moves) < OPENING_PLIES:
            game.push(chance.choice(game.legal_moves))
        else:
            game.push(engine.analyse(game, Limit(nodes=NODES), prove=False).best)
    return found


def choose(rules: str, folder: str, position: str, seconds: float) -> str:
    """Return the engine's move in a position."""
    engine = _engine(rules, folder)
    engine.clear()
    return str(engine.analyse(Game(rules, start=position), Limit(time=seconds), prove=False).best)


@dataclass(slots=True)
class Question:
    """A position with the value of each of its moves."""

    position: str
    ahead: int
    values: dict[str, int]
    deciding: bool
    """Asked whether the result is kept; else how many seeds are lost."""


@dataclass(slots=True)
class Tally:
    """What the engine kept of what it had."""

    deciding: int = 0
    kept: int = 0
    moves: int = 0
    lost: int = 0

    def add(self, question: Question, move: str) -> None:
        """Count a move."""
        best, chosen = max(question.values.values()), question.values[move]
        if question.deciding:
            self.deciding += 1
            self.kept += sign(question.ahead + chosen) == sign(question.ahead + best)
        else:
            self.moves += 1
            self.lost += best - chosen

    def merge(self, other: Tally) -> None:
        self.deciding += other.deciding
        self.kept += other.kept
        self.moves += other.moves
        self.lost += other.lost


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


def questions(rules: str, opened: tables.Tables, played: Iterator[list[str]]) -> dict[int, list[Question]]:
    """Return some of the positions in which the choice of the move decides the result, and a quarter as many of all
    positions with a choice, by the first of a range of seeds."""
    deciding: dict[int, list[Question]] = defaultdict(list)
    every: dict[int, list[Question]] = defaultdict(list)
    for position in sorted({position for game in played for position in game}):
        game = Game(rules, start=position)
        values = {str(move): value.seeds for move, value in opened.probe_moves(game).items() if value is not None}
        seeds = sum(game.counts)
        first = seeds - (seeds - LEAST) % STEP
        ahead = game.scores[game.turn] - game.scores[1 - game.turn]
        if len(values) > 1:
            every[first].append(Question(position, ahead, values, deciding=False))
        if len({sign(ahead + value) for value in values.values()}) > 1:
            deciding[first].append(Question(position, ahead, values, deciding=True))
    chance = random.Random(SEED)

    def some(several: list[Question], most: int) -> list[Question]:
        return chance.sample(several, min(most, len(several)))

    return {
        first: some(deciding[first], POSITIONS) + some(every[first], POSITIONS // 4)
        for first in sorted(deciding.keys() | every.keys())
    }


def measure(rules: str, folder: str) -> dict[tuple[int, float], Tally]:
    """Return what was kept, by range of seeds and by time."""
    tables.build(rules, SEEDS, dir=folder, device=DEVICE)
    print(f"{rules}: tables built", file=sys.stderr, flush=True)
    opened = tables.open(rules, folder)
    tallies: dict[tuple[int, float], Tally] = defaultdict(Tally)
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as pool:
        played = pool.map(play, *zip(*((rules, folder, number) for number in range(GAMES)), strict=True), chunksize=4)
        asked = questions(rules, opened, iter(played))
        print(f"{rules}: {sum(map(len, asked.values()))} positions", file=sys.stderr, flush=True)
        for seconds in TIMES:
            step = PART if seconds >= LONG else 1
            every = [(first, question) for first, several in asked.items() for question in several[::step]]
            rows = ((rules, folder, question.position, seconds) for _, question in every)
            for (first, question), move in zip(every, pool.map(choose, *zip(*rows, strict=True)), strict=True):
                tallies[first, seconds].add(question, move)
            tally = whole(tallies, seconds)
            print(f"{rules}: {1000 * seconds:g} ms, {tally.kept} of {tally.deciding} kept", file=sys.stderr, flush=True)
    return tallies


def whole(tallies: dict[tuple[int, float], Tally], seconds: float) -> Tally:
    """Return what was kept with any number of seeds."""
    together = Tally()
    for (_, time), tally in tallies.items():
        if time == seconds:
            together.merge(tally)
    return together


def run() -> list[Row]:
    rows: list[Row] = []
    for rules in RULES:
        with tempfile.TemporaryDirectory() as folder:
            tallies = measure(rules, os.environ.get("AWALE_PERFECTION_DIR", folder))
        for seconds, goal in TIMES.items():
            shown = f"{rules}, tables to {OWN} seeds, {1000 * seconds:g} ms"
            for first in sorted({first for first, _ in tallies}):
                tally = tallies[first, seconds]
                rows += _rows(f"{shown}, {first} to {min(first + STEP - 1, SEEDS)} seeds", tally)
            rows += _rows(f"{shown}, {LEAST} to {SEEDS} seeds", whole(tallies, seconds), goal)
    return rows


def _rows(shown: str, tally: Tally, goal: float | None = None) -> list[Row]:
    kept = 100 * tally.kept / max(1, tally.deciding)
    return [
        Row(f"{shown}: % of {tally.deciding} results kept", "", kept, at_least=goal),
        Row(f"{shown}: seeds lost a move, {tally.moves} moves", "", tally.lost / max(1, tally.moves)),
    ]
