"""The ladder of levels: each level of the engine against the one below, and the first against `greedy`.

Levels are limited by depth or by positions, so the result does not depend on the machine or its load. The games of all
matches are given to the same processes, the longest first.

Set by the environment: `AWALE_LEVELS_RULES` (`abapa,awari,casabianca,wikipedia,upsti,ghana,tricolor`),
`AWALE_LEVELS_GAMES` (200 a match), `AWALE_LEVELS_PROCESSES` (one for each core), `AWALE_LEVELS_JOURNAL` (a file of the
finished games: with it, an interrupted run goes on).
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from awale.arena import MatchPlan
from awale.arena.games import Job
from awale.arena.journal import Journal
from awale.arena.standings import MatchResult
from awale.arena.workers import Processes, prepare
from awale.cores import cores
from awale.players.engine_player import LADDERS
from awale.players.spec import LEVELS
from benchmarks.measure import Row

RULES = os.environ.get("AWALE_LEVELS_RULES", "abapa,awari,casabianca,wikipedia,upsti,ghana,tricolor").split(",")
GAMES = 2 * ((int(os.environ.get("AWALE_LEVELS_GAMES", "200")) + 1) // 2)
PROCESSES = int(os.environ.get("AWALE_LEVELS_PROCESSES", str(cores())))
JOURNAL = os.environ.get("AWALE_LEVELS_JOURNAL")
LEAST, MOST = 75.0, 90.0
"""Percent of the points."""
REPORT_SECONDS = 10.0


def plans() -> list[MatchPlan]:
    """Return the matches, the longest first."""
    found = []
    for level in sorted(LEVELS, reverse=True):
        other = f"engine:{level - 1}" if level > 1 else "greedy"
        found += [MatchPlan(f"engine:{level}", other, rules=rules, games=GAMES) for rules in RULES]
    return found


def play(matches: list[MatchPlan], file: Path) -> list[MatchResult]:
    """Play all matches at once, and keep every game in the journal."""
    for match in matches:
        prepare(match.rule_system, match.players)
    signature = {"levels": LADDERS, "matches": [match.signature() for match in matches]}
    with closing(Journal(file, signature, resume=True)) as journal, closing(Processes(PROCESSES)) as runner:
        shown = began = time.monotonic()
        total = GAMES * len(matches)
        for played in runner.run(job for job in _jobs(matches) if job.number not in journal.done):
            journal.add(played)
            if time.monotonic() - shown > REPORT_SECONDS:
                shown = time.monotonic()
                print(f"{len(journal.done)}/{total} games, {shown - began:.0f} s", file=sys.stderr, flush=True)
        games = journal.done.values()
        return [
            MatchResult(match, [game for game in games if game.number // GAMES == number])
            for number, match in enumerate(matches)
        ]


def _jobs(matches: list[MatchPlan]) -> Iterator[Job]:
    """Yield the games of all matches, each with a number of its own."""
    for number, match in enumerate(matches):
        for job in match.jobs():
            yield replace(job, number=number * GAMES + job.number)


def run() -> list[Row]:
    with TemporaryDirectory() as folder:
        results = play(plans(), Path(JOURNAL or Path(folder) / "games.jsonl"))
    rows = []
    for rules in RULES:
        for result in reversed([one for one in results if one.plan.rule_system.name == rules]):
            first, second = result.plan.players
            least, most = (None, None) if second == "greedy" else (LEAST, MOST)
            what = f"{rules}: % of {first} against {second}, {GAMES} games"
            rows.append(Row(what, "", 100 * result.tallies[0].score, at_least=least, at_most=most))
    return rows
