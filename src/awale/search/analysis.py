"""What a search answers: values, moves and lines. Nothing here loads the compiler."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from awale.rules.description import Rules
from awale.rules.moves import Move


@dataclass(frozen=True, slots=True)
class Value:
    """The value of a position or move in seeds: the final margin where it is proven, else an estimate.

    >>> Value(2.0, True, 1, None, player=0).pov(1)
    Value(seeds=-2.0, exact=True, result=-1, plies=None, player=1)
    """

    seeds: float
    exact: bool
    """Proven by the search or an endgame table, not estimated."""
    result: int | None
    """1 won, 0 drawn, -1 lost, where that is proven."""
    plies: int | None
    """Moves to the end of the game, where the search saw it."""
    player: int
    """The player from whose point of view it is (0 South, 1 North): the one to move, in an `Analysis`."""

    def pov(self, player: int) -> Value:
        """Return the same value from the point of view of `player`."""
        if player == self.player:
            return self
        # Zero less: a drawn game is worth 0, not -0.
        result = None if self.result is None else -self.result
        return replace(self, seeds=0.0 - self.seeds, result=result, player=player)

    def as_json(self) -> dict[str, Any]:
        return {"seeds": self.seeds, "exact": self.exact, "result": self.result, "plies": self.plies}

    def __str__(self) -> str:
        return f"{self.seeds:+.2f}" + ("!" if self.exact else "")


@dataclass(frozen=True, slots=True)
class MoveValue:
    """A legal move and its value for the player to move; `bound` where the value is only an upper bound."""

    move: Move
    value: Value
    bound: bool = False


@dataclass(frozen=True, slots=True)
class Analysis:
    """The result of a search, the best move first."""

    rules: Rules
    position: str
    turn: int
    depth: int
    value: Value
    line: tuple[Move, ...]
    """The principal variation."""
    moves: tuple[MoveValue, ...]
    nodes: int
    seconds: float
    final: bool
    """No further update will come."""
    counters: dict[str, int] = field(default_factory=dict)

    @property
    def best(self) -> Move:
        return self.line[0]

    @property
    def rate(self) -> float:
        """Positions a second."""
        return self.nodes / self.seconds if self.seconds > 0 else 0.0

    def as_json(self, pov: int | None = None) -> dict[str, Any]:
        """Return it for programs, values from the point of view of `pov` (the player to move by default)."""
        player = self.turn if pov is None else pov
        return {
            "rules": self.rules.name,
            "position": self.position,
            "turn": self.turn,
            "pov": player,
            "best": str(self.best),
            "value": self.value.pov(player).as_json(),
            "line": [str(move) for move in self.line],
            "depth": self.depth,
            "moves": [
                {"move": str(m.move), "pit": m.move.pit, "bound": m.bound, **m.value.pov(player).as_json()}
                for m in self.moves
            ],
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
            "rate": round(self.rate),
            "final": self.final,
        }
