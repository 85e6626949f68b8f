"""The verdict on every move of a game, and on the game: one set of thresholds for every interface.

A verdict compares the played move with the engine's best one. `loss` is in seeds of the final margin; `accuracy` goes
from 0 to 100, from the change in winning chances, with the formula that lichess publishes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from awale.game import Game

if TYPE_CHECKING:
    from awale.search.analysis import Analysis

Mark: TypeAlias = Literal["", "?!", "?", "??"]
MARKS: tuple[tuple[float, Mark], ...] = ((6.0, "??"), (3.0, "?"), (1.5, "?!"))
"""Seeds of the final margin lost by a blunder, a mistake and an inaccuracy."""
CLEARLY_AHEAD = 2.0
"""An advantage, in seeds, whose change of side is a turning point."""


def mark(loss: float) -> Mark:
    """Return the mark of a move that loses so many seeds.

    >>> mark(7), mark(3), mark(2), mark(0.5)
    ('??', '?', '?!', '')
    """
    return next((mark for least, mark in MARKS if loss >= least), "")


def winning_chance(seeds: float) -> float:
    """Return the chance of winning, from 0 to 1, at an expected margin of so many seeds.

    >>> winning_chance(0), round(winning_chance(6), 2)
    (0.5, 0.82)
    """
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, seeds)) / 4))


def accuracy(before: float, after: float) -> float:
    """Return a move's accuracy in percent from the mover's winning chances before and after it.

    >>> round(accuracy(0.5, 0.5)), round(accuracy(0.8, 0.3))
    (100, 9)
    """
    return max(0.0, min(100.0, 103.1668 * math.exp(-4.354 * max(0.0, before - after)) - 3.1669))


@dataclass(frozen=True, slots=True)
class Verdict:
    """A played move beside the best one. Values are seeds of the final margin, from South's side."""

    ply: int
    mover: int
    move: str
    best: str
    line: tuple[str, ...]
    """The principal variation of the position before the move."""
    before: float
    after: float
    exact: bool
    """Both are proven."""
    loss: float
    mark: Mark
    accuracy: float
    depth: int
    turning: bool = False
    """The other side is clearly ahead now."""


@dataclass(slots=True)
class Review:
    """The verdicts of a game so far."""

    game: Game
    verdicts: list[Verdict] = field(default_factory=list)

    def add(self, ply: int, analysis: Analysis) -> Verdict:
        """Judge the move played at a ply by the analysis of the position before it. Plies come in order."""
        move, mover = str(self.game.moves[ply]), self.game.history[ply].turn
        best = analysis.value
        values = {str(found.move): found.value for found in analysis.moves}
        mine = values.get(move, best)
        if move == str(analysis.best) or mine.seeds > best.seeds:
            mine = best
        loss = best.seeds - mine.seeds
        verdict = Verdict(
            ply=ply,
            mover=mover,
            move=move,
            best=str(analysis.best),
            line=tuple(map(str, analysis.line)),
            before=round(best.pov(0).seeds, 2),
            after=round(mine.pov(0).seeds, 2),
            exact=best.margin is not None and mine.margin is not None,
            loss=round(loss, 2),
            mark=mark(loss),
            accuracy=round(accuracy(winning_chance(best.seeds), winning_chance(mine.seeds)), 1),
            depth=analysis.depth,
            turning=self._turns(mine.pov(0).seeds),
        )
        self.verdicts.append(verdict)
        return verdict

    def _turns(self, seeds: float) -> bool:
        """Return whether another side is clearly ahead than the last one that was."""
        if abs(seeds) < CLEARLY_AHEAD:
            return False
        ahead = next((v.after for v in reversed(self.verdicts) if abs(v.after) >= CLEARLY_AHEAD), 0.0)
        return ahead * seeds < 0

    @property
    def accuracy(self) -> tuple[float | None, float | None]:
        """The mean accuracy of South's and of North's moves."""
        south, north = ([v.accuracy for v in self.verdicts if v.mover == side] for side in (0, 1))
        return _mean(south), _mean(north)

    @property
    def counts(self) -> list[list[int]]:
        """Blunders, mistakes and inaccuracies of South and of North."""
        return [[sum(v.mark == m and v.mover == side for v in self.verdicts) for _, m in MARKS] for side in (0, 1)]

    @property
    def mistakes(self) -> list[Verdict]:
        """The moves that were mistakes or worse."""
        return [v for v in self.verdicts if v.mark in ("?", "??")]

    @property
    def first_mistake(self) -> Verdict | None:
        return next(iter(self.mistakes), None)

    def as_json(self) -> dict[str, Any]:
        final = self.game.outcome()
        first = self.first_mistake
        return {
            "moves": [asdict(verdict) for verdict in self.verdicts],
            "accuracy": self.accuracy,
            "counts": self.counts,
            "firstMistake": None if first is None else first.ply,
            "final": None if final is None else final.scores[0] - final.scores[1],
        }


def _mean(values: Iterable[float]) -> float | None:
    found = list(values)
    return round(sum(found) / len(found), 1) if found else None


def review(game: Game, analyse: Callable[[Game], Analysis]) -> Iterator[tuple[Verdict, Review]]:
    """Judge a game move by move; `analyse` looks at a position with every move valued."""
    result = Review(game)
    position = game.root()
    for ply, move in enumerate(game.moves):
        yield result.add(ply, analyse(position)), result
        position.push(move)
