"""Test suites: positions with their best moves, one line each, against any player.

    # a comment
    0-0-0-0-1-2-1-0-0-0-0-1-20-23-S bm E; id "takes two"
    4-4-4-4-4-4-4-4-4-4-4-4-0-0-S am A B; rules abapa

After the position come operations, separated by semicolons as in EPD: `bm` lists the best moves (any of them solves the
position), `am` the moves to avoid, `id` names it, `rules` names other rules than those of the command line.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from awale import i18n
from awale.arena.errors import ArenaError
from awale.errors import AwaleError
from awale.game import Game
from awale.players import Player, PlayerSpec
from awale.rules import load
from awale.rules.description import Rules
from awale.rules.moves import Move


@dataclass(frozen=True, slots=True)
class Test:
    """A position and what is asked of a move."""

    name: str
    game: Game
    best: tuple[Move, ...]
    avoid: tuple[Move, ...]

    def solved_by(self, move: Move) -> bool:
        return (not self.best or move in self.best) and move not in self.avoid

    @property
    def wanted(self) -> str:
        """What is asked, as it is written."""
        parts = (("bm", self.best), ("am", self.avoid))
        return "; ".join(f"{word} {' '.join(map(str, moves))}" for word, moves in parts if moves)


def read_suite(path: str | os.PathLike[str], rules: Rules) -> list[Test]:
    """Return the tests of a file; an error names its line."""
    tests = []
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            tests.append(_read(line.strip(), rules, f"{number}"))
        except AwaleError as error:
            raise ArenaError(
                i18n.message("arena.bad.opening-line", file=path, line=number, problem=error.said or str(error))
            ) from None
    if not tests:
        raise ArenaError(i18n.message("analyse.suite.empty", file=path))
    return tests


def _read(line: str, rules: Rules, name: str) -> Test:
    position, _, rest = line.partition(" ")
    operations: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in rest.split(";"))):
        word, _, value = part.partition(" ")
        if word not in ("bm", "am", "id", "rules") or not value.strip():
            raise ArenaError(i18n.message("analyse.suite.operation", text=part[:40]))
        operations[word] = value.strip()
    game = Game(load(operations["rules"]) if "rules" in operations else rules, start=position)
    best, avoid = (tuple(map(game.parse, operations.get(word, "").split())) for word in ("bm", "am"))
    if not best and not avoid:
        raise ArenaError(i18n.message("analyse.suite.nothing"))
    return Test(operations.get("id", name).strip('"'), game, best, avoid)


def solve(tests: Iterable[Test], spec: PlayerSpec, seed: int = 1) -> Iterator[tuple[Test, Move]]:
    """Yield each test with the player's move; one player per rule system, each position a new game."""
    players: dict[Rules, Player] = {}
    try:
        for test in tests:
            rules = test.game.rules
            if rules not in players:
                players[rules] = spec.make(rules, seed)
                players[rules].warm_up()
            players[rules].new_game()
            yield test, players[rules].choose(test.game.copy()).move
    finally:
        for player in players.values():
            player.close()
