"""`awale book`: make an opening book, and show what one says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from awale.cli import common
from awale.cli.progress import ProgressLine
from awale.i18n import decimal, text

if TYPE_CHECKING:
    from awale.game import Game
    from awale.players.book import BookEntry

LOG_INTERVAL = 15.0
"""Seconds between two lines of progress, where standard error is not a terminal."""


def register(app: typer.Typer) -> None:
    group = typer.Typer(help=text("cli.command.book"), no_args_is_help=True)
    rules_by_name = common.rules_option()

    to_file = typer.Option(
        None, "--out", metavar=text("cli.metavar.file"), help=text("analyse.book.out"), show_default=False
    )

    @group.command("make", help=text("analyse.book.help-make"))
    def make(
        rules: str = rules_by_name,
        positions: int = typer.Option(200, "--positions", metavar="N", min=1, help=text("analyse.book.positions")),
        nodes: int = typer.Option(5_000_000, "--nodes", metavar="N", min=1, help=text("analyse.book.nodes")),
        out: Path = to_file,
    ) -> None:
        from awale.players import book
        from awale.rules import presets

        system = presets.load(rules)
        path = out or book.user_file(system)
        line = ProgressLine(LOG_INTERVAL)

        def watch(done: int, game: Game) -> None:
            if line.due():
                line.show(
                    text("analyse.book.progress", done=done, total=positions, moves=" ".join(map(str, game.moves)))
                )

        try:
            found = book.make(system, path, positions=positions, nodes=nodes, watch=watch)
        except KeyboardInterrupt:
            line.end()
            typer.echo(text("analyse.annotate.interrupted", file=path), err=True)
            raise
        line.end()
        typer.echo(text("analyse.book.made", file=path, count=found), err=True)

    @group.command("show", help=text("analyse.book.help-show"))
    def show(
        position: str = common.position_argument(text("analyse.book.position")),
        by_name: str | None = common.position_option(),
        rules: str = rules_by_name,
        moves: str = typer.Option(
            "", "--moves", "-m", metavar="MOVES", help=text("analyse.option.moves"), show_default=False
        ),
        json: bool = common.json_option(),
    ) -> None:
        from awale.game import Game
        from awale.players.book import lookup
        from awale.rules import presets

        game = Game(presets.load(rules), start=common.one_position(position, by_name), moves=moves)
        entry = lookup(game)
        if json:
            common.print_json({"position": game.position, "book": None if entry is None else entry.as_json()})
        else:
            typer.echo(text("analyse.book.nothing") if entry is None else book_line(entry))

    app.add_typer(group, name="book")


def book_line(entry: BookEntry) -> str:
    """Return what the book says of a position: `book, depth 17: F -0.31, D -1.52`."""
    moves = ", ".join(f"{one.move} {decimal(one.value, '+.2f')}" for one in entry.moves)
    return text("analyse.book.line", depth=entry.depth, moves=moves)
