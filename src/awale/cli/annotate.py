"""`awale annotate`, `awale suite`: the engine's word on games, and a player's on positions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from awale.cli import common
from awale.cli.progress import ProgressLine, if_interrupted
from awale.errors import AwaleError
from awale.i18n import number, percent, text

if TYPE_CHECKING:
    from awale.notation import GameRecord
    from awale.search.limits import Limit

INTERVAL = 15.0
"""Seconds between two lines of progress, where standard error is not a terminal."""


def register(app: typer.Typer) -> None:
    option = common.options("analyse.option")
    rules_by_name = common.rules_option()

    @app.command("annotate", help=text("cli.command.annotate"))
    def annotate(
        files: list[str] = typer.Argument(metavar="FILE", help=text("analyse.option.files")),
        out: str = option(..., "--out", metavar="FILE"),
        rules: str = rules_by_name,
        time: float | None = option(None, "--time", key="time-each", metavar="S"),
        depth: int | None = option(None, "--depth", "-d", metavar="N", min=1, max=64),
        nodes: int | None = option(None, "--nodes", metavar="N", min=1),
        hash_mb: int | None = option(None, "--hash", metavar="MB", min=1, max=1 << 16, show_default="32"),
        concurrency: int | None = option(None, "--concurrency", metavar="N", min=1, max=1024),
        scheduler: str | None = common.options("arena.option")(None, "--scheduler", metavar="ADDRESS"),
    ) -> None:
        from awale.cores import cores
        from awale.search.limits import Limit

        limit = limit_of(Limit(time=time, depth=depth, nodes=nodes, hash_mb=hash_mb))
        _annotate(files, out, rules, limit, concurrency or cores(), scheduler)

    @common.group(app, "suite").command("run", help=text("analyse.suite.help"))
    def run(
        source: str = typer.Argument(metavar="FILE", help=text("analyse.suite.file")),
        player: str = typer.Option("engine:1s", "--player", metavar="WHO", help=text("analyse.suite.player")),
        rules: str = rules_by_name,
        seed: int = typer.Option(1, "--seed", metavar="N", help=text("arena.option.seed")),
        json: bool = common.json_option(),
    ) -> None:
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
                typer.echo(
                    f"{mark:>7}  {test.name}  {test.game.position}  {move}" + ("" if good else f"  ({test.wanted})")
                )
        solved = sum(bool(row["solved"]) for row in results)
        if json:
            common.print_json({"player": str(spec), "solved": solved, "of": len(results), "positions": results})
        else:
            share = percent(solved / len(results))
            typer.echo(text("analyse.suite.summary", player=spec, solved=solved, count=len(results), share=share))


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
    with if_interrupted("analyse.annotate.interrupted", file=work), ProgressLine(INTERVAL) as line:

        def report(done: int) -> None:
            line.tell("analyse.annotate.progress", done=number(done), total=number(total))

        records = _records(files, rules)
        games = annotate_all(records, limit, work, concurrency=concurrency, scheduler=scheduler, report=report)
        with replacing(out) as growing, growing.open("w", encoding="utf-8", newline="\n") as file, closing(games):
            for count, game in enumerate(games):
                file.write("\n" * (count > 0) + game)
    work.unlink(missing_ok=True)
    typer.echo(text("analyse.annotate.done", count=number(total), file=out), err=True)


def annotate_file(file: str, rules: str, limit: Limit, json: bool) -> None:
    """Print the games of a file with values, mistakes and better lines."""
    from awale.arena.annotate import annotate
    from awale.notation import to_ogn

    found = []
    for count, record in enumerate(_records([file], rules)):
        with ProgressLine(INTERVAL) as line:

            def report(done: int, game: str = number(count + 1), of: str = number(len(record.moves))) -> None:
                line.tell("analyse.annotate.moves", game=game, done=number(done), total=of)

            review = annotate(record, limit, report=report)
        if json:
            found.append(review.as_json())
        else:
            typer.echo("\n" * (count > 0) + to_ogn(record), nl=False)
    if json:
        common.print_json(found)
