"""Pages of the store: ratings, a player, search by position."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from awale.game import Game as Play
from awale.store import Store, StoredGame
from tests.web.conftest import ORIGIN


@pytest.fixture
def people(client: TestClient) -> dict[str, int]:
    store: Store = client.app.state.store  # type: ignore[attr-defined]
    with store.transaction() as session:
        for number, moves in enumerate(("F f E", "F e D", "A a")):
            record = StoredGame(rules="abapa", south="Ada Lovelace", north="<b>Bo</b>", moves=moves)
            record.winner, record.scores, record.end, record.rated = number % 2, (25, 20), "win", True
            record.source = "web" if number == 0 else "file"
            store.games.add(session, record)
        return {name: store.players.by_name(session, name).id for name in ("Ada Lovelace", "<b>Bo</b>")}


def test_leaderboard(client: TestClient, people: dict[str, int]) -> None:
    page = client.get("/leaderboard").text
    assert page.index("Ada Lovelace") < page.index("&lt;b&gt;Bo&lt;/b&gt;")
    assert "<b>Bo" not in page
    assert f'href="/players/{people["Ada Lovelace"]}"' in page
    assert "No rated game has been played" in client.get("/leaderboard?rules=ghana").text
    assert "Classement" in client.get("/leaderboard?lang=fr").text
    assert client.get("/leaderboard?rules=chess").status_code == 404


def test_a_player(client: TestClient, people: dict[str, int]) -> None:
    page = client.get(f"/players/{people['Ada Lovelace']}").text
    assert "3 games: 2 won, 0 drawn, 1 lost" in page
    assert "<svg" in page
    # Games played here keep their address to themselves.
    assert page.count('href="/game/') == 2
    assert client.get("/players/999").status_code == 404


def test_search_by_position(client: TestClient, people: dict[str, int]) -> None:
    wanted = Play("abapa", moves="F").position
    page = client.get("/search", params={"rules": "abapa", "position": wanted}).text
    assert page.count("Ada Lovelace") == 2
    assert "No game found" in client.get("/search", params={"position": Play("abapa", moves="F f E d").position}).text
    wrong = client.get("/search", params={"position": "1-2-<i>3"})
    assert wrong.status_code == 400
    assert "<i>" not in wrong.text
    assert client.get("/search").status_code == 200


def test_a_search_compares_the_stores_unless_told_otherwise(client: TestClient, people: dict[str, int]) -> None:
    other = Play("abapa", moves="F").position.replace("-0-0-", "-3-1-")
    assert "No game found" in client.get("/search", params={"position": other}).text
    page = client.get("/search", params={"position": other, "any_stores": "true"}).text
    assert page.count("Ada Lovelace") == 2


def test_explore(client: TestClient, people: dict[str, int]) -> None:
    found = client.post("/api/explore", json={"rules": "abapa"}, headers=ORIGIN).json()
    assert (found["games"], found["south"], found["draws"], found["north"]) == (3, 2, 0, 1)
    assert [(line["move"], line["games"]) for line in found["moves"]][:2] == [("F", 2), ("A", 1)]
    assert found["bookDepth"] > 10
    found = client.post("/api/explore", json={"rules": "abapa", "moves": "F f"}, headers=ORIGIN).json()
    assert [line["move"] for line in found["moves"] if line["games"]] == ["E"]
    other = {"rules": "abapa", "start": Play("abapa").position.replace("-0-0-", "-3-1-")}
    assert client.post("/api/explore", json=other, headers=ORIGIN).json()["games"] == 0
    assert client.post("/api/explore", json={**other, "stores": False}, headers=ORIGIN).json()["games"] == 3
    assert client.post("/api/explore", json={"moves": "Z"}, headers=ORIGIN).status_code == 400
