"""Training: lessons with exercises. What is solved is kept by the browser; the answers are judged here."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi import Path as UrlPath
from fastapi.responses import HTMLResponse
from pydantic import Field

from awale.errors import AwaleError
from awale.game import Game
from awale.i18n import text
from awale.rules.moves import write
from awale.training import lessons
from awale.training.lessons import Exercise, Lesson, LessonError
from awale.web import schema
from awale.web.api import MISSING, REFUSED
from awale.web.language import WebError, language, translations
from awale.web.pages import missing, render
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
