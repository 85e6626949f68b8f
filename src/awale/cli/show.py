"""`awale show`: a position as text or as a picture."""

from __future__ import annotations

import typer

from awale.cli import common
from awale.game import Game
from awale.i18n import text


def register(app: typer.Typer) -> None:
    rules_by_name = common.rules_option()
    given_position = common.position_argument(text("cli.option.position"))
    named_position = common.position_option()
    as_json = common.json_option()

    @app.command("show", help=text("cli.command.show"))
    def show(
        position: str = given_position,
        by_name: str | None = named_position,
        rules: str = rules_by_name,
        moves: str = typer.Option("", "--moves", "-m", metavar="MOVES", help=text("cli.option.moves")),
        svg: str | None = typer.Option(None, "--svg", metavar=text("cli.metavar.file"), help=text("cli.option.svg")),
        size: int | None = typer.Option(None, "--size", min=1, metavar="N", help=text("cli.option.size")),
        ascii_only: bool = typer.Option(False, "--ascii", help=text("cli.option.ascii")),
        flip: bool = typer.Option(False, "--flip", help=text("cli.option.flip")),
        json: bool = as_json,
    ) -> None:
        from awale.draw import board_svg, board_text
        from awale.rules import presets

        game = Game(presets.load(rules), start=common.one_position(position, by_name), moves=moves)
        if svg is not None:
            picture = board_svg(game, flip=flip, size=size)
            if svg == "-":
                typer.echo(picture, nl=False)
            else:
                with open(svg, "w", encoding="utf-8", newline="\n") as file:
                    file.write(picture)
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
