"""All rooms: made new, found in memory, or brought back from the store."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Any

from sqlalchemy.orm import Session

from awale.clock import Clock
from awale.errors import AwaleError
from awale.game import Game
from awale.rules import positions, reference
from awale.store import GameRecord, Store
from awale.store import games as stored
from awale.web import asked
from awale.web.keeper import Keeper
from awale.web.pool import Pool
from awale.web.rooms import Room, Seat
from awale.web.security import hashed, new_secret

Json = dict[str, Any]


class NoSuchGame(AwaleError):
    """No game has this address."""


class Hall:
    """The rooms of a server."""

    def __init__(self, store: Store, keeper: Keeper, pool: Pool, *, idle_seconds: float = 600.0) -> None:
        self.store, self.keeper, self.pool = store, keeper, pool
        self.idle_seconds = idle_seconds
        self.rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room]] = {}

    async def create(
        self, game: Game, seats: tuple[Seat, Seat], *, clock: Clock | None = None, tags: Json | None = None
    ) -> Room:
        """A new game, stored before anybody hears of it."""
        usual = game.start == reference.settle(game.rules, reference.start(game.rules)).position
        outcome = game.outcome()
        record = GameRecord(
            rules=game.rules,
            south=seats[0].name or None,
            north=seats[1].name or None,
            start=None if usual else positions.write(game.rules, game.start),
            moves=" ".join(map(str, game.moves)),
            scores=game.scores,
            clock=clock.text() if clock is not None else None,
            source="web",
            tags=tags or {},
            key=stored.new_key(),
        )
        assert record.key is not None
        room = self._room(0, record.key, game, seats, clock=clock)
        state = room.state()

        def write(session: Session) -> int:
            row = stored.add(session, record)
            if outcome is not None:
                stored.finish(session, row, outcome.winner, outcome.scores, outcome.reason)
            stored.set_live(session, row, state)
            for number, seat in enumerate(seats):
                for secret in sorted(seat.secrets):
                    stored.hold(session, row, number, secret)
            return row.id

        room.number = await self.keeper.do(write)
        self.rooms[room.key] = room
        return room

    async def rematch(self, room: Room) -> str:
        """The same again with sides changed; whoever held a seat holds the other one."""
        first, second = room.seats
        game = Game(room.game.rules, start=room.game.start)
        seats = (
            Seat(second.kind, second.name, set(second.secrets)),
            Seat(first.kind, first.name, set(first.secrets)),
        )
        clock = None if room.clock is None else room.clock.fresh()
        return (await self.create(game, seats, clock=clock)).key

    async def find(self, key: str) -> Room:
        """The room of an address, loaded once however many ask at the same time."""
        if not 0 < len(key) <= 40:
            raise NoSuchGame("there is no such game")
        if key in self.rooms:
            return self.rooms[key]
        if key not in self._loading:
            self._loading[key] = asyncio.create_task(self._load(key))
            self._loading[key].add_done_callback(lambda _: self._loading.pop(key, None))
        return await asyncio.shield(self._loading[key])

    async def _load(self, key: str) -> Room:
        room = await asyncio.to_thread(self._read, key)
        if key not in self.rooms:
            self.rooms[key] = room
        return self.rooms[key]

    def _read(self, key: str) -> Room:
        with self.store.transaction() as session:
            row = stored.by_key(session, key)
            if row is None:
                raise NoSuchGame("there is no such game")
            live = stored.live(session, row)
            state: Json = dict(live.state) if live is not None else {}
            holders = stored.holders(session, row)
            names = [player.name if player else "" for player in (row.south, row.north)]
            rules, start, moves = stored.rules_of(row), row.start, row.moves.split()
            number = row.id
        game = asked.build(rules, start, moves)
        if state.get("ended") and not game.over:
            game = Game(rules, start=game.start, moves=game.moves, ended=state["ended"])
        kinds = state.get("seats") or [{"kind": "person", "name": name} for name in names]
        seats = tuple(
            Seat(kinds[i]["kind"], kinds[i]["name"], {secret for seat, secret in holders if seat == i}) for i in (0, 1)
        )
        clock = Clock.from_json(state["clock"]) if state.get("clock") else None
        return self._room(
            number,
            key,
            game,
            (seats[0], seats[1]),
            clock=clock,
            redo=state.get("redo"),
            rematch=state.get("rematch"),
        )

    def _room(self, number: int, key: str, game: Game, seats: tuple[Seat, Seat], **more: Any) -> Room:
        return Room(number, key, game, seats, self.keeper, self.pool, make_rematch=self.rematch, **more)

    async def hold(self, room: Room, seat: int, secret_hash: str) -> None:
        """A further secret for a seat: the cookie of a browser that came with the seat's link."""
        if secret_hash in room.seats[seat].secrets:
            return
        key = room.key

        def write(session: Session) -> None:
            row = stored.by_key(session, key)
            if row is not None:
                stored.hold(session, row, seat, secret_hash)

        await self.keeper.do(write)
        room.seats[seat].secrets.add(secret_hash)

    def sweep(self) -> int:
        """Let rooms go that nobody looks at. Clocks that run keep theirs."""
        now, gone = monotonic(), 0
        for key, room in list(self.rooms.items()):
            ticking = room.clock is not None and not room.over
            if room.guests or ticking or room.lock.locked() or now - room.touched < self.idle_seconds:
                continue
            room.close()
            del self.rooms[key]
            gone += 1
        return gone

    def close(self) -> None:
        for room in self.rooms.values():
            room.close()


def invitation() -> tuple[str, str]:
    """A secret for a seat's link, and its hash."""
    secret = new_secret()
    return secret, hashed(secret)
