"""What a search answers: values, moves and lines. Nothing here loads the compiler."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal

from awale import i18n
from awale.rules.description import Rules
from awale.rules.moves import Move

Relation = Literal["=", "≥", "≤", "~"]


@dataclass(frozen=True, slots=True)
class Value:
    """The value of a position or move: an estimate in seeds, and what is proven of it.

    Whatever is proven holds for the game as it was played: its result, its final margin and the number of moves are
    claimed one by one.

    >>> won = Value(5.2, player=0, least=1, plies=9)
    >>> won.result, won.margin, won.shown
    (1, None, ('≥', 1))
    >>> won.pov(1)
    Value(seeds=-5.2, player=1, least=None, most=-1, plies=9)
    >>> Value(4.0, player=0, least=4, most=4).margin
    4
    """

    seeds: float
    """The final margin where it is proven, else an estimate that contradicts nothing that is."""
    player: int
    """The player from whose point of view it is (0 South, 1 North): the one to move, in an `Analysis`."""
    least: int | None = None
    """The player can force this final margin, or a greater one."""
    most: int | None = None
    """The opponent can hold the final margin to this, or less."""
    plies: int | None = None
    """Moves in which the winner can end the game and the loser cannot end it sooner, where that is proven."""

    @property
    def result(self) -> int | None:
        """1 won, 0 drawn, -1 lost, where that is proven."""
        if self.least is not None and self.least > 0:
            return 1
        if self.most is not None and self.most < 0:
            return -1
        return 0 if self.least == self.most == 0 else None

    @property
    def margin(self) -> int | None:
        """The final margin, where it is proven."""
        return self.least if self.least == self.most else None

    @property
    def shown(self) -> tuple[Relation, float]:
        """How to write it: "=" and the proven margin, "≥" or "≤" and a proven bound that tells who is not worse off, or
        "~" and the estimate."""
        if self.margin is not None:
            return "=", self.margin
        if self.least is not None and self.least >= 0:
            return "≥", self.least
        if self.most is not None and self.most <= 0:
            return "≤", self.most
        return "~", self.seeds

    def pov(self, player: int) -> Value:
        """Return the same value from the point of view of `player`."""
        if player == self.player:
            return self
        least = None if self.most is None else -self.most
        most = None if self.least is None else -self.least
        # Zero less: a drawn game is worth 0, not -0.
        return replace(self, seeds=0.0 - self.seeds, player=player, least=least, most=most)

    def as_json(self) -> dict[str, Any]:
        return {
            "seeds": self.seeds,
            "result": self.result,
            "margin": self.margin,
            "least": self.least,
            "most": self.most,
            "plies": self.plies,
        }

    def __str__(self) -> str:
        relation, number = self.shown
        return i18n.decimal(number, "+.2f") if relation == "~" else f"{relation}{number:+.0f}"


@dataclass(frozen=True, slots=True)
class MoveValue:
    """A legal move and its value for the player to move."""

    move: Move
    value: Value
    bound: bool = False
    """The estimate is only an upper bound: the move is not better than those searched before it."""
    line: tuple[Move, ...] = ()
    """The variation that begins with the move, where the search has one."""


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
    """Time spent thinking: loading and compiling do not count."""
    final: bool
    """No further update will come."""
    counters: dict[str, int] = field(default_factory=dict)
    """What the search counted, and `score`, its own number for the best move (see `awale.search.core`)."""

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
                {
                    "move": str(m.move),
                    "pit": m.move.pit,
                    "bound": m.bound,
                    "line": [str(move) for move in m.line],
                    **m.value.pov(player).as_json(),
                }
                for m in self.moves
            ],
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
            "rate": round(self.rate),
            "final": self.final,
        }
