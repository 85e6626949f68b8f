"""Where tables are stored: a directory for each rule system, under the user's data directory."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

from awale import i18n, paths
from awale.rules.description import Rules
from awale.tables import support
from awale.tables.errors import BusyError, TablesError


def tables_root(folder: str | os.PathLike[str] | None = None) -> Path:
    """Return the given directory, or `tables` in the data directory."""
    return paths.data_dir() / "tables" if folder is None else Path(folder)


def folder_for(rules: Rules, root: Path) -> Path:
    """Return the directory of these rules: the one that has their key, whatever its name, or a new name."""
    key = support.key(rules)
    slug = re.sub(r"[^a-z0-9]+", "-", rules.name.lower()).strip("-")[:40]
    named = root / (f"{slug}-{key}" if slug else key)
    if not named.is_dir():
        for found in sorted(root.glob(f"*{key}")):
            if found.is_dir():
                return found
    return named


def all_folders(root: Path) -> Iterator[Path]:
    """Return every directory that holds tables."""
    if root.is_dir():
        for folder in sorted(root.iterdir()):
            if folder.is_dir() and any(folder.glob("layer-*.awt")):
                yield folder


@contextlib.contextmanager
def building(folder: Path) -> Iterator[None]:
    """Lock a directory for building. The system releases the lock when the process ends."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = (folder / "building.lock").open("w")
    except OSError as error:
        raise TablesError(i18n.message("tables.unwritable", path=folder, error=i18n.system_problem(error))) from None
    with handle:
        try:
            import fcntl
        except ImportError:  # no file locks on this system: two builders then do the same work twice
            yield
            return
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BusyError(i18n.message("tables.busy", path=folder)) from None
        yield
