"""The engine and Monte Carlo as players."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import NamedTuple

from awale.game import Game
from awale.players.base import BasePlayer, Choice, PlayerClock, once_per_process
from awale.players.book import lookup
from awale.players.engine import Engine
from awale.players.spec import DEFAULT_LEVEL, DEFAULT_SIMULATIONS, PlayerSpec
from awale.rules import reference
from awale.rules.description import Rules
from awale.rules.moves import Move
from awale.search import mcts
from awale.search.engine import SearchEngine, Stop
from awale.search.evaluation import captured_alone, spread
from awale.search.limits import DEFAULT_HASH_MB, Limit


class Level(NamedTuple):
    """How far a level sees, and what it overlooks. Nothing here is a time: a slow machine plays the same moves."""

    depth: int | None = None
    nodes: int | None = None
    """Positions searched, for the levels that see as far as they can."""
    material: bool = False
    """Only captured seeds count, and of equal moves any."""
    oversight: float = 0.0
    """The share of the longest sowings that are overlooked."""
    variety: float = 0.0
    """Seeds that a move of the opening book may lose."""


LEVELS: dict[int, Level] = {
    1: Level(depth=2, material=True, oversight=1.0, variety=2.0),
    2: Level(depth=3, material=True, oversight=0.2, variety=1.5),
    3: Level(depth=1, oversight=0.6, variety=1.0),
    4: Level(depth=2, oversight=0.32, variety=1.0),
    5: Level(depth=3, oversight=0.1, variety=0.5),
    6: Level(depth=5, variety=0.3),
    7: Level(nodes=1_500, variety=0.1),
    8: Level(nodes=20_000),
}
TRICOLOR_LEVELS: dict[int, Level] = {
    1: Level(depth=2, material=True, oversight=0.75, variety=2.0),
    2: Level(depth=3, material=True, oversight=0.1, variety=1.5),
    3: Level(depth=2, oversight=0.9, variety=1.0),
    4: Level(depth=2, oversight=0.5, variety=1.0),
    5: Level(depth=3, oversight=0.5, variety=0.5),
    6: Level(depth=3, variety=0.3),
    7: Level(depth=4, variety=0.1),
    8: Level(nodes=8_000),
}
"""There are twice as many moves to choose from, and looking ahead decides more than the evaluation."""
RELAY_LEVELS: dict[int, Level] = {
    1: Level(depth=1, material=True, variety=2.0),
    2: Level(depth=2, material=True, oversight=0.42, variety=1.5),
    3: Level(depth=3, material=True, oversight=0.25, variety=1.0),
    4: Level(depth=3, oversight=0.12, variety=1.0),
    5: Level(depth=5, oversight=0.09, variety=0.5),
    6: Level(depth=7, variety=0.3),
    7: Level(depth=11, variety=0.1),
    8: Level(nodes=200_000),
}
"""The first moves of a relay decide more, and looking further ahead soon adds little."""
LADDERS = {"lap": LEVELS, "relay": RELAY_LEVELS, "tricolor": TRICOLOR_LEVELS}
"""The levels of each family of rules."""
LEVEL_HASH_MB = 8
"""The transposition table of the highest levels, emptied before every move: more than they fill."""
SHORT, LONG = 3, 12
"""A sowing of so many seeds is never overlooked; one of so many as often as a level overlooks any. A relay's further
laps count as `LAP` seeds each."""
LAP = 4


class EnginePlayer(BasePlayer):
    """The engine: by level, by time, by depth, or by positions searched."""

    def __init__(self, spec: PlayerSpec, rules: Rules, seed: int | None = None) -> None:
        self.name = str(spec)
        limited = spec.seconds is not None or spec.depth is not None or spec.nodes is not None
        self._level = None if limited else LADDERS[rules.family][spec.level or DEFAULT_LEVEL]
        self._limit = Limit(time=spec.seconds, depth=spec.depth, nodes=spec.nodes)
        if self._level is not None:
            self._limit = Limit(depth=self._level.depth, nodes=self._level.nodes)
        self._by_book = self._level is not None or spec.seconds is not None
        self._random = random.Random(seed)
        self._stop = Stop()
        self._engine: SearchEngine
        if self._level is None or self._level.nodes is not None:
            hash_mb = spec.hash_mb or (DEFAULT_HASH_MB if self._level is None else LEVEL_HASH_MB)
            self._engine = Engine(rules, threads=spec.threads or 1, hash_mb=hash_mb)
        else:
            weights = spread(rules, captured_alone(rules)) if self._level.material else None
            self._engine = SearchEngine(rules, hash_mb=1, weights=weights)

    def warm_up(self) -> None:
        # Another engine compiles the code: nothing of this one's tables or chance may depend on it.
        once_per_process(("engine", self._engine.rules), self._compile)

    def _compile(self) -> None:
        other = Engine(self._engine.rules, hash_mb=1)
        game = Game(other.rules)
        other.analyse_inline(game, 1)
        other.analyse(game, Limit(time=0.01, depth=2))

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        moves = game.legal_moves
        if len(moves) == 1:
            return Choice(moves[0], None, moves, 0, {"depth": 0})
        entry = lookup(game) if self._by_book else None
        if entry is not None:
            chosen = self._random.choice(entry.near(0.0 if self._level is None else self._level.variety))
            return Choice(chosen.move, chosen.value, (chosen.move,), 0, {"depth": entry.depth, "book": entry.depth})
        if self._level is not None and self._level.depth is not None:
            return self._choose_by_depth(game, self._level, self._level.depth)
        limit = self._limit
        seconds = clock and clock.budget()
        if seconds:
            limit = replace(limit, time=seconds)
        if limit.time is None and limit.nodes is not None:
            self._engine.clear()  # the same answer whatever was searched before
        found = self._engine.analyse(game, limit, stop=self._stop, fixed=limit == Limit(depth=limit.depth), prove=False)
        return Choice(found.best, found.value.seeds, found.line, found.nodes, {"depth": found.depth})

    def _choose_by_depth(self, game: Game, level: Level, depth: int) -> Choice:
        """Play the best of the moves that a level does not overlook; of equal ones any."""
        found = self._engine.analyse_inline(game, depth, every_move=True)
        seen = [one for one in found.moves if not level.oversight or not self._overlooks(game, one.move, level)]
        seen = seen or list(found.moves)
        most = max(one.value.seeds for one in seen)
        best = self._random.choice([one for one in seen if one.value.seeds == most])
        return Choice(best.move, best.value.seeds, best.line or (best.move,), found.nodes, {"depth": found.depth})

    def _overlooks(self, game: Game, move: Move, level: Level) -> bool:
        """Say whether a move is overlooked: the longer its sowing, the more often."""
        laps = reference.step(game.rules, game.state, move).sown.laps
        length = game.counts[move.pit] + LAP * (laps - 1)
        share = min(1.0, max(0.0, (length - SHORT) / (LONG - SHORT)))
        return self._random.random() < level.oversight * share

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
