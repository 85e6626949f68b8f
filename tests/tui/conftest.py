"""The application as the tests drive it: no pauses, a clock that stands still, analyses made up here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from awale.game import Game
from awale.local import LocalGame, make_seats
from awale.match import Match

pytest.importorskip("textual")

from awale.tui.app import AwaleApp, Settings


@pytest.fixture(autouse=True)
def a_folder_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("NO_COLOR", "COLUMNS", "LINES", "AWALE_DATABASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWALE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")


@pytest.fixture
def slow_sowing(monkeypatch: pytest.MonkeyPatch) -> None:
    """With `pause=30.0`, seconds for every seed: also on a busy machine a key comes before the sowing is over."""
    monkeypatch.setattr("awale.tui.sowing_frames.SEED_SECONDS", 4.0)


@pytest.fixture
def application() -> Callable[..., AwaleApp]:
    """An application with a game: `application("ghana", north="random")`."""

    def make(
        rules: str | Game = "abapa",
        *,
        south: str = "person",
        north: str = "person",
        seed: int = 1,
        time: Any = None,
        store: bool = False,
        clock: Callable[[], float] = lambda: 0.0,
        ask: bool = False,
        **settings: Any,
    ) -> AwaleApp:
        game = rules if isinstance(rules, Game) else Game(rules)
        match = Match(game, make_seats(south, north, game.rules, seed), clock=time, shared=True)
        local = LocalGame(match, store=store, now=clock)
        return AwaleApp(local, Settings(**{"pause": 0.0, "seed": seed, **settings}), ask=ask)

    return make
