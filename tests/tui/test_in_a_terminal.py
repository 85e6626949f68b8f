"""The program in a real pseudo-terminal of 80x24: played, resized while sowing, killed and continued."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from awale.local import profile, saved_games
from tests.waiting import GUARD

pexpect = pytest.importorskip("pexpect")
pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Callable[..., Any]]:
    started = []
    profile.keep_name("")

    def start(*arguments: str, command: tuple[str, ...] = ("play",), **environment: str) -> Any:
        child = pexpect.spawn(
            sys.executable,
            ["-m", "awale", *command, *arguments],
            env={**os.environ, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", **environment},
            encoding="utf-8",
            codec_errors="replace",
            timeout=GUARD,
            dimensions=(24, 80),
        )
        started.append(child)
        return child

    yield start
    for child in started:
        child.close(force=True)


def ended(child: Any) -> int:
    child.expect(pexpect.EOF)
    child.wait()
    return child.exitstatus


@pytest.mark.parametrize(
    ("language", "ready", "played", "kept"),
    [
        ("en", "South to move", "South played C", "The game is saved"),
        ("fr", "À Sud de jouer", "Sud a joué C", "La partie est conservée"),
    ],
)
def test_a_move_and_goodbye(terminal: Callable, language: str, ready: str, played: str, kept: str) -> None:
    child = terminal("--rules", "abapa", "--lang", language, "--pause", "0")
    child.expect_exact(ready)
    child.send("c")
    child.expect_exact(played)
    child.send("q")
    child.expect_exact(kept)
    assert ended(child) == 0
    assert [str(move) for move in saved_games.read(saved_games.last_unfinished()).game().moves] == ["C"]


def test_nothing_said_opens_the_new_game_screen(terminal: Callable) -> None:
    child = terminal()
    child.expect_exact("New game")
    child.send("\x1b")
    child.expect_exact("South to move")
    child.send("q")
    child.expect_exact("Goodbye")
    assert ended(child) == 0


def test_puzzles_fill_the_screen_unless_asked_not_to(terminal: Callable) -> None:
    child = terminal("-r", "casabianca", command=("puzzles", "solve"))
    child.expect_exact("your rating 1500")
    child.send("q")
    child.expect_exact("Your rating is 1500")
    assert ended(child) == 0
    child = terminal("-r", "casabianca", "--plain", command=("puzzles", "solve"))
    child.expect_exact("Your move (")
    child.sendline("quit")
    child.expect_exact("Your rating is 1500")
    assert ended(child) == 0


def test_resized_while_sowing_then_killed_and_continued(terminal: Callable) -> None:
    child = terminal("--rules", "ghana", "--pause", "60", "--north", "random")
    child.expect_exact("South to move")
    child.send("3")
    child.expect_exact("lap 1 of 5")
    for rows, columns in ((40, 120), (10, 30), (2, 5), (24, 80)):
        child.setwinsize(rows, columns)
    child.expect_exact("in hand")
    child.kill(signal.SIGKILL)
    child.expect(pexpect.EOF)
    # The move counted before it was shown.
    assert [str(move) for move in saved_games.read(saved_games.last_unfinished()).game().moves] == ["3"]
    again = terminal("--continue", "--pause", "0")
    again.expect_exact("random")
    again.expect_exact("North played")
    again.send("q")
    again.expect_exact("The game is saved")
    assert ended(again) == 0
    assert len(saved_games.read(saved_games.last_unfinished()).game().moves) >= 2


@pytest.mark.parametrize("keys", ["c", "zc"], ids=["choosing", "analysing too"])
def test_leaving_while_the_engine_thinks(terminal: Callable, keys: str) -> None:
    """Also while its code is still being compiled: nobody waits for the end of a search."""
    child = terminal("--rules", "abapa", "--north", "engine:900s", "--pause", "0")
    child.expect_exact("South to move")
    child.send(keys)
    child.expect_exact("North (engine:900s) is thinking")
    child.send("q")
    child.expect_exact("The game is saved")
    assert ended(child) == 0
    assert [str(move) for move in saved_games.read(saved_games.last_unfinished()).game().moves] == ["C"]


def test_interruption_is_a_way_to_leave(terminal: Callable) -> None:
    child = terminal("--rules", "awari", "--pause", "0")
    child.expect_exact("South to move")
    child.send("a")
    child.expect_exact("South played A")
    child.sendintr()
    child.expect_exact("The game is saved")
    ended(child)
    assert len(saved_games.read(saved_games.last_unfinished()).game().moves) == 1


@pytest.mark.parametrize("how", ["--ascii", "encoding"])
def test_without_unicode(terminal: Callable, how: str) -> None:
    options = ["--ascii"] if how == "--ascii" else []
    environment = {} if options else {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    child = terminal("--rules", "abapa", "--lang", "fr", "--pause", "0", *options, **environment)
    child.expect_exact("A Sud de jouer")
    child.send("?")
    child.expect_exact("Tapez le nom")
    assert child.before.isascii()
    child.send("x")
    child.send("q")
    assert ended(child) == 0


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "linux"}, {"TERM": "vt100"}, {"TERM": "screen"}])
def test_poor_terminals(terminal: Callable, environment: dict[str, str]) -> None:
    child = terminal("--rules", "tricolor", "--pause", "0", **environment)
    child.expect_exact("J1 to move")
    child.send("3r")
    child.expect_exact("J1 played 3R")
    child.send("q")
    assert ended(child) == 0


def test_plain_is_line_by_line(terminal: Callable) -> None:
    child = terminal("--plain")
    child.expect_exact("South (A-F) > ")
    child.sendline("quit")
    assert ended(child) == 0


def test_bad_names_are_one_line_and_exit_code_2(terminal: Callable) -> None:
    for wrong in ("nobody", "engine:99"):
        child = terminal("--north", wrong)
        child.expect_exact("awale: ")
        assert ended(child) == 2
