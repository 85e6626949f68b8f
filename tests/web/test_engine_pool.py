"""Engine work in processes: fair, bounded, cancelled, and replaced when it dies."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import os
import resource
import signal
import threading
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from awale import Game
from awale.players.user_file import MEMORY
from awale.rules.moves import make
from awale.web import engine_jobs, engine_worker
from awale.web.engine_pool import BusyError, JobFailed, Pool, Ticket, WorkerLost
from awale.web.usage import Usage
from tests.waiting import GUARD


@pytest_asyncio.fixture
async def pool() -> AsyncIterator[Pool]:
    made = Pool(1, limit=40, limit_each=25, warm=False)
    await made.start()
    yield made
    await made.close()


def job(player: str = "greedy", moves: str = "") -> dict[str, object]:
    return engine_jobs.job("choose", Game("abapa", moves=moves), player=player)


async def endless_analysis(pool: Pool) -> Ticket:
    """Start an analysis of an hour and wait for its first report."""
    begun = asyncio.Event()
    asked = engine_jobs.job("analyse", Game("abapa"), seconds=3600)
    ticket = pool.submit("a", asked, seconds=3600, on_progress=lambda _: begun.set())
    await asyncio.wait_for(begun.wait(), GUARD)
    return ticket


async def test_a_player_answers(pool: Pool) -> None:
    answer = await pool.submit("a", job()).result
    assert answer["move"][0] in range(6)
    with pytest.raises(JobFailed, match="nobody"):
        await pool.submit("a", job("nobody")).result


def test_a_job_that_compiles_says_so_before_its_first_news(monkeypatch: pytest.MonkeyPatch) -> None:
    counts, begun, out = iter([5, 5, 6, 7]), threading.Event(), io.StringIO()
    monkeypatch.setattr(engine_worker, "COMPILING_POLL", 0.001)
    monkeypatch.setattr(engine_worker, "compiled", lambda: next(counts))
    engine_worker._tell_compiling(out, 3, begun)
    assert [json.loads(line) for line in out.getvalue().splitlines()] == [{"id": 3, "compiling": True}]
    begun.set()
    engine_worker._tell_compiling(out, 4, begun)
    assert out.getvalue().count("compiling") == 1


async def test_who_waits_is_told_that_the_engine_is_compiled(pool: Pool) -> None:
    told: list[int] = []
    tickets = [pool.submit("a", job(), on_compiling=lambda n=n: told.append(n)) for n in range(2)]  # type: ignore[misc]
    (worker,) = pool._workers
    pool._received(worker, {"id": tickets[0].id, "compiling": True})
    pool._received(worker, {"id": tickets[1].id, "compiling": True})  # its turn is still to come
    assert told == [0]
    assert (await asyncio.wait_for(tickets[0].result, GUARD))["move"]


async def test_owners_take_turns(pool: Pool) -> None:
    order: list[str] = []
    waiting = []
    for owner in ["crowd"] * 12 + ["connection"]:
        ticket = pool.submit(owner, job())
        ticket.result.add_done_callback(lambda _, owner=owner: order.append(owner))
        waiting.append(ticket.result)
    await asyncio.gather(*waiting)
    assert order.index("connection") <= 2


async def test_too_much_is_refused(pool: Pool) -> None:
    tickets = [pool.submit("one", job(), background=True) for _ in range(26)]  # one is being worked on, 25 wait
    with pytest.raises(BusyError):
        pool.submit("one", job(), background=True)
    others = [pool.submit(f"other{n}", job()) for n in range(15)]
    with pytest.raises(BusyError):
        pool.submit("new", job())
    for ticket in [*tickets, *others]:
        pool.cancel(ticket)
    assert pool.waiting == 0


async def test_what_nobody_waits_for_is_stopped(pool: Pool) -> None:
    """A search that would take an hour is stopped, and the next job is answered by the same process or a new one."""
    endless = await endless_analysis(pool)
    assert pool.busy == 1
    pool.cancel(endless)
    assert endless.result.cancelled()
    answer = await asyncio.wait_for(pool.submit("b", job()).result, GUARD)
    assert answer["move"]


async def test_a_process_that_dies_is_replaced(pool: Pool) -> None:
    await pool.submit("a", job()).result
    (worker,) = pool._workers
    lost = await endless_analysis(pool)
    os.kill(worker.process.pid, signal.SIGKILL)
    with pytest.raises(WorkerLost):
        await lost.result
    answer = await asyncio.wait_for(pool.submit("a", job()).result, GUARD)
    assert answer["move"]
    assert len(pool._workers) == 1
    assert pool._workers[0].process.pid != worker.process.pid


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="needs Linux")
async def test_a_process_without_memory_fails_alone(pool: Pool) -> None:
    await pool.submit("a", job()).result
    (worker,) = pool._workers
    assert resource.prlimit(worker.process.pid, resource.RLIMIT_DATA)[0] == MEMORY
    resource.prlimit(worker.process.pid, resource.RLIMIT_DATA, (1 << 20, 1 << 20))
    with pytest.raises((WorkerLost, JobFailed)):
        await pool.submit("a", engine_jobs.job("analyse", Game("abapa"), seconds=1), seconds=60).result
    with contextlib.suppress(ProcessLookupError):
        os.kill(worker.process.pid, signal.SIGKILL)
    assert worker.reader is not None
    await worker.reader  # the pool has seen its end: no job goes to a process that is gone
    answer = await asyncio.wait_for(pool.submit("a", job()).result, GUARD)
    assert answer["move"]


async def test_a_game_is_followed_move_by_move(pool: Pool) -> None:
    """Moves added and taken back: the process keeps the game in memory and must not mix it up."""
    game = Game("abapa")
    for _ in range(12):
        answer = await pool.submit("a", {**engine_jobs.job("choose", game, player="greedy"), "key": "same"}).result
        game.push(make(game.rules, *answer["move"]))
    for _ in range(5):
        game.pop()
    answer = await pool.submit("a", {**engine_jobs.job("choose", game, player="greedy"), "key": "same"}).result
    assert make(game.rules, *answer["move"]) in game.legal_moves


async def test_a_move_does_not_wait_for_twenty_analyses() -> None:
    pool = Pool(2, warm=False)
    await pool.start()
    begun = asyncio.Event()
    asked = engine_jobs.job("analyse", Game("abapa"), seconds=3600)
    analyses = [
        pool.submit(f"page{n}", asked, seconds=3600, background=True, on_progress=lambda _: begun.set())
        for n in range(20)
    ]
    await asyncio.wait_for(begun.wait(), GUARD)
    answer = await asyncio.wait_for(pool.submit("player", job("engine:1")).result, GUARD)
    assert answer["move"][0] in range(6)
    assert not any(ticket.result.done() for ticket in analyses)
    assert pool.busy == 1
    for ticket in analyses:
        pool.cancel(ticket)
    await pool.close()


async def test_moves_come_before_analyses_that_wait(pool: Pool) -> None:
    order: list[str] = []
    running = await endless_analysis(pool)
    waiting = []
    for name in ("analysis", "move"):
        ticket = pool.submit(name, job(), background=name == "analysis")
        ticket.result.add_done_callback(lambda _, name=name: order.append(name))
        waiting.append(ticket.result)
    pool.cancel(running)
    await asyncio.wait_for(asyncio.gather(*waiting), GUARD)
    assert order == ["move", "analysis"]


def test_whoever_used_less_time_is_next() -> None:
    now = 100.0
    usage = Usage(lambda: now)
    usage.add("long", 10.0)
    usage.add("short", 1.0)
    assert min(("long", "short", "new"), key=usage.of) == "new"
    assert min(("long", "short"), key=usage.of) == "short"
    now += 3600.0
    usage.add("short", 1.0)
    assert usage.of("long") < usage.of("short")
