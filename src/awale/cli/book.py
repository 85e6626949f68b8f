"""`awale book`: make an opening book, and show what one says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from awale.cli import common
from awale.cli.progress import ProgressLine, if_interrupted
from awale.i18n import decimal, text

if TYPE_CHECKING:
    from awale.game import Game
    from awale.players.book import BookEntry

LOG_INTERVAL = 15.0
"""Seconds between two lines of progress, where standard error is not a terminal."""


def register(app: typer.Typer) -> None:
    option = common.options("analyse.book")
    group = common.group(app, "book")
    rules_by_name = common.rules_option()

    to_file = option(None, "--out", metavar="FILE", show_default=False)

    @group.command("make", help=text("analyse.book.help-make"))
    def make(
        rules: str = rules_by_name,
        positions: int = option(200, "--positions", metavar="N", min=1),
        nodes: int = option(5_000_000, "--nodes", metavar="N", min=1),
        out: Path = to_file,
    ) -> None:
        from awale.players import book
        from awale.rules import presets

        system = presets.load(rules)
        path = out or book.user_file(system)
        with if_interrupted("analyse.annotate.interrupted", file=path), ProgressLine(LOG_INTERVAL) as line:

            def watch(done: int, game: Game) -> None:
                line.tell("analyse.book.progress", done=done, total=positions, moves=" ".join(map(str, game.moves)))

            found = book.make(system, path, positions=positions, nodes=nodes, watch=watch)
        typer.echo(text("analyse.book.made", file=path, count=found), err=True)

    @group.command("show", help=text("analyse.book.help-show"))
    def show(
        position: str = common.position_argument("analyse.book.position"),
        by_name: str | None = common.position_option(),
        rules: str = rules_by_name,
        moves: str = common.options("analyse.option")("", "--moves", "-m", metavar="MOVES", show_default=False),
        json: bool = common.json_option(),
    ) -> None:
        from awale.players.book import lookup

        game = common.game(rules, position, by_name, moves)
        entry = lookup(game)
        if json:
            common.print_json({"position": game.position, "book": None if entry is None else entry.as_json()})
        else:
            typer.echo(text("analyse.book.nothing") if entry is None else book_line(entry))


def book_line(entry: BookEntry) -> str:
    """Return what the book says of a position: `book, depth 17: F -0.31, D -1.52`."""
    moves = ", ".join(f"{one.move} {decimal(one.value, '+.2f')}" for one in entry.moves)
    return text("analyse.book.line", depth=entry.depth, moves=moves)
