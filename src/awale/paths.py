"""Where this user's files are: data that must be kept, and a cache that can be computed again."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path


def data_dir() -> Path:
    """Return the folder of games, tables and the database: `AWALE_DATA_DIR`, or the system's place for user data."""
    return _folder("AWALE_DATA_DIR", "user_data_path")


def cache_dir() -> Path:
    """Return the folder of compiled code and unfinished computations: `AWALE_CACHE_DIR`, or the system's user cache."""
    return _folder("AWALE_CACHE_DIR", "user_cache_path")


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary file beside `path` to write to. It replaces `path` only if the block raises nothing, so that
    readers see the old file or the new one; an error names `path`, not the temporary file."""
    target = Path(path)
    growing = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        yield growing
        with contextlib.suppress(FileNotFoundError):
            growing.chmod(target.stat().st_mode & 0o7777)
        growing.replace(target)
    except OSError as error:
        if error.filename == str(growing):
            error.filename, error.filename2 = str(target), None
        raise
    finally:
        with contextlib.suppress(OSError):
            growing.unlink()


def write_files(folder: str | os.PathLike[str], files: Mapping[str, str]) -> list[Path]:
    """Write texts by the names of their files to a folder; return their paths."""
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (place / name).write_text(text, encoding="utf-8")
    return [place / name for name in files]


def resumed_lines(path: str | os.PathLike[str], head: str) -> list[str] | None:
    """Return the lines after the first one of a text file that grows line by line, without the part of a line that an
    interruption left; a file that does not exist is begun with `head`. None if the file has another first line."""
    target = Path(path)
    text = target.read_text(encoding="utf-8") if target.exists() else ""
    lines = text[: text.rfind("\n") + 1].splitlines()
    if lines[:1] != [head] and not f"{head}\n".startswith(text):
        return None
    with replacing(target) as growing:
        growing.write_text("".join(f"{line}\n" for line in lines or [head]), encoding="utf-8")
    return lines[1:]


def _folder(variable: str, kind: str) -> Path:
    """Return the folder that a variable names; an empty variable counts as unset."""
    if named := os.environ.get(variable):
        return Path(named).expanduser()
    import platformdirs  # takes several milliseconds, and most programs never ask

    path: Path = getattr(platformdirs, kind)("awale", appauthor=False)
    return path
