"""Queries on the stored games: the examination's four, and more."""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from awale.store.models import Game, Player


def above_level(session: Session, level: int) -> list[Player]:
    """Return the players above a level, the best first."""
    query = select(Player).where(Player.level > level).order_by(Player.level.desc(), Player.name, Player.id)
    return list(session.scalars(query))


def _wins(side: int) -> Any:
    return func.sum(case((Game.winner == side, 1), else_=0))


def first_player_share(session: Session, rules: str) -> float | None:
    """Return the percentage of finished games of a rule system won by the first player; None without games."""
    query = select(func.count(), _wins(0)).where(Game.rules == rules, Game.end.is_not(None))
    games, won = session.execute(query).one()
    return 100 * int(won) / games if games else None


def best(session: Session, count: int = 3) -> list[Player]:
    """Return the players of the highest level."""
    query = select(Player).where(Player.level.is_not(None))
    return list(session.scalars(query.order_by(Player.level.desc(), Player.name, Player.id).limit(count)))


class Winner(NamedTuple):
    """A player and their wins as first player."""

    player: Player
    wins: int


def first_winners(session: Session, at_least: int = 2) -> list[Winner]:
    """Return the players with at least so many wins as first player, the fewest wins first as in the exam."""
    wins = func.count().label("wins")
    counted = (
        select(Game.south_id, wins)
        .where(Game.winner == 0, Game.south_id.is_not(None))
        .group_by(Game.south_id)
        .having(func.count() >= at_least)
        .subquery()
    )
    query = (
        select(Player, counted.c.wins)
        .join(counted, counted.c.south_id == Player.id)
        .order_by(counted.c.wins, Player.name, Player.id)
    )
    return [Winner(player, count) for player, count in session.execute(query)]


def by_rules(session: Session) -> list[dict[str, Any]]:
    """Return games, results, lengths and seeds of every rule system."""
    query = (
        select(
            Game.rules,
            func.count().label("games"),
            func.count(Game.end).label("finished"),
            _wins(0).label("first_wins"),
            _wins(1).label("second_wins"),
            func.avg(Game.plies).label("mean_plies"),
            func.max(Game.plies).label("longest"),
        )
        .group_by(Game.rules)
        .order_by(Game.rules)
    )
    found = []
    for row in session.execute(query):
        data = dict(row._mapping)
        data["mean_plies"] = round(float(row.mean_plies), 2)
        data["first_wins"], data["second_wins"] = int(row.first_wins), int(row.second_wins)
        data["draws"] = row.finished - data["first_wins"] - data["second_wins"]
        data["first_share"] = round(100 * data["first_wins"] / row.finished, 2) if row.finished else None
        found.append(data)
    return found


def by_end(session: Session) -> dict[str, int]:
    """Return how often each ending occurs."""
    query = select(Game.end, func.count()).where(Game.end.is_not(None)).group_by(Game.end)
    return dict(sorted(((end or "", count) for end, count in session.execute(query)), key=lambda item: -item[1]))


def of_player(session: Session, player: Player) -> dict[str, int]:
    """Return a player's results on both sides."""

    def side(own: Any, number: int) -> tuple[int, int, int]:
        query = select(func.count(Game.end), _wins(number), _wins(1 - number)).where(own == player.id)
        games, won, lost = session.execute(query).one()
        return int(games), int(won or 0), int(lost or 0)

    first, second = side(Game.south_id, 0), side(Game.north_id, 1)
    games, won, lost = (a + b for a, b in zip(first, second, strict=True))
    return {"games": games, "wins": won, "losses": lost, "draws": games - won - lost, "first": first[0]}
