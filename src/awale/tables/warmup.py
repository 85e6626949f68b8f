"""What `awale warmup` compiles for the tables."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import partial

from awale.tables.build import build
from awale.tables.table import open_tables

Job = tuple[str, Callable[[], object]]

RULES = ("awari", "abapa", "ghana", "upsti")
"""One for each way of building; all rules use one of these."""


def warmup_jobs() -> list[Job]:
    """Return names, and calls that compile (or load from the cache) what the tables need."""
    return [(f"tables: {name}", partial(_build_and_ask, name)) for name in RULES]


def _build_and_ask(name: str) -> None:
    from awale.kernels import endgame as probe

    with tempfile.TemporaryDirectory() as folder:
        build(name, 4, dir=folder, threads=1)
        tables = open_tables(name, folder)
        probe.probe(tables.table_set, 1, 1, 2)
        probe.probe_within(tables.table_set, 1, 1, 2, 255)
        probe.bounds(tables.table_set, 1, 1, 2)
