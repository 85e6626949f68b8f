"""Solve single-lap boards by table and write their values, one JSON object a line, as each is known.

    PYTHONPATH=src python3 scripts/board_values.py values.jsonl --device cuda
    PYTHONPATH=src python3 scripts/board_values.py values.jsonl --rules awari --pits 1,2,3,4 --seeds 1,2,3
    python3 scripts/board_values.py values.jsonl --merge src/awale/tables/board-values.json

`--merge` writes the lines of the file into the shipped one instead of solving anything.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from awale.tables.board_values import BOARD_RULES, BOARDS, solve_boards
from awale.tables.build import Status


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def merge(lines: Path, shipped: Path) -> None:
    entries = json.loads(shipped.read_text()) if shipped.exists() else []
    entries += [json.loads(line) for line in lines.read_text().splitlines()]
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
    given = parser.parse_args()
    if given.merge is not None:
        merge(given.file, given.merge)
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
