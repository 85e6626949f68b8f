"""Players: found or added by name."""

from __future__ import annotations

import unicodedata

from sqlalchemy import select
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
    player = _one(session, f"person:{_fold(last)}|{_fold(first)}")
    player.kind, player.name = "person", player.name or name
    player.first_name, player.last_name = player.first_name or first or None, player.last_name or last or None
    return _levelled(session, player, level)


def program(session: Session, name: str, *, level: int | None = None) -> Player:
    """Return the program of that name, added if new."""
    cleaned = _clean(name)
    if not cleaned:
        raise AwaleError(message("store.refused.no-program"))
    player = _one(session, f"program:{_fold(cleaned)}")
    player.kind, player.name = "program", player.name or cleaned
    return _levelled(session, player, level)


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


def _one(session: Session, identity: str) -> Player:
    found = session.scalar(select(Player).where(Player.identity == identity))
    return found or Player(identity=identity, name="")


def _levelled(session: Session, player: Player, level: int | None) -> Player:
    if level is not None:
        player.level = level
    session.add(player)
    session.flush()
    return player
