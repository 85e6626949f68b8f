"""The engine and Monte Carlo as players."""

from __future__ import annotations

import random
from typing import NamedTuple

from awale.game import Game
from awale.players.base import BasePlayer, Choice, PlayerClock, once_per_process
from awale.players.engine import Engine
from awale.players.spec import DEFAULT_LEVEL, DEFAULT_SIMULATIONS, PlayerSpec
from awale.rules.description import Rules
from awale.search import mcts
from awale.search.analysis import Analysis
from awale.search.engine import Stop
from awale.search.limits import DEFAULT_HASH_MB, Limit


class Level(NamedTuple):
    """The strength of a level: depth, share of random moves, noise in the values."""

    depth: int
    blunder: float
    noise: float
    """Each move's value is off by up to so many seeds."""
    seconds: float


LEVELS: dict[int, Level] = {
    1: Level(1, 0.35, 3.0, 0.5),
    2: Level(1, 0.10, 1.5, 0.5),
    3: Level(2, 0.0, 0.8, 0.5),
    4: Level(3, 0.0, 0.2, 0.5),
    5: Level(5, 0.0, 0.0, 0.5),
    6: Level(8, 0.0, 0.0, 1.0),
    7: Level(12, 0.0, 0.0, 1.0),
    8: Level(64, 0.0, 0.0, 1.0),
}


class EnginePlayer(BasePlayer):
    """The engine: by level, by time, or by depth."""

    def __init__(self, spec: PlayerSpec, rules: Rules, seed: int | None = None) -> None:
        self.name = str(spec)
        self._level = None
        if spec.seconds is None and spec.depth is None:
            self._level = LEVELS[spec.level or DEFAULT_LEVEL]
        self._seconds, self._depth = spec.seconds, spec.depth
        self._random = random.Random(seed)
        self._engine = Engine(rules, threads=spec.threads or 1, hash_mb=spec.hash_mb or DEFAULT_HASH_MB)
        self._stop = Stop()

    def warm_up(self) -> None:
        # Another engine compiles the code: nothing of this one's tables or chance may depend on it.
        once_per_process(("engine", self._engine.rules), self._compile)

    def _compile(self) -> None:
        other = Engine(self._engine.rules, hash_mb=1)
        game = Game(other.rules)
        other.analyse_inline(game, 1)
        other.analyse(game, Limit(time=0.01, depth=2))

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        if self._level is not None and (self._level.blunder or self._level.noise):
            return self._play_weakly(game, self._level)
        seconds = (clock and clock.budget()) or self._seconds or (self._level.seconds if self._level else None)
        depth = self._level.depth if self._level else self._depth
        if len(game.legal_moves) == 1:
            return Choice(game.legal_moves[0], None, game.legal_moves, 0, {"depth": 0})
        found = self._analyse(game, Limit(time=seconds, depth=depth))
        return Choice(found.best, found.value.seeds, found.line, found.nodes, {"depth": found.depth})

    def _analyse(self, game: Game, limit: Limit) -> Analysis:
        """Search until the player is closed at the latest. With a depth alone the answer is always the same."""
        return self._engine.analyse(game, limit, stop=self._stop, fixed=limit.time is None, prove=False)

    def _play_weakly(self, game: Game, level: Level) -> Choice:
        """Play a random move now and then, else the best by values with noise added."""
        if self._random.random() < level.blunder:
            return Choice(self._random.choice(game.legal_moves))
        found = self._engine.analyse_inline(game, level.depth, every_move=True)
        noisy = [(m.value.seeds + self._random.uniform(-level.noise, level.noise), m) for m in found.moves]
        value, best = max(noisy, key=lambda pair: pair[0])
        return Choice(best.move, value, (best.move,), found.nodes, {"depth": found.depth})

    def close(self) -> None:
        self._stop()


class MctsPlayer(BasePlayer):
    """Monte Carlo tree search by simulations or by time."""

    def __init__(self, spec: PlayerSpec, rules: Rules, seed: int | None = None) -> None:
        self.name = str(spec)
        self._rules = rules
        self._simulations, self._seconds = spec.simulations or DEFAULT_SIMULATIONS, spec.seconds
        self._random = random.Random(seed)

    def warm_up(self) -> None:
        once_per_process(("mcts", self._rules), lambda: mcts.search(Game(self._rules), simulations=10))

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        seconds = (clock and clock.budget()) or self._seconds
        simulations = None if seconds is not None else self._simulations
        found = mcts.search(game, simulations=simulations, time=seconds, seed=self._random.getrandbits(48))
        info: dict[str, int | float | str] = {"share": round(found.share, 4), "simulations": found.simulations}
        return Choice(found.move, None, (found.move,), found.simulations, info)
