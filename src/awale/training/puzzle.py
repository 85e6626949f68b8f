"""A puzzle, and the files that hold puzzles: one JSON object a line (see docs/puzzles.md).

Reading a file checks everything that can be checked by playing: the moves are legal, every legal move has a value, and
the values make the solution the only move that reaches the goal. Whether the values are true is what
`awale.training.verify` finds out.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, get_args

from awale import i18n
from awale.bounds import Bounds, bounds_of
from awale.errors import AwaleError, NotationError
from awale.game import Game
from awale.rules import Rules, get

Goal = Literal["win", "draw", "gain"]
"""What only the solution reaches: a win, a draw, or a final margin greater by `Puzzle.gain` than by any other move."""
ProofSource = Literal["table", "proof"]
"""What showed the values: an exact endgame table, or proofs by search that know the game's earlier positions."""
Theme = Literal[
    "single-capture",
    "chain-capture",
    "feeding",
    "starving",
    "build-granary",
    "empty-granary",
    "waiting-move",
    "grand-slam",
    "relay-capture",
    "endless-sowing",
    "endgame-race",
]
THEMES: tuple[Theme, ...] = get_args(Theme)
MOST_LINE = 64
LEAST_RATING, MOST_RATING = 400, 3000


class PuzzleError(NotationError):
    """A puzzle that cannot be used, with its line in the file and the reason."""

    def __reduce__(self) -> tuple[object, ...]:
        return (partial(PuzzleError, line=self.line, source=self.source), (self.problem,))


@dataclass(frozen=True, slots=True)
class Decision:
    """A moment at which the solver must find the move."""

    values: Mapping[str, Bounds]
    """For every legal move, bounds of the final margin that it leads to, seeds of the solver less the opponent's; equal
    where the margin is known."""
    refutations: Mapping[str, tuple[str, ...]]
    """For every wrong move, what follows it: the opponent's answer first. Empty where the wrong move ends the game."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position in which exactly one move reaches the goal, with all that was proven about it."""

    id: str
    rules: Rules
    position: str
    """The first position; nothing that was played before it counts."""
    goal: Goal
    gain: int
    """Seeds that the solution gains more than any other move; 0 unless the goal is `gain`."""
    line: tuple[str, ...]
    """The solution and the replies. Whose move each is follows from the rules: a player may have to pass."""
    decisions: tuple[Decision, ...]
    """One for each move of the solver in `line`."""
    themes: tuple[Theme, ...]
    rating: int
    """The difficulty on the scale of Glicko-2 ratings."""
    source: ProofSource

    def __hash__(self) -> int:
        return hash(self.id)

    def game(self) -> Game:
        """Return a new game at the puzzle's position."""
        return Game(self.rules, start=self.position)

    @property
    def side(self) -> int:
        """The player who solves: 0 (South, J1) or 1 (North, J2)."""
        return self.game().turn

    @property
    def target(self) -> int:
        """The final margin that a right move keeps and a wrong one gives up."""
        return {"win": 1, "draw": 0}.get(self.goal, self.decisions[0].values[self.line[0]].least)

    def as_json(self) -> dict[str, Any]:
        """Return the object of a line of a file."""
        return {
            "id": self.id,
            "rules": self.rules.name,
            "version": self.rules.version,
            "position": self.position,
            "goal": self.goal,
            **({"gain": self.gain} if self.goal == "gain" else {}),
            "line": list(self.line),
            "values": [{m: value.as_json() for m, value in decision.values.items()} for decision in self.decisions],
            "refutations": [{m: list(line) for m, line in d.refutations.items()} for d in self.decisions],
            "themes": list(self.themes),
            "rating": self.rating,
            "proof": self.source,
        }

    def check(self) -> None:
        """Play the line, and raise `PuzzleError` where the puzzle contradicts the rules or itself."""
        if self.goal == "gain" and self.gain < 1:
            raise _bad("field", name="gain")
        game = self.game()
        side = game.turn
        waiting = list(self.decisions)
        for ply, move in enumerate(self.line):
            if game.over:
                raise _bad("after-end", move=move[:20])
            if game.turn == side:
                if not waiting:
                    raise _bad("undecided", move=move[:20])
                _check_decision(self, game, move, waiting.pop(0), first=ply == 0)
            _push(game, move)
        if waiting:
            raise _bad("too-many", count=len(waiting))
        if len(self.decisions[0].values) < 2:
            raise _bad("one-move")


def puzzle_id(rules: Rules, position: str) -> str:
    """Return the name of the puzzle at a position, the same whenever it is found."""
    return hashlib.sha256(f"{rules.name} {position}".encode()).hexdigest()[:10]


# -- files ---------------------------------------------------------------------------------------------------------


def write_puzzles(puzzles: Iterable[Puzzle]) -> str:
    """Return the text of a puzzle file."""
    lines = (json.dumps(puzzle.as_json(), separators=(",", ":")) for puzzle in puzzles)
    return "".join(line + "\n" for line in lines)


def read_puzzles(lines: Iterable[str], *, source: str = "", check: bool = True) -> Iterator[Puzzle]:
    """Yield the puzzles of a file's lines; blank lines and lines that begin with # are skipped.

    Raise `PuzzleError`, with the line and the reason, at the first puzzle that cannot be used. `check=False` leaves out
    playing the moves: for files that were checked before.
    """
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            puzzle = parse_puzzle(line)
            if check:
                puzzle.check()
            if puzzle.id in seen:
                raise PuzzleError(i18n.message("puzzles.bad.twice", id=puzzle.id, line=seen[puzzle.id]))
        except AwaleError as error:
            problem = error.problem if isinstance(error, PuzzleError) else error.said or str(error)
            raise PuzzleError(problem, line=number, source=source) from None
        seen[puzzle.id] = number
        yield puzzle


def parse_puzzle(line: str) -> Puzzle:
    """Return the puzzle of a line, its fields checked, its moves not yet played (`Puzzle.check` does that)."""
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _bad("not-json", problem=str(error)[:100]) from None
    if not isinstance(entry, dict):
        raise _bad("not-object")
    rules = get(_field(entry, "rules", str))
    if entry.get("version", rules.version) != rules.version:
        raise _bad("version", rules=rules.name, version=str(entry["version"])[:20], known=rules.version)
    goal = _one_of(entry, "goal", get_args(Goal))
    gain = _field(entry, "gain", int) if goal == "gain" else 0
    values = _field(entry, "values", list)
    refutations = _field(entry, "refutations", list)
    if len(values) != len(refutations):
        raise _bad("decisions", values=len(values), refutations=len(refutations))
    themes = _moves(entry.get("themes", []), "themes")
    for theme in themes:
        if theme not in THEMES:
            raise _bad("theme", theme=theme[:40], known=", ".join(THEMES))
    rating = _field(entry, "rating", int)
    if not LEAST_RATING <= rating <= MOST_RATING:
        raise _bad("rating", rating=rating, least=LEAST_RATING, most=MOST_RATING)
    return Puzzle(
        id=_field(entry, "id", str)[:64],
        rules=rules,
        position=_field(entry, "position", str),
        goal=goal,
        gain=gain,
        line=_moves(_field(entry, "line", list), "line"),
        decisions=tuple(map(_decision, values, refutations)),
        themes=themes,  # type: ignore[arg-type]
        rating=rating,
        source=_one_of(entry, "proof", get_args(ProofSource)),
    )


def _decision(values: Any, refutations: Any) -> Decision:
    if not isinstance(values, dict) or not isinstance(refutations, dict):
        raise _bad("field", name="values")
    found: dict[str, Bounds] = {}
    for move, value in values.items():
        pair = value if isinstance(value, list) else [value, value]
        if len(pair) != 2 or not all(_whole(bound) for bound in pair) or pair[0] > pair[1]:
            raise _bad("value", move=move[:20], value=json.dumps(value)[:40])
        found[move] = bounds_of(value)
    return Decision(found, {move: _moves(line, "refutations") for move, line in refutations.items()})


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _field(entry: dict[str, Any], name: str, kind: type) -> Any:
    value = entry.get(name)
    if not isinstance(value, kind) or isinstance(value, bool) or value in ("", []):
        raise _bad("field", name=name)
    return value


def _one_of(entry: dict[str, Any], name: str, known: tuple[str, ...]) -> Any:
    value = entry.get(name)
    if value not in known:
        raise _bad("choice", name=name, value=str(value)[:40], known=", ".join(known))
    return value


def _moves(value: Any, name: str) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > MOST_LINE or not all(isinstance(move, str) for move in value):
        raise _bad("field", name=name)
    return tuple(value)


def _bad(key: str, /, **values: object) -> PuzzleError:
    return PuzzleError(i18n.message(f"puzzles.bad.{key}", **values))


# -- playing it ----------------------------------------------------------------------------------------------------


def _check_decision(puzzle: Puzzle, game: Game, solution: str, decision: Decision, *, first: bool) -> None:
    legal = {str(move) for move in game.legal_moves}
    if set(decision.values) != legal:
        named = ", ".join(sorted(legal ^ set(decision.values)))[:60]
        raise _bad("moves", position=game.position, moves=named)
    if solution not in legal:
        _push(game, solution)
        raise _bad("spelling", move=solution[:20], known=", ".join(sorted(legal)))
    target, right = puzzle.target, decision.values[solution]
    if right.least < target or (puzzle.goal == "draw" and first and right.most > 0):
        raise _bad("solution", move=solution, goal=puzzle.goal, value=json.dumps(right.as_json()))
    most = target - (puzzle.gain if first and puzzle.goal == "gain" else 1)
    for move, value in decision.values.items():
        if move != solution and value.most > most:
            raise _bad("second", move=move, solution=solution, goal=puzzle.goal)
    if set(decision.refutations) != legal - {solution}:
        named = ", ".join(sorted(set(decision.refutations) ^ (legal - {solution})))[:60]
        raise _bad("refutations", moves=named)
    for move, line in decision.refutations.items():
        after = game.copy()
        for step in (move, *line):
            _push(after, step)
        if len(line) == 0 and not after.over:
            raise _bad("no-refutation", move=move)


def _push(game: Game, move: str) -> None:
    try:
        game.push(move)
    except AwaleError as error:
        raise _bad("illegal", move=move[:20], position=game.position, problem=error.said or str(error)) from None
