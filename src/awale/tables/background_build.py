"""The small default table: built in the background the first time some rules are played."""

from __future__ import annotations

import logging
import os
import threading
import time
from functools import cache
from pathlib import Path

from awale.rules import get
from awale.rules.description import Rules
from awale.tables import support
from awale.tables.build import build, plan
from awale.tables.errors import BusyError, DamagedTableError, TablesError
from awale.tables.folders import building, folder_for, tables_root
from awale.tables.table import Tables, open_tables

log = logging.getLogger("awale.tables")
COUNTED_SEEDS = 10
"""Rules with a move limit take longer for each layer, and gain less."""

PATIENCE = 300.0
"""Seconds to wait for another process that builds the same."""

_builds: dict[tuple[str, str], threading.Thread] = {}
_lock = threading.Lock()


def ensure_small(
    rules: str | Rules, seeds: int = 12, *, dir: str | os.PathLike[str] | None = None, wait: bool = False
) -> Tables | None:
    """Return the tables of these rules if they reach `seeds` seeds (fewer where the rules make them costly); otherwise
    start building them on one thread and return None, or, with `wait`, return them when they are complete. Return None
    also for rules without tables and where nothing can be written."""
    try:
        rules = get(rules)
        if support.refusal(rules) is not None:
            return None
        seeds = min(seeds, rules.total, COUNTED_SEEDS if rules.move_limit is not None else seeds)
        wanted = plan(rules, seeds, dir=dir)
        if not wanted.missing:
            return _opened(rules, dir)
    except (TablesError, OSError):
        return None
    thread = _start(rules, seeds, wanted.folder, dir)
    if not wait:
        return None
    thread.join()
    return _when_done(rules, seeds, dir)


def _opened(rules: Rules, dir: str | os.PathLike[str] | None) -> Tables:
    """Open the tables; a damaged one, which is not used, is reported once."""
    try:
        opened = open_tables(rules, dir)
    except DamagedTableError as error:
        _report(str(error))
        raise
    for sentence in opened.refused:
        _report(sentence)
    return opened


@cache
def _report(sentence: str) -> None:
    log.warning("%s", sentence)


def _when_done(rules: Rules, seeds: int, dir: str | os.PathLike[str] | None) -> Tables | None:
    """Wait for complete tables; another process may be building them."""
    give_up = time.monotonic() + PATIENCE
    try:
        while True:
            busy = _being_made(rules, dir)
            if not plan(rules, seeds, dir=dir).missing:
                return _opened(rules, dir)
            if not busy or time.monotonic() > give_up:
                return None
            time.sleep(0.1)
    except (TablesError, OSError):
        return None


def _being_made(rules: Rules, dir: str | os.PathLike[str] | None) -> bool:
    try:
        with building(folder_for(rules, tables_root(dir))):
            return False
    except BusyError:
        return True


def _start(rules: Rules, seeds: int, folder: Path, dir: str | os.PathLike[str] | None) -> threading.Thread:
    """Start the thread that builds, one for each directory and process."""

    def work() -> None:
        try:
            build(rules, seeds, dir=dir, threads=1)
        except (TablesError, OSError):
            return  # another process is building, or the disk is full or read-only
        except RuntimeError as error:  # raised by the executor when the interpreter shuts down
            log.info("%s", error)

    key = (support.key(rules), str(folder))
    with _lock:
        thread = _builds.get(key)
        if thread is None or not thread.is_alive():
            thread = threading.Thread(target=work, name=f"tables of {rules.name}", daemon=True)
            _builds[key] = thread
            thread.start()
        return thread
