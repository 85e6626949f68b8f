"""How the tests call the command line."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from awale import i18n
from awale.cli import main
from tests.waiting import GUARD


class Said(NamedTuple):
    """What a command answered."""

    code: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def english_and_a_folder_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    for name in ("AWALE_LANG", "LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("AWALE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "80")
    before = i18n.language()
    yield
    i18n.set_language(before)


@pytest.fixture
def awale_(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Said]:
    """Call `awale` in this process; `typed` is its standard input."""

    def call(*arguments: str, typed: str = "") -> Said:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code = main(arguments)
        return Said(code, *capsys.readouterr())

    return call


@pytest.fixture
def process() -> Callable[..., Said]:
    """Call `python -m awale` in a process of its own."""

    def call(*arguments: str, typed: str | bytes = "", **environment: str) -> Said:
        done = subprocess.run(
            [sys.executable, "-m", "awale", *arguments],
            input=typed.encode() if isinstance(typed, str) else typed,
            capture_output=True,
            env={**os.environ, **environment},
            timeout=GUARD,
        )
        return Said(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))

    return call
