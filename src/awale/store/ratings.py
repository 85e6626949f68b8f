"""Ratings over time: Glicko-2, every rated game a period of its own, each rule system with its own list.

Ratings are a function of the rated games and their order (by their end, then by id). A game added late, such as an
imported old one, causes the list to be recomputed, so that the numbers are always those of `recompute`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Row, delete, func, insert, select, tuple_
from sqlalchemy.orm import Session

from awale import glicko
from awale.glicko import Strength
from awale.store.locks import Lock, acquire
from awale.store.models import Game, Player, Rating

BATCH = 5000
_RATED = (
    Game.rated.is_(True)
    & Game.end.is_not(None)
    & Game.south_id.is_not(None)
    & Game.north_id.is_not(None)
    & (Game.south_id != Game.north_id)
)


def current(session: Session, player_id: int, rules: str) -> Strength:
    """Return a player's current strength under some rules; initially 1500."""
    query = (
        select(Rating.rating, Rating.deviation, Rating.volatility)
        .where(Rating.player_id == player_id, Rating.rules == rules)
        .order_by(Rating.at.desc(), Rating.game_id.desc())
        .limit(1)
    )
    found = session.execute(query).first()
    return Strength(*found) if found is not None else Strength()


def _after(south: Strength, north: Strength, winner: int | None) -> tuple[Strength, Strength]:
    points = 0.5 if winner is None else 1.0 - winner
    return glicko.update(south, [(north, points)]), glicko.update(north, [(south, 1 - points)])


def rate(session: Session, game_id: int) -> None:
    """Rate a game that has just ended; unrated games are ignored."""
    session.flush()
    game = session.execute(
        select(Game.rules, Game.south_id, Game.north_id, Game.winner, Game.ended_at).where(Game.id == game_id, _RATED)
    ).first()
    if game is None or game.south_id is None or game.north_id is None:
        return
    acquire(session, Lock.RATINGS)
    rules, south, north, winner, ended = game.rules, game.south_id, game.north_id, game.winner, game.ended_at
    later = (Rating.rules == rules) & (tuple_(Rating.at, Rating.game_id) > tuple_(ended, game_id))
    # Already rated, and possibly with another result since; or later games are rated.
    if session.scalar(select(Rating.id).where((Rating.game_id == game_id) | later).limit(1)) is not None:
        recompute(session, rules)
        return
    strengths = _after(current(session, south, rules), current(session, north, rules), winner)
    for player, strength in zip((south, north), strengths, strict=True):
        session.add(Rating(player_id=player, game_id=game_id, rules=rules, at=ended, **strength._asdict()))
    session.flush()


def forget(session: Session, game_id: int) -> None:
    """Remove the ratings of a game that goes on (a move was taken back)."""
    rules = session.scalar(select(Rating.rules).where(Rating.game_id == game_id).limit(1))
    if rules is not None:
        session.flush()
        acquire(session, Lock.RATINGS)
        session.execute(delete(Rating).where(Rating.game_id == game_id))
        recompute(session, rules)


def recompute(session: Session, rules: str | None = None) -> int:
    """Recompute all ratings (of some rules) from the games; return how many games counted."""
    session.flush()
    acquire(session, Lock.RATINGS)
    chosen = select(Game.rules).where(_RATED).distinct().order_by(Game.rules)
    names = list(session.scalars(chosen)) if rules is None else [rules]
    session.execute(delete(Rating) if rules is None else delete(Rating).where(Rating.rules == rules))
    return sum(_recompute(session, name) for name in names)


def _recompute(session: Session, rules: str) -> int:
    known: dict[int, Strength] = {}
    columns = (Game.id, Game.south_id, Game.north_id, Game.winner, Game.ended_at)
    count = 0
    last: Row[tuple[int, int | None, int | None, int | None, object]] | None = None
    while True:
        # In pages, not by one open cursor: writes use the same connection.
        query = select(*columns).where(_RATED, Game.rules == rules)
        if last is not None:
            query = query.where(tuple_(Game.ended_at, Game.id) > tuple_(last.ended_at, last.id))
        games: Sequence[Row[tuple[int, int | None, int | None, int | None, object]]]
        games = session.execute(query.order_by(Game.ended_at, Game.id).limit(BATCH)).all()  # type: ignore[assignment]
        if not games:
            return count
        rows = []
        for game in games:
            pair = (game.south_id, game.north_id)
            strengths = _after(known.get(pair[0], Strength()), known.get(pair[1], Strength()), game.winner)
            for player, strength in zip(pair, strengths, strict=True):
                known[player] = strength
                values = {"player_id": player, "game_id": game.id, "rules": rules, "at": game.ended_at}
                rows.append(values | strength._asdict())
        session.execute(insert(Rating), rows)
        count += len(games)
        last = games[-1]


class Standing(NamedTuple):
    """A line of the leaderboard."""

    player: Player
    strength: Strength
    games: int


def leaderboard(session: Session, rules: str, *, limit: int = 50) -> list[Standing]:
    """Return the players of a rule system by current rating."""
    place = func.row_number().over(partition_by=Rating.player_id, order_by=(Rating.at.desc(), Rating.game_id.desc()))
    count = func.count().over(partition_by=Rating.player_id)
    ranked = select(Rating, place.label("place"), count.label("games")).where(Rating.rules == rules).subquery("ranked")
    query = (
        select(Player, ranked.c.rating, ranked.c.deviation, ranked.c.volatility, ranked.c.games)
        .join(ranked, ranked.c.player_id == Player.id)
        .where(ranked.c.place == 1)
        .order_by(ranked.c.rating.desc(), Player.id)
        .limit(limit)
    )
    return [Standing(row[0], Strength(*row[1:4]), row[4]) for row in session.execute(query)]


def rated_rules(session: Session) -> list[str]:
    """Return the rule systems with rated players."""
    return list(session.scalars(select(Rating.rules).distinct().order_by(Rating.rules)))


def curve(session: Session, player_id: int, rules: str) -> list[Rating]:
    """Return a player's ratings over time, the oldest first."""
    query = select(Rating).where(Rating.player_id == player_id, Rating.rules == rules)
    return list(session.scalars(query.order_by(Rating.at, Rating.game_id)))
