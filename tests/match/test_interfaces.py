"""The same script in the browser's server, the full screen, line by line and in the arena: the same events and result.

South is a person who follows `Scenario.steps`, North a program with prepared replies. Time only passes where a step or
a reply says so. The browser's events are those that its connection receives, the others those of the `Match`.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from awale import Game, i18n
from awale.arena import Job, games
from awale.cli.plain_game import PlainGame
from awale.cli.terminal import Terminal, TimeIsUp
from awale.local import LocalGame, make_seats
from awale.match import Answered, Ended, Event, Match, Moved, Offered, Seat, TakenBack, TimeControl
from awale.players import BasePlayer, Choice, PlayerClock, PlayerSpec
from awale.rules import get, moves
from tests.waiting import GUARD

pytest.importorskip("textual")
pytest.importorskip("fastapi")

from awale.tui.app import AwaleApp, Settings
from awale.web import engine_jobs, engine_worker, live_game, schema
from awale.web.engine_pool import JobFailed, Ticket
from awale.web.live_game import Connection, LiveGame
from awale.web.request_pool import RequestPool
from tests.tui.driving import keys_of, screen, until

SOUTH, NORTH = "random", "greedy"
"""Names of programs that no interface has to compile; `PlayerSpec.make` returns the scripted ones instead."""
Normal = tuple[Any, ...]


# -- scenarios -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reply:
    """What a program does when it has to move: the first legal move, a pit by name, or an error."""

    move: str = ""
    seconds: float = 0.0
    error: str = ""
    thinks_on: bool = False
    """Whether the match is over before the program answers."""


@dataclass(frozen=True)
class Scenario:
    """`steps`: `("move", "F")`, `("wait", 5.0)`, or one of undo, redo, offer, accept, decline, resign, go-on."""

    name: str
    steps: tuple[tuple[Any, ...], ...]
    replies: tuple[Reply, ...]
    events: tuple[Normal, ...]
    answers: tuple[bool | str, ...] = ()
    """What the program says to offers to stop; a text is an error."""
    clocks: tuple[PlayerClock | None, ...] | None = None
    """What the program is told of its time; None: nothing, at every move."""
    rules: str = "abapa"
    start: str | None = None
    opening: str = ""
    control: str | None = None
    programs: bool = False
    """Whether a program, which plays the first legal move, has South's seat."""


def move(name: str) -> tuple[str, str]:
    return ("move", name)


def moved(*names: str) -> tuple[Normal, ...]:
    return tuple(("moved", name) for name in names)


def ended(reason: str, winner: int | None, scores: tuple[int, int] = (0, 0), fault: str = "") -> Normal:
    return ("ended", reason, winner, scores, fault)


UNDO, REDO, OFFER, ACCEPT, DECLINE = ("undo",), ("redo",), ("offer",), ("accept",), ("decline",)
RESIGN, GO_ON = ("resign",), ("go-on",)
CRASH = ended("crash", 0, fault="RuntimeError: boom")
CIRCLE = {"rules": "casabianca", "start": "0-0-0-0-0-1-0-0-0-0-0-1-23-23-S"}
"""Two seeds follow each other for ever; every position has one legal move."""

SCENARIOS = (
    Scenario(
        "moves to the end",
        (move("F"),),
        (Reply("f"),),
        (*moved("F", "f"), ended("no-move", 0, (28, 20))),
        start="0-0-0-0-0-2-1-1-0-0-0-4-20-20-S",
    ),
    Scenario(
        "undo, then another move",
        (move("F"), UNDO, move("E"), RESIGN),
        (Reply("f"), Reply("d")),
        (*moved("F", "f"), ("taken-back", 2, False), *moved("E", "d"), ended("resignation", 1)),
    ),
    Scenario(
        "undo, then redo",
        (move("F"), UNDO, REDO, move("E"), RESIGN),
        (Reply("f"), Reply("d")),
        (*moved("F", "f"), ("taken-back", 2, False), *moved("F", "f", "E", "d"), ended("resignation", 1)),
    ),
    Scenario(
        "an offer declined",
        (move("F"), OFFER, move("E"), RESIGN),
        (Reply("f"), Reply("d")),
        (*moved("F", "f"), ("offered", "stop", 0), ("answered", False), *moved("E", "d"), ended("resignation", 1)),
        answers=(False,),
    ),
    Scenario(
        "an offer accepted, and reopened",
        (move("F"), OFFER, UNDO, RESIGN),
        (Reply("f"),),
        (
            *moved("F", "f"),
            *(("offered", "stop", 0), ("answered", True), ended("agreement", None)),
            *(("taken-back", 0, True), ended("resignation", 1)),
        ),
        answers=(True,),
    ),
    Scenario(
        "a program fails when it is asked to stop",
        (move("F"), OFFER),
        (Reply("f"),),
        (*moved("F", "f"), ("offered", "stop", 0), CRASH),
        answers=("boom",),
    ),
    Scenario(
        "a program offers to stop, again only after a while",
        (move("f"), DECLINE, move("a"), RESIGN),
        (Reply("F"), Reply("A")),
        (
            *(*moved("f"), ("offered", "stop", 1), ("answered", False)),
            *(*moved("F", "a", "A"), ended("resignation", 1, (23, 23))),
        ),
        **CIRCLE,
    ),
    Scenario(
        "a program's offer is accepted, and no time runs meanwhile",
        (move("f"), ("wait", 100.0), ACCEPT),
        (),
        (*moved("f"), ("offered", "stop", 1), ("answered", True), ended("agreement", None, (23, 23))),
        control="30s",
        **CIRCLE,
    ),
    Scenario("resignation", (RESIGN,), (), (ended("resignation", 1),)),
    Scenario(
        "resignation while the program thinks",
        (move("F"), RESIGN),
        (Reply(thinks_on=True),),
        (*moved("F"), ended("resignation", 1)),
    ),
    Scenario(
        "thirty seconds per move",
        (move("F"), ("wait", 29.0), move("E"), ("wait", 12.0), move("D"), ("wait", 30.0)),
        (Reply("f", 20.0), Reply("e", 29.0), Reply("d", 1.0)),
        (
            *moved("F", "f", "E", "e", "D", "d"),
            ended("time", 1, fault="used 30.000 s where 30.000 s were left"),
        ),
        clocks=(PlayerClock(move=30.0),) * 3,
        control="30s",
    ),
    # The arena's clock starts with the first move, that of people with the second: hence the opening.
    Scenario(
        "a clock with an increment runs down for the person",
        (("wait", 20.0), move("E"), ("wait", 30.0), move("D"), ("wait", 16.0)),
        (Reply("e", 10.0), Reply("d")),
        (*moved("E", "e", "D", "d"), ended("time", 1, fault="used 16.000 s where 16.000 s were left")),
        clocks=(
            PlayerClock(left=60.0, increment=3.0, opponent_left=43.0),
            PlayerClock(left=53.0, increment=3.0, opponent_left=16.0),
        ),
        opening="F f",
        control="1+3",
    ),
    Scenario(
        "a take-back and a reopened game give the time back",
        (("wait", 20.0), move("E"), UNDO, ("wait", 61.0), UNDO, ("wait", 30.0), move("E"), RESIGN),
        (Reply("e", 10.0), Reply("d")),
        (
            *(*moved("E", "e"), ("taken-back", 2, False)),
            ended("time", 1, fault="used 61.000 s where 60.000 s were left"),
            *(("taken-back", 0, True), *moved("E", "d"), ended("resignation", 1)),
        ),
        clocks=(
            PlayerClock(left=60.0, increment=3.0, opponent_left=43.0),
            PlayerClock(left=60.0, increment=3.0, opponent_left=33.0),
        ),
        opening="F f",
        control="1+3",
    ),
    Scenario(
        "no time runs while a program thinks about an offer",
        (("wait", 20.0), OFFER, ("wait", 30.0), move("E"), RESIGN),
        (Reply("e"),),
        (("offered", "stop", 0), ("answered", False), *moved("E", "e"), ended("resignation", 1)),
        answers=(False,),
        clocks=(PlayerClock(left=60.0, increment=3.0, opponent_left=13.0),),
        opening="F f",
        control="1+3",
    ),
    Scenario(
        "a program takes too long",
        (move("F"),),
        (Reply("f", 31.0),),
        (*moved("F"), ended("time", 0, fault="used 31.000 s where 30.000 s were left")),
        clocks=(PlayerClock(move=30.0),),
        control="30s",
    ),
    Scenario(
        "a program takes too long and then fails",
        (move("F"),),
        (Reply(error="boom", seconds=31.0),),
        (*moved("F"), ended("time", 0, fault="used 31.000 s where 30.000 s were left")),
        clocks=(PlayerClock(move=30.0),),
        control="30s",
    ),
    Scenario("a program fails", (move("F"),), (Reply(error="boom"),), (*moved("F"), CRASH)),
    Scenario(
        "a program fails, and undo reopens the game",
        (move("F"), UNDO, GO_ON, UNDO, move("E"), RESIGN),
        (Reply(error="boom"), Reply("f"), Reply("d")),
        (
            *(*moved("F"), CRASH, ("taken-back", 0, True)),
            *(*moved("f"), ("taken-back", 2, False), *moved("E", "d"), ended("resignation", 1)),
        ),
    ),
    Scenario(
        "a program plays an illegal move",
        (move("F"),),
        (Reply("A"),),
        (*moved("F"), ended("illegal", 0, fault="A: pit A belongs to South: North is to move and plays a-f")),
    ),
    Scenario(
        "two programs make no progress",
        (),
        (Reply(),) * 12,
        (*moved(*("f", "F", "a", "A", "b", "B", "c", "C", "d", "D", "e", "E") * 2), ended("agreement", None, (23, 23))),
        programs=True,
        **CIRCLE,
    ),
)

NO_PEOPLE = "two programs play in the arena: they take nothing back, make no offers and do not resign"
LEFT_OUT = {
    ("arena", name): NO_PEOPLE
    for name in (
        "undo, then another move",
        "undo, then redo",
        "an offer declined",
        "an offer accepted, and reopened",
        "a program fails when it is asked to stop",
        "a program offers to stop, again only after a while",
        "a program's offer is accepted, and no time runs meanwhile",
        "resignation",
        "resignation while the program thinks",
        "a take-back and a reopened game give the time back",
        "no time runs while a program thinks about an offer",
        "a program fails, and undo reopens the game",
    )
} | {("line by line", "resignation while the program thinks"): "no line is read while a program thinks"}
"""What an interface cannot express, and why."""


# -- what the interfaces share ---------------------------------------------------------------------------------------


class ScriptedPlayer(BasePlayer):
    """A program with prepared replies."""

    def __init__(self, script: Script, name: str, replies: tuple[Reply, ...], answers: tuple[bool | str, ...]) -> None:
        self.script, self.name = script, name
        self.replies, self.answers = list(replies), list(answers)
        self.clocks: list[PlayerClock | None] = []

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        self.clocks.append(clock)
        reply = self.replies.pop(0)
        self.script.time += reply.seconds
        if reply.thinks_on:
            self.script.thinking.set()
            self.script.over.wait(GUARD)
        if reply.error:
            raise RuntimeError(reply.error)
        by_name = {str(known): known for known in moves.table(game.rules).values()}
        return Choice(by_name[reply.move] if reply.move else game.legal_moves[0])

    def accepts_end(self, game: Game) -> bool:
        answer = self.answers.pop(0)
        self.script.time += 40.0
        if isinstance(answer, str):
            raise RuntimeError(answer)
        return answer


@dataclass
class Script:
    """A scenario being played: its time, its programs, and what has happened."""

    scenario: Scenario
    time: float = 1000.0
    events: list[Normal] = field(default_factory=list)

    thinking: threading.Event = field(default_factory=threading.Event)
    over: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        scenario = self.scenario
        north = ScriptedPlayer(self, NORTH, scenario.replies, scenario.answers)
        south = ScriptedPlayer(self, SOUTH, (Reply(),) * 100 if scenario.programs else tuple(self._as_replies()), ())
        self.players = {SOUTH: south, NORTH: north}

    def _as_replies(self) -> Iterator[Reply]:
        """Yield a person's moves and waits as a program plays them."""
        waited = 0.0
        for kind, *argument in self.scenario.steps:
            if kind == "wait":
                waited += argument[0]
            elif kind == "move":
                yield Reply(argument[0], waited)
                waited = 0.0
        if waited:
            yield Reply("", waited)

    def now(self) -> float:
        return self.time

    @property
    def south(self) -> str:
        return SOUTH if self.scenario.programs else "person"

    @property
    def control(self) -> TimeControl | None:
        return None if self.scenario.control is None else TimeControl.parse(self.scenario.control)

    def match(self, seats: tuple[Seat, Seat], *, shared: bool) -> Match:
        game = Game(self.scenario.rules, start=self.scenario.start, moves=self.scenario.opening)
        return Match(game, seats, clock=self.control, shared=shared)

    def local(self) -> LocalGame:
        seats = make_seats(self.south, NORTH, get(self.scenario.rules))
        return LocalGame(self.match(seats, shared=True), store=False, now=self.now)


def normal(event: Event) -> Normal:
    match event:
        case Moved(trace=trace):
            return ("moved", str(trace.move))
        case TakenBack(moves=taken, reopened=reopened):
            return ("taken-back", len(taken), reopened)
        case Offered(offer=offer):
            return ("offered", offer.kind, offer.by)
        case Answered(accepted=accepted):
            return ("answered", accepted)
        case Ended(outcome=outcome, fault=fault):
            return ("ended", outcome.reason, outcome.winner, outcome.scores, fault)
    raise AssertionError(event)


ACTIONS = ("play", "play_program", "undo", "redo", "offer_stop", "answer", "resign", "fail", "check_flag")


def record_match(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    """Note the events of every action of a match; an action that another one calls counts once."""
    depth = 0

    def noted(action: Callable[..., tuple[Event, ...]], *arguments: Any, **named: Any) -> tuple[Event, ...]:
        nonlocal depth
        depth += 1
        try:
            events = action(*arguments, **named)
        finally:
            depth -= 1
        if not depth:
            script.events += map(normal, events)
        return events

    for name in ACTIONS:
        original = getattr(Match, name)
        monkeypatch.setattr(Match, name, lambda *a, _original=original, **named: noted(_original, *a, **named))


Result = tuple[tuple[str, ...], str, int | None, tuple[int, int], str]


def result_of(match: Match) -> Result:
    outcome = match.game.outcome()
    assert outcome is not None
    return tuple(map(str, match.game.moves)), outcome.reason, outcome.winner, outcome.scores, match.fault


# -- the interfaces --------------------------------------------------------------------------------------------------


class Pool:
    """Does every job at once, as an engine process does it."""

    ready = True

    def __init__(self, script: Script) -> None:
        self.north = script.players[NORTH]

    def submit(self, owner: str, job: dict[str, Any], *, seconds: float = 5.0, **more: Any) -> Ticket:
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        if job["kind"] == "choose" and self.north.replies and self.north.replies[0].thinks_on:
            self.north.replies.pop()
            self.north.clocks.append(None)
            return Ticket(1, owner, job, seconds, None, future)
        try:
            answer = engine_jobs.run(json.loads(json.dumps(job)), lambda news: None, threading.Event())
        except Exception as error:
            failed = json.loads(json.dumps(engine_worker._failure(error)))
            future.set_exception(JobFailed(failed["error"], failed["fault"]))
        else:
            future.set_result(json.loads(json.dumps(answer)))
        return Ticket(1, owner, job, seconds, None, future)

    def cancel(self, ticket: Ticket) -> None:
        ticket.result.cancel()


class Writer:
    """Stores nothing."""

    def keep(self, change: object, done: Callable[[None, None], None]) -> None:
        asyncio.get_running_loop().call_soon(done, None, None)


def from_wire(message: dict[str, Any]) -> Normal | None:
    match message["type"]:
        case "moved":
            return ("moved", message["trace"]["move"])
        case "taken-back":
            return ("taken-back", message["count"], message["reopened"])
        case "offered":
            return ("offered", message["offer"]["kind"], message["offer"]["by"])
        case "answered":
            return ("answered", message["accepted"])
        case "ended":
            outcome = message["view"]["outcome"]
            return ("ended", outcome["reason"], outcome["winner"], tuple(outcome["scores"]), message["fault"])
    return None


async def play_web(script: Script, monkeypatch: pytest.MonkeyPatch) -> Result:
    monkeypatch.setattr(live_game, "PACE_SECONDS", 0.0)
    engine_jobs._games.clear()
    engine_jobs._player.cache_clear()
    south = Seat(SOUTH, person=False) if script.scenario.programs else Seat("Ama")
    match = script.match((south, Seat(NORTH, person=False)), shared=False)

    async def no_rematch(live: LiveGame) -> str:
        raise AssertionError

    holders: tuple[set[str], set[str]] = ({"secret"}, set())
    live = LiveGame(
        1, "key", match, holders, Writer(), Pool(script), no_rematch,  # type: ignore[arg-type]
        threads=RequestPool(), on_stale=lambda live: None, now=script.now,
    )  # fmt: skip
    connection = Connection(() if script.scenario.programs else live.seats_of("secret"))
    live.enter(connection)

    def note(text: str) -> None:
        event = from_wire(json.loads(text))
        if event is not None:
            script.events.append(event)

    async def settle() -> None:
        """Wait until a person has to decide, or nobody, or for as long as the program answers."""
        replies = script.players[NORTH].replies
        while not (replies and replies[0].thinks_on):
            offer, standing = live.match.offer, live.match
            asked = standing.turn if offer is None else 1 - offer.by
            if standing.over or standing.seats[asked].person:
                break
            note(await asyncio.wait_for(connection.queue.get(), GUARD))
        while not connection.queue.empty():
            note(connection.queue.get_nowait())

    await settle()
    for kind, *argument in script.scenario.steps:
        if kind == "wait":
            script.time += argument[0]
            await live.check_flag()
        elif kind == "move":
            await live.act(connection, schema.PlayMove(type="move", ply=live.match.ply, move=argument[0]))
        elif kind in ("accept", "decline"):
            offer = live.match.offer
            assert offer is not None
            await live.act(connection, schema.Answer(type=kind, offer=offer.id))
        elif kind != "go-on":  # the server's programs do not wait to be told
            await live.act(connection, schema.GameAction(type=kind))
        await settle()
    live.close()
    return result_of(live.match)


KEYS = {
    "undo": ("u",),
    "redo": ("r",),
    "offer": ("p",),
    "accept": ("y",),
    "decline": ("n",),
    "resign": ("x", "y"),
    "go-on": ("enter",),
}


async def play_full_screen(script: Script, monkeypatch: pytest.MonkeyPatch) -> Result:
    record_match(script, monkeypatch)
    app = AwaleApp(script.local(), Settings(pause=0.0))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        board = screen(app)
        # A person has to decide, or nobody.
        settle = partial(until, pilot, lambda: board.local.question() is None or script.thinking.is_set())
        await settle()
        for kind, *argument in script.scenario.steps:
            if kind == "wait":
                script.time += argument[0]
                board._tick()
            elif kind == "move":
                await pilot.press(*keys_of(board.game, board.game.parse(argument[0])))
            else:
                await pilot.press(*KEYS[kind])
            await settle()
        script.over.set()
    return result_of(app.local.match)


WORDS = {"undo": "undo", "redo": "redo", "offer": "stop", "accept": "yes", "decline": "no", "resign": "resign"}


class Typed(Terminal):
    """A terminal at which a script is typed."""

    def __init__(self, script: Script) -> None:
        super().__init__(plain=True)
        self._script = script
        self._steps = iter(script.scenario.steps)

    def ask(self, prompt: str, seconds: float | None = None) -> str:
        for kind, *argument in self._steps:
            if kind == "move":
                return str(argument[0])
            if kind != "wait":
                return WORDS.get(kind, "")
            self._script.time += argument[0]
            if seconds is not None and argument[0] >= seconds:
                raise TimeIsUp
        raise EOFError


async def play_line_by_line(script: Script, monkeypatch: pytest.MonkeyPatch) -> Result:
    record_match(script, monkeypatch)
    game = PlainGame(script.local(), Typed(script))
    try:
        game.run()
    except EOFError:
        game.leave()
    return result_of(game.match)


async def play_in_the_arena(script: Script, monkeypatch: pytest.MonkeyPatch) -> Result:
    record_match(script, monkeypatch)
    monkeypatch.setattr(games, "perf_counter", script.now)
    scenario = script.scenario
    opening = tuple(scenario.opening.split())
    rules = get(scenario.rules)
    done = games.play(Job(0, 0, (0, 1), (SOUTH, NORTH), rules, scenario.start, opening, 1, control=script.control))
    return done.moves, done.reason, done.winner, done.scores, done.fault


INTERFACES = {
    "web": play_web,
    "full screen": play_full_screen,
    "line by line": play_line_by_line,
    "arena": play_in_the_arena,
}


@pytest.fixture(autouse=True)
def english_and_a_folder_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("AWALE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.delenv("AWALE_DATABASE_URL", raising=False)
    before = i18n.language()
    i18n.set_language("en")
    yield
    i18n.set_language(before)


@pytest.mark.parametrize(
    ("interface", "scenario"),
    [
        pytest.param(interface, scenario, id=f"{interface}: {scenario.name}")
        for interface in INTERFACES
        for scenario in SCENARIOS
        if (interface, scenario.name) not in LEFT_OUT
    ],
)
async def test_the_same_script_has_the_same_events_and_result_everywhere(
    interface: str, scenario: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = Script(scenario)
    monkeypatch.setattr(PlayerSpec, "make", lambda spec, rules, seed=None: script.players[str(spec)])
    result = await INTERFACES[interface](script, monkeypatch)
    assert script.events == list(scenario.events)
    played: list[str] = scenario.opening.split()
    for event in scenario.events:
        if event[0] == "moved":
            played.append(event[1])
        elif event[0] == "taken-back":
            del played[len(played) - event[1] :]
    assert result == (tuple(played), *scenario.events[-1][1:])
    north = script.players[NORTH]
    assert (north.replies, north.answers) == ([], [])
    assert tuple(north.clocks) == (scenario.clocks or (None,) * len(scenario.replies))


def test_only_what_needs_a_person_is_left_out() -> None:
    needs_a_person = {
        ("arena", scenario.name)
        for scenario in SCENARIOS
        if not {kind for kind, *_ in scenario.steps} <= {"move", "wait"}
    }
    assert {left_out for left_out in LEFT_OUT if left_out[0] == "arena"} == needs_a_person
