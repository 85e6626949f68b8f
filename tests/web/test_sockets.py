"""Games over WebSockets: played, resumed, and attacked."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from awale.web.app import create_app
from tests.web.conftest import ORIGIN, follow, new_game, settings


def until(socket: Any, *kinds: str) -> dict[str, Any]:
    """The next message of one of these kinds."""
    for _ in range(200):
        message = socket.receive_json()
        if message["type"] in kinds:
            return dict(message)
    raise AssertionError(f"no {kinds}")


def open_game(client: TestClient, key: str, ply: int | None = None) -> Any:
    return client.websocket_connect(
        f"ws://localhost/api/games/{key}/ws" + (f"?ply={ply}" if ply is not None else ""), headers=ORIGIN
    )


def test_a_game_against_a_player(client: TestClient) -> None:
    key = new_game(client)["key"]
    with open_game(client, key) as socket:
        game = until(socket, "game")
        assert game["you"] == [0]
        for _ in range(4):
            view = game["view"]
            socket.send_json({"type": "move", "ply": game["ply"], "move": view["legal"][0]["move"]})
            mine = until(socket, "moved", "refused")
            assert mine["type"] == "moved"
            assert mine["trace"]["mover"] == 0
            if mine["view"]["over"]:
                break
            game = until(socket, "moved")
            assert game["trace"]["mover"] == 1
        assert game["ply"] == 8


def test_who_comes_back_gets_what_was_missed(client: TestClient) -> None:
    key = new_game(client, north={"who": "me"}, moves="F f E")["key"]
    with open_game(client, key, ply=1) as socket:
        game = until(socket, "game")
        assert [trace["move"] for trace in game["missed"]] == ["f", "E"]
    for ply in (3, 99, -1):
        with open_game(client, key, ply=ply) as socket:
            assert until(socket, "game")["missed"] == []


def test_undo_and_redo_at_one_screen(client: TestClient) -> None:
    key = new_game(client, north={"who": "me"})["key"]
    with open_game(client, key) as socket:
        until(socket, "game")
        for ply, move in enumerate(("F", "f")):
            socket.send_json({"type": "move", "ply": ply, "move": move})
            until(socket, "moved")
        socket.send_json({"type": "undo"})
        assert until(socket, "taken-back")["ply"] == 1
        socket.send_json({"type": "redo"})
        assert until(socket, "moved")["trace"]["move"] == "f"
        socket.send_json({"type": "undo"})
        until(socket, "taken-back")
        socket.send_json({"type": "move", "ply": 1, "move": "a"})
        assert until(socket, "moved")["canRedo"] is False
        socket.send_json({"type": "redo"})
        assert until(socket, "refused")["code"] == "nothing-to-redo"


def test_undo_against_a_player_comes_back_to_ones_own_turn(client: TestClient) -> None:
    key = new_game(client)["key"]
    with open_game(client, key) as socket:
        until(socket, "game")
        socket.send_json({"type": "move", "ply": 0, "move": "F"})
        until(socket, "moved")
        until(socket, "moved")
        socket.send_json({"type": "undo"})
        undone = until(socket, "taken-back")
        assert (undone["ply"], undone["count"], undone["canRedo"], undone["canUndo"]) == (0, 2, True, False)
        socket.send_json({"type": "redo"})
        assert until(socket, "moved")["ply"] == 1
        assert until(socket, "moved")["ply"] == 2


def test_resigning_agreeing_and_a_rematch(client: TestClient) -> None:
    key = new_game(client, north={"who": "me"}, moves="F")["key"]
    with open_game(client, key) as socket:
        until(socket, "game")
        socket.send_json({"type": "resign"})
        ended = until(socket, "ended")
        assert ended["view"]["outcome"]["reason"] == "resignation"
        assert ended["view"]["outcome"]["winner"] == 0
        socket.send_json({"type": "rematch"})
        again = until(socket, "rematch")["key"]
    assert client.get(f"/api/games/{again}").json()["you"] == [0, 1]
    with open_game(client, again) as socket:
        until(socket, "game")
        # One person plays both sides: the other side is asked all the same.
        socket.send_json({"type": "offer"})
        offer = until(socket, "offered")["offer"]
        assert (offer["kind"], offer["by"]) == ("stop", 0)
        socket.send_json({"type": "accept", "offer": offer["id"]})
        assert until(socket, "ended")["view"]["outcome"]["reason"] == "agreement"


@pytest.fixture
def table(client: TestClient) -> Any:
    """Two people by link: each with a cookie of their own."""
    made = new_game(client, north={"who": "friend"})
    south = dict(client.cookies)
    client.cookies.clear()
    follow(client, made["links"][1])
    north = dict(client.cookies)
    client.cookies.clear()
    return made["key"], south, north


def seat(client: TestClient, key: str, cookies: dict[str, str]) -> Any:
    cookie = "; ".join(f"{k}={v}" for k, v in cookies.items())
    return client.websocket_connect(f"ws://localhost/api/games/{key}/ws", headers={**ORIGIN, "cookie": cookie})


def test_two_people_by_link_and_a_watcher(client: TestClient, table: Any) -> None:
    key, south, north = table
    with seat(client, key, south) as a, seat(client, key, north) as b, seat(client, key, {}) as watcher:
        assert (until(a, "game")["you"], until(b, "game")["you"], until(watcher, "game")["you"]) == ([0], [1], [])
        b.send_json({"type": "move", "ply": 0, "move": "f"})
        assert until(b, "refused")["code"] == "turn"
        watcher.send_json({"type": "move", "ply": 0, "move": "F"})
        assert until(watcher, "refused")["code"] == "watching"
        watcher.send_json({"type": "resign"})
        assert until(watcher, "refused")["code"] == "watching"
        a.send_json({"type": "move", "ply": 0, "move": "F"})
        assert all(until(s, "moved")["trace"]["move"] == "F" for s in (a, b, watcher))
        # Taking back needs the other's word.
        a.send_json({"type": "undo"})
        offer = until(b, "offered")["offer"]
        assert offer == {"id": 1, "kind": "take-back", "by": 0, "ply": 1}
        a.send_json({"type": "accept", "offer": 1})
        assert until(a, "refused")["code"] == "no-offer"
        b.send_json({"type": "accept", "offer": 1})
        assert until(a, "answered")["accepted"] is True
        assert until(watcher, "taken-back")["ply"] == 0
        a.send_json({"type": "offer"})
        offer = until(b, "offered")["offer"]
        b.send_json({"type": "decline", "offer": offer["id"]})
        answered = until(a, "answered")
        assert (answered["answer"], answered["accepted"], answered["offer"]) == (offer, False, None)
        a.send_json({"type": "resign"})
        assert until(b, "ended")["view"]["outcome"]["winner"] == 1
        watcher.send_json({"type": "rematch"})
        assert until(watcher, "refused")["code"] == "watching"
        b.send_json({"type": "rematch"})
        until(a, "offered")
        a.send_json({"type": "rematch"})
        again = until(watcher, "rematch")["key"]
    with seat(client, again, north) as b:
        assert until(b, "game")["you"] == [0]


def test_an_answer_to_another_offer_is_refused(client: TestClient, table: Any) -> None:
    """An offer to take back is replaced by an offer to stop: who accepts the first does not accept the second."""
    key, south, north = table
    with seat(client, key, south) as a, seat(client, key, north) as b:
        until(a, "game")
        a.send_json({"type": "move", "ply": 0, "move": "F"})
        until(a, "moved")
        a.send_json({"type": "undo"})
        seen = until(b, "offered")["offer"]
        a.send_json({"type": "offer"})
        until(b, "offered")
        b.send_json({"type": "accept", "offer": seen["id"]})
        assert until(b, "refused")["code"] == "no-offer"
        assert client.get(f"/api/games/{key}").json()["view"]["over"] is False


def test_a_move_sent_twice_moves_once(client: TestClient) -> None:
    key = new_game(client, north={"who": "me"})["key"]
    with open_game(client, key) as socket:
        until(socket, "game")
        for _ in range(2):
            socket.send_json({"type": "move", "ply": 0, "move": "F"})
        until(socket, "moved")
        assert until(socket, "refused")["code"] == "late"
        socket.send_json({"type": "move", "ply": 1, "move": "f"})
        assert until(socket, "moved")["ply"] == 2


HOSTILE: list[Any] = [
    {},
    {"type": None},
    {"type": ["move"]},
    {"type": "move"},
    {"type": "move", "ply": 0},
    {"type": "move", "ply": "0", "move": "F"},
    {"type": "move", "ply": True, "move": "F"},
    {"type": "move", "ply": 0, "move": ["F"]},
    {"type": "move", "ply": 0, "move": "F" * 10_000},
    {"type": "move", "ply": 0, "move": "Z"},
    {"type": "move", "ply": 0, "move": "f\x00"},
    {"type": "move", "ply": 10**30, "move": "F"},
    {"type": "move", "ply": -1, "move": "F"},
    {"type": "__class__"},
    {"type": "act", "seats": [0, 1]},
    {"type": "accept"},
    {"type": "accept", "offer": 1},
    {"type": "decline", "offer": "1"},
    {"type": "redo"},
    {"type": "undo"},
    {"type": "rematch"},
]


@pytest.mark.parametrize("message", HOSTILE, ids=lambda m: json.dumps(m)[:40])
def test_a_hostile_message_is_refused_and_the_game_goes_on(client: TestClient, message: Any) -> None:
    key = new_game(client, north={"who": "me"})["key"]
    with open_game(client, key) as socket:
        until(socket, "game")
        socket.send_json(message)
        refused = until(socket, "refused")
        assert refused["text"]["fr"]
        socket.send_json({"type": "move", "ply": 0, "move": "F"})
        assert until(socket, "moved")["ply"] == 1


@pytest.mark.parametrize(
    ("sent", "code"),
    [("x" * 40_000, 4413), ("{", 4400), ("[" * 30_000, 4400), ("[]", 4400), ('"move"', 4400), (b"\x00\xff" * 10, 4400)],
    ids=["huge", "half", "nested", "list", "text", "binary"],
)
def test_what_is_no_message_ends_the_connection(client: TestClient, sent: str | bytes, code: int) -> None:
    key = new_game(client, north={"who": "me"})["key"]
    with open_game(client, key) as socket:
        until(socket, "game")
        socket.send_bytes(sent) if isinstance(sent, bytes) else socket.send_text(sent)
        with pytest.raises(WebSocketDisconnect) as closed:
            until(socket, "never")
        assert closed.value.code == code
    with open_game(client, key) as socket:
        assert until(socket, "game")["ply"] == 0


def test_a_flood_of_messages_ends_the_connection(client: TestClient) -> None:
    key = new_game(client, north={"who": "me"})["key"]
    with open_game(client, key) as socket:
        with pytest.raises(WebSocketDisconnect) as closed:
            for _ in range(300):
                socket.send_json({"type": "ping"})
            until(socket, "never")
        assert closed.value.code == 4429


def test_pages_of_other_sites_get_no_connection(client: TestClient) -> None:
    key = new_game(client, north={"who": "me"})["key"]
    for headers in ({"origin": "http://evil.example"}, {"origin": "null"}, {"host": "evil.example"}):
        with (
            pytest.raises(WebSocketDisconnect),
            client.websocket_connect(f"ws://localhost/api/games/{key}/ws", headers=headers),
        ):
            pass
    with open_game(client, "nosuchgame") as socket, pytest.raises(WebSocketDisconnect) as closed:
        socket.receive_json()
    assert closed.value.code == 4404


def test_too_many_watchers(tmp_path: Path) -> None:
    with TestClient(create_app(settings(tmp_path, watchers=2)), base_url="http://localhost") as client:
        key = new_game(client, north={"who": "me"})["key"]
        with open_game(client, key), open_game(client, key), open_game(client, key) as third:
            with pytest.raises(WebSocketDisconnect) as closed:
                until(third, "never")
            assert closed.value.code == 4503


def test_a_flag_falls_on_the_server(client: TestClient) -> None:
    key = new_game(client, north={"who": "me"}, clock="0.02+0")["key"]
    with open_game(client, key) as socket:
        until(socket, "game")
        socket.send_json({"type": "move", "ply": 0, "move": "F"})
        assert until(socket, "moved")["clock"]["running"] == 1
        ended = until(socket, "ended")
        assert ended["view"]["outcome"]["reason"] == "time"
        assert ended["view"]["outcome"]["winner"] == 0
        socket.send_json({"type": "move", "ply": 1, "move": "f"})
        assert until(socket, "refused")["code"] == "over"


def test_a_game_outlives_the_server(tmp_path: Path) -> None:
    wished = settings(tmp_path)
    with TestClient(create_app(wished), base_url="http://localhost") as client:
        made = new_game(client, rules="ghana", north={"who": "friend"}, clock="5+3")
        with open_game(client, made["key"]) as socket:
            until(socket, "game")
            socket.send_json({"type": "move", "ply": 0, "move": "3"})
            before = until(socket, "moved")
        cookies = dict(client.cookies)
    with TestClient(create_app(wished), base_url="http://localhost", cookies=cookies) as client:
        after = client.get(f"/api/games/{made['key']}").json()
        assert after["view"]["position"] == before["view"]["position"]
        assert after["you"] == [0]
        assert after["clock"]["left"][0] <= 303.5
        client.cookies.clear()
        assert follow(client, made["links"][1]).status_code == 204


def test_a_move_that_cannot_be_stored_is_not_played(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk or a locked database gives a sentence; the game stands where it stood, and goes on afterwards."""
    from awale.store import games

    key = new_game(client, north={"who": "me"}, clock="5+0")["key"]
    with open_game(client, key) as socket:
        until(socket, "game")
        with monkeypatch.context() as broken:

            def full(*_: object) -> None:
                raise sqlite3.OperationalError("database or disk is full")

            broken.setattr(games, "keep", full)
            for message in ({"type": "move", "ply": 0, "move": "F"}, {"type": "resign"}):
                socket.send_json(message)
                refused = until(socket, "refused")
                assert "stored" in refused["text"]["en"]
                assert refused["ply"] == 0
        socket.send_json({"type": "move", "ply": 0, "move": "F"})
        assert until(socket, "moved")["ply"] == 1


def test_live_analysis_answers_the_newest_question(client: TestClient) -> None:
    start = "0-0-0-0-0-1-0-0-0-0-0-2-22-23-S"
    with client.websocket_connect("ws://localhost/api/analysis/ws", headers=ORIGIN) as socket:
        socket.send_json({"type": "analyse", "id": 1, "rules": "abapa", "seconds": 60})
        socket.send_json({"type": "analyse", "id": 2, "rules": "abapa", "start": start, "seconds": 0.1})
        done = until(socket, "analysis")
        while done["id"] != 2 or not done["done"]:
            done = until(socket, "analysis")
        assert done["line"][0] == "F"
        socket.send_json({"type": "review", "id": 3, "rules": "abapa", "moves": "F f E e", "seconds": 0.2})
        first = until(socket, "verdict")
        assert (first["verdict"]["ply"], first["of"]) == (0, 4)
        done = until(socket, "review")
        assert [verdict["move"] for verdict in done["moves"]] == ["F", "f", "E", "e"]
        assert all(0 <= accuracy <= 100 for accuracy in done["accuracy"])
        for bad in ({"type": "analyse"}, {"type": "analyse", "id": 4, "moves": "Z"}, {"type": "dance", "id": 5}):
            socket.send_json(bad)
            until(socket, "refused")
