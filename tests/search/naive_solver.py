"""The value of a game with its history, by trying every line: no transposition table, no tables, no kernels."""

from __future__ import annotations

from functools import lru_cache

from awale import Game
from awale.rules import reference
from awale.rules.description import Rules
from awale.rules.moves import Move
from awale.rules.reference import Position

FAR = 10_000


class TooLargeError(Exception):
    """More lines than the solver may try."""


@lru_cache(maxsize=1 << 18)
def _after(rules: Rules, position: Position) -> tuple[tuple[Move, Position, bool], ...]:
    """The moves, each with the position after it and whether the game is over there, repetition apart."""
    settled = reference.settle(rules, position)
    if settled.reason is not None:
        return ()
    found = []
    for move in settled.legal:
        after = reference.play(rules, position, move)
        found.append((move, after.position._replace(ply=0), after.reason is not None))
    return tuple(found)


class NaiveSolver:
    """Alpha-beta on the final margin, or on the result and the number of moves, for one rule system."""

    def __init__(self, rules: Rules, nodes: int) -> None:
        self.rules, self.left = rules, nodes

    def margins(self, game: Game) -> dict[Move, int]:
        """The final margin of each move, for the player to move."""
        return self._roots(game, counted=False)

    def distances(self, game: Game) -> dict[Move, int]:
        """For each move 0 where it draws, FAR - n where it wins in n moves, n - FAR where it loses in n."""
        return self._roots(game, counted=True)

    def _roots(self, game: Game, *, counted: bool) -> dict[Move, int]:
        root = game.state._replace(ply=0)
        path = {(old.board, old.turn) for old in game.history if old.scores == game.scores}
        found = {}
        for move, after, over in _after(self.rules, root):
            found[move] = -self._child(root, after, over, path, -FAR, FAR, 1, counted, 1 - root.turn)
        return found

    def _child(
        self,
        parent: Position,
        position: Position,
        over: bool,
        path: set[object],
        alpha: int,
        beta: int,
        ply: int,
        counted: bool,
        pov: int,
    ) -> int:
        """The value for `pov`, who is to move unless somebody has passed."""
        self.left -= 1
        if self.left < 0:
            raise TooLargeError
        key = (position.board, position.turn)
        quiet = parent.scores == position.scores
        if not over and quiet and key in path:
            position = reference.settle(self.rules, position, (position,)).position
            over = True
        if over:
            margin = position.scores[pov] - position.scores[1 - pov]
            return margin if not counted else 0 if margin == 0 else FAR - ply if margin > 0 else ply - FAR
        assert position.turn == pov, "for rules under which nobody passes"
        inside = path | {key} if quiet else {key}
        best = -FAR
        for _, after, ends in _after(self.rules, position):
            value = -self._child(position, after, ends, inside, -beta, -alpha, ply + 1, counted, 1 - pov)
            best = max(best, value)
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        return best
