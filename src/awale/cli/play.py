"""`awale play`: a game in the plain terminal, between persons and players by name."""

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
    from awale.cli.opponents import Seat
    from awale.game import Game


def _complete_who(incomplete: str) -> list[str]:
    from awale.cli import opponents

    return [name for name in opponents.names() if name.startswith(incomplete)]


def _full_screen(
    game: Game, seats: tuple[Seat, Seat], kept_in: Path | None, pause: float, ascii_only: bool, seed: int | None
) -> bool:
    """Play on the whole screen; False where that cannot be: no terminal, or Textual is not installed."""
    # Textual draws on standard error, so that too must be the terminal.
    streams = (sys.stdin, sys.stdout, sys.stderr)
    if not all(stream.isatty() for stream in streams) or os.environ.get("TERM", "dumb") == "dumb":
        return False
    try:
        from awale.tui.app import AwaleApp, Settings
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "textual":
            raise
        return False
    from awale.cli import opponents, saved
    from awale.tui.house import House
    from awale.tui.table import Table

    house = House(
        names=opponents.names,
        seat=opponents.seat,
        advice=opponents.advice,
        offers_to_stop=opponents.offers_to_stop,
        new_place=saved.new_unfinished,
        keep=saved.keep,
        write=saved.write,
        read=saved.read,
    )
    settings = Settings(pause=pause, ascii=ascii_only or not common.can_draw_lines(), seed=seed)
    application = AwaleApp(house, Table(house, game, seats, kept_in), settings)
    application.run()
    table = application.table
    assert table is not None
    typer.echo(text("play.say.kept" if table.keep() else "play.say.bye"))
    busy = table.thinking.locked()
    table.close()
    if busy:
        # A player is still thinking and nobody waits for the answer; the game is on the disk. The interpreter's own
        # way out would wait for the thinking threads.
        sys.stdout.flush()
        os._exit(application.return_code or 0)
    if application.return_code:
        raise typer.Exit(application.return_code)
    return True


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
        position: str | None = typer.Option(None, "--position", metavar="POSITION", help=text("play.option.position")),
        load: str | None = typer.Option(None, "--load", metavar=file, help=text("play.option.load")),
        resume: bool = typer.Option(False, "--continue", help=text("play.option.continue")),
        plain: bool = typer.Option(False, "--plain", help=text("play.option.plain")),
        laps: bool = typer.Option(True, "--laps/--no-laps", help=text("play.option.laps")),
        pause: float = typer.Option(0.8, "--pause", min=0, max=60, metavar="S", help=text("play.option.pause")),
        ascii_only: bool = typer.Option(False, "--ascii", help=text("tui.option.ascii")),
        seed: int | None = typer.Option(None, "--seed", metavar="N", help=text("play.option.seed")),
    ) -> None:
        from awale.cli import opponents, saved
        from awale.cli.session import Leave, Session
        from awale.cli.terminal import Terminal
        from awale.game import Game
        from awale.rules import presets

        if sum((resume, load is not None, position is not None)) > 1:
            raise AwaleError(text("play.bad.one-source"))
        kept_in: Path | None = None
        if resume or load is not None:
            path = saved.last_unfinished() if load is None else Path(load)
            record = saved.read(path)
            game = record.game()
            if rules is not None and presets.load(rules) != game.rules:
                raise AwaleError(text("play.bad.other-rules", rules=game.rules.name))
            if resume:
                kept_in = path
                south, north = south or record.tags.get("South"), north or record.tags.get("North")
        else:
            game = Game(presets.load(rules or "abapa"), start=position)
        seats = (
            opponents.seat(south or opponents.PERSON, game.rules, seed),
            # Two players of one kind and seed must not be twins.
            opponents.seat(north or opponents.PERSON, game.rules, None if seed is None else seed + 1),
        )
        if not plain and _full_screen(game, seats, kept_in, pause if laps else 0.0, ascii_only, seed):
            return
        session = Session(game, seats, Terminal(plain=plain, pause=pause), laps=laps, kept_in=kept_in)
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
