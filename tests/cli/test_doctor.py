"""`awale doctor`: the facts, the checks, and what it says when something is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import awale
from awale import i18n
from awale.cli import doctor


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_quick(awale_: Callable, language: str) -> None:
    said = awale_("doctor", "--quick", "--lang", language)
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(f"awale {awale.__version__}, Python ")
    assert i18n.text("doctor.out.healthy", language) in said.out
    assert i18n.text("doctor.out.left-out", language) in said.out


def test_as_json(awale_: Callable, tmp_path: Path) -> None:
    said = awale_("doctor", "--quick", "--json")
    found = json.loads(said.out)
    assert found["healthy"] is True
    assert found["folders"]["data"] == str(tmp_path / "data")
    assert {check["name"]: check["ok"] for check in found["checks"]} == {
        "rules": True,
        "data": True,
        "cache": True,
        "kernels": None,
        "engine": None,
        "store": True,
        "terminal": True,
    }


def test_what_does_not_work_is_named_and_the_exit_code_says_so(
    awale_: Callable, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    occupied = tmp_path / "a-file"
    occupied.write_text("no folder")
    monkeypatch.setenv("AWALE_DATA_DIR", str(occupied))
    said = awale_("doctor", "--quick")
    assert said.code == doctor.TROUBLE
    assert "FAILED   data folder: " in said.out
    assert i18n.text("doctor.out.ill", "en") in said.out
    assert said.err == ""


def test_compiled_code_and_engine_are_tried_unless_left_out() -> None:
    assert [name for name, check in doctor._checks(quick=False) if check is None] == []
    assert [name for name, check in doctor._checks(quick=True) if check is None] == ["kernels", "engine"]


def test_a_wrong_count_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("awale.rules.reference.perft", lambda rules, position, depth: 191)
    done = doctor._tried("rules", doctor._rules)
    assert done.ok is False
    assert "191" in done.detail
