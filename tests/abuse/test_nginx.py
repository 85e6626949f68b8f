"""The nginx configuration of docs/hosting.md in front of a real server: TLS, WebSockets, addresses of clients."""

from __future__ import annotations

import json
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from tests.waiting import GUARD, until
from tests.web.conftest import Server

NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
DOCS = Path(__file__).resolve().parents[2] / "docs" / "hosting.md"
pytestmark = pytest.mark.skipif(
    NGINX is None or shutil.which("openssl") is None, reason="no nginx or no openssl on this machine"
)


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[tuple[str, Server]]:
    """The address of nginx, and the server behind it."""
    server = Server(tmp_path, "--secure", "--allow-host", "localhost", "--no-warm").start()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    certificate = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    subprocess.run(
        [*certificate, "-keyout", str(tmp_path / "key"), "-out", str(tmp_path / "crt")], check=True, capture_output=True
    )
    found = re.search(r"```nginx\n(.*?)```", DOCS.read_text(), re.DOTALL)
    assert found is not None
    block = found[1].replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl").replace("board.example;", "localhost;")
    block = re.sub(r"/etc/ssl/\S+\.(crt|key);", lambda match: f"{tmp_path / match[1]};", block)
    block = block.replace("127.0.0.1:8000", f"127.0.0.1:{server.port}")
    folders = "".join(
        f"{name}_temp_path {tmp_path / name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (tmp_path / "nginx.conf").write_text(
        f"daemon off;\npid {tmp_path / 'pid'};\nerror_log {tmp_path / 'error.log'};\nevents {{}}\n"
        f"http {{\naccess_log off;\n{folders}{block}}}\n"
    )
    nginx = subprocess.Popen([str(NGINX), "-c", str(tmp_path / "nginx.conf")], stderr=subprocess.PIPE)
    address = f"localhost:{port}"
    try:
        until(lambda: answers(address))
        yield address, server
    finally:
        nginx.terminate()
        nginx.wait()
        server.stop()


def answers(address: str) -> bool:
    try:
        return client(address).get("/healthz").status_code == 200
    except httpx.HTTPError:
        return False


def client(address: str) -> httpx.Client:
    return httpx.Client(base_url=f"https://{address}", verify=False, timeout=GUARD)


def test_a_game_through_nginx(proxy: tuple[str, Server]) -> None:
    address, server = proxy
    origin = {"origin": f"https://{address}"}
    with client(address) as browser:
        made = browser.post("/api/games", json={"north": {"who": "me"}}, headers=origin)
        assert made.status_code == 201, made.text
        assert "secure" in made.headers["set-cookie"].lower()
        assert made.headers["strict-transport-security"] == "max-age=31536000"
        assert browser.post("/api/games", json={}, headers={"origin": f"http://{address}"}).status_code == 403
        assert browser.get("/metrics").status_code == 404
        cookie = made.headers["set-cookie"].partition(";")[0]
        trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        trusting.check_hostname = False
        trusting.verify_mode = ssl.CERT_NONE
        url = f"wss://{address}/api/games/{made.json()['key']}/ws"
        with connect(url, ssl=trusting, origin=origin["origin"], additional_headers={"cookie": cookie}) as socket:  # type: ignore[arg-type]
            assert heard(socket, "game")["you"] == [0, 1]
            socket.send(json.dumps({"type": "move", "ply": 0, "move": "F"}))
            assert heard(socket, "moved")["ply"] == 1
        browser.get("/rules", headers={"x-forwarded-for": "203.0.113.9"})
    # nginx sends the address that it sees; what the client claims is not believed.
    assert "203.0.113.9" not in server.log()
    assert "address=127.0.0.1" in server.log()


def heard(socket: Any, kind: str) -> dict[str, Any]:
    while True:
        message = json.loads(socket.recv(timeout=GUARD))
        if message["type"] == kind:
            return dict(message)
