"""`awale tree`: a search tree in the terminal, as a picture, or as an interactive page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from awale.cli import common
from awale.i18n import text

if TYPE_CHECKING:
    from awale.classroom.tree import Tree
    from awale.classroom.tree_examples import Example
    from awale.game import Game


def register(app: typer.Typer) -> None:
    option = common.options("tree.option")

    @app.command("tree", help=text("cli.command.tree"))
    def tree(
        position: str = common.position_argument(),
        by_name: str | None = common.position_option(),
        rules: str | None = common.rules_option(None),
        moves: str = typer.Option("", "--moves", "-m", metavar="MOVES", help=text("cli.option.moves")),
        depth: int | None = option(None, "--depth", "-d", metavar="N"),
        method: str | None = option(None, "--method", metavar="METHOD"),
        evaluation: str | None = option(None, "--eval", key="evaluation", metavar="E"),
        example: str | None = option(None, "--example", metavar="NAME"),
        svg: str | None = option(None, "--svg", metavar="FILE"),
        html: str | None = option(None, "--html", metavar="FILE"),
        everything: bool = option(False, "--all"),
        ascii_only: bool = typer.Option(False, "--ascii", help=text("cli.option.ascii")),
        json: bool = common.json_option(),
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

            unicode = not ascii_only and common.can_draw_lines(characters="│┼·‹›▲▼α≥└−")
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


def _write_files(tree: Tree, svg: str | None, html: str | None, everything: bool) -> None:
    if svg is not None:
        from awale.classroom.tree_svg import tree_svg

        common.write_file(svg, tree_svg(tree, everything=everything))
    if html is not None:
        from awale.classroom.tree_html import tree_page

        common.write_file(html, tree_page(tree))
