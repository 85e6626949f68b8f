"""The page of solved boards: the shipped values as rows of a table, each with a link to its board."""

from __future__ import annotations

from functools import cache
from typing import Any

from awale.bounds import Bounds, bounds_of
from awale.rules import Rules, get
from awale.tables.board_values import BOARD_RULES, all_shipped
from awale.web import schema


@cache
def table() -> dict[str, Any]:
    """Return the columns (rule systems) and the rows (boards) of the page."""
    boards: dict[tuple[int, int], dict[str, dict[str, Any]]] = {}
    for entry in all_shipped():
        size = (entry["pits"], entry["seeds"])
        value, total = bounds_of(entry["value"]), 2 * size[0] * size[1]
        first = {move: _shown(bounds_of(known), total) for move, known in entry["moves"].items()}
        boards.setdefault(size, {})[entry["rules"]] = {
            "rules": get(f"{entry['rules']}:pits={size[0]},seeds={size[1]}").name,
            "value": _shown(value, total),
            "result": "win" if value.least > 0 else "loss" if value.most < 0 else "draw" if value.exact else "open",
            "moves": [f"{move} {shown}" for move, shown in first.items()],
        }
    rows = [
        {"pits": pits, "seeds": seeds, "cells": [cells.get(name) for name in BOARD_RULES]}
        for (pits, seeds), cells in sorted(boards.items())
    ]
    return {"kinds": [_kind(schema.Rules.of(get(name))) for name in BOARD_RULES], "boards": rows}


def has_boards(rules: Rules) -> bool:
    """Return whether the page has boards of a rule system, of whatever size."""
    return rules.name.partition(":")[0] in BOARD_RULES


def _kind(rules: schema.Rules) -> dict[str, Any]:
    """Return a heading: the title, and the title without its explanation in brackets, which fits a narrow column."""
    short = {lang: title.partition(" (")[0] for lang, title in rules.title.items()}
    return {"name": rules.name, "title": rules.title, "short": short}


def _shown(value: Bounds, total: int) -> str:
    return value.within(total).replace("-", "\N{MINUS SIGN}").replace("..", "…")
