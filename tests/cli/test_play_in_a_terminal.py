"""`awale play` line by line in a real pseudo-terminal, as where Textual is not installed.

Keys, colours, frames drawn over each other, interruption."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import awale
from awale import paths
from awale.local import profile, saved_games
from awale.store import Store
from tests.waiting import GUARD

pexpect = pytest.importorskip("pexpect")
pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Callable]:
    started = []
    profile.keep_name("")
    absent = tmp_path / "absent" / "textual.py"
    absent.parent.mkdir()
    absent.write_text("raise ModuleNotFoundError('No module named textual', name='textual')")
    path = {"PYTHONPATH": str(absent.parent)}

    def start(*arguments: str, **environment: str) -> object:
        child = pexpect.spawn(
            sys.executable,
            ["-m", "awale", "play", *arguments],
            env={**os.environ, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", **path, **environment},
            encoding="utf-8",
            timeout=GUARD,
            dimensions=(40, 100),
        )
        started.append(child)
        return child

    yield start
    for child in started:
        child.close(force=True)


@pytest.mark.parametrize(("language", "over"), [("en", "Game over"), ("fr", "Partie finie")])
def test_a_whole_game_to_its_end(terminal: Callable, language: str, over: str) -> None:
    chance, game = random.Random(12), awale.Game("ghana")
    child = terminal("--rules", "ghana", "--lang", language, "--pause", "0.02")
    while not game.over:
        child.expect(r"\(%s\) > " % ("1-6" if game.turn == 0 else "7-12"))
        move = chance.choice(game.legal_moves)
        child.sendline(str(move))
        game.push(move)
    outcome = game.outcome()
    assert outcome is not None
    child.expect_exact(outcome.sentence(language))
    child.expect_exact(over)
    child.sendline("quit")
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 0
    assert not list(saved_games.unfinished_folder().glob("*"))


def test_laps_are_drawn_over_each_other_and_space_skips_them(terminal: Callable) -> None:
    child = terminal("--rules", "ghana", "--pause", "30")
    child.expect_exact("> ")
    child.sendline("3")
    child.expect_exact("3, lap 1 of 5")
    child.expect_exact("space or Enter")
    child.send("x")  # any other key: the next lap
    child.expect_exact("\x1b[9A\x1b[J3, lap 2 of 5")
    child.expect_exact("space or Enter")
    child.send(" ")
    child.expect_exact("South played 3 and took 6 from 8. North to move")
    assert "lap 3" not in child.before
    child.expect_exact("> ")
    child.sendline("quit")
    child.expect(pexpect.EOF)


def test_enter_skips_too_and_plain_does_not_wait(terminal: Callable) -> None:
    child = terminal("--rules", "ghana", "--pause", "30")
    child.expect_exact("> ")
    child.sendline("3")
    child.expect_exact("space or Enter")
    child.send("\r")
    child.expect_exact("South played 3 and took 6 from 8.")
    child.close(force=True)
    child = terminal("--rules", "ghana", "--pause", "30", "--plain")
    child.expect_exact("> ")
    child.sendline("3")
    child.expect_exact("South played 3 and took 6 from 8.")
    assert "lap 5 of 5" in child.before
    assert "\x1b[" not in child.before.replace("\x1b[?2004l", "")


def test_colours_unless_refused(terminal: Callable) -> None:
    child = terminal()
    child.expect_exact("> ")
    assert "\x1b[2m" in child.before
    child.close(force=True)
    child = terminal(NO_COLOR="1")
    child.expect_exact("> ")
    assert "\x1b[2m" not in child.before


@pytest.mark.parametrize(("language", "sentence"), [("en", "The game is saved"), ("fr", "La partie est conservée")])
def test_interruption_keeps_the_game(terminal: Callable, language: str, sentence: str) -> None:
    child = terminal("--lang", language)
    child.expect_exact("(A-F) > ")
    child.sendline("A")
    child.expect_exact("(a-f) > ")
    child.sendintr()
    child.expect_exact(sentence)
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 130
    again = terminal("--continue", "--lang", language)
    again.expect_exact("(a-f) > ")
    again.sendeof()
    again.expect_exact(sentence)
    again.expect(pexpect.EOF)
    again.wait()
    assert again.exitstatus == 0


def test_interruption_while_laps_are_shown_leaves_the_terminal_as_it_was(terminal: Callable) -> None:
    child = terminal("--rules", "ghana", "--pause", "30")
    child.expect_exact("> ")
    child.sendline("3")
    child.expect_exact("space or Enter")
    child.sendintr()
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 130


def test_a_flag_falls_while_nothing_is_typed(terminal: Callable) -> None:
    child = terminal("--plain", "--clock", "3s")
    child.expect_exact("South 3.0 (A-F) > ")
    child.sendline("a")
    child.expect_exact("(a-f) > ")
    child.expect_exact("South wins 0-0: time ran out")
    child.expect_exact("Game over")
    child.sendline("quit")
    child.expect_exact("Goodbye")


@pytest.mark.parametrize(
    ("language", "question", "no", "yes", "over"),
    [
        ("en", "South, do you want to resign?", "no", "yes", "North wins 0-0"),
        ("fr", "Sud, voulez-vous abandonner", "non", "oui", "Nord gagne 0-0"),
    ],
)
def test_resigning_is_confirmed(terminal: Callable, language: str, question: str, no: str, yes: str, over: str) -> None:
    child = terminal("--plain", "--lang", language)
    for answer in (no, yes):
        child.expect_exact("(A-F) > ")
        child.sendline("resign")
        child.expect_exact(question)
        child.sendline(answer)
    child.expect_exact(over)
    child.sendline("quit")
    child.expect(pexpect.EOF)


def test_a_name_is_asked_for_once_and_kept(terminal: Callable) -> None:
    (paths.data_dir() / "name").unlink()
    child = terminal("--north", "greedy")
    child.expect_exact("Your name for the games you play here")
    child.sendline("Kofi")
    child.expect_exact("> ")
    assert profile.own_name() == "Kofi"
    child.sendline("A")
    child.sendline("resign")
    child.sendline("y")
    child.sendline("quit")
    child.expect(pexpect.EOF)
    store = Store(read_only=True)
    with store.transaction() as session:
        assert [player.name for player in store.players.find(session, "")] == ["Kofi", "greedy"]
    store.close()
    child = terminal("--north", "greedy")
    child.expect_exact("> ")
    assert "Your name" not in child.before
