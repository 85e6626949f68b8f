"""The stored games and the leaderboard."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeVar, cast

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from awale.errors import AwaleError
from awale.game import Game
from awale.i18n import text
from awale.tui.review import ReviewScreen

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from awale.store import Store
    from awale.tui.app import AwaleApp

T = TypeVar("T")

MOST = 500
"""How many of the latest games are listed."""


class Listed(NamedTuple):
    """A stored game as a line of the list, and its key in the store."""

    line: str
    key: str
    words: str
    """What the filter looks for words in: date, rules, full names, result."""


def _asked(question: Callable[[Store, Session], T]) -> T | None:
    """Return what the user's store answers; None while there is none."""
    from awale.store import MissingStoreError, Store

    try:
        with closing(Store(read_only=True)) as store, store.transaction() as session:
            return question(store, session)
    except MissingStoreError:
        return None


def stored_games() -> list[Listed]:
    """Return the latest games, the last one first."""
    from awale.store import find

    return _asked(lambda _, session: [_line(game) for game in islice(find.latest(session), MOST)]) or []


def _line(game: object) -> Listed:
    from awale.store import Game as Row

    assert isinstance(game, Row)
    south = game.south.name if game.south else "-"
    north = game.north.name if game.north else "-"
    score = f"{game.south_seeds}-{game.north_seeds}" + ("" if game.end else " *")
    who = f"{game.started_at:%Y-%m-%d}  {game.rules[:14]:14} {south[:16]:16} {north[:16]:16}"
    words = f"{game.started_at:%Y-%m-%d} {game.rules} {south} {north} {score}".casefold()
    return Listed(f"{who} {score:>8} {game.plies:>5}", game.key, words)


def stored_game(key: str) -> Game:
    """Return a game of the store."""
    from awale.store.transfer import to_notation

    def read(store: Store, session: Session) -> Game | None:
        found = store.games.by_key(session, key)
        return None if found is None else to_notation(found).game()

    game = _asked(read)
    if game is None:
        raise AwaleError(text("tui.stored.gone"))
    return game


def leaderboard() -> list[str]:
    """Return all rated players, a line each, rules by rules: a rating under one rule system says nothing about
    another."""

    def read(store: Store, session: Session) -> list[str]:
        return [
            f"{place:>3}  {line.player.name[:24]:24} {rules[:14]:14}"
            f" {line.strength.rating:6.0f} {line.strength.deviation:5.0f} {line.games:>5}"
            for rules in store.ratings.rated_rules(session)
            for place, line in enumerate(store.ratings.leaderboard(session, rules, limit=MOST), 1)
        ]

    return _asked(read) or []


class StoredGamesScreen(Screen[None]):
    """Two lists: Tab goes from the games to the leaderboard and back; / filters the games."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,m", "back", show=False),
        Binding("slash", "filter", show=False),
        Binding("tab,shift+tab", "other", show=False, priority=True),
    ]
    DEFAULT_CSS = """
    StoredGamesScreen #title { height: 1; text-style: bold; }
    StoredGamesScreen #heading { height: 1; padding: 0 1; }
    StoredGamesScreen OptionList { border: none; height: 1fr; background: ansi_default; padding: 0 1; }
    StoredGamesScreen OptionList:focus { border: none; }
    StoredGamesScreen OptionList { text-wrap: nowrap; }
    StoredGamesScreen OptionList:focus > .option-list--option-highlighted { text-style: reverse; }
    StoredGamesScreen #note { height: 1; padding: 0 1; color: ansi_bright_red; }
    StoredGamesScreen #keys { height: 1; }
    StoredGamesScreen Input { height: 1; border: none; padding: 0 1; display: none; }
    StoredGamesScreen Input.open { display: block; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.board = False
        """Whether the leaderboard is shown, not the games."""
        self._games: list[Listed] = []
        self._places: list[str] = []
        self._note = text("tui.stored.reading")

    def compose(self) -> ComposeResult:
        yield Static(id="title")
        yield Static(id="heading")
        yield OptionList()
        yield Static(id="note")
        yield Input(placeholder=text("tui.stored.filter"))
        yield Static(Text(" " + text("tui.stored.keys"), Style(dim=True)), id="keys")

    def on_mount(self) -> None:
        self.query_one(OptionList).focus()
        self._list()
        self.run_worker(self._read, thread=True)

    def _read(self) -> None:
        try:
            self.call_later(self._show, stored_games(), leaderboard())
        except AwaleError as error:
            self.call_later(self._show, [], [], str(error))
        except ModuleNotFoundError as error:
            self.call_later(self._show, [], [], text("cli.usage.no-package", package=error.name, extra="store"))

    def _show(self, games: list[Listed], places: list[str], problem: str = "") -> None:
        self._games, self._places, self._note = games, places, problem
        self._list()

    def _list(self) -> None:
        titles = [text("tui.stored.games"), text("tui.stored.leaderboard")]
        title = Text(" ")
        for number, words in enumerate(titles):
            style = Style(bold=True, reverse=number == int(self.board), meta={"@click": "screen.other"})
            title.append(f" {words} ", style).append("  ")
        self.query_one("#title", Static).update(title)
        heading = text("tui.stored.board-heading") if self.board else text("tui.stored.games-heading")
        self.query_one("#heading", Static).update(Text(heading, Style(dim=True), no_wrap=True))
        shown = self.query_one(OptionList)
        shown.clear_options()
        if self.board:
            shown.add_options(Option(Text(line, no_wrap=True)) for line in self._places)
        else:
            wanted = self.query_one(Input).value.casefold().split()
            shown.add_options(
                Option(Text(kept.line, no_wrap=True), kept.key)
                for kept in self._games
                if all(word in kept.words for word in wanted)
            )
        if shown.option_count:
            shown.highlighted = 0  # so that Enter opens the latest
        empty = not (self._places if self.board else self._games)
        note = self._note or (text(f"tui.stored.{'unrated' if self.board else 'empty'}") if empty else "")
        self.query_one("#note", Static).update(Text(note))

    def action_filter(self) -> None:
        """Let words be typed that the games shown must have."""
        if self.board:
            self.action_other()
        self.query_one(Input).add_class("open").focus()

    def action_back(self) -> None:
        """Show all games again, or leave."""
        field = self.query_one(Input)
        if not field.has_class("open"):
            self.dismiss()
            return
        field.remove_class("open").value = ""
        self.query_one(OptionList).focus()

    def on_input_changed(self) -> None:
        self._list()

    def on_input_submitted(self) -> None:
        self.query_one(OptionList).focus()

    def action_other(self) -> None:
        self.board = not self.board
        self._list()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        key = event.option_id
        if key is not None:
            self.run_worker(lambda: self._open(key), thread=True)

    def _open(self, key: str) -> None:
        try:
            self.call_later(self._review, stored_game(key))
        except AwaleError as error:
            self.call_later(self._show, self._games, self._places, str(error))

    def _review(self, game: Game) -> None:
        if game.moves:
            self.app.push_screen(ReviewScreen(game, False, cast("AwaleApp", self.app).analyser()))
        else:
            self._show(self._games, self._places, text("play.say.no-moves-yet"))
