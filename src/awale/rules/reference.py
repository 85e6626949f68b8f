"""The reference implementation of the rules in plain Python, against which every kernel is tested.

Read top to bottom: positions, sowing, capturing, which moves are legal, how a game ends. Every choice that a rule
system makes is an option of `Rules`; nothing below depends on a preset's name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, cycle, islice
from math import gcd
from typing import Literal, NamedTuple, TypeAlias, cast

from awale.errors import SowingError
from awale.rules import budget, moves
from awale.rules.description import Ending, NoMoveRest, Rules
from awale.rules.moves import COLOURS, Colour, Move

Hole: TypeAlias = tuple[int, int, int]
"""A three-colour hole: red, blue, transparent."""
Board: TypeAlias = tuple[int, ...] | tuple[Hole, ...]
RED, BLUE, CLEAR = range(3)
RuleEnding: TypeAlias = Ending | Literal["repetition", "no-move", "endless"]
"""Why the rules end a game."""


class Position(NamedTuple):
    """Everything that decides how play continues, except repetition: board, captured seeds, turn, moves played."""

    board: Board
    scores: tuple[int, int]
    turn: int
    ply: int = 0


def start(rules: Rules) -> Position:
    hole: int | Hole = (rules.seeds,) * 3 if rules.coloured else rules.seeds
    return Position(cast(Board, (hole,) * rules.holes), (0, 0), 0)


def counts(board: Board) -> tuple[int, ...]:
    """Return the seeds in each pit, all colours together."""
    if isinstance(board[0], int):
        return board
    return tuple(map(sum, board))


def on_side(rules: Rules, board: Board, player: int) -> int:
    """Return the number of seeds in a player's pits."""
    if rules.coloured:
        return sum(map(sum, cast(tuple[Hole, ...], board)[player::2]))
    pits = cast(tuple[int, ...], board)
    return sum(pits[rules.pits :]) if player else sum(pits[: rules.pits])


# -- sowing --------------------------------------------------------------------------------------------------------


class Lap(NamedTuple):
    """One lap of a sowing: the pit it was lifted from, and where its seeds fell, in order (with their colours)."""

    pit: int
    landings: tuple[int, ...]
    colours: str = ""


class Sown(NamedTuple):
    """A board after sowing: the first lap, the pit of the last seed, the number of laps, the period if endless."""

    board: Board
    first: Lap
    last: int
    laps: int = 1
    period: int | None = None
    walked: int = 1
    """The laps that were followed: of an endless sowing often only a part of the period."""


@lru_cache(maxsize=1 << 16)
def landings_from(pit: int, seeds: int, holes: int, skip_origin: bool) -> tuple[int, ...]:
    """Return where the seeds of a pit fall: one in each following pit, round the ring, the origin skipped or not."""
    once_round = [(pit + step) % holes for step in range(1, holes if skip_origin else holes + 1)]
    return tuple(islice(cycle(once_round), seeds))


def sow_lap(board: list[int], pit: int, *, skip_origin: bool) -> tuple[int, ...]:
    """Lift all the seeds of a pit and drop one in each following pit."""
    landings = landings_from(pit, board[pit], len(board), skip_origin)
    board[pit] = 0
    for here in landings:
        board[here] += 1
    return landings


NO_LIMIT = 2**62


def sow_relay(
    board: list[int], pit: int, most: int = NO_LIMIT, *, side: range | None = None
) -> tuple[int, int, int | None, int]:
    """Sow on from every pit that was not empty; raise `SowingError` after `most` laps.

    `side`: the pits that are lifted again, all of them by default. Within one player's pits a relay always stops: to
    return it would have to go round, and the seeds that it leaves on the other side are not lifted.

    Return the last pit, the laps, the period of an endless sowing, and the laps that were followed.

    A lap can be undone in one way only (walk back from the last seed, lifting one from each pit, until a pit has none:
    the seeds were lifted there). So the laps form a chain that either stops or returns to its first board and pit:
    comparing with the start is an exact test, however long the period.

    Rotating the ring does not change a sowing. So it is enough that the board comes back rotated: the rest of the
    period repeats these laps, rotated each time. Periods of tens of millions of laps exist in games people play, and
    this finds them up to twelve times sooner.
    """
    first_board, first_pit = list(board), pit
    rotated = board[pit:] + board[:pit]
    for laps in range(1, most + 1):
        pit = sow_lap(board, pit, skip_origin=False)[-1]
        if board[pit] == 1 or (side is not None and pit not in side):
            return pit, laps, None, laps
        if side is None and board[pit] == rotated[0] and board[pit:] + board[:pit] == rotated:
            period = laps * (len(board) // gcd(len(board), pit - first_pit))
            board[:] = first_board
            return first_pit, period, period, laps
    raise SowingError


def sow_colours(rules: Rules, board: list[list[int]], pit: int, colour: Colour) -> Lap:
    """Sow one colour of a hole, or its transparent seeds and then that colour."""
    like = RED if colour in ("r", "tr") else BLUE
    lifted = [CLEAR] * board[pit][CLEAR] if colour in ("tr", "tb") else []
    lifted += [like] * board[pit][like]
    for seed in set(lifted):
        board[pit][seed] = 0
    landings: list[int] = []
    here = pit
    for seed in lifted:
        here = (here + 1) % rules.holes
        while here == pit or (like == BLUE and rules.owner(here) == rules.owner(pit)):
            here = (here + 1) % rules.holes
        board[here][seed] += 1
        landings.append(here)
    return Lap(pit, tuple(landings), "".join("rbt"[seed] for seed in lifted))


def sow(rules: Rules, board: Board, move: Move) -> Sown:
    """Sow a move under any rules."""
    if rules.sowing == "relay":
        side = rules.own_pits(rules.owner(move.pit)) if rules.relay_from == "own-side" else None
        return _within_budget(_relay(cast(tuple[int, ...], board), move.pit, side), board)
    if rules.coloured:
        holes = [list(hole) for hole in cast(tuple[Hole, ...], board)]
        lap = sow_colours(rules, holes, move.pit, cast(Colour, move.colour))
        return Sown(cast(Board, tuple(tuple(hole) for hole in holes)), lap, lap.landings[-1])
    pits = list(cast(tuple[int, ...], board))
    landings = sow_lap(pits, move.pit, skip_origin=rules.origin == "skipped")
    return Sown(tuple(pits), Lap(move.pit, landings), landings[-1])


@lru_cache(maxsize=1 << 14)
def _relay(board: tuple[int, ...], pit: int, side: range | None) -> Sown:
    """Sow a relay once: a move's legality, playing it and showing it all need the same result."""
    pits = list(board)
    allowed = budget.current()
    most = allowed.sowing_laps(board)
    try:
        last, laps, period, walked = sow_relay(pits, pit, most, side=side)
    except SowingError:
        allowed.charge(most)
        raise allowed.refusal(board) from None
    allowed.charge(walked)
    first = Lap(pit, landings_from(pit, board[pit], len(board), False))
    return Sown(tuple(pits), first, last, laps, period, walked)


def _within_budget(sown: Sown, board: Board, before: int = 0) -> Sown:
    """Return a sowing that fits the budget of a position, after so many other laps; it may have been followed under
    a larger budget."""
    if before + sown.walked > budget.FEW_LAPS:
        allowed, pits = budget.current(), counts(board)
        if before + sown.walked > allowed.position_laps(pits):
            raise allowed.refusal(pits)
    return sown


def laps(board: Board, sown: Sown) -> Iterator[Lap]:
    """Yield the laps of a sowing of `board` in order; those of an endless one as far as its period.

    Nothing is stored, so a caller that wants the first hundred laps of millions takes only those.
    """
    yield sown.first
    if sown.laps > 1:
        pits = list(cast(tuple[int, ...], board))
        pit = sow_lap(pits, sown.first.pit, skip_origin=False)[-1]
        for _ in range(sown.laps - 1):
            landings = sow_lap(pits, pit, skip_origin=False)
            yield Lap(pit, landings)
            pit = landings[-1]


# -- capturing -----------------------------------------------------------------------------------------------------


def captures(rules: Rules, board: Board, last: int, player: int) -> list[int]:
    """Return the pits that the last seed captures, in order."""
    seeds = counts(board)
    if rules.capture == "opposite":
        facing = rules.opposite(last)
        return [facing] if seeds[last] == 1 and rules.owner(last) == player and seeds[facing] else []
    taken: list[int] = []
    pit = last
    while seeds[pit] in rules.capture_counts and pit not in taken:
        if rules.capture == "chain" and rules.owner(pit) == player:
            break
        taken.append(pit)
        pit = (pit - 1) % rules.holes
    return taken


class Step(NamedTuple):
    """What a move does to the board, before the turn changes and the endings are checked."""

    board: Board
    sown: Sown
    captured: tuple[tuple[int, int], ...]
    """Pits and the seeds taken from each, in order."""
    spared: bool
    """A grand slam that takes nothing."""

    @property
    def taken(self) -> int:
        return sum(seeds for _, seeds in self.captured)


def step(rules: Rules, position: Position, move: Move) -> Step:
    """Sow and capture. An endless sowing leaves everything as it was."""
    player = position.turn
    sown = sow(rules, position.board, move)
    if sown.period is not None:
        return Step(position.board, sown, (), False)
    pits = captures(rules, sown.board, sown.last, player)
    if not pits:
        return Step(sown.board, sown, (), False)
    seeds = counts(sown.board)
    board = _without(sown.board, pits)
    slam = on_side(rules, board, 1 - player) == 0
    if slam and rules.grand_slam == "takes-nothing":
        return Step(sown.board, sown, (), True)
    return Step(board, sown, tuple((pit, seeds[pit]) for pit in pits), False)


def _without(board: Board, pits: Iterable[int]) -> Board:
    emptied = list(board)
    for pit in pits:
        emptied[pit] = 0 if isinstance(board[pit], int) else (0, 0, 0)
    return cast(Board, tuple(emptied))


# -- legal moves ---------------------------------------------------------------------------------------------------


def candidates(rules: Rules, position: Position) -> list[Move]:
    """Return every move that lifts at least one seed of the mover's, in order, legal or not."""
    named = moves.table(rules)
    found: list[Move] = []
    for pit in rules.own_pits(position.turn):
        hole = position.board[pit]
        if isinstance(hole, int):
            if hole:
                found.append(named[pit, None])
        else:
            lifted: dict[Colour, int] = {"r": hole[RED], "b": hole[BLUE], "tr": hole[CLEAR], "tb": hole[CLEAR]}
            found += [named[pit, colour] for colour in COLOURS if lifted[colour]]
    return found


def legal_moves(rules: Rules, position: Position) -> list[Move]:
    """Return the legal moves, in order. `settle` checks whether the game is over already."""
    found = candidates(rules, position)
    if rules.sowing == "relay":
        if rules.endless == "ends":
            return found
        legal, walked = [], 0
        for move in found:
            sown = _within_budget(sow(rules, position.board, move), position.board, walked)
            walked += sown.walked
            if sown.period is None:
                legal.append(move)
        return legal
    opponent = 1 - position.turn
    if on_side(rules, position.board, opponent):
        refused = rules.grand_slam in ("illegal", "illegal-unless-forced")
        unless_forced = rules.grand_slam == "illegal-unless-forced"
    else:
        refused = rules.feeding in ("required", "if-possible")
        unless_forced = rules.feeding == "if-possible"
    if not refused:
        return found
    feeding = [move for move in found if on_side(rules, step(rules, position, move).board, opponent)]
    return found if unless_forced and not feeding else feeding


def legal_steps(rules: Rules, position: Position) -> dict[Move, Step]:
    """Return the legal moves and what each does."""
    return {move: step(rules, position, move) for move in legal_moves(rules, position)}


# -- endings -------------------------------------------------------------------------------------------------------


class Settled(NamedTuple):
    """A position after the endings were checked: the reason if it is over, and what each side took of the rest."""

    position: Position
    reason: RuleEnding | None
    swept: tuple[int, int] = (0, 0)
    passed: bool = False
    legal: tuple[Move, ...] = ()
    """What may be played now."""


def settle(rules: Rules, position: Position, earlier: Iterable[Position] = ()) -> Settled:
    """Check the endings after a move, the turn having changed already; let a starved player pass.

    `earlier` are the positions before this one, the latest first: only those since the last capture matter.
    """
    seeds = sum(counts(position.board))
    goal = rules.win_score_for(seeds + sum(position.scores))
    for ending in rules.endings:
        if ending == "win" and goal is not None and max(position.scores) >= goal:
            return _finish(rules, position, ending, rules.win_rest)
        if ending == "moves" and rules.move_limit is not None and position.ply >= rules.move_limit:
            return _finish(rules, position, ending, rules.move_limit_rest)
        if ending == "few" and rules.few_seeds is not None and seeds <= rules.few_seeds:
            return _finish(rules, position, ending, rules.few_rest)
    passed = (
        rules.starved == "passes"
        and not on_side(rules, position.board, position.turn)
        and on_side(rules, position.board, 1 - position.turn) > 0
    )
    if passed:
        position = position._replace(turn=1 - position.turn)
    if rules.repetition != "none":
        for old in earlier:
            if old.scores != position.scores:
                break
            if old.board == position.board and old.turn == position.turn:
                return _finish(rules, position, "repetition", rules.repetition)
    legal = legal_moves(rules, position)
    if not legal:
        return _finish(rules, position, "no-move", rules.no_move)
    return Settled(position, None, passed=passed, legal=tuple(legal))


def _finish(rules: Rules, position: Position, reason: RuleEnding, rest: NoMoveRest) -> Settled:
    """End the game and distribute the rest. Seeds that nobody takes stay on the board."""
    sides = [on_side(rules, position.board, player) for player in (0, 1)]
    match rest:
        case "nobody":
            return Settled(position, reason)
        case "own-side":
            swept = (sides[0], sides[1])
        case _:
            winner = position.turn if rest == "to-move" else 1 - position.turn
            swept = (sum(sides), 0) if winner == 0 else (0, sum(sides))
    board = _without(position.board, range(rules.holes))
    scores = (position.scores[0] + swept[0], position.scores[1] + swept[1])
    return Settled(position._replace(board=board, scores=scores), reason, swept)


def after(rules: Rules, position: Position, done: Step) -> Position:
    """Return the position after a step, the turn changed, the endings not yet checked."""
    scores = list(position.scores)
    scores[position.turn] += done.taken
    return Position(done.board, (scores[0], scores[1]), 1 - position.turn, position.ply + 1)


def play(rules: Rules, position: Position, move: Move, earlier: Iterable[Position] = ()) -> Settled:
    """Play a legal move to the end of the turn. `earlier` as in `settle`, without `position` itself."""
    return settle_step(rules, position, step(rules, position, move), earlier)


def settle_step(rules: Rules, position: Position, done: Step, earlier: Iterable[Position] = ()) -> Settled:
    """Finish the turn after a legal move's step from `position`; `earlier` as in `play`."""
    if done.sown.period is not None:
        return Settled(position._replace(ply=position.ply + 1), "endless")
    return settle(rules, after(rules, position, done), chain((position,), earlier))


def perft(rules: Rules, position: Position, depth: int) -> int:
    """Count the sequences of `depth` moves: the usual check of a move generator."""

    def walk(here: Settled, earlier: tuple[Position, ...], depth: int) -> int:
        if depth == 1:
            return len(here.legal)
        if rules.repetition == "none":
            earlier = ()
        after_each = (play(rules, here.position, move, earlier) for move in here.legal)
        return sum(walk(settled, (here.position, *earlier), depth - 1) for settled in after_each)

    return 1 if depth <= 0 else walk(settle(rules, position), (), depth)
