"""What is proven about a position: the compiled search for proofs, and the bookkeeping of what they show.

The engine's search forgets how a position was reached, so under a repetition rule its values may be wrong for the game
at hand (graph-history interaction). Nothing that it finds is called proven. Proofs come from here: `force` answers
whether a player can force a final margin, in this game with its history, and `Claims` asks it.

A position is proven by a tree of positions. Such a tree uses repetitions in one of three ways:

- not at all. Then a proof holds however the position is reached *after the root*: positions are proven one after the
  other, each by others proven before it, and a player who always follows the earliest proof never comes back to a
  position. Such proofs are stored by position.
- a position of the game before the root, or the root itself, comes back: whatever the path, the game ends there with
  a known margin. These are leaves like any other, as long as the number of captured seeds is the root's; in that part
  of the tree the set of earlier positions is a part of the key.
- a position of the current path comes back, and the player who proves likes it. Such a proof holds on this path only:
  the key includes the set of the positions since the last capture. After a capture that set is empty again.

Endgame tables are asked only where no earlier position can come back: below the next capture.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from awale.kernels import NO_MOVE, REPETITION, generic
from awale.kernels.jit import UNCOUNTED, jit
from awale.search import core
from awale.search.core import (
    ABORTED,
    COUNT,
    DEPTH,
    INDEX,
    LAST,
    MAX_PLY,
    NO_REPETITION,
    NODE_LIMIT,
    NODES,
    NOWHERE,
    ON_PATH,
    REPETITION_RULE,
    SINCE,
    STOP,
    Scratch,
    Setup,
    may_repeat,
    occurred,
    probe_entry,
    reward,
    salted,
    sort_moves,
)
from awale.search.states import MOVES, exact_key, expand, leaf_stuck, load, mix, save
from awale.search.tableprobe import TableSet, table_bounds

PATH, TAINT = core.ALPHA, core.BETA
"""Columns of `frames` that the search for a proof uses otherwise. PATH: a hash of the set of positions on the current
path since the last capture. TAINT: 1 if what is found so far holds on this path only."""
NOT, TRUE = 0, 1
NEVER = 255
"""A depth beyond any."""


class Proof(NamedTuple):
    """All that stays the same while claims about a root are being proven."""

    k: Any
    setup: Setup
    tables: TableSet
    tt: NDArray[np.int64]
    """Proven and refuted claims: see `store_claim`."""
    hints: NDArray[np.int64]
    """The engine's transposition table, for its moves alone."""
    scratch: Scratch
    control: NDArray[np.int64]
    total: int
    """The seeds of the game, captured ones included."""
    goal: int
    """Captured seeds that end the game, or more than there are."""
    before: int
    """A hash of the set of the root and the positions of the game before it since the last capture."""


@jit(forceinline=True)
def claim_key(p: Proof, two: int, state_ply: int, question: int, since: int) -> int:
    """Return the second key word of a claim about a position, wherever a proof needs no repetition on the path. Where
    moves are counted, it includes their number; before the next capture, the game's earlier positions."""
    two ^= question
    if p.tables.limited != 0 or state_ply + MAX_PLY >= p.setup.move_limit:
        two ^= mix(state_ply + 1)
    if since == 0 and p.setup.repetition == REPETITION_RULE:
        two ^= p.before
    return two


@jit(forceinline=True)
def margin_of(k: Any, state: Any, code: int, last: int, player: int) -> int:
    """Return the final margin of `player` if the game ends here by `code`."""
    south, north = generic.final(k, state, code, last)
    return south - north if player == 0 else north - south


@jit(forceinline=True)
def claim_entry(tt: NDArray[np.int64], one: int, two: int) -> int:
    """Return the place of a claim in the table, or of the entry that gives way to it (as -1 - place)."""
    at = mix(one ^ mix(two)) & (tt.shape[0] - 2)
    for slot in range(at, at + 2):
        data = tt[slot, 2]
        if data != 0 and tt[slot, 0] == one and tt[slot, 1] == two:
            return slot
    return -1 - at


@jit(forceinline=True)
def known_claim(tt: NDArray[np.int64], one: int, two: int, depth: int, tabled: int) -> tuple[int, int]:
    """Return the stored answer to a claim, or ABORTED, and the stored move, or -1: see `force`."""
    at = claim_entry(tt, one, two)
    if at < 0:
        return ABORTED, -1
    data = tt[at, 2]
    result = ABORTED
    if data & 255 <= (depth if tabled == 0 else NEVER - 1):
        result = TRUE
    elif (data >> 8) & 255 >= depth and (data >> 8) & 255 > 0:
        result = NOT
    return result, (data >> 16) & 31


@jit(forceinline=True)
def store_claim(tt: NDArray[np.int64], one: int, two: int, result: int, depth: int, move: int) -> None:
    """Store that a claim is proven, or cannot be proven, within so many plies. An entry holds the smallest depth of a
    proof (bits 0 to 7), the largest depth without one (8 to 15), the best move (16 to 20), and a bit that is always
    set. Of a bucket's two entries, the first keeps the deeper one, the second the latest."""
    at = claim_entry(tt, one, two)
    proven, refuted = NEVER, 0
    if at >= 0:
        proven, refuted = tt[at, 2] & 255, (tt[at, 2] >> 8) & 255
    else:
        at = -1 - at
        old = tt[at, 2]
        most = (old >> 8) & 255
        if old & 255 != NEVER and old & 255 > most:
            most = old & 255
        if old != 0 and most > depth:
            at += 1
    if result == TRUE:
        proven = min(proven, depth)
    else:
        refuted = max(refuted, depth)
    tt[at, 0], tt[at, 1] = one, two
    tt[at, 2] = proven | (refuted << 8) | (move << 16) | (1 << 21)


@jit(**UNCOUNTED)
def force(
    p: Proof, root: Any, depth: int, player: int, margin: int, last: int, since: int, tabled: int, strict: int
) -> int:
    """Return TRUE if `player` can force a final margin of at least `margin`, NOT if that was not found, or ABORTED.

    The position is at ply 1 of the search; its parent, the root of the question, has its key at ply 0.

    Args:
        p: the context.
        root: the position after a root move.
        depth: plies to search below it.
        player: who claims.
        margin: the claim.
        last: the player who moved last.
        since: the ply of the first position after the last capture, 0 or 1.
        tabled: 1: a claim may rest on tables or on the seeds left, 0: the game must be over within `depth` plies.
        strict: 1: NOT means that there is no proof of this depth; 0: one that needs a repetition may be missed, which
            makes the search much faster.
    """
    k, setup, s, control = p.k, p.setup, p.scratch, p.control
    frames = s.frames
    cyclic = setup.repetition != NO_REPETITION
    question = mix(((margin + 512) << 3) | (player << 2) | (tabled << 1) | strict)
    ply = 1
    save(s.states, 1, root)
    frames[1, DEPTH], frames[1, LAST], frames[1, SINCE] = depth, last, since
    frames[1, PATH] = 0
    if since == 0:
        frames[1, PATH] = mix(s.keys[0, 0] ^ mix(s.keys[0, 1]))
    entering = True
    result, taint = ABORTED, 0
    while True:
        state = load(root, s.states, ply)
        first = frames[ply, SINCE]
        depth = frames[ply, DEPTH]
        if entering:
            control[NODES] += 1
            if control[NODES] & 255 == 0 and control[STOP] != 0:
                return ABORTED
            if control[NODES] >= control[NODE_LIMIT]:
                return ABORTED
            result, taint = ABORTED, 0
            one, two = exact_key(state)
            s.keys[ply, 0], s.keys[ply, 1] = one, two
            code = generic.stopped(k, state, frames[ply, LAST])
            ahead = state.south - state.north if player == 0 else state.north - state.south
            seeds = p.total - state.south - state.north
            if code != 0:
                result = TRUE if margin_of(k, state, code, frames[ply, LAST], player) >= margin else NOT
            elif ahead + seeds < margin:
                result = NOT
            elif tabled == 1 and ahead - seeds >= margin:
                result = TRUE
            elif may_repeat(setup, s, ply, first):
                where = occurred(setup, s, ply, first, one, two)
                if where != NOWHERE:
                    code = REPETITION if setup.repetition == REPETITION_RULE else 0
                    result = TRUE if margin_of(k, state, code, frames[ply, LAST], player) >= margin else NOT
                    if where == ON_PATH:
                        taint = 1
                    if tabled == 0 and setup.repetition != REPETITION_RULE:
                        result = NOT  # nothing ends the game here
            if result == ABORTED and tabled == 1 and (first > 0 or setup.repetition != REPETITION_RULE):
                # With a goal a table names the winner, not the margin.
                most = max(state.south, state.north)
                if margin == 0 or margin == 1 or most + seeds < p.goal:
                    low, high = table_bounds(p.tables, state, NEVER, setup.move_limit)
                    if state.turn != player:
                        low, high = -high, -low
                    if ahead + low >= margin:
                        result = TRUE
                    elif ahead + high < margin:
                        result = NOT
            free = claim_key(p, two, state.ply, question, first)
            move = -1
            if result == ABORTED:
                result, move = known_claim(p.tt, one, free, depth, tabled)
                if result == ABORTED and cyclic:
                    result, other = known_claim(p.tt, one, free ^ mix(frames[ply, PATH] + 1), depth, tabled)
                    taint = 1 if result != ABORTED else 0
                    move = other if other >= 0 else move
            if result == ABORTED and (depth <= 0 or ply >= MAX_PLY - 2):
                result = NOT
                # A relay move is sown to know whether it is legal: where only the result matters, a ply deeper.
                stuck = leaf_stuck(k, state) if tabled == 1 else NO_MOVE if generic.legal(k, state) == 0 else 0
                if stuck != 0 and margin_of(k, state, stuck, frames[ply, LAST], player) >= margin:
                    result = TRUE
            if result == ABORTED:
                mask = expand(k, state, s.children[ply * MOVES : (ply + 1) * MOVES])
                if mask == 0:
                    code = NO_MOVE
                    result = TRUE if margin_of(k, state, code, frames[ply, LAST], player) >= margin else NOT
                else:
                    if move < 0:
                        data = probe_entry(p.hints, one, salted(setup, two, state.ply))
                        if data != 0:
                            move = (data >> 27) & 31
                    frames[ply, COUNT] = sort_moves(s, ply, mask, state, move)
                    frames[ply, INDEX] = 0
                    frames[ply, TAINT] = 0
                    ply = enter_child(s, root, ply, state)
                    continue
        else:
            # A child of this node has its answer.
            index = frames[ply, INDEX]
            mine = state.turn == player
            decided = (result == TRUE) == mine
            frames[ply, TAINT] |= taint
            if not decided and index + 1 < frames[ply, COUNT]:
                frames[ply, INDEX] = index + 1
                ply = enter_child(s, root, ply, state)
                entering = True
                continue
            move = s.order[ply, 0]
            if decided:
                move = s.order[ply, index]
                frames[ply, TAINT] = taint
                reward(s, ply, state.turn, move, depth)
            taint = frames[ply, TAINT]
            one, two = s.keys[ply, 0], s.keys[ply, 1]
            free = claim_key(p, two, state.ply, question, first)
            if taint == 1 and (result == TRUE or strict == 1):
                free ^= mix(frames[ply, PATH] + 1)
            store_claim(p.tt, one, free, result, depth, move)
        if ply == 1:
            return result
        # What this answer means to the parent. After a capture there is no path that it could depend on.
        if not cyclic or first == ply:
            taint = 0
        elif result == NOT and taint == 0 and strict == 1:
            # On another path this position may be a repetition, and then the player who claims may like it.
            code = REPETITION if setup.repetition == REPETITION_RULE else 0
            if margin_of(k, state, code, frames[ply, LAST], player) >= margin:
                taint = 1
        ply -= 1
        entering = False


@jit(forceinline=True)
def enter_child(s: Scratch, like: Any, ply: int, state: Any) -> int:
    """Set up the frame of the next child; return its ply."""
    frames = s.frames
    child = load(like, s.children, ply * MOVES + s.order[ply, frames[ply, INDEX]])
    save(s.states, ply + 1, child)
    frames[ply + 1, DEPTH] = frames[ply, DEPTH] - 1
    frames[ply + 1, LAST] = state.turn
    if child.south + child.north == state.south + state.north:
        frames[ply + 1, SINCE] = frames[ply, SINCE]
        frames[ply + 1, PATH] = frames[ply, PATH] ^ mix(s.keys[ply, 0] ^ mix(s.keys[ply, 1]))
    else:
        frames[ply + 1, SINCE] = ply + 1
        frames[ply + 1, PATH] = 0
    return ply + 1


# -- asking --------------------------------------------------------------------------------------------------------

DEEPEST = MAX_PLY - 3
FIRST_ALLOWANCE = 2000
"""Positions that a question may cost before the next one has its turn; doubled each time that is not enough."""


@dataclass(slots=True)
class Question:
    """A claim about some root moves, being proven to greater and greater depth."""

    player: int
    margin: int
    moves: list[int]
    """The claim is about each of them; if `player` is to move at the root, about any."""
    counted: bool = False
    """The game must be over within the depth: this proves the number of moves."""
    depth: int = 1
    allowance: int = FIRST_ALLOWANCE
    spent: int = 0


@dataclass(slots=True)
class Claims:
    """What is proven about a root position and its moves. Margins are those of the player to move at the root."""

    k: Any
    root: Any
    setup: Setup
    tables: TableSet
    tt: NDArray[np.int64]
    hints: NDArray[np.int64]
    past: NDArray[np.int64]
    """Keys of the game's positions since the last capture, the root apart."""
    moves: list[int]
    total: int
    goal: int
    low: dict[int, int]
    high: dict[int, int]
    """Bounds of each move's final margin, at first those of a table, or of the seeds on the board."""
    every: bool = False
    """Prove something about each move, not only about the best."""
    plies: int | None = None
    """The number of moves in which a win can be forced, or a loss delayed to."""
    quickest: int | None = None
    """The move that wins in so many."""
    least: int = field(init=False)
    most: int = field(init=False)
    """Bounds of the root's final margin."""
    control: NDArray[np.int64] = field(default_factory=lambda: np.zeros(core.CONTROL, np.int64))
    _questions: dict[tuple[int, int, bool, int], Question] = field(default_factory=dict)
    _proof: Any = None
    _children: dict[int, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.least, self.most = max(self.low.values()), max(self.high.values())

    def _prepare(self) -> None:
        """Set up the search, when the first question is asked: most positions of a game need none."""
        ruled = self.setup.repetition == REPETITION_RULE
        scratch = core.new_scratch(self.past if ruled else self.past[:0])
        self._children = {move: generic.play(self.k, self.root, move) for move in self.moves}
        one, two = exact_key(self.root)
        scratch.keys[0, 0], scratch.keys[0, 1] = one, two
        before = mix(one ^ mix(two))
        for row in {(int(row[0]), int(row[1])) for row in scratch.past}:
            before ^= mix(row[0] ^ mix(row[1]))
        self._proof = Proof(
            self.k, self.setup, self.tables, self.tt, self.hints, scratch, self.control, self.total, self.goal, before
        )

    @property
    def nodes(self) -> int:
        return int(self.control[NODES])

    @property
    def result(self) -> int | None:
        """1 won, 0 drawn, -1 lost by the player to move, where that is proven."""
        return sign_between(self.least, self.most)

    @property
    def settled(self) -> bool:
        """Whether there is nothing left to prove about the root."""
        return self._shown and self.least == self.most and (self.result == 0 or self.plies is not None)

    @property
    def _shown(self) -> bool:
        """Whether the result is proven, and a move that keeps it."""
        result = self.result
        return result is not None and (result < 0 or max(self.low.values()) >= result)

    def trust(self, move: int, result: int) -> None:
        """Take over that a move wins (1) or loses (-1): for rules under which the engine's search can prove it."""
        player = self.root.turn if result > 0 else 1 - self.root.turn
        self._learn(Question(player, 1, [move]), move)

    def extend(self, budget: int, guess: float) -> None:
        """Prove more, looking at about `budget` positions at most; `guess` is the margin that a search expects."""
        end = self.nodes + budget
        while not self.control[STOP] and not self.settled:
            waiting = [q for q in self._open(guess) if q.depth <= DEEPEST]
            left = end - self.nodes
            if not waiting or left <= 0:
                return
            self._ask(min(waiting, key=lambda q: q.spent), left)

    def _open(self, guess: float) -> list[Question]:
        """Return the questions worth asking now, the most promising first."""
        mover = self.root.turn
        wanted: list[tuple[int, int, bool, list[int]]] = []
        best = max(self.low.values())
        if not self._shown:
            for margin in (1, 0):
                if best < margin <= self.most:
                    wanted.append((mover, margin, False, self.moves))
                if self.most > -margin >= self.least:
                    wanted.append((1 - mover, margin, False, self.moves))
            if guess < 0:
                wanted.sort(key=lambda q: q[0] == mover)
        else:
            if self.result and self.plies is None:
                wanted.append((mover if self.result > 0 else 1 - mover, 1, True, self.moves))
            if self.least < self.most:
                expected = min(max(round(guess), self.least), self.most)
                more = expected if expected > best else best + 1
                less = expected if expected < self.most else self.most - 1
                if more <= self.most:
                    wanted.append((mover, more, False, self.moves))
                if less >= self.least:
                    wanted.append((1 - mover, -less, False, self.moves))
            if self.every:
                for move in self.moves:
                    if sign_between(self.low[move], self.high[move]) is None:
                        for margin in (1, 0):
                            if self.low[move] < margin <= self.high[move]:
                                wanted.append((mover, margin, False, [move]))
                            if self.high[move] > -margin >= self.low[move]:
                                wanted.append((1 - mover, margin, False, [move]))
        found = []
        for player, margin, counted, moves in wanted:
            key = (player, margin, counted, moves[0] if len(moves) == 1 else -1)
            found.append(self._questions.setdefault(key, Question(player, margin, moves, counted)))
        return found

    def _ask(self, q: Question, budget: int) -> None:
        """Search for a proof at the question's present depth, and go on to the next if there is none."""
        began = self.nodes
        self.control[NODE_LIMIT] = began + min(budget, q.allowance)
        mover = self.root.turn
        answer = NOT if q.player == mover else TRUE
        for move in q.moves:
            known = self._known(q, move)
            found = self._force(q, move) if known is None else known
            if found == ABORTED:
                answer = ABORTED
                break
            if found == TRUE and q.counted and q.player == mover:
                self.quickest = move
            elif found == TRUE and not q.counted:
                self._learn(q, move)
            if (found == TRUE) == (q.player == mover):
                answer = found
                break
        q.spent += self.nodes - began
        if answer == ABORTED:
            if q.allowance <= budget:
                q.allowance *= 2
        elif answer == NOT:
            q.depth += 1
        elif q.counted:
            self.plies = q.depth

    def _known(self, q: Question, move: int) -> int | None:
        """Return the answer about a move where its bounds give it."""
        if q.counted:
            return None
        if q.player == self.root.turn:
            return TRUE if self.low[move] >= q.margin else NOT if self.high[move] < q.margin else None
        return TRUE if -self.high[move] >= q.margin else NOT if -self.low[move] < q.margin else None

    def _force(self, q: Question, move: int) -> int:
        if self._proof is None:
            self._prepare()
        child = self._children[move]
        quiet = child.south + child.north == self.root.south + self.root.north
        since = 0 if quiet and self.setup.repetition == REPETITION_RULE else 1
        tabled, strict = (0, 1) if q.counted else (1, 0)
        depth = q.depth - 1
        return int(force(self._proof, child, depth, q.player, q.margin, self.root.turn, since, tabled, strict))

    def _learn(self, q: Question, move: int) -> None:
        """A claim about a move is proven."""
        if q.player == self.root.turn:
            self.low[move] = max(self.low[move], q.margin)
            self.least = max(self.least, q.margin)
        else:
            self.high[move] = min(self.high[move], -q.margin)
            self.most = max(self.high.values())


def sign_between(least: float, most: float) -> int | None:
    """Return the sign of all numbers between two bounds, if it is one."""
    if least > 0:
        return 1
    if most < 0:
        return -1
    return 0 if least == most == 0 else None
