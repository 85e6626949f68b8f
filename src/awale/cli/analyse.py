"""`awale analyse`: the engine's analysis of a position, or of every move of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from awale.cli import common
from awale.i18n import decimal, number, text

if TYPE_CHECKING:
    from awale.game import Game
    from awale.search.analysis import Analysis, Value
    from awale.search.limits import Limit


def register(app: typer.Typer) -> None:
    rules_by_name = common.rules_option()
    given_position = common.position_argument(text("analyse.option.position"))
    named_position = common.position_option()
    as_json = common.json_option()

    @app.command("analyse", help=text("cli.command.analyse"))
    def analyse(
        position: str = given_position,
        by_name: str | None = named_position,
        rules: str = rules_by_name,
        moves: str = typer.Option(
            "", "--moves", "-m", metavar="MOVES", help=text("analyse.option.moves"), show_default=False
        ),
        time: float = typer.Option(None, "--time", metavar="S", help=text("analyse.option.time")),
        depth: int = typer.Option(None, "--depth", "-d", metavar="N", min=1, max=64, help=text("analyse.option.depth")),
        threads: int = typer.Option(
            1, "--threads", "-t", metavar="N", min=1, max=64, help=text("analyse.option.threads")
        ),
        multi: bool = typer.Option(False, "--multi", help=text("analyse.option.multi")),
        no_tables: bool = typer.Option(False, "--no-tables", help=text("analyse.option.no-tables")),
        json: bool = as_json,
    ) -> None:
        from awale.errors import AwaleError
        from awale.game import Game
        from awale.rules import presets
        from awale.search.limits import Limit

        if time is not None and not 0 < time <= 86_400:
            raise AwaleError(text("analyse.bad.time", value=time))
        if by_name is None and position.lower().endswith((".ogn", ".pgn")):
            from awale.cli.annotate import annotate_file, limit_of

            annotate_file(position, rules, limit_of(time, depth), json)
            return
        game = Game(presets.load(rules), start=common.one_position(position, by_name), moves=moves)
        outcome = game.outcome()
        if outcome is not None:
            sentence = outcome.sentence(coloured=game.rules.coloured)
            raise AwaleError(text("analyse.bad.over", sentence=sentence))
        _analyse(game, Limit(time=time, depth=depth, threads=threads), multi, not no_tables, json)


def _analyse(game: Game, limit: Limit, multi: bool, tables: bool, json: bool) -> None:
    from awale.players.engine import updates

    last: Analysis | None = None
    if not json:
        typer.echo(text("analyse.out.header"))
    try:
        for last in updates(game, limit, every_move=multi, tables=tables):
            if not json and not last.final:
                _print_line(last)
    except KeyboardInterrupt:
        if last is None:
            raise
        _print_analysis(game, last, json)
        raise
    assert last is not None
    _print_analysis(game, last, json)


def _print_analysis(game: Game, last: Analysis, json: bool) -> None:
    if json:
        common.print_json(last.as_json())
        return
    _print_line(last)
    typer.echo("")
    for found in last.moves:
        mark = f"{text('analyse.out.at-most')} " if found.bound else ""
        typer.echo(f"{found.move!s:>5}  {mark}{_shown(found.value)}")
    typer.echo(
        text(
            "analyse.out.summary",
            player=game.player_name(game.turn),
            best=last.best,
            value=decimal(last.value.seeds, "+.2f"),
            nodes=number(last.nodes),
            seconds=decimal(last.seconds, ".2f"),
            rate=number(round(last.rate)),
        )
    )


def _print_line(found: Analysis) -> None:
    line = " ".join(map(str, found.line))
    typer.echo(f"{found.depth:>5} {decimal(found.value.seeds, '>+7.2f')} {number(found.nodes):>11}  {line}")


def _shown(value: Value) -> str:
    words = decimal(value.seeds, "+.2f")
    if value.plies is not None and value.result:
        key = "analyse.out.won" if value.result > 0 else "analyse.out.lost"
        return f"{words} ({text(key, plies=value.plies)})"
    return f"{words} ({text('analyse.out.exact')})" if value.exact else words
