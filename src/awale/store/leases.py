"""Which server drives a live game. Several servers may use one database: each game has a lease of one of them.

A server that has not been seen for a while has lost its leases. A game that changes hands gets a new version, so a
server that was only slow cannot write over what the other one has stored.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from awale.errors import AwaleError
from awale.i18n import message
from awale.store.models import Game, LiveState, Server, now

SECONDS = 30.0
"""How long a lease holds after its server was last seen."""


class LeaseError(AwaleError):
    """Another server drives this game."""


def seen(session: Session, server: str) -> None:
    """Extend all leases of a server."""
    session.merge(Server(name=server, seen_at=now()))


def take(session: Session, key: str, server: str) -> None:
    """Take the lease of an unfinished game; raise `LeaseError` if another server that is running has it."""
    query = select(LiveState).join(Game, Game.id == LiveState.game_id).where(Game.key == key, Game.end.is_(None))
    live = session.scalar(query.with_for_update(of=LiveState))
    if live is None or live.server == server:
        return
    holder = session.get(Server, live.server) if live.server is not None else None
    if holder is not None and now() - holder.seen_at < datetime.timedelta(seconds=SECONDS):
        raise LeaseError(message("store.refused.lease", server=holder.name))
    live.server, live.version = server, live.version + 1


def release(session: Session, server: str, numbers: Iterable[int]) -> None:
    """Give back the leases of games."""
    mine = update(LiveState).where(LiveState.game_id.in_(list(numbers)), LiveState.server == server)
    session.execute(mine.values(server=None))


def stop(session: Session, server: str) -> None:
    """Give back all leases of a server that stops."""
    session.execute(delete(Server).where(Server.name == server))
