"""The engine against itself as it was at a commit: UCI against UCI, equal time, one thread, balanced openings.

The sources of the commit are unpacked into the cache folder, where they keep their compiled code and their tables. The
tables that the present engine builds while it plays are built before.

Set by the environment: `AWALE_REFERENCE_COMMIT` (a59d51c), `AWALE_REFERENCE_RULES` (`awari,abapa`),
`AWALE_REFERENCE_GAMES` (400 of each), `AWALE_REFERENCE_TIME` (seconds a move, 0.1), `AWALE_REFERENCE_PROCESSES` (games
at the same time: half the cores, for two engines think in turn but answer from two processes).
"""

from __future__ import annotations

import io
import os
import shlex
import subprocess
import sys
import tarfile
from pathlib import Path

from awale import paths, tables
from awale.arena import Interrupted, MatchPlan, play_match
from awale.arena.statistics import expected
from awale.players.engine import LARGER_TABLES
from benchmarks.measure import Row

COMMIT = os.environ.get("AWALE_REFERENCE_COMMIT", "a59d51c")
RULES = os.environ.get("AWALE_REFERENCE_RULES", "awari,abapa").split(",")
GAMES = int(os.environ.get("AWALE_REFERENCE_GAMES", "400"))
SECONDS = float(os.environ.get("AWALE_REFERENCE_TIME", "0.1"))
PROCESSES = int(os.environ.get("AWALE_REFERENCE_PROCESSES", str(max(1, (os.cpu_count() or 1) // 2))))
GOAL = 70.0
"""Percent of the points."""


def _git(*arguments: str) -> bytes:
    folder = Path(__file__).resolve().parent
    return subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True).stdout


def checkout(commit: str) -> Path:
    """Return a folder with the sources of a commit, unpacked the first time."""
    full = _git("rev-parse", "--verify", f"{commit}^{{commit}}").decode().strip()
    folder = paths.cache_dir() / "references" / full
    if not (folder / "src").exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        growing = folder.with_name(f".{full}.{os.getpid()}.part")
        top = Path(_git("rev-parse", "--show-toplevel").decode().strip())
        archive = _git("-C", str(top), "archive", full, "src")
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(growing, filter="data")
        growing.replace(folder)
    return folder


def command_of(rules: str, folder: Path | None = None) -> list[str]:
    """Return the command of the engine as it is, or as it is in a folder."""
    command = [sys.executable, "-m", "awale", "uci", "--rules", rules]
    if folder is not None:
        own = [f"AWALE_{kind}_DIR={folder / kind.lower()}" for kind in ("DATA", "CACHE")]
        command = ["env", f"PYTHONPATH={folder / 'src'}", *own, *command]
    return command


def player(rules: str, folder: Path | None = None) -> str:
    """Return the player's name, once it has compiled what it needs, which may take longer than a match waits."""
    command = command_of(rules, folder)
    subprocess.run(command, input=b"uci\nisready\nquit\n", check=True, stdout=subprocess.DEVNULL)
    return f'uci:"{shlex.join(command)}",movetime={1000 * SECONDS:g}'


def run() -> list[Row]:
    folder = checkout(COMMIT)
    rows = []
    for rules in RULES:
        tables.ensure_small(rules, LARGER_TABLES[-1], wait=True)
        plan = MatchPlan(player(rules), player(rules, folder), rules=rules, games=GAMES)
        try:
            result = play_match(plan, concurrency=PROCESSES)
        except Interrupted as interrupted:  # Ctrl-C: the games played so far count
            result = interrupted.result  # type: ignore[assignment]
        low, high = (100 * expected(elo) for elo in (result.estimate.low, result.estimate.high))
        tally = result.tallies[0]
        what = (
            f"% against {COMMIT}, {rules}, {1000 * SECONDS:g} ms, {tally.games} games "
            f"(+{tally.wins} ={tally.draws} -{tally.losses}, 95%: {low:.1f} to {high:.1f})"
        )
        rows.append(Row(what, "", 100 * tally.score, at_least=GOAL))
    return rows
