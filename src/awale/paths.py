"""Where this user's files are: data that must be kept, and a cache that can be computed again."""

from __future__ import annotations

import os
from pathlib import Path


def data_dir() -> Path:
    """Return the folder of games, tables and the database: `AWALE_DATA_DIR`, or the system's place for user data."""
    return _folder("AWALE_DATA_DIR", "user_data_path")


def cache_dir() -> Path:
    """Return the folder of compiled code and unfinished computations: `AWALE_CACHE_DIR`, or the system's user cache."""
    return _folder("AWALE_CACHE_DIR", "user_cache_path")


def _folder(variable: str, kind: str) -> Path:
    """Return the folder that a variable names; an empty variable counts as unset."""
    if named := os.environ.get(variable):
        return Path(named).expanduser()
    import platformdirs  # takes several milliseconds, and most programs never ask

    path: Path = getattr(platformdirs, kind)("awale", appauthor=False)
    return path
