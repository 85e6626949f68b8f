"""Training: puzzles, lessons with exercises, the player's own mistakes. What a player has done is kept by their
browser; moves and answers are judged here."""

from __future__ import annotations

import datetime
from collections import Counter
from functools import cache, lru_cache
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from fastapi import Path as UrlPath
from fastapi.responses import HTMLResponse
from pydantic import Field, ValidationError

from awale.errors import AwaleError
from awale.game import Game
from awale.i18n import LANGUAGES, message, text
from awale.rules import get
from awale.rules.moves import write
from awale.training import (
    PRESETS,
    THEMES,
    Puzzle,
    Right,
    Solve,
    Solved,
    Wrong,
    exchange,
    goal_sentence,
    lessons,
    puzzle_of_the_day,
    puzzles,
    theme_name,
)
from awale.training.lessons import Exercise, Lesson, LessonError
from awale.training.progress import Progress
from awale.training.puzzle import MOST_LINE
from awale.web import request_parsing, schema
from awale.web.api import MISSING, REFUSED, in_thread, threaded
from awale.web.language import WebError, language, translations
from awale.web.pages import DEFAULT, missing, render
from awale.web.request_parsing import Strict

router = APIRouter()
Key = Annotated[str, UrlPath(max_length=40, pattern=r"^[a-z0-9-]+$")]


@router.get("/training", include_in_schema=False)
async def training_index(request: Request) -> HTMLResponse:
    exercises = {lesson.key: [exercise.key for exercise in lesson.exercises] for lesson in lessons.LESSONS}
    return render(request, "training.html", {"page": "training", "lessons": exercises})


# -- puzzles ---------------------------------------------------------------------------------------------------------

PuzzleRules = Annotated[str, UrlPath(max_length=40, examples=["casabianca"])]
PuzzleId = Annotated[str, UrlPath(max_length=64, examples=["00360d038b"])]
Moves = Annotated[list[request_parsing.MoveText], Field(max_length=MOST_LINE)]


@router.get("/puzzles", include_in_schema=False)
async def puzzle_page(request: Request) -> HTMLResponse:
    """Puzzles: `?rules=` `&puzzle=ID`; without an id the puzzle of the day."""
    lang = language(request)
    collections = await in_thread(request, lambda: _collections(lang))
    asked, wanted = request.query_params.get("rules"), request.query_params.get("puzzle")
    rules = asked if asked in PRESETS else PRESETS[0]
    today, problem = datetime.datetime.now(datetime.UTC).date(), ""
    found = puzzle_of_the_day(rules, today)
    try:
        found = found if wanted is None else _puzzle(rules, wanted)
    except WebError as error:
        problem, wanted = error.sentence(lang), None
    shown = _described(found)
    data = {
        "page": "puzzles",
        "collections": collections,
        "puzzle": shown,
        "day": today.isoformat() if wanted is None else "",
        "problem": problem,
    }
    status = 404 if problem else 200
    values = {"collections": collections, "puzzle": shown, "of_day": wanted is None}
    return render(request, "puzzles.html", data, status, rules=shown.rules, **values)


@cache
def _collections(lang: str) -> list[dict[str, Any]]:
    """Return the shipped puzzles by rules and theme."""
    counts = {name: Counter(theme for puzzle in puzzles(name) for theme in puzzle.themes) for name in PRESETS}
    return [
        {
            "rules": schema.Rules.of(get(name)),
            "count": len(puzzles(name)),
            "themes": {
                theme: {"name": theme_name(theme, lang), "count": found[theme]} for theme in THEMES if found[theme]
            },
        }
        for name, found in counts.items()
    ]


def _puzzle(rules: str, id: str) -> Puzzle:
    for puzzle in puzzles(rules):
        if puzzle.id == id:
            return puzzle
    raise WebError(404, message("web.error.no-puzzle", id=id))


def _described(puzzle: Puzzle) -> schema.Puzzle:
    return schema.Puzzle(
        id=puzzle.id,
        rules=schema.Rules.of(puzzle.rules),
        position=puzzle.position,
        goal={lang: goal_sentence(puzzle, lang) for lang in LANGUAGES},
        rating=puzzle.rating,
        themes=list(puzzle.themes),
        view=schema.View.of_game(puzzle.game()),
    )


@router.get("/api/puzzles/{rules}/day/{date}", tags=["training"], responses={**REFUSED, **MISSING})
@threaded
def puzzle_of_day(rules: PuzzleRules, date: datetime.date) -> schema.Puzzle:
    """The puzzle of a day, the same for everybody."""
    return _described(puzzle_of_the_day(rules, date))


@router.get("/api/puzzles/{rules}/{id}", tags=["training"], responses={**REFUSED, **MISSING})
@threaded
def one_puzzle(rules: PuzzleRules, id: PuzzleId) -> schema.Puzzle:
    """A puzzle by its id."""
    return _described(_puzzle(rules, id))


class ChoiceRequest(Strict):
    """What kind of puzzle is wanted, and what the solver has done before."""

    theme: str | None = Field(default=None, max_length=40)
    least: int = Field(default=0, ge=0, le=5000)
    most: int = Field(default=5000, ge=0, le=5000)
    progress: schema.SolverProgress | None = None
    last: str = Field(default="", max_length=64)
    """The puzzle on the board: not that one again, if there is another."""


@router.post("/api/puzzles/{rules}/next", tags=["training"], responses={**REFUSED, **MISSING})
@threaded
def next_puzzle(rules: PuzzleRules, sent: ChoiceRequest) -> schema.Puzzle:
    """The puzzle that suits the solver best: not tried yet, and nearest to their rating."""
    found = puzzles(rules, sent.theme or None, (sent.least, sent.most))
    others = [puzzle for puzzle in found if puzzle.id != sent.last]
    chosen = _progress(sent.progress).next_puzzle(others or found)
    if chosen is None:
        raise WebError(404, message("web.error.no-such-puzzles"))
    return _described(chosen)


class PuzzleMoveRequest(Strict):
    """The moves found so far, and one to try; without one the solution is told."""

    found: Moves = Field(default_factory=list)
    move: request_parsing.MoveText | None = None


@router.post("/api/puzzles/{rules}/{id}/move", tags=["training"], responses={**REFUSED, **MISSING})
@threaded
def puzzle_move(rules: PuzzleRules, id: PuzzleId, sent: PuzzleMoveRequest) -> schema.PuzzleStep:
    """Try a move of a puzzle: a right one is answered, a wrong one refuted."""
    solve = _solving(_puzzle(rules, id), sent.found)
    game = solve.game.copy()
    result = solve.play(solve.solution if sent.move is None else sent.move)
    following = result.refutation if isinstance(result, Wrong) else result.replies if isinstance(result, Right) else ()
    return schema.PuzzleStep(
        result="wrong" if isinstance(result, Wrong) else "solved" if isinstance(result, Solved) else "right",
        text=translations(result) if isinstance(result, Wrong) else None,
        steps=play(game, (str(result.move), *map(str, following))),
        explanation=_explanation(solve) if isinstance(result, Solved) else [],
    )


def _solving(puzzle: Puzzle, found: list[str]) -> Solve:
    """Return a puzzle after the moves that were found."""
    solve = Solve(puzzle)
    for move in found:
        if not isinstance(solve.play(move), Right):
            raise WebError(400, message("web.error.puzzle-moves"))
    return solve


def _explanation(solve: Solve) -> list[schema.Sentence]:
    said = {lang: solve.explanation(lang) for lang in LANGUAGES}
    return [dict(zip(said, sentences, strict=True)) for sentences in zip(*said.values(), strict=True)]


class HintRequest(Strict):
    """The moves found so far, and whether the kind of the next one (1) or the move itself (2) is told."""

    found: Moves = Field(default_factory=list)
    step: Literal[1, 2] = 1


@router.post("/api/puzzles/{rules}/{id}/hint", tags=["training"], responses={**REFUSED, **MISSING})
@threaded
def puzzle_hint(rules: PuzzleRules, id: PuzzleId, sent: HintRequest) -> schema.PuzzleHint:
    """Help with the next move of a puzzle."""
    solve = _solving(_puzzle(rules, id), sent.found)
    hint = solve.hint()
    if sent.step == 2:
        hint = solve.hint()
    arrow = None if hint.move is None else (hint.move.pit, solve.game.trace(hint.move, laps=1).last)
    return schema.PuzzleHint(text=translations(hint), arrow=arrow)


class RecordRequest(Strict):
    """An attempt: what the solver had done before, and whether every move was found at once and without a hint."""

    progress: schema.SolverProgress | None = None
    clean: bool


@router.post("/api/puzzles/{rules}/{id}/record", tags=["training"], responses={**REFUSED, **MISSING})
@threaded
def record_attempt(rules: PuzzleRules, id: PuzzleId, sent: RecordRequest) -> schema.PuzzleRecord:
    """Rate an attempt as a game of the solver against the puzzle (Glicko-2); nothing is stored here."""
    progress = _progress(sent.progress)
    before = progress.strength.rating
    rated = progress.record(_puzzle(rules, id), sent.clean)
    now = schema.SolverProgress.model_validate(progress.as_json())
    return schema.PuzzleRecord(progress=now, rated=rated, change=round(progress.strength.rating) - round(before))


def _progress(sent: schema.SolverProgress | None) -> Progress:
    """Return what a solver has done, as their browser has kept it."""
    try:
        return Progress() if sent is None else Progress.from_json(sent.model_dump(by_alias=False))
    except ValueError:
        raise WebError(400, message("web.error.progress")) from None


class ProgressRequest(Strict):
    """The text of a file with training progress, and what the browser has kept."""

    text: str = Field(max_length=exchange.MOST_TEXT)
    kept: schema.TrainingProgress


@router.post("/api/training/merge", tags=["training"], responses=REFUSED)
@threaded
def merge_progress(sent: ProgressRequest) -> schema.TrainingProgress:
    """Read a file with training progress and return all that it and the browser know; nothing is stored here."""
    puzzles = {rules: _progress(one) for rules, one in sent.kept.puzzles.items()}
    now = exchange.Kept(puzzles, sent.kept.lessons).merged(exchange.read(sent.text))
    solvers = {rules: progress.as_json() for rules, progress in now.puzzles.items()}
    return schema.TrainingProgress.model_validate({"puzzles": solvers, "lessons": now.lessons})


# -- lessons ---------------------------------------------------------------------------------------------------------


@router.get("/lessons", include_in_schema=False)
async def lesson_index(request: Request) -> HTMLResponse:
    lang = language(request)
    shown = [
        {"key": one.key, "title": _title(one, lang), "exercises": [exercise.key for exercise in one.exercises]}
        for one in lessons.LESSONS
    ]
    return render(request, "lessons.html", {"page": "lessons", "lessons": shown}, lessons=shown)


@router.get("/lessons/{key}", include_in_schema=False)
async def lesson_page(request: Request, key: Key) -> HTMLResponse:
    try:
        lesson = lessons.lesson(key)
    except LessonError:
        return missing(request)
    lang = language(request)
    exercises = [_shown(exercise) for exercise in lesson.exercises]
    at = lessons.LESSONS.index(lesson) + 1
    following = lessons.LESSONS[at] if at < len(lessons.LESSONS) else None
    return render(
        request,
        "exercises.html",
        {"page": "exercises", "lesson": key, "exercises": exercises},
        title=_title(lesson, lang),
        teaches=text(f"lessons.about.{key}.teaches", lang),
        exercises=exercises,
        following=None if following is None else {"key": following.key, "title": _title(following, lang)},
    )


def _title(lesson: Lesson, lang: str) -> str:
    return text(f"lessons.about.{lesson.key}.title", lang)


@lru_cache(maxsize=128)
def _shown(exercise: Exercise) -> dict[str, Any]:
    """Return what the page needs of an exercise."""
    game = exercise.game()
    about = [pit for pit in game.rules.own_pits(game.turn) if exercise.move == write(game.rules, pit)]
    return {
        "key": exercise.key,
        "form": exercise.form,
        "ask": translations(exercise.asked),
        "rules": schema.Rules.of(game.rules),
        "position": exercise.position,
        "view": schema.View.of_game(game),
        "follow": about[0] if about and exercise.question == "endless" else None,
    }


class ExerciseRequest(Strict):
    """An answer: a move, a pit by name, a number, `yes` or `no`; without one the solution is told."""

    answer: str | None = Field(default=None, max_length=20, examples=["A"])


@router.post("/api/lessons/{lesson}/{exercise}", tags=["training"], responses={**REFUSED, **MISSING})
@threaded
def judge_exercise(lesson: Key, exercise: Key, sent: ExerciseRequest) -> schema.ExerciseAnswer:
    """Judge an answer to an exercise."""
    try:
        found = lessons.lesson(lesson).exercise(exercise)
    except AwaleError as error:
        raise WebError(404, error) from None
    judged = lessons.judge(found, sent.answer)
    steps = play(found.game(), judged.shown)
    return schema.ExerciseAnswer(right=judged.right, text=translations(judged.said), steps=steps)


def play(game: Game, moves: tuple[str, ...]) -> list[schema.TraceAnswer]:
    """Play moves, and return what each does."""
    return [schema.TraceAnswer.of(game.play(move, laps=schema.MAX_LAPS), game) for move in moves]


# -- the player's own mistakes ---------------------------------------------------------------------------------------

MOST_MISTAKES = 200


@router.get("/mistakes", include_in_schema=False)
async def mistakes_page(request: Request) -> HTMLResponse:
    game = Game(DEFAULT)
    shown = schema.Rules.of(game.rules)
    return render(request, "mistakes.html", {"page": "mistakes", "view": schema.View.of_game(game)}, rules=shown)


class MistakesRequest(Strict):
    """The text of a file with mistakes."""

    text: str = Field(max_length=400_000)


@router.post("/api/mistakes/read", tags=["training"], responses=REFUSED)
@threaded
def read_mistakes(sent: MistakesRequest) -> schema.MistakeFile:
    """Check a file with mistakes that the page has saved: its fields, and that every move can be played."""
    return _read_mistakes(sent.text)


def _read_mistakes(text: str) -> schema.MistakeFile:
    try:
        file = schema.MistakeFile.model_validate_json(text)
    except ValidationError as error:
        place = error.errors()[0]["loc"]
        if place[:1] == ("mistakes",) and len(place) > 2:
            problem = message("web.mistakes.bad-field", n=int(place[1]) + 1, field=str(place[2]))
        else:
            problem = message("web.mistakes.bad-format")
        raise WebError(400, problem) from None
    if len(file.mistakes) > MOST_MISTAKES:
        raise WebError(400, message("web.mistakes.bad-many", count=len(file.mistakes), most=MOST_MISTAKES))
    for number, mistake in enumerate(file.mistakes, 1):
        try:
            _check_mistake(mistake)
        except AwaleError as error:
            raise WebError(400, message("web.mistakes.bad-game", n=number, problem=error)) from None
    return file


def _check_mistake(mistake: schema.Mistake) -> None:
    game = request_parsing.build(request_parsing.read_rules(mistake.rules), mistake.start, mistake.moves.split())
    if game.turn != mistake.mover:
        raise AwaleError(message("web.mistakes.bad-turn"))
    game.copy().push(mistake.move)
    game.copy().push(mistake.best)
    for move in mistake.line:
        game.push(move)
