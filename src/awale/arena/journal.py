"""The journal of a match: a line for every finished game, on the disk before the next one counts.

Killed at any moment, a match started again with the same journal goes on: the games in it are not played again. The
last line may be half written; it is cut off and that game is played once more.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from awale import i18n
from awale.arena.errors import ArenaError
from awale.arena.games import Played

FORM = "awale-match-1"


class Journal:
    """Games finished so far, in a file that only grows."""

    def __init__(self, path: str | os.PathLike[str], signature: Mapping[str, object], *, resume: bool) -> None:
        """`resume`: go on with the games of the file, if there is one. Otherwise a file that is there is refused."""
        self.path = Path(path)
        self.done: dict[int, Played] = {}
        head = json.loads(json.dumps({"form": FORM, **signature}))
        exists = self.path.exists() and self.path.stat().st_size > 0
        if exists and not resume:
            raise ArenaError(i18n.message("arena.journal.exists", file=self.path))
        keep = self._read(head) if exists else 0
        self._file: IO[bytes] = open(self.path, "r+b" if exists else "wb")  # noqa: SIM115 - closed by close()
        try:
            _lock(self._file, self.path)
            self._file.truncate(keep)
            self._file.seek(keep)
            if not keep:
                self._write(head)
        except BaseException:
            self._file.close()
            raise

    def _read(self, head: dict[str, object]) -> int:
        """Fills `done`; returns where the good part of the file ends."""
        keep = 0
        with self.path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    break
                try:
                    entry = json.loads(line)
                except ValueError:
                    entry = None
                if not isinstance(entry, dict):
                    raise ArenaError(i18n.message("arena.journal.broken", file=self.path, line=number))
                if number == 1:
                    self._same_match(head, entry)
                else:
                    played = Played.from_data(entry)
                    self.done[played.number] = played
                keep += len(line)
        return keep

    def _same_match(self, head: dict[str, object], found: dict[str, object]) -> None:
        if found.get("form") != FORM:
            raise ArenaError(i18n.message("arena.journal.not-one", file=self.path))
        for key in sorted(head.keys() | found.keys()):
            if head.get(key) != found.get(key):
                raise ArenaError(i18n.message("arena.journal.other", file=self.path, what=key))

    def _write(self, data: Mapping[str, object]) -> None:
        self._file.write(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def add(self, played: Played) -> bool:
        """Write a game down; False if it is there already (then nothing happens)."""
        if played.number in self.done:
            return False
        self._write(played.as_data())
        self.done[played.number] = played
        return True

    def close(self) -> None:
        self._file.close()


def _lock(file: IO[bytes], path: Path) -> None:
    """Two matches must not write to one journal."""
    try:
        import fcntl
    except ImportError:  # where there are no such locks, nobody is kept out
        return
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ArenaError(i18n.message("arena.journal.busy", file=path)) from None
