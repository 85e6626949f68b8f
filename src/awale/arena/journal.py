"""The journal of a match: a line for every finished game, written to disk before the next one counts.

A match killed at any moment and restarted with the same journal does not replay its games. An incomplete last line is
truncated and that game played again; a line that does not match its checksum is refused.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from awale import i18n
from awale.arena.errors import ArenaError
from awale.arena.games import Played
from awale.json_lines import SealedJournal

FORM = "awale-match-1"


class Journal:
    """The finished games, in an append-only file."""

    def __init__(self, path: str | os.PathLike[str], signature: Mapping[str, object], *, resume: bool) -> None:
        """`resume`: continue with the games of the file, if it exists. Otherwise an existing file is refused."""
        self.path = Path(path)
        if not resume and self.path.exists() and self.path.stat().st_size > 0:
            raise self._refusal("exists")
        self._file = SealedJournal(self.path, {"form": FORM, **signature}, self._refusal)
        self.done = {played.number: played for played in map(Played.from_data, self._file.entries)}

    def _refusal(self, kind: str, **values: object) -> ArenaError:
        return ArenaError(i18n.message(f"arena.journal.{kind}", file=self.path, **values))

    def add(self, played: Played) -> bool:
        """Append a game; return False if it is already there."""
        if played.number in self.done:
            return False
        self._file.append(played.as_data())
        self.done[played.number] = played  # before the slow part: a Ctrl-C there must not leave a line uncounted
        self._file.sync()
        return True

    def close(self) -> None:
        self._file.close()
