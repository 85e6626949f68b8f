"""The games of a server: created, found in memory, or loaded from the store."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from time import monotonic
from typing import Any

from sqlalchemy.orm import Session

from awale.errors import AwaleError
from awale.game import Game
from awale.i18n import message
from awale.keys import new_key
from awale.match import Match, Seat
from awale.rules import positions, reference
from awale.store import Store, StoredGame, leases
from awale.store import games as stored
from awale.web import request_parsing
from awale.web.batch_writer import BatchWriter
from awale.web.engine_pool import Pool
from awale.web.language import WebError
from awale.web.live_game import LiveGame
from awale.web.request_parsing import GAME_LAPS, sowing_limit
from awale.web.request_pool import RequestPool
from awale.web.security import hashed, new_secret

Json = dict[str, Any]
Holders = tuple[set[str], set[str]]


class NoSuchGame(WebError):
    """No game has this key."""

    def __init__(self) -> None:
        super().__init__(404, message("web.error.no-game"))


class GameRegistry:
    """The games of a server."""

    def __init__(
        self,
        store: Store,
        writer: BatchWriter,
        pool: Pool,
        *,
        threads: RequestPool | None = None,
        idle_seconds: float = 600.0,
        most_games: int = 5000,
        most_plies: int = 500_000,
        server: str = "local",
        now: Callable[[], float] = monotonic,
    ) -> None:
        self.store, self.writer, self.pool = store, writer, pool
        self.threads = threads or RequestPool()
        self.idle_seconds, self.now = idle_seconds, now
        self.most_games, self.most_plies, self.server = most_games, most_plies, server
        self.games: dict[str, LiveGame] = {}
        self._loading: dict[str, asyncio.Task[LiveGame]] = {}

    async def create(
        self, match: Match, holders: Holders, invited: tuple[str | None, str | None] = (None, None)
    ) -> LiveGame:
        """Store a new game and return it. `invited`: hashes of the secrets of invitations."""
        self._make_room()
        key = new_key()
        budget = request_parsing.sowing_limit()
        record, live = await self.threads.run(key, lambda: self._new(key, match, holders), budget=budget)
        outcome, state = match.game.outcome(), live.state(match, None, self.now())

        def write(session: Session) -> int:
            row = stored.add(session, record)
            if outcome is not None:
                stored.finish(session, row, outcome.winner, outcome.scores, outcome.reason)
            stored.set_live(session, row, state, self.server)
            for side in (0, 1):
                for secret in sorted(holders[side]):
                    stored.hold(session, row, side, secret)
                if (secret_hash := invited[side]) is not None:
                    stored.invite(session, row, side, secret_hash)
            return row.id

        live.number = await self.writer.do(write)
        self.games[live.key] = live
        return live

    def _new(self, key: str, match: Match, holders: Holders) -> tuple[StoredGame, LiveGame]:
        game = match.game
        usual = game.start == reference.settle(game.rules, reference.start(game.rules)).position
        # What people type here is a name for this game: it must not become a stored player's.
        programs = [None if seat.person else seat.name for seat in match.seats]
        typed = zip(("South", "North"), match.seats, strict=True)
        record = StoredGame(
            rules=game.rules,
            south=programs[0],
            north=programs[1],
            tags={side: seat.name for side, seat in typed if seat.person and seat.name},
            start=None if usual else positions.write(game.rules, game.start),
            moves=" ".join(map(str, game.moves)),
            scores=game.scores,
            clock=None if match.clock is None else str(match.clock.control),
            source="web",
            key=key,
        )
        return record, self._live_game(0, key, match, holders)

    async def rematch(self, live: LiveGame) -> str:
        """Create the rematch and return its key: whoever held a seat holds the other one."""
        south, north = live.holders
        match = await self.threads.run(live.key, live.match.rematch)
        return (await self.create(match, (set(north), set(south)))).key

    async def find(self, key: str) -> LiveGame:
        """Return the game with this key, loaded once however many ask for it at the same time."""
        if not 0 < len(key) <= 40:
            raise NoSuchGame
        if key in self.games:
            return self.games[key]
        if key not in self._loading:
            self._make_room()
            self._loading[key] = asyncio.create_task(self._load(key))
            self._loading[key].add_done_callback(lambda _: self._loading.pop(key, None))
        return await asyncio.shield(self._loading[key])

    async def _load(self, key: str) -> LiveGame:
        await self.writer.do(lambda session: leases.take(session, key, self.server))
        live = await self.threads.run(key, lambda: self._read(key), budget=sowing_limit(2 * GAME_LAPS))
        if key not in self.games:
            self.games[key] = live
        return self.games[key]

    def _read(self, key: str) -> LiveGame:
        with self.store.transaction(read_only=True) as session:
            row = stored.by_key(session, key)
            if row is None:
                raise NoSuchGame
            live = stored.live(session, row)
            state: Json = dict(live.state) if live is not None else {}
            secrets = stored.holders(session, row)
            names, version = stored.names(row), 0 if live is None else live.version
            rules, start, moves = stored.rules_of(row), row.start, row.moves.split()
            number = row.id
        game = Game(rules, start=start, moves=moves)
        if state.get("ended") and not game.over:
            game = Game(rules, start=game.start, moves=game.moves, ended=state["ended"])
        south, north = (_seat(seat) for seat in state.get("seats") or [{"name": name} for name in names])
        holders = ({secret for side, secret in secrets if side == 0}, {secret for side, secret in secrets if side == 1})
        match = Match.restore(game, (south, north), state, shared=shared(holders))
        return self._live_game(number, key, match, holders, rematch=state.get("rematch"), version=version)

    def _live_game(self, number: int, key: str, match: Match, holders: Holders, **stored: Any) -> LiveGame:
        match.max_plies = match.game.start.ply + request_parsing.MAX_PLIES
        return LiveGame(
            number,
            key,
            match,
            holders,
            self.writer,
            self.pool,
            self.rematch,
            threads=self.threads,
            on_stale=self._stale,
            now=self.now,
            **stored,
        )

    async def take_seat(self, live: LiveGame, invited_hash: str, secret_hash: str) -> bool:
        """Give the seat of an invitation to a browser's secret; False if the invitation is used, void or too old."""
        key = live.key

        def write(session: Session) -> int | None:
            row = stored.by_key(session, key)
            return None if row is None else stored.accept(session, row, invited_hash, secret_hash)

        side = await self.writer.do(write)
        if side is not None:
            live.holders[side].add(secret_hash)
        return side is not None

    async def invite(self, live: LiveGame, side: int) -> str:
        """Return the secret of a new invitation to a seat that nobody holds; an earlier one is void."""
        if live.holders[side] or not live.match.seats[side].person:
            raise WebError(409, message("web.error.seat-taken"))
        secret, invited = invitation()
        key = live.key

        def write(session: Session) -> None:
            row = stored.by_key(session, key)
            if row is not None:
                stored.invite(session, row, side, invited)

        await self.writer.do(write)
        return secret

    def _stale(self, live: LiveGame) -> None:
        """Forget a game that was changed elsewhere: its pages connect again and load what is stored."""
        if self.games.get(live.key) is live:
            live.close()
            del self.games[live.key]

    def sweep(self) -> int:
        """Drop games that are not used from memory, and others that nobody is connected to if there are too many moves
        in memory. Running clocks keep theirs."""
        now, dropped = monotonic(), list[LiveGame]()
        plies = sum(live.match.ply for live in self.games.values())
        for live in self._idle():
            if plies <= self.most_plies and now - live.last_used < self.idle_seconds:
                break
            plies -= live.match.ply
            dropped.append(live)
        self._drop(dropped)
        return len(dropped)

    def _idle(self) -> list[LiveGame]:
        """Return the games that may leave memory, the least recently used first."""
        return sorted((live for live in self.games.values() if not live.busy), key=lambda live: live.last_used)

    def _drop(self, dropped: list[LiveGame]) -> None:
        """Let games leave memory, and another server take them."""
        for live in dropped:
            live.close()
            del self.games[live.key]
        if dropped:
            numbers = [live.number for live in dropped]
            self.writer.start(lambda session: leases.release(session, self.server, numbers))

    def _make_room(self) -> None:
        """Refuse a further game if the memory is full of games in use."""
        if len(self.games) < self.most_games:
            return
        idle = self._idle()
        if not idle:
            raise WebError(503, message("web.error.full"))
        self._drop(idle[: 1 + self.most_games // 20])

    async def extend_leases(self) -> None:
        """Tell other servers that this one is running."""
        await self.writer.do(lambda session: leases.seen(session, self.server))

    async def close(self) -> None:
        for live in self.games.values():
            live.close()
        with contextlib.suppress(AwaleError):
            await self.writer.do(lambda session: leases.stop(session, self.server))


def shared(holders: Holders) -> bool:
    """Return whether one person holds both seats."""
    return bool(holders[0] & holders[1])


def _seat(state: Json) -> Seat:
    """Read a stored seat; rows of earlier versions have a `kind` instead of `person`."""
    return Seat(state["name"], person=bool(state.get("person", state.get("kind") != "computer")))


def invitation() -> tuple[str, str]:
    """Return a secret for a seat's link, and its hash."""
    secret = new_secret()
    return secret, hashed(secret)
