"""Storing the games of a match in the database."""

from __future__ import annotations

from contextlib import closing

from awale.arena.results import event
from awale.arena.standings import TournamentResult
from awale.store import Store, StoredGame
from awale.store.position_index import update_index


def keep(result: TournamentResult, url: str | None = None) -> int:
    """Store all games of a result; return how many."""
    plan = result.plan
    with closing(Store(url, timeout=60)) as store, store.transaction() as session:
        for game in result.games:
            south, north = (plan.players[seat] for seat in game.seats)
            record = StoredGame(
                rules=plan.rule_system,
                south=south,
                north=north,
                start=game.start,
                moves=" ".join(game.moves),
                winner=game.winner,
                scores=game.scores,
                end=game.reason,
                clock=str(plan.control or "") or None,
                source="arena",
                tags={"Event": event(plan), "Round": f"{game.pair + 1}.{game.number + 1}", "Seed": str(plan.seed)},
            )
            store.games.add(session, record)
        update_index(session)
    return len(result.games)
