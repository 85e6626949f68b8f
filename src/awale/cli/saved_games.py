"""Games on disk: those that people save, and those that were left unfinished."""

from __future__ import annotations

import datetime
import os
from collections.abc import Mapping
from pathlib import Path

from awale import i18n
from awale.errors import AwaleError
from awale.game import Game
from awale.notation import GameRecord, read_ogn, to_ogn
from awale.paths import data_dir
from awale.rules import positions, reference

KEEP = 20
"""So many unfinished games are kept; the oldest make room."""


def unfinished_folder() -> Path:
    return data_dir() / "unfinished"


def new_unfinished() -> Path:
    """Where a game that starts now is kept while it is unfinished."""
    name = f"{datetime.datetime.now():%Y%m%d-%H%M%S}-{os.getpid()}"
    path = unfinished_folder() / f"{name}.ogn"
    number = 1
    while path.exists():
        number += 1
        path = path.with_name(f"{name}-{number}.ogn")
    return path


def last_unfinished() -> Path:
    """The game that was left last."""
    kept = _kept()
    if not kept:
        raise AwaleError(i18n.text("play.bad.nothing-kept"))
    return kept[-1]


def _kept() -> list[Path]:
    """The oldest first. Another process may take one away meanwhile."""
    found = []
    for path in unfinished_folder().glob("*.ogn"):
        try:
            found.append((path.stat().st_mtime_ns, path.name, path))
        except FileNotFoundError:
            continue
    return [path for _, _, path in sorted(found)]


def keep(path: Path, game: Game, south: str, north: str, tags: Mapping[str, str] | None = None) -> None:
    """Keep an unfinished game."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, game, south, north, tags)
    for old in _kept()[:-KEEP]:
        old.unlink(missing_ok=True)


def write(path: Path, game: Game, south: str, north: str, tags: Mapping[str, str] | None = None) -> None:
    """Write a game; whoever reads the file meanwhile sees the old one or the new one, never half of it."""
    today = datetime.date.today().strftime("%Y.%m.%d")
    text = to_ogn(game, **{"South": south, "North": north, "Date": today, **(tags or {})})
    half = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        half.write_text(text, encoding="utf-8", newline="\n")
        half.replace(path)
    finally:
        half.unlink(missing_ok=True)


def store(key: str, game: Game, south: str, north: str, clock: str | None = None) -> str:
    """Add a finished game to the database, where there is one. Says what went wrong and where the game is then."""
    if not game.moves:
        return ""
    try:
        _to_database(key, game, south, north, clock)
    except ModuleNotFoundError:  # the store was not installed: nobody looks for games there
        return ""
    except AwaleError as error:
        file = data_dir() / "finished" / f"{key}.ogn"
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            write(file, game, south, north)
        except OSError as worse:
            return i18n.text("play.say.not-stored", problem=f"{error}; {worse.filename}: {worse.strerror}")
        return i18n.text("play.say.not-stored-but", problem=error, file=file)
    return ""


def _to_database(key: str, game: Game, south: str, north: str, clock: str | None) -> None:
    from awale.store import Store, StoredGame

    outcome = game.outcome()
    assert outcome is not None
    moves = " ".join(map(str, game.moves))
    store = Store()
    try:
        with store.transaction() as session:
            row = store.games.by_key(session, key)
            if row is None:
                start = None if game.start == reference.start(game.rules) else positions.write(game.rules, game.start)
                record = StoredGame(rules=game.rules, south=south, north=north, start=start, clock=clock, key=key)
                record.source = "terminal"
                row = store.games.add(session, record)
            # Also when a move was taken back after the end and it ended otherwise.
            store.games.progress(session, row, moves, outcome.scores)
            store.games.finish(session, row, outcome.winner, outcome.scores, outcome.reason)
    finally:
        store.close()


def read(path: Path) -> GameRecord:
    """The last game of a file."""
    last: GameRecord | None = None
    for record in read_ogn(path, name=str(path)):
        last = record
    if last is None:
        raise AwaleError(i18n.text("play.bad.empty-file", file=path))
    return last
