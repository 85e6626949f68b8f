"""Health, readiness, metrics, and which hosts, origins and proxies are believed."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.datastructures import Headers
from starlette.testclient import TestClient

from awale.store import leases
from awale.web.app import create_app
from awale.web.launch import listen, run
from awale.web.security import host_allowed, origin_allowed
from awale.web.settings import Settings
from tests.waiting import until
from tests.web.conftest import new_game, settings


def test_health_is_asked_by_address(client: TestClient) -> None:
    elsewhere = {"host": "10.0.0.7:8000"}
    assert client.get("/healthz", headers=elsewhere).status_code == 200
    assert client.get("/metrics", headers=elsewhere).status_code == 200
    assert client.get("/", headers=elsewhere).status_code == 421


def test_readiness_tests_a_write(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    until(lambda: client.get("/readyz").status_code == 200)

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(leases, "seen", full)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["database"]) == (503, False)
    monkeypatch.undo()
    assert client.get("/readyz").status_code == 200


def test_readiness_tests_the_threads(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    until(lambda: client.get("/readyz").status_code == 200)
    monkeypatch.setattr(client.app.state.requests, "_limit", 0)  # type: ignore[attr-defined]
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["threads"]) == (503, False)


def test_metrics_count(client: TestClient) -> None:
    new_game(client)
    client.get("/nothing")
    shown = client.get("/metrics").text
    values = dict(line.rsplit(" ", 1) for line in shown.splitlines() if not line.startswith("#"))
    assert values["awale_games"] == "1"
    assert values['awale_http_responses_total{status="201"}'] == "1"
    assert values['awale_http_responses_total{status="404"}'] == "1"
    assert float(values["awale_stored_changes_total"]) >= 1


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        ("localhost", True),
        ("LOCALHOST:8000", True),
        ("localhost.", True),
        ("localhost:8301@evil", False),
        ("localhost@evil", False),
        ("localhost:8000:9", False),
        ("localhost/evil", False),
        ("localhost:99999999", False),
        ("evil", False),
        ("", False),
    ],
)
def test_hosts(host: str, allowed: bool) -> None:
    assert host_allowed(Settings(), Headers({"host": host})) is allowed


@pytest.mark.parametrize(
    ("origin", "scheme", "secure", "allowed"),
    [
        ("http://localhost:8000", "http", False, True),
        ("http://localhost:8000", "ws", False, True),
        ("https://localhost:8000", "http", False, False),
        ("https://localhost:8000", "https", False, True),
        ("https://localhost:8000", "http", True, True),
        ("http://localhost:8000", "http", True, False),
        ("http://localhost", "http", False, False),
        ("ftp://localhost:8000", "http", False, False),
        ("http://localhost:8000@evil", "http", False, False),
        ("http://evil", "http", False, False),
        ("null", "http", False, False),
        ("http://friend.example", "http", False, True),
    ],
)
def test_origins(origin: str, scheme: str, secure: bool, allowed: bool) -> None:
    wished = Settings(secure_cookies=secure, allowed_origins=("http://friend.example",))
    assert origin_allowed(wished, Headers({"host": "localhost:8000", "origin": origin}), scheme) is allowed


def test_a_secure_server_tells_browsers_to_stay_so(tmp_path: Path) -> None:
    for secure in (False, True):
        with TestClient(create_app(settings(tmp_path, secure_cookies=secure)), base_url="http://localhost") as client:
            assert ("strict-transport-security" in client.get("/healthz").headers) is secure


def test_proxies() -> None:
    assert Settings().proxies == ()
    assert Settings(secure_cookies=True).proxies == ("127.0.0.1", "::1")
    assert "172.16.0.0/12" in Settings(trusted_proxies=("172.16.0.0/12",)).proxies


def test_a_named_port_is_not_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    taken = listen("127.0.0.1", 0)
    port = taken.getsockname()[1]
    named = Settings(port=port, port_named=True, database_url=f"sqlite:///{tmp_path / 'a.sqlite'}")
    assert run(named) == 2
    assert f"port {port} at 127.0.0.1 is not free" in capsys.readouterr().err
    other = listen("127.0.0.1", port)  # the default port: the next one will do
    assert other.getsockname()[1] != port
    taken.close()
    other.close()


def test_the_docker_health_check_works_beside_allowed_hosts(server: Any) -> None:
    assert httpx.get(f"http://127.0.0.1:{server.port}/healthz", headers={"host": "board.example"}).status_code == 200
    assert httpx.get(f"http://127.0.0.1:{server.port}/", headers={"host": "board.example"}).status_code == 421
