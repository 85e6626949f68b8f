"""Games: added, updated while they are played, finished, found again."""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from sqlalchemy import Select, Table, bindparam, select, update
from sqlalchemy import delete as delete_rows
from sqlalchemy.orm import Session, joinedload

from awale.errors import AwaleError
from awale.i18n import message
from awale.keys import new_key
from awale.rules import Rules, presets
from awale.store import players, position_index, ratings
from awale.store.locks import Lock, acquire
from awale.store.models import Game, Invitation, LiveState, SeatHolder, now

WITH_PLAYERS = (joinedload(Game.south), joinedload(Game.north))
"""The option of queries for games whose players are read with them."""


@dataclass(slots=True, kw_only=True)
class StoredGame:
    """Everything to store about a game, with players by name."""

    rules: str | Rules
    south: str | None = None
    north: str | None = None
    start: str | None = None
    moves: str = ""
    winner: int | None = None
    scores: tuple[int, int] = (0, 0)
    end: str | None = None
    clock: str | None = None
    rated: bool = False
    source: str = ""
    tags: Mapping[str, Any] = field(default_factory=dict)
    started_at: datetime.datetime | None = None
    ended_at: datetime.datetime | None = None
    key: str | None = None

    def fingerprint(self) -> str:
        """Return a hash of the game and its players, wherever it comes from."""
        rules = presets.get(self.rules)
        parts = [rules.name, self.south, self.north, self.start, " ".join(self.moves.split()), self.winner]
        parts += [*self.scores, self.end, self.tags.get("Date"), self.tags.get("Round"), self.tags.get("Event")]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def rules_options(rules: Rules) -> dict[str, Any] | None:
    """Return the options to store beside the name: none if the name identifies these rules, else all."""
    if presets.known_by_name(rules):
        return None
    texts = {"source": rules.source, "title": dict(rules.title), "description": dict(rules.description)}
    return {**rules.options(), **texts}


def read_rules(name: str, options: dict[str, Any] | None, version: int) -> Rules:
    """Return stored rules: by their name, or by the options of village rules."""
    if options is None:
        return presets.get(name)
    given: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in options.items()}
    return Rules(name=name, version=version, **given)


def rules_of(game: Game) -> Rules:
    """Return the rules of a stored game."""
    return read_rules(game.rules, game.rules_options, game.rules_version)


_COPIED = ("start", "winner", "end", "clock", "rated", "source")


def row_of(
    record: StoredGame, options: dict[str, Any] | None, ids: tuple[int | None, int | None], fingerprint: str | None
) -> dict[str, Any]:
    """Return the columns of a game. `options`: its `rules_options`; `ids`: its players."""
    rules, moves = presets.get(record.rules), record.moves.split()
    return {
        "key": record.key or new_key(),
        "rules": rules.name,
        "rules_version": rules.version,
        "rules_options": options,
        "south_id": ids[0],
        "north_id": ids[1],
        "moves": " ".join(moves),
        "plies": len(moves),
        "south_seeds": record.scores[0],
        "north_seeds": record.scores[1],
        "tags": dict(record.tags),
        "fingerprint": fingerprint,
        "started_at": record.started_at or now(),
        "ended_at": record.ended_at or (now() if record.end is not None else None),
        **{name: getattr(record, name) for name in _COPIED},
    }


def add(session: Session, record: StoredGame) -> Game:
    """Store a game. A finished one that is already stored is returned unchanged."""
    rules = presets.get(record.rules)
    fingerprint = record.fingerprint() if record.end is not None else None
    if fingerprint is not None:
        acquire(session, Lock.IMPORT)
        known = session.scalar(select(Game).where(Game.fingerprint == fingerprint))
        if known is not None:
            return known
    south, north = (players.by_name(session, name).id if name else None for name in (record.south, record.north))
    game = Game(**row_of(record, rules_options(rules), (south, north), fingerprint))
    session.add(game)
    session.flush()
    if game.rated and game.end is not None:
        ratings.rate(session, game.id)
    return game


def by_key(session: Session, key: str) -> Game | None:
    """Return the game with a key."""
    return session.scalar(select(Game).options(*WITH_PLAYERS).where(Game.key == key))


def progress(session: Session, game: Game, moves: str, scores: tuple[int, int]) -> None:
    """Update an unfinished game (also one that goes on after a take-back)."""
    position_index.void(session, [game.id])
    game.moves, game.plies = moves, len(moves.split())
    game.south_seeds, game.north_seeds = scores
    game.winner = game.end = game.ended_at = game.fingerprint = None
    game.indexed = False
    if game.rated:
        ratings.forget(session, game.id)


def finish(session: Session, game: Game, winner: int | None, scores: tuple[int, int], end: str) -> None:
    """Store the end of a game. Its moves were stored as they were played."""
    game.winner, game.end, game.ended_at = winner, end, now()
    game.south_seeds, game.north_seeds = scores
    game.fingerprint = _played_here(game.key)
    if game.rated:
        ratings.rate(session, game.id)


def delete(session: Session, game: Game) -> None:
    """Remove a game, and its effect on the ratings."""
    rules, rated = game.rules, game.rated
    position_index.void(session, [game.id])
    session.delete(game)
    session.flush()
    if rated:
        ratings.recompute(session, rules)


def record_of(game: Game) -> StoredGame:
    """Return a stored game as a record."""
    return StoredGame(
        rules=rules_of(game),
        south=game.south.name if game.south else None,
        north=game.north.name if game.north else None,
        scores=(game.south_seeds, game.north_seeds),
        **{name: getattr(game, name) for name in (*_COPIED, "moves", "tags", "started_at", "ended_at", "key")},
    )


def names(game: Game) -> tuple[str, str]:
    """Return the names of both sides: of the stored players, or as they were typed for this game only."""
    south, north = (
        player.name if player is not None else str(game.tags.get(tag, ""))
        for player, tag in ((game.south, "South"), (game.north, "North"))
    )
    return south, north


def every(session: Session, query: Select[tuple[Game]] | None = None, *, batch: int = 1000) -> Iterator[Game]:
    """Yield all games (or those of a query), a batch at a time."""
    found = select(Game).order_by(Game.id) if query is None else query
    yield from session.scalars(found.options(*WITH_PLAYERS).execution_options(yield_per=batch))


# -- live games ---------------------------------------------------------------------------------------------------


def live(session: Session, game: Game) -> LiveState | None:
    return session.get(LiveState, game.id)


def set_live(session: Session, game: Game, state: dict[str, Any], server: str | None = None) -> None:
    """Store what a server needs to resume this game."""
    row = session.get(LiveState, game.id)
    if row is None:
        session.add(LiveState(game_id=game.id, state=state, updated_at=now(), version=0, server=server))
    else:
        row.state, row.updated_at = state, now()


class StaleGameError(AwaleError):
    """The stored game has changed since it was read."""


@dataclass(slots=True, kw_only=True)
class Change:
    """A live game after a change."""

    number: int
    key: str
    version: int
    """The stored version that was changed."""
    reopened: bool
    """The stored game was over: its positions may be indexed already."""
    moves: str
    scores: tuple[int, int]
    winner: int | None
    end: str | None
    state: dict[str, Any]


_GAMES, _LIVE = cast(Table, Game.__table__), cast(Table, LiveState.__table__)
_CHANGED = ("moves", "plies", "winner", "end", "south_seeds", "north_seeds", "ended_at", "fingerprint", "indexed")
_KEEP_GAME = (
    update(_GAMES)
    .where(_GAMES.c.id == bindparam("number"))
    .values({_GAMES.c[name]: bindparam(f"new_{name}") for name in _CHANGED})
)
_KEEP_LIVE = (
    update(_LIVE)
    .where(_LIVE.c.game_id == bindparam("number"), _LIVE.c.version == bindparam("old_version"))
    .values(state=bindparam("new_state"), updated_at=bindparam("new_updated_at"), version=bindparam("new_version"))
)


def keep(session: Session, changes: Sequence[Change]) -> None:
    """Store changed live games in two statements: this runs at every move of every game. Nothing is stored if one of
    them is based on an earlier version."""
    moment = now()
    rows = [
        {
            "number": change.number,
            "new_moves": change.moves,
            "new_plies": len(change.moves.split()),
            "new_winner": change.winner,
            "new_end": change.end,
            "new_south_seeds": change.scores[0],
            "new_north_seeds": change.scores[1],
            "new_ended_at": None if change.end is None else moment,
            "new_fingerprint": None if change.end is None else _played_here(change.key),
            "new_indexed": False,
        }
        for change in changes
    ]
    states = [
        {
            "number": change.number,
            "old_version": change.version,
            "new_version": change.version + 1,
            "new_state": change.state,
            "new_updated_at": moment,
        }
        for change in changes
    ]
    reopened = [change.number for change in changes if change.reopened]
    if reopened:
        position_index.void(session, reopened)
    connection = session.connection()
    if connection.execute(_KEEP_LIVE, states).rowcount != len(states):
        raise StaleGameError(message("store.refused.stale"))
    if connection.execute(_KEEP_GAME, rows).rowcount != len(rows):
        raise AwaleError(message("store.refused.game-gone"))
    for change in changes:
        if change.end is not None:
            ratings.rate(session, change.number)
    if any(change.end is not None and change.number % position_index.TAIL == 0 for change in changes):
        position_index.update_index(session, least=position_index.TAIL)


def _played_here(key: str) -> str:
    # Two different live games may have the same moves and players: the key distinguishes them.
    return hashlib.sha256(f"played:{key}".encode()).hexdigest()


def hold(session: Session, game: Game, seat: int, secret_hash: str) -> None:
    """Assign a seat to the holder of a secret."""
    session.merge(SeatHolder(game_id=game.id, seat=seat, secret_hash=secret_hash))


INVITATION_DAYS = 7


def invite(session: Session, game: Game, seat: int, secret_hash: str) -> None:
    """Offer a seat to the holder of a secret; an earlier invitation to it is void."""
    expires = now() + datetime.timedelta(days=INVITATION_DAYS)
    session.merge(Invitation(game_id=game.id, seat=seat, secret_hash=secret_hash, expires_at=expires))


def accept(session: Session, game: Game, invited_hash: str, secret_hash: str) -> int | None:
    """Give the seat of an invitation to the holder of a secret, once; None if the invitation is not valid."""
    valid = (Invitation.game_id == game.id, Invitation.secret_hash == invited_hash, Invitation.expires_at > now())
    seat = session.scalar(delete_rows(Invitation).where(*valid).returning(Invitation.seat))
    if seat is not None:
        hold(session, game, seat, secret_hash)
    return seat


def holders(session: Session, game: Game) -> list[tuple[int, str]]:
    """Return the seats and the hashes of the secrets that hold them."""
    query = select(SeatHolder.seat, SeatHolder.secret_hash).where(SeatHolder.game_id == game.id)
    return [(seat, secret) for seat, secret in session.execute(query)]


def held_by(session: Session, secret_hash: str, *, limit: int = 50) -> list[Game]:
    """Return the games in which a secret holds a seat, the latest first."""
    held = Game.id.in_(select(SeatHolder.game_id).where(SeatHolder.secret_hash == secret_hash))
    return list(session.scalars(select(Game).where(held).options(*WITH_PLAYERS).order_by(Game.id.desc()).limit(limit)))
