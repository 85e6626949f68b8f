"""The HTML pages. What is interactive on them is in the modules of `static/`."""

from __future__ import annotations

import asyncio
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi import Path as UrlPath
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import Environment, FileSystemLoader, select_autoescape
from markupsafe import Markup
from pydantic_core import to_json

from awale import __version__
from awale.errors import AwaleError
from awale.i18n import LANGUAGES, section, text
from awale.rules import presets
from awale.web import opponents, request_parsing, rule_pages, schema
from awale.web.game_registry import GameRegistry, NoSuchGame
from awale.web.language import LANGUAGE_COOKIE, WebError, language
from awale.web.security import address

router = APIRouter(include_in_schema=False)
TEMPLATES = Path(str(files("awale.web"))) / "templates"
GameKey = Annotated[str, UrlPath(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9_-]+$")]


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=select_autoescape(), trim_blocks=True, lstrip_blocks=True
    )


@cache
def page_texts(lang: str) -> dict[str, str]:
    """Return every text of the page's modules in one language."""
    return {key: texts[lang] for key, texts in section("web").items()}


def data_block(value: Any) -> Markup:
    """Return JSON for a `<script type="application/json">`, escaped so that it cannot end its own element."""
    safe = to_json(value).decode()
    return Markup(safe.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))


def render(request: Request, template: str, data: Any = None, status: int = 200, **values: Any) -> HTMLResponse:
    lang = language(request)
    page = _environment().get_template(template)
    html = page.render(
        t=lambda key, **fill: text(f"web.{key}", lang, **fill),
        lang=lang,
        other="fr" if lang == "en" else "en",
        path=request.url.path,
        version=__version__,
        texts=data_block(page_texts(lang)),
        data=data_block(data if data is not None else {}),
        presets=[schema.Rules.of(rules) for rules in presets.all_rules()],
        **values,
    )
    response = HTMLResponse(html, status_code=status)
    if request.query_params.get("lang") in LANGUAGES:
        response.set_cookie(LANGUAGE_COOKIE, lang, max_age=365 * 86400, samesite="lax")
    return response


def _setup() -> dict[str, Any]:
    """Return the data of the new-game dialog."""
    return {
        "presets": [schema.Rules.of(rules) for rules in presets.all_rules()],
        "players": opponents.opponents(),
    }


@router.get("/")
async def home(request: Request) -> HTMLResponse:
    """A board, ready for the first move."""
    rules, start = request.query_params.get("rules", "abapa"), request.query_params.get("position")
    try:
        shown = await request.app.state.requests.run(address(request.scope), lambda: _board(rules, start))
    except WebError:
        raise
    except AwaleError:
        return missing(request)
    return render(request, "play.html", {"page": "play", **_setup(), **shown, "start": start or None})


def _board(rules: str, start: str | None) -> dict[str, Any]:
    """Return the rules and the view of a board before the first move."""
    game = request_parsing.build(request_parsing.read_rules(rules), start, [])
    return {"rules": schema.Rules.of(game.rules), "view": schema.View.of_game(game)}


@router.get("/game/{key}")
async def game(request: Request, key: GameKey) -> HTMLResponse:
    registry: GameRegistry = request.app.state.registry
    try:
        await registry.find(key)
    except NoSuchGame:
        return missing(request)
    return render(request, "play.html", {"page": "play", "key": key, **_setup()})


@router.get("/game/{key}/seat/{secret}")
async def take_seat(request: Request, key: GameKey, secret: Annotated[str, UrlPath(max_length=64)]) -> Response:
    """A page that takes the seat of its link. A program that only looks at links must not use up an invitation."""
    return render(request, "seat.html", {"page": "seat", "key": key, "secret": secret}, key=key)


@router.get("/analysis")
async def analysis(request: Request) -> HTMLResponse:
    data = {"page": "analysis", **_setup(), **_board("abapa", None)}
    return render(request, "analysis.html", data)


@router.get("/games")
async def games(request: Request) -> HTMLResponse:
    return render(request, "games.html", {"page": "games"})


@router.get("/rules")
async def rules_index(request: Request) -> HTMLResponse:
    return render(request, "rules.html", {"page": "rules"})


@router.get("/rules/{name}")
async def rules_page(request: Request, name: Annotated[str, UrlPath(max_length=200)]) -> HTMLResponse:
    try:
        rules = request_parsing.read_rules(name)
    except AwaleError:
        return missing(request)
    lang = language(request)
    shown = await asyncio.to_thread(rule_pages.lesson, rules, lang)  # endless sowings take seconds
    data = {"page": "lesson", "rules": schema.Rules.of(rules), "examples": shown["examples"]}
    return render(request, "lesson.html", data, rules=schema.Rules.of(rules), lesson=shown)


@router.get("/docs")
async def docs(request: Request) -> HTMLResponse:
    """The API for readers; /openapi.json describes it for programs."""
    return render(request, "docs.html", {"page": "docs"}, schema=request.app.openapi())


@router.get("/favicon.ico")
async def icon() -> RedirectResponse:
    return RedirectResponse("/static/icon.svg", status_code=308)


def missing(request: Request) -> HTMLResponse:
    return render(request, "missing.html", {"page": "missing"}, status=404)
