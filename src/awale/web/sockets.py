"""The WebSockets of a game and of an analysis."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections import Counter
from functools import partial
from typing import Any, TypeVar

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import TypeAdapter, ValidationError

from awale.errors import AwaleError
from awale.game import Game
from awale.i18n import message as catalogue
from awale.match import MatchError
from awale.web import engine_jobs, schema
from awale.web.engine_pool import Pool, Ticket
from awale.web.game_registry import GameRegistry, NoSuchGame
from awale.web.language import translations
from awale.web.live_game import Connection, LiveGame
from awale.web.request_pool import RequestPool
from awale.web.security import Bucket, address, host_allowed, origin_allowed, own_hash
from awale.web.settings import Settings

log = logging.getLogger("awale.web")
router = APIRouter()
Request = TypeVar("Request")

# Close codes from 4000 on are an application's own: by them a page knows whether connecting again makes sense.
NO_GAME, FULL, FLOOD, TOO_LARGE, UNREADABLE, FOREIGN = 4404, 4503, 4429, 4413, 4400, 4403
RESTART = 1012


class CloseSocket(Exception):
    """The socket is to be closed with this code."""

    def __init__(self, code: int) -> None:
        self.code = code


class LimitedSocket:
    """A WebSocket with limits on size, rate and number, and a queue of outgoing messages.

    A context manager: it accepts the socket, writes what the connection queues, and closes the socket at the end.
    """

    def __init__(self, socket: WebSocket) -> None:
        self.socket = socket
        self.settings: Settings = socket.app.state.settings
        rate = self.settings.messages_a_second
        self._bucket = Bucket(rate, 3 * rate)
        self._counted = False
        self._writer: asyncio.Task[None] | None = None

    async def __aenter__(self) -> LimitedSocket:
        headers, address_ = self.socket.headers, address(self.socket.scope)
        state = self.socket.app.state
        if not host_allowed(self.settings, headers) or not origin_allowed(
            self.settings, headers, self.socket.scope["scheme"]
        ):
            await self.socket.close(FOREIGN)
            raise WebSocketDisconnect(FOREIGN)
        open_sockets: Counter[str] = state.sockets
        # Refused without a handshake: a page could read a close code only after one, and that is the work to be saved.
        if not state.handshakes.take(address_) or open_sockets[address_] >= self.settings.sockets_each:
            await self.socket.close(FULL)
            raise WebSocketDisconnect(FULL)
        await self.socket.accept()
        open_sockets[address_] += 1
        self._counted = True
        return self

    async def __aexit__(self, kind: object, error: BaseException | None, traceback: object) -> bool:
        if self._writer is not None:
            self._writer.cancel()
        open_sockets: Counter[str] = self.socket.app.state.sockets
        open_sockets[address(self.socket.scope)] -= 1
        if open_sockets[address(self.socket.scope)] <= 0:
            del open_sockets[address(self.socket.scope)]
        if isinstance(error, NoSuchGame):
            error = CloseSocket(NO_GAME)
        elif isinstance(error, AwaleError):  # the game cannot be loaded now; the page tries again
            log.warning("a game is not available: %s", error)
            error = CloseSocket(RESTART)
        if isinstance(error, CloseSocket):
            await self._close(error.code)
        return isinstance(error, CloseSocket | WebSocketDisconnect)

    def write(self, connection: Connection) -> None:
        """Send what a connection queues from now on."""
        self._writer = asyncio.create_task(self._write(connection))

    async def _write(self, connection: Connection) -> None:
        with contextlib.suppress(RuntimeError, WebSocketDisconnect, OSError):
            while not connection.overflown:
                await self.socket.send_text(await connection.queue.get())
            await self._close(FULL)

    async def _close(self, code: int) -> None:
        with contextlib.suppress(RuntimeError, WebSocketDisconnect, OSError):
            await self.socket.close(code)

    async def receive(self, connection: Connection, requests: TypeAdapter[Request]) -> Request:
        """Return the next readable request; pings are answered and other messages refused here."""
        while True:
            message = await self._receive()
            if message.get("type") == "ping":
                connection.tell(schema.Pong())
                continue
            try:
                return requests.validate_python(message, strict=True)
            except ValidationError:
                connection.tell(refused(MatchError("unknown"), str(message.get("type"))[:20]))

    async def _receive(self) -> dict[str, Any]:
        message = await self.socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        if not self._bucket.take():
            raise CloseSocket(FLOOD)
        text = message.get("text")
        if text is None:
            raise CloseSocket(UNREADABLE)
        if len(text) > self.settings.message_limit:
            raise CloseSocket(TOO_LARGE)
        try:
            read = json.loads(text)
        except (ValueError, RecursionError):
            raise CloseSocket(UNREADABLE) from None
        if not isinstance(read, dict):
            raise CloseSocket(UNREADABLE)
        return read


def refused(error: AwaleError, request: str, ply: int | None = None) -> schema.Refused:
    """Return the message that says why a request is refused."""
    code = str(getattr(error, "code", None) or getattr(error.said, "code", type(error).__name__))
    return schema.Refused(request=request, code=code, text=translations(error), ply=ply)


@router.websocket("/api/games/{key}/ws")
async def play(socket: WebSocket, key: str, ply: int | None = None) -> None:
    """Play or watch a game: the whole game first, with the moves since `ply`, then everything that happens."""
    registry: GameRegistry = socket.app.state.registry
    async with LimitedSocket(socket) as limited:
        live = await registry.find(key)
        if len(live.connections) >= limited.settings.watchers:
            raise CloseSocket(FULL)
        connection = Connection(live.seats_of(own_hash(socket)), address(socket.scope))
        live.enter(connection, ply)
        try:
            limited.write(connection)
            await _serve(limited, connection, live, registry)
        finally:
            live.leave(connection)


async def _serve(limited: LimitedSocket, connection: Connection, live: LiveGame, registry: GameRegistry) -> None:
    while True:
        request = await limited.receive(connection, schema.game_messages)
        if live.key not in registry.games:  # dropped from memory meanwhile
            raise CloseSocket(RESTART)
        try:
            await live.act(connection, request)
        except AwaleError as error:
            connection.tell(refused(error, request.type, live.match.ply))


@router.websocket("/api/analysis/ws")
async def analysis(socket: WebSocket) -> None:
    """Analyse live: a new request replaces the one before."""
    pool: Pool = socket.app.state.pool
    requests: RequestPool = socket.app.state.requests
    connection = Connection(())
    owner = address(socket.scope)
    ticket: Ticket | None = None
    deliveries: set[asyncio.Task[None]] = set()
    async with LimitedSocket(socket) as limited:
        limited.write(connection)
        try:
            while True:
                request = await limited.receive(connection, schema.analysis_messages)
                if ticket is not None:
                    pool.cancel(ticket)
                    ticket = None
                if not isinstance(request, schema.Analyse):
                    continue
                try:
                    game = await requests.run(address(socket.scope), request.build_game)
                    if game.over and request.type == "analyse":
                        connection.tell(schema.GameOver(id=request.id))
                        continue
                    ticket = _submit(pool, owner, request, game, limited.settings, connection)
                except AwaleError as error:
                    connection.tell(refused(error, request.type))
                    continue
                task = asyncio.create_task(_deliver(ticket, request, connection))
                deliveries.add(task)
                task.add_done_callback(deliveries.discard)
        finally:
            if ticket is not None:
                pool.cancel(ticket)


def _submit(
    pool: Pool, owner: str, request: schema.Analyse, game: Game, settings: Settings, connection: Connection
) -> Ticket:
    seconds = min(request.seconds, settings.analysis_seconds)
    # A review as a whole takes no longer than an analysis may.
    plies = max(1, len(game.moves)) if request.type == "review" else 1
    each = min(seconds / plies, 2.0) if request.type == "review" else seconds

    def tell_compiling() -> None:
        connection.tell(schema.Warming(text=translations(catalogue("web.warming"))))

    if not pool.ready:
        tell_compiling()
    return pool.submit(
        owner,
        engine_jobs.job(request.type, game, seconds=each),
        seconds=each * plies,
        background=True,
        on_progress=partial(_tell_progress, connection, request),
        on_compiling=tell_compiling,
    )


def _tell_progress(connection: Connection, request: schema.Analyse, news: dict[str, Any]) -> None:
    if request.type == "analyse":
        connection.tell(schema.AnalysisUpdate(id=request.id, done=False, **news))
    else:
        connection.tell(schema.ReviewProgress(id=request.id, **news))


async def _deliver(ticket: Ticket, request: schema.Analyse, connection: Connection) -> None:
    try:
        result = await ticket.result
    except asyncio.CancelledError:
        return
    except AwaleError as error:
        connection.tell(schema.Trouble(id=request.id, text=translations(error)))
        return
    if request.type == "analyse":
        connection.tell(schema.AnalysisUpdate(id=request.id, done=True, **result))
    else:
        connection.tell(schema.ReviewDone(id=request.id, **result))
