"""The web server while somebody mistreats it: moves of ten games beside four attackers, and beside twenty analyses."""

from __future__ import annotations

import asyncio
import http.client
import json
import sys
import threading
import time
from typing import Any

from benchmarks.measure import Row
from benchmarks.web import SOON, Tally, play, server

GAMES = 10
SECONDS = 12.0
ANALYSES = 20
RELAY = '[Variant "ghana:pits=10"]\n[FEN "2-5-4-3-2-3-4-1-5-4-3-4-3-5-1-3-2-3-4-3-0-0-S"]\n\n1. 1 *\n'
ENDLESS = {"rules": "ghana-basic", "start": "1-6-3-11-1-0-6-0-4-1-2-11-0-2-N", "north": {"who": "me"}}
REQUESTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("/api/rules", {"village": "a" + ".a" * 9900 + "=1"}),
    ("/api/ogn/read", {"text": RELAY}),
    ("/api/games", ENDLESS),
    ("/api/position", {"rules": "ghana:pits=10", "start": RELAY.split('"')[3]}),
)
"""What was found to block a server: a deeply dotted key, relays that sow for minutes."""


def attack(address: str, source: str, stop: threading.Event) -> None:
    """Repeat the requests from an address of one's own until told to stop."""
    host, _, port = address.removeprefix("http://").partition(":")
    while not stop.is_set():
        for path, body in REQUESTS:
            connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=30, source_address=(source, 0))
            headers = {"host": f"{host}:{port}", "content-type": "application/json"}
            try:
                connection.request("POST", path, json.dumps(body), headers)
                connection.getresponse().read()
            except OSError:
                pass
            finally:
                connection.close()


async def reconnect(address: str, stop: threading.Event) -> None:
    """Come back to a game that an endless sowing has ended, again and again, as a page that missed everything."""
    from websockets.asyncio.client import connect

    def make() -> tuple[str, str]:
        host, _, port = address.removeprefix("http://").partition(":")
        connection = http.client.HTTPConnection(host, int(port), timeout=30)
        connection.request("POST", "/api/games", json.dumps(ENDLESS), {"content-type": "application/json"})
        answer = connection.getresponse()
        return str(json.load(answer)["key"]), str(answer.headers["set-cookie"]).partition(";")[0]

    key, cookie = await asyncio.to_thread(make)
    url = f"{address.replace('http', 'ws')}/api/games/{key}/ws"
    async with connect(url, additional_headers={"cookie": cookie}) as connection:
        await connection.recv()
        await connection.send(json.dumps({"type": "move", "ply": 0, "move": "11"}))
        while json.loads(await connection.recv())["type"] != "moved":
            pass
    while not stop.is_set():
        async with connect(f"{url}?ply=0", additional_headers={"cookie": cookie}) as connection:
            await connection.recv()
        await asyncio.sleep(0.1)


async def games(address: str, seconds: float) -> Tally:
    """Play for a while, a move a second in each game."""
    tally = Tally()
    now = asyncio.get_running_loop().time()
    played = (play(address, tally, now + i / GAMES, now + seconds) for i in range(GAMES))
    for result in await asyncio.gather(*played, return_exceptions=True):
        if isinstance(result, BaseException):
            tally.errors += 1
            print(f"abuse: {result!r}", file=sys.stderr)
    return tally


async def attacked(address: str) -> Tally:
    stop = threading.Event()
    threads = [threading.Thread(target=attack, args=(address, f"127.0.0.{2 + n}", stop)) for n in range(4)]
    for thread in threads:
        thread.start()
    back = asyncio.create_task(reconnect(address, stop))
    try:
        return await games(address, SECONDS)
    finally:
        stop.set()
        await asyncio.gather(back, return_exceptions=True)
        for thread in threads:
            await asyncio.to_thread(thread.join)


async def beside_analyses(address: str) -> list[float]:
    """Return how long a game against level 1 waits for each answer while twenty pages analyse."""
    from websockets.asyncio.client import connect

    url = f"{address.replace('http', 'ws')}/api/analysis/ws"
    pages = [await connect(url) for _ in range(ANALYSES)]
    for page in pages:
        await page.send(json.dumps({"type": "analyse", "id": 1, "seconds": 60.0}))
    while json.loads(await pages[0].recv())["type"] != "analysis":
        pass
    waits: list[float] = []
    host, _, port = address.removeprefix("http://").partition(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=30)
    body = {"north": {"who": "computer", "name": "engine:1"}}
    connection.request("POST", "/api/games", json.dumps(body), {"content-type": "application/json"})
    answer = connection.getresponse()
    cookie = str(answer.headers["set-cookie"]).partition(";")[0]
    game = f"{address.replace('http', 'ws')}/api/games/{json.load(answer)['key']}/ws"
    async with connect(game, additional_headers={"cookie": cookie}) as connected:
        sent, asked = 0.0, 0
        while len(waits) < 10:
            message = json.loads(await connected.recv())
            if message["type"] == "moved" and message["trace"]["mover"] == 1:
                waits.append(time.monotonic() - sent)
            view = message.get("view")
            if view is None or view["turn"] != 0 or view["over"]:
                if view is not None and view["over"]:
                    break
                continue
            sent, asked = time.monotonic(), asked + 1
            await connected.send(json.dumps({"type": "move", "ply": message["ply"], "move": view["legal"][0]["move"]}))
    for page in pages:
        await page.close()
    return waits


def soon(tally: Tally) -> float:
    return 100 * sum(wait <= SOON for wait in tally.waits) / len(tally.waits)


def run() -> list[Row]:
    with server() as address:
        asyncio.run(games(address, 4.0))  # warm up
        quiet = asyncio.run(games(address, SECONDS))
        loaded = asyncio.run(attacked(address))
        waits = sorted(asyncio.run(beside_analyses(address)))
    slowest = sorted(loaded.waits)[int(0.95 * len(loaded.waits))]
    return [
        Row(what=f"moves of {GAMES} games within 100 ms, %", unit="", ours=soon(quiet)),
        Row(what="  the same beside four attackers, %", unit="", ours=soon(loaded), at_least=95),
        Row(what="  games without an error then, %", unit="", ours=100 - 100 * loaded.errors / GAMES, at_least=100),
        Row(what="  the slowest of twenty then, ms", unit="", ours=1000 * slowest, at_most=1000 * SOON),
        Row(
            what=f"level 1 beside {ANALYSES} analyses, slowest of ten answers, s", unit="", ours=waits[-1], at_most=1.0
        ),
    ]
