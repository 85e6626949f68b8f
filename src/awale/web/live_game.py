"""One game on the server: drives a `Match` for the connections of its players and spectators.

Every change is applied to a copy of the match, stored, and only then adopted and sent: nothing that a page has seen is
lost, and a change that the store refuses did not happen.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import asdict
from functools import partial
from time import monotonic
from typing import Any, TypeAlias

from awale.errors import AwaleError, SowingError
from awale.game import Game
from awale.i18n import message as catalogue
from awale.match import (
    Answered,
    Ended,
    Event,
    Fault,
    Match,
    MatchError,
    Moved,
    Offer,
    Offered,
    RematchAgreed,
    TakenBack,
)
from awale.players.base import Choice
from awale.rules import positions
from awale.rules.moves import make
from awale.store.games import Change, StaleGameError
from awale.web import engine_jobs, request_parsing, schema
from awale.web.batch_writer import BatchWriter, settle
from awale.web.engine_pool import BusyError, JobFailed, Pool, WorkerLost
from awale.web.language import translations
from awale.web.request_pool import RequestPool

log = logging.getLogger("awale.web")
Action: TypeAlias = Callable[[Match, float], tuple[Event, ...]]
ENGINE_TRIES = 3
THINKING_LIMIT = 30.0
"""Seconds that a program without a clock may take for a move."""
RETRY_SECONDS = 1.0
"""The wait after a failure of the pool or the store."""
PACE_SECONDS = 0.8
"""The pause between the moves of two programs, so that a spectator can follow."""
AWAY_SECONDS = 5.0
"""How long everybody may be away before a program stops thinking: reloading a page takes less."""
MISSED = 6
"""Moves that are animated for a page that reconnects; more are shown as a position."""


class Connection:
    """The outgoing queue of a WebSocket; a client that does not read is disconnected."""

    LIMIT = 200

    def __init__(self, seats: tuple[int, ...], address: str = "") -> None:
        self.seats, self.address = seats, address
        self.queue: asyncio.Queue[str] = asyncio.Queue(self.LIMIT)
        self.overflown = False

    def tell(self, message: schema.Wire) -> None:
        self.send(message.model_dump_json())

    def send(self, text: str) -> None:
        try:
            self.queue.put_nowait(text)
        except asyncio.QueueFull:
            self.overflown = True


class LiveGame:
    """A match, the secrets that hold its seats, its connections, and the engine's work for it.

    All methods run in the server's event loop; changes are applied one after the other.
    """

    def __init__(
        self,
        number: int,
        key: str,
        match: Match,
        holders: tuple[set[str], set[str]],
        writer: BatchWriter,
        pool: Pool,
        create_rematch: Callable[[LiveGame], Awaitable[str]],
        *,
        threads: RequestPool,
        on_stale: Callable[[LiveGame], None],
        version: int = 0,
        rematch: str | None = None,
        now: Callable[[], float] = monotonic,
    ) -> None:
        self.number, self.key, self.match = number, key, match
        self.holders = holders
        """Hashes of the secrets that hold each seat."""
        self.writer, self.pool = writer, pool
        self.create_rematch, self.rematch = create_rematch, rematch
        self.now, self.threads = now, threads
        self.on_stale, self.version = on_stale, version
        self.budget = request_parsing.sowing_limit(request_parsing.GAME_LAPS)
        self.connections: set[Connection] = set()
        self.last_used = monotonic()
        self.rows = schema.rows(match.game)
        self.view = schema.View.of_game(match.game)
        self._traces = _last_traces(match.game)
        self._lock = asyncio.Lock()
        self._engine: asyncio.Task[None] | None = None
        self._engine_ply = -1
        self._answering: asyncio.Task[None] | None = None
        self._answered: Offer | None = None
        self._flag: asyncio.TimerHandle | None = None
        self._away = False
        self._away_timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def seats_of(self, secret_hash: str | None) -> tuple[int, ...]:
        """Return the seats that a secret holds."""
        return tuple(side for side in (0, 1) if secret_hash is not None and secret_hash in self.holders[side])

    @property
    def busy(self) -> bool:
        """Whether the game must stay in memory."""
        ticking = self.match.flag_in(self.now()) is not None and not self.match.over
        return bool(self.connections) or ticking or self._lock.locked()

    # -- connections -------------------------------------------------------------------------------------------------

    def snapshot(self, seats: tuple[int, ...], since: int | None = None) -> schema.GameState:
        """Return the whole game, with the traces of the moves since a ply."""
        game = self.match.game
        missed = 0 if since is None else self.match.ply - since
        return schema.GameState(
            key=self.key,
            rules=schema.Rules.of(game.rules),
            start=schema.Position.of(game.start),
            start_text=positions.write(game.rules, game.start),
            seats=[
                schema.SeatState(
                    kind="person" if seat.person else "computer", name=seat.name, present=self._present(side)
                )
                for side, seat in enumerate(self.match.seats)
            ],
            you=seats,
            solo=self.match.solo,
            moves=self.rows,
            missed=self._traces[-missed:] if 0 < missed <= len(self._traces) else [],
            **self._standing(),
        )

    def _standing(self) -> dict[str, Any]:
        match = self.match
        return {
            "ply": match.ply,
            "view": self.view,
            "can_undo": match.can_undo,
            "can_redo": match.can_redo,
            "offer": None if match.offer is None else asdict(match.offer),
            "clock": None if match.clock is None else schema.ClockState.of(match.clock, self.now()),
            "rematch": self.rematch,
            "fault": match.fault,
        }

    def _present(self, side: int) -> bool:
        return not self.match.seats[side].person or any(side in connection.seats for connection in self.connections)

    def tell(self, message: schema.Wire) -> None:
        """Send a message to every connection."""
        if self.connections:
            text = message.model_dump_json()
            for connection in self.connections:
                connection.send(text)

    def enter(self, connection: Connection, since: int | None = None) -> None:
        """Add a connection that knows the moves up to a ply."""
        self.connections.add(connection)
        self.last_used = monotonic()
        self._away = False
        if self._away_timer is not None:
            self._away_timer.cancel()
        self._continue()
        connection.tell(self.snapshot(connection.seats, since))
        self._tell_presence()

    def leave(self, connection: Connection) -> None:
        """Remove a connection. Programs do not think for long when nobody is connected, unless their time runs."""
        self.connections.discard(connection)
        self.last_used = monotonic()
        self._tell_presence()
        if not self.connections:
            self._continue()
            self._away_timer = asyncio.get_running_loop().call_later(AWAY_SECONDS, self._gone)

    def _gone(self) -> None:
        self._away = not self.connections
        self._continue()

    def _tell_presence(self) -> None:
        self.tell(schema.Presence(present=(self._present(0), self._present(1))))

    def close(self) -> None:
        """Leave memory. The store has everything."""
        self._stop()
        for task in self._tasks:
            task.cancel()
        if self._away_timer is not None:
            self._away_timer.cancel()
        self.tell(schema.Closing())

    # -- changes -----------------------------------------------------------------------------------------------------

    async def act(self, connection: Connection, request: schema.PlayMove | schema.Answer | schema.GameAction) -> None:
        """Do what a connection asks for. Raise `AwaleError` if that is refused."""
        seats = connection.seats
        if not seats:
            raise MatchError("watching")
        if request.type == "rematch" and self.rematch is not None:
            connection.tell(schema.Rematch(key=self.rematch))
            return
        await self._change(lambda match, now: _requested(match, now, seats, request))

    async def _change(self, action: Action) -> None:
        """Try an action on a copy of the match, store the result, adopt it and send what happened.

        What is stored is adopted, even if the caller is cancelled meanwhile.
        """
        now = self.now()
        await self._lock.acquire()
        try:
            trial = self.match.copy()

            def attempt() -> tuple[tuple[Event, ...], schema.View]:
                events = action(trial, now)
                return events, schema.View.of_game(trial.game) if events else self.view

            if trial.game.rules.sowing == "relay":  # can take a second in plain Python
                events, view = await self.threads.run(self.key, attempt, budget=self.budget)
            else:
                events, view = attempt()
            if not events:
                self._lock.release()
                return
            rematch = self.rematch
            if any(isinstance(event, RematchAgreed) for event in events):
                rematch = await self.create_rematch(self)
            change = self._stored(trial, rematch, now)
        except BaseException:
            self._lock.release()
            raise
        finished: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def done(_: None, error: AwaleError | None) -> None:
            self._lock.release()
            settle(finished, None, error)
            if isinstance(error, StaleGameError):
                self.on_stale(self)
            if error is None:
                self.match, self.rematch, self.view = trial, rematch, view
                self.version += 1
                self._adopted(events)

        self.writer.keep(change, done)
        await finished

    def _stored(self, match: Match, rematch: str | None, now: float) -> Change:
        game, outcome = match.game, match.game.outcome()
        return Change(
            number=self.number,
            key=self.key,
            version=self.version,
            reopened=self.match.over,
            moves=" ".join([move.text for move in game.moves]),
            scores=game.scores,
            winner=None if outcome is None else outcome.winner,
            end=None if outcome is None else outcome.reason,
            state=self.state(match, rematch, now),
        )

    def state(self, match: Match, rematch: str | None, now: float) -> dict[str, Any]:
        """Return what the store keeps beside the moves."""
        return {**match.state(now), "rematch": rematch}

    def _adopted(self, events: Sequence[Event]) -> None:
        """Send what happened and go on from there."""
        self.last_used = monotonic()
        for event in events:
            self.tell(self._record(event))
        self._continue()

    def _record(self, event: Event) -> schema.Wire:
        """Add an event to the rows and return its message."""
        game, standing = self.match.game, self._standing()
        match event:
            case Moved(ply, trace, note):
                last = ply + 1 == self.match.ply
                self.rows.append(schema.Row.of(trace, game.state if last else game.history[ply + 1]))
                self._traces = [*self._traces, schema.Trace.of(trace)][-MISSED:]
                if not last:
                    standing |= {"ply": ply + 1, "view": schema.View.of_game(_earlier(game, ply + 1))}
                said = None if note is None else translations(note)
                return schema.Moved(trace=self._traces[-1], row=self.rows[-1], note=said, **standing)
            case TakenBack(moves, reopened):
                self._stop()
                del self.rows[self.match.ply :]
                del self._traces[max(0, len(self._traces) - len(moves)) :]
                return schema.TakenBack(count=len(moves), reopened=reopened, **standing)
            case Offered() | Ended():
                return schema.StandingOnly(type="ended" if isinstance(event, Ended) else "offered", **standing)
            case Answered(offer, accepted):
                return schema.Answered(answer=schema.OfferState(**asdict(offer)), accepted=accepted, **standing)
            case RematchAgreed():
                assert self.rematch is not None
                return schema.Rematch(key=self.rematch)

    # -- time and programs -------------------------------------------------------------------------------------------

    def _continue(self) -> None:
        """Let time run and programs play, as the match now stands."""
        match, offer = self.match, self.match.offer
        person_asked = offer is not None and match.seats[1 - offer.by].person
        if offer is not None and not person_asked and offer != self._answered:
            self._answered = offer
            self._answering = self._spawn(self._answer(offer))
        unwatched = not self.connections and (not match.persons or (self._away and match.clock is None))
        waiting = match.over or match.seats[match.turn].person or person_asked or unwatched
        if waiting or self._engine is None or self._engine.done() or self._engine_ply != match.ply:
            self._stop()
            if not match.persons:
                match.pause(self.now())
            if not waiting:
                self._engine_ply = match.ply
                self._engine = self._spawn(self._play_program(match.turn, match.ply))
        if match.persons:
            match.resume(self.now())
        self._schedule_flag()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run work in the background and log its failure."""

        def finished(task: asyncio.Task[None]) -> None:
            self._tasks.discard(task)
            if not task.cancelled() and task.exception() is not None:
                log.info("game %s: %s", self.key, task.exception())

        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(finished)
        return task

    def _stop(self) -> None:
        """Stop the engine's work and the wait for the flag."""
        if self._engine is not None:
            self._engine.cancel()
            self._engine = None
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None

    def _schedule_flag(self, delay: float = 0.0) -> None:
        if self._flag is not None:
            self._flag.cancel()
        seconds = None if self.match.over else self.match.flag_in(self.now())
        self._flag = None
        if seconds is not None:
            loop = asyncio.get_running_loop()
            self._flag = loop.call_later(max(seconds, delay), lambda: self._spawn(self.check_flag()))

    async def check_flag(self) -> None:
        """End the match if the time of the side to move is up."""
        try:
            await self._change(lambda match, now: match.check_flag(now))
        except AwaleError:
            self._schedule_flag(RETRY_SECONDS)
            raise
        self._schedule_flag(0.001)

    async def _play_program(self, side: int, ply: int) -> None:
        """Let the program to move choose, and play its move."""
        if not self.match.persons:
            if ply:
                await asyncio.sleep(PACE_SECONDS)
            self.match.resume(self.now())
            self._schedule_flag()
        with contextlib.suppress(AwaleError):  # a program that cannot be asked offers nothing
            await self._offer_stop(side, ply)
        action = await self._choose(side)
        if self._answering is not None and not self._answering.done():
            await asyncio.wait({self._answering})

        def play(match: Match, now: float) -> tuple[Event, ...]:
            return action(match, now) if (match.ply, match.over) == (ply, False) else ()

        while True:
            try:
                await self._change(play)
                return
            except AwaleError as error:  # not stored
                await self._trouble(error)

    async def _choose(self, side: int) -> Action:
        """Return the program's move, or its failure. A pool that is busy or lost its worker is asked again."""
        detail = ""
        for _ in range(ENGINE_TRIES):
            clock = self.match.player_clock(self.now())
            try:
                if not self.pool.ready:
                    self._tell_compiling()
                answer = await self._submit("choose", side, clock=None if clock is None else asdict(clock))
            except JobFailed as error:
                return _fail(side, error.fault, str(error))
            except (BusyError, WorkerLost) as error:
                detail = str(error)
                await self._trouble(error)
            else:
                choice = Choice(make(self.match.game.rules, *answer["move"]), info=answer.get("info", {}))
                return partial(_play_program, side, choice)
        return _fail(side, "crash", detail)

    async def _trouble(self, error: AwaleError) -> None:
        log.warning("game %s: %s", self.key, error)
        self.tell(schema.Trouble(text=translations(catalogue("web.engine-trouble"))))
        await asyncio.sleep(RETRY_SECONDS)

    async def _submit(self, kind: str, side: int, **more: Any) -> dict[str, Any]:
        job = engine_jobs.job(kind, self.match.game, player=self.match.seats[side].name, key=self.key, **more)
        asking = sorted(self.connections, key=lambda connection: not connection.seats)
        owner = asking[0].address if asking else self.key
        ticket = self.pool.submit(owner, job, seconds=THINKING_LIMIT, on_compiling=self._tell_compiling)
        try:
            return await asyncio.shield(ticket.result)
        finally:
            self.pool.cancel(ticket)

    def _tell_compiling(self) -> None:
        self.tell(schema.Warming(text=translations(catalogue("web.warming"))))

    async def _answer(self, offer: Offer) -> None:
        """Answer an offer to stop for a program; one that fails loses, one that cannot be asked declines."""
        side = 1 - offer.by
        try:
            accept = bool((await self._submit("agree", side, offer=offer.by))["agrees"])
        except JobFailed as error:
            fail = _fail(side, error.fault, str(error))
            await self._change(lambda match, now: fail(match, now) if match.offer == offer else ())
            return
        except AwaleError as error:
            log.warning("game %s: %s", self.key, error)
            accept = False
        await self._change(lambda match, now: match.answer(side, offer.id, accept=accept, now=now))

    async def _offer_stop(self, side: int, ply: int) -> None:
        """Offer to stop for a program that wants to; it goes on when the person has declined."""
        if not self.match.may_offer_stop(side) or not (await self._submit("offers", side))["offers"]:
            return

        def offer(match: Match, now: float) -> tuple[Event, ...]:
            return match.offer_stop(side, now) if match.ply == ply and match.may_offer_stop(side) else ()

        await self._change(offer)


def _requested(
    match: Match,
    now: float,
    seats: tuple[int, ...],
    request: schema.PlayMove | schema.Answer | schema.GameAction,
) -> tuple[Event, ...]:
    """Apply what the holder of these seats asks for."""
    side = match.turn if match.turn in seats else seats[0]
    match request:
        case schema.PlayMove(ply=ply, move=move):
            if ply != match.ply:
                raise MatchError("late")
            if not match.over and (match.turn not in seats or not match.person_to_move):
                raise MatchError("turn")
            return match.play(side, move, now, laps=schema.MAX_LAPS)
        case schema.Answer(offer=offer):
            asked = side if match.offer is None else 1 - match.offer.by
            return match.answer(asked if asked in seats else seats[0], offer, accept=request.type == "accept", now=now)
    actions: dict[str, Callable[[int, float], tuple[Event, ...]]] = {
        "undo": match.undo,
        "redo": partial(match.redo, laps=schema.MAX_LAPS),
        "resign": match.resign,
        "offer": match.offer_stop,
        "rematch": match.offer_rematch,
    }
    if request.type not in actions:
        raise MatchError("unknown")
    return actions[request.type](side, now)


def _play_program(side: int, choice: Choice, match: Match, now: float) -> tuple[Event, ...]:
    try:
        return match.play_program(side, choice.move, now, laps=schema.MAX_LAPS, note=choice.note)
    except SowingError as error:
        return match.fail(side, "illegal", f"{choice.move}: {error}", now)


def _fail(side: int, fault: Fault, detail: str) -> Action:
    return lambda match, now: match.fail(side, fault, detail, now)


def _earlier(game: Game, ply: int) -> Game:
    """Return the game after its first moves."""
    earlier = game.copy()
    while len(earlier.moves) > ply:
        earlier.pop()
    return earlier


def _last_traces(game: Game) -> list[schema.Trace]:
    """Return the last moves of a stored game, for a page that has missed them."""
    moves = game.moves[-MISSED:]
    walk = _earlier(game, len(game.moves) - len(moves))
    return [schema.Trace.of(walk.play(move, laps=schema.MAX_LAPS)) for move in moves]
