"""Game files: those that people save, and those of unfinished games."""

from __future__ import annotations

import datetime
import os
from collections import deque
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from awale import i18n
from awale.errors import AwaleError
from awale.game import Game
from awale.notation import GameRecord, read_ogn, to_ogn
from awale.paths import data_dir, replacing
from awale.rules import positions, reference

KEEP = 20
"""How many unfinished games are kept; the oldest are deleted."""


def unfinished_folder() -> Path:
    return data_dir() / "unfinished"


def new_unfinished() -> Path:
    """Return a new file for a game that starts now."""
    name = f"{datetime.datetime.now():%Y%m%d-%H%M%S}-{os.getpid()}"
    path = unfinished_folder() / f"{name}.ogn"
    number = 1
    while path.exists():
        number += 1
        path = path.with_name(f"{name}-{number}.ogn")
    return path


def last_unfinished() -> Path:
    """Return the file of the latest unfinished game."""
    kept = _kept()
    if not kept:
        raise AwaleError(i18n.message("play.bad.nothing-kept"))
    return kept[-1]


def _kept() -> list[Path]:
    """Return the files of unfinished games, the oldest first."""
    found = []
    for path in unfinished_folder().glob("*.ogn"):
        try:
            found.append((path.stat().st_mtime_ns, path.name, path))
        except FileNotFoundError:  # another process has just deleted it
            continue
    return [path for _, _, path in sorted(found)]


def keep(path: Path, game: Game, south: str, north: str, tags: Mapping[str, str] | None = None) -> None:
    """Write an unfinished game, and delete the oldest beyond `KEEP`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, game, south, north, tags)
    for old in _kept()[:-KEEP]:
        old.unlink(missing_ok=True)


def write(path: Path, game: Game, south: str, north: str, tags: Mapping[str, str] | None = None) -> None:
    """Write a game by an atomic replacement: a reader sees the old file or the new one."""
    today = datetime.date.today().strftime("%Y.%m.%d")
    text = to_ogn(game, **{"South": south, "North": north, "Date": today, **(tags or {})})
    with replacing(path) as partial:
        partial.write_text(text, encoding="utf-8", newline="\n")


def store(key: str, game: Game, south: str, north: str, clock: str | None = None, *, rated: bool = False) -> str:
    """Add a finished game to the database, if that is installed. Return what went wrong, or an empty text."""
    if not game.moves:
        return ""
    try:
        _to_database(key, game, south, north, clock, rated)
    except ModuleNotFoundError:  # installed without the store
        return ""
    except AwaleError as error:
        file = data_dir() / "finished" / f"{key}.ogn"
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            write(file, game, south, north)
        except OSError as worse:
            both = f"{error}; {i18n.labelled(worse.filename, i18n.system_problem(worse))}"
            return i18n.text("play.say.not-stored", problem=both)
        return i18n.text("play.say.not-stored-but", problem=error, file=file)
    return ""


def withdraw(key: str) -> None:
    """Remove a game that goes on from the database, and the file that took its place."""
    (data_dir() / "finished" / f"{key}.ogn").unlink(missing_ok=True)
    try:
        from awale.store import Store

        store = Store()
    except (ModuleNotFoundError, AwaleError):
        return  # not installed, or out of reach: then the game is not in it either
    with closing(store), store.transaction() as session:
        row = store.games.by_key(session, key)
        if row is not None:
            store.games.delete(session, row)


def _to_database(key: str, game: Game, south: str, north: str, clock: str | None, rated: bool) -> None:
    from awale.store import Store, StoredGame, position_index

    outcome = game.outcome()
    assert outcome is not None
    moves = " ".join(map(str, game.moves))
    with closing(Store()) as store, store.transaction() as session:
        row = store.games.by_key(session, key)
        if row is None:
            start = None if game.start == reference.start(game.rules) else positions.write(game.rules, game.start)
            record = StoredGame(rules=game.rules, south=south, north=north, start=start, clock=clock, key=key)
            record.source, record.rated = "terminal", rated
            row = store.games.add(session, record)
        store.games.progress(session, row, moves, outcome.scores)
        store.games.finish(session, row, outcome.winner, outcome.scores, outcome.reason)
        position_index.update_index(session, least=position_index.TAIL)


def read(path: Path) -> GameRecord:
    """Return the last game of a file."""
    last = deque(read_ogn(path, name=str(path)), maxlen=1)
    if not last:
        raise AwaleError(i18n.message("play.bad.empty-file", file=path))
    return last[0]
