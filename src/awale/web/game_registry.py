"""All games: made new, found in memory, or brought back from the store."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Any

from sqlalchemy.orm import Session

from awale.clock import Clock
from awale.errors import AwaleError
from awale.game import Game
from awale.rules import positions, reference
from awale.store import Store, StoredGame
from awale.store import games as stored
from awale.web import request_parsing
from awale.web.batch_writer import BatchWriter
from awale.web.engine_pool import Pool
from awale.web.live_game import LiveGame, Seat
from awale.web.security import hashed, new_secret

Json = dict[str, Any]


class NoSuchGame(AwaleError):
    """No game has this address."""


class GameRegistry:
    """The games of a server."""

    def __init__(self, store: Store, writer: BatchWriter, pool: Pool, *, idle_seconds: float = 600.0) -> None:
        self.store, self.writer, self.pool = store, writer, pool
        self.idle_seconds = idle_seconds
        self.games: dict[str, LiveGame] = {}
        self._loading: dict[str, asyncio.Task[LiveGame]] = {}

    async def create(
        self, game: Game, seats: tuple[Seat, Seat], *, clock: Clock | None = None, tags: Json | None = None
    ) -> LiveGame:
        """A new game, stored before anybody hears of it."""
        usual = game.start == reference.settle(game.rules, reference.start(game.rules)).position
        outcome = game.outcome()
        record = StoredGame(
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
        live = self._live_game(0, record.key, game, seats, clock=clock)
        state = live.state()

        def write(session: Session) -> int:
            row = stored.add(session, record)
            if outcome is not None:
                stored.finish(session, row, outcome.winner, outcome.scores, outcome.reason)
            stored.set_live(session, row, state)
            for number, seat in enumerate(seats):
                for secret in sorted(seat.secrets):
                    stored.hold(session, row, number, secret)
            return row.id

        live.number = await self.writer.do(write)
        self.games[live.key] = live
        return live

    async def rematch(self, live: LiveGame) -> str:
        """The same again with sides changed; whoever held a seat holds the other one."""
        first, second = live.seats
        game = Game(live.game.rules, start=live.game.start)
        seats = (
            Seat(second.kind, second.name, set(second.secrets)),
            Seat(first.kind, first.name, set(first.secrets)),
        )
        clock = None if live.clock is None else live.clock.fresh()
        return (await self.create(game, seats, clock=clock)).key

    async def find(self, key: str) -> LiveGame:
        """The live of an address, loaded once however many ask at the same time."""
        if not 0 < len(key) <= 40:
            raise NoSuchGame("there is no such game")
        if key in self.games:
            return self.games[key]
        if key not in self._loading:
            self._loading[key] = asyncio.create_task(self._load(key))
            self._loading[key].add_done_callback(lambda _: self._loading.pop(key, None))
        return await asyncio.shield(self._loading[key])

    async def _load(self, key: str) -> LiveGame:
        live = await asyncio.to_thread(self._read, key)
        if key not in self.games:
            self.games[key] = live
        return self.games[key]

    def _read(self, key: str) -> LiveGame:
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
        game = request_parsing.build(rules, start, moves)
        if state.get("ended") and not game.over:
            game = Game(rules, start=game.start, moves=game.moves, ended=state["ended"])
        kinds = state.get("seats") or [{"kind": "person", "name": name} for name in names]
        seats = tuple(
            Seat(kinds[i]["kind"], kinds[i]["name"], {secret for seat, secret in holders if seat == i}) for i in (0, 1)
        )
        clock = Clock.from_json(state["clock"]) if state.get("clock") else None
        return self._live_game(
            number,
            key,
            game,
            (seats[0], seats[1]),
            clock=clock,
            redo=state.get("redo"),
            rematch=state.get("rematch"),
        )

    def _live_game(self, number: int, key: str, game: Game, seats: tuple[Seat, Seat], **more: Any) -> LiveGame:
        return LiveGame(number, key, game, seats, self.writer, self.pool, make_rematch=self.rematch, **more)

    async def hold(self, live: LiveGame, seat: int, secret_hash: str) -> None:
        """A further secret for a seat: the cookie of a browser that came with the seat's link."""
        if secret_hash in live.seats[seat].secrets:
            return
        key = live.key

        def write(session: Session) -> None:
            row = stored.by_key(session, key)
            if row is not None:
                stored.hold(session, row, seat, secret_hash)

        await self.writer.do(write)
        live.seats[seat].secrets.add(secret_hash)

    def sweep(self) -> int:
        """Let games go that nobody looks at. Clocks that run keep theirs."""
        now, gone = monotonic(), 0
        for key, live in list(self.games.items()):
            ticking = live.clock is not None and not live.over
            if live.connections or ticking or live.lock.locked() or now - live.touched < self.idle_seconds:
                continue
            live.close()
            del self.games[key]
            gone += 1
        return gone

    def close(self) -> None:
        for live in self.games.values():
            live.close()


def invitation() -> tuple[str, str]:
    """A secret for a seat's link, and its hash."""
    secret = new_secret()
    return secret, hashed(secret)
