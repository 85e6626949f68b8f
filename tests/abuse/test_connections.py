"""Connections that send nothing, half a request, or come by the hundred."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from awale.web.connections import ConnectionLimits, most_connections, within
from awale.web.launch import configuration
from awale.web.logs import LineFormatter, Throttle
from awale.web.settings import Settings
from tests.waiting import GUARD
from tests.web.conftest import settings


@asynccontextmanager
async def serving(folder: Path, **more: Any) -> AsyncIterator[tuple[str, uvicorn.Server]]:
    """A server in this process, with limits of its own. Gives its address."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(100)
    wished = settings(folder, allowed_hosts=("127.0.0.1",), port=listener.getsockname()[1], **more)
    server = uvicorn.Server(configuration(wished))
    task = asyncio.create_task(server.serve(sockets=[listener]))
    async with asyncio.timeout(GUARD):
        while not server.started:
            await asyncio.sleep(0.01)
    try:
        yield f"127.0.0.1:{wished.port}", server
    finally:
        server.should_exit = True
        await task


async def closed(reader: asyncio.StreamReader) -> bytes:
    async with asyncio.timeout(GUARD):
        try:
            return await reader.read()
        except ConnectionResetError:
            return b""


async def test_half_sent_headers_are_not_waited_for(tmp_path: Path) -> None:
    async with serving(tmp_path, header_seconds=0.2) as (address, _):
        host, port = address.split(":")
        for sent in (b"", b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "):
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(sent)
            assert await closed(reader) == b""
            writer.close()


async def test_endless_headers_and_slow_bodies_are_refused(tmp_path: Path) -> None:
    async with serving(tmp_path, body_seconds=0.2) as (address, _):
        host, port = address.split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(b"GET / HTTP/1.1\r\n" + b"X-Long: " + b"x" * 70_000 + b"\r\n" * 2)
        assert await closed(reader) == b""
        head = f"POST /api/rules HTTP/1.1\r\nHost: {address}\r\nContent-Length: 50\r\nConnection: close\r\n\r\n"
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(head.encode() + b"{")
        assert b" 408 " in await closed(reader)


async def test_connections_beyond_the_limit_are_refused_and_the_others_served(tmp_path: Path) -> None:
    async with serving(tmp_path, connections_each=3) as (address, _):
        host, port = address.split(":")
        idle = [await asyncio.open_connection(host, int(port)) for _ in range(2)]
        async with httpx.AsyncClient(base_url=f"http://{address}") as client:
            assert (await client.get("/healthz")).status_code == 200
            reader, writer = await asyncio.open_connection(host, int(port))
            assert await closed(reader) == b""
            writer.close()
            shown = (await client.get("/metrics")).text
        assert "awale_connections 3\n" in shown
        assert "awale_connections_refused_total 1\n" in shown
        for _, writer in idle:
            writer.close()


async def test_websockets_per_address_are_limited(tmp_path: Path) -> None:
    async with serving(tmp_path, sockets_each=1, handshakes_a_second=1000.0) as (address, _):
        url = f"ws://{address}/api/analysis/ws"
        async with connect(url):
            with pytest.raises(InvalidStatus):
                await connect(url)


async def test_handshakes_are_limited(tmp_path: Path) -> None:
    async with serving(tmp_path, sockets_each=2, handshakes_a_second=0.001) as (address, _):
        url = f"ws://{address}/api/analysis/ws"
        for _ in range(2):
            async with connect(url):
                pass
        with pytest.raises(InvalidStatus):
            await connect(url)


def test_a_proxy_may_have_all_connections() -> None:
    limits = ConnectionLimits(Settings(connections=5, connections_each=1, trusted_proxies=("10.1.0.0/16",)))
    assert [limits.enter("10.1.2.3") for _ in range(3)] == [True] * 3
    assert [limits.enter("10.2.0.1") for _ in range(2)] == [True, False]
    assert limits.enter("10.1.2.3") is False  # more than there may be in all
    for _ in range(4):
        limits.leave("10.1.2.3")
    limits.leave("10.2.0.1")
    limits.leave("10.2.0.1")
    assert limits.total == 0


def test_networks_and_open_files() -> None:
    assert within("192.168.7.1", ("192.168.0.0/16",))
    assert not within("192.169.7.1", ("192.168.0.0/16",))
    assert not within("nobody", ("192.168.0.0/16",))
    assert most_connections(1) == 1


def record(message: str, level: int = logging.WARNING, **more: Any) -> logging.LogRecord:
    made = logging.LogRecord("awale.web", level, __file__, 1, message, None, None)
    made.__dict__.update(more)
    return made


def test_a_flood_of_one_message_is_not_logged() -> None:
    now = 0.0
    throttle = Throttle(3, 10.0, now=lambda: now)
    assert [throttle.filter(record("too many open files")) for _ in range(100)].count(True) == 3
    assert throttle.filter(record("asked for", logging.INFO))
    now = 11.0
    again = record("too many open files")
    assert throttle.filter(again)
    assert again.getMessage() == "too many open files (97 more like this were not logged)"


def test_a_line_of_the_log_is_one_line_with_a_time() -> None:
    said = LineFormatter().format(record('GET /\n"x"', logging.INFO, values={"status": 200, "address": "::1"}))
    assert said.startswith("time=2")
    assert "\n" not in said
    assert r'message="GET /\n\"x\""' in said
    assert said.endswith("status=200 address=::1")
