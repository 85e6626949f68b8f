"""The value of a position and of each of its moves, read from a table; and the values of whole boards that are shipped,
from tables and, on the full board, by proof.

A value is the margin at the end, seeds of the player to move less the opponent's, if every seed is played for: a goal
ends the game earlier and never changes who is ahead. Two bounds, equal where the value is known.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from awale import i18n
from awale.bounds import Bounds, bounds_of
from awale.game import Game
from awale.rules import get, moves
from awale.rules.description import Rules
from awale.tables import support
from awale.tables.build import Status, compute
from awale.tables.errors import TablesError
from awale.tables.table import Tables

SHIPPED = "board-values.json"
BOARD_RULES = ("awari", "wikipedia", "casabianca", "abapa")
"""The rule systems whose boards are shipped."""
BOARDS = tuple((pits, seeds) for pits in range(1, 7) for seeds in range(1, 5) if (pits, seeds) != (6, 4))
"""Pits a side and seeds a pit of the boards that tables solve."""


class BoardValues(NamedTuple):
    """The value of a position to the player to move, and that of each of their moves by its written form."""

    value: Bounds
    moves: Mapping[str, Bounds]


def check_goal(game: Game) -> None:
    """Raise TablesError where reaching the goal does not mean being ahead at the end."""
    total = sum(game.counts) + sum(game.scores)
    if not support.goal_agrees(game.rules, total):
        raise TablesError(i18n.message("tables.refused.goal", rules=game.rules.name, total=total))


def board_values(tables: Tables, game: Game, *, alone: bool = False) -> BoardValues:
    """Return the value of a position and of its moves; the table must cover it. `alone`: the value of a move is that of
    the position after it, as if a game began there."""
    check_goal(game)
    ahead = game.scores[game.turn] - game.scores[1 - game.turn]
    found = tables.probe(game)
    if found is None:
        raise TablesError(i18n.message("tables.refused.beyond", seeds=sum(game.counts), most=tables.seeds))
    least, most = found.least, found.most
    moves: dict[str, Bounds] = {}
    for move, value in tables.probe_moves(game, alone=alone).items():
        assert value is not None
        moves[str(move)] = Bounds(ahead + value.least, ahead + value.most)
    if moves:
        # Stored bounds are rounded outwards; those of the moves may be closer.
        least = max(least, max(move.least for move in moves.values()) - ahead)
        most = min(most, max(move.most for move in moves.values()) - ahead)
    return BoardValues(Bounds(ahead + least, ahead + most), moves)


def solve_boards(
    rules: str,
    boards: Sequence[tuple[int, int]] = BOARDS,
    *,
    threads: int | None = None,
    device: str = "cpu",
    progress: Callable[[Status], None] | None = None,
) -> Iterator[dict[str, Any]]:
    """Solve boards given as pits a side and seeds a pit, as `all_shipped` describes them. One table serves all boards
    whose rules differ only in the seeds; `seconds` is the time of the whole table."""
    groups: dict[str, list[Game]] = {}
    for pits, seeds in sorted(boards):
        game = Game(f"{rules}:pits={pits},seeds={seeds}")
        groups.setdefault(support.key(game.rules), []).append(game)
    for games in groups.values():
        begun = time.perf_counter()
        largest = games[-1].rules
        tables = compute(largest, largest.total, threads=threads, device=device, on_card=True, progress=progress)
        seconds = time.perf_counter() - begun
        for game in games:
            found = board_values(tables, game)
            yield {
                "rules": rules,
                "version": game.rules.version,
                "pits": game.rules.pits,
                "seeds": game.rules.seeds,
                "value": found.value.as_json(),
                "moves": {move: value.as_json() for move, value in found.moves.items()},
                "table_seeds": tables.seeds,
                "seconds": round(seconds, 2),
                "device": device,
            }
        del tables  # the memory of the largest tables is needed for the next


def shipped(rules: Rules) -> BoardValues | None:
    """Return the values of a whole board from its usual start, if they are shipped for these rules, whatever their
    notation."""
    for entry in all_shipped():
        if entry["pits"] == rules.pits and entry["seeds"] == rules.seeds:
            known = get(f"{entry['rules']}:pits={rules.pits},seeds={rules.seeds}")
            if entry["version"] == known.version and support.key(rules) == support.key(known):
                pits = {moves.write(known, pit): pit for pit in range(known.pits)}
                values = {moves.write(rules, pits[move]): bounds_of(value) for move, value in entry["moves"].items()}
                return BoardValues(bounds_of(entry["value"]), values)
    return None


@cache
def all_shipped() -> tuple[dict[str, Any], ...]:
    """Return the shipped entries: rules, version, pits, seeds, value and moves, and the seconds of the table; or
    those of the searches, with the `claims` they settled. `proof`: what `awale solve --method proof` searched for
    bounds that are closer than the table's."""
    text = files("awale").joinpath("tables", SHIPPED).read_text(encoding="utf-8")
    return tuple(json.loads(text))
