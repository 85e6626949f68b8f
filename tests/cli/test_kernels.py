"""`awale perft`, `playouts` and `warmup` as programs see them: data on one stream, talk on the other."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from awale.cli import kernels, main
from awale.cli.progress import ProgressLine
from awale.kernels import jit, warmup


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["--lang", "en", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_perft_prints_a_number(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "perft", "--rules", "abapa", "--depth", "7")
    assert (code, out) == (0, "139157\n")
    assert "million leaves per second" in err


def test_perft_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "perft", "--rules", "abapa", "--depth", "5", "--divide", "--json")
    data = json.loads(out)
    assert code == 0
    assert data["leaves"] == 5219 == sum(data["divide"].values())
    assert data["captured"] == 834
    assert data["leaves_per_second"] > 0


@pytest.mark.parametrize("switch", [(), ("--reference",)])
def test_perft_divided(capsys: pytest.CaptureFixture[str], switch: tuple[str, ...]) -> None:
    code, out, _ = run(capsys, "perft", "--depth", "3", "--divide", *switch)
    assert code == 0
    *lines, total = out.splitlines()
    assert total == "190"
    assert [line.split()[0] for line in lines] == list("ABCDEF")
    assert sum(int(line.split()[1]) for line in lines) == 190


def test_perft_from_a_position(capsys: pytest.CaptureFixture[str]) -> None:
    position = "0-0-0-0-0-1-0-0-0-0-0-2-22-23-S"
    assert run(capsys, "perft", "--depth", "1", "--position", position)[:2] == (0, "1\n")
    code, out, err = run(capsys, "perft", "--depth", "1", "-p", "0-0-0-0-0-0-0-0-0-0-0-2-23-23-S")
    assert (code, out) == (0, "0\n")
    assert "over" in err


def test_playouts_as_json_do_not_depend_on_the_threads(capsys: pytest.CaptureFixture[str]) -> None:
    results = []
    for threads in ("1", "2"):
        code, out, _ = run(
            capsys, "playouts", "--rules", "awari", "--games", "200", "--threads", threads, "--seed", "8", "--json"
        )
        assert code == 0
        data = json.loads(out)
        assert data["threads"] == int(threads)
        results.append({key: data[key] for key in data if key not in ("threads", "seconds", "plies_per_second")})
    assert results[0] == results[1]
    assert results[0]["games"] == 200


@pytest.mark.parametrize("rules", ["casabianca", "tricolor", "ghana"])
def test_playouts_for_people(capsys: pytest.CaptureFixture[str], rules: str) -> None:
    code, out, err = run(capsys, "playouts", "--rules", rules, "--games", "50", "--limit", "60")
    assert code == 0
    assert "unfinished after 60 moves" in out
    assert "million moves per second" in err


def test_playouts_of_village_rules(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    village = tmp_path / "village.toml"
    village.write_text('base = "abapa"\nname = "chez nous"\npits = 5\ncapture_counts = [2, 3, 4]\n')
    code, out, _ = run(capsys, "playouts", "--rules", str(village), "--games", "20")
    assert code == 0
    assert "wins for South" in out


@pytest.mark.parametrize(
    "arguments",
    [
        ("perft",),
        ("perft", "--depth", "-1"),
        ("perft", "--depth", "65"),
        ("perft", "--depth", "many"),
        ("perft", "--depth", "2", "--rules", "chess"),
        ("perft", "--depth", "2", "--position", "1-2-3"),
        ("playouts",),
        ("playouts", "--games", "0"),
        ("playouts", "--games", "5", "--threads", "0"),
        ("playouts", "--games", "5", "--threads", "5000"),
        ("playouts", "--games", "5", "--seed", "9223372036854775808"),
        ("playouts", "--games", "5", "--position", "0-0-0-0-0-0-0-0-0-0-0-2-23-23-S"),
    ],
)
def test_bad_input_is_one_line_and_code_2(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith("awale: ")


def test_warmup_says_what_it_did(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr(
        warmup, "all_jobs", lambda: [("one", lambda: done.append("one")), ("two", lambda: done.append("two"))]
    )
    monkeypatch.setattr(jit.announcer, "compiled", [])
    monkeypatch.setattr("awale.cli.kernels.cores", lambda: 1)
    code, out, err = run(capsys, "warmup")
    assert (code, out) == (0, "")
    assert done == ["one", "two"]
    assert "nothing to do" in err
    assert str(jit.CACHE) in err
    monkeypatch.setattr(warmup, "all_jobs", lambda: [("one", lambda: jit.announcer.compiled.append("something"))])
    assert "compiled 1 function" in run(capsys, "warmup")[2]


@pytest.mark.parametrize(
    ("command", "progress"),
    [
        (["perft", "--depth", "40"], "% counted"),
        (["playouts", "--games", "1000000000000", "--threads", "1"], "of 1,000,000,000,000 games"),
        (["playouts", "--games", "1000000000000", "--threads", "3"], "of 1,000,000,000,000 games"),
    ],
)
def test_endless_counts_show_progress_and_can_be_interrupted(
    command: list[str], progress: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown: list[str] = []

    def interrupt(self: ProgressLine, line: str) -> None:
        shown.append(line)
        if len(shown) == 3:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(kernels, "INTERVAL", 0.0)
    monkeypatch.setattr(ProgressLine, "show", interrupt)
    assert run(capsys, *command)[:2] == (130, "")
    assert all(progress in line for line in shown)
