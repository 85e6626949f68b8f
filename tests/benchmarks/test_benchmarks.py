"""The benchmarks' table and their way of measuring; never the figures themselves."""

from __future__ import annotations

import importlib
import json

import pytest

from benchmarks import __main__ as program
from benchmarks.measure import Row, figure, rates


def test_every_module_can_be_run() -> None:
    assert {"perft", "playouts", "relay", "threads", "tricolor"} <= set(program.names())
    for name in program.names():
        assert callable(importlib.import_module(f"benchmarks.{name}").run)


@pytest.mark.parametrize(
    ("value", "text"), [(1.234, "1.23"), (999, "999"), (1500, "1.5 k"), (90e6, "90 M"), (2.5e9, "2.5 G")]
)
def test_figures(value: float, text: str) -> None:
    assert figure(value) == text


def test_targets_are_met_or_not() -> None:
    assert Row("x", "laps", 10).met is None
    assert Row("x", "laps", 10, at_least=10).met is True
    assert Row("x", "laps", 9, at_least=10).met is False
    assert Row("x", "laps", 30, peer=1, times_peer=30).met is True
    assert Row("x", "laps", 30, peer=2, times_peer=30).met is False
    assert Row("x", "laps", 30, peer=None, times_peer=30).met is False
    assert Row("x", "laps", 30e6, peer=2, at_least=40e6, times_peer=10).target == "40 M laps/s and 10 times"


def test_rates_count_work_by_time() -> None:
    calls: list[str] = []

    def spin(name: str, amount: int) -> int:
        calls.append(name)
        return amount + sum(range(2000)) * 0

    one, two = rates([lambda: spin("a", 1), lambda: spin("b", 1000)], seconds=0.02)
    assert two > one > 0
    assert calls[:4] == ["a", "b", "a", "b"]


def test_the_table_and_the_exit_code(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    import benchmarks.perft

    rows = [Row("leaves", "leaves", 50e6, peer=1e6, peer_name="somebody", times_peer=30)]
    monkeypatch.setattr(benchmarks.perft, "run", lambda: rows)
    assert program.main(["perft"]) == 0
    table = capsys.readouterr().out
    assert "| leaves | 50 M leaves/s | 1 M leaves/s (somebody) | 50    | 30 times | yes |" in table
    monkeypatch.setattr(benchmarks.perft, "run", lambda: [Row("leaves", "leaves", 1, at_least=2)])
    assert program.main(["perft", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)[0]["met"] is False


def test_an_unknown_name_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        program.main(["chess"])
    assert stop.value.code == 2
    assert "chess" in capsys.readouterr().err
