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
    option = common.options("analyse.option")

    @app.command("analyse", help=text("cli.command.analyse"))
    def analyse(
        position: str = common.position_argument("analyse.option.position"),
        by_name: str | None = common.position_option(),
        rules: str = common.rules_option(),
        moves: str = option("", "--moves", "-m", metavar="MOVES", show_default=False),
        time: float = option(None, "--time", metavar="S"),
        depth: int = option(None, "--depth", "-d", metavar="N", min=1, max=64),
        threads: int = option(1, "--threads", "-t", metavar="N", min=1, max=64),
        nodes: int = option(None, "--nodes", metavar="N", min=1),
        hash_mb: int = option(None, "--hash", metavar="MB", min=1, max=1 << 16, show_default="32"),
        lines: int = option(1, "--lines", metavar="N", min=1),
        multi: bool = option(False, "--multi"),
        no_tables: bool = option(False, "--no-tables"),
        json: bool = common.json_option(),
    ) -> None:
        from awale.errors import AwaleError
        from awale.search.limits import Limit

        if time is not None and not 0 < time <= 86_400:
            raise AwaleError(text("analyse.bad.time", value=time))
        limit = Limit(time=time, depth=depth, nodes=nodes, threads=threads, hash_mb=hash_mb)
        if by_name is None and position.lower().endswith((".ogn", ".pgn")):
            from awale.cli.annotate import annotate_file, limit_of

            annotate_file(position, rules, limit_of(limit), json)
            return
        game = common.game(rules, position, by_name, moves)
        outcome = game.outcome()
        if outcome is not None:
            sentence = outcome.sentence(coloured=game.rules.coloured)
            raise AwaleError(text("analyse.bad.over", sentence=sentence))
        _analyse(game, limit, len(game.legal_moves) if multi else lines, not no_tables, json)


def _analyse(game: Game, limit: Limit, lines: int, tables: bool, json: bool) -> None:
    typer.echo(text("analyse.out.loading"), err=True)
    from awale.players.engine import updates

    last: Analysis | None = None
    if not json:
        typer.echo(text("analyse.out.header"))
    try:
        for last in updates(game, limit, multi=lines, tables=tables):
            if not json and not last.final:
                _print_line(last)
    except KeyboardInterrupt:
        if last is not None:
            _print_analysis(game, last, json, lines)
        raise
    assert last is not None
    _print_analysis(game, last, json, lines)


def _print_analysis(game: Game, last: Analysis, json: bool, lines: int) -> None:
    from awale.players.book import lookup

    entry = lookup(game)
    if json:
        common.print_json({**last.as_json(), "book": None if entry is None else entry.as_json()})
        return
    _print_line(last)
    typer.echo("")
    for found in last.moves:
        mark = f"{text('analyse.out.at-most')} " if found.bound and found.value.shown[0] == "~" else ""
        line = "" if found.bound else "  " + " ".join(map(str, found.line))
        typer.echo(f"{found.move!s:>5}  {mark}{_shown(found.value)}{line if lines > 1 else ''}")
    typer.echo(
        text(
            "analyse.out.summary",
            player=game.player_name(game.turn),
            best=last.best,
            value=_number(last.value),
            seeds=abs(last.value.shown[1]),
            nodes=number(last.nodes),
            seconds=decimal(last.seconds, ".2f"),
            rate=number(round(last.rate)),
        )
    )
    if entry is not None:
        from awale.cli.book import book_line

        typer.echo(book_line(entry))


def _print_line(found: Analysis) -> None:
    line = " ".join(map(str, found.line))
    typer.echo(f"{found.depth:>5} {_number(found.value):>7} {number(found.nodes):>11}  {line}")


def _number(value: Value) -> str:
    """Return the proven margin as `+4`, a proven bound as `≥ +1`, an estimate as `+3.52`."""
    relation, seeds = value.shown
    if relation == "~":
        return decimal(seeds, "+.2f")
    return f"{seeds:+.0f}" if relation == "=" else f"{relation} {seeds:+.0f}"


def _shown(value: Value) -> str:
    """Return a value with what is proven of it: the result, the final margin and the number of moves."""
    relation, seeds = value.shown
    claims = []
    if value.result is not None:
        claims.append(
            text(("analyse.out.proven-drawn", "analyse.out.proven-won", "analyse.out.proven-lost")[value.result])
        )
        if value.plies is not None:
            claims[0] += " " + text("analyse.out.proven-plies", plies=value.plies)
    if relation != "~":
        key = {"=": "margin", "≥": "least", "≤": "most"}[relation]
        claims.append(text(f"analyse.out.proven-{key}", seeds=f"{seeds:+.0f}"))
    words = _number(value)
    return f"{words} ({text('analyse.out.proven-all', claims=', '.join(claims))})" if claims else words
