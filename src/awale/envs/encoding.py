"""Observations and actions, the same in every environment.

**Observation**: whole numbers from one player's point of view, `2 * pits * colours + 3` of them:

1. the ring, rotated so that the player's first pit comes first: in the one-colour games their pits from their left,
   then the opponent's from the opponent's left; in the three-colour game their first hole, the next hole of the ring
   (the opponent's), and so on, with three numbers for each hole (red, blue, transparent);
2. the seeds captured by the player, then by the opponent;
3. the moves left before the game is stopped by its rules or by the environment.

Equivalent positions of the two players give the same numbers: a policy learnt for one seat plays the other. Repetition,
which ends a game of abapa or awari, is not observed.

**Action**: the mover's pits from their left, `0 .. pits-1`; in the three-colour game `4 * i + c` for colour `c` of
`R`, `B`, `TR`, `TB` in their i-th hole. The **mask** has a 1 for each action that is legal now.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from awale import i18n
from awale.errors import AwaleError
from awale.game import Game
from awale.rules import moves, presets
from awale.rules.description import Rules
from awale.rules.moves import COLOURS, Move
from awale.rules.reference import Position

MAX_MOVES = 1000
"""Where an environment stops a game that does not end: some rules allow cycles."""
MOST_MOVES = 1_000_000

Reward = Literal["result", "margin"]
"""`result`: 1, -1 or 0 at the end. `margin`: at every move the seeds that one gains on the other, so that their sum is
the final difference."""

Numbers = NDArray[np.int32]
Mask = NDArray[np.int8]


def check_reward(reward: str) -> None:
    if reward not in get_args(Reward):
        raise wrong("choice", name="reward", choices=", ".join(get_args(Reward)), value=repr(reward)[:40])


def check_whole(name: str, value: object, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not least <= value <= most:
        raise wrong("whole", name=name, least=least, most=most, value=repr(value)[:40])
    return int(value)


def wrong(key: str, **values: object) -> AwaleError:
    return AwaleError(i18n.message(f"envs.wrong.{key}", **values))


class Encoding:
    """The numbers of one rule system.

    >>> encoding = Encoding("abapa")
    >>> encoding.actions, encoding.size
    (6, 15)
    >>> game = Game("abapa", moves="F")
    >>> encoding.observe(game.state, 1).tolist()
    [5, 5, 5, 5, 4, 4, 4, 4, 4, 4, 4, 0, 0, 0, 999]
    >>> str(encoding.move(1, 2)), encoding.mask(Game("abapa", moves="F f")).tolist()
    ('c', [1, 1, 1, 1, 1, 0])
    """

    def __init__(self, rules: str | Rules, max_moves: int = MAX_MOVES) -> None:
        self.rules = presets.get(rules)
        self.max_moves = check_whole("max_moves", max_moves, 1, MOST_MOVES)
        self.colours = 3 if self.rules.coloured else 1
        self.pits = self.rules.holes * self.colours
        """Numbers that describe the ring."""
        self.size = self.pits + 3
        self.ways = len(COLOURS) if self.rules.coloured else 1
        """Moves that a pit can be the start of."""
        self.actions = self.rules.pits * self.ways
        limit = self.rules.move_limit
        self.limit = self.max_moves if limit is None else min(limit, self.max_moves)
        """After so many moves the game is stopped: by its rules, or cut by the environment."""
        self._first_own = (0, 1 if self.rules.coloured else self.rules.pits)

    @property
    def highest(self) -> Numbers:
        """The most that each number of an observation can be."""
        return np.array([self.rules.total] * (self.pits + 2) + [self.limit], np.int32)

    def scaled(self, observations: Numbers) -> NDArray[np.float32]:
        """Return observations with every number divided by the most that it can be: from 0 to 1.

        >>> encoding = Encoding("abapa")
        >>> encoding.scaled(encoding.observe(Game("abapa").state, 0))[[0, 14]].round(3).tolist()
        [0.08299999684095383, 1.0]
        """
        return np.divide(observations, self.highest, dtype=np.float32)

    def observe(self, position: Position, player: int) -> Numbers:
        """Return a position from a player's point of view."""
        ring = np.asarray(position.board, np.int32)
        turned = np.roll(ring, -self._first_own[player], axis=0).reshape(-1)
        own, other = position.scores[player], position.scores[1 - player]
        left = max(0, self.limit - position.ply)
        return np.concatenate((turned, np.array((own, other, left), np.int32)))

    def mask(self, game: Game) -> Mask:
        """Return a 1 for each legal action of the player to move; none once the game is over."""
        mask = np.zeros(self.actions, np.int8)
        mask[[self.action(move) for move in game.legal_moves]] = 1
        return mask

    def move(self, turn: int, action: int) -> Move:
        """Return the move that an action stands for."""
        place, way = divmod(int(action), self.ways)
        pit = self.rules.own_pits(turn)[place]
        return moves.table(self.rules)[pit, COLOURS[way] if self.rules.coloured else None]

    def action(self, move: Move) -> int:
        """Return the action that stands for a move."""
        if move.colour is None:
            return move.pit % self.rules.pits
        return move.pit // 2 * self.ways + COLOURS.index(move.colour)

    def cut(self, game: Game) -> bool:
        """Whether the environment stops a game that its rules have not ended."""
        return not game.over and game.ply >= self.max_moves


def start_game(rules: Rules, position: object = None) -> Game:
    """Start a game, from a position if one is given; refuse one in which the game is over."""
    if position is None:
        return Game(rules)
    game = Game(rules, start=position if isinstance(position, Position) else str(position))
    if game.over:
        raise wrong("start-over", position=str(position)[:120])
    return game


def result_for(game: Game, player: int) -> float:
    """Return 1, -1 or 0 once the game is over; 0 before."""
    outcome = game.outcome()
    if outcome is None or outcome.winner is None:
        return 0.0
    return 1.0 if outcome.winner == player else -1.0
