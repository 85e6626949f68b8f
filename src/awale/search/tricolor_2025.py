"""Play as the program of the 2025 report on the three-colour game does, move for move.

That program is a fixed-depth alpha-beta search whose values are always J1's: J1 maximises, J2 minimises, and the first
of equal moves is played. Only the values of the root moves decide what it plays, so any search with the same leaf
values plays the same games. This one visits far fewer leaves: move ordering, a transposition table of whole positions,
null windows, and lazy evaluation.

Three particulars of the report: a leaf is valued by the evaluation of the player to move *there*; a starved player
passes (where the rules say so) and the pass costs a ply of depth; the search ignores the move limit.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from awale.errors import AwaleError, GameStateError, RulesError
from awale.game import Game
from awale.i18n import message
from awale.kernels import NO_MOVE, tricolor
from awale.kernels.bits import lowest
from awale.kernels.endings import NEVER
from awale.kernels.jit import jit
from awale.kernels.tricolor import TriRules, TriState
from awale.rules import Rules, get
from awale.rules.moves import COLOURS, Move, make
from awale.rules.reference import Position
from awale.search.linear import other_to_move
from awale.search.tricolor_2025_evaluation import EVALUATIONS, ONE, from_order, leaf, leaf_without_threats, threat_side

Schedule = tuple[int, ...]
"""Depths with the percentage of captured seeds up to which each holds between them: `(6, 15, 7, 30, 8)`."""
Depth = int | Literal["adaptive"] | Schedule
ADAPTIVE: Schedule = (6, 15, 7, 30, 8, 70, 9, 80, 10)
"""The report's own schedule."""

MOVES = 32
MAX_DEPTH = 24
BEYOND = ONE + 1
"""More than any value."""
OPEN = 2 * BEYOND
"""No value: the game is not over."""

FIELDS = len(TriState._fields)

# The working memory is one array: compiled code counts references to every array passed to a function.
_CHILDREN = 0
_ORDER = _CHILDREN + (MAX_DEPTH + 1) * MOVES * FIELDS
_FRAMES = _ORDER + (MAX_DEPTH + 1) * (MOVES + 1)
_FRAME = 16 + FIELDS
_ALPHA, _BETA, _LOW, _BEST, _BEST_MOVE, _MOVE, _NEXT, _COUNT, _STAGE, _PLACE, _STATE = range(11)
_FULL_WINDOW, _NULL_WINDOW, _RE_SEARCH, _PASSING = range(4)
"""How the child is being searched: full window, null window, re-search with the full window, or after a pass."""
_HISTORY = _FRAMES + (MAX_DEPTH + 1) * _FRAME
_KILLERS = _HISTORY + 2 * MOVES
_COUNTS = _KILLERS + 4
_WORK = _COUNTS + 3
NODES, LEAVES, WHOLE = range(3)
"""Counters: nodes, leaves evaluated, leaves evaluated with their threats."""

# A transposition-table row: the six words of the board; turn and scores; value, depth, bound and move.
_ENTRY = 8
_EXACT, _AT_LEAST, _AT_MOST = range(3)


# -- compiled ----------------------------------------------------------------------------------------------------------


class SearchContext(NamedTuple):
    """The constants of a search."""

    rules: TriRules
    """Without move limit and passes: the search ignores the limit and handles passes itself."""
    passes: int
    kind0: int
    kind1: int
    """The evaluations of J1 and J2."""
    total: int
    """The seeds in the game."""
    win: int
    """Captured seeds from which the game may be over."""


@jit
def _final_value(q: SearchContext, state: TriState, last: int) -> int:
    """Return J1's value where the game is over, else OPEN."""
    code = 0
    if state.south < q.win and state.north < q.win and q.total - state.south - state.north > q.rules.endings.few:
        if state.turn == 0:
            lying = state.red0 | state.blue0 | state.clear0
        else:
            lying = state.red1 | state.blue1 | state.clear1
        if lying != 0 or (q.passes and state.south + state.north < q.total):
            return OPEN
        code = NO_MOVE
    else:
        code = tricolor.stopped(q.rules, state, last)
    south, north = tricolor.final(q.rules, state, code, last)
    if south > north:
        return ONE
    return -ONE if north > south else 0


@jit
def _rest(state: TriState) -> int:
    return state.turn | (state.south << 1) | (state.north << 9)


@jit
def _tt_index(state: TriState, tt: NDArray[np.int64]) -> int:
    h = state.red0 * 0x2545F4914F6CDD1D + state.blue0
    h = (h ^ ((h >> 29) & 0x7FFFFFFFF)) * 0x1B8735939E3779B1 + state.clear0
    h = (h ^ ((h >> 31) & 0x1FFFFFFFF)) * 0x2545F4914F6CDD1D + state.red1
    h = (h ^ ((h >> 29) & 0x7FFFFFFFF)) * 0x1B8735939E3779B1 + state.blue1
    h = (h ^ ((h >> 31) & 0x1FFFFFFFF)) * 0x2545F4914F6CDD1D + state.clear1
    h = (h ^ ((h >> 29) & 0x7FFFFFFFF)) * 0x1B8735939E3779B1 + _rest(state)
    h ^= (h >> 32) & 0xFFFFFFFF
    return (h * _ENTRY) & (len(tt) - 1)


@jit
def _tt_matches(state: TriState, tt: NDArray[np.int64], at: int) -> bool:
    for word in range(6):
        if tt[at + word] != state[word]:
            return False
    return bool(tt[at + 6] == _rest(state))


@jit
def _tt_store(state: TriState, tt: NDArray[np.int64], at: int, found: int) -> None:
    for word in range(6):
        tt[at + word] = state[word]
    tt[at + 6] = _rest(state)
    tt[at + 7] = found


@jit
def _frontier(q: SearchContext, state: TriState, alpha: int, beta: int, work: NDArray[np.int64]) -> int:
    """Search a position one ply above the leaves."""
    k = q.rules
    sign = 1 - 2 * state.turn
    kind = q.kind1 if state.turn == 0 else q.kind0
    rising = sign * threat_side(kind, 1 - state.turn) > 0
    best = -BEYOND
    left = tricolor.legal(k, state)
    killer = _KILLERS + 2 * state.turn
    tried = 0
    while left:
        if tried < 2:
            move = work[killer + tried]
            tried += 1
            if (left >> move) & 1 == 0:
                continue
        else:
            move = lowest(left)
        left &= ~(1 << move)
        child = tricolor.play(k, state, move)
        value = _final_value(q, child, state.turn)
        if value != OPEN:
            value *= sign
        else:
            work[_COUNTS + LEAVES] += 1
            value = sign * leaf_without_threats(kind, child)
            if (value < beta) if rising else (value > alpha and value > best):
                work[_COUNTS + WHOLE] += 1
                value = sign * leaf(kind, child, k.holes)
        if value > best:
            best = value
            if best >= beta:
                if work[killer] != move:
                    work[killer + 1] = work[killer]
                    work[killer] = move
                return best
            alpha = max(alpha, best)
    return best


@jit
def _load(work: NDArray[np.int64], at: int) -> TriState:
    return TriState(
        int(work[at]),
        int(work[at + 1]),
        int(work[at + 2]),
        int(work[at + 3]),
        int(work[at + 4]),
        int(work[at + 5]),
        int(work[at + 6]),
        int(work[at + 7]),
        int(work[at + 8]),
        int(work[at + 9]),
    )


@jit
def _save(work: NDArray[np.int64], at: int, state: TriState) -> None:
    for field in range(FIELDS):
        work[at + field] = state[field]


@jit
def _open_frame(
    q: SearchContext,
    state: TriState,
    mask: int,
    depth: int,
    window: tuple[int, int],
    hinted: int,
    place: int,
    work: NDArray[np.int64],
) -> None:
    """Prepare the frame of a position: its window, and its children with their ordering scores."""
    history = _HISTORY + MOVES * state.turn
    children = _CHILDREN + depth * MOVES * FIELDS
    order = _ORDER + depth * (MOVES + 1)
    count = 0
    while mask:
        move = lowest(mask)
        mask &= mask - 1
        child = tricolor.play(q.rules, state, move)
        _save(work, children + move * FIELDS, child)
        taken = child.south + child.north - state.south - state.north
        score = 1 << 40 if move == hinted else 1024 * taken + work[history + move]
        work[order + count] = (score << 6) | move
        count += 1
    frame = _FRAMES + depth * _FRAME
    _save(work, frame + _STATE, state)
    work[frame + _ALPHA] = work[frame + _LOW] = window[0]
    work[frame + _BETA] = window[1]
    work[frame + _BEST] = -BEYOND
    work[frame + _BEST_MOVE] = work[frame + _NEXT] = 0
    work[frame + _COUNT] = count
    work[frame + _PLACE] = place


@jit
def _next_move(depth: int, work: NDArray[np.int64]) -> int:
    """Return the most promising move not tried yet, or -1."""
    frame = _FRAMES + depth * _FRAME
    n, count = work[frame + _NEXT], work[frame + _COUNT]
    if n == count:
        return -1
    work[frame + _NEXT] = n + 1
    order = _ORDER + depth * (MOVES + 1)
    top = n
    for other in range(n + 1, count):
        if work[order + other] > work[order + top]:
            top = other
    move = work[order + top] & 63
    work[order + top] = work[order + n]
    work[frame + _MOVE] = move
    return move


@jit
def _update_best(depth: int, value: int, work: NDArray[np.int64]) -> bool:
    """Record the value of the move just tried; return whether it causes a cutoff."""
    frame = _FRAMES + depth * _FRAME
    if value > work[frame + _BEST]:
        work[frame + _BEST] = value
        move = work[frame + _MOVE]
        work[frame + _BEST_MOVE] = move
        if value >= work[frame + _BETA]:
            history = _HISTORY + MOVES * work[frame + _STATE + 6]
            work[history + move] += depth * depth
            if work[history + move] > 8000:
                for other in range(MOVES):
                    work[history + other] >>= 1
            return True
        if value > work[frame + _LOW]:
            work[frame + _LOW] = value
    return False


@jit
def _close_frame(depth: int, work: NDArray[np.int64], tt: NDArray[np.int64]) -> int:
    """Store the value of a finished node in the transposition table and return it."""
    frame = _FRAMES + depth * _FRAME
    best = work[frame + _BEST]
    bound = _EXACT
    if best >= work[frame + _BETA]:
        bound = _AT_LEAST
    elif best <= work[frame + _ALPHA]:
        bound = _AT_MOST
    found = (best << 16) | (depth << 8) | (bound << 6) | work[frame + _BEST_MOVE]
    _tt_store(_load(work, frame + _STATE), tt, work[frame + _PLACE], found)
    return best


@jit
def _search(
    q: SearchContext,
    state: TriState,
    deepest: int,
    alpha: int,
    beta: int,
    work: NDArray[np.int64],
    tt: NDArray[np.int64],
) -> int:
    """Return the value for the player to move of a position that is not over; outside the window, a bound on it.

    Iterative, with a frame per depth: Numba cannot load recursive functions from its cache.
    """
    depth = deepest
    while True:
        work[_COUNTS + NODES] += 1
        frame = _FRAMES + depth * _FRAME
        mask = tricolor.legal(q.rules, state)
        value = OPEN
        if mask == 0:
            state = other_to_move(state)  # a pass
            if depth > 1:
                work[frame + _STAGE] = _PASSING
                depth -= 1
                alpha, beta = -beta, -alpha
                continue
            value = (2 * state.turn - 1) * leaf(q.kind0 if state.turn == 0 else q.kind1, state, q.rules.holes)
        elif depth == 1:
            value = _frontier(q, state, alpha, beta, work)
        else:
            place = _tt_index(state, tt)
            hinted = -1
            if _tt_matches(state, tt, place):
                found = tt[place + 7]
                hinted = found & 63
                if (found >> 8) & 255 == depth:
                    known, bound = found >> 16, (found >> 6) & 3
                    if (
                        bound == _EXACT
                        or (bound == _AT_LEAST and known >= beta)
                        or (bound == _AT_MOST and known <= alpha)
                    ):
                        value = known
            if value == OPEN:
                _open_frame(q, state, mask, depth, (alpha, beta), hinted, place, work)

        # Back up values until a node has an untried move.
        going_down = False
        while not going_down:
            if value != OPEN:
                if depth == deepest:
                    return value
                depth += 1
                frame = _FRAMES + depth * _FRAME
                value = -value
                stage = work[frame + _STAGE]
                if stage == _PASSING:
                    continue
                if stage == _NULL_WINDOW and work[frame + _LOW] < value < work[frame + _BETA]:
                    state = _load(work, _CHILDREN + (depth * MOVES + work[frame + _MOVE]) * FIELDS)
                    work[frame + _STAGE] = _RE_SEARCH
                    alpha, beta = -work[frame + _BETA], -work[frame + _LOW]
                    depth -= 1
                    break
                if _update_best(depth, value, work):
                    value = _close_frame(depth, work, tt)
                    continue
                value = OPEN
            move = _next_move(depth, work)
            if move < 0:
                value = _close_frame(depth, work, tt)
                continue
            mover = work[frame + _STATE + 6]
            state = _load(work, _CHILDREN + (depth * MOVES + move) * FIELDS)
            over = _final_value(q, state, mover)
            if over != OPEN:
                if _update_best(depth, (1 - 2 * mover) * over, work):
                    value = _close_frame(depth, work, tt)
                continue
            low = work[frame + _LOW]
            if work[frame + _NEXT] == 1:
                work[frame + _STAGE] = _FULL_WINDOW
                alpha, beta = -work[frame + _BETA], -low
            else:
                work[frame + _STAGE] = _NULL_WINDOW
                alpha, beta = -low - 1, -low
            depth -= 1
            going_down = True


@jit
def _root(
    q: SearchContext, state: TriState, depth: int, work: NDArray[np.int64], tt: NDArray[np.int64]
) -> tuple[int, int]:
    """Return the first best move and its value for the player to move. The frame of depth 0 lists the root moves, the
    most promising first, and leaves them in that order for a deeper search."""
    sign = 1 - 2 * state.turn
    order = _ORDER
    best, best_move = -BEYOND, MOVES
    count = 0
    while work[order + count] >= 0:
        move = work[order + count]
        child = tricolor.play(q.rules, state, move)
        # The first of equal moves in the rules' order is played, in whatever order they are searched: an earlier move
        # has to reach the best value, a later one to exceed it.
        least = best - 1 if move < best_move else best
        value = _final_value(q, child, state.turn)
        if value != OPEN:
            value *= sign
        elif depth == 1:
            value = sign * leaf(q.kind1 if state.turn == 0 else q.kind0, child, q.rules.holes)
        elif count == 0:
            value = -_search(q, child, depth - 1, -BEYOND, BEYOND, work, tt)
        else:
            value = -_search(q, child, depth - 1, -least - 1, -least, work, tt)
            if value > least:
                value = -_search(q, child, depth - 1, -BEYOND, -least, work, tt)
        if value > least:
            best, best_move = value, move
            for n in range(count, 0, -1):
                work[order + n] = work[order + n - 1]
            work[order] = move
        count += 1
    return best_move, best


@jit
def search_root(
    q: SearchContext, state: TriState, depth: int, work: NDArray[np.int64], tt: NDArray[np.int64]
) -> tuple[int, int]:
    """Return the first best move and its value for the player to move."""
    left = tricolor.legal(q.rules, state)
    count = 0
    while left:
        work[_ORDER + count] = lowest(left)
        left &= left - 1
        count += 1
    work[_ORDER + count] = -1
    # Iterative deepening, for the move ordering.
    best, best_move = 0, -1
    for shallow in range(2 - depth % 2, depth + 1, 2):
        best_move, best = _root(q, state, shallow, work, tt)
    return best_move, best


# -- in Python ---------------------------------------------------------------------------------------------------------


class Choice(NamedTuple):
    """The result of a search."""

    move: Move
    value: float
    """J1's, from -1 to 1."""
    depth: int
    nodes: int
    leaves: int


class ReportSearch:
    """The report's player. It keeps its transposition table from move to move and is not thread-safe.

    >>> from awale import Game
    >>> search = ReportSearch("tricolor-2025", ("raw", "defence"))
    >>> str(search.choose(Game("tricolor-2025"), depth=2).move)
    '1R'
    """

    def __init__(
        self, rules: str | Rules, evals: tuple[str, str] = ("corrected", "corrected"), *, entries: int = 1 << 16
    ) -> None:
        """`evals`: the evaluations of J1 and J2, each used where that player is to move. `entries`: the size of the
        transposition table, a power of two."""
        self.rules = get(rules)
        packed = tricolor.pack_rules(self.rules)
        kinds = [_kind(name) for name in evals]
        if len(kinds) != 2:
            raise AwaleError(message("search.bad.two-evaluations", count=len(kinds)))
        if entries < 1 or entries & (entries - 1):
            raise AwaleError(message("search.bad.table-entries", entries=entries))
        self.evals = (EVALUATIONS[kinds[0]], EVALUATIONS[kinds[1]])
        self._question = SearchContext(
            rules=packed._replace(passes=0, endings=packed.endings._replace(move_limit=NEVER)),
            passes=packed.passes,
            kind0=kinds[0],
            kind1=kinds[1],
            total=0,
            win=0,
        )
        self._work = np.zeros(_WORK, np.int64)
        self._memory = np.zeros(entries * _ENTRY, np.int64)
        self._memory[6::_ENTRY] = -1  # matches no position

    def choose(self, game: Game, depth: Depth = 6) -> Choice:
        """Return the move that the report's program plays here."""
        if game.over:
            raise GameStateError(message("search.bad.over"))
        if game.rules != self.rules:
            raise RulesError(message("search.bad.other-rules", engine=self.rules.name, game=game.rules.name))
        levels = depth_for(game, depth)
        total = sum(game.counts) + sum(game.scores)
        goal = self.rules.win_score_for(total)
        question = self._question._replace(total=total, win=NEVER if goal is None else goal)
        self._work[_COUNTS:] = 0
        state = tricolor.pack(self.rules, game.state)
        number, order = search_root(question, state, levels, self._work, self._memory)
        move = make(self.rules, 2 * (int(number) >> 2) + game.turn, COLOURS[int(number) & 3])
        value = from_order(-int(order) if game.turn else int(order))
        nodes, leaves = int(self._work[_COUNTS + NODES]), int(self._work[_COUNTS + LEAVES])
        return Choice(move, value, levels, nodes, leaves)


def choose(game: Game, evals: tuple[str, str] = ("corrected", "corrected"), depth: Depth = 6) -> Choice:
    """Return a single choice, with a new transposition table."""
    return ReportSearch(game.rules, evals).choose(game, depth)


def evaluate(game: Game, name: str = "corrected") -> float:
    """Return the report's value of a position as a leaf, J1's; 1, 0 or -1 once the game is over.

    >>> from awale import Game
    >>> evaluate(Game("tricolor"), "corrected")
    0.0
    """
    _kind(name)
    if game.over:
        south, north = game.scores
        return float((south > north) - (south < north))
    return value_of(game.rules, game.state, name)


def value_of(rules: Rules, position: Position, name: str) -> float:
    """Return the report's value of a position that does not end the game, J1's."""
    return from_order(int(leaf(_kind(name), tricolor.pack(rules, position), tricolor.pack_rules(rules).holes)))


def depth_for(game: Game, depth: Depth) -> int:
    """Return the depth to search: the number itself, or by the seeds left on the board."""
    if depth == "adaptive":
        depth = ADAPTIVE
    if isinstance(depth, tuple):
        check_schedule(depth)
        lying = sum(game.counts)
        total = lying + sum(game.scores)
        steps = zip(depth[::2], (*depth[1::2], 101), strict=True)
        return next(levels for levels, percent in steps if 100 * (total - lying) < percent * total)
    if not isinstance(depth, int) or isinstance(depth, bool) or not 1 <= depth <= MAX_DEPTH:
        raise AwaleError(message("search.bad.adaptive-depth", most=MAX_DEPTH, depth=repr(depth)[:40]))
    return depth


def check_schedule(schedule: Schedule) -> None:
    """Refuse a schedule that is no row of depths with rising percentages between them."""
    depths, percents = schedule[::2], schedule[1::2]
    rising = list(percents) == sorted(set(percents)) and all(0 < percent <= 100 for percent in percents)
    if len(schedule) % 2 == 0 or not rising or not all(1 <= levels <= MAX_DEPTH for levels in depths):
        raise AwaleError(message("search.bad.schedule", most=MAX_DEPTH, schedule="/".join(map(str, schedule))[:60]))


def _kind(name: str) -> int:
    if name not in EVALUATIONS:
        raise AwaleError(message("search.bad.evaluation", name=name[:40], known=", ".join(EVALUATIONS)))
    return EVALUATIONS.index(name)
