"""`awale play`: a game in the terminal, full-screen or line by line, between people and programs."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from awale.cli import common
from awale.errors import AwaleError
from awale.i18n import text

if TYPE_CHECKING:
    from awale.local import LocalGame
    from awale.match import Match


def _complete_player(incomplete: str) -> list[str]:
    from awale.players.spec import PROGRAMS

    return [name for name in ("person", *PROGRAMS) if name.startswith(incomplete)]


def can_fill_screen() -> bool:
    """Return whether there is a terminal to draw on (Textual draws on standard error), and Textual to do it."""
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


def _play_full_screen(local: LocalGame, *, pause: float, ascii_only: bool, seed: int | None, ask: bool) -> int:
    """Play in the full-screen application; return the exit code."""
    from awale.tui.app import AwaleApp, Settings

    settings = Settings(pause=pause, ascii=ascii_only or not common.can_draw_lines(sys.stderr), seed=seed)
    application = AwaleApp(local, settings, ask=ask)
    application.run()
    local = application.local
    kept = local.leave()
    if problem := local.take_problem():
        typer.echo(problem, err=True)
    typer.echo(text("play.say.kept" if kept else "play.say.bye"))
    local.close()
    return application.return_code or 0


def _play_line_by_line(local: LocalGame, *, plain: bool, pause: float, laps: bool, ascii_only: bool) -> int:
    """Play by typed lines; return the exit code."""
    from awale.cli.plain_game import Leave, PlainGame
    from awale.cli.terminal import Terminal

    terminal = Terminal(plain=plain, pause=pause)
    terminal.unicode = terminal.unicode and not ascii_only
    game = PlainGame(local, terminal, laps=laps)
    try:
        game.run()
    except (Leave, EOFError):
        game.leave()
    except KeyboardInterrupt:
        terminal.say()
        game.leave()
        return 130
    finally:
        game.local.close()
    return 0


def _people(given: list[str], match: Match, *, stored: bool) -> list[str]:
    """Return the names of the persons: those given, or the one that was asked for once and kept."""
    from awale.local import profile

    if given:
        return [profile.clean(name) for name in given]
    if not match.persons or not stored:
        return []
    name = profile.own_name()
    if name is None and sys.stdin.isatty() and sys.stdout.isatty():
        name = input(text("play.say.ask-name"))
        try:
            profile.keep_name(name)
        except OSError as error:  # a read-only disk must not stop the game
            typer.echo(f"{error.filename}: {error.strerror}", err=True)
    return [profile.clean(name or "")]


def _first_side(name: str | None) -> int:
    """Return the side that moves first."""
    sides = {"south": 0, "sud": 0, "j1": 0, "1": 0, "north": 1, "nord": 1, "j2": 1, "2": 1}
    if name is None:
        return 0
    if name.strip().lower() not in sides:
        raise AwaleError(text("play.bad.first", name=name[:40]))
    return sides[name.strip().lower()]


def register(app: typer.Typer) -> None:
    rules_by_name = common.rules_option(None)
    file, who = text("cli.metavar.file"), text("cli.metavar.who")

    @app.command("play", help=text("cli.command.play"))
    def play(
        rules: str | None = rules_by_name,
        south: str | None = typer.Option(
            None, "--south", metavar=who, help=text("play.option.south"), autocompletion=_complete_player
        ),
        north: str | None = typer.Option(
            None, "--north", metavar=who, help=text("play.option.north"), autocompletion=_complete_player
        ),
        position: str | None = typer.Option(
            None, "--position", "-p", metavar="POSITION", help=text("play.option.position")
        ),
        first: str | None = typer.Option(None, "--first", metavar="south|north", help=text("play.option.first")),
        load: str | None = typer.Option(None, "--load", metavar=file, help=text("play.option.load")),
        resume: bool = typer.Option(False, "--continue", help=text("play.option.continue")),
        plain: bool = typer.Option(False, "--plain", help=text("play.option.plain")),
        laps: bool = typer.Option(True, "--laps/--no-laps", help=text("play.option.laps")),
        pause: float = typer.Option(0.8, "--pause", min=0, max=60, metavar="S", help=text("play.option.pause")),
        ascii_only: bool = typer.Option(False, "--ascii", help=text("tui.option.ascii")),
        clock: str | None = typer.Option(None, "--clock", metavar="M+S", help=text("play.option.clock")),
        no_store: bool = typer.Option(False, "--no-store", help=text("play.option.no-store")),
        name: list[str] = typer.Option([], "--name", metavar="NAME", help=text("play.option.name")),  # noqa: B008
        rated: bool = typer.Option(False, "--rated", help=text("play.option.rated")),
        seed: int | None = typer.Option(None, "--seed", metavar="N", help=text("play.option.seed")),
    ) -> None:
        from awale.game import Game
        from awale.local import PERSON, LocalGame, make_seats, saved_games
        from awale.match import Clock, Match, TimeControl
        from awale.rules import presets

        if sum((resume, load is not None, position is not None)) > 1:
            raise AwaleError(text("play.bad.one-source"))
        if first is not None and (resume or load is not None or position is not None):
            raise AwaleError(text("play.bad.first-only-new"))
        time: TimeControl | Clock | None = None if clock is None else TimeControl.parse(clock)
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
            if _first_side(first) == 1:
                game = Game(game.rules, start=game.start._replace(turn=1))
        both = make_seats(south or PERSON, north or PERSON, game.rules, seed)
        match = Match(game, both, clock=time, shared=True)
        people = _people(name, match, stored=not no_store)
        if rated and (match.persons != 1 or not people or not people[0] or no_store):
            raise AwaleError(text("play.bad.rated"))
        local = LocalGame(match, path=kept_in, store=not no_store, people=people, rated=rated)
        if not plain and can_fill_screen():
            ask = not (resume or load or position or rules or south or north or first)
            pause = pause if laps else 0.0
            raise typer.Exit(_play_full_screen(local, pause=pause, ascii_only=ascii_only, seed=seed, ask=ask))
        raise typer.Exit(_play_line_by_line(local, plain=plain, pause=pause, laps=laps, ascii_only=ascii_only))
