"""`awale tree`: a search tree in the terminal, as a picture, or as an interactive page."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from awale.cli import common
from awale.i18n import system_problem, text

if TYPE_CHECKING:
    from awale.classroom.tree import Tree
    from awale.classroom.tree_examples import Example
    from awale.game import Game


def register(app: typer.Typer) -> None:
    rules_by_name = common.rules_option(None)
    given_position = common.position_argument(text("cli.option.position"))
    named_position = common.position_option()
    as_json = common.json_option()
    file = text("cli.metavar.file")

    @app.command("tree", help=text("cli.command.tree"))
    def tree(
        position: str = given_position,
        by_name: str | None = named_position,
        rules: str | None = rules_by_name,
        moves: str = typer.Option("", "--moves", "-m", metavar="MOVES", help=text("cli.option.moves")),
        depth: int | None = typer.Option(None, "--depth", "-d", metavar="N", help=text("tree.option.depth")),
        method: str | None = typer.Option(None, "--method", metavar="METHOD", help=text("tree.option.method")),
        evaluation: str | None = typer.Option(None, "--eval", metavar="E", help=text("tree.option.evaluation")),
        example: str | None = typer.Option(None, "--example", metavar="NAME", help=text("tree.option.example")),
        svg: str | None = typer.Option(None, "--svg", metavar=file, help=text("tree.option.svg")),
        html: str | None = typer.Option(None, "--html", metavar=file, help=text("tree.option.html")),
        everything: bool = typer.Option(False, "--all", help=text("tree.option.all")),
        ascii_only: bool = typer.Option(False, "--ascii", help=text("cli.option.ascii")),
        json: bool = as_json,
    ) -> None:
        from awale.classroom.tree import as_dict, build_tree
        from awale.classroom.tree_examples import example as known
        from awale.game import Game
        from awale.rules import presets

        shown: Example | None = known(example) if example is not None else None
        start = common.one_position(position, by_name)
        if shown is not None:
            start = start or shown.position
        game = Game(presets.load(rules or (shown.rules if shown else "abapa")), start=start, moves=moves)
        with _own_evaluation(evaluation, game) as value_of:
            tree = build_tree(
                game,
                depth if depth is not None else shown.depth if shown else 3,
                method=method or (shown.method if shown else "minimax"),
                evaluation=evaluation or (shown.evaluation if shown else None),
                value_of=value_of,
            )
        _write_files(tree, svg, html, everything)
        if json:
            common.print_json(as_dict(tree))
        elif svg is None and html is None:
            from awale.classroom.tree_text import tree_text

            unicode = not ascii_only and common.can_draw_lines() and _can_say(sys.stdout.encoding)
            typer.echo(tree_text(tree, unicode=unicode, colour=common.wants_colour(), everything=everything), nl=False)


@contextmanager
def _own_evaluation(evaluation: str | None, game: Game) -> Iterator[Callable[[Game], float] | None]:
    """Yield the function of a Python file, which runs in a process of its own; None for a named evaluation."""
    if evaluation is None or not evaluation.lower().endswith(".py"):
        yield None
        return
    from awale.players import PlayerSpec
    from awale.players.custom_evaluation import PythonEvaluation

    with PythonEvaluation(PlayerSpec("eval", file=evaluation), game.rules) as own:
        yield own.value


def _can_say(encoding: str | None) -> bool:
    try:
        "▲▼α≥└−".encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _write_files(tree: Tree, svg: str | None, html: str | None, everything: bool) -> None:
    if svg is not None:
        from awale.classroom.tree_svg import tree_svg

        _write(svg, tree_svg(tree, everything=everything))
    if html is not None:
        from awale.classroom.tree_html import tree_page

        _write(html, tree_page(tree))


def _write(path: str, content: str) -> None:
    from awale.errors import AwaleError

    if path == "-":
        typer.echo(content, nl=False)
        return
    try:
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(content)
    except OSError as error:
        raise AwaleError(text("tree.refused.unwritable", path=path, error=system_problem(error))) from None
