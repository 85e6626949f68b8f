"""The web server with 200 games at once, each a move every second against level 1; and its pages in Chromium."""

from __future__ import annotations

import asyncio
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from benchmarks import web_pages
from benchmarks.measure import Row

GAMES = 200
SECONDS = 20.0
SOON = 0.1
"""What the target calls acknowledged: within 100 ms."""


@dataclass
class Tally:
    waits: list[float] = field(default_factory=list)
    answers: int = 0
    errors: int = 0


@contextmanager
def server() -> Iterator[str]:
    """`awale serve` with a database of its own, its engine warm."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "AWALE_DATA_DIR": folder}
        command = [sys.executable, "-c", "from awale.cli import main; main()", "serve", "--port", str(port)]
        process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
        try:
            address = f"http://localhost:{port}"
            for _ in range(1200):
                try:
                    with urllib.request.urlopen(f"{address}/readyz", timeout=2):
                        break
                except OSError:
                    time.sleep(0.25)
            yield address
        finally:
            process.terminate()
            process.wait()


async def play(address: str, tally: Tally, start: float, end: float) -> None:
    """One person against level 1: a move every second, from a start of their own within the first."""
    from websockets.asyncio.client import connect

    loop = asyncio.get_running_loop()
    chance = random.Random(start)
    cookie = "awale=" + "".join(chance.choices("abcdefgh", k=32))
    body = json.dumps({"north": {"who": "computer", "name": "engine:1"}}).encode()
    await asyncio.sleep(max(0.0, start - loop.time()))

    def new_game() -> str:
        headers = {"content-type": "application/json", "cookie": cookie}
        asked = urllib.request.Request(f"{address}/api/games", body, headers)
        with urllib.request.urlopen(asked, timeout=30) as answer:
            return str(json.load(answer)["key"])

    while loop.time() < end:
        key = await asyncio.to_thread(new_game)
        socket_address = f"{address.replace('http', 'ws')}/api/games/{key}/ws"
        async with connect(socket_address, additional_headers={"cookie": cookie}) as connection:
            sent, due = 0.0, loop.time()
            while loop.time() < end:
                message: dict[str, Any] = json.loads(await asyncio.wait_for(connection.recv(), SECONDS + 30))
                if message["type"] == "moved" and message["trace"]["mover"] == 0:
                    tally.waits.append(loop.time() - sent)
                elif message["type"] == "moved":
                    tally.answers += 1
                elif message["type"] in ("refused", "trouble"):
                    tally.errors += 1
                view = message.get("view")
                if view is not None and view["over"]:
                    break
                if view is None or view["turn"] != 0:
                    continue
                due = max(due + 1.0, loop.time()) if tally.waits else loop.time() + chance.random()
                await asyncio.sleep(due - loop.time())
                sent = loop.time()
                move = chance.choice(view["legal"])["move"]
                await connection.send(json.dumps({"type": "move", "ply": message["ply"], "move": move}))


async def load(address: str) -> Tally:
    warming, tally = Tally(), Tally()
    loop = asyncio.get_running_loop()
    now = loop.time()
    await asyncio.gather(*(play(address, warming, now + 0.1 * i, now + 3) for i in range(10)))
    now = loop.time()
    games = (play(address, tally, now + 2 * i / GAMES, now + 2 + SECONDS) for i in range(GAMES))
    for result in await asyncio.gather(*games, return_exceptions=True):
        if isinstance(result, BaseException):
            tally.errors += 1
            print(f"web: {result!r}", file=sys.stderr)
    return tally


def run() -> list[Row]:
    with server() as address:
        pages = web_pages.rows(address)
        tally = asyncio.run(load(address))
    waits = sorted(tally.waits)
    within = 100 * sum(wait <= SOON for wait in waits) / len(waits)
    return [
        Row(what=f"moves of {GAMES} games acknowledged within 100 ms, %", unit="", ours=within, at_least=99),
        Row(what="  the slowest of a hundred, ms", unit="", ours=1000 * waits[int(0.99 * len(waits))]),
        Row(what="  the middle one, ms", unit="", ours=1000 * waits[len(waits) // 2]),
        Row(what="  moves a second, people and computers", unit="", ours=(len(waits) + tally.answers) / SECONDS),
        Row(what="  moves without an error, %", unit="", ours=100 - 100 * tally.errors / len(waits), at_least=100),
        *pages,
    ]
