"""The JSON API: rules, positions, moves, analysis, games, game files."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from functools import partial, wraps
from itertools import chain, islice
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import PlainTextResponse
from pydantic import Field

from awale.draw import animated_svg, board_svg
from awale.errors import AwaleError
from awale.i18n import message
from awale.match import Match, Seat, TimeControl
from awale.notation import to_ogn
from awale.players.spec import MAX_NODES
from awale.rules import presets, reference
from awale.rules.moves import make
from awale.search.limits import MAX_DEPTH
from awale.store import explorer
from awale.web import engine_jobs, game_files, opponents, request_parsing, schema
from awale.web.engine_pool import BusyError
from awale.web.game_registry import GameRegistry, invitation, shared
from awale.web.language import WebError, language
from awale.web.request_parsing import GameRequest, MoveText, RulesRequest, Strict
from awale.web.request_pool import RequestPool
from awale.web.security import COOKIE, Buckets, address, hashed, new_secret, own_hash, own_secret

router = APIRouter(prefix="/api")
GameKey = Annotated[str, Path(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9_-]+$", examples=["Zk3v0Yw1aBcD"])]
REFUSED: dict[int | str, dict[str, Any]] = {
    400: {"description": "Refused; the sentence says why."},
    403: {"description": "Sent by a page of another site."},
    413: {"description": "Too large."},
    429: {"description": "Too many requests."},
    503: {"description": "The engine or the database is busy or not available."},
}
MISSING: dict[int | str, dict[str, Any]] = {404: {"description": "Not found."}}
Out = TypeVar("Out")


def registry_of(request: Request) -> GameRegistry:
    return request.app.state.registry  # type: ignore[no-any-return]


async def in_thread(request: Request, function: Callable[[], Out], *, slow: bool = False) -> Out:
    """Do the work of a request in a thread, so that the games go on. `slow`: it may wait for the database."""
    requests: RequestPool = request.app.state.slow_requests if slow else request.app.state.requests
    return await requests.run(address(request.scope), function)


def threaded(answer: Callable[..., Out]) -> Callable[..., Awaitable[Out]]:
    """Return a route whose function runs in a thread; the function itself does not see the request."""

    @wraps(answer)
    async def route(request: Request, **sent: Any) -> Out:
        return await in_thread(request, partial(answer, **sent))

    own = inspect.signature(answer, eval_str=True)
    asked = inspect.Parameter("request", inspect.Parameter.KEYWORD_ONLY, annotation=Request)
    route.__signature__ = own.replace(parameters=[*own.parameters.values(), asked])  # type: ignore[attr-defined]
    return route


def check_new(request: Request) -> None:
    """Refuse a new game or study of somebody who has made too many."""
    limits: Buckets = request.app.state.new_games
    if not limits.take(address(request.scope)):
        raise WebError(429, message("web.error.new-games"))


def attachment(content: str, kind: str, name: str) -> Response:
    """Return a file to save."""
    return Response(content, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})


# -- rules and positions -------------------------------------------------------------------------------------------


@router.get("/rules", tags=["rules"])
async def list_rules() -> list[schema.Rules]:
    """Every preset, with its description."""
    return [schema.Rules.of(rules) for rules in presets.all_rules()]


@router.get("/rules/{name}", tags=["rules"], responses={**REFUSED, **MISSING})
@threaded
def one_rules(name: Annotated[str, Path(max_length=200)]) -> schema.Rules:
    """A preset, an alias or a variant such as ghana:pits=3."""
    try:
        return schema.Rules.of(request_parsing.read_rules(name))
    except AwaleError as error:
        raise WebError(404, error) from None


@router.post("/rules", tags=["rules"], responses=REFUSED)
@threaded
def read_village(sent: RulesRequest) -> schema.Rules:
    """Check rules, named or as the text of a village-rules file."""
    return schema.Rules.of(sent.read_rules())


@router.post("/position", tags=["positions"], responses=REFUSED)
@threaded
def position(sent: GameRequest) -> schema.PositionAnswer:
    """Where a game stands: legal moves and their effects, why other pits may not be played, how it ended."""
    game = sent.build_game()
    return schema.PositionAnswer(
        rules=schema.Rules.of(game.rules),
        start=schema.Position.of(game.start),
        moves=schema.rows(game),
        view=schema.View.of_game(game),
    )


class MoveRequest(GameRequest):
    """A game and a move to play in it."""

    move: MoveText


@router.post("/trace", tags=["positions"], responses=REFUSED)
@threaded
def trace(sent: MoveRequest) -> schema.TraceAnswer:
    """Play a move: everything that happens, seed by seed, and where the game stands after it."""
    game = sent.build_game()
    return schema.TraceAnswer.of(game.play(sent.move, laps=schema.MAX_LAPS), game)


class SowingRequest(GameRequest):
    """A relay sowing to follow from a lap on, in steps of so many laps."""

    pit: int = Field(ge=0, le=200)
    lap: int = Field(default=0, ge=0, le=400_000)
    step: int = Field(default=1, ge=1, le=2_000)
    count: int = Field(default=40, ge=1, le=100)


@router.post("/sowing", tags=["positions"], responses=REFUSED)
@threaded
def sowing(sent: SowingRequest) -> schema.SowingAnswer:
    """Follow a relay sowing of any length, also one that never ends and may not be played."""
    game, asked = sent.build_game(), sent
    if game.rules.sowing != "relay" or asked.pit >= game.rules.holes or not game.state.board[asked.pit]:
        raise WebError(400, message("web.error.no-sowing"))
    sown = reference.sow(game.rules, game.state.board, make(game.rules, asked.pit))
    last = min(asked.lap + asked.step * asked.count, sown.laps)
    board = list(reference.counts(game.state.board))
    states, laps, pit = [], [], asked.pit
    for number, lap in enumerate(islice(chain(reference.laps(game.state.board, sown), (None,)), last + 1)):
        shown = number >= asked.lap and ((number - asked.lap) % asked.step == 0 or number == last)
        if shown:
            states.append(schema.SowingState(lap=number, pit=pit, board=tuple(board)))
        if lap is None or number == last:
            break
        if shown and asked.step == 1:
            laps.append(schema.Lap(pit=lap.pit, landings=lap.landings, colours=""))
        board[lap.pit] = 0
        for here in lap.landings:
            board[here] += 1
        pit = lap.landings[-1]
    return schema.SowingAnswer(period=sown.period, lap_count=sown.laps, states=states, laps=laps)


class AnalysisRequest(GameRequest):
    """A position to analyse: for so many seconds, to a depth, for a number of positions; the first that is reached."""

    seconds: float = Field(default=1.0, ge=0.05, le=10.0)
    depth: int | None = Field(default=None, ge=1, le=MAX_DEPTH)
    nodes: int | None = Field(default=None, ge=1, le=MAX_NODES)


@router.post("/analyse", tags=["analysis"], responses=REFUSED)
async def analyse(sent: AnalysisRequest, request: Request) -> schema.Analysis:
    """Search a position: values are seeds of the final margin, from South's point of view."""
    game = await in_thread(request, sent.build_game)
    if game.over:
        raise WebError(400, message("web.error.analyse-over"))
    pool = request.app.state.pool
    if not pool.ready:
        raise BusyError(message("web.warming"))
    job = engine_jobs.job("analyse", game, **sent.model_dump(include={"seconds", "depth", "nodes"}))
    ticket = pool.submit(address(request.scope), job, seconds=sent.seconds, background=True)
    gone = asyncio.create_task(_gone(request))
    try:
        await asyncio.wait({ticket.result, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not ticket.result.done():
            raise BusyError(message("web.error.busy"))  # nobody reads it
        return schema.Analysis.model_validate(ticket.result.result())
    finally:
        gone.cancel()
        pool.cancel(ticket)


async def _gone(request: Request) -> None:
    """Wait until the client has closed its connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


class ExploreRequest(GameRequest):
    """A position to look up in the stored games."""

    stores: bool = True
    """Whether the captured seeds have to be the same."""


@router.post("/explore", tags=["analysis"], responses=REFUSED)
async def explore(sent: ExploreRequest, request: Request) -> schema.Explored:
    """What was played in a position of the stored games, how often, and how those games ended; the book's values."""
    game = await in_thread(request, sent.build_game)
    store = registry_of(request).store

    def answer() -> schema.Explored:
        with store.transaction(read_only=True) as session:
            found = explorer.explore(session, game.state, game.rules, stores=sent.stores)
            return schema.Explored.model_validate(found, from_attributes=True)

    return await in_thread(request, answer, slow=True)


@router.get("/players", tags=["games"])
async def players() -> list[schema.Opponent]:
    """The programs to play against."""
    return [schema.Opponent(**opponent) for opponent in opponents.opponents()]


# -- games ---------------------------------------------------------------------------------------------------------


class SeatRequest(Strict):
    """Who has a seat: `me`, a `friend` by link, or a `computer` by name."""

    who: Literal["me", "friend", "computer"]
    name: str = Field(default="", max_length=100)


class NewGameRequest(GameRequest):
    """A game to start."""

    south: SeatRequest = SeatRequest(who="me")
    north: SeatRequest = SeatRequest(who="computer", name="engine:3")
    clock: str | None = Field(default=None, max_length=20, examples=["5+3"])


@router.post("/games", tags=["games"], status_code=201, responses=REFUSED)
async def new_game(sent: NewGameRequest, request: Request, response: Response) -> schema.GameCreated:
    """Start a game. The answer holds the link for each friend's seat; it is not shown again."""
    check_new(request)
    clock = TimeControl.parse(sent.clock) if sent.clock else None
    game = await in_thread(request, sent.build_game)
    secret = own_secret(request) or new_secret()
    seats: list[Seat] = []
    holders: tuple[set[str], set[str]] = (set(), set())
    links: list[str | None] = [None, None]
    invited: list[str | None] = [None, None]
    for side, seat in enumerate((sent.south, sent.north)):
        if seat.who == "computer":
            name = opponents.checked_player(seat.name, game.rules)
            seats.append(Seat(name, person=False))
            continue
        seats.append(Seat(_name(seat.name)))
        if seat.who == "me":
            holders[side].add(hashed(secret))
        else:
            links[side], invited[side] = invitation()
    match = Match(game, (seats[0], seats[1]), clock=clock, shared=shared(holders))
    live = await registry_of(request).create(match, holders, (invited[0], invited[1]))
    set_cookie(request, response, secret)
    return schema.GameCreated(key=live.key, links=[link and _link(live.key, link) for link in links])


def _link(key: str, secret: str) -> str:
    return f"/game/{key}/seat/{secret}"


class LinkRequest(Strict):
    """The secret in the link to a seat, or to change a study."""

    secret: str = Field(max_length=64)


@router.post("/games/{key}/seat", tags=["games"], status_code=204, responses={**REFUSED, **MISSING})
async def take_seat(key: GameKey, sent: LinkRequest, request: Request) -> Response:
    """Take the seat of an invitation, which can be done once."""
    registry = registry_of(request)
    live = await registry.find(key)
    own = own_secret(request) or new_secret()
    # Players who open their own invitation by mistake, or follow it twice, hold the seat that they have.
    if not live.seats_of(hashed(own)) and not await registry.take_seat(live, hashed(sent.secret), hashed(own)):
        raise WebError(410, message("web.error.invitation"))
    return set_cookie(request, Response(status_code=204), own)


class InvitationRequest(Strict):
    """A seat to invite somebody to: 0 for South, 1 for North."""

    seat: Literal[0, 1]


@router.post("/games/{key}/invitation", tags=["games"], responses={**REFUSED, **MISSING})
async def invite(key: GameKey, sent: InvitationRequest, request: Request) -> schema.Link:
    """A new link to the opponent's free seat. The link before it is void."""
    registry = registry_of(request)
    live = await registry.find(key)
    if 1 - sent.seat not in live.seats_of(own_hash(request)):
        raise WebError(403, message("web.error.not-your-game"))
    return schema.Link(link=_link(key, await registry.invite(live, sent.seat)))


def _name(name: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())


def set_cookie(request: Request, response: Response, secret: str) -> Response:
    """Let a browser keep its secret."""
    secure = request.app.state.settings.secure_cookies
    response.set_cookie(COOKIE, secret, max_age=365 * 86400, httponly=True, samesite="lax", secure=secure, path="/")
    return response


@router.get("/games", tags=["games"])
async def my_games(request: Request) -> list[schema.GameSummary]:
    """The games in which this browser holds a seat, the latest first."""
    own = own_hash(request)
    return await in_thread(request, lambda: game_files.games_of(registry_of(request).store, own)) if own else []


@router.get("/games/{key}", tags=["games"], response_model=schema.GameState, responses={**REFUSED, **MISSING})
async def one_game(key: GameKey, request: Request) -> Response:
    """A game as anybody may see it."""
    live = await registry_of(request).find(key)
    snapshot = live.snapshot(live.seats_of(own_hash(request)))
    return Response(await in_thread(request, snapshot.model_dump_json), media_type="application/json")


@router.get("/games/{key}/ogn", tags=["game files"], response_class=PlainTextResponse, responses={**REFUSED, **MISSING})
async def game_file(key: GameKey, request: Request) -> Response:
    """A game as an OGN file."""
    match = (await registry_of(request).find(key)).match
    tags = {name: seat.name for name, seat in zip(("South", "North"), match.seats, strict=True) if seat.name}
    written = await in_thread(request, lambda: to_ogn(match.game, **tags))
    return attachment(written, "text/plain", f"awale-{key}.ogn")


# -- game files ----------------------------------------------------------------------------------------------------


class FileRequest(Strict):
    """A game file."""

    text: str = Field(max_length=150_000, examples=['[Variant "abapa"]\n\n1. F f *\n'])
    rules: request_parsing.RulesName = "abapa"


@router.post("/ogn/read", tags=["game files"], responses=REFUSED)
@threaded
def read_file(sent: FileRequest) -> list[schema.FileGame]:
    """The games of an OGN or JSON file (the first twenty), with comments and variations."""
    return game_files.read(sent.text, sent.rules)


@router.get("/picture.svg", tags=["game files"], response_class=Response, responses=REFUSED)
async def picture(
    request: Request,
    rules: request_parsing.RulesName = "abapa",
    start: request_parsing.PositionText | None = None,
    moves: request_parsing.MovesText = "",
    animated: bool = False,
    flip: bool = False,
) -> Response:
    """A position as an SVG picture, or the whole game as one that moves."""

    def answer() -> str:
        game = GameRequest(rules=rules, start=start, moves=moves).build_game()
        lang = language(request)
        return animated_svg(game, flip=flip, lang=lang) if animated else board_svg(game, flip=flip, lang=lang)

    return attachment(await in_thread(request, answer), "image/svg+xml", "awale.svg")


class FileMoveRequest(Strict):
    """A move with its comment and its variations."""

    move: MoveText
    comment: str = Field(default="", max_length=2000)
    mark: str = Field(default="", max_length=4)
    variations: list[list[FileMoveRequest]] = Field(default_factory=list, max_length=20)


class RecordRequest(RulesRequest):
    """A game with comments and variations."""

    start: request_parsing.PositionText | None = None
    line: list[FileMoveRequest] = Field(default_factory=list, max_length=request_parsing.MAX_PLIES)
    comment: str = Field(default="", max_length=2000)
    tags: dict[Annotated[str, Field(max_length=60)], Annotated[str, Field(max_length=200)]] = Field(
        default_factory=dict, max_length=30
    )


@router.post("/ogn/write", tags=["game files"], response_class=PlainTextResponse, responses=REFUSED)
@threaded
def write_file(sent: RecordRequest) -> PlainTextResponse:
    """A game with its comments and variations as an OGN file."""
    return PlainTextResponse(game_files.write(sent.read_rules(), sent))


@router.get("/ws-schema.json", tags=["games"])
async def websocket_schema() -> dict[str, Any]:
    """The JSON schema of the messages of both WebSockets."""
    return schema.websocket_schema()
