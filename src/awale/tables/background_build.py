"""The small default table: built by a process of its own the first time some rules are played.

That process goes on when the program that started it ends: what it compiles and builds is there the next time. It has a
low priority, and a lock leaves only one of them at work in a directory.
"""

from __future__ import annotations

import logging
import os
import pickle
import subprocess
import sys
import threading
import time
from typing import Any

from awale.rules import get
from awale.rules.description import Rules
from awale.tables import support
from awale.tables.build import build
from awale.tables.errors import BusyError, TablesError
from awale.tables.folders import building, folder_for, tables_root
from awale.tables.layer_file import layer_name
from awale.tables.table import Tables, find_tables

log = logging.getLogger("awale.tables")
COUNTED_SEEDS = 10
"""Rules with a move limit take longer for each layer, and gain less."""
NICENESS = 10
PATIENCE = 300.0
"""Seconds to wait for another process that builds the same."""

_builders: dict[str, subprocess.Popen[bytes]] = {}
"""The builders that this process started, by directory."""
_lock = threading.Lock()


def ensure_small(
    rules: str | Rules, seeds: int = 12, *, dir: str | os.PathLike[str] | None = None, wait: bool = False
) -> Tables | None:
    """Return the tables of these rules if they reach `seeds` seeds (fewer where the rules make them costly); otherwise
    start a process that builds them and return None, or, with `wait`, build them here and return them. Return None also
    for rules without tables and where nothing can be written. `AWALE_BUILD_TABLES=0` in the environment starts no
    process."""
    try:
        rules = get(rules)
        if support.refusal(rules) is not None:
            return None
        seeds = min(seeds, rules.total, COUNTED_SEEDS if rules.move_limit is not None else seeds)
        opened = _reaching(rules, seeds, dir)
    except (TablesError, OSError):
        return None
    if opened is not None:
        return opened
    if not wait:
        _start(rules, seeds, dir)
        return None
    _build(rules, seeds, dir)
    return _when_done(rules, seeds, dir)


def _reaching(rules: Rules, seeds: int, dir: str | os.PathLike[str] | None) -> Tables | None:
    """Return the tables if they reach so many seeds. Files are read only if that of the last layer, which is written
    last, exists."""
    if not (folder_for(rules, tables_root(dir)) / layer_name(seeds)).exists():
        return None
    opened = find_tables(rules, dir)
    return opened if opened is not None and opened.seeds >= seeds else None


def _when_done(rules: Rules, seeds: int, dir: str | os.PathLike[str] | None) -> Tables | None:
    """Wait for complete tables; another process may be building them."""
    give_up = time.monotonic() + PATIENCE
    try:
        while True:
            busy = _locked(folder_for(rules, tables_root(dir)))
            opened = _reaching(rules, seeds, dir)
            if opened is not None or not busy or time.monotonic() > give_up:
                return opened
            time.sleep(0.1)
    except (TablesError, OSError):
        return None


def _locked(folder: Any) -> bool:
    try:
        with building(folder):
            return False
    except BusyError:
        return True


def _build(rules: Rules, seeds: int, dir: str | os.PathLike[str] | None) -> bool:
    """Build on one thread; return whether nothing was in the way: another process, a full disk."""
    try:
        build(rules, seeds, dir=dir, threads=1)
    except (TablesError, OSError):
        return False
    return True


def _start(rules: Rules, seeds: int, dir: str | os.PathLike[str] | None) -> None:
    """Start the process that builds, unless one is at work there or one that was started from here has failed."""
    root = tables_root(dir).resolve()
    with _lock:
        earlier = _builders.get(str(root))
        if os.environ.get("AWALE_BUILD_TABLES") == "0" or (earlier is not None and earlier.poll() != 0):
            return
        try:
            if _locked(root):
                return
            builder = subprocess.Popen(
                [sys.executable, "-c", "from awale.tables.background_build import main; main()"],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is not meant for it
            )
            _builders[str(root)] = builder
            assert builder.stdin
            with builder.stdin as pipe:
                pipe.write(pickle.dumps((rules, seeds, str(root))))
        except (TablesError, OSError) as error:
            log.info("%s", error)


def main() -> None:
    """Build what standard input names; the exit code 1 says that it is of no use to try again."""
    rules, seeds, root = pickle.load(sys.stdin.buffer)  # written by `_start`
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    try:
        with building(tables_root(root)):
            sys.exit(not _build(rules, seeds, root))
    except BusyError:
        pass
