"""A live game: stored before it is told, never half changed, whatever fails or leaves."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from sqlalchemy import select
from starlette.testclient import TestClient

from awale import Game
from awale.errors import SowingError
from awale.i18n import message
from awale.match import Match, MatchError, Seat, TimeControl
from awale.rules import SowingBudget, reference
from awale.store import Store, games, position_index
from awale.store.games import StaleGameError
from awale.store.leases import LeaseError
from awale.store.models import VoidPosition
from awale.web import live_game, request_parsing, schema
from awale.web.batch_writer import BatchWriter
from awale.web.engine_pool import JobFailed, Ticket, WorkerLost
from awale.web.game_registry import GameRegistry, Holders
from awale.web.language import WebError
from awale.web.live_game import Connection, LiveGame
from tests.web.conftest import new_game
from tests.web.test_sockets import open_game, until


def stored_moves(client: Any, key: str) -> list[str]:
    with client.app.state.store.transaction() as session:
        row = games.by_key(session, key)
        assert row is not None
        return row.moves.split()


def test_a_spectator_who_leaves_while_a_move_is_stored(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody watches the computers any more: they stop, but the move that is being stored stays in the live game."""
    storing, stored, left = threading.Event(), threading.Event(), threading.Event()
    keep, leave = games.keep, LiveGame.leave

    def slow_keep(*arguments: Any) -> None:
        storing.set()
        assert stored.wait(20)
        keep(*arguments)

    def noted_leave(*arguments: Any) -> None:
        leave(*arguments)
        left.set()

    monkeypatch.setattr(games, "keep", slow_keep)
    monkeypatch.setattr(LiveGame, "leave", noted_leave)
    greedy = {"who": "computer", "name": "greedy"}
    key = new_game(client, south=greedy, north=greedy)["key"]
    with open_game(client, key):
        assert storing.wait(60)
    assert left.wait(20)
    stored.set()
    new_game(client)  # written and acknowledged after the move
    shown = client.get(f"/api/games/{key}").json()
    assert [row["move"] for row in shown["moves"]] == stored_moves(client, key)
    assert shown["ply"] == len(shown["moves"]) == 1


def full(*_: object) -> None:
    raise sqlite3.OperationalError("database or disk is full")


@pytest.mark.parametrize("message", [{"type": "resign"}, {"type": "undo"}], ids=lambda message: message["type"])
def test_what_the_store_refuses_changes_nothing(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, message: dict[str, Any]
) -> None:
    key = new_game(client, north={"who": "me"}, clock="5+0", moves="F f")["key"]
    with open_game(client, key) as socket:
        before = until(socket, "game")
        assert before["clock"]["running"] == 0
        with monkeypatch.context() as broken:
            broken.setattr(games, "keep", full)
            socket.send_json(message)
            until(socket, "refused")
        after = client.get(f"/api/games/{key}").json()
        assert (after["ply"], after["view"]["over"], after["clock"]["running"]) == (2, False, 0)


# -- driven directly: a clock and a pool that the test controls ------------------------------------------------------

ME, FRIEND = "a" * 64, "b" * 64
PROGRAM = Seat("engine:3", person=False)
LOST = WorkerLost(message("web.error.worker-lost"))


class FakePool:
    """Answers every job by a function; keeps the jobs."""

    ready = True

    def __init__(self) -> None:
        self.jobs: list[dict[str, Any]] = []
        self.answer: Callable[[dict[str, Any]], Any] = lambda job: asyncio.get_running_loop().create_future()

    def submit(self, owner: str, job: dict[str, Any], *, seconds: float = 5.0, **more: Any) -> Ticket:
        self.jobs.append(job)
        answer = self.answer(job)
        if isinstance(answer, asyncio.Future):
            future = answer
        else:
            future = asyncio.get_running_loop().create_future()
            if isinstance(answer, Exception):
                future.set_exception(answer)
            else:
                future.set_result(answer)
        return Ticket(len(self.jobs), owner, job, seconds, None, future)

    def cancel(self, ticket: Ticket) -> None:
        ticket.result.cancel()


class Server:
    """A registry without a network, at a time that stands still."""

    def __init__(self, folder: Path) -> None:
        self.time = 1000.0
        self.pool = FakePool()
        self.store = Store(f"sqlite:///{folder / 'live.sqlite'}")
        self.writer = BatchWriter(self.store)
        self.registry = self.new_registry()

    def new_registry(self) -> GameRegistry:
        return GameRegistry(self.store, self.writer, self.pool, now=lambda: self.time)  # type: ignore[arg-type]

    async def start(self, match: Match, holders: Holders | None = None) -> tuple[LiveGame, Connection]:
        """Create a game and connect the holder of the first person's seat."""
        sides = ({ME} if match.seats[0].person else set(), {ME} if match.seats[1].person else set())
        live = await self.registry.create(match, holders or sides)
        connection = Connection(live.seats_of(ME))
        live.enter(connection)
        return live, connection


@pytest_asyncio.fixture
async def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Server]:
    monkeypatch.setattr(live_game, "RETRY_SECONDS", 0.0)
    monkeypatch.setattr(live_game, "PACE_SECONDS", 0.0)
    made = Server(tmp_path)
    yield made
    await made.registry.close()
    await asyncio.to_thread(made.writer.close)
    made.store.close()


async def heard(connection: Connection, kind: str) -> dict[str, Any]:
    """Return the next message of a kind."""
    while True:
        received = json.loads(await asyncio.wait_for(connection.queue.get(), 30))
        if received["type"] == kind:
            return dict(received)


def action(kind: str) -> schema.GameAction:
    return schema.GameAction(type=kind)  # type: ignore[arg-type]


async def test_thirty_seconds_per_move_are_told_to_the_program(server: Server) -> None:
    server.pool.answer = lambda job: {"move": [11, None]}
    match = Match(Game("abapa"), (Seat(), PROGRAM), clock=TimeControl.parse("30s"))
    live, connection = await server.start(match)
    await live.act(connection, schema.PlayMove(type="move", ply=0, move="F"))
    await heard(connection, "moved")
    assert (await heard(connection, "moved"))["clock"]["eachMove"] is True
    (job,) = server.pool.jobs
    assert job["clock"] == {"left": None, "increment": 0.0, "move": 30.0, "opponent_left": None}


async def test_what_a_program_says_about_its_move_is_sent(server: Server) -> None:
    server.pool.answer = lambda job: {"move": [11, None], "info": {"source": "table", "proved": "draw"}}
    live, connection = await server.start(Match(Game("abapa"), (Seat(), PROGRAM)))
    await live.act(connection, schema.PlayMove(type="move", ply=0, move="F"))
    assert (await heard(connection, "moved"))["note"] is None
    note = (await heard(connection, "moved"))["note"]
    assert note == {"en": "proven draw, from a table", "fr": "partie nulle prouvée, d'après une table"}


async def test_a_flag_that_the_store_refuses_falls_later(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    live, connection = await server.start(Match(Game("abapa", moves="F"), clock=TimeControl(60)))
    assert live.match.flag_in(server.time) == 60
    server.time += 60
    with monkeypatch.context() as broken:
        broken.setattr(games, "keep", full)
        with pytest.raises(ValueError, match="stored"):
            await live.check_flag()
    assert not live.match.over
    await live.check_flag()
    ended = await heard(connection, "ended")
    assert (ended["view"]["outcome"]["reason"], ended["view"]["outcome"]["winner"]) == ("time", 0)


async def test_a_lost_worker_is_tried_again_and_then_loses(server: Server) -> None:
    answers = iter([LOST, {"move": [11, None]}, *[LOST] * live_game.ENGINE_TRIES])
    server.pool.answer = lambda job: next(answers)
    live, connection = await server.start(Match(Game("abapa", moves="F"), (Seat(), PROGRAM)))
    assert (await heard(connection, "moved"))["trace"]["move"] == "f"
    await live.act(connection, schema.PlayMove(type="move", ply=2, move="E"))
    ended = await heard(connection, "ended")
    assert (ended["view"]["outcome"]["reason"], ended["view"]["outcome"]["winner"]) == ("crash", 0)
    assert "process" in ended["fault"]


async def test_a_program_that_fails_loses_and_undo_lets_it_try_again(server: Server) -> None:
    failed = JobFailed({"en": "boom", "fr": "boum"}, "crash")
    answers = iter([failed, {"move": [0, None]}, {"move": [11, None]}])
    server.pool.answer = lambda job: next(answers)
    live, connection = await server.start(Match(Game("abapa", moves="F"), (Seat(), PROGRAM)))
    ended = await heard(connection, "ended")
    assert (ended["view"]["outcome"]["reason"], ended["fault"], ended["canUndo"]) == ("crash", "boom", True)
    await live.act(connection, action("undo"))
    assert (await heard(connection, "taken-back"))["reopened"] is True
    assert (await heard(connection, "ended"))["view"]["outcome"]["reason"] == "illegal"
    await live.act(connection, action("undo"))
    assert (await heard(connection, "moved"))["ply"] == 2


async def test_a_finished_game_that_goes_on_leaves_the_index_of_positions(server: Server) -> None:
    live, connection = await server.start(Match(Game("abapa", moves="F"), shared=True))
    await live.act(connection, action("resign"))
    with server.store.transaction() as session:
        assert position_index.update_index(session) == 1
    await live.act(connection, action("undo"))
    await live.act(connection, action("resign"))
    with server.store.transaction() as session:
        assert session.scalars(select(VoidPosition.game_id)).all() == [live.number]
        assert position_index.update_index(session) == 1


async def test_a_program_answers_an_offer_before_it_moves(server: Server) -> None:
    choice: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    server.pool.answer = lambda job: choice if job["kind"] == "choose" else {"agrees": True, "offers": False}
    live, connection = await server.start(Match(Game("casabianca", moves="f"), (Seat(), PROGRAM)))
    await live.act(connection, action("offer"))
    choice.set_result({"move": [6, None]})
    assert (await heard(connection, "answered"))["accepted"] is True
    assert (await heard(connection, "ended"))["view"]["outcome"]["reason"] == "agreement"
    assert live.match.ply == 1


async def test_a_program_answers_an_offer_that_was_open_when_the_server_stopped(server: Server) -> None:
    never: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    server.pool.answer = lambda job: never
    live, connection = await server.start(Match(Game("casabianca", moves="f"), (Seat(), PROGRAM)))
    await live.act(connection, action("offer"))
    live.close()
    server.pool.answer = lambda job: {"agrees": True}
    again = await server.new_registry().find(live.key)
    connection = Connection(again.seats_of(ME))
    again.enter(connection)
    assert (await heard(connection, "answered"))["accepted"] is True
    assert (await heard(connection, "ended"))["view"]["outcome"]["reason"] == "agreement"


async def test_a_program_offers_to_stop_where_nothing_else_ends_the_game(server: Server) -> None:
    server.pool.answer = lambda job: {"move": [11, None], "offers": True}
    for rules, offers in (("casabianca", True), ("abapa", False)):
        first = str(Game(rules).legal_moves[-1])
        live, connection = await server.start(Match(Game(rules, moves=first), (Seat(), PROGRAM)))
        if offers:
            offer = (await heard(connection, "offered"))["offer"]
            assert (offer["kind"], offer["by"]) == ("stop", 1)
            await live.act(connection, schema.Answer(type="accept", offer=offer["id"]))
            assert (await heard(connection, "ended"))["view"]["outcome"]["reason"] == "agreement"
        else:
            await heard(connection, "moved")
            assert not any(job["kind"] == "offers" and job["rules"] == "abapa" for job in server.pool.jobs)


async def test_two_programs_do_not_play_for_ever(server: Server) -> None:
    """Three seeds circle: the third time a position is back, the match ends."""

    def first_move(job: dict[str, Any]) -> dict[str, Any]:
        return {"move": [Game("casabianca", start=job["start"], moves=job["moves"]).legal_moves[0].pit, None]}

    server.pool.answer = first_move
    start = Game("casabianca", start="0-0-1-0-0-0-0-0-1-1-0-0-22-23-S")
    _, connection = await server.start(Match(start, (PROGRAM, PROGRAM)))
    ended = await heard(connection, "ended")
    assert (ended["view"]["outcome"]["reason"], ended["ply"]) == ("agreement", 48)


async def test_time_stands_while_nobody_watches_two_programs(server: Server) -> None:
    match = Match(Game("abapa", moves="F"), (PROGRAM, PROGRAM), clock=TimeControl(60))
    live, connection = await server.start(match)
    while not server.pool.jobs:
        await asyncio.sleep(0)
    server.time += 10
    live.leave(connection)
    server.time += 1000
    live.enter(connection)
    assert live.match.clock is not None
    assert live.match.clock.remaining(1, server.time) == 50


async def test_spectators_get_no_rematch_and_no_say(server: Server) -> None:
    live, _ = await server.start(Match(Game("abapa"), (Seat(), PROGRAM)))
    spectator = Connection(())
    live.enter(spectator)
    for kind in ("resign", "undo", "rematch", "offer"):
        with pytest.raises(MatchError, match="spectator"):
            await live.act(spectator, action(kind))
    assert live.rematch is None


async def test_a_rematch_changes_the_sides_and_their_holders(server: Server) -> None:
    match = Match(Game("abapa", moves="F"), (Seat("Ama"), Seat("Kofi")), clock=TimeControl(60, 1))
    live, south = await server.start(match, ({ME}, {FRIEND}))
    north = Connection(live.seats_of(FRIEND))
    live.enter(north)
    await live.act(south, action("resign"))
    await live.act(south, action("rematch"))
    offer = (await heard(north, "offered"))["offer"]
    await live.act(north, schema.Answer(type="accept", offer=offer["id"]))
    key = (await heard(south, "rematch"))["key"]
    again = await server.registry.find(key)
    assert (again.seats_of(ME), again.seats_of(FRIEND)) == ((1,), (0,))
    assert [seat.name for seat in again.match.seats] == ["Kofi", "Ama"]
    assert again.match.clock is not None
    assert (again.match.ply, again.match.clock.control) == (0, TimeControl(60, 1))
    await live.act(north, action("rematch"))  # asked again: the same game
    assert (await heard(north, "rematch"))["key"] == key


async def test_redo_tells_every_move_with_its_own_position(server: Server) -> None:
    live, connection = await server.start(Match(Game("abapa", moves="F f E"), (PROGRAM, Seat())))
    await live.act(connection, action("undo"))
    assert (await heard(connection, "taken-back"))["ply"] == 1
    await live.act(connection, action("redo"))
    for ply in (2, 3):
        moved = await heard(connection, "moved")
        assert (moved["ply"], moved["view"]["ply"], len(moved["row"]["after"]["board"])) == (ply, ply, 12)
    assert [row.move for row in live.rows] == ["F", "f", "E"]


async def test_a_relay_move_is_sown_once(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    live, connection = await server.start(Match(Game("ghana"), shared=True))
    sown: list[tuple[tuple[int, ...], int]] = []
    sow_relay = reference.sow_relay

    def counted(board: list[int], pit: int, most: int, *, side: range | None) -> tuple[int, int, int | None, int]:
        sown.append((tuple(board), pit))
        return sow_relay(board, pit, most, side=side)

    monkeypatch.setattr(reference, "sow_relay", counted)
    reference._relay.cache_clear()
    await live.act(connection, schema.PlayMove(type="move", ply=0, move="3"))
    await heard(connection, "moved")
    assert sown.count((Game("ghana").counts, 2)) == 1
    assert len(sown) == len(set(sown))


async def test_a_sowing_beyond_the_budget_is_refused(server: Server) -> None:
    # Under these rules an endless sowing may be played, so that the position itself is not refused.
    start = "1-6-3-11-1-0-6-0-4-1-2-11-0-2-N"
    live, connection = await server.start(Match(Game("ghana-basic", start=start), shared=True))
    live.budget = SowingBudget(2000, message="web.error.sowing")
    with pytest.raises(SowingError, match="too long"):
        await live.act(connection, schema.PlayMove(type="move", ply=0, move="11"))
    assert live.match.ply == 0


@pytest.mark.parametrize(
    ("state", "over"),
    [
        (
            {
                "seats": [{"kind": "person", "name": "Ada"}, {"kind": "computer", "name": "greedy"}],
                "redo": ["E"],
                "clock": {"start": 300.0, "increment": 3.0, "each_move": False, "left": [250.0, 301.5], "running": 0},
                "ended": None,
                "rematch": None,
            },
            False,
        ),
        ({"seats": [{"kind": "person", "name": "Ada"}, {"kind": "person", "name": ""}], "ended": "time-1"}, True),
        ({}, False),
    ],
    ids=["clock", "ended", "imported"],
)
async def test_games_stored_by_earlier_versions_go_on(server: Server, state: dict[str, Any], over: bool) -> None:
    live, _ = await server.start(Match(Game("abapa", moves="F f"), (Seat("Ada"), Seat("greedy", person=False))))

    def overwrite(session: Any) -> None:
        row = games.by_key(session, live.key)
        games.set_live(session, row, state)

    await server.writer.do(overwrite)
    server.registry = server.new_registry()
    again = await server.registry.find(live.key)
    assert (again.match.ply, again.match.over, again.match.seats[0].name) == (2, over, "Ada")
    if "clock" in state:
        assert again.match.clock is not None
        assert (again.match.clock.left, again.match.can_redo) == ([250.0, 301.5], True)
        assert [seat.person for seat in again.match.seats] == [True, False]
        connection = Connection(again.seats_of(ME))
        again.enter(connection)
        await again.act(connection, action("redo"))
        assert (await heard(connection, "moved"))["trace"]["move"] == "E"


async def test_a_stored_game_keeps_its_times_and_its_ending(server: Server) -> None:
    live, connection = await server.start(Match(Game("abapa"), clock=TimeControl(60), shared=True))
    for ply, move in enumerate("Ff"):
        await live.act(connection, schema.PlayMove(type="move", ply=ply, move=move))
        server.time += 5
    await live.act(connection, action("resign"))
    server.registry = server.new_registry()
    again = await server.registry.find(live.key)
    assert again.match.game.ended == "resignation-0"
    assert again.match.clock is not None
    assert again.match.clock.left == [55.0, 55.0]
    assert again.snapshot((), since=1).missed[0].move == "f"


# -- memory ----------------------------------------------------------------------------------------------------------


async def test_a_game_with_a_clock_that_does_not_run_leaves_memory(server: Server) -> None:
    server.registry.idle_seconds = 0.0
    match = Match(Game("abapa"), (Seat(), Seat()), clock=TimeControl.parse("5+3"))
    live, connection = await server.start(match)
    assert server.registry.sweep() == 0
    live.leave(connection)
    assert server.registry.sweep() == 1
    again = await server.registry.find(live.key)
    assert again is not live
    assert again.match.clock is not None


async def test_a_running_clock_keeps_its_game_until_the_flag_falls(server: Server) -> None:
    server.registry.idle_seconds = 0.0
    match = Match(Game("abapa"), (Seat(), Seat()), clock=TimeControl.parse("5+3"))
    live, connection = await server.start(match)
    await live.act(connection, schema.PlayMove(type="move", ply=0, move="F"))
    live.leave(connection)
    assert server.registry.sweep() == 0
    server.time += 301.0
    await live.check_flag()
    assert live.match.over
    assert server.registry.sweep() == 1


async def test_the_least_recently_used_game_makes_room(server: Server) -> None:
    server.registry.most_games = 2
    first, one = await server.start(Match(Game("abapa"), shared=True))
    second, two = await server.start(Match(Game("abapa"), shared=True))
    with pytest.raises(WebError) as refused:
        await server.registry.create(Match(Game("abapa"), shared=True), (set(), set()))
    assert refused.value.status == 503
    second.leave(two)
    third = await server.registry.create(Match(Game("abapa"), shared=True), (set(), set()))
    assert set(server.registry.games) == {first.key, third.key}
    assert (await server.registry.find(second.key)).key == second.key
    assert set(server.registry.games) == {first.key, second.key}
    first.leave(one)


async def test_long_games_leave_memory_sooner(server: Server) -> None:
    long, connection = await server.start(Match(Game("abapa", moves="F f E"), shared=True))
    short, other = await server.start(Match(Game("abapa", moves="F"), shared=True))
    long.leave(connection)
    short.leave(other)
    assert server.registry.sweep() == 0
    server.registry.most_plies = 3
    assert server.registry.sweep() == 1
    assert set(server.registry.games) == {short.key}


async def test_a_game_of_the_greatest_length_is_stopped_and_can_be_loaded(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_parsing, "MAX_PLIES", 2)
    live, connection = await server.start(Match(Game("abapa"), shared=True))
    for ply, move in enumerate("Ff"):
        await live.act(connection, schema.PlayMove(type="move", ply=ply, move=move))
    assert live.match.game.ended == "length"
    assert (await server.new_registry().find(live.key)).match.over


# -- nobody there ----------------------------------------------------------------------------------------------------


async def test_a_program_stops_thinking_when_its_opponent_stays_away(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_game, "AWAY_SECONDS", 0.0)
    thinking: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    server.pool.answer = lambda job: thinking
    live, connection = await server.start(Match(Game("abapa"), (PROGRAM, Seat())))
    await until_true(lambda: bool(server.pool.jobs))
    live.leave(connection)
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(asyncio.shield(thinking), 30)
    server.pool.answer = lambda job: {"move": [0, None]}
    again = Connection(live.seats_of(ME))
    live.enter(again)
    assert (await heard(again, "moved"))["ply"] == 1


async def test_a_program_whose_time_runs_goes_on(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_game, "AWAY_SECONDS", 0.0)
    thinking: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    server.pool.answer = lambda job: thinking
    match = Match(Game("abapa"), (Seat(), PROGRAM), clock=TimeControl.parse("5"))
    live, connection = await server.start(match)
    await live.act(connection, schema.PlayMove(type="move", ply=0, move="F"))
    await until_true(lambda: bool(server.pool.jobs))
    live.leave(connection)
    await until_true(lambda: live._away)
    thinking.set_result({"move": [11, None]})
    await until_true(lambda: live.match.ply == 2)


async def until_true(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0)


# -- two servers on one database -------------------------------------------------------------------------------------


async def test_a_game_of_another_server_is_refused_until_that_one_stops(server: Server) -> None:
    await server.registry.extend_leases()
    live, connection = await server.start(Match(Game("abapa"), shared=True))
    other = GameRegistry(server.store, server.writer, server.pool, server="other")  # type: ignore[arg-type]
    with pytest.raises(LeaseError, match="another server"):
        await other.find(live.key)
    await live.act(connection, schema.PlayMove(type="move", ply=0, move="F"))
    await server.registry.close()
    taken = await other.find(live.key)
    assert [str(move) for move in taken.match.game.moves] == ["F"]
    await other.close()


async def test_a_stale_game_is_not_written_but_loaded_again(server: Server) -> None:
    """This server was suspended for so long that another one went on with the game."""
    live, connection = await server.start(Match(Game("abapa"), shared=True))
    other = GameRegistry(server.store, server.writer, server.pool, server="other")  # type: ignore[arg-type]
    there = await other.find(live.key)  # the first server was never seen, so its lease is not valid
    elsewhere = Connection((0, 1))
    there.enter(elsewhere)
    await there.act(elsewhere, schema.PlayMove(type="move", ply=0, move="A"))
    with pytest.raises(StaleGameError, match="loaded again"):
        await live.act(connection, schema.PlayMove(type="move", ply=0, move="F"))
    await heard(connection, "closing")
    assert live.key not in server.registry.games
    await other.close()
    again = await server.registry.find(live.key)
    assert [str(move) for move in again.match.game.moves] == ["A"]


async def test_a_game_that_leaves_memory_can_be_taken_by_another_server(server: Server) -> None:
    await server.registry.extend_leases()
    live, connection = await server.start(Match(Game("abapa"), shared=True))
    live.leave(connection)
    server.registry.idle_seconds = 0.0
    assert server.registry.sweep() == 1
    other = GameRegistry(server.store, server.writer, server.pool, server="other")  # type: ignore[arg-type]
    assert (await other.find(live.key)).key == live.key
    await other.close()
