"""Which rules can have tables, and on which of their options a table depends.

A table holds, for a board and the player to move, what they still win of the seeds on the board less what the opponent
does, with best play to the end. Scores do not matter, so goals do not either: a goal is more than half of all seeds,
hence whoever reaches it is also ahead when every seed has been played for, and the sign of "margin so far plus the
table's value" names the winner with or without a goal (see docs/tables.md).
"""

from __future__ import annotations

import hashlib
import json
from typing import Any, Literal

from awale import i18n
from awale.rules.description import Rest, Rules
from awale.tables.errors import TablesError

MAX_PITS = 6
MAX_SEEDS = 48
"""The largest layer that can be requested (37 is what fits the largest machines)."""
MOST_PLIES = 250

Cycles = Literal["even", "open", "counted"]
"""How play that never ends is scored.

`even`: worth nothing to either side, every entry is exact. `open`: by something that depends on how the cycle was
entered (each their own side): only entries that no cycle affects are exact. `counted`: a move limit cuts it, so an
entry also says how many moves must be left for it to hold.
"""


def few_needs_move(rules: Rules) -> bool:
    """Return whether `few_rest` shares few seeds only while moves are left: with none, the limit decides."""
    limit_first = rules.endings.index("moves") < rules.endings.index("few")
    return limit_first and rules.few_rest != rules.move_limit_rest


def cycles(rules: Rules) -> Cycles:
    if rules.move_limit is not None:
        return "counted"
    return "open" if rules.repetition == "own-side" else "even"


def _refusal(rules: Rules) -> i18n.Message | None:
    if rules.coloured:
        return i18n.message("tables.refused.coloured", rules=rules.name)
    if rules.pits > MAX_PITS:
        return i18n.message("tables.refused.pits", rules=rules.name, pits=rules.pits, most=MAX_PITS)
    return None


def refusal(rules: Rules, lang: str | None = None) -> str | None:
    """Return why these rules can have no table; None if they can."""
    said = _refusal(rules)
    return None if said is None else said.sentence(lang)


def check(rules: Rules) -> None:
    said = _refusal(rules)
    if said is not None:
        raise TablesError(said)


def relevant(rules: Rules) -> dict[str, Any]:
    """Return the options that decide the values; rules that agree in them share their tables."""
    options: dict[str, Any] = {
        "version": rules.version,
        "pits": rules.pits,
        "sowing": rules.sowing,
        "origin": rules.origin,
        "capture": rules.capture,
        "starved": rules.starved,
        "no_move": rules.no_move,
        "cycles": cycles(rules),
    }
    if rules.capture == "chain":
        options["capture_counts"] = sorted(rules.capture_counts)
    if rules.sowing == "relay":
        options["endless"] = rules.endless
        if rules.relay_from == "own-side":
            options["relay_from"] = rules.relay_from
    else:
        options["grand_slam"] = rules.grand_slam
        options["feeding"] = rules.feeding
    if rules.few_seeds is not None:
        options["few_seeds"] = rules.few_seeds
        options["few_rest"] = rules.few_rest
    if rules.move_limit is not None:
        options["plies"] = min(rules.move_limit, MOST_PLIES)
        rests = {rules.move_limit_rest, rules.no_move, rules.few_rest if rules.few_seeds is not None else rules.no_move}
        if len(rests) > 1:  # files without this option may be wrong about the last move
            options["few_needs_move"] = few_needs_move(rules)
    return options


def key(rules: Rules) -> str:
    """Return a short name of the relevant options."""
    text = json.dumps(relevant(rules), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def rest_value(rest: Rest | Literal["to-move"], own: int, other: int) -> int:
    """Return the value of the rest to the player to move when the game ends before their move."""
    match rest:
        case "nobody":
            return 0
        case "own-side":
            return own - other
        case "to-move":
            return own + other
        case "last-mover":
            return -own - other


def goal_agrees(rules: Rules, total: int) -> bool:
    """Return whether a goal, if there is one, is more than half of all seeds of this game, so that the table names the
    winner."""
    goal = rules.win_score_for(total)
    return goal is None or 2 * goal > total
