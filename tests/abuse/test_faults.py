"""Writes that fail at every point of a game's life: what was acknowledged is stored, and the game goes on."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from sqlalchemy import event

from awale import Game
from awale.errors import AwaleError
from awale.match import Match
from awale.store import StoreError
from awale.web import schema
from awale.web.live_game import Connection, LiveGame
from tests.web.test_live_game import ME, Server

LIFE = ("F", "f", "undo", "redo", "E", "e", "D", "resign", "undo", "d", "rematch")
"""One person plays both sides. A rematch needs a finished game, so the last one is refused."""


@pytest_asyncio.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    made = Server(tmp_path)
    yield made
    await made.registry.close()
    await asyncio.to_thread(made.writer.close)
    made.store.close()


async def do(live: LiveGame, connection: Connection, what: str) -> None:
    """Do one thing of a game's life; raise what the server answers."""
    if len(what) == 1:
        await live.act(connection, schema.PlayMove(type="move", ply=live.match.ply, move=what))
    else:
        await live.act(connection, schema.GameAction(type=what))  # type: ignore[arg-type]


def acknowledged(connection: Connection, moves: list[str]) -> None:
    """Apply what the page was told to the moves that it shows."""
    while not connection.queue.empty():
        message: dict[str, Any] = json.loads(connection.queue.get_nowait())
        if message["type"] == "moved":
            moves[:] = [*moves[: message["ply"] - 1], message["row"]["move"]]
        elif message["type"] == "taken-back":
            del moves[message["ply"] :]


async def live_through(server: Server, again: bool) -> list[tuple[str, AwaleError]]:
    """Live a game's life, with a second try of what fails if `again`; compare with the store at every step."""
    live, connection = await server.start(Match(Game("abapa"), shared=True))
    shown: list[str] = []
    failures: list[tuple[str, AwaleError]] = []
    for what in LIFE:
        for _ in range(2 if again else 1):
            try:
                await do(live, connection, what)
                break
            except AwaleError as error:
                failures.append((what, error))
        acknowledged(connection, shown)
        assert shown == [str(move) for move in live.match.game.moves]
        with server.store.transaction(read_only=True) as session:
            row = server.store.games.by_key(session, live.key)
            assert row is not None
            assert row.moves.split() == shown
    loaded = await server.new_registry().find(live.key)
    assert [str(move) for move in loaded.match.game.moves] == shown
    assert loaded.match.over is live.match.over
    return failures


@pytest.mark.parametrize("number", range(1, 11))
async def test_the_nth_write_fails(server: Server, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """It fails as a disk does, after the statements and before the commit."""
    await server.registry.extend_leases()
    writes = 0
    transaction = server.writer._transaction

    def failing(batch: Any) -> Any:
        nonlocal writes
        writes += 1
        if writes == number + 1:  # the first one creates the game
            with server.store.transaction() as session:
                server.store.games.keep(session, [task.what for task in batch])
                raise sqlite3.OperationalError("disk I/O error")
        return transaction(batch)

    monkeypatch.setattr(server.writer, "_transaction", failing)
    failures = await live_through(server, again=True)
    injected = [what for what, error in failures if isinstance(error, StoreError)]
    assert len(injected) == (1 if writes > number else 0)
    assert all("Traceback" not in str(error) for _, error in failures)


@pytest.mark.parametrize("spare", range(4))
async def test_the_disk_is_full_from_some_point_on(server: Server, spare: int) -> None:
    """SQLite may grow by a few pages only; the game is long enough to need more."""
    state = {"limit": 0}

    @event.listens_for(server.store.engine, "begin")
    def limit(connection: Any) -> None:
        if state["limit"]:
            connection.exec_driver_sql(f"PRAGMA max_page_count={state['limit']}")

    live, connection = await server.start(Match(Game("abapa"), shared=True))
    with server.store.engine.connect() as raw:
        state["limit"] = raw.exec_driver_sql("PRAGMA page_count").scalar_one() + spare
    shown: list[str] = []
    refused = 0
    while refused == 0 and not live.match.over and live.match.ply < 60:
        try:
            await do(live, connection, str(live.match.game.legal_moves[0]))
        except AwaleError:
            refused += 1
        acknowledged(connection, shown)
        assert shown == [str(move) for move in live.match.game.moves]
    # Games are created until the disk is full in any case.
    while refused == 0:
        try:
            await server.registry.create(Match(Game("abapa", moves="F f E"), shared=True), ({ME}, {ME}))
        except StoreError:
            refused += 1
    state["limit"] = 2**20  # somebody has made room
    loaded = await server.new_registry().find(live.key)
    assert [str(move) for move in loaded.match.game.moves] == shown
    if not live.match.over:
        await do(live, connection, str(live.match.game.legal_moves[0]))
