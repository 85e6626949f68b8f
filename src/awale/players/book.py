"""The opening book: what a deep search says of the first positions of a game, and of each of their moves.

A book is a text file: a first line with the command that made it, then a position, a depth and the moves
with their values on each line. `lookup` reads the one made on this machine, or the one of the package.

>>> from awale.game import Game
>>> entry = lookup(Game("abapa"))
>>> entry.best in Game("abapa").legal_moves, entry.depth > 10
(True, True)
"""

from __future__ import annotations

import contextlib
import hashlib
import heapq
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from awale.errors import AwaleError
from awale.game import Game
from awale.i18n import message
from awale.paths import data_dir, resumed_lines
from awale.rules import presets
from awale.rules.description import Rules
from awale.rules.moves import Move

SHIPPED = Path(__file__).with_name("books")
POSITIONS, NODES = 200, 5_000_000
"""How large the books of the package are: positions, and positions searched for each."""
HASH_MB = 128
PLY_COST, LOSS_COST = 1.0, 2.0
"""A move costs so much, and so much more for each seed that it loses: the cheapest positions come first."""


@dataclass(frozen=True, slots=True)
class BookMove:
    """A legal move and its value in seeds for the player to move: an estimate."""

    move: Move
    value: float


@dataclass(frozen=True, slots=True)
class BookEntry:
    """What the book says of a position: the moves, the best first, searched to a depth."""

    depth: int
    moves: tuple[BookMove, ...]

    @property
    def best(self) -> Move:
        return self.moves[0].move

    @property
    def value(self) -> float:
        return self.moves[0].value

    def near(self, within: float) -> list[BookMove]:
        """Return the moves that lose at most so many seeds."""
        return [one for one in self.moves if one.value >= self.value - within]

    def as_json(self, sign: int = 1) -> dict[str, Any]:
        """Return it for programs; a `sign` of -1 gives the values from the other player's point of view."""
        return {
            "depth": self.depth,
            "moves": [{"move": str(one.move), "pit": one.move.pit, "seeds": sign * one.value} for one in self.moves],
        }


def lookup(game: Game) -> BookEntry | None:
    """Return what the book says of a position; None where it says nothing, and for rules without a book."""
    # A clockwise game is the same game, drawn the other way round.
    line = _book(game.rules.variant(direction="counter-clockwise")).get(game.position)
    return None if line is None or game.over else _read(game, line)


def user_file(rules: Rules) -> Path:
    """Return where the book that this user makes is: other rules with the same name have another one."""
    options = json.dumps(rules.options(), sort_keys=True, default=list)
    return data_dir() / "books" / f"{rules.name}-{hashlib.sha256(options.encode()).hexdigest()[:12]}.txt"


def _book(rules: Rules) -> dict[str, str]:
    files = [user_file(rules)]
    if presets.known_by_name(rules):
        files.append(SHIPPED / f"{rules.name}.txt")
    for file in files:
        with contextlib.suppress(OSError):
            return _read_file(file, file.stat().st_mtime_ns)
    return {}


@lru_cache(maxsize=16)
def _read_file(file: Path, changed: int) -> dict[str, str]:
    """Return the rest of each line of a book by its position. `changed`: when the file was, for the cache."""
    lines = file.read_text(encoding="utf-8").splitlines()[1:]
    return dict(line.split(" ", 1) for line in lines if " " in line)


def _read(game: Game, line: str) -> BookEntry:
    depth, *moves = line.split()
    pairs = (move.split("=") for move in moves)
    return BookEntry(int(depth), tuple(BookMove(game.parse(name), int(value) / 100) for name, value in pairs))


def make(
    rules: Rules,
    path: Path,
    *,
    positions: int = POSITIONS,
    nodes: int = NODES,
    watch: Callable[[int, Game], object] = lambda done, game: None,
) -> int:
    """Search the first positions of a game and write each to the book at `path`; return how many there are.

    The positions come in the order of their moves and of what these lose, so that the best lines go deepest. A book
    that is there is continued, and ends as it would have without a break; one of another command is refused.
    """
    from awale.search.engine import SearchEngine
    from awale.search.limits import Limit

    head = f"# awale book make --rules {rules.name} --positions {positions} --nodes {nodes}"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = resumed_lines(path, head)
    if lines is None:
        raise AwaleError(message("analyse.book.other", file=path))
    known = dict(line.split(" ", 1) for line in lines)
    engine = SearchEngine(rules, hash_mb=HASH_MB)

    def entry(game: Game) -> BookEntry:
        if game.position in known:
            return _read(game, known[game.position])
        engine.clear()  # the values must not depend on the positions before
        reached = engine.analyse(game, Limit(nodes=nodes), every_move=True, prove=False).depth
        # The last iteration was cut short: what the one before found of each move is in the transposition table.
        found = engine.analyse(game, Limit(depth=max(1, reached)), every_move=True, fixed=False, prove=False)
        ranked = sorted(found.moves, key=lambda one: -one.value.seeds)
        made = BookEntry(found.depth, tuple(BookMove(one.move, one.value.seeds) for one in ranked))
        moves = " ".join(f"{one.move}={round(100 * one.value)}" for one in made.moves)
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{game.position} {made.depth} {moves}\n")
        return made

    done = 0
    for done, game in enumerate(_cheapest_first(rules, entry), 1):
        watch(done, game)
        if done >= positions:
            break
    return done


def _cheapest_first(rules: Rules, entry: Callable[[Game], BookEntry]) -> Iterator[Game]:
    """Yield the positions of a game, each once, as `make` orders them."""
    seen: set[str] = set()
    waiting: list[tuple[float, int, Game]] = [(0.0, 0, Game(rules))]
    number = 0
    while waiting:
        cost, _, game = heapq.heappop(waiting)
        if game.position in seen:
            continue
        seen.add(game.position)
        found = entry(game)
        yield game
        for one in found.moves:
            after = game.copy()
            after.push(one.move)
            if not after.over:
                number += 1
                more = PLY_COST + LOSS_COST * (found.value - one.value)
                heapq.heappush(waiting, (cost + more, number, after))
