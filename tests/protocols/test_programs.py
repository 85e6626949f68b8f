"""An outside program is never waited for without end, never read without a limit, and always ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from awale.arena import MatchPlan, play_match
from awale.cli import main
from awale.game import Game
from awale.players import PlayerClock, PlayerError, PlayerFault, make
from awale.players.spec import split_settings
from awale.protocols.external_process import Program
from awale.protocols.uci_client import go_line, position_line, read_info
from awale.rules import get
from awale.search.limits import Limit
from tests.waiting import GUARD, until

QUICK = PlayerClock(move=0.2)


def test_an_engine_plays(mock: Callable[..., str]) -> None:
    player = make(f'uci:"{mock("uci")}"', "abapa")
    try:
        game = Game("abapa", moves="F f E")
        choice = player.choose(game, QUICK)
        assert choice.move == game.legal_moves[0]
        assert (choice.value, choice.nodes, choice.info["depth"]) == (0.25, 7, 1)
    finally:
        player.close()


@pytest.mark.parametrize("rules", ["abapa", "ghana", "tricolor"])
def test_a_match_with_an_outside_engine(mock: Callable[..., str], rules: str) -> None:
    result = play_match(MatchPlan(f'uci:"{mock("uci")}"', "random", rules=rules, games=4, max_plies=60), concurrency=0)
    assert len(result.games) == 4
    assert result.tallies[0].faults == result.tallies[1].faults == {}
    assert result.tallies[0].moves > 20


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("silent", "time"),
        ("dies", "crash"),
        ("floods", "crash"),
        ("endless-line", "crash"),
        ("binary", "time"),
        ("illegal", "illegal"),
        ("closes", "crash"),
    ],
)
def test_faults_of_an_engine_cost_it_the_game(
    mock: Callable[..., str], fault: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if reason == "time":
        monkeypatch.setattr("awale.protocols.uci_client.GRACE_SECONDS", 1.0)
    command = f'uci:"{mock("uci", fault)}",movetime=50'
    result = play_match(MatchPlan("random", command, games=2), concurrency=0)
    assert result.wins == 2
    faults = result.tallies[1].faults
    if fault == "floods":  # too many lines at once, or read as fast as they came and no answer among them
        faults = {reason: sum(faults.get(kind, 0) for kind in ("crash", "time"))}
    assert faults == {reason: 2}
    if fault == "dies":
        assert "out of memory" in result.games[0].fault


def test_a_match_with_an_engine_that_never_says_uciok_is_not_played(
    mock: Callable[..., str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("awale.protocols.uci_client.HELLO_SECONDS", 1.0)
    monkeypatch.setattr("awale.arena.run._run", lambda *_: pytest.fail("a game was played"))
    assert main(["match", "random", f'uci:"{mock("uci", "no-uciok")}"', "--games", "2"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    (line,) = said.err.splitlines()
    assert "'uciok' within 1 s; it printed: Loading the opening book" in line


def test_children_of_a_program_end_with_it(
    mock: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pids = tmp_path / "pids"
    monkeypatch.setenv("MOCK_PIDS", str(pids))
    player = make(f'uci:"{mock("uci", "children")}"', "abapa")
    player.choose(Game("abapa"), QUICK)
    player.close()
    (child,) = map(int, pids.read_text().split())

    def ended() -> bool:
        try:
            state = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        return state == "Z"  # waits for whoever adopted it

    until(ended)


def test_a_program_that_does_not_read_is_given_up() -> None:
    program = Program("sleep 60")
    try:
        with pytest.raises(PlayerFault, match="does not read"):
            for _ in range(40):
                program.send("x" * 10_000, seconds=0.3)
    finally:
        program.close()


def test_memory_stays_bounded_under_a_flood(mock: Callable[..., str]) -> None:
    program = Program(mock("contest", "floods"), max_waiting=1000)
    try:
        game = Game("tricolor")
        for _ in range(4):
            game.push(game.legal_moves[0])
        program.send("START")
        program.receive(20)
        for move in ("2R", "6R"):
            program.send(move)
        until(lambda: program._problem)
        assert 100 < len(program._lines) <= 1000
    finally:
        program.close()


def test_wrong_names_are_told_at_once(mock: Callable[..., str]) -> None:
    for name in (
        "uci:",
        'uci:""',
        "uci:no-such-program-here",
        'uci:"true" x',
        'uci:"true",wings=2',
        'uci:"true",depth=0',
    ):
        with pytest.raises(PlayerError):
            make(name, "abapa")
    with pytest.raises(PlayerError, match="tricolor"):
        make(f'contest:"{mock("contest")}"', "abapa")
    player = make(f'uci:"{mock("uci")}"', "casabianca")
    with pytest.raises(PlayerError, match="does not play casabianca"):
        player.choose(Game("casabianca"))
    player.close()
    player = make(f'uci:"{mock("uci", "one-game")}"', "abapa")
    assert player.choose(Game("abapa"), QUICK).move.pit == 0
    player.close()


def test_settings_after_a_command() -> None:
    assert split_settings("engine --fast, really", ("depth",)) == ("engine --fast, really", {})
    assert split_settings('"a \\"b\\" c",depth=6', ("depth",)) == ('a "b" c', {"depth": "6"})
    assert split_settings("'a b',option.Hash=64", ("option.",)) == ("a b", {"option.Hash": "64"})


def test_lines_that_are_sent() -> None:
    assert position_line(Game("abapa")) == "position startpos"
    assert position_line(Game("abapa", moves="F f E")) == "position startpos moves FfE"
    assert position_line(Game("tricolor", moves="1R 2B")) == "position startpos moves 1R 2B"
    start = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-N"
    assert position_line(Game("abapa", start=start, moves="f")) == f"position fen {start} moves f"
    assert go_line(Limit(), 0, PlayerClock(move=0.25)) == ("go movetime 250", 0.25)
    line, seconds = go_line(Limit(), 1, PlayerClock(left=60, increment=1, opponent_left=30))
    assert (line, seconds) == ("go wtime 30000 btime 60000 winc 1000 binc 1000", 60)
    assert go_line(Limit(depth=7), 0)[0] == "go depth 7"
    assert go_line(Limit(time=2, nodes=9), 0) == ("go movetime 2000 nodes 9", 2)
    assert go_line(Limit(), 0) == ("go movetime 1000", 1)


def test_info_lines_are_read_as_far_as_they_make_sense() -> None:
    game = Game("abapa")
    value, nodes, line, info = read_info(game, "info depth 19 score cp -30 nodes 5 pv FfEzz")
    assert (value, nodes, info) == (-0.3, 5, {"depth": 19})
    assert "".join(map(str, line)) == "FfE"
    assert read_info(game, "") == (None, None, (), {})


def test_contest_programs_play_from_the_start_only(mock: Callable[..., str]) -> None:
    name = f'contest:"{mock("contest")}"'
    fine = play_match(MatchPlan(name, "random", rules="tricolor", games=2, openings="plies=0"), concurrency=0)
    assert fine.tallies[0].faults == {}
    assert fine.tallies[0].moves > 10
    refused = play_match(MatchPlan(name, "random", rules="tricolor", games=2, openings="plies=2"), concurrency=0)
    assert refused.losses == 2
    assert "plies=0" in refused.games[0].fault
    assert get("tricolor").total == 96


def test_an_interrupted_match_leaves_nobody_behind(mock: Callable[..., str], tmp_path: Path) -> None:
    mark = f"interrupted-{tmp_path.name}-{os.getpid()}"

    def running() -> list[str]:
        found = []
        for file in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = file.read_bytes().decode(errors="replace").split("\0")
            except OSError:
                continue
            if mark in words:  # as a word of its own: only the mock engines have it so
                found.append(file.parent.name)
        return found

    name = f'uci:"{mock("uci", "silent")} {mark}",movetime=600000'
    command = [sys.executable, "-m", "awale", "match", name, "random", "--games", "4", "--concurrency", "2"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        until(lambda: len(running()) == 2)
        process.send_signal(signal.SIGINT)
        assert process.wait(GUARD) == 130
        until(lambda: not running())
    finally:
        process.kill()
        process.wait()
