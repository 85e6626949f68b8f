"""`awale play`: a game in the terminal, on the whole screen or line by line, between persons and players by name."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from awale.cli import common
from awale.errors import AwaleError
from awale.i18n import text

if TYPE_CHECKING:
    from collections.abc import Callable

    from awale.cli.opponents import Seat
    from awale.rules import Rules
    from awale.tui.house import House
    from awale.tui.table import Table


def _complete_who(incomplete: str) -> list[str]:
    from awale.cli import opponents

    return [name for name in opponents.names() if name.startswith(incomplete)]


_ENGINE = re.compile(r"engine(:[1-8]|:d[1-9]|:[0-9]{1,4}m?s)?")
"""Names that cannot be wrong, so that the engine behind them may be loaded later."""


def _fills_the_screen() -> bool:
    """Whether there is a whole terminal to draw on (Textual draws on standard error), and Textual to do it."""
    streams = (sys.stdin, sys.stdout, sys.stderr)
    if not all(stream.isatty() for stream in streams) or os.environ.get("TERM", "dumb") == "dumb":
        return False
    try:
        import textual.app  # noqa: F401
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "textual":
            raise
        return False
    return True


def _seat(name: str, rules: Rules, seed: int | None) -> Seat:
    """A seat whose engine is loaded while somebody looks at the board."""
    from awale import players
    from awale.cli import opponents
    from awale.tui.lazy_player import LazyPlayer

    name = name.strip().lower() if _ENGINE.fullmatch(name.strip().lower()) else name
    if _ENGINE.fullmatch(name):
        # Another engine tries the code out: this one's chance must not depend on it.
        return opponents.Seat(
            name,
            LazyPlayer(
                name,
                lambda: players.make(name, rules, seed),
                lambda game: players.make("engine:d1", rules).choose(game),
            ),
        )
    return opponents.seat(name, rules, seed)


def _house(*, store: bool, seat: Callable[[str, Rules, int | None], Seat]) -> House:
    """What the board asks of its surroundings."""
    from awale.cli import opponents, saved_games
    from awale.tui.house import House

    return House(
        names=opponents.names,
        seat=seat,
        adviser=opponents.adviser,
        offers_to_stop=opponents.offers_to_stop,
        new_place=saved_games.new_unfinished,
        keep=saved_games.keep,
        write=saved_games.write,
        store=saved_games.store if store else lambda *_: "",
        read=saved_games.read,
    )


def _full_screen(table: Table, *, pause: float, ascii_only: bool, seed: int | None, ask: bool) -> int:
    """Play on the whole screen. Returns the exit code."""
    from awale.tui.app import AwaleApp, Settings

    settings = Settings(pause=pause, ascii=ascii_only or not common.can_draw_lines(sys.stderr), seed=seed)
    application = AwaleApp(table.house, table, settings, ask=ask)
    application.run()
    table = application.table
    table.run_clock(False)
    kept = table.keep()
    table.settle()
    if table.trouble:
        typer.echo(table.trouble, err=True)
    typer.echo(text("play.say.kept" if kept else "play.say.bye"))
    table.close()
    return application.return_code or 0


def register(app: typer.Typer) -> None:
    rules_by_name = common.rules_option(None)
    file, who = text("cli.metavar.file"), text("cli.metavar.who")

    @app.command("play", help=text("cli.command.play"))
    def play(
        rules: str | None = rules_by_name,
        south: str | None = typer.Option(
            None, "--south", metavar=who, help=text("play.option.south"), autocompletion=_complete_who
        ),
        north: str | None = typer.Option(
            None, "--north", metavar=who, help=text("play.option.north"), autocompletion=_complete_who
        ),
        position: str | None = typer.Option(
            None, "--position", "-p", metavar="POSITION", help=text("play.option.position")
        ),
        load: str | None = typer.Option(None, "--load", metavar=file, help=text("play.option.load")),
        resume: bool = typer.Option(False, "--continue", help=text("play.option.continue")),
        plain: bool = typer.Option(False, "--plain", help=text("play.option.plain")),
        laps: bool = typer.Option(True, "--laps/--no-laps", help=text("play.option.laps")),
        pause: float = typer.Option(0.8, "--pause", min=0, max=60, metavar="S", help=text("play.option.pause")),
        ascii_only: bool = typer.Option(False, "--ascii", help=text("tui.option.ascii")),
        clock: str | None = typer.Option(None, "--clock", metavar="M+S", help=text("play.option.clock")),
        no_store: bool = typer.Option(False, "--no-store", help=text("play.option.no-store")),
        seed: int | None = typer.Option(None, "--seed", metavar="N", help=text("play.option.seed")),
    ) -> None:
        from awale.cli import opponents, saved_games
        from awale.cli.plain_game import Leave, Session
        from awale.cli.terminal import Terminal
        from awale.clock import Clock
        from awale.game import Game
        from awale.rules import presets
        from awale.tui.table import Table

        if sum((resume, load is not None, position is not None)) > 1:
            raise AwaleError(text("play.bad.one-source"))
        time = None if clock is None else Clock.read(clock)
        kept_in: Path | None = None
        if resume or load is not None:
            path = saved_games.last_unfinished() if load is None else Path(load)
            record = saved_games.read(path)
            game = record.game()
            time = time or Clock.from_tags(record.tags)
            if rules is not None and presets.load(rules) != game.rules:
                raise AwaleError(text("play.bad.other-rules", rules=game.rules.name))
            if resume:
                kept_in = path
                south, north = south or record.tags.get("South"), north or record.tags.get("North")
        else:
            game = Game(presets.load(rules or "abapa"), start=position)
        full_screen = not plain and _fills_the_screen()
        sit = _seat if full_screen else opponents.seat
        seats = (
            sit(south or opponents.PERSON, game.rules, seed),
            # Two players of one kind and seed must not be twins.
            sit(north or opponents.PERSON, game.rules, None if seed is None else seed + 1),
        )
        table = Table(_house(store=not no_store, seat=sit), game, seats, kept_in, time)
        if full_screen:
            # Nothing was said about the game: ask.
            ask = not (resume or load or position or rules or south or north)
            pause = pause if laps else 0.0
            raise typer.Exit(_full_screen(table, pause=pause, ascii_only=ascii_only, seed=seed, ask=ask))
        terminal = Terminal(plain=plain, pause=pause)
        terminal.unicode = terminal.unicode and not ascii_only
        session = Session(table, terminal, laps=laps)
        try:
            session.run()
        except (Leave, EOFError):
            session.leave()
        except KeyboardInterrupt:
            session.terminal.say()
            session.leave()
            raise typer.Exit(130) from None
        finally:
            session.close()
