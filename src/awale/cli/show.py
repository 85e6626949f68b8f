"""`awale show`: a position as text or as a picture."""

from __future__ import annotations

from pathlib import Path

import typer

from awale.cli import common
from awale.game import Game
from awale.i18n import text


def register(app: typer.Typer) -> None:
    option = common.options("cli.option")

    @app.command("show", help=text("cli.command.show"))
    def show(
        position: str = common.position_argument(),
        by_name: str | None = common.position_option(),
        rules: str = common.rules_option(),
        moves: str = option("", "--moves", "-m", metavar="MOVES"),
        svg: str | None = option(None, "--svg", metavar="FILE"),
        size: int | None = option(None, "--size", min=1, metavar="N"),
        ascii_only: bool = option(False, "--ascii"),
        flip: bool = option(False, "--flip"),
        json: bool = common.json_option(),
    ) -> None:
        from awale.draw import board_svg, board_text

        game = common.game(rules, position, by_name, moves)
        if svg is not None:
            picture = board_svg(game, flip=flip, size=size)
            if svg == "-":
                typer.echo(picture, nl=False)
            else:
                Path(svg).write_text(picture, encoding="utf-8", newline="\n")
        if json:
            common.print_json(_facts(game))
        elif svg is None:
            unicode = not ascii_only and common.can_draw_lines()
            typer.echo(board_text(game, unicode=unicode, flip=flip, colour=common.wants_colour()))


def _facts(game: Game) -> dict[str, object]:
    """Return a position as data."""
    outcome = game.outcome()
    return {
        "rules": game.rules.name,
        "position": game.position,
        "board": game.board,
        "scores": game.scores,
        "turn": game.turn,
        "legal_moves": [str(move) for move in game.legal_moves],
        "outcome": None if outcome is None else outcome._asdict(),
    }
