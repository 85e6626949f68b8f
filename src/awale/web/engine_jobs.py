"""What an engine process does: choose a move, decide about stopping, analyse a position, say what is proven, review.

Games come as rules, start and moves; the most recent ones stay in memory, so that the next move of a game costs one
move, not all of them.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from awale.game import Game
from awale.i18n import LANGUAGES, message
from awale.notation import variants
from awale.players.stopping import offers_stop
from awale.rules import Rules, positions, reference
from awale.search.limits import Limit

if TYPE_CHECKING:
    from awale.players import Player
    from awale.players.engine import Engine
    from awale.players.oracle import Oracle
    from awale.search.analysis import Analysis

Json = dict[str, Any]
Progress = Callable[[Json], None]

CACHED_GAMES = 1000
CACHED_PLAYERS = 8
CACHED_ENGINES = 2
ARROWS = 3


_games: OrderedDict[Any, Game] = OrderedDict()
"""The most recently used last."""


def job(kind: str, game: Game, **more: Any) -> Json:
    """Return a job as the pool sends it."""
    return {
        "kind": kind,
        "rules": variants.to_json(game.rules),
        "start": positions.write(game.rules, game.start),
        "moves": [str(move) for move in game.moves],
        **more,
    }


def run(request: Json, progress: Progress, stop: threading.Event) -> Json:
    """Do a job; `stop` is set when its result is no longer wanted."""
    match request["kind"]:
        case "choose":
            return choose(_game(request), request["player"], request.get("clock"))
        case "agree":
            game = _game(request).copy()
            game.offer_end(request["offer"])
            return {"agrees": bool(_player(request["player"], game.rules).accepts_end(game))}
        case "offers":
            game = _game(request)
            return {"offers": offers_stop(game, game.turn)}
        case "analyse":
            return analyse(_game(request), _limit(request), progress, stop)
        case "review":
            return review(_game(request), _limit(request), progress, stop)
        case kind:
            raise ValueError(f"unknown job: {kind!r}")


def warm_up() -> None:
    """Load what the first moves and the first analysis need, and compile it if this machine never has."""
    game = Game("abapa")
    choose(game, "engine:3", None)
    analyse(game, Limit(time=0.01), lambda news: None, threading.Event())


def _game(request: Json) -> Game:
    rules = variants.from_json(request["rules"])
    moves: list[str] = request["moves"]
    key = (request.get("key") or (rules.name, request["start"]), rules)
    known = _games.pop(key, None)
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
        game = Game(rules, start=request["start"], moves=moves)
    _games[key] = game
    if len(_games) > CACHED_GAMES:
        _games.popitem(last=False)
    return game


@lru_cache(maxsize=CACHED_PLAYERS)
def _player(name: str, rules: Rules) -> Player:
    from awale.players import make

    return make(name, rules=rules)


def choose(game: Game, name: str, clock: Json | None) -> Json:
    """Return a player's move by pit and colour: a text can mean another side's pit, and so hide an illegal move.

    `clock` holds the fields of a `PlayerClock`.
    """
    from awale.players import PlayerClock

    time = None if clock is None else PlayerClock(**clock)
    choice = _player(name, game.rules).choose(game, time)
    return {"move": [choice.move.pit, choice.move.colour], "info": choice.info}


# -- analysis --------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=CACHED_ENGINES)
def _engine(rules: Rules) -> Engine:
    from awale.players.engine import Engine

    return Engine(rules)


@lru_cache(maxsize=CACHED_ENGINES)
def _oracle(rules: Rules) -> Oracle:
    from awale.players.oracle import Oracle

    return Oracle(rules)


def _limit(request: Json) -> Limit:
    return Limit(time=float(request["seconds"]), depth=request.get("depth"), nodes=request.get("nodes"))


def _analyses(game: Game, limit: Limit, stop: threading.Event) -> Iterator[Analysis]:
    """Yield the engine's updates."""
    from awale.search.engine import Stop

    halt = Stop()
    over = threading.Event()

    def watch() -> None:
        while not over.is_set():
            if stop.wait(0.05):
                halt()
                return

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield from _engine(game.rules).updates(game, limit, every_move=True, stop=halt)
    finally:
        over.set()


class _Proven(threading.Thread):
    """Finds what is proven about the moves of a position beside the search: making a small table takes a moment."""

    _one = threading.Lock()

    def __init__(self, game: Game) -> None:
        super().__init__(daemon=True)
        self._game = game.copy()
        self.found: Json | None = None
        self.start()

    def run(self) -> None:
        with self._one:
            self.found = _proven(self._game)

    def news(self) -> Json:
        """Return what is found so far, and whether it is still being looked for."""
        proving = self.is_alive()  # first: what is found later comes with the next news
        return {"oracle": self.found, "proving": proving}


def _proven(game: Game) -> Json | None:
    """Return what is proven about the moves of a position: by what, and bounds of the mover's final margin."""
    known = _oracle(game.rules).ask(game)
    if known.source is None:
        return None
    source = message(f"players.source.{known.source}")
    moves = [{"move": str(move), "least": value.least, "most": value.most} for move, value in known.moves.items()]
    said = {lang: source.sentence(lang) for lang in LANGUAGES}
    return {"source": known.source, "said": said, "total": sum(game.counts) + sum(game.scores), "moves": moves}


def analyse(game: Game, limit: Limit, progress: Progress, stop: threading.Event) -> Json:
    """Deepen until the time is up, with an update for every depth; what is proven comes with the first one after it."""
    from awale.players.book import lookup

    entry = lookup(game)
    book = None if entry is None else entry.as_json(1 if game.turn == 0 else -1)
    last: Json = {}
    proven, until = _Proven(game), time.monotonic() + (limit.time or 0)
    for update in _analyses(game, limit, stop):
        last = {**update.as_json(pov=0), "path": _path(game, update), "book": book, **proven.news()}
        progress(last)
    while proven.is_alive() and not stop.is_set() and time.monotonic() < until:
        proven.join(0.05)
    return {**last, **proven.news()} if last else last


def _path(game: Game, analysis: Analysis) -> list[list[int]]:
    """Return pit and last landing pit of the first moves of the line, for arrows."""
    walk, found = game.copy(), []
    for move in analysis.line[:ARROWS]:
        if walk.over:
            break
        found.append([move.pit, reference.step(walk.rules, walk.state, move).sown.last])
        walk.push(move)
    return found


def review(game: Game, limit: Limit, progress: Progress, stop: threading.Event) -> Json:
    """Compare every move with the best one; a verdict per move as progress, the summary at the end."""
    from awale.match import review as reviews

    result = reviews.Review(game)
    for verdict, result in reviews.review(game, lambda position: list(_analyses(position, limit, stop))[-1]):
        progress({"of": len(result.game.moves), "verdict": asdict(verdict)})
        if stop.is_set():
            break
    return result.as_json()
