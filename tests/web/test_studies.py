"""Studies over HTTP: who may read and change them, stale and bad changes, export and the page to print."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from awale.web.app import create_app
from tests.web.conftest import ORIGIN, settings

TEXT = "{ Which pit? [%draw 6-9,3] [%quiz] } 1. F! { well met } (1. A { too slow }) 1... f 2. E *\n"


@pytest.fixture
def reader(client: TestClient) -> Iterator[TestClient]:
    """Another browser of the same server."""
    other = TestClient(client.app, base_url="http://localhost")
    yield other
    other.close()


def post(client: TestClient, path: str, status: int = 200, **sent: Any) -> Any:
    answer = client.post(f"/api/studies{path}", json=sent, headers=ORIGIN)
    assert answer.status_code == status, answer.text
    return answer.json() if answer.content else None


def made(client: TestClient, **more: Any) -> tuple[str, dict[str, Any]]:
    key = post(client, "", 201, title="Opening <b>moves</b>", text=TEXT, **more)["key"]
    return key, client.get(f"/api/studies/{key}").json()


def record(*moves: str) -> dict[str, Any]:
    return {"rules": "abapa", "line": [{"move": move} for move in moves]}


def test_a_study_is_read_by_its_link_and_changed_by_its_editors(client: TestClient, reader: TestClient) -> None:
    key, study = made(client)
    (chapter,) = study["chapters"]
    assert (study["mine"], study["version"] > 0) == (True, True)
    assert reader.get(f"/api/studies/{key}").json()["mine"] is False
    game = reader.get(f"/api/studies/{key}/chapters/{chapter['id']}").json()["game"]
    assert game["comment"] == "Which pit? [%draw 6-9,3] [%quiz]"
    assert game["line"][0]["variations"][0][0]["comment"] == "too slow"
    for change in (
        {"type": "save", "chapter": chapter["id"], "version": 1, "title": "x", "record": record("A")},
        {"type": "add", "title": "x", "record": record("A")},
        {"type": "remove", "chapter": chapter["id"], "version": 1},
        {"type": "arrange", "version": study["version"], "title": "x", "order": [chapter["id"]]},
        {"type": "import", "text": "1. A *"},
    ):
        post(reader, f"/{key}", 403, **change)
    post(reader, f"/{key}/delete", 403, version=study["version"])
    post(reader, f"/{key}/edit-link", 403)
    assert client.get(f"/api/studies/{key}").json() == study
    assert [one["key"] for one in client.get("/api/studies").json()] == [key]
    assert reader.get("/api/studies").json() == []


def test_an_edit_link_lets_another_browser_change_it_until_there_is_a_new_one(
    client: TestClient, reader: TestClient
) -> None:
    created = post(client, "", 201, title="Together")
    key, secret = created["key"], created["link"].rsplit("/", 1)[1]
    post(reader, f"/{key}/edit", 403, secret="x" * 32)
    newer = post(client, f"/{key}/edit-link")["link"].rsplit("/", 1)[1]
    post(reader, f"/{key}/edit", 403, secret=secret)
    post(reader, f"/{key}/edit", 204, secret=newer)
    post(reader, f"/{key}", type="add", title="mine too", record=record("A"))
    assert [one["title"] for one in client.get(f"/api/studies/{key}").json()["chapters"]] == ["Chapter 1", "mine too"]
    assert reader.get(f"/study/{key}/edit/{newer}").status_code == 200


def test_a_stale_change_is_refused(client: TestClient) -> None:
    key, study = made(client)
    number = study["chapters"][0]["id"]
    saved = post(client, f"/{key}", type="save", chapter=number, version=1, title="one", record=record("F", "f"))
    assert saved["chapters"] == [{"id": number, "title": "one", "version": 2}]
    for stale in (
        {"type": "save", "chapter": number, "version": 1, "title": "two", "record": record("A")},
        {"type": "remove", "chapter": number, "version": 1},
        {"type": "arrange", "version": study["version"], "title": "two", "order": [number]},
        {"type": "save", "chapter": number + 1, "version": 1, "title": "two", "record": record("A")},
    ):
        assert "nothing was overwritten" in post(client, f"/{key}", 409, **stale)["detail"]
    post(client, f"/{key}/delete", 409, version=study["version"])
    assert client.get(f"/api/studies/{key}").json() == saved


def test_how_a_game_ended_is_kept_while_its_moves_are_the_same(client: TestClient) -> None:
    key = post(client, "", 201, title="x", text='[Termination "South resigns"]\n[Result "0-1"]\n\n1. F f 0-1\n')["key"]
    number = client.get(f"/api/studies/{key}").json()["chapters"][0]["id"]
    post(client, f"/{key}", type="save", chapter=number, version=1, title="x", record=record("F", "f"))
    assert "South resigns" in client.get(f"/api/studies/{key}/ogn").text
    post(client, f"/{key}", type="save", chapter=number, version=2, title="x", record=record("F", "e"))
    assert "South resigns" not in client.get(f"/api/studies/{key}/ogn").text


def test_bad_input_is_refused_and_nothing_is_lost(client: TestClient) -> None:
    key, study = made(client)
    number = study["chapters"][0]["id"]
    said = post(client, f"/{key}", 400, type="import", text='1. A a *\n\n[Variant "abapa"]\n\n1. B b\n2. Q *\n')
    assert "6" in said["detail"]
    post(client, f"/{key}", 400, type="save", chapter=number, version=1, title="x", record=record("F", "f", "F"))
    post(client, f"/{key}", 400, type="add", title="x", record=record("Z"))
    post(client, f"/{key}", 400, type="add", title=" ", record=record("F"))
    post(client, f"/{key}", 422, type="add", title="x" * 201, record=record("F"))
    post(client, f"/{key}", 422, type="turn")
    post(client, "", 400, title="x", text="1. Q *")
    long = {"rules": "abapa", "line": [{"move": "F", "comment": "x" * 2001}]}
    post(client, f"/{key}", 422, type="add", title="x", record=long)
    assert client.get(f"/api/studies/{key}").json() == study
    assert client.get("/api/studies/nothing").status_code == 404
    assert client.get(f"/api/studies/{key}/chapters/999").status_code == 404
    post(client, "/nothing", 404, type="import", text="1. A *")


def test_chapters_are_arranged_removed_and_imported(client: TestClient) -> None:
    key, study = made(client)
    study = post(client, f"/{key}", type="import", text='[Chapter "Two"]\n\n1. A *\n\n[Chapter "Three"]\n\n1. B *\n')
    one, two, three = (chapter["id"] for chapter in study["chapters"])
    study = post(client, f"/{key}", type="arrange", version=study["version"], title="New", order=[three, one, two])
    assert [chapter["id"] for chapter in study["chapters"]] == [three, one, two]
    study = post(client, f"/{key}", type="remove", chapter=one, version=1)
    text = client.get(f"/api/studies/{key}/ogn").text
    assert text.index('[Chapter "Three"]') < text.index('[Chapter "Two"]')
    again = post(client, "", 201, title="Copy", text=text)["key"]
    assert client.get(f"/api/studies/{again}/ogn").text == text
    post(client, f"/{key}/delete", 204, version=study["version"])
    assert client.get(f"/study/{key}").status_code == 404


@pytest.mark.parametrize(("lang", "answers"), [("en", "Answers"), ("fr", "Réponses")])
def test_the_printed_page_asks_and_answers_apart(client: TestClient, lang: str, answers: str) -> None:
    key, _ = made(client)
    page = client.get(f"/study/{key}/print?lang={lang}").text
    assert "<b>moves" not in page
    assert page.index("Question 1") < page.index(answers) < page.index("F!") < page.index("well met")
    assert page.count("data:image/svg+xml") == 1
    assert "[%" not in page
    assert client.get("/study/nothing/print").status_code == 404


def test_pages_are_there(client: TestClient, tmp_path: Path) -> None:
    key, _ = made(client)
    page = client.get(f"/study/{key}").text
    assert "Opening &lt;b&gt;moves&lt;/b&gt;" in page
    assert "editing-study" in page
    with TestClient(create_app(settings(tmp_path)), base_url="http://localhost") as other:
        assert "reading-study" in other.get(f"/study/{key}").text
    assert client.get("/studies").status_code == 200
