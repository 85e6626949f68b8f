"""The set-up files keep their word: exact pins without addresses, and a line of help for every target."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def canonical(requirement: str) -> str:
    name = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert name, requirement
    return re.sub(r"[-_.]+", "-", name.group()).lower()


def pins() -> list[str]:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    return [line for line in lines if not line.startswith("#")]


def test_constraints_are_exact_pins_and_nothing_else() -> None:
    odd = [line for line in pins() if not re.fullmatch(r"[a-z0-9-]+==[A-Za-z0-9.!+]+", line)]
    assert odd == []


def test_every_dependency_is_pinned() -> None:
    groups = [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]
    wanted = {canonical(requirement) for group in groups for requirement in group} - {"awale"}
    assert wanted - {line.split("==")[0] for line in pins()} == set()


def test_help_names_every_target() -> None:
    phony = re.search(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert phony
    shown = subprocess.run(["make", "-s", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert re.findall(r"^  make (\S+) +\S", shown, re.MULTILINE) == phony.group(1).split()
