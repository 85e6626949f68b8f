"""WebSockets: one a game, and one for a page that analyses. Strangers' messages are measured before they are read."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import Counter
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import Field, ValidationError

from awale.errors import AwaleError
from awale.i18n import text
from awale.web import describe, engine_jobs
from awale.web.engine_pool import Pool, Ticket
from awale.web.game_registry import GameRegistry, NoSuchGame
from awale.web.live_game import Connection, LiveGame, NotAllowed, Refused
from awale.web.request_parsing import AskedGame
from awale.web.security import COOKIE, Bucket, address, hashed, host_allowed, origin_allowed, readable_secret
from awale.web.settings import Settings

router = APIRouter()
Json = dict[str, Any]

# Close codes of our own (4000 and up), so that a page knows whether coming back makes sense.
NO_GAME, FULL, FLOOD, TOO_LARGE, UNREADABLE, FOREIGN = 4404, 4503, 4429, 4413, 4400, 4403


class Unwelcome(Exception):
    """This socket is to be closed."""

    def __init__(self, code: int, reason: str) -> None:
        self.code, self.reason = code, reason


class Line:
    """A WebSocket with its limits."""

    def __init__(self, socket: WebSocket) -> None:
        self.socket = socket
        self.settings: Settings = socket.app.state.settings
        rate = self.settings.messages_a_second
        self._bucket = Bucket(rate, 3 * rate)

    async def open(self) -> None:
        """Accept own pages and programs, within the number of sockets that one address may have."""
        if not host_allowed(self.settings, self.socket.headers) or not origin_allowed(
            self.settings, self.socket.headers
        ):
            await self.socket.close(FOREIGN)
            raise WebSocketDisconnect(FOREIGN)
        await self.socket.accept()
        open_sockets: Counter[str] = self.socket.app.state.sockets
        if open_sockets[address(self.socket.scope)] >= self.settings.sockets_each:
            raise Unwelcome(FULL, "too many connections")
        open_sockets[address(self.socket.scope)] += 1
        self._counted = True

    _counted = False

    def closed(self) -> None:
        if self._counted:
            open_sockets: Counter[str] = self.socket.app.state.sockets
            open_sockets[address(self.socket.scope)] -= 1
            if open_sockets[address(self.socket.scope)] <= 0:
                del open_sockets[address(self.socket.scope)]

    async def receive(self) -> Json:
        """The next message: a JSON object of bearable size, not too soon after the last one."""
        message = await self.socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        if not self._bucket.take():
            raise Unwelcome(FLOOD, "too many messages")
        said = message.get("text")
        if said is None:
            raise Unwelcome(UNREADABLE, "messages are text")
        if len(said) > self.settings.message_limit:
            raise Unwelcome(TOO_LARGE, "message too large")
        try:
            read = json.loads(said)
        except (ValueError, RecursionError):
            raise Unwelcome(UNREADABLE, "messages are JSON") from None
        if not isinstance(read, dict):
            raise Unwelcome(UNREADABLE, "messages are JSON objects")
        return read

    async def send(self, message: Json) -> None:
        await self.socket.send_text(json.dumps(message, separators=(",", ":")))

    async def close(self, code: int, reason: str) -> None:
        with contextlib.suppress(RuntimeError, WebSocketDisconnect, OSError):
            await self.socket.close(code, reason)


def refused(error: AwaleError, message: Json) -> Json:
    """Why something asked for does not happen."""
    texts = error.texts if isinstance(error, Refused) else describe.in_all(lambda _: str(error))
    code = error.code if isinstance(error, Refused) else type(error).__name__
    return {"type": "refused", "what": str(message.get("type"))[:20], "code": code, "text": texts}


@router.websocket("/api/games/{key}/ws")
async def play(socket: WebSocket, key: str, ply: int | None = None) -> None:
    """A game. Comes in with the ply it knows; gets the game, then everything that happens."""
    line = Line(socket)
    connection: Connection | None = None
    live: LiveGame | None = None
    writer: asyncio.Task[None] | None = None
    try:
        await line.open()
        registry: GameRegistry = socket.app.state.registry
        live = await registry.find(key)
        if len(live.connections) >= line.settings.watchers:
            raise Unwelcome(FULL, "too many are looking at this game")
        secret = readable_secret(socket.cookies.get(COOKIE))
        connection = Connection(live.seats_of(hashed(secret) if secret else None))
        live.enter(connection, ply)
        writer = asyncio.create_task(_write(line, connection))
        while True:
            message = await line.receive()
            if message.get("type") == "ping":
                connection.tell({"type": "pong"})
                continue
            if live.key not in registry.games:  # left memory while this socket slept
                raise Unwelcome(1012, "come back")
            try:
                await live.act(connection.seats, message)
            except AwaleError as error:
                connection.tell({**refused(error, message), "ply": len(live.game.moves)})
            if connection.lost:
                raise Unwelcome(FULL, "messages are not read")
    except NoSuchGame:
        await line.close(NO_GAME, "there is no such game")
    except Unwelcome as unwelcome:
        await line.close(unwelcome.code, unwelcome.reason)
    except WebSocketDisconnect:
        pass
    finally:
        if live is not None and connection is not None:
            live.leave(connection)
        if writer is not None:
            writer.cancel()
        line.closed()


async def _write(line: Line, connection: Connection) -> None:
    with contextlib.suppress(RuntimeError, WebSocketDisconnect, OSError):
        while True:
            message = await connection.waiting.get()
            if message is None or connection.lost:
                break
            await line.send(message)
        await line.close(FULL, "messages are not read")


class AskedThinking(AskedGame):
    """What a page wants thought about: a position until it says stop, or a game move by move."""

    type: str = Field(pattern="^(analyse|review)$")
    id: int = Field(ge=0, le=2**53)
    seconds: float = Field(default=20.0, ge=0.02, le=600.0)


@router.websocket("/api/analysis/ws")
async def think(socket: WebSocket) -> None:
    """Live analysis: the newest question is worked on, an older one is dropped."""
    line = Line(socket)
    owner = f"analysis:{id(line)}"
    connection = Connection(())
    pool: Pool = socket.app.state.pool
    ticket: Ticket | None = None
    tasks: set[asyncio.Task[None]] = set()
    writer: asyncio.Task[None] | None = None
    try:
        await line.open()
        writer = asyncio.create_task(_write(line, connection))
        while True:
            message = await line.receive()
            if message.get("type") == "ping":
                connection.tell({"type": "pong"})
                continue
            if ticket is not None:
                pool.cancel(ticket)
                ticket = None
            if message.get("type") == "stop":
                continue
            try:
                sent = AskedThinking.model_validate(message)
                game = await asyncio.to_thread(sent.the_game)
                if game.over and sent.type == "analyse":
                    connection.tell({"type": "over", "id": sent.id})
                    continue
                ticket = _submit(pool, owner, sent, game, line.settings, connection)
            except ValidationError:
                connection.tell({"type": "refused", "code": "unknown", "text": NotAllowed("unknown").texts})
                continue
            except AwaleError as error:
                connection.tell(refused(error, message))
                continue
            task = asyncio.create_task(_deliver(ticket, sent.id, connection))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
    except Unwelcome as unwelcome:
        await line.close(unwelcome.code, unwelcome.reason)
    except WebSocketDisconnect:
        pass
    finally:
        if ticket is not None:
            pool.cancel(ticket)
        if writer is not None:
            writer.cancel()
        line.closed()


def _submit(
    pool: Pool, owner: str, sent: AskedThinking, game: Any, settings: Settings, connection: Connection
) -> Ticket:
    seconds = min(sent.seconds, settings.analysis_seconds)
    if sent.type == "review":
        # One question, many positions: the whole stays within what an analysis may take.
        plies = max(1, len(game.moves))
        seconds = min(seconds / plies, 2.0)
        job = engine_jobs.job("review", game, seconds=seconds)
        seconds *= plies
    else:
        job = engine_jobs.job("analyse", game, seconds=seconds)
    if not pool.ready:
        connection.tell({"type": "warming", "text": describe.in_all(lambda lang: text("web.warming", lang))})
    return pool.submit(
        owner,
        job,
        seconds=seconds,
        on_progress=lambda news: connection.tell({"type": sent.type, "id": sent.id, **news}),
    )


async def _deliver(ticket: Ticket, number: int, connection: Connection) -> None:
    try:
        result = await ticket.result
    except asyncio.CancelledError:
        return
    except AwaleError as error:
        sentence = str(error)
        connection.tell({"type": "trouble", "id": number, "text": describe.in_all(lambda _: sentence)})
        return
    connection.tell({"type": "done", "id": number, **result})
