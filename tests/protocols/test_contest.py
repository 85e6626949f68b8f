"""The contest: referee, player, and the checks of both protocols."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from awale.cli import main
from awale.game import Game
from awale.notation import read_ogn
from awale.protocols.compliance import check_contest, check_uci
from awale.protocols.contest import ContestProgram
from awale.protocols.referee import referee
from tests.waiting import GUARD


def test_two_programs_play_a_whole_game(mock: Callable[..., str]) -> None:
    lines: list[tuple[int, str, str]] = []
    result = referee(mock("contest"), mock("contest", "end"), timeout=20, hear=lambda *told: lines.append(told))
    assert result.disqualified is None
    assert result.notes == []
    outcome = result.game.outcome()
    assert outcome is not None
    assert (result.winner, result.reason) == (outcome.winner, outcome.reason)
    assert lines[0] == (0, ">", "START")
    # The very line of one goes to the other.
    assert lines[2] == (1, ">", lines[1][2])
    assert lines[-1][2].startswith("RESULT")


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("slow", "time"),
        ("silent", "time"),
        ("dies", "crash"),
        ("floods", "illegal"),
        ("endless-line", "crash"),
        ("binary", "illegal"),
        ("illegal", "illegal"),
        ("closes", "crash"),
        ("early-result", "illegal"),
        ("chatters", "illegal"),
    ],
)
def test_faults_are_told_and_lose(mock: Callable[..., str], fault: str, reason: str) -> None:
    side = len(fault) % 2
    assert reason != "time" or side == 0  # the one that is too slow is asked first: the other needs no time to start
    commands = [mock("contest"), mock("contest")]
    commands[side] = mock("contest", fault)
    result = referee(*commands, timeout=0.2 if reason == "time" else GUARD)
    assert (result.disqualified, result.winner, result.reason) == (side, 1 - side, reason)
    assert result.sentence
    record = result.record()
    assert record.result == ("0-1" if side == 0 else "1-0")


def test_wrong_results_are_noted(mock: Callable[..., str]) -> None:
    result = referee(mock("contest", "wrong-result"), mock("contest", "wrong-result"), timeout=20)
    assert result.disqualified is None
    assert len(result.notes) == 1


def test_a_program_that_does_not_exist() -> None:
    assert main(["referee", "no-such-program", "true"]) == 2


def test_referee_at_the_command_line(
    mock: Callable[..., str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "game.ogn"
    code = main(["referee", mock("contest"), mock("contest"), "--timeout", "20", "--json", "--ogn", str(path)])
    answer = json.loads(capsys.readouterr().out)
    assert code == 0
    (record,) = read_ogn(path)
    assert [str(move) for move in record] == answer["moves"]
    assert main(["referee", mock("contest"), mock("contest", "dies"), "--timeout", "20"]) == 0
    said = capsys.readouterr()
    assert "J1 wins" in said.out
    assert "disqualified" in said.err


def test_our_player_answers_and_reports() -> None:
    said: list[str] = []
    program = ContestProgram(said.append, player="greedy", timeout=20)

    def lines() -> object:
        game = Game("tricolor")
        yield "START\n"
        while True:
            game.push(said[-1])
            if game.over:
                yield "RESULT\n"
                return
            yield str(game.push(game.legal_moves[-1])).lower() + "\n"
            if game.over:
                return

    assert program.serve(lines()) is None  # type: ignore[arg-type]
    assert program.game.over
    assert said[0].endswith(("R", "B"))
    wrong = ContestProgram(said.append, player="greedy", timeout=20).serve(["2X\n"])
    assert wrong is not None


def test_our_player_before_its_engine_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ContestProgram, "_load", lambda self: None)
    said: list[str] = []
    ContestProgram(said.append, timeout=1).serve(["START\n"])
    assert Game("tricolor").parse(said[0])


def test_our_player_as_a_program() -> None:
    ours = shlex.join([sys.executable, "-m", "awale", "contest-player", "--timeout", "30", "--player", "greedy"])
    result = referee(ours, ours, timeout=60)
    assert result.disqualified is None, result.sentence
    assert result.notes == []


# -- compliance -----------------------------------------------------------------------------------------------------


def test_a_good_engine_passes(mock: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    # A busy machine must not make it slow.
    monkeypatch.setattr("awale.protocols.compliance.time", SimpleNamespace(monotonic=lambda: 0.0))
    findings = check_uci(mock("uci"))
    assert [finding for finding in findings if not finding.good] == []
    assert len(findings) == 15


@pytest.mark.parametrize(
    ("fault", "check"),
    [
        ("nameless", "names"),
        ("plays-on", "over"),
        ("impatient", "stop"),
        ("stays", "quit"),
        ("illegal", "legal"),
        ("dies", "legal"),
        ("binary", "legal"),
        ("chatters", "silence"),
    ],
)
def test_what_an_engine_does_wrong_is_found(
    mock: Callable[..., str], fault: str, check: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("awale.protocols.compliance.SOME_POSITIONS", 2)
    if fault == "binary":
        monkeypatch.setattr("awale.protocols.compliance.PATIENCE", 1.0)
        monkeypatch.setattr("awale.protocols.compliance.LITTLE_PATIENCE", 0.3)
    bad = {finding.check: finding.detail for finding in check_uci(mock("uci", fault)) if not finding.good}
    assert check in bad
    assert bad[check]


def test_an_engine_that_does_not_start() -> None:
    (finding,) = check_uci("false")
    assert (finding.check, finding.good) == ("starts", False)


def test_a_good_contest_program_passes(mock: Callable[..., str]) -> None:
    assert [finding for finding in check_contest(mock("contest"), timeout=20) if not finding.good] == []


@pytest.mark.parametrize(
    ("fault", "check"),
    [
        ("wrong-result", "result"),
        ("no-result", "result"),
        ("illegal", "game-first"),
        ("early-result", "first"),
        ("chatters", "first"),
        ("dies", "game-second"),
    ],
)
def test_what_a_contest_program_does_wrong_is_found(mock: Callable[..., str], fault: str, check: str) -> None:
    timeout = 3 if fault == "no-result" else 20
    bad = {finding.check for finding in check_contest(mock("contest", fault), timeout=timeout) if not finding.good}
    assert check in bad


def test_compliance_waits_as_long_as_it_is_told(mock: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compliance", "--uci", mock("uci", "no-uciok"), "--timeout", "0.5"]) == 1
    assert "'uciok' within 0.5 s; it printed: Loading the opening book" in capsys.readouterr().out


def test_compliance_at_the_command_line(mock: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compliance", "--contest", mock("contest"), "--timeout", "20", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["passed"] is True
    assert main(["compliance", "--contest", mock("contest", "illegal"), "--timeout", "20", "--lang", "fr"]) == 1
    assert "ÉCHEC" in capsys.readouterr().out
    assert main(["compliance"]) == 2
    assert main(["compliance", "--uci", "no-such-program"]) == 2
