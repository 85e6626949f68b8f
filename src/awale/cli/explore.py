"""`awale explore`: what was played in a position, how those games ended, and what the book says."""

from __future__ import annotations

from typing import Any

import typer

from awale.cli import common
from awale.cli.store import opened, print_rows
from awale.i18n import text


def register(app: typer.Typer) -> None:
    option = common.options("store.option")

    @app.command("explore", help=text("cli.command.explore"))
    def explore(
        position: str = common.position_argument(),
        by_name: str | None = common.position_option(),
        rules: str = common.rules_option(),
        moves: str = common.options("cli.option")("", "--moves", "-m", metavar="MOVES"),
        any_stores: bool = option(False, "--any-stores"),
        time: float = option(0.0, "--time", key="explore-time", metavar="S", min=0, max=3600, show_default=False),
        database: str | None = option(None, "--database", metavar="URL"),
        json: bool = common.json_option(),
    ) -> None:
        from awale.store import explorer

        game = common.game(rules, position, by_name, moves)
        with opened(database, read_only=True) as store, store.transaction(read_only=True) as session:
            found = explorer.explore(session, game.state, game.rules, stores=not any_stores)
        rows: list[dict[str, Any]] = [{"move": line.move, **_counts(line), "value": line.value} for line in found.moves]
        depth = found.book_depth
        if time and not game.over:
            values, depth = _values(game, time)
            known = {row["move"]: row for row in rows}
            none = {"games": 0, "south": 0, "draws": 0, "north": 0}
            rows = [{"move": move, **none, **known.get(move, {}), "value": value} for move, value in values.items()]
            rows.sort(key=lambda row: -row["games"])
        if json:
            common.print_json({"position": game.position, **_counts(found), "depth": depth, "moves": rows})
            return
        total = {key: str(value) for key, value in _counts(found).items()}
        typer.echo(text("store.explore.total", position=game.position, **total), err=True)
        if depth is not None:
            typer.echo(text("store.explore.engine" if time else "store.explore.book", depth=depth), err=True)
        print_rows(rows, False)


def _counts(found: Any) -> dict[str, int]:
    return {"games": found.games, "south": found.south, "draws": found.draws, "north": found.north}


def _values(game: Any, seconds: float) -> tuple[dict[str, float], int]:
    """Return the engine's value of every move, in seeds to the player to move, the best first; and the depth."""
    from awale.players.engine import updates
    from awale.search.limits import Limit

    *_, last = updates(game, Limit(time=seconds), multi=len(game.legal_moves))
    return {str(found.move): round(float(found.value.shown[1]), 2) for found in last.moves}, last.depth
