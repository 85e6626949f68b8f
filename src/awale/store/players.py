"""Players: found or added by name."""

from __future__ import annotations

import unicodedata

from sqlalchemy import select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from awale.errors import AwaleError
from awale.i18n import message
from awale.store.models import Player

MAX_NAME = 100


def _fold(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _clean(text: str) -> str:
    cleaned = " ".join("".join(c if c.isprintable() else " " for c in unicodedata.normalize("NFC", text)).split())
    if len(cleaned) > MAX_NAME:
        raise AwaleError(message("store.refused.long-name", length=len(cleaned), most=MAX_NAME))
    return cleaned


def person(session: Session, first_name: str, last_name: str = "", *, level: int | None = None) -> Player:
    """Return the person of that name, added if new; a level given now replaces the stored one."""
    first, last = _clean(first_name), _clean(last_name)
    name = f"{first} {last}".strip()
    if not name:
        raise AwaleError(message("store.refused.no-person"))
    names = {"first_name": first or None, "last_name": last or None}
    return _one(session, level, identity=f"person:{_fold(last)}|{_fold(first)}", kind="person", name=name, **names)


def program(session: Session, name: str, *, level: int | None = None) -> Player:
    """Return the program of that name, added if new."""
    cleaned = _clean(name)
    if not cleaned:
        raise AwaleError(message("store.refused.no-program"))
    return _one(session, level, identity=f"program:{_fold(cleaned)}", kind="program", name=cleaned)


def by_name(session: Session, name: str) -> Player:
    """Return a player as named in game files: `engine:3` and the like are programs, the rest people."""
    if ":" in name or _fold(name) in PROGRAMS:
        return program(session, name)
    first, _, last = _clean(name).rpartition(" ")
    return person(session, first, last) if first else person(session, last)


PROGRAMS = frozenset({"random", "greedy", "basic", "engine", "negamax", "minimax", "alphabeta", "mcts"})
"""Program names without a colon."""


def find(session: Session, text: str, *, limit: int = 20) -> list[Player]:
    """Return the players whose name contains a text."""
    pattern = "%" + text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
    query = select(Player).where(Player.name.ilike(pattern, escape="\\")).order_by(Player.name).limit(limit)
    return list(session.scalars(query))


def _one(session: Session, level: int | None, **values: str | None) -> Player:
    query = select(Player).where(Player.identity == values["identity"])
    player = session.scalar(query)
    if player is None:
        insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
        # Another transaction may add the same player now: this one waits for it and takes its row.
        session.execute(insert(Player).values(**values).on_conflict_do_nothing(index_elements=[Player.identity]))
        player = session.scalars(query).one()
    if level is not None:
        player.level = level
        session.flush()
    return player
