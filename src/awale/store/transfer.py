"""Import and export of games: OGN and JSON, one batch in memory at a time, without duplicates."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from sqlalchemy import Select, insert, select
from sqlalchemy.orm import Session

from awale import notation
from awale.game import ENDED
from awale.notation import PlayedMove
from awale.notation.records import BARE_RESULTS, winner_of, written_result
from awale.notation.replay import for_rules
from awale.rules import positions, presets
from awale.rules.description import Rules
from awale.store import players, ratings
from awale.store.games import WITH_PLAYERS, StoredGame, row_of, rules_of, rules_options
from awale.store.locks import Lock, acquire
from awale.store.models import Game
from awale.store.position_index import update_index

BATCH = 500
STATED = "stated"
"""The ending of a game whose file states a result that neither the moves nor a tag explain."""
_FAULTS = ("time", "illegal", "crash")


class Imported(NamedTuple):
    """The result of an import."""

    added: int
    known: int


def from_notation(record: notation.GameRecord, source: str = "", *, rated: bool = False) -> StoredGame:
    """Return a game of a file as the store keeps it."""
    tags = dict(record.tags)
    south, north = tags.pop("South", None), tags.pop("North", None)
    started = _moment(tags.get("Date", ""), tags.get("Time", ""))
    winner: int | None = None
    scores: tuple[int, int] = (0, 0)
    end: str | None = None
    if record.outcome is not None:
        winner, scores, end = record.outcome.winner, record.outcome.scores, record.outcome.reason
    elif record.result != notation.records.UNFINISHED:
        stated = winner_of(record.result)
        winner = stated if isinstance(stated, int) else None
        word = tags.get("Termination", "").partition(":")[0]
        end = word if word in _FAULTS else STATED
        if record.result not in notation.records.BARE:
            first, _, second = record.result.partition("-")
            scores = (int(first), int(second))
    return StoredGame(
        rules=record.rules,
        south=_name(south),
        north=_name(north),
        start=None if record.start is None else positions.write(record.rules, record.start),
        moves=" ".join(map(str, record)),
        winner=winner,
        scores=scores,
        end=end,
        clock=tags.get("TimeControl", "")[:40] or None,
        rated=rated,
        source=source[:200],
        tags=tags,
        started_at=started,
        ended_at=started if end is not None else None,
    )


def _name(text: str | None) -> str | None:
    cleaned = " ".join("".join(c if c.isprintable() else " " for c in text or "").split())
    return cleaned[: players.MAX_NAME] if cleaned and cleaned not in ("?", "*", "-") else None


def _moment(date: str, time: str) -> datetime.datetime | None:
    found = re.fullmatch(r"(\d{4})[.\-/](\d{1,2})[.\-/](\d{1,2})", date.strip())
    clock = re.fullmatch(r"(\d{1,2}):(\d{2})(?::(\d{2}))?", time.strip())
    if found is None:
        return None
    try:
        hour, minute, second = (int(part or 0) for part in clock.groups()) if clock else (0, 0, 0)
        day = datetime.date(*map(int, found.groups()))
        return datetime.datetime.combine(day, datetime.time(hour, minute, second, tzinfo=datetime.UTC))
    except ValueError:
        return None


def to_notation(game: Game, rules: Rules | None = None) -> notation.GameRecord:
    """Return a stored game as a record of game files."""
    rules = rules_of(game) if rules is None else rules
    tags = {str(name): str(value) for name, value in game.tags.items()}
    if game.south is not None:
        tags["South"] = game.south.name
    if game.north is not None:
        tags["North"] = game.north.name
    replay = for_rules(rules)
    start = None if game.start is None else positions.read(rules, game.start)
    record = notation.GameRecord(rules=rules, start=start, tags=tags)
    spot = replay.start(start)
    for text in game.moves.split():
        move, spot = replay.push(spot, text)
        record.moves.append(PlayedMove(move, spot.taken))
    if spot.reason is None and game.end is not None:
        record.ended = ended_of(game.end, game.winner)
    record.outcome = spot.outcome(record.ended)
    if record.outcome is not None:
        record.result = written_result(record.outcome)
        tags.pop("Termination", None)
    elif game.end is not None:
        scores = f"{game.south_seeds}-{game.north_seeds}"
        bare = BARE_RESULTS[game.winner]
        record.result = (
            scores if game.end == STATED and game.winner is not None and winner_of(scores) == game.winner else bare
        )
    return record


def ended_of(end: str | None, winner: int | None) -> str | None:
    """Return `Game.ended` for a stored ending; None where the rules ended the game or nobody knows how it ended."""
    ended = end if winner is None or end in ENDED else f"{end}-{1 - winner}"
    return ended if ended in ENDED else None


def add_many(session: Session, records: Iterable[StoredGame]) -> Imported:
    """Add games that are not stored yet; ratings are updated once, at the end."""
    known_players: dict[str, int] = {}
    options: dict[str, tuple[Rules, dict[str, Any] | None]] = {}
    added = known = 0
    rated: set[str] = set()
    batch: dict[str, StoredGame] = {}

    def write() -> None:
        nonlocal added, known
        acquire(session, Lock.IMPORT)
        found = set(session.scalars(select(Game.fingerprint).where(Game.fingerprint.in_(batch))))
        rows = [
            _row(session, print_, record, known_players, options)
            for print_, record in batch.items()
            if print_ not in found
        ]
        if rows:
            session.execute(insert(Game), rows)
        rated.update(row["rules"] for row in rows if row["rated"])
        added += len(rows)
        known += len(found)
        batch.clear()

    for record in records:
        print_ = record.fingerprint()
        if print_ in batch:
            known += 1
            continue
        batch[print_] = record
        if len(batch) >= BATCH:
            write()
    if batch:
        write()
    for rules in sorted(rated):
        ratings.recompute(session, rules)
    update_index(session)
    return Imported(added, known)


def _row(
    session: Session,
    fingerprint: str,
    record: StoredGame,
    known: dict[str, int],
    options: dict[str, tuple[Rules, dict[str, Any] | None]],
) -> dict[str, Any]:
    rules = presets.get(record.rules)
    if rules.name not in options or options[rules.name][0] != rules:
        options[rules.name] = (rules, rules_options(rules))
    ids = []
    for name in (record.south, record.north):
        if name and name not in known:
            known[name] = players.by_name(session, name).id
        ids.append(known[name] if name else None)
    return row_of(record, options[rules.name][1], (ids[0], ids[1]), fingerprint)


def import_records(
    session: Session,
    records: Iterable[notation.GameRecord],
    source: str = "",
    *,
    rated: bool = False,
    progress: Callable[[int], object] | None = None,
) -> Imported:
    """Import the games of a file. Importing them again adds nothing."""

    def passing() -> Iterator[StoredGame]:
        for count, record in enumerate(records, 1):
            yield from_notation(record, source, rated=rated)
            if progress is not None:
                progress(count)

    return add_many(session, passing())


def export_records(session: Session, query: Select[tuple[Game]] | None = None) -> Iterator[notation.GameRecord]:
    """Yield stored games as records for `write_ogn` or `write_json`, a batch in memory at a time."""
    last = 0
    base = select(Game) if query is None else query
    cache: dict[str, Rules] = {}
    while True:
        piece = base.where(Game.id > last).order_by(None).order_by(Game.id).limit(BATCH)
        found = list(session.scalars(piece.options(*WITH_PLAYERS)))
        if not found:
            return
        for game in found:
            named = game.rules_options is None
            yield to_notation(game, cache.setdefault(game.rules, rules_of(game)) if named else None)
        last = found[-1].id
        session.expunge_all()
