"""Openings: random ones for a match, files of them, and balanced suites found with the engine."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from awale import i18n
from awale.arena.errors import ArenaError
from awale.errors import AwaleError
from awale.game import Game
from awale.notation import read_json, read_ogn
from awale.rules import positions
from awale.rules.description import Rules

TRIES = 200
"""How often a random opening is drawn again when it is a duplicate or over."""
MAX_PLIES = 40


@dataclass(frozen=True, slots=True)
class Opening:
    """The start of a pair of games."""

    start: str | None = None
    moves: tuple[str, ...] = ()
    value: float | None = None
    """The engine's value, in seeds for the player to move."""

    def game(self, rules: Rules) -> Game:
        return Game(rules, start=self.start, moves=self.moves)

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
        game = Game(rules)
        for attempt in range(TRIES):
            game = _walk(rules, plies, chance)
            key = (game.board, game.turn, game.scores)
            if not game.over and (key not in seen or attempt >= TRIES // 2):
                seen.add(key)
                break
        else:
            raise ArenaError(i18n.message("arena.bad.no-opening", plies=plies))
        yield Opening(None, tuple(map(str, game.moves)))
        number += 1


def _walk(rules: Rules, plies: int, chance: random.Random) -> Game:
    game = Game(rules)
    for _ in range(plies):
        if game.over:
            break
        game.push(chance.choice(game.legal_moves))
    return game


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


def distinct(rules: Rules, plies: int) -> dict[object, Game]:
    """Return all distinct positions after so many moves (board, scores and turn), with the first way to each; none
    over."""
    layer: dict[object, Game] = {None: Game(rules)}
    for _ in range(plies):
        following: dict[object, Game] = {}
        for game in layer.values():
            for move in game.legal_moves:
                after = game.copy()
                after.push(move)
                if not after.over:
                    following.setdefault((after.board, after.scores, after.turn), after)
        layer = following
    return layer


def balanced(
    rules: Rules, plies: int, *, within: float = 1.0, depth: int = 8, count: int | None = None, seed: int = 0
) -> Iterator[Opening]:
    """Return the distinct positions after `plies` moves whose value is at most `within` seeds from even, at most
    `count` of them (then a random choice by `seed`)."""
    from awale.search.engine import SearchEngine
    from awale.search.limits import Limit

    if not 0 <= plies <= MAX_PLIES:
        raise ArenaError(i18n.message("arena.bad.plies", plies=plies, most=MAX_PLIES))
    candidates: Iterable[Game] = distinct(rules, plies).values()
    if count is not None:
        candidates = list(candidates)
        random.Random(seed).shuffle(candidates)
    engine = SearchEngine(rules)
    given = 0
    for game in candidates:
        if count is not None and given >= count:
            return
        value = engine.analyse(game, Limit(depth=depth)).value
        if abs(value.seeds) <= within:
            given += 1
            yield Opening(None, tuple(map(str, game.moves)), value.seeds)
