"""`awale play`: a game in the plain terminal, between persons and players by name."""

from __future__ import annotations

from pathlib import Path

import typer

from awale.cli import common
from awale.errors import AwaleError
from awale.i18n import text


def _complete_who(incomplete: str) -> list[str]:
    from awale.cli import opponents

    return [name for name in opponents.names() if name.startswith(incomplete)]


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
