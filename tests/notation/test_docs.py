"""What docs/notation.md shows is what the code does."""

from __future__ import annotations

import json
import re
from pathlib import Path

from awale.notation import from_data, read_ogn, to_data, to_ogn

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")


def block(start: str) -> str:
    found = re.search(rf"```\w*\n({re.escape(start)}.*?)```", PAGE, re.DOTALL)
    assert found, start
    return found[1]


def test_ogn_example() -> None:
    text = block("[Variant")
    assert [to_ogn(record) for record in read_ogn(text)] == [text]


def test_json_example() -> None:
    data = json.loads(block("{"))
    assert to_data(from_data(data)) == data


def test_every_entry_is_described() -> None:
    described = set(re.findall(r"^\| `(?:moves\[\]\.)?(\w+)` \|", PAGE, re.MULTILINE))
    assert {*json.loads(block("{")), *json.loads(block("{"))["moves"][0], "ended", "offer"} <= described


def test_the_line_with_passes() -> None:
    line = re.search(r"^    (1\. 1 -- .*)$", PAGE, re.MULTILINE)
    assert line
    head = '[Variant "ghana"]\n[FEN "1-1-0-1-0-0-0-0-0-0-0-0-20-20-S"]\n\n'
    (record,) = read_ogn(head + line[1])
    assert to_ogn(record).endswith(f"\n{line[1]}\n")
