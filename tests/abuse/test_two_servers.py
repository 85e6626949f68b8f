"""Two servers started on one database, as happens by accident: neither loses a move of the other."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx

from tests.store.conftest import postgres_server as postgres_server
from tests.store.conftest import store_url as store_url
from tests.waiting import GUARD
from tests.web.conftest import Server


def test_the_second_server_refuses_the_games_of_the_first(tmp_path: Path, store_url: str) -> None:
    first, second = (Server(tmp_path, "--no-warm", "--database", store_url) for _ in range(2))
    try:
        with ThreadPoolExecutor() as together:  # both find an empty database
            list(together.map(Server.start, (first, second)))
        body = {"moves": "F f", "north": {"who": "me"}}
        key = httpx.post(f"{first.url}/api/games", json=body, timeout=GUARD).raise_for_status().json()["key"]
        refused = httpx.get(f"{second.url}/api/games/{key}", timeout=GUARD)
        assert refused.status_code == 503
        assert "another server" in refused.json()["detail"]
        assert httpx.get(f"{first.url}/api/games/{key}", timeout=GUARD).status_code == 200
        first.stop()
        taken = httpx.get(f"{second.url}/api/games/{key}", timeout=GUARD).raise_for_status()
        assert [row["move"] for row in taken.json()["moves"]] == ["F", "f"]
    finally:
        first.stop()
        second.stop()
