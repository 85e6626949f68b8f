"""Requests that were found to block the server, each refused before it costs anything."""

from __future__ import annotations

import json
from typing import Any

import pytest
from starlette.testclient import TestClient

from awale import Game
from awale.match import Match
from awale.players.evaluation_files import parse
from awale.rules import Rules
from tests.rules.test_budget import LONG, RULES
from tests.waiting import until
from tests.web.conftest import ORIGIN
from tests.web.conftest import client as client
from tests.web.test_sockets import open_game

LONG_FILE = f'[Variant "{RULES}"]\n[FEN "{LONG}"]\n\n1. 1 *\n'


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/ogn/read", {"text": LONG_FILE}),
        ("/api/ogn/write", {"rules": RULES, "start": LONG, "line": [{"move": "1"}]}),
        ("/api/position", {"rules": RULES, "start": LONG}),
        ("/api/trace", {"rules": RULES, "start": LONG, "move": "1"}),
        ("/api/trace", {"rules": RULES + ",endless=ends", "start": LONG, "move": "1"}),
        ("/api/games", {"rules": RULES, "start": LONG}),
        ("/api/analyse", {"rules": RULES, "start": LONG}),
        ("/api/tree", {"rules": RULES, "start": LONG}),
    ],
)
def test_a_relay_of_minutes_is_refused_everywhere(client: TestClient, path: str, body: dict[str, Any]) -> None:
    answer = client.post(path, json=body, headers=ORIGIN)
    assert answer.status_code == 400, answer.text
    assert "too long to be followed here" in answer.json()["detail"]


def test_pages_refuse_it_too(client: TestClient) -> None:
    page = client.get("/", params={"rules": RULES, "position": LONG})
    assert page.status_code == 400
    assert "too long to be followed here" in page.text


DEEP = ["a" + ".a" * 9900 + "=1", "[a" + ".a" * 9900 + "]", "\n".join("a." * 90 + f"b{n}=1" for n in range(90))]


@pytest.mark.parametrize("text", DEEP)
def test_a_deeply_dotted_key_is_refused_before_it_is_parsed(client: TestClient, text: str) -> None:
    answer = client.post("/api/rules", json={"village": text}, headers=ORIGIN)
    assert answer.status_code == 400, answer.text


DIGITS = "9" * 5000


@pytest.mark.parametrize("path", ["/api/rules", "/api/position", "/api/games", "/api/analyse"])
@pytest.mark.parametrize(
    "body", [{"village": f'base = "ghana"\npits = {DIGITS}\n'}, {"rules": f"ghana:pits={DIGITS[:1900]}"}]
)
def test_a_number_of_thousands_of_digits_is_refused(client: TestClient, path: str, body: dict[str, Any]) -> None:
    answer = client.post(path, json=body, headers=ORIGIN)
    assert answer.status_code == 400, answer.text


def test_evaluation_files_refuse_such_a_number() -> None:
    with pytest.raises(ValueError, match="TOML"):
        parse(f"[weights]\ncaptured = {DIGITS}")


def test_village_rules_read_from_files_refuse_deep_keys() -> None:
    with pytest.raises(ValueError, match="more than 100 dots"):
        Rules.from_toml_text(DEEP[0])


def test_a_page_that_comes_back_to_an_endless_sowing_costs_no_laps(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The moves it has missed were traced when they were played."""
    start = "1-6-3-11-1-0-6-0-4-1-2-11-0-2-N"
    body = {"rules": "ghana-basic", "start": start, "south": {"who": "me"}, "north": {"who": "me"}}
    key = client.post("/api/games", json=body, headers=ORIGIN).json()["key"]
    with open_game(client, key) as socket:
        socket.receive_json()
        socket.send_json({"type": "move", "ply": 0, "move": "11"})
        while socket.receive_json()["type"] != "moved":
            pass

    def walked(*_: object, **__: object) -> None:
        raise AssertionError("played again")

    monkeypatch.setattr(Game, "play", walked)
    monkeypatch.setattr(Match, "copy", walked)
    with open_game(client, key, 0) as socket:
        missed = socket.receive_json()["missed"]
    assert [len(trace["laps"]) for trace in missed] == [150]


def test_an_analysis_ends_with_its_request(client: TestClient) -> None:
    """The client has left before the ten seconds are over: nobody computes for it."""
    app: Any = client.app
    until(lambda: app.state.pool.ready)
    body = json.dumps({"seconds": 10.0}).encode()
    received = [{"type": "http.request", "body": body, "more_body": False}, {"type": "http.disconnect"}]
    headers = [(b"host", b"localhost"), (b"origin", b"http://localhost"), (b"content-type", b"application/json")]
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/api/analyse",
        "raw_path": b"/api/analyse",
        "query_string": b"",
        "root_path": "",
        "scheme": "http",
        "http_version": "1.1",
        "headers": headers,
        "client": ("10.0.0.1", 1),
        "server": ("localhost", 80),
    }
    statuses: list[int] = []

    async def ask() -> None:
        async def receive() -> dict[str, Any]:
            return received.pop(0)

        async def send(part: Any) -> None:
            statuses.append(part.get("status", 0))

        await app(scope, receive, send)

    assert client.portal is not None
    client.portal.call(ask)
    assert statuses[0] == 503
    assert app.state.pool.waiting == 0
