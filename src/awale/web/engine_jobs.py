"""What an engine process does: choose a move, analyse a position, review a game. The one place that calls the engine.

Games come as rules, start and moves; the last ones stay in memory, so that a game going on costs one move, not all.
"""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any

from awale.game import Game
from awale.notation import variants
from awale.rules import Rules, reference

Json = dict[str, Any]
Tell = Callable[[Json], None]

REMEMBERED_GAMES = 1000
REMEMBERED_PLAYERS = 8
REMEMBERED_ENGINES = 2
ARROWS = 3


class _Recent(OrderedDict[Any, Any]):
    """The things used last, by key."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self._size = size

    def keep(self, key: Any, value: Any) -> None:
        self.pop(key, None)
        self[key] = value
        while len(self) > self._size:
            self.popitem(last=False)


_games = _Recent(REMEMBERED_GAMES)
_players = _Recent(REMEMBERED_PLAYERS)
_engines = _Recent(REMEMBERED_ENGINES)


def job(kind: str, game: Game, **more: Any) -> Json:
    """A job as the pool sends it."""
    from awale.rules import positions

    return {
        "kind": kind,
        "rules": variants.to_json(game.rules),
        "start": positions.write(game.rules, game.start),
        "moves": [str(move) for move in game.moves],
        **more,
    }


def run(asked: Json, tell: Tell, stop: threading.Event) -> Json:
    """Do a job; `tell` sends progress, `stop` is set when nobody waits any more."""
    kind = asked["kind"]
    if kind == "choose":
        return choose(_game(asked), asked["player"], asked.get("clock"))
    if kind == "agree":
        game = _game(asked).copy()
        game.offer_end(asked["offer"])
        return {"agrees": bool(_player(asked["player"], game.rules).accepts_end(game))}
    if kind == "analyse":
        return analyse(_game(asked), float(asked["seconds"]), tell, stop)
    if kind == "review":
        return review(_game(asked), float(asked["seconds"]), tell, stop)
    raise ValueError(f"no job is called {kind!r}")


def warm_up() -> None:
    """Load what the first moves and the first analysis need, and compile it if this machine never has."""
    game = Game("abapa")
    choose(game, "engine:3", None)
    analyse(game, 0.01, lambda news: None, threading.Event())


def _game(asked: Json) -> Game:
    rules = variants.from_json(asked["rules"])
    moves: list[str] = asked["moves"]
    key = (asked.get("key") or (rules.name, asked["start"]), rules)
    known: Game | None = _games.get(key)
    if known is not None:
        played = [str(move) for move in known.moves]
        shared = 0
        while shared < min(len(played), len(moves)) and played[shared] == moves[shared]:
            shared += 1
        game = known.copy()
        for _ in range(len(played) - shared):
            game.pop()
        for move in moves[shared:]:
            game.push(move)
    else:
        game = Game(rules, start=asked["start"], moves=moves)
    _games.keep(key, game)
    return game


def _player(name: str, rules: Rules) -> Any:
    from awale.players import make

    player = _players.get((name, rules))
    if player is None:
        player = make(name, rules=rules)
    _players.keep((name, rules), player)
    return player


def choose(game: Game, name: str, clock: list[float] | None) -> Json:
    """A player's move; `clock` is what the mover has left and gets with each move."""
    from awale.players import PlayerClock

    time = None if clock is None else PlayerClock(left=clock[0], increment=clock[1])
    return {"move": str(_player(name, game.rules).choose(game, time).move)}


# -- analysis --------------------------------------------------------------------------------------------------------


def _engine(rules: Rules) -> Any:
    from awale.players.engine import Engine

    engine = _engines.get(rules)
    if engine is None:
        engine = Engine(rules)
    _engines.keep(rules, engine)
    return engine


def _updates(game: Game, seconds: float, stop: threading.Event) -> Any:
    """The engine's updates, stopped when the event is set (a search looks at its own flag only)."""
    from awale.search.engine import Stop
    from awale.search.limits import Limit

    halt = Stop()
    over = threading.Event()

    def watch() -> None:
        while not over.is_set():
            if stop.wait(0.05):
                halt()
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield from _engine(game.rules).updates(game, Limit(time=seconds), every_move=True, stop=halt)
    finally:
        over.set()


def analyse(game: Game, seconds: float, tell: Tell, stop: threading.Event) -> Json:
    """Deepen until the time is up, with an update for every depth."""
    last: Json = {}
    for last in _reports(game, seconds, stop):
        tell(last)
    return last


def _reports(game: Game, seconds: float, stop: threading.Event) -> Iterator[Json]:
    """The engine's updates as JSON. A move that the last depth did not get to keeps its value of the depth before."""
    known: dict[str, Json] = {}
    for update in _updates(game, seconds, stop):
        report = update.as_json(pov=0)
        known.update((found["move"], found) for found in report["moves"])
        sign = 1 if game.turn == 0 else -1
        report["path"] = _path(game, report["line"])
        report["moves"] = sorted(known.values(), key=lambda found: -sign * found["seeds"])
        yield report


def _path(game: Game, line: list[str]) -> list[list[int]]:
    """The first moves of a line as pits: where each is lifted, where its last seed falls. For arrows."""
    walk, found = game.copy(), []
    for move in line[:ARROWS]:
        if walk.over:
            break
        parsed = walk.parse(move)
        found.append([parsed.pit, reference.step(walk.rules, walk.state, parsed).sown.last])
        walk.push(parsed)
    return found


# -- review ----------------------------------------------------------------------------------------------------------

MARKS = ((6.0, "??"), (3.0, "?"), (1.5, "?!"))
"""Seeds of the final margin thrown away, and the mark for it."""


def chance(seeds: float) -> float:
    """The chance of winning, from 0 to 1, that an expected margin of so many seeds stands for.

    >>> chance(0), round(chance(6), 2)
    (0.5, 0.82)
    """
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, seeds)) / 4))


def accuracy(before: float, after: float) -> float:
    """A move's accuracy in percent, from the mover's chances before and after it, as lichess computes it.

    >>> round(accuracy(0.5, 0.5)), round(accuracy(0.8, 0.3))
    (100, 9)
    """
    return max(0.0, min(100.0, 103.1668 * math.exp(-4.354 * max(0.0, before - after)) - 3.1669))


def review(game: Game, seconds: float, tell: Tell, stop: threading.Event) -> Json:
    """Every move against the best one; a report a move while it goes on, both sides' accuracy at the end."""
    played = list(game.moves)
    walk = Game(game.rules, start=game.start)
    each: tuple[list[float], list[float]] = ([], [])
    seen: list[Json] = []
    ahead = 0
    for ply, move in enumerate(played):
        if stop.is_set():
            break
        found = list(_reports(walk, seconds, stop))[-1]
        mover = walk.turn
        report = _judge(found, str(move), mover, ply)
        ahead, report["turning"] = _turn(ahead, report["after"])
        each[mover].append(report["accuracy"])
        seen.append(report)
        tell({"ply": ply, "of": len(played), "report": report})
        walk.push(move)
    final = walk.outcome()
    return {
        "moves": seen,
        "accuracy": [round(sum(side) / len(side), 1) if side else None for side in each],
        "counts": [
            [sum(r["mark"] == mark and r["mover"] == side for r in seen) for _, mark in MARKS] for side in (0, 1)
        ],
        "final": None if final is None else final.scores[0] - final.scores[1],
    }


def _judge(found: Json, played: str, mover: int, ply: int) -> Json:
    sign = 1 if mover == 0 else -1
    values = {m["move"]: m for m in found["moves"]}
    best = found["line"][0]
    mine: Json = values.get(played) or found["value"]
    loss = max(0.0, sign * (found["value"]["seeds"] - mine["seeds"])) if played != best else 0.0
    before, after = chance(sign * found["value"]["seeds"]), chance(sign * mine["seeds"])
    if played == best:
        after = before
    mark = next((mark for least, mark in MARKS if loss >= least), "")
    return {
        "ply": ply,
        "mover": mover,
        "move": played,
        "best": best,
        "line": found["line"],
        "before": found["value"]["seeds"],
        "after": mine["seeds"] if played != best else found["value"]["seeds"],
        "exact": found["value"]["exact"],
        "loss": round(loss, 2),
        "mark": mark,
        "accuracy": round(accuracy(before, after), 1),
        "depth": found["depth"],
    }


def _turn(ahead: int, seeds: float) -> tuple[int, bool]:
    """Who is clearly ahead now, and whether that has just changed hands."""
    clear = 0 if abs(seeds) < 2 else (1 if seeds > 0 else -1)
    if clear == 0 or clear == ahead:
        return ahead, False
    return clear, ahead != 0
