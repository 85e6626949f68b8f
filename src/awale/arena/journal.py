"""The journal of a match: a line for every finished game, written to disk before the next one counts.

A match killed at any moment and restarted with the same journal does not replay its games. An incomplete last line is
truncated and that game played again; a line that does not match its checksum is refused.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from awale import checksums, i18n
from awale.arena.errors import ArenaError
from awale.arena.games import Played
from awale.json_lines import whole_object

FORM = "awale-match-1"


class Journal:
    """The finished games, in an append-only file."""

    def __init__(self, path: str | os.PathLike[str], signature: Mapping[str, object], *, resume: bool) -> None:
        """`resume`: continue with the games of the file, if it exists. Otherwise an existing file is refused."""
        self.path = Path(path)
        self.done: dict[int, Played] = {}
        self._sealed = True
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
                self._sync()
        except BaseException:
            self._file.close()
            raise

    def _read(self, head: dict[str, object]) -> int:
        """Fill `done`; return where the valid part of the file ends."""
        keep = 0
        with self.path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    break
                entry = whole_object(line)
                if entry is None:
                    raise ArenaError(i18n.message("arena.journal.broken", file=self.path, line=number))
                self._sealed = self._sealed if number > 1 else checksums.is_sealed(entry)
                if self._sealed and not checksums.intact(entry):
                    raise ArenaError(i18n.message("arena.journal.damaged", file=self.path, line=number))
                entry.pop(checksums.FIELD, None)
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
        data = checksums.sealed(data) if self._sealed else data
        self._file.write(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")

    def _sync(self) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())

    def add(self, played: Played) -> bool:
        """Append a game; return False if it is already there."""
        if played.number in self.done:
            return False
        self._write(played.as_data())
        self.done[played.number] = played  # before the slow part: a Ctrl-C there must not leave a line uncounted
        self._sync()
        return True

    def close(self) -> None:
        self._file.close()


def _lock(file: IO[bytes], path: Path) -> None:
    """Prevent two matches from writing to one journal."""
    try:
        import fcntl
    except ImportError:  # no file locks on this system
        return
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ArenaError(i18n.message("arena.journal.busy", file=path)) from None
