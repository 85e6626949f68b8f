"""`awale annotate`, `awale suite`: the engine's word on games, and a player's on positions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from awale.cli import common
from awale.cli.progress import ProgressLine
from awale.errors import AwaleError
from awale.i18n import number, percent, text

if TYPE_CHECKING:
    from awale.notation import GameRecord
    from awale.search.limits import Limit

INTERVAL = 15.0
"""Seconds between two lines of progress, where standard error is not a terminal."""


def register(app: typer.Typer) -> None:
    rules_by_name = common.rules_option()
    file = text("cli.metavar.file")

    @app.command("annotate", help=text("cli.command.annotate"))
    def annotate(
        files: list[str] = typer.Argument(metavar=file, help=text("analyse.option.files")),  # noqa: B008
        out: str = typer.Option(..., "--out", metavar=file, help=text("analyse.option.out")),
        rules: str = rules_by_name,
        time: float | None = typer.Option(None, "--time", metavar="S", help=text("analyse.option.time-each")),
        depth: int | None = typer.Option(
            None, "--depth", "-d", metavar="N", min=1, max=64, help=text("analyse.option.depth")
        ),
        nodes: int | None = typer.Option(None, "--nodes", metavar="N", min=1, help=text("analyse.option.nodes")),
        hash_mb: int | None = typer.Option(
            None, "--hash", metavar="MB", min=1, max=1 << 16, help=text("analyse.option.hash"), show_default="32"
        ),
        concurrency: int | None = typer.Option(
            None, "--concurrency", metavar="N", min=1, max=1024, help=text("analyse.option.concurrency")
        ),
        scheduler: str | None = typer.Option(
            None, "--scheduler", metavar="ADDRESS", help=text("arena.option.scheduler")
        ),
    ) -> None:
        from awale.cores import cores
        from awale.search.limits import Limit

        limit = limit_of(Limit(time=time, depth=depth, nodes=nodes, hash_mb=hash_mb))
        _annotate(files, out, rules, limit, concurrency or cores(), scheduler)

    group = typer.Typer(help=text("cli.command.suite"), no_args_is_help=True, rich_markup_mode=None)
    app.add_typer(group, name="suite")

    @group.command("run", help=text("analyse.suite.help"))
    def run(
        source: str = typer.Argument(metavar=file, help=text("analyse.suite.file")),
        player: str = typer.Option(
            "engine:1s", "--player", metavar=text("cli.metavar.who"), help=text("analyse.suite.player")
        ),
        rules: str = rules_by_name,
        seed: int = typer.Option(1, "--seed", metavar="N", help=text("arena.option.seed")),
        json: bool = common.json_option(),
    ) -> None:
        _run_suite(source, player, rules, seed, json)


def limit_of(given: Limit) -> Limit:
    """Return the limit of the analysis of each position: a second, unless something is given."""
    return replace(given, time=1.0) if given.unbounded else given


def _records(files: list[str], rules: str) -> Iterator[GameRecord]:
    from awale.notation import read_ogn
    from awale.rules import load

    for file in files:
        with open(file, "rb") as opened:
            yield from read_ogn(opened, rules=load(rules), name=file)


def _annotate(files: list[str], out: str, rules: str, limit: Limit, concurrency: int, scheduler: str | None) -> None:
    from awale.arena.annotate import annotate_all
    from awale.paths import replacing

    total = sum(1 for _ in _records(files, rules))  # every game is checked before hours of work
    common.check_writable(out)
    work = Path(f"{out}.work")
    line = ProgressLine(INTERVAL)

    def report(done: int) -> None:
        if line.due():
            line.show(text("analyse.annotate.progress", done=number(done), total=number(total)))

    games = annotate_all(
        _records(files, rules), limit, work, concurrency=concurrency, scheduler=scheduler, report=report
    )
    try:
        with replacing(out) as growing, growing.open("w", encoding="utf-8", newline="\n") as file, closing(games):
            for count, game in enumerate(games):
                file.write("\n" * (count > 0) + game)
    except KeyboardInterrupt:
        line.end()
        typer.echo(text("analyse.annotate.interrupted", file=work), err=True)
        raise
    line.end()
    work.unlink(missing_ok=True)
    typer.echo(text("analyse.annotate.done", count=number(total), file=out), err=True)


def annotate_file(file: str, rules: str, limit: Limit, json: bool) -> None:
    """Print the games of a file with values, mistakes and better lines."""
    from awale.arena.annotate import annotate
    from awale.notation import to_ogn

    line = ProgressLine(INTERVAL)
    found = []
    for count, record in enumerate(_records([file], rules)):

        def report(done: int, of: int = len(record.moves), game: int = count + 1) -> None:
            if line.due():
                line.show(text("analyse.annotate.moves", game=number(game), done=number(done), total=number(of)))

        try:
            review = annotate(record, limit, report=report)
        finally:
            line.end()
        if json:
            found.append(review.as_json())
        else:
            typer.echo("\n" * (count > 0) + to_ogn(record), nl=False)
    if json:
        common.print_json(found)


def _run_suite(source: str, player: str, rules: str, seed: int, json: bool) -> None:
    from awale.arena.suite import read_suite, solve
    from awale.players import PlayerSpec
    from awale.rules import load

    spec = PlayerSpec.parse(player)
    if spec.person:
        raise AwaleError(text("analyse.suite.person"))
    tests = read_suite(source, load(rules))
    results = []
    for test, move in solve(tests, spec, seed):
        good = test.solved_by(move)
        results.append({"name": test.name, "position": test.game.position, "move": str(move), "solved": good})
        if not json:
            mark = text(f"analyse.suite.{'solved' if good else 'missed'}")
            typer.echo(f"{mark:>7}  {test.name}  {test.game.position}  {move}" + ("" if good else f"  ({test.wanted})"))
    solved = sum(bool(row["solved"]) for row in results)
    if json:
        common.print_json({"player": str(spec), "solved": solved, "of": len(results), "positions": results})
    else:
        share = percent(solved / len(results))
        typer.echo(text("analyse.suite.summary", player=spec, solved=solved, count=len(results), share=share))
