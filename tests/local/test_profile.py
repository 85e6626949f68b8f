"""People have names, and games against programs count for them."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from awale.cli import main
from awale.game import Game
from awale.local import LocalGame, make_seats, profile
from awale.match import Match
from awale.store import Store, find


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWALE_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("LANG", "C.UTF-8")


def test_a_name_is_asked_for_once() -> None:
    assert profile.own_name() is None
    profile.keep_name("  Kofi\tMensah: \n")
    assert profile.own_name() == "Kofi Mensah"
    profile.keep_name("")
    assert profile.own_name() == ""


def stored() -> list[tuple[str, str, bool]]:
    store = Store()
    with store.transaction() as session:
        found = [(game.south.name, game.north.name, game.rated) for game in find.latest(session)]
    store.close()
    return found


def finish(local: LocalGame, before: Callable[[LocalGame], object] = lambda local: None) -> None:
    local.do(lambda now: local.match.play(0, "A", now))
    local.do(lambda now: local.match.play_program(1, local.game.legal_moves[0], now))
    before(local)
    local.do(lambda now: local.match.resign(0, now))
    local.store()
    local.leave()
    local.close()


def against_greedy(**settings: object) -> LocalGame:
    game = Game("abapa")
    match = Match(game, make_seats("person", "greedy", game.rules), shared=True)
    return LocalGame(match, now=lambda: 0.0, **settings)


def test_games_are_stored_under_the_own_name_and_can_be_rated() -> None:
    finish(against_greedy(people=["Kofi"], rated=True))
    assert stored() == [("Kofi", "greedy", True)]


def take_back(local: LocalGame) -> None:
    local.do(lambda now: local.match.undo(0, now))
    local.do(lambda now: local.match.play(0, "B", now))


@pytest.mark.parametrize("help_", [take_back, lambda local: local.advice(local.game)])
def test_help_ends_the_rating(help_: Callable[[LocalGame], object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("awale.local.seats.ADVISER", "greedy")
    local = against_greedy(people=["Kofi"], rated=True)
    finish(local, help_)
    assert stored() == [("Kofi", "greedy", False)]
    assert "no longer counts" in local.take_problem()


def test_one_name_is_not_given_to_either_of_two_people() -> None:
    game = Game("abapa")
    seats = make_seats("person", "person", game.rules)
    names = [LocalGame(Match(game, seats), people=people).full_names for people in (["Kofi"], ["Kofi", "Ama"])]
    assert names == [("person", "person"), ("Kofi", "Ama")]


def test_at_the_command_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("A\nresign\nquit\n"))
    assert main(["play", "--north", "greedy", "--name", "Kofi", "--rated"]) == 0
    capsys.readouterr()
    assert stored() == [("Kofi", "greedy", True)]
    assert main(["players", "ratings", "--json"]) == 0
    assert {row["name"] for row in json.loads(capsys.readouterr().out)} == {"Kofi", "greedy"}
    assert main(["play", "--rated", "--name", "Kofi"]) == 2
    assert main(["play", "--rated", "--north", "greedy"]) == 2
