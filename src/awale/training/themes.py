"""What a solution is about, read off the board, and how hard it is to find."""

from __future__ import annotations

from collections.abc import Iterable

from awale.game import Game, Trace
from awale.rules import reference
from awale.rules.moves import Move
from awale.training.puzzle import LEAST_RATING, MOST_RATING, THEMES, Theme

GRANARY = 12
"""Seeds that make a pit a granary (grenier): sown, they go round the whole board."""
RACE_SEEDS = 8
"""With so many seeds in play or fewer, counting decides."""
LEVEL_DEPTHS = (1, 2, 3, 5, 8, 12)
"""Search depths of the engine's levels 2 to 7: how deep one must look to prefer the solution."""


RAREST_FIRST: tuple[Theme, ...] = (
    "endless-sowing",
    "grand-slam",
    "empty-granary",
    "build-granary",
    "feeding",
    "starving",
    "relay-capture",
    "chain-capture",
    "single-capture",
    "waiting-move",
    "endgame-race",
)


def leading_theme(themes: Iterable[Theme]) -> Theme | None:
    """Return the theme by which a collection is balanced: the one that the fewest positions have."""
    return min(themes, key=RAREST_FIRST.index, default=None)


def eventfulness(game: Game) -> int:
    """Return 0 for a position that can hardly be about more than waiting, 1 where a move captures, 2 where there is
    something rarer: a granary, an opponent without seeds, a move that would be endless or take everything."""
    rules, counts = game.rules, game.counts
    if (
        (rules.family == "lap" and any(counts[pit] >= GRANARY - 1 for pit in rules.own_pits(game.turn)))
        or (rules.family != "relay" and not reference.on_side(rules, game.board, 1 - game.turn))
        or any(_is_endless(game, move) or _slams(game, move) for move in reference.candidates(rules, game.state))
    ):
        return 2
    return int(any(game.trace(move, laps=1).taken for move in game.legal_moves))


def themes_of(game: Game, line: list[Move]) -> tuple[Theme, ...]:
    """Return the themes of a line of moves from a position, the solver to move."""
    game = game.copy()
    side = game.turn
    found: set[Theme] = set()
    if sum(game.counts) <= RACE_SEEDS and game.rules.family != "tricolor":
        found.add("endgame-race")
    if any(_is_endless(game, move) for move in reference.candidates(game.rules, game.state)):
        found.add("endless-sowing")
    if any(_slams(game, move) for move in reference.candidates(game.rules, game.state)):
        found.add("grand-slam")
    for number, move in enumerate(line):
        trace = game.trace(move)
        if game.turn == side:
            found |= _move_themes(game, trace, first=number == 0)
            if not reference.on_side(game.rules, trace.board, 1 - side):
                found.add("starving")
        game.push(move)
    return tuple(theme for theme in THEMES if theme in found)


def _move_themes(game: Game, trace: Trace, *, first: bool) -> set[Theme]:
    rules, side = game.rules, game.turn
    found: set[Theme] = set()
    if trace.captures:
        if rules.family == "relay":
            found.add("relay-capture" if trace.lap_count > 1 else "single-capture")
        else:
            found.add("chain-capture" if len(trace.captures) > 1 else "single-capture")
    if not first:
        return found
    opponent = 1 - side
    if not reference.on_side(rules, game.board, opponent) and rules.family != "relay":
        found.add("feeding")
    elif not trace.captures and not trace.spared and all(rules.owner(pit) == side for pit in trace.landings):
        found.add("waiting-move")
    if rules.family == "lap":
        counts, after = game.counts, reference.counts(trace.board)
        if counts[trace.move.pit] >= GRANARY:
            found.add("empty-granary")
        elif any(after[pit] >= GRANARY and after[pit] > counts[pit] for pit in rules.own_pits(side)):
            found.add("build-granary")
    return found


def _is_endless(game: Game, move: Move) -> bool:
    return game.rules.family == "relay" and reference.sow(game.rules, game.board, move).period is not None


def _slams(game: Game, move: Move) -> bool:
    """Return whether a move would capture all the seeds of the opponent, legal or not."""
    rules = game.rules
    if rules.capture != "chain":
        return False
    sown = reference.sow(rules, game.board, move)
    pits = reference.captures(rules, sown.board, sown.last, game.turn)
    seeds = reference.counts(sown.board)
    return bool(pits) and sum(seeds[pit] for pit in rules.own_pits(1 - game.turn)) == sum(seeds[pit] for pit in pits)


def rating_of(legal: int, decisions: int, level: int, *, tempting: bool, quiet: bool) -> int:
    """Return the difficulty of a puzzle as a rating.

    Args:
        legal: legal moves in the first position.
        decisions: moves that the solver has to find.
        level: the index in `LEVEL_DEPTHS` from which on the engine finds every one of them; its length if none does.
        tempting: a wrong first move captures more seeds than the solution.
        quiet: the first move captures nothing.

    >>> rating_of(3, 1, 0, tempting=False, quiet=False), rating_of(6, 4, 5, tempting=True, quiet=True)
    (725, 2050)
    """
    rating = 700 + 140 * level + 90 * (decisions - 1) + 25 * (legal - 2) + 130 * tempting + 150 * quiet
    return max(LEAST_RATING, min(MOST_RATING, rating))
