"""Mock programs, and a look for what they leave behind."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from awale import i18n

MOCK = Path(__file__).with_name("mock.py")


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("AWALE_DATA_DIR", str(tmp_path / "data"))
    yield
    i18n.set_language("en")


@pytest.fixture
def mock() -> Callable[..., str]:
    """The command of a mock program."""

    def command(kind: str, fault: str = "") -> str:
        return shlex.join([sys.executable, str(MOCK), kind, *([fault] if fault else [])])

    return command


def children() -> set[int]:
    """The processes that are ours, zombies included."""
    own = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == os.getpid():
            own.add(int(folder.name))
    return own


@pytest.fixture(autouse=True)
def no_process_is_left() -> Iterator[None]:
    if not Path("/proc/self/stat").exists():
        yield
        return
    before = children()
    yield
    assert children() <= before
