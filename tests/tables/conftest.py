"""Tables for the tests, each made once a session and kept in a folder of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from awale import tables
from awale.rules import get
from awale.tables import Tables


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, int], Tables]:
    """`made(rules, seeds)`: the tables of these rules, built if they are not there yet."""
    folder: Path = tmp_path_factory.mktemp("tables")

    def make(rules: str, seeds: int) -> Tables:
        tables.build(get(rules), seeds, dir=folder, threads=2)
        return tables.open(get(rules), folder, most_seeds=seeds)

    return make
