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
from awale.web import opponents, request_parsing, rule_pages, schema, solved_boards, static_files
from awale.web.game_registry import GameRegistry, NoSuchGame
from awale.web.language import LANGUAGE_COOKIE, WebError, language
from awale.web.security import address

router = APIRouter(include_in_schema=False)
TEMPLATES = Path(str(files("awale.web"))) / "templates"
DEFAULT = "abapa"
LOOKS = {"theme": ("light", "dark"), "board": ("ebony", "clay"), "seeds": ("large",)}
"""Settings of the look, each in a cookie of its own; what is not here is the usual look."""
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
        static=static_files.root(),
        look=_look(request),
        boxes=_board_boxes,
        version=__version__,
        texts=data_block(page_texts(lang)),
        data=data_block(data if data is not None else {}),
        presets=_presets(),
        **values,
    )
    response = HTMLResponse(html, status_code=status)
    if request.query_params.get("lang") in LANGUAGES:
        response.set_cookie(LANGUAGE_COOKIE, lang, max_age=365 * 86400, samesite="lax")
    return response


def _presets() -> list[schema.Rules]:
    """Return every preset, the default one first."""
    return [schema.Rules.of(rules) for rules in sorted(presets.all_rules(), key=lambda rules: rules.name != DEFAULT)]


def _look(request: Request) -> dict[str, str]:
    """Return what this browser chose, so that the first picture of a page already looks like it."""
    chosen = {name: request.cookies.get(f"awale-{name}", "") for name in LOOKS}
    return {name: value for name, value in chosen.items() if value in LOOKS[name]}


def _board_boxes(rules: schema.Rules) -> dict[str, tuple[float, float]]:
    """Return width and height of a board in both layouts of `static/layout.js`."""
    pits = rules.holes // 2
    pitch = 150.0 if pits <= 6 else 128.0 if pits <= 8 else 1060 / pits
    height = min(68, max(52, 0.46 * pitch))
    upright = min(72, max((400 - 24) / pits / 2 - 2.5, 62))
    ring = rules.coloured and rules.holes == 16
    return {
        "wide": (308 + pits * pitch, 184 + 4 * height),
        "upright": (400, 424 if ring else 216 + 4 * upright),
    }


def setup() -> dict[str, Any]:
    """Return the data of the new-game dialog."""
    return {"presets": _presets(), "players": opponents.opponents()}


@router.get("/")
async def home(request: Request) -> HTMLResponse:
    """A board, ready for the first move."""
    return await _board_page(request, "play")


async def _board_page(request: Request, page: str) -> HTMLResponse:
    """Render the board that an address asks for; or the usual one, with a sentence about what is wrong."""
    asked = request.query_params
    rules, start, moves = asked.get("rules") or DEFAULT, asked.get("position"), asked.get("moves", "")
    problem = ""
    try:
        shown = await request.app.state.requests.run(address(request.scope), lambda: _board(rules, start, moves))
    except WebError:
        raise
    except AwaleError as error:
        problem, shown = error.sentence(language(request)), _board(DEFAULT, None, "")
    data = {"page": page, **setup(), **shown, "start": None if problem else start or None, "problem": problem}
    return render(request, f"{page}.html", data, 400 if problem else 200, rules=shown["rules"])


def _board(rules: str, start: str | None, moves: str) -> dict[str, Any]:
    """Return the rules, the view and the moves of a board."""
    game = request_parsing.build(request_parsing.read_rules(rules), start, moves.split())
    view = schema.View.of_game(game)
    return {"rules": schema.Rules.of(game.rules), "view": view, "moves": [str(move) for move in game.moves]}


@router.get("/game/{key}")
async def game(request: Request, key: GameKey) -> HTMLResponse:
    registry: GameRegistry = request.app.state.registry
    try:
        live = await registry.find(key)
    except NoSuchGame:
        return missing(request)
    rules = schema.Rules.of(live.match.game.rules)
    return render(request, "play.html", {"page": "play", "key": key, **setup()}, rules=rules)


@router.get("/game/{key}/seat/{secret}")
async def take_seat(request: Request, key: GameKey, secret: Annotated[str, UrlPath(max_length=64)]) -> Response:
    """A page that takes the seat of its link. A program that only looks at links must not use up an invitation."""
    data = {"page": "seat", "request": f"/api/games/{key}/seat", "shown": f"/game/{key}", "secret": secret}
    return render(request, "link.html", data, title="seat.title", only="seat.watch", shown=data["shown"])


@router.get("/analysis")
async def analysis(request: Request) -> HTMLResponse:
    """Any position and its moves: `?rules=` `&position=` `&moves=`, or `?game=KEY`."""
    return await _board_page(request, "analysis")


@router.get("/games")
async def games(request: Request) -> HTMLResponse:
    return render(request, "games.html", {"page": "games", "players": opponents.opponents()})


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
    solved = solved_boards.has_boards(rules)
    return render(request, "lesson.html", data, rules=schema.Rules.of(rules), lesson=shown, solved=solved)


@router.get("/solved")
async def solved(request: Request) -> HTMLResponse:
    """The boards whose values are known, each with the value of every first move."""
    return render(request, "solved.html", {"page": "solved"}, **solved_boards.table())


@router.get("/docs")
async def docs(request: Request) -> HTMLResponse:
    """The API for readers; /openapi.json describes it for programs."""
    lang = language(request)
    about = {"schema": request.app.openapi(), "about": lambda name: text(f"api.{name}", lang)}
    return render(request, "docs.html", {"page": "docs"}, **about)


@router.get("/offline")
async def offline(request: Request) -> HTMLResponse:
    """What the service worker shows when the server cannot be reached."""
    return render(request, "offline.html", {"page": "offline"})


@router.get("/sw.js")
async def service_worker() -> Response:
    """The service worker. It must be served from the root to work for every page."""
    script = (static_files.STATIC / "sw.js").read_text(encoding="utf-8")
    body = script.replace('"VERSION"', f'"{static_files.version()}"')
    return Response(body, media_type="text/javascript", headers={"cache-control": "no-cache"})


@router.get("/manifest.webmanifest")
async def manifest(request: Request) -> Response:
    """What a browser needs to install the board as an application."""
    lang = language(request)
    described = {
        "name": text("web.tagline", lang),
        "short_name": text("web.title", lang),
        "lang": lang,
        "id": "/",
        "start_url": "/",
        "display": "standalone",
        "background_color": "#f4ede1",
        "theme_color": "#a9682c",
        "icons": [
            {"src": f"{static_files.root()}/icon.svg", "type": "image/svg+xml", "sizes": "any"},
            *(
                {
                    "src": f"{static_files.root()}/icon-{size}.png",
                    "type": "image/png",
                    "sizes": f"{size}x{size}",
                    "purpose": purpose,
                }
                for size in (192, 512)
                for purpose in ("any", "maskable")
            ),
        ],
    }
    return Response(to_json(described), media_type="application/manifest+json")


@router.get("/favicon.ico")
async def icon() -> RedirectResponse:
    return RedirectResponse("/static/icon.svg", status_code=308)


def for_people(request: Request) -> bool:
    """Return whether a page is asked for, not data or a file."""
    return not request.url.path.startswith(("/api/", "/static/", "/openapi.json"))


def missing(request: Request) -> HTMLResponse:
    return render(request, "missing.html", {"page": "missing"}, status=404)
