"""`awale tune`: weights for named features, fitted to self-play."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from awale.cli import common
from awale.cli.progress import ProgressLine, if_interrupted
from awale.i18n import decimal, number, text

if TYPE_CHECKING:
    from awale.classroom.tune import Step, Strength, Tuned


_option = common.options("tune.option")


def register(app: typer.Typer) -> None:
    @app.command("tune", help=text("cli.command.tune"))
    def tune(
        rules: str = common.rules_option(),
        features: str = _option("", "--features", metavar="A,B,..."),
        games: int = _option(200, "--games", metavar="N", min=2),
        rounds: int = _option(2, "--rounds", metavar="N", min=1, max=20),
        play_depth: int = _option(4, "--play-depth", metavar="N", min=1, max=20),
        label_depth: int = _option(6, "--label-depth", metavar="N", min=1, max=20),
        plain: bool = _option(False, "--plain"),
        out: str = _option("tuned.toml", "--out", metavar="FILE"),
        against: str | None = _option(None, "--against", metavar=text("tune.metavar.player")),
        match_games: int = _option(100, "--match-games", metavar="N", min=0),
        depth: int = _option(6, "--depth", metavar="N", min=1, max=20),
        threads: int | None = _option(None, "--threads", "-t", metavar="N", min=1, max=256),
        seed: int = _option(1, "--seed", metavar="N"),
        fresh: bool = _option(False, "--fresh"),
        description: str = _option("", "--description", metavar="TEXT"),
        json: bool = common.json_option(),
    ) -> None:
        from awale.classroom import tune as tuning
        from awale.cores import cores
        from awale.rules import load

        path = Path(out)
        if path.suffix.lower() != ".toml":
            raise tuning.TuneError(text("tune.bad.out", file=out[:200]))
        settings = tuning.Settings(
            rules=rules,
            features=tuple(name.strip() for name in features.split(",") if name.strip()),
            games=games,
            rounds=rounds,
            play_depth=play_depth,
            label_depth=label_depth,
            seed=seed,
            tapered=not plain,
            sided=not plain,
        )
        system, threads = load(rules), threads or cores()
        opponent = against or tuning.opponent_for(system, depth)
        common.check_writable(path)
        work = tuning.work_file(path, settings)
        line = ProgressLine(15.0)

        def show(key: str, complete: bool, **values: object) -> None:
            if complete or line.due():
                line.show(text(f"tune.progress.{key}", **values))

        def tell_step(step: Step) -> None:
            counts = {name: number(getattr(step, name)) for name in ("done", "total", "positions")}
            show("play", step.done == step.total, round=step.round, rounds=rounds, **counts)

        def tell_match(done: int, total: int, score: float) -> None:
            won = decimal(100 * score)
            show("match", done == total, against=opponent, done=done, total=total, score=won)

        with if_interrupted("tune.progress.stopped", file=work), line:
            found = tuning.tune(settings, work, threads=threads, fresh=fresh, tell=tell_step)
            found.made["command"] = shlex.join(["awale", *sys.argv[1:]])
            found.made["positions"] = found.positions
            found.made["explained"] = round(found.fits[-1].explained, 4)
            path.write_text(found.text(description), encoding="utf-8")
            strong = None
            if match_games:
                strong = tuning.strength(
                    f"eval:{path},{depth}",
                    opponent,
                    system,
                    games=match_games,
                    depth=depth,
                    seed=seed,
                    concurrency=threads,
                    journal=path.with_name(f"{path.name}.{tuning.digest(path.read_bytes())}.match"),
                    watch=tell_match,
                )
                found.made["match"] = strong.as_data()
                path.write_text(found.text(description), encoding="utf-8")
        work.unlink(missing_ok=True)
        _tell(found, strong, path, json)


def _tell(found: Tuned, strong: Strength | None, path: Path, json: bool) -> None:
    if json:
        common.print_json(
            {
                "rules": found.settings.rules,
                "file": str(path),
                "features": list(found.settings.features),
                "positions": found.positions,
                "rounds": [
                    {name: round(getattr(fit, name), 4) for name in ("positions", "spread", "left", "explained")}
                    for fit in found.fits
                ],
                "weights": {
                    name: {"mine": found.weighing.mine.get(name), "theirs": found.weighing.theirs.get(name)}
                    for name in found.weighing.features
                },
                "strength": None if strong is None else strong.as_data(),
            }
        )
        return
    for round_, fit in enumerate(found.fits, 1):
        typer.echo(
            text(
                "tune.result.fit",
                round=round_,
                positions=number(fit.positions),
                spread=decimal(fit.spread, ".2f"),
                left=decimal(fit.left, ".2f"),
                explained=f"{100 * fit.explained:.0f}",
            )
        )
    if strong is not None:
        from awale.arena.results import signed

        elo, low, high = map(signed, strong.elo)
        typer.echo(
            text(
                "tune.result.match",
                score=decimal(100 * strong.score),
                least=decimal(100 * strong.interval[0]),
                most=decimal(100 * strong.interval[1]),
                against=strong.against,
                depth=strong.depth,
                games=strong.games,
                wins=strong.wins,
                draws=strong.draws,
                losses=strong.losses,
                elo=elo,
                low=low,
                high=high,
            )
        )
    typer.echo(text("tune.result.written", file=path, rules=found.settings.rules))
