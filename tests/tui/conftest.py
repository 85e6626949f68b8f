"""The application as the tests drive it: no pauses, a clock that stands still, analyses made up here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from awale import i18n
from awale.cli import opponents, saved_games
from awale.game import Game
from awale.players import BasePlayer, Choice, PlayerClock

pytest.importorskip("textual")

from awale.tui.app import AwaleApp, Settings
from awale.tui.house import House
from awale.tui.table import Table


@pytest.fixture(autouse=True)
def english_and_a_folder_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    for name in ("NO_COLOR", "COLUMNS", "LINES", "AWALE_DATABASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWALE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    before = i18n.language()
    i18n.set_language("en")
    yield
    i18n.set_language(before)


class Last(BasePlayer):
    """Advises the last legal move."""

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        return Choice(game.legal_moves[-1])


@pytest.fixture
def slow_sowing(monkeypatch: pytest.MonkeyPatch) -> None:
    """With `pause=30.0`, seconds for every seed: also on a busy machine a key comes before the sowing is over."""
    monkeypatch.setattr("awale.tui.sowing_frames.SEED_SECONDS", 4.0)


def house(**others: Any) -> House:
    return House(
        **{
            "names": opponents.names,
            "seat": opponents.seat,
            "adviser": lambda rules: Last(),
            "offers_to_stop": opponents.offers_to_stop,
            "new_place": saved_games.new_unfinished,
            "keep": saved_games.keep,
            "write": saved_games.write,
            "store": lambda *_: "",
            "read": saved_games.read,
            **others,
        }
    )


@pytest.fixture
def application() -> Callable[..., AwaleApp]:
    """An application with a game: `application("ghana", north="random")`."""

    def make(
        rules: str | Game = "abapa",
        *,
        south: str = "person",
        north: str = "person",
        seed: int = 1,
        kept_in: Path | None = None,
        others: dict[str, Any] | None = None,
        **settings: Any,
    ) -> AwaleApp:
        time = settings.pop("time", None)
        game = rules if isinstance(rules, Game) else Game(rules)
        home = house(**(others or {}))
        seats = (opponents.seat(south, game.rules, seed), opponents.seat(north, game.rules, seed + 1))
        ask = settings.pop("ask", False)
        chosen = {"pause": 0.0, "clock": lambda: 0.0, "seed": seed, **settings}
        return AwaleApp(home, Table(home, game, seats, kept_in, time), Settings(**chosen), ask=ask)

    return make
