"""Files of JSON objects, a line each, that grow while a program works and are continued after an interruption."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any

from awale import checksums
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


class SealedJournal:
    """A journal of results that must not be lost, changed or written twice: locked while it is open, every line with
    its checksum. An incomplete last line is dropped; what does not match its checksum is refused."""

    def __init__(self, path: Path, head: Mapping[str, Any], refusal: Callable[..., AwaleError]) -> None:
        """Read a journal, or begin it with `head`.

        `refusal`: returns the error from its kind: `busy`, `not-one`, `other` (what differs: `what`), `broken` or
        `damaged` (where: `line`).
        """
        if path.exists() and not path.is_file():
            raise refusal("not-one")
        self.entries: list[dict[str, Any]] = []
        self._file: IO[bytes] = path.open("a+b")
        try:
            self._lock(refusal)
            self._file.seek(0)
            keep = self._read(json.loads(json.dumps(head)), refusal)
            self._file.truncate(keep)
            if not keep:
                self.append(head)
                self.sync()
        except BaseException:
            self._file.close()
            raise

    def _read(self, head: dict[str, Any], refusal: Callable[..., AwaleError]) -> int:
        """Fill `entries`; return where the valid part of the file ends."""
        keep = 0
        for number, line in enumerate(self._file, 1):
            if number == 1 and not line.endswith(b"\n") and not _line(head).startswith(line):
                raise refusal("not-one")
            if not line.endswith(b"\n"):
                break
            entry = whole_object(line)
            if entry is None:
                raise refusal("not-one") if number == 1 else refusal("broken", line=number)
            if number == 1 and entry.get("form") != head["form"]:
                raise refusal("not-one")
            if not checksums.intact(entry):
                raise refusal("damaged", line=number)
            del entry[checksums.FIELD]
            for key in (*head, *entry) if number == 1 else ():
                if head.get(key) != entry.get(key):
                    raise refusal("other", what=key)
            if number > 1:
                self.entries.append(entry)
            keep += len(line)
        return keep

    def _lock(self, refusal: Callable[..., AwaleError]) -> None:
        """Prevent two programs from writing to one journal."""
        try:
            import fcntl
        except ImportError:  # no file locks on this system
            return
        try:
            fcntl.flock(self._file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise refusal("busy") from None

    def append(self, entry: Mapping[str, Any]) -> None:
        """Write a line."""
        self._file.write(_line(entry))
        self._file.flush()

    def sync(self) -> None:
        """Wait for the disk."""
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()


def _line(entry: Mapping[str, Any]) -> bytes:
    sealed = checksums.sealed(entry)
    return json.dumps(sealed, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def whole_object(line: bytes) -> dict[str, Any] | None:
    """Return the object of a complete line; None for anything else."""
    try:
        entry = json.loads(line) if line.endswith(b"\n") else None
    except ValueError:
        return None
    return entry if isinstance(entry, dict) else None
