"""The JSON API: rules, positions, moves, analysis, games, game files."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Path, Request, Response
from fastapi.responses import PlainTextResponse
from pydantic import Field

from awale.clock import Clock
from awale.errors import AwaleError
from awale.i18n import text
from awale.notation import to_ogn
from awale.rules import presets
from awale.web import describe, engine_jobs, files, opponents, request_parsing
from awale.web.engine_pool import BusyError
from awale.web.game_registry import GameRegistry, NoSuchGame, invitation
from awale.web.language import language
from awale.web.live_game import LiveGame, Seat
from awale.web.request_parsing import AskedGame, AskedRules, MoveText, Strict
from awale.web.security import COOKIE, Buckets, address, hashed, new_secret, readable_secret
from awale.web.settings import Settings

router = APIRouter(prefix="/api")
Json = dict[str, Any]
GameKey = Annotated[str, Path(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9_-]+$", examples=["Zk3v0Yw1aBcD"])]
REFUSED: dict[int | str, dict[str, Any]] = {
    400: {"description": "What was sent is refused; the sentence says why."},
    403: {"description": "Sent by a page of another site."},
    413: {"description": "Too large."},
    429: {"description": "Too many requests."},
    503: {"description": "The engine or the database has no time or live now."},
}
MISSING: dict[int | str, dict[str, Any]] = {404: {"description": "There is no such thing."}}


def hall_of(request: Request) -> GameRegistry:
    return request.app.state.registry  # type: ignore[no-any-return]


def settings_of(request: Request) -> Settings:
    return request.app.state.settings  # type: ignore[no-any-return]


async def _work(function: Callable[[], Any]) -> Any:
    """Strangers' positions are worked out in a thread: the games go on meanwhile."""
    return await asyncio.to_thread(function)


# -- rules and positions -------------------------------------------------------------------------------------------


@router.get("/rules", tags=["rules"])
async def list_rules() -> list[Json]:
    """Every preset, with its description."""
    return [describe.rules(rules) for rules in presets.all_rules()]


@router.get("/rules/{name}", tags=["rules"], responses={**REFUSED, **MISSING})
async def one_rules(name: Annotated[str, Path(max_length=200)]) -> Json:
    """A preset, an alias or a variant such as `ghana:pits=3`."""
    try:
        return describe.rules(request_parsing.read_rules(name, None))
    except AwaleError as error:
        raise HTTPException(404, str(error)) from None


@router.post("/rules", tags=["rules"], responses=REFUSED)
async def read_village(sent: AskedRules) -> Json:
    """Check rules, named or as the text of a village-rules file."""
    return describe.rules(sent.the_rules())


@router.post("/position", tags=["positions"], responses=REFUSED)
async def position(sent: AskedGame) -> Json:
    """Where a game stands: legal moves with what each does, why other pits may not be played, how it ended."""

    def look() -> Json:
        game = sent.the_game()
        return {
            "rules": describe.rules(game.rules),
            "start": describe.position(game.start),
            "moves": describe.record(game),
            "view": describe.view(game),
        }

    return await _work(look)  # type: ignore[no-any-return]


class AskedMove(AskedGame):
    move: MoveText


@router.post("/trace", tags=["positions"], responses=REFUSED)
async def trace(sent: AskedMove) -> Json:
    """Play a move: everything that happens, seed by seed, and where the game stands after it."""

    def look() -> Json:
        game = sent.the_game()
        found = describe.trace(game, sent.move)
        request_parsing.push(game, sent.move)
        return {"trace": found, "row": describe.record(game)[-1], "view": describe.view(game)}

    return await _work(look)  # type: ignore[no-any-return]


class AskedAnalysis(AskedGame):
    seconds: float = Field(default=1.0, ge=0.05, le=10.0)


@router.post("/analyse", tags=["analysis"], responses=REFUSED)
async def analyse(sent: AskedAnalysis, request: Request) -> Json:
    """What the engine thinks: values are seeds of the final margin, from South's side."""
    game = await _work(sent.the_game)
    if game.over:
        raise HTTPException(400, "the game is over: there is nothing to analyse")
    pool = request.app.state.pool
    if not pool.ready:
        raise BusyError(text("web.warming", language(request)))
    job = engine_jobs.job("analyse", game, seconds=sent.seconds)
    ticket = pool.submit(f"http:{address(request.scope)}", job, seconds=sent.seconds)
    try:
        return await ticket.result  # type: ignore[no-any-return]
    finally:
        pool.cancel(ticket)


@router.get("/players", tags=["games"])
async def players() -> list[Json]:
    """Whom one can play against."""
    return opponents.opponents()


# -- games ---------------------------------------------------------------------------------------------------------


class AskedSeat(Strict):
    """Who sits at a side: `me`, a `friend` by link, or a `computer` by name."""

    who: Literal["me", "friend", "computer"]
    name: str = Field(default="", max_length=100)


class NewGame(AskedGame):
    south: AskedSeat = AskedSeat(who="me")
    north: AskedSeat = AskedSeat(who="computer", name="engine:3")
    clock: str | None = Field(default=None, max_length=20, examples=["5+3"])


@router.post("/games", tags=["games"], status_code=201, responses=REFUSED)
async def new_game(sent: NewGame, request: Request, response: Response) -> Json:
    """Start a game. The answer holds the link for each friend's seat; it is not shown again."""
    limits: Buckets = request.app.state.new_games
    if not limits.take(address(request.scope)):
        raise HTTPException(429, "too many new games; wait a moment")
    registry = hall_of(request)
    clock = Clock.read(sent.clock) if sent.clock else None
    game = await _work(sent.the_game)
    secret = readable_secret(request.cookies.get(COOKIE)) or new_secret()
    seats: list[Seat] = []
    links: list[str | None] = []
    for seat in (sent.south, sent.north):
        if seat.who == "computer":
            name = opponents.checked_player(seat.name, game.rules)
            seats.append(Seat("computer", name))
            links.append(None)
        elif seat.who == "me":
            seats.append(Seat("person", _name(seat.name), {hashed(secret)}))
            links.append(None)
        else:
            invited, invited_hash = invitation()
            seats.append(Seat("person", _name(seat.name), {invited_hash}))
            links.append(invited)
    live = await registry.create(game, (seats[0], seats[1]), clock=clock)
    set_cookie(response, secret, settings_of(request))
    return {"key": live.key, "links": [link and f"/game/{live.key}/seat/{link}" for link in links]}


def _name(name: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())


def set_cookie(response: Response, secret: str, settings: Settings) -> None:
    response.set_cookie(
        COOKIE, secret, max_age=365 * 86400, httponly=True, samesite="lax", secure=settings.secure_cookies, path="/"
    )


async def _live_game(key: str, request: Request) -> LiveGame:
    try:
        return await hall_of(request).find(key)
    except NoSuchGame as error:
        raise HTTPException(404, str(error)) from None


@router.get("/games", tags=["games"])
async def my_games(request: Request) -> list[Json]:
    """The games in which this browser holds a seat, the latest first."""
    secret = readable_secret(request.cookies.get(COOKIE))
    if secret is None:
        return []
    return await _work(lambda: files.games_of(hall_of(request).store, hashed(secret)))  # type: ignore[no-any-return]


@router.get("/games/{key}", tags=["games"], responses={**REFUSED, **MISSING})
async def one_game(key: GameKey, request: Request) -> Json:
    """A game as anybody may see it."""
    live = await _live_game(key, request)
    secret = readable_secret(request.cookies.get(COOKIE))
    return live.snapshot(live.seats_of(hashed(secret) if secret else None))


@router.get("/games/{key}/ogn", tags=["game files"], response_class=PlainTextResponse, responses={**REFUSED, **MISSING})
async def game_file(key: GameKey, request: Request) -> PlainTextResponse:
    """A game as an OGN file."""
    live = await _live_game(key, request)
    tags = {side: live.seats[i].name for i, side in enumerate(("South", "North")) if live.seats[i].name}
    written = await _work(lambda: to_ogn(live.game, **tags))
    headers = {"content-disposition": f'attachment; filename="awale-{key}.ogn"'}
    return PlainTextResponse(written, headers=headers)


# -- game files ----------------------------------------------------------------------------------------------------


class AskedFile(Strict):
    text: str = Field(max_length=150_000, examples=['[Variant "abapa"]\n\n1. F f *\n'])
    rules: request_parsing.RulesName = "abapa"


@router.post("/ogn/read", tags=["game files"], responses=REFUSED)
async def read_file(sent: AskedFile) -> list[Json]:
    """The games of an OGN file (the first twenty), with comments and variations."""
    return await _work(lambda: files.read(sent.text, sent.rules))  # type: ignore[no-any-return]


class AskedMoves(Strict):
    """A move, what is said about it, and what could have been played instead."""

    move: MoveText
    comment: str = Field(default="", max_length=2000)
    mark: str = Field(default="", max_length=4)
    variations: list[list[AskedMoves]] = Field(default_factory=list, max_length=20)


class AskedRecord(AskedRules):
    start: request_parsing.PositionText | None = None
    line: list[AskedMoves] = Field(default_factory=list, max_length=request_parsing.MAX_PLIES)
    comment: str = Field(default="", max_length=2000)
    tags: dict[Annotated[str, Field(max_length=60)], Annotated[str, Field(max_length=200)]] = Field(
        default_factory=dict, max_length=30
    )


@router.post("/ogn/write", tags=["game files"], response_class=PlainTextResponse, responses=REFUSED)
async def write_file(sent: AskedRecord) -> PlainTextResponse:
    """A game with its comments and variations as an OGN file."""
    return PlainTextResponse(await _work(lambda: files.write(sent.the_rules(), sent)))
