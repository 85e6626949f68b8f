"""Finding puzzles in games: positions in which exactly one move keeps the win, the draw or the most seeds.

Everything that a puzzle says comes from `ExactValues`. The same games, rules and options give the same puzzles, however
often the work was interrupted: every game is looked at by itself.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from awale.game import Game
from awale.rules import Rules, positions, reference
from awale.rules.moves import Move
from awale.tables.board_values import Bounds
from awale.training.exact import ExactValues, Known
from awale.training.puzzle import Decision, Goal, ProofSource, Puzzle, puzzle_id
from awale.training.themes import LEVEL_DEPTHS, rating_of, themes_of

if TYPE_CHECKING:
    from awale.search.engine import SearchEngine

MOST_DECISIONS = 6
REFUTATION_PLIES = 3
APART = 6
"""Plies between two puzzles of one game."""
MOST_IN_A_GAME = 3
LONGEST_GAME = 300
SELF_PLAY_DEPTHS = (2, 3, 4)
OPENING = (4, 12)
RANDOM_MOVES = 0.08


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which positions are looked at."""

    most_seeds: int = 14
    """On the board."""
    gain: int = 4
    """Seeds that a solution must gain more than any other move where it decides neither win nor draw."""


class _Only(NamedTuple):
    """The only good move of a position."""

    move: Move
    goal: Goal
    gain: int


# -- one position --------------------------------------------------------------------------------------------------


class Finder:
    """Make puzzles of positions under one rule system."""

    def __init__(self, rules: Rules, exact: ExactValues, wanted: Wanted | None = None) -> None:
        self.rules, self.exact, self.wanted = rules, exact, wanted or Wanted()
        self._judge: SearchEngine | None = None

    def in_game(self, game: Game) -> list[Puzzle]:
        """Return the puzzles of a game, in the order of its positions."""
        self.exact.clear()
        found: list[Puzzle] = []
        last = -APART
        for ply, position in enumerate(game.history):
            if len(found) == MOST_IN_A_GAME:
                break
            if ply - last < APART or sum(reference.counts(position.board)) > self.wanted.most_seeds:
                continue
            puzzle = self.at(Game(self.rules, start=position))
            if puzzle is not None:
                found.append(puzzle)
                last = ply
        return found

    def at(self, game: Game) -> Puzzle | None:
        """Return the puzzle of a position, if it is one. What was played before it does not count."""
        game = Game(self.rules, start=game.state)
        if game.over or len(game.legal_moves) < 2:
            return None
        known = self.exact.values(game, unique=True)
        only = None if known is None else self._only(game, known[0])
        if known is None or only is None:
            return None
        target = {"win": 1, "draw": 0}.get(only.goal, known[0][only.move].least)
        line: list[Move] = []
        decisions: list[Decision] = []
        source: ProofSource = "table"
        here = game.copy()
        while known is not None and len(decisions) < MOST_DECISIONS:
            move = _right(known[0], target)
            if move is None:
                break
            refutations = self._refutations(here, known[0], move, target)
            if refutations is None:
                break
            if known[1] == "proof":
                source = "proof"
            decisions.append(Decision({str(m): value for m, value in known[0].items()}, refutations))
            line.append(here.push(move))
            replies, known = self._replies(here, game.turn, target)
            line += replies
        line, decisions = _trimmed(game, line, decisions)
        if not decisions or (len(game.legal_moves) < 3 and len(decisions) < 2):
            return None
        return Puzzle(
            id=puzzle_id(self.rules, game.position),
            rules=self.rules,
            position=game.position,
            goal=only.goal,
            gain=only.gain,
            line=tuple(map(str, line)),
            decisions=tuple(decisions),
            themes=themes_of(game, line),
            rating=self._rating(game, line, len(decisions)),
            source=source,
        )

    def _only(self, game: Game, values: dict[Move, Bounds]) -> _Only | None:
        """Return the only good move and what it is good for."""
        move = max(values, key=lambda move: values[move].least)
        best = values[move]
        second = max(value.most for other, value in values.items() if other != move)
        if best.least >= 1 > second:
            return _Only(move, "win", 0)
        if best == Bounds(0, 0) and second < 0:
            return _Only(move, "draw", 0)
        # Where a goal may end the game early, the margin that a table knows is not the final one.
        goal = self.rules.win_score_for(sum(game.counts) + sum(game.scores))
        certain = goal is None or max(game.scores) + sum(game.counts) < goal
        if best.exact and certain and best.least - second >= self.wanted.gain:
            return _Only(move, "gain", best.least - second)
        return None

    def _replies(self, here: Game, side: int, target: int) -> tuple[list[Move], Known | None]:
        """Play the opponent's best replies on the game, until the solver is to move again; return them and what is then
        known of the solver's moves. Of equal replies, the first that leaves only one right move."""
        replies: list[Move] = []
        while not here.over and here.turn != side:
            known = self.exact.values(here)
            if known is None:
                return replies, None
            best = max(value.least for value in known[0].values())
            equal = [move for move, value in known[0].items() if value.least == best]
            chosen = equal[0]
            for move in equal:
                after = here.copy()
                after.push(move)
                if not after.over and after.turn == side and self._asks(after, target):
                    chosen = move
                    break
            replies.append(here.push(chosen))
        return replies, None if here.over else self.exact.values(here, unique=True)

    def _asks(self, game: Game, target: int) -> bool:
        known = self.exact.values(game, unique=True)
        return known is not None and len(known[0]) > 1 and _right(known[0], target) is not None

    def _refutations(
        self, game: Game, values: dict[Move, Bounds], right: Move, target: int
    ) -> dict[str, tuple[str, ...]] | None:
        """Return what follows each wrong move; None if no answer to one of them is proven."""
        found: dict[str, tuple[str, ...]] = {}
        for move in values:
            if move == right:
                continue
            after = game.copy()
            after.push(move)
            line: list[str] = []
            for _ in range(REFUTATION_PLIES):
                if after.over:
                    break
                margin = 1 - target if after.turn != game.turn else -(10**6)
                known = self.exact.values(after) if line else None
                if line and known is None:
                    break
                answer = self.exact.reply(after, margin)
                if answer is None:
                    break
                line.append(str(after.push(answer)))
            if not line and not after.over:
                return None
            found[str(move)] = tuple(line)
        return found

    def _rating(self, game: Game, line: list[Move], decisions: int) -> int:
        takes = {move: game.trace(move, laps=1).taken for move in game.legal_moves}
        return rating_of(
            len(takes),
            decisions,
            self._level(game, line),
            tempting=max(takes.values()) > takes[line[0]],
            quiet=takes[line[0]] == 0,
        )

    def _level(self, game: Game, line: list[Move]) -> int:
        """Return from which of the depths on the engine without tables finds every move of the solver."""
        from awale.search.engine import SearchEngine

        if self._judge is None:
            self._judge = SearchEngine(self.rules, hash_mb=4)
        self._judge.clear()
        here, side = Game(self.rules, start=game.state), game.turn
        level = 0
        for move in line:
            if here.turn == side and len(here.legal_moves) > 1:
                found = [self._judge.analyse_inline(here, depth).best == move for depth in LEVEL_DEPTHS]
                missed = [index + 1 for index, hit in enumerate(found) if not hit]
                level = max([level, *missed])
            here.push(move)
        return level


def _right(values: dict[Move, Bounds], target: int) -> Move | None:
    """Return the only move that keeps the target, if all others are known not to."""
    right = [move for move, value in values.items() if value.least >= target]
    wrong = [move for move, value in values.items() if value.most < target]
    return right[0] if len(right) == 1 and len(wrong) == len(values) - 1 else None


def _trimmed(game: Game, line: list[Move], decisions: list[Decision]) -> tuple[list[Move], list[Decision]]:
    """Return the line up to the last move that had to be found."""
    here, side = game.copy(), game.turn
    end = asked = found = 0
    for number, move in enumerate(line):
        if here.turn == side:
            found += 1
            if len(here.legal_moves) > 1:
                end, asked = number + 1, found
        here.push(move)
    return line[:end], decisions[:asked]


# -- games ---------------------------------------------------------------------------------------------------------


def self_play(rules: Rules, seed: int, number: int) -> Game:
    """Return a game of the engine against itself at small depths, with a random opening and some random moves. A
    function of its arguments alone."""
    from awale.search.engine import SearchEngine

    chance = random.Random(f"{rules.name} {seed} {number}")
    engine = SearchEngine(rules, hash_mb=1)
    game = Game(rules)
    opening = chance.randint(*OPENING)
    while not game.over and len(game.moves) < LONGEST_GAME and game.repetitions() < 2:
        if len(game.moves) < opening or chance.random() < RANDOM_MOVES:
            game.push(chance.choice(game.legal_moves))
        else:
            game.push(engine.analyse_inline(game, chance.choice(SELF_PLAY_DEPTHS)).best)
    return game


# -- choosing ------------------------------------------------------------------------------------------------------

THEME_SHARE, GAIN_SHARE, BAND_SHARE, BAND = 0.15, 0.3, 0.3, 200
"""Of the puzzles of a collection, at most such shares have the same goal and themes, are decided already so that only
seeds are at stake, and have ratings within a band."""


@dataclass
class Collection:
    """Puzzles chosen for variety, in the order in which they were found."""

    count: int
    chosen: list[Puzzle] = field(default_factory=list)
    spare: list[Puzzle] = field(default_factory=list)
    """What was too much like those chosen: used only if the games run out."""
    _seen: set[object] = field(default_factory=set)
    _kinds: Counter[object] = field(default_factory=Counter)
    _goals: Counter[str] = field(default_factory=Counter)
    _bands: Counter[int] = field(default_factory=Counter)

    @property
    def full(self) -> bool:
        return len(self.chosen) >= self.count

    def add(self, puzzles: Iterable[Puzzle]) -> None:
        for puzzle in puzzles:
            if self.full:
                return
            board = _board_key(puzzle)
            if board in self._seen:
                continue
            self._seen.add(board)
            kind, band = (puzzle.goal, puzzle.themes), puzzle.rating // BAND
            if (
                self._kinds[kind] >= THEME_SHARE * self.count
                or self._goals[puzzle.goal] >= (GAIN_SHARE if puzzle.goal == "gain" else 1) * self.count
                or self._bands[band] >= BAND_SHARE * self.count
            ):
                self.spare.append(puzzle)
                continue
            self._kinds[kind] += 1
            self._goals[puzzle.goal] += 1
            self._bands[band] += 1
            self.chosen.append(puzzle)

    def result(self) -> list[Puzzle]:
        """Return the puzzles, the easiest first, filled up from those left over."""
        found = self.chosen + self.spare[: max(0, self.count - len(self.chosen))]
        return sorted(found, key=lambda puzzle: (puzzle.rating, puzzle.id))


def _board_key(puzzle: Puzzle) -> object:
    """Return the board as the solver sees it: the same for two positions that differ in players or scores only."""
    state = positions.read(puzzle.rules, puzzle.position)
    return (positions.mirror(puzzle.rules, state) if state.turn else state).board


def numbered_self_play(rules: Rules, seed: int, first: int = 0) -> Iterator[Game]:
    """Yield games without end."""
    number = first
    while True:
        yield self_play(rules, seed, number)
        number += 1
