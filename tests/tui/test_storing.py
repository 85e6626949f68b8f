"""Finished games go to the store, once, and nothing is lost when it refuses."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from awale import paths
from awale.game import Game
from awale.local import saved_games
from awale.store import Store, find
from tests.tui.driving import said, screen, until

SIZE = (80, 24)


def stored() -> list[tuple[str, str, str, str, int | None, str | None]]:
    store = Store()
    try:
        with store.transaction() as session:
            return [
                (game.source, game.south.name, game.north.name, game.moves, game.winner, game.end)
                for game in find.latest(session)
            ]
    finally:
        store.close()


async def test_a_finished_game_is_stored_and_replaced_when_it_ends_otherwise(application: Callable) -> None:
    app = application(Game("abapa", moves="A a"), north="greedy", store=True)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("x", "y")
        await until(pilot, lambda: app.local._storing is None and app.local._stored is not None)
        assert stored() == [("terminal", "person", "greedy", "A a", 1, "resignation")]
        await pilot.press("u")
        await pilot.press("b")
        await until(pilot, lambda: screen(app).game.ply == 4)
        await pilot.press("x", "y")
        await until(pilot, lambda: app.local._storing is None)
        (only,) = stored()
        assert only[3].startswith("A a B ")
        assert not list(saved_games.unfinished_folder().glob("*.ogn"))


async def test_a_resignation_that_was_taken_back_is_not_stored(application: Callable) -> None:
    app = application(Game("abapa", moves="A a"), store=True)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("x", "y")
        await until(pilot, lambda: app.local._stored is not None)
        await pilot.press("u", "q")
    app.local.leave()
    assert stored() == []
    (file,) = saved_games.unfinished_folder().glob("*.ogn")
    assert not saved_games.read(file).game().over


async def test_leaving_at_once_waits_for_the_store(application: Callable) -> None:
    app = application(Game("abapa", moves="A a"), store=True)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("x", "y", "q")
    app.local.settle()
    assert [game[3:] for game in stored()] == [("A a", 1, "resignation")]


async def test_a_database_that_refuses_loses_nothing(application: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWALE_DATABASE_URL", "sqlite:////proc/none/awale.sqlite")
    app = application(Game("abapa", moves="A a"), store=True)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("x", "y")
        await until(pilot, lambda: "could not be added" in said(app))
    (file,) = (paths.data_dir() / "finished").glob("*.ogn")
    assert saved_games.read(file).game() == app.local.game


def test_nothing_played_is_nothing_stored() -> None:
    assert saved_games.store("key", Game("abapa", ended="resignation-0"), "person", "person") == ""
    assert stored() == []


def test_another_start_and_a_clock_are_stored_too() -> None:
    game = Game("abapa", start="0-0-0-0-0-1-0-0-0-0-0-2-22-23-S", moves="F")
    game.lose_on_time()
    assert saved_games.store("somekey", game, "person", "greedy", "5+3") == ""
    store = Store()
    with store.transaction() as session:
        row = store.games.by_key(session, "somekey")
        assert row is not None
        record = store.games.record_of(row)
    store.close()
    assert (record.start, record.clock, record.end) == ("0-0-0-0-0-1-0-0-0-0-0-2-22-23-S", "5+3", "time")


def test_without_the_store_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object, **__: object) -> None:
        raise ModuleNotFoundError("No module named 'sqlalchemy'", name="sqlalchemy")

    monkeypatch.setattr(saved_games, "_to_database", missing)
    assert saved_games.store("key", Game("abapa", moves="A", ended="agreement"), "person", "person") == ""
