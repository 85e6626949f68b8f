"""Finding puzzles in games: positions in which exactly one move keeps the win, the draw or the most seeds.

Everything that a puzzle says comes from `ExactValues`. The same games, rules and options give the same puzzles, however
often the work was interrupted: every game is looked at by itself.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, get_args

from awale.bounds import Bounds
from awale.game import Game
from awale.rules import Rules, positions, reference
from awale.rules.description import Family
from awale.rules.moves import Move
from awale.rules.reference import Position
from awale.training.exact import ExactValues, Known
from awale.training.puzzle import Decision, Goal, ProofSource, Puzzle, Theme, puzzle_id
from awale.training.themes import LEVEL_DEPTHS, eventfulness, leading_theme, rating_of, themes_of

if TYPE_CHECKING:
    from awale.search.analysis import Analysis
    from awale.search.engine import SearchEngine

MOST_DECISIONS = 6
REFUTATION_PLIES = 3
ANY_MARGIN = -(10**6)
APART = 6
"""Plies between two puzzles of one game."""
MOST_IN_A_GAME = 3
TRIED = 20
"""Positions of a kind and a game of which a proof is tried, evenly spread over the game."""
MOST_SEEDS: Mapping[Family, int] = {"lap": 18, "relay": 36, "tricolor": 24}
"""With more seeds on the board, proofs rarely succeed in the time that a position is given."""
LONGEST_GAME = 300
SELF_PLAY_DEPTHS = (2, 3, 4)
OPENING = (4, 12)
RANDOM_MOVES = 0.08
PROMISING_DEPTH, PROMISING_SEEDS = 6, 0.8


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which positions are looked at."""

    most_seeds: int
    """On the board."""
    gain: int = 4
    """Seeds that a solution must gain more than any other move where it decides neither win nor draw."""


class _Place(NamedTuple):
    """A position of a game."""

    ply: int
    game: Game


class _Only(NamedTuple):
    """The only good move of a position."""

    move: Move
    goal: Goal
    gain: int


# -- one position --------------------------------------------------------------------------------------------------


class Finder:
    """Make puzzles of positions under one rule system."""

    def __init__(self, rules: Rules, exact: ExactValues, wanted: Wanted | None = None) -> None:
        self.rules, self.exact = rules, exact
        self.wanted = wanted or Wanted(MOST_SEEDS[rules.family])
        self._judge: SearchEngine | None = None

    def in_game(self, game: Game) -> list[Puzzle]:
        """Return the puzzles of a game and of the positions one move away from it. Those that decide the game come
        first, others only where there are none; and those of eventful positions, one of a quiet position only where
        there are none: nearly all positions with few seeds are quiet."""
        self.exact.clear()
        places = self._places(game)
        goals: list[tuple[Goal, ...]] = [("win", "draw")]
        if self.rules.win_at is None:
            goals.append(("gain",))
        found: dict[int, Puzzle] = {}
        for wanted in goals:
            for kind in sorted(places, reverse=True):
                if not found or kind > 0:
                    self._among(places[kind], wanted, found, MOST_IN_A_GAME if kind > 0 else 1)
            if found:
                break
        return list(found.values())

    def _places(self, game: Game) -> dict[int, list[_Place]]:
        """Return the positions worth a look, by how eventful they are."""
        places: dict[int, list[_Place]] = {}
        seen: set[Position] = set()
        for ply, position in enumerate(game.history):
            if sum(reference.counts(position.board)) > self.wanted.most_seeds:
                continue
            for here in self._around(self._open(position)):
                if not here.over and len(here.legal_moves) > 1 and here.state not in seen:
                    seen.add(here.state)
                    places.setdefault(eventfulness(here), []).append(_Place(ply, here))
        return places

    def _open(self, position: Position) -> Position:
        """Return the position, its captured seeds shared out evenly where the game is decided already."""
        seeds, (first, second) = sum(reference.counts(position.board)), position.scores
        if self.rules.win_at is None or abs(first - second) <= seeds:
            return position
        return position._replace(scores=((first + second + 1) // 2, (first + second) // 2))

    def _in_balance(self, game: Game, *, prove: bool) -> Game:
        """Return the game with the fewest captured seeds moved from one player to the other that let its best move, and
        no other, decide the result; by a table, with `prove` else by the engine's estimates. The same game if there is
        no such number."""
        known = self.exact.table(game)
        if known is not None:
            best, second = sorted((value.least for value in known[0].values()), reverse=True)[:2]
        elif prove:
            moves = self._search(game, PROMISING_DEPTH).moves
            best, second = (round(found.value.seeds) for found in moves[:2])
        else:
            return game
        total = sum(game.scores)
        goal = self.rules.win_score_for(total + sum(game.counts)) or total + 1
        for shift in sorted(range(-best, 1 - second), key=abs):
            own = game.scores[game.turn] + shift // 2
            if shift % 2 == 0 and best > second and max(own, total - own) < goal and min(own, total - own) >= 0:
                scores = (own, total - own) if game.turn == 0 else (total - own, own)
                return Game(self.rules, start=game.state._replace(scores=scores))
        return game

    def _around(self, position: Position) -> Iterator[Game]:
        """Yield a position and those one move away, each without what was played before."""
        here = Game(self.rules, start=position)
        yield here
        for move in here.legal_moves:
            after = here.copy()
            after.push(move)
            yield Game(self.rules, start=after.state)

    def _among(self, places: list[_Place], goals: tuple[Goal, ...], found: dict[int, Puzzle], most: int) -> None:
        """Add puzzles of positions to those found, with proofs only as far as tables leave room."""
        for prove in (False, True):
            tried = places[:: len(places) // TRIED + 1] if prove else places
            for ply, here in tried:
                if len(found) >= most:
                    return
                if all(abs(ply - other) >= APART for other in found):
                    puzzle = self.at(self._in_balance(here, prove=prove), goals, prove=prove)
                    if puzzle is not None:
                        found[ply] = puzzle

    def at(self, game: Game, goals: tuple[Goal, ...] = get_args(Goal), *, prove: bool = True) -> Puzzle | None:
        """Return the puzzle of a position, if it is one with one of the goals. What was played before it does not
        count. Without `prove`, a table must know the values of its moves."""
        game = Game(self.rules, start=game.state)
        if game.over or len(game.legal_moves) < 2:
            return None
        known = self.exact.table(game)
        if known is None and prove and self._promising(game):
            known = self.exact.values(game, unique=True)
        only = None if known is None else self._only(game, known[0])
        if known is None or only is None or only.goal not in goals:
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
        return self._puzzle(game, only, line, decisions, source)

    def confirmed(self, puzzle: Puzzle) -> Puzzle | None:
        """Return a puzzle as far as another method confirms its decisions; None if not even the first."""
        from awale.training.verify import settled_decisions

        settled = settled_decisions(puzzle)
        if settled == len(puzzle.decisions):
            return puzzle
        game = puzzle.game()
        here, line = game.copy(), []
        for move in puzzle.line:
            if here.turn == game.turn and settled == 0:
                break
            settled -= here.turn == game.turn
            line.append(here.push(move))
        only = _Only(game.parse(puzzle.line[0]), puzzle.goal, puzzle.gain)
        return self._puzzle(game, only, line, list(puzzle.decisions), puzzle.source)

    def _puzzle(
        self, game: Game, only: _Only, line: list[Move], decisions: list[Decision], source: ProofSource
    ) -> Puzzle | None:
        """Return the puzzle of a line up to the last move that had to be found; None if too little is left."""
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

    def _promising(self, game: Game) -> bool:
        """Return whether proofs are worth their time: the result is open, and a short search prefers one move."""
        if abs(game.scores[0] - game.scores[1]) > sum(game.counts):
            return False
        seeds = [found.value.seeds for found in self._search(game, PROMISING_DEPTH).moves]
        return seeds[0] - seeds[1] >= PROMISING_SEEDS

    def _search(self, game: Game, depth: int) -> Analysis:
        """Return what the engine without tables thinks: enough to choose where to look, and to rate, never to prove."""
        from awale.search.engine import SearchEngine

        if self._judge is None:
            self._judge = SearchEngine(self.rules, hash_mb=1)
        return self._judge.analyse_inline(game, depth, every_move=True)

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
            while len(line) < REFUTATION_PLIES and not after.over:
                if line and self.exact.table(after) is None:
                    break  # the answer is proven; what may follow it is shown only where that costs nothing
                answer = self.exact.reply(after, 1 - target if after.turn != game.turn else ANY_MARGIN)
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
        here, side = Game(self.rules, start=game.state), game.turn
        level = 0
        for move in line:
            if here.turn == side and len(here.legal_moves) > 1:
                found = [self._search(here, depth).best == move for depth in LEVEL_DEPTHS]
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
    """Return a game of the engine against itself at small depths, with a random opening and some random moves; every
    other game is one of players who capture as much as they can and keep their fullest pit, which fills granaries. A
    function of its arguments alone."""
    from awale.search.engine import SearchEngine

    chance = random.Random(f"{rules.name} {seed} {number}")
    rules = rules.variant(win_at=None)  # a game that is decided still has positions to come
    game = Game(rules)
    opening = chance.randint(*OPENING)
    engine = SearchEngine(rules, hash_mb=1) if number % 2 == 0 else None
    while not game.over and len(game.moves) < LONGEST_GAME and game.repetitions() < 2:
        if len(game.moves) < opening or chance.random() < RANDOM_MOVES:
            game.push(chance.choice(game.legal_moves))
        elif engine is None:
            game.push(_greedy(game, chance))
        else:
            game.push(engine.analyse_inline(game, chance.choice(SELF_PLAY_DEPTHS)).best)
    return game


def _greedy(game: Game, chance: random.Random) -> Move:
    """Return a move that captures most; of several, one that does not play the fullest pit."""
    counts = game.counts
    fullest = max(game.rules.own_pits(game.turn), key=counts.__getitem__)
    ranks = {move: (game.trace(move, laps=1).taken, move.pit != fullest) for move in game.legal_moves}
    best = max(ranks.values())
    return chance.choice([move for move, rank in ranks.items() if rank == best])


# -- choosing ------------------------------------------------------------------------------------------------------

THEME_SHARE, GAIN_SHARE, BAND_SHARE, BAND = 0.25, 0.3, 0.3, 200
"""Of the puzzles of a collection, at most such shares have the same leading theme, are decided already so that only
seeds are at stake, and have ratings within a band."""


@dataclass
class Collection:
    """Puzzles chosen for variety, in the order in which they were found."""

    count: int
    chosen: list[Puzzle] = field(default_factory=list)
    spare: list[Puzzle] = field(default_factory=list)
    """What was too much like those chosen: used only if the games run out."""
    _seen: set[object] = field(default_factory=set)
    _leading: Counter[Theme | None] = field(default_factory=Counter)
    _goals: Counter[str] = field(default_factory=Counter)
    _bands: Counter[int] = field(default_factory=Counter)

    def full(self) -> bool:
        return len(self.chosen) >= self.count

    def add(self, puzzles: Iterable[Puzzle]) -> None:
        for puzzle in puzzles:
            if self.full():
                return
            board = _board_key(puzzle)
            if board in self._seen:
                continue
            self._seen.add(board)
            leading, band = leading_theme(puzzle.themes), puzzle.rating // BAND
            if (
                self._leading[leading] >= THEME_SHARE * self.count
                or self._goals[puzzle.goal] >= (GAIN_SHARE if puzzle.goal == "gain" else 1) * self.count
                or self._bands[band] >= BAND_SHARE * self.count
            ):
                self.spare.append(puzzle)
                continue
            self._leading[leading] += 1
            self._goals[puzzle.goal] += 1
            self._bands[band] += 1
            self.chosen.append(puzzle)

    def result(self, *, fill: bool = False) -> list[Puzzle]:
        """Return the puzzles, the easiest first; with `fill`, filled up from those left over, the rarest themes
        first."""
        found, leading = list(self.chosen), Counter(self._leading)
        spare = list(self.spare) if fill else []
        while spare and len(found) < self.count:
            puzzle = min(spare, key=lambda puzzle: leading[leading_theme(puzzle.themes)])
            spare.remove(puzzle)
            found.append(puzzle)
            leading[leading_theme(puzzle.themes)] += 1
        return sorted(found, key=lambda puzzle: (puzzle.rating, puzzle.id))


def _board_key(puzzle: Puzzle) -> object:
    """Return the board as the solver sees it: the same for two positions that differ in players or scores only."""
    state = positions.read(puzzle.rules, puzzle.position)
    return (positions.mirror(puzzle.rules, state) if state.turn else state).board
