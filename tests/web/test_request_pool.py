"""The threads of requests: owners take turns, nobody fills them, and what waits too long is refused."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio

from awale import Game
from awale.errors import SowingError
from awale.rules import SowingBudget, reference
from awale.web.language import WebError
from awale.web.request_pool import RequestPool
from tests.waiting import GUARD


class Gate:
    """Work that begins when it begins, and ends when the test says so."""

    def __init__(self) -> None:
        self.begun, self.open = threading.Event(), threading.Event()

    def __call__(self) -> str:
        self.begun.set()
        assert self.open.wait(GUARD)
        return "done"


@pytest_asyncio.fixture
async def pool() -> AsyncIterator[RequestPool]:
    made = RequestPool(2, limit=4, limit_each=3)
    yield made
    made.close()


async def started(gate: Gate) -> None:
    assert await asyncio.to_thread(gate.begun.wait, GUARD)


async def test_an_owner_has_one_thread_and_the_others_do_not_wait(pool: RequestPool) -> None:
    gates = [Gate() for _ in range(3)]
    greedy = [asyncio.create_task(pool.run("greedy", gate)) for gate in gates]
    await started(gates[0])
    assert await pool.run("other", lambda: "at once") == "at once"
    assert not gates[1].begun.is_set()
    for gate in gates:
        gate.open.set()
    assert await asyncio.gather(*greedy) == ["done"] * 3
    assert (pool.busy, pool.waiting) == (0, 0)


async def test_owners_take_turns(pool: RequestPool) -> None:
    order: list[str] = []
    pool = RequestPool(1)
    gate = Gate()
    first = asyncio.create_task(pool.run("a", gate))
    await started(gate)

    def note(name: str) -> Callable[[], None]:
        return lambda: order.append(name)

    rest = [asyncio.create_task(pool.run(name[0], note(name))) for name in ("a1", "a2", "b1", "c1")]
    await asyncio.sleep(0)  # all of them wait
    gate.open.set()
    await asyncio.gather(first, *rest)
    pool.close()
    assert order[:2] in (["b1", "c1"], ["c1", "b1"])  # they have used no time yet


async def test_too_much_is_refused(pool: RequestPool) -> None:
    gates = [Gate() for _ in range(4)]
    tasks = [asyncio.create_task(pool.run("a", gate)) for gate in gates]
    await started(gates[0])
    with pytest.raises(WebError) as refused:
        await pool.run("a", lambda: None)
    assert refused.value.status == 503
    for gate in gates:
        gate.open.set()
    await asyncio.gather(*tasks)


async def test_what_waits_too_long_or_is_cancelled_never_runs() -> None:
    pool = RequestPool(1, patience=0.0)
    gate, late = Gate(), Gate()
    first = asyncio.create_task(pool.run("a", gate))
    await started(gate)
    with pytest.raises(WebError):
        await pool.run("b", late)
    pool.patience = 60.0
    leaving = asyncio.create_task(pool.run("c", late))
    await asyncio.sleep(0)
    leaving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await leaving
    assert pool.waiting == 0
    gate.open.set()
    await first
    assert not late.begun.is_set()
    pool.close()


async def test_errors_and_budgets_reach_the_thread(pool: RequestPool) -> None:
    reference._relay.cache_clear()
    with pytest.raises(SowingError):
        await pool.run("a", lambda: Game("ghana", start="1-6-3-11-1-0-6-0-4-1-2-11-0-2-N"), budget=SowingBudget(1000))
