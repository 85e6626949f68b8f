"""Solve single-lap boards by table and write their values, one JSON object a line, as each is known; and put closer
bounds, proved by `awale solve`, into the shipped ones.

    PYTHONPATH=src python3 scripts/board_values.py values.jsonl --device cuda
    PYTHONPATH=src python3 scripts/board_values.py values.jsonl --rules awari --pits 1,2,3,4 --seeds 1,2,3
    python3 scripts/board_values.py values.jsonl --merge src/awale/tables/board-values.json
    awale solve --rules abapa:pits=4,seeds=3 --method proof --leaves 10 --json >proof.json
    python3 scripts/board_values.py proof.json --tighten src/awale/tables/board-values.json

`--merge` writes the lines of the file into the shipped one instead of solving anything; `--tighten` keeps the closer of
the shipped bounds and those of a file that `awale solve --method proof --json` has printed.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from awale import Game
from awale.bounds import bounds_of
from awale.rules import get
from awale.tables.board_values import BOARD_RULES, BOARDS, solve_boards
from awale.tables.build import Status


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def merge(lines: Path, shipped: Path) -> None:
    entries = json.loads(shipped.read_text()) if shipped.exists() else []
    entries += [json.loads(line) for line in lines.read_text().splitlines()]
    _write(shipped, entries)


def tighten(printed: Path, shipped: Path) -> None:
    found = json.loads(printed.read_text())
    rules = get(found["rules"])
    entries = json.loads(shipped.read_text())
    board = {"rules": found["rules"].partition(":")[0], "pits": rules.pits, "seeds": rules.seeds}
    (entry,) = [entry for entry in entries if board.items() <= entry.items()]
    assert entry["version"] == rules.version
    assert found["position"] == Game(rules).position
    entry["value"] = _closer(entry["value"], found["value"])
    entry["moves"] = {move: _closer(value, found["moves"][move]) for move, value in entry["moves"].items()}
    entry["proof"] = {name: found[name] for name in ("table_seeds", "complete", "nodes", "strategy", "seconds")}
    _write(shipped, entries)


def _closer(known: int | list[int], proved: int | list[int]) -> int | list[int]:
    both = bounds_of(known).closer(bounds_of(proved))
    assert both.least <= both.most, (known, proved)
    return both.as_json()


def _write(shipped: Path, entries: list[dict[str, Any]]) -> None:
    last = {(BOARD_RULES.index(entry["rules"]), entry["pits"], entry["seeds"]): entry for entry in entries}
    written = ",\n".join(json.dumps(last[key]) for key in sorted(last))
    shipped.write_text(f"[\n{written}\n]\n")
    print(f"{len(last)} boards in {shipped}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--rules", default=",".join(BOARD_RULES))
    parser.add_argument("--pits", type=_numbers, default=sorted({pits for pits, _ in BOARDS}))
    parser.add_argument("--seeds", type=_numbers, default=sorted({seeds for _, seeds in BOARDS}))
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--merge", type=Path)
    parser.add_argument("--tighten", type=Path)
    given = parser.parse_args()
    if given.merge is not None:
        merge(given.file, given.merge)
        return
    if given.tighten is not None:
        tighten(given.file, given.tighten)
        return
    begun = time.perf_counter()
    boards = [(pits, seeds) for pits, seeds in BOARDS if pits in given.pits and seeds in given.seeds]

    def report(status: Status) -> None:
        if status.step == "write" and status.layer >= 20:
            print(f"  {time.perf_counter() - begun:7.1f} s: layer {status.layer} done", file=sys.stderr, flush=True)

    with given.file.open("a") as out:
        for rules in given.rules.split(","):
            for entry in solve_boards(rules, boards, threads=given.threads, device=given.device, progress=report):
                out.write(json.dumps(entry) + "\n")
                out.flush()
                print(f"{time.perf_counter() - begun:7.1f} s: {json.dumps(entry)}", flush=True)


if __name__ == "__main__":
    main()
