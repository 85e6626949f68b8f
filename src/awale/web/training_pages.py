"""Training: lessons with exercises, and the player's own mistakes. What a player has done is kept by their browser;
the answers are judged here."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi import Path as UrlPath
from fastapi.responses import HTMLResponse
from pydantic import Field, ValidationError

from awale.errors import AwaleError
from awale.game import Game
from awale.i18n import message, text
from awale.rules.moves import write
from awale.training import lessons
from awale.training.lessons import Exercise, Lesson, LessonError
from awale.web import request_parsing, schema
from awale.web.api import MISSING, REFUSED
from awale.web.language import WebError, language, translations
from awale.web.pages import DEFAULT, missing, render
from awale.web.request_parsing import Strict
from awale.web.security import address

router = APIRouter()
Key = Annotated[str, UrlPath(max_length=40, pattern=r"^[a-z0-9-]+$")]


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
async def judge(lesson: Key, exercise: Key, sent: ExerciseRequest, request: Request) -> schema.ExerciseAnswer:
    """Judge an answer to an exercise."""
    try:
        found = lessons.lesson(lesson).exercise(exercise)
    except AwaleError as error:
        raise WebError(404, error) from None

    def answer() -> schema.ExerciseAnswer:
        judged = lessons.judge(found, sent.answer)
        steps = play(found.game(), judged.shown)
        return schema.ExerciseAnswer(right=judged.right, text=translations(judged.said), steps=steps)

    return await request.app.state.requests.run(address(request.scope), answer)  # type: ignore[no-any-return]


def play(game: Game, moves: tuple[str, ...]) -> list[schema.TraceAnswer]:
    """Play moves, and return what each does."""
    steps = []
    for move in moves:
        done = game.play(move, laps=schema.MAX_LAPS)
        steps.append(schema.TraceAnswer.of(done, game))
    return steps


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
async def read_mistakes(sent: MistakesRequest, request: Request) -> schema.MistakeFile:
    """Check a file with mistakes that the page has saved: its fields, and that every move can be played."""
    return await request.app.state.requests.run(  # type: ignore[no-any-return]
        address(request.scope), lambda: _read_mistakes(sent.text)
    )


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
