"""Files of JSON objects, a line each, that grow while a program works and are continued after an interruption."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from awale.errors import AwaleError


class JsonLines:
    """A file that may begin with a line on what it belongs to. A line cut short is dropped with what follows it."""

    def __init__(
        self,
        path: Path,
        head: Mapping[str, Any] | None = None,
        refusal: Callable[[str], AwaleError] = AwaleError,
        *,
        fresh: bool = False,
        sync: bool = False,
    ) -> None:
        """Read a file, or begin it, with `head` if it has one.

        `refusal`: returns the error about a file with another head, from the name of what differs; `form` for a file
        of another kind. `fresh`: begin anew. `sync`: wait for the disk after every line.
        """
        self.path, self._sync = path, sync
        self.entries: list[dict[str, Any]] = []
        wanted = json.loads(json.dumps(head))
        keep = 0
        if path.exists() and not fresh:
            with path.open("rb") as file:
                for line in file:
                    entry = whole_object(line)
                    first = head is not None and keep == 0
                    if first and line.strip() and entry != wanted:
                        found = entry or {}
                        raise refusal(next(key for key in wanted | found if wanted.get(key) != found.get(key)))
                    if entry is None:
                        break
                    if not first:
                        self.entries.append(entry)
                    keep += len(line)
        with path.open("ab") as file:
            file.truncate(keep)
        if head is not None and keep == 0:
            self.append(wanted)

    def append(self, entry: Mapping[str, Any]) -> None:
        """Write a line."""
        with self.path.open("ab") as file:
            file.write(json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
            file.flush()
            if self._sync:
                os.fsync(file.fileno())


def whole_object(line: bytes) -> dict[str, Any] | None:
    """Return the object of a complete line; None for anything else."""
    try:
        entry = json.loads(line) if line.endswith(b"\n") else None
    except ValueError:
        return None
    return entry if isinstance(entry, dict) else None
