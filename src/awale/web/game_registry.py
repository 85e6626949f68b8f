"""The games of a server: created, found in memory, or loaded from the store."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Any

from sqlalchemy.orm import Session

from awale.game import Game
from awale.i18n import message
from awale.match import Match, Seat
from awale.rules import positions, reference
from awale.store import Store, StoredGame
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
        now: Callable[[], float] = monotonic,
    ) -> None:
        self.store, self.writer, self.pool = store, writer, pool
        self.threads = threads or RequestPool()
        self.idle_seconds, self.now = idle_seconds, now
        self.most_games, self.most_plies = most_games, most_plies
        self.games: dict[str, LiveGame] = {}
        self._loading: dict[str, asyncio.Task[LiveGame]] = {}

    async def create(self, match: Match, holders: Holders) -> LiveGame:
        """Store a new game and return it."""
        self._make_room()
        key = stored.new_key()
        budget = request_parsing.sowing_limit()
        record, live = await self.threads.run(key, lambda: self._new(key, match, holders), budget=budget)
        outcome, state = match.game.outcome(), live.state(match, None, self.now())

        def write(session: Session) -> int:
            row = stored.add(session, record)
            if outcome is not None:
                stored.finish(session, row, outcome.winner, outcome.scores, outcome.reason)
            stored.set_live(session, row, state)
            for side in (0, 1):
                for secret in sorted(holders[side]):
                    stored.hold(session, row, side, secret)
            return row.id

        live.number = await self.writer.do(write)
        self.games[live.key] = live
        return live

    def _new(self, key: str, match: Match, holders: Holders) -> tuple[StoredGame, LiveGame]:
        game = match.game
        usual = game.start == reference.settle(game.rules, reference.start(game.rules)).position
        record = StoredGame(
            rules=game.rules,
            south=match.seats[0].name or None,
            north=match.seats[1].name or None,
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
            names = [player.name if player else "" for player in (row.south, row.north)]
            rules, start, moves = stored.rules_of(row), row.start, row.moves.split()
            number = row.id
        game = Game(rules, start=start, moves=moves)
        if state.get("ended") and not game.over:
            game = Game(rules, start=game.start, moves=game.moves, ended=state["ended"])
        south, north = (_seat(seat) for seat in state.get("seats") or [{"name": name} for name in names])
        holders = ({secret for side, secret in secrets if side == 0}, {secret for side, secret in secrets if side == 1})
        match = Match.restore(game, (south, north), state, shared=shared(holders))
        return self._live_game(number, key, match, holders, rematch=state.get("rematch"))

    def _live_game(self, number: int, key: str, match: Match, holders: Holders, rematch: str | None = None) -> LiveGame:
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
            rematch=rematch,
            now=self.now,
        )

    async def hold(self, live: LiveGame, side: int, secret_hash: str) -> None:
        """Let a further secret hold a seat: the cookie of a browser that followed the seat's link."""
        if secret_hash in live.holders[side]:
            return
        key = live.key

        def write(session: Session) -> None:
            row = stored.by_key(session, key)
            if row is not None:
                stored.hold(session, row, side, secret_hash)

        await self.writer.do(write)
        live.holders[side].add(secret_hash)

    def sweep(self) -> int:
        """Drop games that are not used from memory, and others that nobody is connected to if there are too many moves
        in memory. Running clocks keep theirs."""
        now, dropped = monotonic(), 0
        plies = sum(live.match.ply for live in self.games.values())
        for live in self._idle():
            if plies <= self.most_plies and now - live.last_used < self.idle_seconds:
                break
            plies -= live.match.ply
            self._drop(live)
            dropped += 1
        return dropped

    def _idle(self) -> list[LiveGame]:
        """Return the games that may leave memory, the least recently used first."""
        return sorted((live for live in self.games.values() if not live.busy), key=lambda live: live.last_used)

    def _drop(self, live: LiveGame) -> None:
        live.close()
        del self.games[live.key]

    def _make_room(self) -> None:
        """Refuse a further game if the memory is full of games in use."""
        if len(self.games) < self.most_games:
            return
        idle = self._idle()
        if not idle:
            raise WebError(503, message("web.error.full"))
        for live in idle[: 1 + self.most_games // 20]:
            self._drop(live)

    def close(self) -> None:
        for live in self.games.values():
            live.close()


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
