"""Openings: random ones for a match, files of them, and balanced ones, found with the engine or shipped."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import cycle
from pathlib import Path
from typing import Any

from awale import i18n
from awale.arena.errors import ArenaError
from awale.errors import AwaleError
from awale.game import Game, random_game
from awale.notation import read_json, read_ogn
from awale.paths import resumed_lines
from awale.rules import positions, presets
from awale.rules.description import Rules

TRIES = 200
"""How often a random opening is drawn again when it is a duplicate or over."""
MAX_PLIES = 40
BALANCED = "balanced"
"""The name of the openings that the package has."""
SHIPPED = Path(__file__).with_name("balanced")
PLIES, COUNT, WITHIN, NODES = 6, 300, 1.0, 500_000
"""How those were found: moves, number, seeds from even, positions searched."""
MOST_ADDED = 4
QUICK_DEPTH, QUICK_MARGIN = 6, 2.0
"""A search to this depth rules out what is further from even by more than this margin."""


@dataclass(frozen=True, slots=True)
class Opening:
    """The start of a pair of games."""

    start: str | None = None
    moves: tuple[str, ...] = ()
    value: float | None = None
    """The engine's value, in seeds for the player to move."""

    def game(self, rules: Rules) -> Game:
        return Game(rules, start=self.start, moves=self.moves)

    @property
    def line(self) -> str:
        """The moves and the value as a line of a file."""
        return " ".join(self.moves) + ("" if self.value is None else f"  # {self.value:+.2f}")

    def as_data(self, rules: Rules) -> dict[str, Any]:
        return {
            "position": self.game(rules).position,
            "moves": " ".join(self.moves),
            "value": None if self.value is None else round(self.value, 3),
        }


def drawn(rules: Rules, plies: int, seed: int) -> Iterator[Opening]:
    """Yield random openings without end: distinct as long as possible, none of them over."""
    if not 0 <= plies <= MAX_PLIES:
        raise ArenaError(i18n.message("arena.bad.plies", plies=plies, most=MAX_PLIES))
    seen: set[object] = set()
    number = 0
    while True:
        chance = random.Random(f"{seed}/{number}")
        for attempt in range(TRIES):
            game = random_game(rules, plies, chance)
            key = (game.board, game.turn, game.scores)
            if not game.over and (key not in seen or attempt >= TRIES // 2):
                seen.add(key)
                break
        else:
            raise ArenaError(i18n.message("arena.bad.no-opening", plies=plies))
        yield Opening(None, tuple(map(str, game.moves)))
        number += 1


def from_file(path: str | Path, rules: Rules) -> tuple[Opening, ...]:
    """Return the openings of a file: OGN or JSON games, or lines with a position, moves, or a position and moves."""
    path = Path(path)
    ending = path.suffix.lower()
    found: list[Opening] = []
    if ending in (".ogn", ".pgn", ".json", ".jsonl", ".ndjson"):
        with path.open("rb") as file:
            reader = (
                read_ogn(file, rules=rules, name=str(path))
                if ending in (".ogn", ".pgn")
                else read_json(file, name=str(path))
            )
            for record in reader:
                if record.rules != rules:
                    raise ArenaError(i18n.message("arena.bad.opening-rules", file=path, rules=record.rules.name))
                start = None if record.start is None else positions.write(rules, record.start)
                found.append(Opening(start, tuple(map(str, record))))
    else:
        with path.open(encoding="utf-8", errors="replace") as lines:
            for number, line in enumerate(lines, 1):
                text = line.partition("#")[0].strip()
                if text:
                    try:
                        found.append(_from_line(rules, text))
                    except AwaleError as error:
                        message = i18n.message("arena.bad.opening-line", file=path, line=number, problem=error)
                        raise ArenaError(message) from None
    for number, opening in enumerate(found, 1):
        if opening.game(rules).over:
            raise ArenaError(i18n.message("arena.bad.opening-over", file=path, number=number))
    if not found:
        raise ArenaError(i18n.message("arena.bad.opening-none", file=path))
    return tuple(found)


def _from_line(rules: Rules, text: str) -> Opening:
    head, _, rest = text.partition(" ")
    if "-" in head:
        game = Game(rules, start=head, moves=rest.removeprefix("moves").strip())
        return Opening(head, tuple(map(str, game.moves)))
    return Opening(None, tuple(map(str, Game(rules, moves=text).moves)))


def candidates(rules: Rules, plies: int, seed: int) -> Iterator[Game]:
    """Yield the positions of random walks, each position once (however it is reached) and none of them over, until no
    new one turns up."""
    if not 0 <= plies <= MAX_PLIES:
        raise ArenaError(i18n.message("arena.bad.plies", plies=plies, most=MAX_PLIES))
    chance = random.Random(f"{seed}/{plies}")
    seen: set[object] = set()
    fruitless = 0
    while fruitless < TRIES + 20 * len(seen):
        game = random_game(rules, plies, chance)
        fruitless += 1
        key = (game.board, game.scores, game.turn)
        if key not in seen and len(game.moves) == plies and not game.over:
            seen.add(key)
            fruitless = 0
            yield game


def balanced(
    rules: Rules,
    plies: int,
    *,
    within: float = WITHIN,
    nodes: int = NODES,
    count: int = COUNT,
    seed: int = 1,
    given: Sequence[Opening] = (),
    watch: Callable[[int], object] = lambda examined: None,
) -> Iterator[Opening]:
    """Yield distinct openings of `plies` random moves whose value by a search of `nodes` positions is at most `within`
    seeds from even, until there are `count`.

    `given` are those already found by the same call, which go on after the last of them. `watch` is told how many
    positions have been examined. Most positions are far from even, which a quick search tells.
    """
    from awale.search.engine import SearchEngine
    from awale.search.limits import Limit

    engine = SearchEngine(rules)
    last = given[-1].moves if given else None
    found = len(given)
    for examined, game in enumerate(candidates(rules, plies, seed), 1):
        moves = tuple(map(str, game.moves))
        if found >= count and last is None:
            return
        watch(examined)
        if last is not None:
            last = None if moves == last else last
            continue
        if abs(engine.analyse(game, Limit(depth=QUICK_DEPTH), prove=False).value.seeds) > within + QUICK_MARGIN:
            continue
        engine.clear()  # the value must not depend on the positions before
        value = engine.analyse(game, Limit(nodes=nodes), prove=False).value
        if abs(value.seeds) <= within:
            found += 1
            yield Opening(None, moves, value.seeds)


class OpeningFile:
    """A text file of balanced openings that grows: a first line that says how they are found, then one on each line.
    The same search goes on after the last of them, and finds the same ones as without a break."""

    def __init__(self, path: Path, command: str) -> None:
        """Open a file, or begin it; one that another command began is refused."""
        lines = resumed_lines(path, f"# {command}")
        if lines is None:
            raise ArenaError(i18n.message("arena.bad.other-openings", file=path))
        self._path = path
        self.given = tuple(Opening(None, tuple(line.partition("#")[0].split())) for line in lines)

    def add(self, opening: Opening) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(opening.line + "\n")


def shipped_file(rules: Rules) -> Path:
    """Return where the balanced openings of a preset are."""
    return SHIPPED / f"{rules.name}.txt"


@lru_cache
def shipped(rules: Rules) -> tuple[Opening, ...]:
    """Return the balanced openings that the package has of these rules; none of other rules than the presets."""
    file = shipped_file(rules)
    return from_file(file, rules) if presets.known_by_name(rules) and file.exists() else ()


def in_turn(openings: Sequence[Opening], rules: Rules, seed: int) -> Iterator[Opening]:
    """Yield the openings without end, in an order that the seed decides. After the last one they begin anew, each with
    one, two and up to `MOST_ADDED` random moves added, so that players without chance do not repeat their games."""
    chance = random.Random(seed)
    for more in cycle(range(MOST_ADDED + 1)):
        for opening in chance.sample(openings, len(openings)):
            game = opening.game(rules)
            for _ in range(more):
                if not game.over:
                    game.push(chance.choice(game.legal_moves))
            if not game.over:
                yield Opening(opening.start, tuple(map(str, game.moves)))
