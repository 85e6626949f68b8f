"""Pages of the store: ratings, a player's games and curve, games by position."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi import Path as UrlPath
from fastapi.responses import HTMLResponse
from markupsafe import Markup
from sqlalchemy import Select, or_, select

from awale.errors import AwaleError
from awale.i18n import text
from awale.rules import Rules
from awale.store import Game, Player, Rating, Store, find
from awale.store import games as stored
from awale.web import request_parsing, schema
from awale.web.language import language
from awale.web.pages import missing, render
from awale.web.security import address

router = APIRouter(include_in_schema=False)
ROWS = 50
SEARCH_SECONDS = 3.0
WEB = "web"
"""Games played here have addresses that only their players know: they are listed without one."""

RulesName = Annotated[str, Query(max_length=200)]


def _page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    lang = language(request)

    def said(key: str, **fill: object) -> str:
        return text(f"store.page.{key}", lang, **fill)

    return render(request, template, {"page": "text"}, status, s=said, **values)


def _finished() -> Select[tuple[Game]]:
    every: Select[tuple[Game]] = select(Game)
    return every.where(Game.end.is_not(None))


def _rows(games: Iterable[Game]) -> list[dict[str, Any]]:
    return [
        {
            "key": None if game.source == WEB else game.key,
            "rules": game.rules,
            "south": names[0] or "?",
            "north": names[1] or "?",
            "south_id": game.south_id,
            "north_id": game.north_id,
            "result": f"{game.south_seeds}-{game.north_seeds}",
            "plies": game.plies,
            "when": game.started_at.date().isoformat(),
        }
        for game in games
        for names in (stored.names(game),)
    ]


@router.get("/leaderboard")
async def leaderboard(request: Request, rules: RulesName = "abapa") -> HTMLResponse:
    """The best players of a rule system."""
    try:
        system = request_parsing.read_rules(rules)
    except AwaleError:
        return missing(request)
    store: Store = request.app.state.store

    def ask() -> list[dict[str, Any]]:
        with store.transaction(read_only=True) as session:
            return [
                {
                    "id": line.player.id,
                    "name": line.player.name,
                    "rating": round(line.strength.rating),
                    "error": round(2 * line.strength.deviation),
                    "games": line.games,
                }
                for line in store.ratings.leaderboard(session, system.name, limit=ROWS)
            ]

    return _page(request, "leaderboard.html", rules=schema.Rules.of(system), lines=await asyncio.to_thread(ask))


@router.get("/players/{number}")
async def player(request: Request, number: Annotated[int, UrlPath(ge=1, le=2**53)]) -> HTMLResponse:
    """A player's results, curves and latest games."""
    store: Store = request.app.state.store
    lang = language(request)

    def ask() -> dict[str, Any] | None:
        with store.transaction(read_only=True) as session:
            found = session.get(Player, number)
            if found is None:
                return None
            own = or_(Game.south_id == number, Game.north_id == number)
            games = find.latest(session, _finished().where(own))
            rows = _rows(game for game, _ in zip(games, range(ROWS), strict=False))
            systems = session.scalars(select(Rating.rules).where(Rating.player_id == number).distinct())
            curves = {rules: store.ratings.curve(session, number, rules) for rules in sorted(systems)}
            pictures = [Markup(_curve(rules, line, lang)) for rules, line in curves.items()]
            return {
                "player": {"name": found.name, "level": found.level},
                "results": store.stats.of_player(session, found),
                "games": rows,
                "pictures": pictures,
            }

    shown = await asyncio.to_thread(ask)
    return missing(request) if shown is None else _page(request, "player.html", **shown)


def _curve(rules: str, line: list[Rating], lang: str) -> str:
    from awale.arena.charts import Curve, curves

    points = [(float(count), rating.rating) for count, rating in enumerate(line, 1)]
    low = [rating.rating - 2 * rating.deviation for rating in line]
    high = [rating.rating + 2 * rating.deviation for rating in line]
    title = text("store.page.curve", lang, rules=rules)
    return curves(title, text("store.page.games", lang), [Curve(rules, points, low, high)])


@router.get("/search")
async def search(
    request: Request,
    rules: RulesName = "abapa",
    position: Annotated[str, Query(max_length=1000)] = "",
    any_stores: bool = False,
) -> HTMLResponse:
    """Games in which a position occurs."""
    try:
        system = request_parsing.read_rules(rules)
    except AwaleError:
        return missing(request)
    values: dict[str, Any] = {"rules": schema.Rules.of(system), "position": position, "problem": ""}
    values |= {"any_stores": any_stores, "games": None, "stopped": False, "seconds": f"{SEARCH_SECONDS:g}"}
    if position.strip():
        try:
            found, stopped = await request.app.state.slow_requests.run(
                address(request.scope),
                lambda: _search(request.app.state.store, system, position.strip(), not any_stores),
            )
            values |= {"games": found, "stopped": stopped}
        except AwaleError as error:
            values["problem"] = error.sentence(language(request))
    return _page(request, "search.html", 400 if values["problem"] else 200, **values)


def _search(store: Store, rules: Rules, position: str, stores: bool) -> tuple[list[dict[str, Any]], bool]:
    deadline: float | None = None  # counted from the first game: what is loaded before it takes its time only once
    found: list[Game] = []
    with store.transaction(read_only=True) as session:
        only_finished = _finished()
        out_of_time = False

        def patience() -> bool:
            nonlocal out_of_time, deadline
            now = time.monotonic()
            deadline = deadline or now + SEARCH_SECONDS
            out_of_time = now > deadline
            return not out_of_time

        for game in find.by_position(session, position, rules, only_finished, stores=stores, patience=patience):
            found.append(game)
            if len(found) >= ROWS:
                break
        return _rows(found), out_of_time
