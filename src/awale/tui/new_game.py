"""The new-game screen: rules, players, clock."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from awale import i18n
from awale.errors import AwaleError
from awale.game import Game
from awale.i18n import text
from awale.local import PERSON, make_seats
from awale.match import Match, TimeControl
from awale.players.spec import listed
from awale.rules import Rules, presets

if TYPE_CHECKING:
    from awale.tui.app import AwaleApp

COLUMNS = ("rules", "south", "north")


def _called(name: str) -> str:
    """Return a seat's name; a person's in the reader's language, which is understood too."""
    return text("tui.person") if name == PERSON else name


def suggestions() -> list[str]:
    """Return the names in the list; those with a file or a command of one's own are typed."""
    return [_called(PERSON), *(str(spec) for spec in listed() if not spec.file and not spec.command)]


def _option(rules: Rules) -> Option:
    title = rules.title.get(i18n.language(), "")
    return Option(Text(f"{rules.name:14} {title}", no_wrap=True, overflow="ellipsis"), rules.name)


class NewGameScreen(ModalScreen[Match | None]):
    """Three lists, each with a field above it. Enter goes to the next list, and begins the game in the last one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", show=False),
        Binding("f5,ctrl+s", "begin", show=False),
        Binding("f6", "puzzles", show=False),
    ]
    DEFAULT_CSS = """
    NewGameScreen > #title { height: 1; text-style: bold; dock: top; }
    NewGameScreen #columns { height: 1fr; }
    NewGameScreen .column { width: 1fr; padding: 0 1; }
    NewGameScreen .rules { width: 2fr; }
    NewGameScreen Input, NewGameScreen Input:focus { border: none; height: 1; padding: 0; background: ansi_default;
                                                     text-style: underline; }
    NewGameScreen OptionList { border: none; height: 1fr; padding: 0; background: ansi_default; }
    NewGameScreen OptionList:focus { border: none; }
    NewGameScreen OptionList { text-wrap: nowrap; text-overflow: ellipsis; }
    NewGameScreen OptionList > .option-list--option-highlighted { text-style: bold; color: ansi_yellow; }
    NewGameScreen OptionList:focus > .option-list--option-highlighted { text-style: reverse bold; }
    NewGameScreen #clock { height: 1; padding: 0 1; }
    NewGameScreen #clock-label { width: auto; padding: 0 1 0 0; }
    NewGameScreen #about { height: 5; padding: 0 1; border-top: solid ansi_bright_black; }
    NewGameScreen #problem { height: 1; padding: 0 1; color: ansi_bright_red; }
    NewGameScreen #keys { height: 1; }
    """

    def __init__(self, rules: str = "abapa", south: str = PERSON, north: str = "engine:3", clock: str = "") -> None:
        super().__init__()
        self._clock = clock
        self._first = {"rules": rules, "south": _called(south), "north": _called(north)}
        self._beginning = False

    def compose(self) -> ComposeResult:
        yield Static(Text(" " + text("tui.new.title")), id="title")
        with Horizontal(id="columns"):
            for column in COLUMNS:
                with Vertical(classes=f"column {column}"):
                    yield Static(Text(text(f"tui.new.{column}"), Style(bold=True)))
                    yield Input(self._first[column], id=f"{column}-text", select_on_focus=False)
                    if column == "rules":
                        options = [_option(rules) for rules in presets.all_rules()]
                    else:
                        options = [Option(name, name) for name in suggestions()]
                    yield OptionList(*options, id=column)
        with Horizontal(id="clock"):
            yield Static(Text(text("tui.new.clock"), Style(bold=True)), id="clock-label")
            yield Input(self._clock, id="clock-text", placeholder=text("tui.new.no-clock"), select_on_focus=False)
        yield Static(id="about")
        yield Static(id="problem")
        yield Static(id="keys")

    def on_mount(self) -> None:
        for column, value in self._first.items():
            chosen = self.query_one(f"#{column}", OptionList)
            known = [option.id for option in chosen.options]
            if value in known:
                chosen.highlighted = known.index(value)
        keys = Text()
        for name in ("begin", "puzzles"):
            style = Style(bold=True, color="yellow", meta={"@click": f"screen.{name}"})
            keys.append(" ").append(text(f"tui.new.{name}"), style)
        self.query_one("#keys", Static).update(keys.append(" " + text("tui.new.keys")))
        self.query_one("#rules", OptionList).focus()
        self._describe()

    def _typed(self, column: str) -> str:
        return self.query_one(f"#{column}-text", Input).value.strip()

    def _describe(self) -> None:
        try:
            rules = presets.get(self._typed("rules"))
            about = rules.description.get(i18n.language()) or rules.name
        except AwaleError as error:
            about = str(error)
        self.query_one("#about", Static).update(Text(about))

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if event.option_list.has_focus and event.option_id is not None:
            self.query_one(f"#{event.option_list.id}-text", Input).value = event.option_id

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        column = event.option_list.id or ""
        self.query_one(f"#{column}-text", Input).value = event.option_id or ""
        event.option_list.focus()

    def on_key(self, event: events.Key) -> None:
        """Go from list to list by arrows and Enter, which begins the game in the last one."""
        if not isinstance(self.focused, OptionList) or event.key not in ("left", "right", "enter"):
            return
        event.stop()
        at = COLUMNS.index(self.focused.id or "rules") + (-1 if event.key == "left" else 1)
        if event.key == "enter" and at == len(COLUMNS):
            self.action_begin()
        else:
            self.query_one(f"#{COLUMNS[at % len(COLUMNS)]}", OptionList).focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        if event.input.id == "rules-text":
            self._describe()

    def on_input_submitted(self) -> None:
        self.action_begin()

    def action_begin(self) -> None:
        """Make the players in a thread, as some are slow, and go to the board."""
        if self._beginning:
            return
        self._beginning = True
        self.query_one("#problem", Static).update(Text(text("tui.new.wait"), Style(dim=True)))
        wanted = (self._typed("rules"), self._typed("south"), self._typed("north"), self._typed("clock"))
        self.run_worker(lambda: self._make(*wanted), thread=True)

    def action_puzzles(self) -> None:
        """Solve puzzles of the rules chosen; leaving them leads back here."""
        from awale.tui.puzzles import PuzzleScreen, own_session

        try:
            self.app.push_screen(PuzzleScreen(own_session(presets.load(self._typed("rules")))))
        except AwaleError as error:
            self._fail(str(error))

    def _make(self, rules_name: str, south: str, north: str, time: str) -> None:
        try:
            rules = presets.load(rules_name)
            clock = TimeControl.parse(time) if time else None
            both = make_seats(south, north, rules, cast("AwaleApp", self.app).settings.seed)
            self.call_later(self._begin, Match(Game(rules), both, clock=clock, shared=True))
        except AwaleError as error:
            self.call_later(self._fail, str(error))
        except OSError as error:
            self.call_later(self._fail, i18n.labelled(error.filename, i18n.system_problem(error)))

    def _begin(self, match: Match) -> None:
        self.dismiss(match)

    def _fail(self, problem: str) -> None:
        self._beginning = False
        self.query_one("#problem", Static).update(Text(problem))
