"""Evaluation files that people write: named features and their weights, in TOML.

    rules = "tricolor"            # optional: what it was made for
    description = "mine"          # optional

    [weights]
    captured = 1                  # mine less the other's, in seeds
    threes = [0.1, -0.3]          # on the full board, on the empty one
    ones = { mine = 0.2, theirs = -0.5 }

Anything under `[made]` is left alone: `awale tune` writes there how the file came about.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from awale import i18n
from awale.errors import AwaleError
from awale.rules import get
from awale.rules.description import Rules
from awale.search.linear import MOST_WEIGHT, NAMES, OF_SIDES, EvaluationError, Tapered, Weighing, finite_weight

MAX_BYTES = 100_000
_TOP = ("rules", "description", "weights", "made")


@dataclass(frozen=True, slots=True)
class EvaluationFile:
    """What such a file holds."""

    weighing: Weighing
    rules: str | None = None
    description: str = ""


def _bad(key: str, /, **values: object) -> EvaluationError:
    return EvaluationError(i18n.message(f"evaluations.bad.{key}", **values))


def contents(path: str | Path) -> bytes:
    """A file's bytes, or a sentence on why they cannot be had."""
    path = Path(path)
    try:
        if path.is_file() and path.stat().st_size > MAX_BYTES:
            raise _bad("large", file=path, most=i18n.number(MAX_BYTES))
        return path.read_bytes()
    except FileNotFoundError:
        raise _bad("missing", file=path) from None
    except (OSError, ValueError) as error:
        if isinstance(error, AwaleError):
            raise
        raise _bad(
            "unreadable", file=path, problem=i18n.system_problem(error) if isinstance(error, OSError) else error
        ) from None


def read(path: str | Path, rules: Rules | None = None) -> EvaluationFile:
    """An evaluation file; with `rules`, one that fits them."""
    raw = contents(path)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise _bad("not-text", file=path) from None
    try:
        found = parse(text)
        if rules is not None:
            check(found, rules)
        return found
    except EvaluationError as error:
        raise EvaluationError(i18n.message("evaluations.bad.in-file", file=path, problem=error)) from None


def check(found: EvaluationFile, rules: Rules) -> None:
    """Refuse rules that an evaluation is not for."""
    if found.rules is not None and get(found.rules).coloured != rules.coloured:
        raise _bad("other-rules", made=found.rules, rules=rules.name)
    found.weighing.check(rules)


def parse(text: str) -> EvaluationFile:
    """The text of an evaluation file.

    >>> parse("[weights]\\ncaptured = 1\\nones = -0.5").weighing.theirs["ones"]
    Tapered(full=0.5, empty=0.5)
    """
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise _bad("toml", problem=error) from None
    for key in data:
        if key not in _TOP:
            raise _bad("key", key=key[:40], known=", ".join(_TOP))
    weights = data.get("weights")
    if not isinstance(weights, dict) or not weights:
        raise _bad("no-weights")
    rules, description = data.get("rules"), data.get("description", "")
    if rules is not None:
        if not isinstance(rules, str):
            raise _bad("rules", rules=str(rules)[:40])
        try:
            get(rules)
        except AwaleError:
            raise _bad("rules", rules=rules[:40]) from None
    if not isinstance(description, str):
        raise _bad("description")
    mine: dict[str, Tapered] = {}
    theirs: dict[str, Tapered] = {}
    for name, value in weights.items():
        if name not in NAMES:
            near = get_close_matches(name, NAMES, 1)
            key = "feature-near" if near else "feature"
            raise _bad(key, feature=name[:40], near="".join(near), known=", ".join(NAMES))
        if isinstance(value, dict):
            if name not in OF_SIDES or set(value) - {"mine", "theirs"}:
                raise _bad("sides", feature=name)
            for side, where in (("mine", mine), ("theirs", theirs)):
                if side in value:
                    where[name] = _weight(name, value[side])
        else:
            weight = mine[name] = _weight(name, value)
            if name in OF_SIDES:
                theirs[name] = Tapered(-weight.full, -weight.empty)
    return EvaluationFile(Weighing(mine, theirs), rules, description)


def _weight(name: str, value: Any) -> Tapered:
    pair = value if isinstance(value, list) else [value, value]
    numbers = [finite_weight(number) for number in pair]
    if len(numbers) != 2 or numbers[0] is None or numbers[1] is None:
        raise _bad("weight", feature=name, value=str(value)[:40], most=f"{MOST_WEIGHT:g}")
    return Tapered(numbers[0], numbers[1])


# -- writing -------------------------------------------------------------------------------------------------------


def write(
    weighing: Weighing, *, rules: str | None = None, description: str = "", made: dict[str, Any] | None = None
) -> str:
    """The text of an evaluation file, which `parse` reads back."""
    lines = []
    if rules is not None:
        lines.append(f"rules = {_toml(rules)}")
    if description:
        lines.append(f"description = {_toml(description)}")
    lines += ["", "[weights]"]
    for name in weighing.features:
        mine = weighing.mine.get(name, Tapered(0.0, 0.0))
        theirs = weighing.theirs.get(name, Tapered(0.0, 0.0))
        if name not in OF_SIDES or (theirs.full, theirs.empty) == (-mine.full, -mine.empty):
            lines.append(f"{name} = {_pair(mine)}")
        else:
            lines.append(f"{name} = {{ mine = {_pair(mine)}, theirs = {_pair(theirs)} }}")
    if made:
        lines += ["", "[made]", *(f"{key} = {_toml(value)}" for key, value in made.items())]
    return "\n".join(lines).lstrip("\n") + "\n"


def _pair(weight: Tapered) -> str:
    full, empty = (f"{value:.4f}".rstrip("0").rstrip(".") for value in weight)
    full, empty = (("0" if number in ("-0", "") else number) for number in (full, empty))
    return full if full == empty else f"[{full}, {empty}]"


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + " }"
    shown = "".join(c if c.isprintable() else " " for c in str(value)).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{shown}"'
