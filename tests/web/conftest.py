"""A client inside the process for the API, and a real server in its own process for browsers and kills."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from awale.web.app import create_app
from awale.web.settings import Settings
from tests.waiting import GUARD, until

ORIGIN = {"origin": "http://localhost"}


def settings(folder: Path, **more: Any) -> Settings:
    given: dict[str, Any] = {"workers": 1, "warm": False, "allowed_hosts": ("localhost", "testserver")}
    return Settings(database_url=f"sqlite:///{folder / 'web.sqlite'}", **{**given, **more})


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(settings(tmp_path)), base_url="http://localhost") as made:
        yield made


def new_game(client: Any, **asked: Any) -> dict[str, Any]:
    """Start a game; against the greedy player unless told otherwise."""
    body = {"south": {"who": "me"}, "north": {"who": "computer", "name": "greedy"}, **asked}
    answer = client.post("/api/games", json=body, headers=ORIGIN)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def follow(client: Any, link: str) -> Any:
    """Take the seat of an invitation's link, as its page does."""
    game, secret = link.rsplit("/seat/", 1)
    return client.post(f"/api/games/{game.removeprefix('/game/')}/seat", json={"secret": secret}, headers=ORIGIN)


class Server:
    """`awale serve` in a process of its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        self.options = options
        self.environment = {**os.environ, "AWALE_DATA_DIR": str(folder), "AWALE_LANG": "en"}
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://localhost:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> Server:
        arguments = ["serve", "--port", str(self.port), "--workers", "1", "--log", *self.options]
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", "from awale.cli import main; main()", *arguments],
                env=self.environment,
                stdout=log,
                stderr=log,
            )
        until(self._answers)
        return self

    def _answers(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, self.log()
        try:
            return httpx.get(f"{self.url}/healthz", timeout=GUARD).status_code == 200
        except httpx.HTTPError:
            return False

    def log(self) -> str:
        return (self.folder / "server.log").read_text(errors="replace")

    def kill(self) -> None:
        """Without any warning, as a power cut would."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(timeout=15)
            except subprocess.TimeoutExpired:
                self.kill()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = Server(tmp_path_factory.mktemp("server")).start()
    yield started
    started.stop()
