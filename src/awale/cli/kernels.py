"""`awale perft`, `awale playouts`, `awale warmup`: the compiled kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from awale.cli import common
from awale.cli.progress import ProgressLine
from awale.cores import cores
from awale.i18n import decimal, labelled, number, percent, text

if TYPE_CHECKING:
    from awale.game import Game
    from awale.kernels.playouts import Playouts


INTERVAL = 15.0
"""Seconds between two lines of progress, where standard error is not a terminal."""
MOST_PROCESSES = 8
"""Processes that compile: each needs a few hundred megabytes."""


def register(app: typer.Typer) -> None:
    option = common.options("kernels.option")
    rules_by_name = common.rules_option()
    as_json = common.json_option()
    given_position = common.position_argument("kernels.option.position")
    named_position = common.position_option()

    @app.command("perft", help=text("cli.command.perft"))
    def perft(
        rules: str = rules_by_name,
        depth: int = option(..., "--depth", "-d", metavar="N", min=0),
        position: str = given_position,
        by_name: str | None = named_position,
        divide: bool = option(False, "--divide"),
        reference: bool = option(False, "--reference"),
        json: bool = as_json,
    ) -> None:
        _perft(common.game(rules, position, by_name), depth, divide, reference, json)

    @app.command("playouts", help=text("cli.command.playouts"))
    def playouts(
        rules: str = rules_by_name,
        games: int = option(..., "--games", "-n", metavar="N", min=1),
        threads: int = option(None, "--threads", "-t", metavar="N", min=1),
        seed: int = option(0, "--seed", metavar="N", min=0),
        limit: int = option(2000, "--max-plies", "--limit", key="limit", metavar="N", min=1),
        position: str = given_position,
        by_name: str | None = named_position,
        json: bool = as_json,
    ) -> None:
        from awale.kernels.playouts import playouts as run_playouts

        game = common.game(rules, position, by_name)
        with ProgressLine(INTERVAL) as line:

            def report(done: int) -> None:
                line.tell("kernels.playouts.progress", done=number(done), games=number(games))

            result = run_playouts(game, games, seed=seed, threads=threads, limit=limit, report=report)
        if json:
            common.print_json(result.as_dict())
        else:
            _print_playouts(game, result)

    @app.command("warmup", help=text("cli.command.warmup"))
    def warmup() -> None:
        import time

        from awale.kernels import jit, warmup

        jit.announcer.announced = True  # the line shows it
        begun = time.perf_counter()
        with ProgressLine(INTERVAL) as line:

            def report(done: int, jobs: int, name: str) -> None:
                if line.due():
                    line.show(labelled(f"{text('kernels.warmup.working')} {done}/{jobs}", name))

            count = warmup.run(min(cores(), MOST_PROCESSES), report)
        seconds = time.perf_counter() - begun
        key = "done" if count else "nothing"
        typer.echo(
            text(f"kernels.warmup.{key}", count=number(count), seconds=f"{seconds:.0f}", folder=jit.CACHE), err=True
        )


def _perft(game: Game, depth: int, divide: bool, reference: bool, json: bool) -> None:
    from awale.kernels import perft

    below = {}
    if not reference:
        perft.perft(game, min(3, depth))  # compile before the time is measured
    if divide:
        below = {str(move): n for move, n in perft.divide(game, depth, slowly=reference).items()}
    with ProgressLine(INTERVAL) as line:

        def report(share: float) -> None:
            line.tell("kernels.perft.progress", percent=decimal(100 * share))

        result = perft.perft(game, depth, slowly=reference, report=report)
    if json:
        facts: dict[str, object] = {
            "rules": game.rules.name,
            "position": game.position,
            "depth": depth,
            "leaves": result.leaves,
            "captured": result.captured,
            "seconds": round(result.seconds, 6),
            "leaves_per_second": round(result.rate),
        }
        common.print_json(facts | ({"divide": below} if divide else {}))
        return
    for move, leaves in below.items():
        typer.echo(f"{move} {leaves}")
    typer.echo(result.leaves)
    if game.over:
        typer.echo(text("kernels.perft.over"), err=True)
    rate = text("kernels.perft.rate", seconds=decimal(result.seconds, ".3f"), rate=decimal(result.rate / 1e6))
    typer.echo(rate, err=True)


def _print_playouts(game: Game, result: Playouts) -> None:
    players = [game.player_name(player) for player in (0, 1)]
    finished = result.games - result.unfinished
    rows = [
        (text("kernels.playouts.games"), number(result.games)),
        (text("kernels.playouts.plies"), number(result.plies)),
        (text("kernels.playouts.mean"), decimal(result.mean_plies, ".2f")),
        (text("kernels.playouts.longest"), number(result.longest)),
        (text("kernels.playouts.wins", player=players[0]), _part(result.south_wins, result.games)),
        (text("kernels.playouts.wins", player=players[1]), _part(result.north_wins, result.games)),
        (text("kernels.playouts.draws"), _part(result.draws, result.games)),
    ]
    if result.unfinished:
        limit = number(result.limit)
        rows.append((text("kernels.playouts.unfinished", limit=limit), _part(result.unfinished, result.games)))
    if finished:
        for player, seeds in zip(players, (result.south_seeds, result.north_seeds), strict=True):
            rows.append((text("kernels.playouts.seeds", player=player), decimal(seeds / finished, ".2f")))
    for reason, count in result.reasons.items():
        ending = text(f"core.ending.{reason}")
        rows.append((text("kernels.playouts.ended", reason=ending), _part(count, result.games)))
    common.print_columns(rows)
    rate = text(
        "kernels.playouts.rate",
        seconds=decimal(result.seconds, ".3f"),
        rate=decimal(result.rate / 1e6),
        threads=result.threads,
        seed=result.seed,
    )
    typer.echo(rate, err=True)


def _part(count: int, games: int) -> str:
    return f"{number(count)} ({percent(count / games, 2)})"
