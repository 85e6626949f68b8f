"""The wire schema: what is generated from it is current, and the generated schema describes what is sent."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from starlette.testclient import TestClient

from awale import Game
from awale.web import schema
from tests.web.conftest import new_game
from tests.web.test_sockets import open_game

ROOT = Path(__file__).resolve().parents[2]


def test_the_types_of_the_page_are_current() -> None:
    subprocess.run([sys.executable, ROOT / "scripts/wire_types.py", "--check"], check=True)


def test_stale_types_are_noticed(tmp_path: Path) -> None:
    (tmp_path / "scripts").mkdir()
    script = tmp_path / "scripts/wire_types.py"
    script.write_text((ROOT / "scripts/wire_types.py").read_text())
    types = tmp_path / "src/awale/web/static/types.js"
    types.parent.mkdir(parents=True)
    types.write_text("// old\n")
    checked = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert checked.returncode == 1
    assert "stale" in checked.stderr


@pytest.fixture(scope="module")
def served() -> dict[str, Any]:
    return schema.websocket_schema()


def test_messages_fit_the_schema(client: TestClient, served: dict[str, Any]) -> None:
    assert client.get("/api/ws-schema.json").json() == served
    sent = [
        {"type": "move", "ply": 0, "move": "F"},
        {"type": "undo"},
        {"type": "redo"},
        {"type": "accept", "offer": 1},
        {"type": "offer"},
        {"type": "accept", "offer": 1},
        {"type": "rematch"},
        {"type": "ping"},
    ]
    server = {**served["game.server"], "$defs": served["$defs"]}
    seen: set[str] = set()
    with open_game(client, new_game(client, north={"who": "me"}, clock="5+3")["key"]) as socket:
        for message in sent:
            jsonschema.validate(message, {**served["game.client"], "$defs": served["$defs"]})
            socket.send_json(message)
        while "pong" not in seen:
            received = socket.receive_json()
            jsonschema.validate(received, server)
            seen.add(received["type"])
    expected = {"game", "presence", "moved", "taken-back", "refused", "offered", "answered", "ended", "rematch", "pong"}
    assert seen == expected


@pytest.mark.parametrize("rules", ["abapa", "ghana", "tricolor"])
def test_a_trace_is_what_the_game_plays(rules: str) -> None:
    game = Game(rules)
    move = game.legal_moves[2]
    trace = schema.Trace.of(game.play(move, laps=schema.MAX_LAPS))
    sent = trace.model_dump(mode="json")
    assert sent["lapCount"] == trace.lap_count == len(sent["laps"])
    assert schema.rows(game) == [schema.Row.of(Game(rules).trace(move), game.state)]
