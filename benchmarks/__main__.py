"""Runs the benchmarks and prints their table."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import pkgutil
import platform
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import benchmarks
from benchmarks.measure import Row, figure

RESULTS = Path(__file__).parent / "results.md"
INTRODUCTION = """# What was measured

By `make bench ARGS=--write`; `make bench ARGS="perft --write"` measures one part of it anew and leaves the others.
"""
HEAD = ("what", "ours", "peer", "ratio", "target", "met")


def names() -> list[str]:
    """The modules of this folder that can be run; `web` runs `web_pages`."""
    found = [module.name for module in pkgutil.iter_modules(benchmarks.__path__)]
    return [name for name in found if not name.startswith("_") and name not in ("measure", "web_pages")]


def cells(row: Row) -> tuple[str, ...]:
    per_second = f" {row.unit}/s" if row.unit else ""
    return (
        row.what,
        figure(row.ours) + per_second,
        f"{figure(row.peer)}{per_second} ({row.peer_name})" if row.peer else "-",
        f"{row.ratio:.3g}" if row.ratio else "-",
        row.target or "-",
        {True: "yes", False: "NO", None: "-"}[row.met],
    )


def table(rows: Sequence[Row]) -> str:
    """As Markdown, the columns aligned so that it reads well as it is."""
    lines = [HEAD, *(cells(row) for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEAD))]
    text = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |" for line in lines
    ]
    text.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(text)


def machine() -> str:
    """What the figures were measured on."""
    import numba

    processor = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                processor = line.partition(":")[2].strip()
                break
    except OSError:
        pass
    return f"{processor}, {os.cpu_count()} cores; Python {platform.python_version()}, Numba {numba.__version__}"


def keep(name: str, rows: Sequence[Row]) -> None:
    """Put a benchmark's table into the file of results, in the place of the one it had; the others stay."""
    first, *sections = (RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else INTRODUCTION).split("\n## ")
    kept = {section.partition("\n")[0]: section for section in sections}
    kept[name] = f"{name}\n\nOn {machine()}.\n\n{table(rows)}\n"
    text = "\n## ".join([first, *(kept[section] for section in names() if section in kept)])
    RESULTS.write_text(text, encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=benchmarks.__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help=f"some of: {', '.join(names())}; all of them by default")
    parser.add_argument("--write", action="store_true", help=f"keep the tables in {RESULTS.name}")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    chosen = parser.parse_args(arguments)
    unknown = sorted(set(chosen.names) - set(names()))
    if unknown:
        parser.error(f"no benchmark is called {', '.join(unknown)}: there are {', '.join(names())}")
    rows: list[Row] = []
    for name in chosen.names or names():
        print(f"{name} ...", file=sys.stderr, flush=True)
        found = importlib.import_module(f"benchmarks.{name}").run()
        rows += found
        if chosen.write:
            keep(name, found)
    if chosen.json:
        print(json.dumps([asdict(row) | {"ratio": row.ratio, "met": row.met} for row in rows], indent=2))
    else:
        print(f"{machine()}\n\n{table(rows)}")
    return int(any(row.met is False for row in rows))


if __name__ == "__main__":
    sys.exit(main())
