"""An outside program is never waited for without end, never read without a limit, and always ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from awale.arena import Match, play_match
from awale.game import Game
from awale.players import PlayerClock, PlayerError, PlayerFault, make
from awale.players.external import go_line, position_line, read_info
from awale.players.external_process import Program
from awale.players.spec import split_settings
from awale.rules import get

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
    result = play_match(Match(f'uci:"{mock("uci")}"', "random", rules=rules, games=4, max_plies=60), concurrency=0)
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
    monkeypatch.setattr("awale.players.external.GRACE_SECONDS", 1.0)
    command = f'uci:"{mock("uci", fault)}",movetime=50'
    result = play_match(Match("random", command, games=2), concurrency=0)
    assert result.wins == 2
    if fault == "floods" and "time" in result.tallies[1].faults:
        reason = "time"  # read as fast as it came, and no answer among it
    assert result.tallies[1].faults == {reason: 2}
    if fault == "dies":
        assert "out of memory" in result.games[0].fault


def test_an_engine_that_never_gets_ready_loses(mock: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("awale.players.external.START_SECONDS", 1.0)
    result = play_match(Match("random", f'uci:"{mock("uci", "no-uciok")}"', games=2), concurrency=0)
    assert result.wins == 2
    assert "uciok" in result.games[0].fault


def test_children_of_a_program_end_with_it(
    mock: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pids = tmp_path / "pids"
    monkeypatch.setenv("MOCK_PIDS", str(pids))
    player = make(f'uci:"{mock("uci", "children")}"', "abapa")
    player.choose(Game("abapa"), QUICK)
    player.close()
    (child,) = map(int, pids.read_text().split())
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            break
        if state == "Z":  # ended; waits for whoever adopted it
            break
        time.sleep(0.02)
    else:
        os.kill(child, 9)
        pytest.fail("the child still runs")


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
        time.sleep(1)
        assert len(program._lines) <= 1000
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
    assert go_line(PlayerClock(move=0.25), 0, depth=None, seconds=None) == ("go movetime 250", 0.25)
    line, seconds = go_line(PlayerClock(left=60, increment=1, opponent_left=30), 1, depth=None, seconds=None)
    assert (line, seconds) == ("go wtime 30000 btime 60000 winc 1000 binc 1000", 60)
    assert go_line(None, 0, depth=7, seconds=None)[0] == "go depth 7"


def test_info_lines_are_read_as_far_as_they_make_sense() -> None:
    game = Game("abapa")
    told: dict[str, int | float | str] = {}
    value, nodes, line = read_info(game, "info depth 19 score cp -30 nodes 5 pv FfEzz", told)
    assert (value, nodes, told["depth"]) == (-0.3, 5, 19)
    assert "".join(map(str, line)) == "FfE"
    assert read_info(game, "", {}) == (None, None, ())


def test_contest_programs_play_from_the_start_only(mock: Callable[..., str]) -> None:
    name = f'contest:"{mock("contest")}"'
    fine = play_match(Match(name, "random", rules="tricolor", games=2, openings="plies=0"), concurrency=0)
    assert fine.tallies[0].faults == {}
    assert fine.tallies[0].moves > 10
    refused = play_match(Match(name, "random", rules="tricolor", games=2, openings="plies=2"), concurrency=0)
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
        deadline = time.monotonic() + 60
        while len(running()) < 2 and time.monotonic() < deadline:
            time.sleep(0.1)
        assert len(running()) == 2
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        deadline = time.monotonic() + 10
        while running() and time.monotonic() < deadline:
            time.sleep(0.05)
        assert running() == []
    finally:
        process.kill()
        process.wait()
