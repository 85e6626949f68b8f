"""The memory and disk space that a build needs, and what is available."""

from __future__ import annotations

import shutil
from pathlib import Path

from awale import i18n
from awale.rules.description import Rules
from awale.tables import support
from awale.tables.errors import InsufficientResourcesError
from awale.tables.index import half_count, layer_size, total_size
from awale.tables.layer_file import file_size

SPARE = 64 << 20
"""For the interpreter, the compiler and small data."""
CARD_SPARE = 256 << 20
"""The same on a GPU."""


def memory_needed(rules: Rules, seeds: int) -> int:
    """Return the peak memory of a build, at its last layer."""
    size = layer_size(rules.pits, seeds)
    below = total_size(rules.pits, seeds) - size
    if support.cycles(rules) == "counted":
        return SPARE + 2 * below + size * (9 * rules.pits + 10)
    if rules.sowing == "relay":
        return SPARE + below + size * (4 * rules.pits + 2)
    of_layer = 3 if support.cycles(rules) == "open" else 2
    return SPARE + _move_tables(rules, seeds) + below + size * of_layer + size // 32


def _move_tables(rules: Rules, seeds: int) -> int:
    """Return the size of the tables of one-lap moves."""
    halves = sum(half_count(rules.pits, n) for n in range(seeds + 1))
    replies = sum(half_count(rules.pits, n) * (seeds - n + 1) for n in range(seeds + 1))
    return halves * 7 * rules.pits + replies * 6 * (rules.pits if rules.capture == "opposite" else 1)


def card_memory_needed(rules: Rules, seeds: int) -> int:
    """Return the GPU memory needed at the last layer: all layers, the captures of the last, its bounds where the rules
    need them, and a stamp for each of its lines."""
    size = layer_size(rules.pits, seeds)
    of_layer = 3 if support.cycles(rules) == "open" else 1
    all_layers = total_size(rules.pits, seeds)
    return CARD_SPARE + _move_tables(rules, seeds) + all_layers + size * of_layer + size // 64


def host_memory_needed(rules: Rules, seeds: int) -> int:
    """Return the host memory needed by a build on a GPU: a layer being copied out and one being written."""
    return SPARE + _move_tables(rules, seeds) + 2 * layer_size(rules.pits, seeds)


def disk_needed(rules: Rules, layers: list[int]) -> int:
    """Return the disk space of some layers."""
    return sum(-(-file_size(rules, seeds) // 4096) * 4096 for seeds in layers)


def memory_available() -> int | None:
    """Return the memory available to this process, or None where the system does not say."""
    found: list[int] = []
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                found.append(int(line.split()[1]) * 1024)
        limit = Path("/sys/fs/cgroup/memory.max").read_text().strip()
        if limit != "max":
            found.append(int(limit) - int(Path("/sys/fs/cgroup/memory.current").read_text()))
    except (OSError, ValueError, IndexError):
        pass
    return min(found) if found else None


def disk_available(folder: Path) -> int:
    """Return the free space of the disk of a directory that may not exist yet."""
    while not folder.exists():
        folder = folder.parent
    return shutil.disk_usage(folder).free


def format_size(size: int) -> str:
    """Return a size in readable units.

    >>> format_size(300), format_size(5_000_000), format_size(12_345_678_901)
    ('300 B', '5.0 MB', '12.3 GB')
    """
    byte = i18n.text("tables.byte")
    if size < 1000:
        return f"{size} {byte}"
    amount = size / 1000
    prefixes = iter("kMGT")
    prefix = next(prefixes)
    while amount >= 999.95 and prefix != "T":
        amount /= 1000
        prefix = next(prefixes)
    return f"{i18n.decimal(amount)} {prefix}{byte}"


def check_resources(folder: Path, memory: int, disk: int) -> None:
    """Raise InsufficientResourcesError if memory or disk space does not suffice."""
    there = memory_available()
    if there is not None and memory > there:
        needed, free = format_size(memory), format_size(there)
        raise InsufficientResourcesError(i18n.message("tables.room.memory", needed=needed, free=free))
    free_disk = disk_available(folder)
    if disk > free_disk:
        needed, free = format_size(disk), format_size(free_disk)
        raise InsufficientResourcesError(i18n.message("tables.room.disk", needed=needed, free=free, path=folder))
