"""What the screens look like, as pictures (`pytest tests/tui/test_looks.py --snapshot-update` takes new ones)."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from awale import i18n
from awale.game import Game
from awale.players import PlayerSpec
from awale.tui.app import AwaleApp
from awale.tui.ascii import plain
from tests.tui.driving import screen, until
from tests.tui.thoughts import made_up


class Picture(SingleFileSnapshotExtension):
    file_extension = "svg"
    _write_mode = WriteMode.TEXT


@pytest.fixture
def picture(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(Picture)


def svg(app: AwaleApp) -> str:
    """The screen without what differs from run to run, and without the fonts' addresses."""
    drawn = app.export_screenshot(title="awale")
    drawn = re.sub(r"@font-face \{.*?\}", "", drawn, flags=re.DOTALL)
    return re.sub(r"terminal-\d+", "terminal", drawn)


def words(app: AwaleApp) -> str:
    """The screen as lines of characters."""
    return "\n".join("".join(segment.text for segment in line) for line in app.screen._compositor.render_strips())


SMALL, LARGE = (80, 24), (120, 40)


@pytest.mark.parametrize(
    ("rules", "language", "size"),
    [
        ("abapa", "en", SMALL),
        ("abapa", "fr", LARGE),
        ("ghana", "fr", SMALL),
        ("tricolor", "en", SMALL),
        ("abapa:pits=12,seeds=3", "en", SMALL),
    ],
    ids=["abapa", "abapa-large-fr", "ghana-fr", "tricolor", "twelve-pits"],
)
async def test_the_board(
    application: Callable, picture: SnapshotAssertion, rules: str, language: str, size: tuple[int, int]
) -> None:
    i18n.set_language(language)
    app = application(Game(rules), north="random")
    async with app.run_test(size=size) as pilot:
        await pilot.press("right")
        assert svg(app) == picture


async def test_the_board_in_plain_characters(application: Callable, picture: SnapshotAssertion) -> None:
    i18n.set_language("fr")
    app = application(Game("ghana", moves="3"), ascii=True)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        assert svg(app) == picture
        for key in ("?", "n", "s"):
            assert words(app).isascii()
            await pilot.press(key)
            assert words(app).isascii()
            await pilot.press("escape")


async def test_the_end(application: Callable, picture: SnapshotAssertion) -> None:
    app = application(Game("abapa", moves="A a B b", ended="resignation-1"))
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        assert svg(app) == picture


@pytest.mark.parametrize("language", i18n.LANGUAGES)
async def test_the_new_game_screen(
    application: Callable, picture: SnapshotAssertion, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    i18n.set_language(language)
    # Another kind of player must not change the picture.
    names = [*(f"engine:{level}" for level in range(1, 9)), "random", "greedy", "eval:FILE.py"]
    monkeypatch.setattr("awale.tui.new_game.listed", lambda: map(PlayerSpec.parse, names))
    app = application(ask=True)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        assert svg(app) == picture


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["small", "large"])
async def test_the_analysis(application: Callable, picture: SnapshotAssertion, size: tuple[int, int]) -> None:
    app = application(Game("abapa", moves="F"), updates=made_up)
    async with app.run_test(size=size) as pilot:
        await pilot.press("z")
        await until(pilot, lambda: screen(app).pane.analysis is not None and screen(app).pane.analysis.final)
        assert svg(app) == picture


@pytest.mark.parametrize("language", i18n.LANGUAGES)
async def test_a_narrow_terminal_has_the_analysis_below_the_board(application: Callable, language: str) -> None:
    i18n.set_language(language)
    app = application(Game("abapa", moves="F"), updates=made_up)
    async with app.run_test(size=(60, 24)) as pilot:
        await pilot.press("z")
        await until(pilot, lambda: screen(app).pane.analysis is not None and screen(app).pane.analysis.final)
        await pilot.pause()
        lines = words(app).splitlines()
        last_pits = next(at for at, line in enumerate(lines) if line.split()[:3] == ["A", "B", "C"])
        best = next(at for at, line in enumerate(lines) if i18n.text("tui.pane.line", line="").strip() in line)
        assert last_pits < best
        assert "2 468" in lines[best + 1] or "2,468" in lines[best + 1] or "2\u202f468" in lines[best + 1]
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert i18n.text("tui.pane.title") in words(app).splitlines()[1], "beside it"


async def test_moves_are_listed_where_there_is_room(application: Callable) -> None:
    app = application(Game("abapa", moves="F f E"), updates=made_up)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        listed = [line.rpartition("│")[2].split() for line in words(app).splitlines()[1:4]]
        assert listed == [["Moves"], ["1.", "F", "f"], ["2.", "E"]]
        await pilot.press("u")
        await pilot.pause()
        assert "2. E" not in words(app)
        await pilot.press("z")
        await pilot.pause()
        assert "Moves" not in words(app), "the analysis takes its place"
        await pilot.resize_terminal(140, 30)
        await pilot.pause()
        assert "Moves" in words(app)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "Moves" not in words(app)


async def test_the_review(application: Callable, picture: SnapshotAssertion) -> None:
    app = application(Game("abapa", moves="F f E e D", ended="resignation-1"), updates=made_up)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("w")
        await until(pilot, lambda: len(app.screen.found) == 5)
        await pilot.press("left", "left")
        assert svg(app) == picture


async def test_help(application: Callable, picture: SnapshotAssertion) -> None:
    app = application("tricolor")
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("?")
        assert svg(app) == picture


async def test_a_question_over_the_board(application: Callable, picture: SnapshotAssertion) -> None:
    app = application("ghana")
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("s")
        app.screen.query_one("Input").cursor_blink = False
        await until(pilot, lambda: "ghana.ogn" in words(app) and "Two players at one board" not in words(app))
        assert svg(app) == picture


def test_plain_characters_keep_their_places() -> None:
    for sentence in ("│ ● ◎ × ‹é› █░ ▁ …", "Échap\N{NO-BREAK SPACE}: où ça ?", "日本"):
        assert plain(sentence).isascii()
    assert plain("│ ● ‹é›") == "| o <e>"
    assert len(plain("日本")) == 4
