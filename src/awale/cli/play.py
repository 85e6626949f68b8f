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
    option = common.options("play.option")

    @app.command("play", help=text("cli.command.play"))
    def play(
        rules: str | None = common.rules_option(None),
        south: str | None = option(None, "--south", metavar="WHO", autocompletion=_complete_player),
        north: str | None = option(None, "--north", metavar="WHO", autocompletion=_complete_player),
        position: str | None = option(None, "--position", "-p", metavar="POSITION"),
        first: str | None = option(None, "--first", metavar="south|north"),
        load: str | None = option(None, "--load", metavar="FILE"),
        resume: bool = option(False, "--continue"),
        plain: bool = option(False, "--plain"),
        laps: bool = option(True, "--laps/--no-laps"),
        pause: float = option(0.8, "--pause", min=0, max=60, metavar="S"),
        ascii_only: bool = typer.Option(False, "--ascii", help=text("tui.option.ascii")),
        clock: str | None = option(None, "--clock", metavar="M+S"),
        no_store: bool = option(False, "--no-store"),
        name: list[str] = option([], "--name", metavar="NAME"),  # noqa: B008
        rated: bool = option(False, "--rated"),
        seed: int | None = option(None, "--seed", metavar="N"),
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
