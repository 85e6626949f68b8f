"""Ask random endgames in many ways and look for claims that contradict each other.

    python -m tests.search.contradictions --games 2000 --processes 8 --journal asked.jsonl

asks so many games of every preset, in blocks, and prints the share of proven answers. A finished block is a line of the
journal; with the same journal a run that was interrupted goes on. The exit code is 1 if there is a contradiction.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path

from awale import Game, tables
from awale.arena.pool import LocalProcesses
from awale.cores import cores
from awale.rules import get, names
from awale.rules.description import Rules
from awale.search.analysis import Analysis, Value
from awale.search.engine import SearchEngine
from awale.search.limits import Limit

BLOCK = 50
"""Games asked by one process, with the same engines."""
SEEDS = 14
TABLE_SEEDS = 6
TIMES = 3
"""How often each game is asked."""
COUNTED = ("games", "asked", "results", "margins", "plies", "decided")


def endgames(rules: Rules, seeds: int, seed: str) -> Iterator[Game]:
    """Random positions with few seeds and close scores, some of them after some moves without a capture."""
    chance = random.Random(seed)
    while rules.coloured:
        game, left = Game(rules), chance.randint(10, 3 * seeds)  # fewer than ten end it
        while not game.over and sum(game.counts) > left:
            game.push(chance.choice(game.legal_moves))
        if not game.over:
            yield game
    while True:
        board = [0] * (2 * rules.pits)
        on_board = chance.randint(1, seeds)
        for _ in range(on_board):
            board[chance.randrange(len(board))] += 1
        captured = rules.total - on_board
        south = min(max(0, captured // 2 + chance.randint(-3, 3)), captured)
        position = "-".join(map(str, [*board, south, captured - south, chance.choice("SN")]))
        game = Game(rules, start=position)
        for _ in range(chance.choice((0, 0, 3, 6, 9))):
            quiet = [] if game.over else [move for move in game.legal_moves if game.trace(move).taken == 0]
            if not quiet:
                break
            game.push(chance.choice(quiet))
        if not game.over:
            yield game


def agrees(found: Analysis) -> None:
    """Headline, arrow and pits say the same."""
    best = found.moves[0]
    assert best.move == found.best == found.line[0]
    assert best.value.seeds == found.value.seeds == max(move.value.seeds for move in found.moves)
    for value in (found.value, *(move.value for move in found.moves)):
        assert value.least is not None
        assert value.most is not None
        assert value.least <= value.seeds <= value.most
    if found.value.result is not None and found.value.result > -1:
        assert best.value.most == found.value.most


@dataclass
class Block:
    """What was found out about some games of a preset."""

    rules: str
    number: int
    games: int = 0
    asked: int = 0
    results: int = 0
    """Answers whose result was proven; `margins` and `plies` likewise."""
    margins: int = 0
    plies: int = 0
    decided: int = 0
    """Games whose result was proven by one answer or another."""
    contradictions: list[str] = field(default_factory=list)


class Asker:
    """Asks the same games of a preset in many ways, and compares what is claimed."""

    def __init__(self, name: str, *, seeds: int = SEEDS, timed: bool = True) -> None:
        """`timed`: limit some of the questions by time, which makes the answers depend on the machine."""
        self.rules = get(name)
        self.table = None
        if tables.refusal(self.rules) is None:
            tables.build(self.rules, TABLE_SEEDS)
            self.table = tables.open(self.rules)
        self.seeds = seeds
        self.timed = timed

    def _engine(self, chance: random.Random) -> SearchEngine:
        table = self.table if chance.random() < 0.5 else None
        return SearchEngine(self.rules, hash_mb=chance.choice((0.001, 0.25, 4)), tables=table)

    def _limit(self, chance: random.Random) -> Limit:
        threads = chance.choice((1, 1, 1, 2))
        if self.timed and chance.random() < 0.3:
            return Limit(time=chance.choice((0.001, 0.01, 0.03)), threads=threads)
        return Limit(nodes=chance.choice((50, 2000, 20_000)), threads=threads)

    def block(self, number: int, count: int) -> Block:
        """Ask so many games of their own for each block, in random order, with reused and with new engines."""
        done = Block(self.rules.name, number, count)
        chance = random.Random(f"{self.rules.name}/{number}")
        games = list(islice(endgames(self.rules, self.seeds, f"{self.rules.name}/{number}"), count))
        claims: dict[int, list[Value]] = {place: [] for place in range(count)}
        reused = [self._engine(chance) for _ in range(2)]
        for _ in range(TIMES):
            for place in chance.sample(range(count), count):
                engine = chance.choice(reused) if chance.random() < 0.6 else self._engine(chance)
                found = engine.analyse(games[place], self._limit(chance), multi=chance.choice((1, 1, 6)))
                try:
                    agrees(found)
                except AssertionError as error:
                    done.contradictions.append(f"{_shown(games[place])}: {found.moves}: {error}")
                claims[place].append(found.value)
        for place, values in claims.items():
            done.asked += len(values)
            done.results += sum(value.result is not None for value in values)
            done.margins += sum(value.margin is not None for value in values)
            done.plies += sum(value.plies is not None for value in values)
            done.decided += any(value.result is not None for value in values)
            try:
                self.check(games[place], values)
            except AssertionError as error:
                done.contradictions.append(f"{_shown(games[place])}: {values}: {error}")
        return done

    def check(self, game: Game, values: list[Value]) -> None:
        """Compare all claims about a game with each other, with the seeds there are, and with the table."""
        least = max(value.least for value in values if value.least is not None)
        most = min(value.most for value in values if value.most is not None)
        assert least <= most
        assert len({value.plies for value in values} - {None}) <= 1
        seeds, ahead = sum(game.counts), game.scores[game.turn] - game.scores[1 - game.turn]
        assert ahead - seeds <= least <= most <= ahead + seeds
        fresh = self.rules.repetition == "none" or not game.moves
        known = self.table.probe(game) if self.table is not None and fresh else None
        if known is not None:
            # A goal ends a game early: then only the sign of a table's value counts.
            assert least <= 0 or ahead + known.most > 0
            assert most >= 0 or ahead + known.least < 0
            if self.rules.win_score_for(self.rules.total) is None:
                assert ahead + known.least <= most
                assert least <= ahead + known.most


def _shown(game: Game) -> str:
    return f"{game.rules.name} {game.position} after {' '.join(map(str, game.moves)) or 'no move'}"


_askers: dict[str, Asker] = {}


def _ask(name: str, number: int, count: int) -> Block:
    """Ask a block in a worker process, which keeps its tables from block to block."""
    if name not in _askers:
        _askers[name] = Asker(name)
    return _askers[name].block(number, count)


def _finished(journal: Path) -> list[Block]:
    """Return the blocks of the journal; the last line may be incomplete."""
    lines = journal.read_text(encoding="utf-8").splitlines(keepends=True) if journal.exists() else []
    complete = [line for line in lines if line.endswith("\n")]
    if len(complete) < len(lines):
        journal.write_text("".join(complete), encoding="utf-8")
    return [Block(**json.loads(line)) for line in complete]


def ask_all(rules: Iterable[str], games: int, processes: int, journal: Path, seconds: float | None) -> list[Block]:
    """Ask so many games of each preset, and write every finished block to the journal; stop after `seconds`."""
    began = time.monotonic()
    done = [block for block in _finished(journal) if block.rules in rules and block.number < games // BLOCK]
    known = {(block.rules, block.number) for block in done}
    wanted = [(name, number) for number in range(games // BLOCK) for name in rules if (name, number) not in known]
    total = len(done) + len(wanted)
    for name in {name for name, _ in wanted}:
        Asker(name)  # builds the table once, for all processes
    waiting = iter(wanted)
    with LocalProcesses(processes) as (submit, ahead), journal.open("a", encoding="utf-8") as file:
        asked: set[Future[Block]] = {submit(_ask, *one, BLOCK) for one in islice(waiting, ahead)}
        while asked:
            finished, asked = wait(asked, return_when=FIRST_COMPLETED)
            for block in (future.result() for future in finished):
                done.append(block)
                file.write(json.dumps(asdict(block)) + "\n")
                file.flush()
                passed = time.monotonic() - began
                print(f"{len(done)}/{total} blocks, {passed:.0f} s: {block.rules}", file=sys.stderr, flush=True)
                if seconds is None or passed < seconds:
                    asked |= {submit(_ask, *one, BLOCK) for one in islice(waiting, 1)}
    return done


def report(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield a line for each preset, and every contradiction."""
    yield "| rules | games | answers | result proven | margin proven | moves proven | games decided | contradictions |"
    yield "|---|---|---|---|---|---|---|---|"
    parts: dict[str, list[Block]] = {}
    for block in blocks:
        parts.setdefault(block.rules, []).append(block)
    for name, found in sorted(parts.items()):
        sums = {key: sum(getattr(block, key) for block in found) for key in COUNTED}
        shares = " | ".join(f"{sums[key] / sums['asked']:.1%}" for key in ("results", "margins", "plies"))
        wrong = sum(len(block.contradictions) for block in found)
        decided = sums["decided"] / sums["games"]
        yield f"| {name} | {sums['games']} | {sums['asked']} | {shares} | {decided:.1%} | {wrong} |"
    for found in parts.values():
        yield from (text for block in found for text in block.contradictions)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("rules", nargs="*", default=names(), help="presets; all of them by default")
    parser.add_argument("--games", type=int, default=2000, help="of each preset")
    parser.add_argument("--processes", type=int, default=cores())
    parser.add_argument("--journal", type=Path, required=True, help="finished blocks; continued if it exists")
    parser.add_argument("--seconds", type=float, help="begin no more blocks after this time")
    options = parser.parse_args()
    blocks = ask_all(options.rules, options.games, options.processes, options.journal, options.seconds)
    print("\n".join(report(blocks)))
    return int(any(block.contradictions for block in blocks))


if __name__ == "__main__":
    sys.exit(main())
