"""The engine client: a context manager with `play` and `analyse`, for a program and in process, sync and async."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable

import pytest

import awale
from awale import Game, Limit
from awale.errors import GameStateError, PlayerError, PlayerFault
from awale.players import PlayerClock
from awale.protocols import AsyncUciEngine, UciEngine
from awale.protocols.external_process import Program


def use(engine: UciEngine | awale.Engine) -> None:
    """What holds for every engine, wherever it runs."""
    game = Game("abapa", moves="F f")
    engine.new_game()
    choice = engine.play(game, Limit(time=0.05))
    assert choice.move in game.legal_moves
    assert choice.line[0] == choice.move
    assert engine.play(game, Limit(depth=2), clock=PlayerClock(left=30)).move in game.legal_moves
    assert engine.play(game, clock=PlayerClock(move=0.05)).move in game.legal_moves
    analysis = engine.analyse(game, Limit(depth=2))
    assert (analysis.position, analysis.turn, analysis.final) == (game.position, 0, True)
    assert analysis.best in game.legal_moves
    assert analysis.value.player == 0
    with pytest.raises(GameStateError):
        engine.play(Game("abapa", start="0-0-0-0-0-0-0-0-0-0-0-0-24-24-S"), Limit(depth=1))


def test_a_program(mock: Callable[..., str]) -> None:
    with UciEngine(mock("uci")) as engine:
        assert engine.introduction.name == "mock"
        assert "ghana" in engine.introduction.variants
        use(engine)


def test_in_process() -> None:
    with awale.Engine("abapa", hash_mb=1) as engine:
        use(engine)


def test_options_are_sent(mock: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []
    send = Program.send
    monkeypatch.setattr(Program, "send", lambda self, line, *more: (sent.append(line), send(self, line, *more))[1])
    with UciEngine(mock("uci"), "Ghana", options={"Hash": 64}):
        pass
    assert "setoption name UCI_Variant value ghana" in sent
    assert "setoption name Hash value 64" in sent


def test_our_engine_is_asked_with_a_limit_and_for_several_lines() -> None:
    game = Game("abapa", moves="F f E")
    with UciEngine(f"{sys.executable} -m awale uci") as engine:
        found = engine.analyse(game, Limit(depth=5, hash_mb=2, threads=1), multi=3)
        assert len({move.move for move in found.moves}) == 3
        assert found.best == found.moves[0].move == found.line[0]
        assert [len(move.line) for move in found.moves] == [5, 5, 5]
        values = [move.value.seeds for move in found.moves]
        assert values == sorted(values, reverse=True)
        assert len(engine.analyse(game, Limit(nodes=2000)).moves) == 1


def test_what_cannot_be_started(mock: Callable[..., str]) -> None:
    with pytest.raises(PlayerError, match="no-such-engine"):
        UciEngine("no-such-engine")
    with pytest.raises(PlayerError, match="does not play casabianca"), UciEngine(mock("uci"), "casabianca"):
        pass


@pytest.mark.parametrize(("fault", "kind"), [("illegal", "illegal"), ("dies", "crash")])
def test_faults_have_a_kind_and_the_engine_starts_again(mock: Callable[..., str], fault: str, kind: str) -> None:
    with UciEngine(mock("uci", fault)) as engine:
        for _ in range(2):
            with pytest.raises(PlayerFault) as caught:
                engine.play(Game("abapa"), Limit(time=0.05))
            assert caught.value.kind == kind


def test_a_search_is_stopped_from_another_thread(mock: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    searching = _when_searching(monkeypatch)
    with UciEngine(mock("uci", "until-stop")) as engine:
        stopper = threading.Thread(target=lambda: searching.wait(60) and engine.stop())
        stopper.start()
        assert engine.play(Game("abapa"), Limit(depth=60)).move in Game("abapa").legal_moves
        stopper.join()


def _when_searching(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """An event that is set when a `go` has been sent."""
    event, send = threading.Event(), Program.send

    def watched(self: Program, line: str, seconds: float = 5.0) -> None:
        send(self, line, seconds)
        if line.startswith("go"):
            event.set()

    monkeypatch.setattr(Program, "send", watched)
    return event


def test_async(mock: Callable[..., str]) -> None:
    async def main() -> None:
        game = Game("abapa")
        async with AsyncUciEngine(mock("uci")) as engine:
            assert engine.introduction.name == "mock"
            await engine.new_game()
            # Both at once: one waits for the other.
            choice, analysis = await asyncio.gather(
                engine.play(game, Limit(time=0.05)), engine.analyse(game, Limit(depth=1))
            )
        assert choice.move == analysis.best == game.legal_moves[0]

    asyncio.run(main())


@pytest.mark.parametrize("fault", ["until-stop", "silent"])
def test_a_cancelled_search_leaves_the_engine_usable(
    mock: Callable[..., str], monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    monkeypatch.setattr("awale.protocols.uci_client.GRACE_SECONDS", 2.0)
    searching = _when_searching(monkeypatch)

    async def main() -> None:
        async with AsyncUciEngine(mock("uci", fault)) as engine:
            for _ in range(2):
                searching.clear()
                task = asyncio.ensure_future(engine.play(Game("abapa"), Limit(depth=60)))
                assert await asyncio.to_thread(searching.wait, 60)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task

    asyncio.run(main())
