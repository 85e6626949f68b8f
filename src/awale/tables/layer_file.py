"""One file per layer: a page of header, then the bytes.

The header is a line of JSON after a fixed prefix: rules, seeds, sections and checksums. A file is written under another
name, flushed, and renamed when complete, so a file with the right name is whole unless damaged later, which the
checksums detect. A file does not depend on when or by how many threads it was built.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from awale import i18n
from awale.rules.description import Rules
from awale.tables import support
from awale.tables.checksums import checksum
from awale.tables.errors import DamagedTableError
from awale.tables.index import layer_size

MAGIC = b"AWALETBL"
FORMAT = 1
PAGE = 4096
SUFFIX = ".awt"
_START = struct.Struct("<8sIII")
"""Magic, format version, length of the JSON, its checksum."""
CHUNK = 1 << 24


@dataclass(frozen=True, slots=True)
class Section:
    """A range of bytes in the file."""

    name: str
    offset: int
    size: int
    crc: int


@dataclass(frozen=True, slots=True)
class Header:
    rules: str
    options: Mapping[str, Any]
    seeds: int
    sections: tuple[Section, ...]
    values: tuple[int, ...] | None = None
    """How many positions have each exact value from -seeds to seeds; older files do not say."""

    @property
    def codes(self) -> Section:
        return self.sections[0]

    @property
    def file_size(self) -> int:
        return self.sections[-1].offset + self.sections[-1].size


def layer_name(seeds: int) -> str:
    return f"layer-{seeds:02d}{SUFFIX}"


def seeds_of(name: str) -> int | None:
    """Return the seeds of the layer from a file's name."""
    match = re.fullmatch(r"layer-(\d\d)" + re.escape(SUFFIX), name)
    return int(match[1]) if match else None


def section_sizes(rules: Rules, seeds: int) -> dict[str, int]:
    size = layer_size(rules.pits, seeds)
    return {"codes": size, "plies": size} if support.cycles(rules) == "counted" else {"codes": size}


def file_size(rules: Rules, seeds: int) -> int:
    """Return the size of a layer's file."""
    end = PAGE
    for size in section_sizes(rules, seeds).values():
        end = _page(end) + size
    return end


def _page(offset: int) -> int:
    return -(-offset // PAGE) * PAGE


def write(
    folder: Path, rules: Rules, seeds: int, parts: Mapping[str, memoryview], values: Sequence[int] | None = None
) -> Path:
    """Write a layer from its sections atomically, with the counts of its values."""
    path = folder / layer_name(seeds)
    temporary = folder / f".{path.name}.{os.getpid()}.tmp"
    try:
        with temporary.open("wb") as out:
            sections: list[Section] = []
            end = PAGE
            for name, data in parts.items():
                offset = _page(end)
                out.seek(offset)
                crc = 0
                for begin in range(0, len(data), CHUNK):
                    piece = data[begin : begin + CHUNK]
                    crc = zlib.crc32(piece, crc)
                    out.write(piece)
                sections.append(Section(name, offset, len(data), crc))
                end = offset + len(data)
            out.seek(0)
            out.write(_header_page(rules, seeds, sections, values))
            out.flush()
            os.fsync(out.fileno())
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    _flush_folder(folder)
    return path


def _header_page(rules: Rules, seeds: int, sections: Sequence[Section], values: Sequence[int] | None) -> bytes:
    described: dict[str, Any] = {
        "rules": rules.name,
        "options": support.relevant(rules),
        "seeds": seeds,
        "sections": [[section.name, section.offset, section.size, section.crc] for section in sections],
    }
    if values is not None:
        described["values"] = list(values)
    text = json.dumps(described, sort_keys=True, separators=(",", ":")).encode()
    start = _START.pack(MAGIC, FORMAT, len(text), zlib.crc32(text)) + text
    if len(start) > PAGE:
        raise ValueError("the header of a table outgrew its page")
    return start.ljust(PAGE, b"\0")


def _flush_folder(folder: Path) -> None:
    """Make the renaming durable, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def damage(path: Path, why: str, **values: object) -> DamagedTableError:
    """Return the error about a file that is not used."""
    reason = i18n.message(f"tables.damaged.{why}", **values)
    return DamagedTableError(i18n.message("tables.damaged.file", path=path, reason=reason))


def read_header(path: Path) -> Header:
    """Return the header of a file, after checking its consistency and the file's size."""
    damaged = partial(damage, path)
    try:
        with path.open("rb") as file:
            page = file.read(PAGE)
            size = os.fstat(file.fileno()).st_size
    except OSError as error:
        raise damaged("unreadable", error=i18n.system_problem(error)) from None
    if page[:8] != MAGIC:
        raise damaged("foreign")
    if len(page) < PAGE:
        raise damaged("short", size=size, wanted=PAGE)
    _, version, length, crc = _START.unpack_from(page)
    if version != FORMAT:
        raise damaged("version", version=version, known=FORMAT)
    text = page[_START.size : _START.size + length]
    if len(text) != length or zlib.crc32(text) != crc:
        raise damaged("header")
    try:
        data = json.loads(text)
        sections = tuple(Section(str(n), int(o), int(s), int(c)) for n, o, s, c in data["sections"])
        values = None if data.get("values") is None else tuple(int(count) for count in data["values"])
        header = Header(str(data["rules"]), dict(data["options"]), int(data["seeds"]), sections, values)
    except (ValueError, KeyError, TypeError):
        raise damaged("header") from None
    if not sections or seeds_of(path.name) not in (None, header.seeds):
        raise damaged("seeds", seeds=header.seeds)
    if size != header.file_size:
        raise damaged("short" if size < header.file_size else "long", size=size, wanted=header.file_size)
    return header


def check_rules(path: Path, header: Header, rules: Rules) -> None:
    """Raise an error for a file made for other rules, or another version of them."""
    sizes = {section.name: section.size for section in header.sections}
    if header.options != support.relevant(rules) or sizes != section_sizes(rules, header.seeds):
        raise damage(path, "rules", found=header.rules, wanted=rules.name)


def check_bytes(path: Path, header: Header, sections: Mapping[str, memoryview], threads: int = 1) -> None:
    """Compare the checksums of a file's sections with the header."""
    for section in header.sections:
        if checksum(sections[section.name], threads) != section.crc:
            raise damage(path, "checksum")


def remove_leftovers(folder: Path) -> None:
    """Delete the partial files of an interrupted build."""
    for path in folder.glob(".layer-*.tmp"):
        with contextlib.suppress(OSError):
            path.unlink()


def layers_in(folder: Path) -> Iterator[tuple[int, Path]]:
    """Return the layer files of a directory, lowest first."""
    found = ((seeds_of(path.name), path) for path in folder.glob(f"layer-*{SUFFIX}"))
    yield from sorted((seeds, path) for seeds, path in found if seeds is not None)


def remove_layers(folder: Path, above: int) -> int:
    """Delete the layers above so many seeds, the largest first, so that the rest stays valid; return how many. A
    directory left empty is removed."""
    remove_leftovers(folder)
    doomed = [path for seeds, path in layers_in(folder) if seeds > above]
    for path in reversed(doomed):
        path.unlink()
    if next(layers_in(folder), None) is None:
        for name in ("checked.json", "building.lock"):
            with contextlib.suppress(OSError):
                (folder / name).unlink()
        with contextlib.suppress(OSError):
            folder.rmdir()
    return len(doomed)
