"""The ladder of levels: each level of the engine against the one below, and the first against `greedy`.

Levels are limited by depth or by positions, so the result does not depend on the machine or its load.

Set by the environment: `AWALE_LEVELS_RULES` (`abapa,awari,casabianca,wikipedia,ghana`), `AWALE_LEVELS_GAMES` (100 a
match), `AWALE_LEVELS_PROCESSES` (one for each core).
"""

from __future__ import annotations

import os
import sys

from awale.arena import MatchPlan, play_match
from awale.players.engine_player import LEVELS
from benchmarks.measure import Row

RULES = os.environ.get("AWALE_LEVELS_RULES", "abapa,awari,casabianca,wikipedia,ghana").split(",")
GAMES = int(os.environ.get("AWALE_LEVELS_GAMES", "100"))
PROCESSES = int(os.environ.get("AWALE_LEVELS_PROCESSES", str(os.cpu_count() or 1)))
LEAST, MOST = 75.0, 90.0
"""Percent of the points."""


def score(first: str, second: str, rules: str) -> float:
    """Return the first player's share of the points, in percent."""
    result = play_match(MatchPlan(first, second, rules=rules, games=GAMES), concurrency=PROCESSES)
    found = 100 * result.tallies[0].score
    print(f"{rules}: {first} against {second}: {found:.1f}%", file=sys.stderr, flush=True)
    return found


def run() -> list[Row]:
    rows = []
    for rules in RULES:
        rows.append(Row(f"{rules}: % of level 1 against greedy, {GAMES} games", "", score("engine:1", "greedy", rules)))
        for level in sorted(LEVELS)[1:]:
            found = score(f"engine:{level}", f"engine:{level - 1}", rules)
            what = f"{rules}: % of level {level} against level {level - 1}, {GAMES} games"
            rows.append(Row(what, "", found, at_least=LEAST, at_most=MOST))
    return rows
