"""A live: one game being played, its seats and clock, and everybody who looks at it.

Every change is stored before it is told: what a page has seen is never lost.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Literal

from awale.clock import Clock
from awale.errors import AwaleError
from awale.game import Game
from awale.i18n import text
from awale.rules import positions
from awale.store import StoreError
from awale.store.games import Change
from awale.web import describe, engine_jobs, request_parsing
from awale.web.batch_writer import BatchWriter
from awale.web.engine_pool import Pool, Ticket

log = logging.getLogger("awale.web")
Json = dict[str, Any]
OfferKind = Literal["end", "undo", "rematch"]
ENGINE_TRIES = 3
THINKING_LIMIT = 30.0
"""Seconds that a player may take for a move."""
QUIET = 30
"""Moves without a capture after which a computer thinks about stopping."""


class Refused(AwaleError):
    """Something that cannot be, said in all languages: two people at a board need not share one."""

    def __init__(self, code: str, texts: dict[str, str]) -> None:
        self.code, self.texts = code, texts
        super().__init__(texts["en"])


class NotAllowed(Refused):
    """Something this seat may not do, or not now."""

    def __init__(self, key: str) -> None:
        super().__init__(key, describe.in_all(lambda lang: text(f"web.refused.{key}", lang)))


@dataclass(slots=True)
class Seat:
    """A side of the board: a person, known by secrets, or a player of `awale.players`."""

    kind: Literal["person", "computer"]
    name: str = ""
    secrets: set[str] = field(default_factory=set)
    """Hashes of the secrets that hold it."""


class Connection:
    """Somebody's WebSocket: messages wait here, and whoever does not read them is let go."""

    LIMIT = 200

    def __init__(self, seats: tuple[int, ...]) -> None:
        self.seats = seats
        self.waiting: asyncio.Queue[Json | None] = asyncio.Queue(self.LIMIT)
        self.lost = False

    def tell(self, message: Json) -> None:
        try:
            self.waiting.put_nowait(message)
        except asyncio.QueueFull:
            self.lost = True


class LiveGame:
    """One game. All its methods run in the server's event loop; `lock` keeps changes one after the other."""

    def __init__(
        self,
        number: int,
        key: str,
        game: Game,
        seats: tuple[Seat, Seat],
        writer: BatchWriter,
        pool: Pool,
        *,
        clock: Clock | None = None,
        redo: list[str] | None = None,
        rematch: str | None = None,
        make_rematch: Callable[[LiveGame], Awaitable[str]] | None = None,
    ) -> None:
        self.number = number
        self.key, self.game, self.seats = key, game, seats
        self.writer, self.pool = writer, pool
        self.clock = clock
        self.redo = redo or []
        self.offer: tuple[OfferKind, int] | None = None
        self.rematch = rematch
        self.make_rematch = make_rematch
        self.connections: set[Connection] = set()
        self.lock = asyncio.Lock()
        self.touched = monotonic()
        self.record = describe.record(game)
        self._thinking: Ticket | None = None
        self._engine_task: asyncio.Task[None] | None = None
        self._flag: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[Any]] = set()

    # -- who is who --------------------------------------------------------------------------------------------------

    def seats_of(self, secret_hash: str | None) -> tuple[int, ...]:
        """The sides that a secret may move."""
        return tuple(i for i, seat in enumerate(self.seats) if secret_hash is not None and secret_hash in seat.secrets)

    @property
    def alone(self) -> bool:
        """One person decides everything here: plays both sides, or against a computer, or watches computers play."""
        people = [seat for seat in self.seats if seat.kind == "person"]
        return len(people) < 2 or bool(people[0].secrets & people[1].secrets)

    @property
    def over(self) -> bool:
        return self.game.over

    # -- what is told ------------------------------------------------------------------------------------------------

    def snapshot(self, seats: tuple[int, ...], since: int | None = None) -> Json:
        """All there is to know, for somebody who comes in (again); with the traces of moves missed since a ply."""
        return {
            "type": "game",
            "key": self.key,
            "rules": describe.rules(self.game.rules),
            "start": describe.position(self.game.start),
            "startText": positions.write(self.game.rules, self.game.start),
            "seats": [
                {"kind": seat.kind, "name": seat.name, "present": self._present(i)} for i, seat in enumerate(self.seats)
            ],
            "you": seats,
            "alone": self.alone,
            "moves": self.record,
            "missed": self._missed(since),
            **self._standing(),
        }

    def _standing(self) -> Json:
        return {
            "ply": len(self.game.moves),
            "view": describe.view(self.game),
            "redo": len(self.redo),
            "offer": None if self.offer is None else {"kind": self.offer[0], "by": self.offer[1]},
            "clock": None if self.clock is None else self.clock.as_json(),
            "rematch": self.rematch,
        }

    def _present(self, seat: int) -> bool:
        return self.seats[seat].kind == "computer" or any(seat in connection.seats for connection in self.connections)

    def _missed(self, since: int | None) -> list[Json]:
        played = len(self.game.moves)
        if since is None or not 0 <= since < played or played - since > 6:
            return []
        walk = self.game.copy()
        moves = self.game.moves
        for _ in range(played - since):
            walk.pop()
        traces = []
        for move in moves[since:]:
            traces.append(describe.trace(walk, move))
            walk.push(move)
        return traces

    def tell(self, message: Json) -> None:
        for connection in self.connections:
            connection.tell(message)

    def enter(self, connection: Connection, since: int | None = None) -> None:
        self.connections.add(connection)
        self.touched = monotonic()
        connection.tell(self.snapshot(connection.seats, since))
        self._tell_presence()
        self.go_on()

    def leave(self, connection: Connection) -> None:
        self.connections.discard(connection)
        self.touched = monotonic()
        self._tell_presence()
        if not self.connections and all(seat.kind == "computer" for seat in self.seats):
            self._stop_thinking()  # nobody watches: the computers rest

    def _tell_presence(self) -> None:
        self.tell({"type": "presence", "present": [self._present(0), self._present(1)]})

    # -- what happens ------------------------------------------------------------------------------------------------

    async def act(self, seats: tuple[int, ...], message: Json) -> None:
        """One message of a page. Raises `AwaleError` with a sentence if it cannot be."""
        kind = message.get("type")
        if kind == "move":
            await self.move(seats, message.get("ply"), message.get("move"))
            return
        actions: dict[object, Callable[[tuple[int, ...]], Awaitable[None]]] = {
            "undo": self.undo,
            "redo": self.redo_move,
            "resign": self.resign,
            "offer": self.offer_end,
            "accept": self.accept,
            "decline": self.decline,
            "rematch": self.ask_rematch,
        }
        action = actions.get(kind) if isinstance(kind, str) else None
        if action is None:
            raise NotAllowed("unknown")
        if not seats and not (kind == "rematch" and self.alone):
            raise NotAllowed("watching")
        async with self.lock:
            self.touched = monotonic()
            await action(seats)

    async def move(self, seats: tuple[int, ...], ply: object, move: object) -> None:
        """A person's move, for the ply it was meant for: a message sent twice moves once."""
        async with self.lock:
            self.touched = monotonic()
            if not seats:
                raise NotAllowed("watching")
            if not isinstance(move, str) or len(move) > 20 or not isinstance(ply, int) or isinstance(ply, bool):
                raise NotAllowed("unknown")
            if ply != len(self.game.moves):
                raise NotAllowed("late")
            if self.game.over:
                raise NotAllowed("over")
            if self.game.turn not in seats or self.seats[self.game.turn].kind != "person":
                raise NotAllowed("turn")
            await self._play(move)

    async def _play(self, move: str, *, keep_redo: bool = False) -> None:
        """Play, store, tell. With the lock held."""
        mover = self.game.turn
        if self.clock is not None and self.clock.running == mover and self.clock.remaining(mover) <= 0:
            await self._time_out(mover)
            return
        played, trace, row = await self._rules(lambda: self._try(move))
        before = (self.game, self.redo, self.offer)
        clock_before = None if self.clock is None else self.clock.as_json()
        self.game = played
        if not keep_redo:
            self.redo = []
        if self.offer is not None and self.offer[1] != mover:
            self.offer = None
        if self.clock is not None:
            self.clock.moved(mover, None if played.over else played.turn)
        try:
            await self._store()
        except StoreError:
            self.game, self.redo, self.offer = before
            if clock_before is not None:
                self.clock = Clock.from_json(clock_before)
                self.clock.run(clock_before["running"])
            raise
        self.record.append(row)
        self.tell({"type": "moved", "trace": trace, "row": row, **self._standing()})
        self.go_on()

    def _try(self, move: str) -> tuple[Game, Json, Json]:
        refusal = self.game.refusal(move)
        if refusal is not None:
            raise Refused(refusal.code, describe.in_all(refusal.sentence))
        played = self.game.copy()
        trace = describe.played_trace(self.game, played, request_parsing.push(played, move))
        row = {"move": trace["move"], "mover": trace["mover"], "taken": trace["taken"]}
        return played, trace, {**row, "after": describe.position(played.state)}

    async def _rules(self, work: Callable[[], Any]) -> Any:
        """Relays can take a second in plain Python: they do it in a thread, so that the other games go on."""
        return await asyncio.to_thread(work) if self.game.rules.sowing == "relay" else work()

    async def undo(self, seats: tuple[int, ...]) -> None:
        if not self.game.moves:
            raise NotAllowed("nothing-to-undo")
        if not self.alone:
            self._offer("undo", seats)
            return
        await self._take_back()

    async def _take_back(self) -> None:
        """One move; against a computer back to the person's own turn."""
        self._stop_thinking()
        game, redo = self.game.copy(), list(self.redo)
        count = self._plies_back()
        for _ in range(count):
            redo.append(str(game.pop()))
        await self._change(game, redo)

    def _plies_back(self) -> int:
        people = {i for i, seat in enumerate(self.seats) if seat.kind == "person"}
        movers = [row["mover"] for row in self.record]
        count = 1
        while len(people) == 1 and count < len(movers) and movers[-count] not in people:
            count += 1
        return count

    async def redo_move(self, seats: tuple[int, ...]) -> None:
        if not self.redo or not self.alone:
            raise NotAllowed("nothing-to-redo")
        self._stop_thinking()
        while self.redo:
            await self._play(self.redo.pop(), keep_redo=True)
            if self.game.over or self.seats[self.game.turn].kind == "person":
                break

    async def _change(self, game: Game, redo: list[str]) -> None:
        """The game becomes another one of the same live (moves taken back)."""
        before = (self.game, self.redo)
        self.game, self.redo, self.offer = game, redo, None
        if self.clock is not None:
            self.clock.run(None if game.over else game.turn)
        try:
            await self._store()
        except StoreError:
            self.game, self.redo = before
            raise
        del self.record[len(game.moves) :]
        self.tell({"type": "undone", **self._standing()})
        self.go_on()

    async def resign(self, seats: tuple[int, ...]) -> None:
        self._on()
        side = self.game.turn if self.game.turn in seats else seats[0]
        game = self.game.copy()
        game.resign(side)
        await self._end(game)

    async def offer_end(self, seats: tuple[int, ...]) -> None:
        self._on()
        if self.alone and all(seat.kind == "person" for seat in self.seats):
            game = self.game.copy()  # both sides are the same person: asked and agreed
            game.offer_end()
            game.accept_end()
            await self._end(game)
            return
        side = self.game.turn if self.game.turn in seats else seats[0]
        other = 1 - side
        if self.seats[other].kind == "computer":
            if await self._computer_agrees(other, side):
                game = self.game.copy()
                game.offer_end(side)
                game.accept_end()
                await self._end(game)
            else:
                self.tell({"type": "declined", "by": other})
            return
        self._offer("end", seats)

    async def _computer_agrees(self, side: int, offerer: int) -> bool:
        """The player decides: it stops when it can gain no more."""
        game = self.game.copy()
        game.offer_end(offerer)
        job = engine_jobs.job("agree", game, player=self.seats[side].name, key=self.key, offer=offerer)
        answer = await self.pool.submit(f"game:{self.key}:offer", job).result
        return bool(answer["agrees"])

    async def _computer_offers(self, side: int) -> None:
        """A computer that gains no more, in a game that nothing else would end, offers to stop."""
        quiet = len(self.record) - self._quiet_since()
        endless = self.game.rules.repetition == "none" and self.game.rules.move_limit is None
        if self.game.over or not endless or quiet < QUIET or quiet % 10 or self.offer is not None:
            return
        try:
            agrees = await self._computer_agrees(side, 1 - side)
        except AwaleError:
            return
        if not agrees or self.game.over or self.offer is not None:
            return
        if self.seats[1 - side].kind == "person":
            self.offer = ("end", side)
            self.tell({"type": "offer", "offer": {"kind": "end", "by": side}})
            return
        async with self.lock:
            if await self._computer_agrees(1 - side, side) and not self.game.over:
                game = self.game.copy()
                game.offer_end(side)
                game.accept_end()
                await self._end(game)

    def _quiet_since(self) -> int:
        """The ply after the last capture."""
        return max((i + 1 for i, row in enumerate(self.record) if row["taken"]), default=0)

    def _offer(self, kind: OfferKind, seats: tuple[int, ...]) -> None:
        side = self.game.turn if self.game.turn in seats else seats[0]
        self.offer = (kind, side)
        self.tell({"type": "offer", "offer": {"kind": kind, "by": side}})

    def _open_offer(self, seats: tuple[int, ...]) -> OfferKind:
        if self.offer is None or self.offer[1] in seats:
            raise NotAllowed("no-offer")
        return self.offer[0]

    async def accept(self, seats: tuple[int, ...]) -> None:
        kind = self._open_offer(seats)
        by = self.offer[1] if self.offer else 0
        self.offer = None
        if kind == "end":
            self._on()
            game = self.game.copy()
            game.offer_end(by)
            game.accept_end()
            await self._end(game)
        elif kind == "undo":
            await self._take_back()
        else:
            await self._rematch()

    async def decline(self, seats: tuple[int, ...]) -> None:
        self._open_offer(seats)
        self.offer = None
        self.tell({"type": "declined", "by": seats[0]})

    async def ask_rematch(self, seats: tuple[int, ...]) -> None:
        if not self.game.over:
            raise NotAllowed("not-over")
        if self.rematch is not None:
            self.tell({"type": "rematch", "key": self.rematch})
        elif self.alone or (self.offer is not None and self.offer[0] == "rematch" and self.offer[1] not in seats):
            await self._rematch()
        else:
            self._offer("rematch", seats)

    async def _rematch(self) -> None:
        assert self.make_rematch is not None
        self.rematch = await self.make_rematch(self)
        self.offer = None
        await self._store()
        self.tell({"type": "rematch", "key": self.rematch})

    def _on(self) -> None:
        if self.game.over:
            raise NotAllowed("over")

    async def _end(self, game: Game) -> None:
        self._stop_thinking()
        before = self.game
        self.game, self.offer = game, None
        if self.clock is not None:
            self.clock.run(None)
        try:
            await self._store()
        except StoreError:
            self.game = before
            raise
        self.tell({"type": "ended", **self._standing()})
        self.go_on()

    # -- clocks and computers ----------------------------------------------------------------------------------------

    def go_on(self) -> None:
        """Whatever must happen next by itself: a flag that may fall, a computer that is to move."""
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        if self.game.over:
            return
        turn = self.game.turn
        if self.clock is not None:
            if self.clock.running is None and self.game.moves:
                self.clock.run(turn)  # after a restart
            if self.clock.running is not None:
                wait = self.clock.remaining(self.clock.running) + 0.01
                self._flag = asyncio.get_running_loop().call_later(wait, self._flag_falls)
        idle = self._engine_task is None or self._engine_task.done()
        watched = bool(self.connections) or self.seats[1 - turn].kind == "person"
        if self.seats[turn].kind == "computer" and idle and watched:
            self._engine_task = asyncio.create_task(self._computer_moves())

    def _flag_falls(self) -> None:
        task = asyncio.create_task(self._check_flag())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _check_flag(self) -> None:
        async with self.lock:
            clock = self.clock
            if clock is None or self.game.over or clock.running is None:
                return
            if clock.remaining(clock.running) > 0:
                self.go_on()
                return
            with contextlib.suppress(StoreError):
                await self._time_out(clock.running)

    async def _time_out(self, side: int) -> None:
        game = self.game.copy()
        game.lose_on_time(side)
        await self._end(game)

    async def _computer_moves(self) -> None:
        """Ask the pool, play the answer; a pool that fails is asked again a few times."""
        tries = 0
        while tries < ENGINE_TRIES and not self.game.over:
            turn, ply = self.game.turn, len(self.game.moves)
            if self.seats[turn].kind != "computer":
                return
            if not self.connections and self.seats[1 - turn].kind == "computer":
                return
            try:
                if not self.pool.ready:
                    self.tell({"type": "warming", "text": describe.in_all(lambda lang: text("web.warming", lang))})
                job = engine_jobs.job(
                    "choose", self.game, player=self.seats[turn].name, key=self.key, clock=self._time()
                )
                self._thinking = self.pool.submit(f"game:{self.key}", job, seconds=THINKING_LIMIT)
                answer = await self._thinking.result
            except asyncio.CancelledError:
                return
            except AwaleError as error:
                tries += 1
                log.warning("no move in game %s: %s", self.key, error)
                self.tell({"type": "trouble", "text": describe.in_all(lambda lang: text("web.engine-trouble", lang))})
                await asyncio.sleep(1.0)
                continue
            finally:
                self._thinking = None
            async with self.lock:
                if len(self.game.moves) != ply or self.game.over:
                    continue  # taken back or ended meanwhile
                try:
                    await self._play(answer["move"])
                    tries = 0
                except AwaleError as error:
                    tries += 1
                    log.warning("move %s of %s not played: %s", answer, self.seats[turn].name, error)
            await self._computer_offers(turn)
            if self.seats[1 - turn].kind == "computer":
                await asyncio.sleep(0.8)  # two computers: leave the watcher time to see

    def _time(self) -> list[float] | None:
        if self.clock is None:
            return None
        return [self.clock.remaining(self.game.turn), self.clock.increment]

    def _stop_thinking(self) -> None:
        if self._thinking is not None:
            self.pool.cancel(self._thinking)
        if self._engine_task is not None and self._engine_task is not asyncio.current_task():
            self._engine_task.cancel()
            self._engine_task = None

    def close(self) -> None:
        """Leave memory. The store has everything."""
        self._stop_thinking()
        if self._flag is not None:
            self._flag.cancel()
        for connection in self.connections:
            connection.tell({"type": "closing"})

    # -- the store ---------------------------------------------------------------------------------------------------

    def state(self) -> Json:
        """What the store keeps beside the game itself."""
        return {
            "seats": [{"kind": seat.kind, "name": seat.name} for seat in self.seats],
            "redo": self.redo,
            "clock": None if self.clock is None else self.clock.as_json(),
            "ended": self.game.ended,
            "rematch": self.rematch,
        }

    async def _store(self) -> None:
        outcome = self.game.outcome()
        await self.writer.keep(
            Change(
                number=self.number,
                key=self.key,
                moves=" ".join(map(str, self.game.moves)),
                scores=self.game.scores,
                winner=None if outcome is None else outcome.winner,
                end=None if outcome is None else outcome.reason,
                state=self.state(),
            )
        )
