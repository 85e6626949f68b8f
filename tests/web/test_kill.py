"""The server killed without warning while games run: no acknowledged move is lost."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidMessage

from tests.web.conftest import Server

ROUNDS = 20
GAMES = 4


async def play(server: Server, key: str, cookie: str, told: dict[str, list[str]], chance: random.Random) -> None:
    """Both sides of a game as fast as it goes, noting every move that the server acknowledged."""
    address = f"{server.url.replace('http', 'ws')}/api/games/{key}/ws"
    try:
        async with connect(address, additional_headers={"cookie": cookie}) as socket:
            while True:
                message = json.loads(await socket.recv())
                if message["type"] == "game":
                    moves = [row["move"] for row in message["moves"]]
                    assert moves[: len(told[key])] == told[key], "an acknowledged move is gone"
                    told[key] = moves
                elif message["type"] == "moved":
                    told[key] = [*told[key][: message["ply"] - 1], message["trace"]["move"]]
                else:
                    continue
                if message["view"]["over"]:
                    return
                move = chance.choice(message["view"]["legal"])["move"]
                await socket.send(json.dumps({"type": "move", "ply": message["ply"], "move": move}))
                await asyncio.sleep(0.05)  # within the rate that a page may send at
    except (ConnectionClosed, InvalidMessage, OSError):
        return  # killed


def new_games(server: Server, cookie: str) -> list[str]:
    body = {"rules": "wikipedia", "north": {"who": "me"}}
    with httpx.Client(base_url=server.url, headers={"cookie": cookie}) as client:
        return [client.post("/api/games", json=body).raise_for_status().json()["key"] for _ in range(GAMES)]


def test_no_acknowledged_move_is_lost(tmp_path: Path) -> None:
    chance = random.Random(20)
    server = Server(tmp_path, "--no-warm")
    cookie = "awale=" + "k" * 32
    told: dict[str, list[str]] = {}

    async def round_of_play(moves: int) -> None:
        wanted = moves + sum(map(len, told.values()))
        tasks = [asyncio.create_task(play(server, key, cookie, told, chance)) for key in told]
        while sum(map(len, told.values())) < wanted and not all(task.done() for task in tasks):
            await asyncio.sleep(0.005)
        server.kill()
        results: list[Any] = await asyncio.gather(*tasks, return_exceptions=True)
        assert [r for r in results if isinstance(r, BaseException)] == []

    for _ in range(ROUNDS):
        server.start()
        if not told or all(len(moves) > 60 for moves in told.values()):
            told |= {key: [] for key in new_games(server, cookie)}
        told = {key: moves for key, moves in told.items() if len(moves) <= 60} or told
        asyncio.run(round_of_play(chance.randint(1, 40)))
    server.start()
    try:
        for key, moves in told.items():
            game = httpx.get(f"{server.url}/api/games/{key}").json()
            assert [row["move"] for row in game["moves"]][: len(moves)] == moves
        assert sum(map(len, told.values())) > 20
    finally:
        server.stop()
