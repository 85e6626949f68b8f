"""A live game: stored before it is told, never half changed, whatever fails or leaves."""

from __future__ import annotations

import sqlite3
import threading
from typing import Any

import pytest
from starlette.testclient import TestClient

from awale.store import games
from awale.web.live_game import LiveGame
from tests.web.conftest import new_game
from tests.web.test_sockets import open_game, until


def stored_moves(client: Any, key: str) -> list[str]:
    with client.app.state.store.transaction() as session:
        row = games.by_key(session, key)
        assert row is not None
        return row.moves.split()


def test_a_spectator_who_leaves_while_a_move_is_stored(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody watches the computers any more: they stop, but the move that is being stored stays in the live game."""
    storing, stored, left = threading.Event(), threading.Event(), threading.Event()
    keep, leave = games.keep, LiveGame.leave

    def slow_keep(*arguments: Any) -> None:
        storing.set()
        assert stored.wait(20)
        keep(*arguments)

    def noted_leave(*arguments: Any) -> None:
        leave(*arguments)
        left.set()

    monkeypatch.setattr(games, "keep", slow_keep)
    monkeypatch.setattr(LiveGame, "leave", noted_leave)
    greedy = {"who": "computer", "name": "greedy"}
    key = new_game(client, south=greedy, north=greedy)["key"]
    with open_game(client, key):
        assert storing.wait(60)
    assert left.wait(20)
    stored.set()
    new_game(client)  # written and acknowledged after the move
    shown = client.get(f"/api/games/{key}").json()
    assert [row["move"] for row in shown["moves"]] == stored_moves(client, key)
    assert shown["ply"] == len(shown["moves"]) == 1


def full(*_: object) -> None:
    raise sqlite3.OperationalError("database or disk is full")


@pytest.mark.parametrize("message", [{"type": "resign"}, {"type": "undo"}], ids=lambda message: message["type"])
def test_what_the_store_refuses_changes_nothing(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, message: dict[str, Any]
) -> None:
    key = new_game(client, north={"who": "me"}, clock="5+0", moves="F f")["key"]
    with open_game(client, key) as socket:
        before = until(socket, "game")
        assert before["clock"]["running"] == 0
        with monkeypatch.context() as broken:
            broken.setattr(games, "keep", full)
            socket.send_json(message)
            until(socket, "refused")
        after = client.get(f"/api/games/{key}").json()
        assert (after["ply"], after["view"]["over"], after["clock"]["running"]) == (2, False, 0)
