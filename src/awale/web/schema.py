"""The JSON of the server: API responses and WebSocket messages, as pydantic models.

OpenAPI, the JSON schema of the WebSockets and the page's types (`static/types.js`) are generated from these models.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from pydantic.alias_generators import to_camel
from typing_extensions import TypeAliasType

from awale import game as games
from awale import rules as rule_systems
from awale.i18n import LANGUAGES, Message
from awale.match import Clock, OfferKind
from awale.match.review import Mark
from awale.notation import variants
from awale.rules import moves as move_texts
from awale.rules import positions, reference
from awale.rules.refusals import Refusal, player_key, why_illegal
from awale.store.games import rules_options
from awale.web.language import translations
from awale.web.request_parsing import GameRequest, MovesText, MoveText, PositionText, RulesName, Strict

RULES_FACTS = ("name", "source", "pits", "holes", "seeds", "total", "coloured")
MAX_LAPS = 150
"""Laps of a relay that are sent for animation; a longer sowing jumps to its end."""

Sentence = TypeAliasType("Sentence", dict[str, str])
"""A sentence by language."""
Hole = TypeAliasType("Hole", int | tuple[int, int, int])
"""Seeds; in the three-colour game red, blue and transparent ones."""


class Wire(BaseModel):
    """What the server sends. Names are in camel case on the wire."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        validate_by_name=True,
        serialize_by_alias=True,
        use_attribute_docstrings=True,
        json_schema_serialization_defaults_required=True,
        frozen=True,
    )


# -- rules and positions -------------------------------------------------------------------------------------------


class Rules(Wire):
    """A rule system: what a board needs to draw itself, and what a person reads."""

    name: str
    spec: str
    """The form that requests take as `rules`."""
    title: Sentence
    description: Sentence
    source: str
    village: bool
    pits: int
    holes: int
    seeds: int
    total: int
    coloured: bool
    relay: bool
    goal: bool
    """Whether a number of captured seeds wins at once."""
    owners: list[int]
    rows: tuple[list[int], list[int]]
    """The pits of the upper and of the lower row, each from left to right, South below."""
    labels: list[str]
    start: str
    sides: list[Sentence]

    @staticmethod
    @lru_cache(maxsize=256)
    def of(rules: rule_systems.Rules) -> Rules:
        """Describe a rule system."""
        return Rules(
            **{name: getattr(rules, name) for name in RULES_FACTS},
            spec=variants.to_tags(rules).get("Rules", rules.name),
            title=dict(rules.title) or dict.fromkeys(LANGUAGES, rules.name),
            description=dict(rules.description),
            village=rules_options(rules) is not None,
            relay=rules.sowing == "relay",
            goal=rules.win_at is not None,
            owners=[rules.owner(pit) for pit in range(rules.holes)],
            rows=rules.rows(),
            labels=[move_texts.write(rules, pit) for pit in range(rules.holes)],
            start=positions.write(rules, reference.start(rules)),
            sides=[translations(Message(f"core.{player_key(rules, player)}", {})) for player in (0, 1)],
        )


class Position(Wire):
    """A position."""

    board: tuple[Hole, ...]
    scores: tuple[int, int]
    turn: int
    ply: int

    @staticmethod
    def of(state: reference.Position) -> Position:
        """Describe a position."""
        return Position.model_validate(state._asdict())


class LegalMove(Wire):
    """A legal move and its effect."""

    move: str
    pit: int
    colour: str | None
    last: int
    """The landing pit of the last seed."""
    laps: int
    captures: tuple[tuple[int, int], ...]
    """Pits and the seeds taken from each."""
    taken: int
    spared: bool
    """A grand slam that takes nothing."""
    endless: int | None
    """The period of an endless sowing."""


class Outcome(Wire):
    """How a game ended."""

    winner: int | None
    scores: tuple[int, int]
    reason: str
    because: Sentence
    """The reason in words."""
    text: Sentence


class View(Position):
    """The current position with its legal moves, and the reason why each other pit of the mover's is not one."""

    position: str
    over: bool
    outcome: Outcome | None
    legal: list[LegalMove]
    refusals: dict[str, Sentence]

    @staticmethod
    def of_game(game: games.Game) -> View:
        """Describe where a game stands."""
        # Nested dictionaries: one call validates them all, which is much faster than a call per move.
        return View.model_validate(
            {
                **game.state._asdict(),
                "position": game.position,
                "over": game.over,
                "outcome": _outcome(game),
                "legal": [] if game.over else _legal(game),
                "refusals": {} if game.over else _refusals(game),
            }
        )


def _legal(game: games.Game) -> list[dict[str, Any]]:
    return [
        {
            "move": str(move),
            "pit": move.pit,
            "colour": move.colour,
            "last": step.sown.last,
            "laps": step.sown.laps,
            "captures": step.captured,
            "taken": step.taken,
            "spared": step.spared,
            "endless": step.sown.period,
        }
        for move in game.legal_moves
        for step in (reference.step(game.rules, game.state, move),)
    ]


def _refusals(game: games.Game) -> dict[str, Sentence]:
    playable = {move.pit for move in game.legal_moves}
    found: dict[str, Sentence] = {}
    for pit in game.rules.own_pits(game.turn):
        if pit in playable:
            continue
        refusal = why_illegal(game.rules, game.state, move_texts.Move(pit, None, ""))
        if refusal is not None:
            found[str(pit)] = _refusal_texts(refusal.code, tuple(refusal.values.items()))
    return found


@lru_cache(maxsize=4096)
def _refusal_texts(code: str, values: tuple[tuple[str, str | int], ...]) -> Sentence:
    return translations(Refusal(code, dict(values)))


def _outcome(game: games.Game) -> Outcome | None:
    ended = game.outcome()
    if ended is None:
        return None
    text = {lang: ended.sentence(lang, coloured=game.rules.coloured) for lang in LANGUAGES}
    because = translations(Message(f"core.ending.{ended.reason}", {}))
    return Outcome(winner=ended.winner, scores=ended.scores, reason=ended.reason, because=because, text=text)


class Lap(Wire):
    """One lap: the pit that is emptied and the landing pit of every seed."""

    pit: int
    landings: tuple[int, ...]
    colours: str


class Trace(Wire):
    """A move, seed by seed, for animation."""

    move: str
    mover: int
    pit: int
    colour: str | None
    laps: list[Lap]
    lap_count: int
    last: int
    """The landing pit of the last seed."""
    captures: tuple[tuple[int, int], ...]
    taken: int
    spared: bool
    period: int | None
    board: tuple[Hole, ...]
    """The board after the capture."""
    swept: tuple[int, int]
    passed: bool

    @staticmethod
    def of(trace: games.Trace) -> Trace:
        """Describe what a move did."""
        move = {"move": str(trace.move), "pit": trace.move.pit, "colour": trace.move.colour}
        facts = {name: getattr(trace, name) for name in Trace.model_fields if name not in move}
        return Trace.model_validate({**facts, **move, "laps": [lap._asdict() for lap in trace.laps]})


class Row(Wire):
    """A move played, and the position after it."""

    move: str
    mover: int
    pit: int
    last: int
    """The landing pit of the last seed."""
    taken: int
    after: Position

    @staticmethod
    def of(trace: games.Trace, after: reference.Position) -> Row:
        """Describe a move that was just played."""
        return _row(trace.move, trace.mover, trace.last, trace.taken, after)


def _row(move: move_texts.Move, mover: int, last: int, taken: int, after: reference.Position) -> Row:
    played = {"move": str(move), "mover": mover, "pit": move.pit, "last": last, "taken": taken}
    return Row.model_validate({**played, "after": after._asdict()})


def rows(game: games.Game) -> list[Row]:
    """Return the moves of a game."""
    history = game.history
    return [
        _row(move, before.turn, step.sown.last, step.taken, after)
        for move, before, after in zip(game.moves, history, history[1:], strict=False)
        for step in (reference.step(game.rules, before, move),)
    ]


class PositionAnswer(Wire):
    """A game given by rules, start and moves."""

    rules: Rules
    start: Position
    moves: list[Row]
    view: View


class TraceAnswer(Wire):
    """A move that was played, and where the game stands after it."""

    trace: Trace
    row: Row
    view: View

    @staticmethod
    def of(trace: games.Trace, game: games.Game) -> TraceAnswer:
        """Describe a move that was just played in a game."""
        return TraceAnswer(trace=Trace.of(trace), row=Row.of(trace, game.state), view=View.of_game(game))


class SowingState(Wire):
    """A moment of a relay sowing: so many laps are sown, and this pit is emptied next."""

    lap: int
    pit: int
    board: tuple[int, ...]


class SowingAnswer(Wire):
    """A part of a relay sowing, lap by lap or in larger steps."""

    period: int | None
    """Laps after which an endless sowing is back at its start."""
    lap_count: int
    states: list[SowingState]
    laps: list[Lap]
    """The laps from each state to the next, where they are not skipped."""


# -- analysis and review -------------------------------------------------------------------------------------------


class Value(Wire):
    """A value in seeds of the final margin, from South's point of view, and what is proven of it."""

    seeds: float
    result: int | None
    margin: int | None
    least: int | None
    most: int | None
    plies: int | None


class MoveValue(Value):
    """The value of a legal move."""

    move: str
    pit: int
    bound: bool
    """The estimate is only a bound."""
    line: list[str]


class OracleMove(Wire):
    """What is proven about a move: bounds of the final margin, to the player to move; equal where it is known."""

    move: str
    least: int
    most: int


class Oracle(Wire):
    """What is proven about the moves of a position."""

    source: Literal["table", "results", "book", "proof"]
    said: Sentence
    """The source in words."""
    total: int
    """All seeds of the game: a bound so far from 0 says nothing."""
    moves: list[OracleMove]


class BookMove(Wire):
    """A move of the opening book, its value in seeds from South's point of view: an estimate."""

    move: str
    pit: int
    seeds: float


class BookEntry(Wire):
    """What the opening book says of a position: the moves, the best first, searched to a depth."""

    depth: int
    moves: list[BookMove]


class Analysis(Wire):
    """The result of a search."""

    rules: str
    position: str
    turn: int
    pov: int
    best: str
    value: Value
    line: list[str]
    """The principal variation."""
    depth: int
    moves: list[MoveValue]
    nodes: int
    seconds: float
    rate: int
    final: bool
    path: list[tuple[int, int]]
    """Pit and last landing pit of the first moves of the line."""
    book: BookEntry | None
    oracle: Oracle | None = None
    """What is proven about the moves, where anything is."""
    proving: bool = False
    """Whether that is still being looked for."""


class Results(Wire):
    """How some games ended."""

    games: int
    south: int
    draws: int
    north: int


class MoveResults(Results):
    """How the games ended in which a move was played, and its value in the opening book."""

    move: str
    value: float | None
    """Seeds for the player to move: an estimate."""


class Explored(Results):
    """What the stored games and the opening book hold about a position."""

    moves: list[MoveResults]
    book_depth: int | None


class Verdict(Wire):
    """A move of a reviewed game beside the best one."""

    ply: int
    mover: int
    move: str
    best: str
    line: list[str]
    before: float
    after: float
    exact: bool
    loss: float
    mark: Mark
    accuracy: float
    depth: int
    turning: bool


class Review(Wire):
    """The verdicts of a game."""

    moves: list[Verdict]
    accuracy: tuple[float | None, float | None]
    counts: list[list[int]]
    """Blunders, mistakes and inaccuracies of South and of North."""
    first_mistake: int | None
    """The ply of the first mistake or blunder."""
    final: int | None


# -- training ------------------------------------------------------------------------------------------------------


class ExerciseAnswer(Wire):
    """Whether an answer to an exercise is right."""

    right: bool
    text: Sentence
    steps: list[TraceAnswer]
    """The moves that show it on the board."""


class Puzzle(Wire):
    """A puzzle: one move reaches the goal, and perhaps more after it."""

    id: str
    rules: Rules
    position: str
    goal: Sentence
    rating: int
    themes: list[str]
    view: View


class PuzzleStep(Wire):
    """What a move in a puzzle leads to."""

    result: Literal["right", "solved", "wrong"]
    text: Sentence | None
    """What is wrong with a wrong move."""
    steps: list[TraceAnswer]
    """The move and the replies; for a wrong move, its refutation."""
    explanation: list[Sentence]
    """Why the solution is right, once it is found or shown."""


class PuzzleHint(Wire):
    """Help with the next move."""

    text: Sentence
    arrow: tuple[int, int] | None
    """The pit and the landing pit of the last seed, if the move is told."""


Rating = TypeAliasType("Rating", tuple[float, float, float])
"""A Glicko-2 rating, its deviation and its volatility."""


class SolverProgress(Wire):
    """A solver under one rule system, as their browser keeps it."""

    rating: Rating
    streak: int = Field(ge=0, le=10**6)
    best_streak: int = Field(ge=0, le=10**6)
    tried: dict[str, bool] = Field(max_length=10_000)
    puzzles: dict[str, Rating] = Field(max_length=10_000)


class TrainingProgress(Wire):
    """What a player has done in training, as their browser keeps it."""

    puzzles: dict[RulesName, SolverProgress] = Field(default_factory=dict, max_length=100)
    """By rules."""
    lessons: dict[str, list[str]] = Field(default_factory=dict, max_length=100)
    """The exercises solved, by lesson."""


class PuzzleRecord(Wire):
    """A solver after an attempt."""

    progress: SolverProgress
    rated: bool
    """Only the first attempt at a puzzle is."""
    change: int
    """Of the rating, rounded."""


class Mistake(Wire):
    """A mistake of a reviewed game, and when it is to be repeated."""

    rules: RulesName
    start: PositionText | None
    moves: MovesText
    """The moves before the mistake."""
    move: MoveText
    best: MoveText
    line: list[MoveText] = Field(max_length=200)
    """The principal variation, best move first."""
    loss: float = Field(ge=0, le=1000)
    mover: Literal[0, 1]
    stage: int = Field(ge=0, le=2)
    """How often in a row it was mended."""
    due: int | None = Field(ge=0, le=2**53)
    """When it comes back, in milliseconds since 1970; None for a mistake that is learned."""
    added: int = Field(ge=0, le=2**53)


class MistakeFile(Wire):
    """The mistakes that a page has saved."""

    format: Literal["awale-mistakes"]
    version: Literal[1]
    mistakes: list[Mistake]


# -- games and files -----------------------------------------------------------------------------------------------


class Opponent(Wire):
    """A program to play against."""

    name: str
    level: int | None
    title: dict[str, str]
    description: dict[str, str]


class Link(Wire):
    """The link to a seat, or for those who may change a study. It is shown only once."""

    link: str


class GameCreated(Wire):
    """A new game. The links are for the seats of friends and are shown only once."""

    key: str
    links: list[str | None]


class GameSummary(Wire):
    """A game in a list."""

    key: str | None
    rules: str
    south: str
    north: str
    plies: int
    scores: tuple[int, int]
    winner: int | None
    end: str | None
    started: str


class FileMove(Wire):
    """A move of a game file, with its comment and its variations."""

    move: str
    taken: int | None
    comment: str
    mark: str
    variations: list[list[FileMove]]


class FileGame(Wire):
    """A game of a file."""

    rules: Rules
    start: str | None
    tags: dict[str, str]
    result: str
    ended: str | None
    comment: str
    line: list[FileMove]


class StudyCreated(Wire):
    """A new study, and the link for those who may change it. It is shown only once."""

    key: str
    link: str


class StudySummary(Wire):
    """A study in a list."""

    key: str
    title: str
    chapters: int
    updated: str


class ChapterOutline(Wire):
    """A chapter without its game."""

    id: int
    title: str
    version: int


class StudyOutline(Wire):
    """A study without its games."""

    key: str
    title: str
    version: int
    mine: bool
    """Whether this browser may change it."""
    chapters: list[ChapterOutline]


class StudyChapter(ChapterOutline):
    """A chapter."""

    game: FileGame


class Health(Wire):
    """The server is running."""

    status: Literal["ok"] = "ok"
    version: str


class Readiness(Wire):
    """What the server needs is there."""

    database: bool
    threads: bool
    engine: bool
    games: int


# -- the WebSocket of a game ---------------------------------------------------------------------------------------


class ClockState(Wire):
    """The clocks, in seconds, at the moment of sending."""

    start: float
    increment: float
    each_move: bool
    left: tuple[float, float]
    running: int | None
    at: float
    """The server's time at the moment of sending: pages count from it, however late the message arrives."""

    @staticmethod
    def of(clock: Clock, now: float) -> ClockState:
        """Describe the clocks."""
        return ClockState(
            start=clock.control.base,
            increment=clock.control.increment,
            each_move=clock.control.per_move,
            left=clock.rounded(now),
            running=clock.running,
            at=round(now, 3),
        )


class SeatState(Wire):
    """A side of a game."""

    kind: Literal["person", "computer"]
    name: str
    present: bool


class OfferState(Wire):
    """An open offer; answers name its id."""

    id: int
    kind: OfferKind
    by: int
    ply: int


class Standing(Wire):
    """Where a game stands."""

    ply: int
    view: View
    can_undo: bool
    can_redo: bool
    offer: OfferState | None
    clock: ClockState | None
    rematch: str | None
    """The key of the rematch."""
    fault: str
    """What the program that lost did, after a failure."""


class GameState(Standing):
    """The whole game, for a page that comes in."""

    type: Literal["game"] = "game"
    key: str
    rules: Rules
    start: Position
    start_text: str
    seats: list[SeatState]
    you: tuple[int, ...]
    """The seats of this connection."""
    solo: bool
    """One person at most decides: take-backs and hints need no consent."""
    moves: list[Row]
    missed: list[Trace]
    """The moves since the ply that the page knows."""


class Moved(Standing):
    """A move was played."""

    type: Literal["moved"] = "moved"
    trace: Trace
    row: Row
    note: Sentence | None = None
    """What the program that played it says about it: whether its result is proven, and by what."""


class TakenBack(Standing):
    """Moves were taken back, or an ending was reopened."""

    type: Literal["taken-back"] = "taken-back"
    count: int
    reopened: bool


class Answered(Standing):
    """An offer was accepted or declined."""

    type: Literal["answered"] = "answered"
    answer: OfferState
    accepted: bool


class StandingOnly(Standing):
    """A side offers something (see `offer`), or the game is over."""

    type: Literal["offered", "ended"]


class Rematch(Wire):
    """The key of the next game."""

    type: Literal["rematch"] = "rematch"
    key: str


class Presence(Wire):
    """Which seats have somebody connected."""

    type: Literal["presence"] = "presence"
    present: tuple[bool, bool]


class Refused(Wire):
    """A message that was refused."""

    type: Literal["refused"] = "refused"
    request: str
    code: str
    text: Sentence
    ply: int | None = None


class Trouble(Wire):
    """Something failed and is tried again, or an analysis failed."""

    type: Literal["trouble"] = "trouble"
    id: int | None = None
    text: Sentence


class Warming(Wire):
    """The engine is being compiled."""

    type: Literal["warming"] = "warming"
    text: Sentence


class Pong(Wire):
    """The answer to a ping."""

    type: Literal["pong"] = "pong"


class Closing(Wire):
    """The game leaves memory: connect again."""

    type: Literal["closing"] = "closing"


class PlayMove(Strict):
    """Play a move; `ply` is the number of moves before it, so that a message sent twice plays once."""

    type: Literal["move"]
    ply: int = Field(ge=0)
    move: MoveText


class Answer(Strict):
    """Answer an offer."""

    type: Literal["accept", "decline"]
    offer: int


class GameAction(Strict):
    """`offer` is an offer to stop."""

    type: Literal["undo", "redo", "resign", "offer", "rematch", "ping"]


ClientMessage: TypeAlias = Annotated[PlayMove | Answer | GameAction, Field(discriminator="type")]
ServerMessage: TypeAlias = Annotated[
    GameState
    | Moved
    | TakenBack
    | Answered
    | StandingOnly
    | Rematch
    | Presence
    | Refused
    | Trouble
    | Warming
    | Pong
    | Closing,
    Field(discriminator="type"),
]


# -- the WebSocket of an analysis ----------------------------------------------------------------------------------


class Analyse(GameRequest):
    """Analyse a position until `stop`, or review a game move by move."""

    type: Literal["analyse", "review"]
    id: int = Field(ge=0, le=2**53)
    seconds: float = Field(default=20.0, ge=0.02, le=600.0)


class AnalysisAction(Strict):
    """Stop the analysis."""

    type: Literal["stop", "ping"]


class AnalysisUpdate(Analysis):
    """The analysis so far; the last one is `done`."""

    type: Literal["analysis"] = "analysis"
    id: int
    done: bool


class ReviewProgress(Wire):
    """A verdict of a review that is under way."""

    type: Literal["verdict"] = "verdict"
    id: int
    of: int
    """The moves of the game."""
    verdict: Verdict


class ReviewDone(Review):
    """A finished review."""

    type: Literal["review"] = "review"
    id: int


class GameOver(Wire):
    """The game is over: there is nothing to analyse."""

    type: Literal["over"] = "over"
    id: int


AnalysisClientMessage: TypeAlias = Annotated[Analyse | AnalysisAction, Field(discriminator="type")]
AnalysisServerMessage: TypeAlias = Annotated[
    AnalysisUpdate | ReviewProgress | ReviewDone | GameOver | Refused | Trouble | Warming | Pong,
    Field(discriminator="type"),
]

game_messages: TypeAdapter[PlayMove | Answer | GameAction] = TypeAdapter(ClientMessage)
analysis_messages: TypeAdapter[Analyse | AnalysisAction] = TypeAdapter(AnalysisClientMessage)


@cache
def websocket_schema() -> dict[str, Any]:
    """Return the JSON schema of the messages of both WebSockets."""
    sockets: list[tuple[str, Literal["validation", "serialization"], TypeAdapter[Any]]] = [
        ("game.client", "validation", game_messages),
        ("game.server", "serialization", TypeAdapter(ServerMessage)),
        ("analysis.client", "validation", analysis_messages),
        ("analysis.server", "serialization", TypeAdapter(AnalysisServerMessage)),
    ]
    found, shared = TypeAdapter.json_schemas(sockets)
    return {**{name: schema for (name, _), schema in found.items()}, **shared}
