"""`awale tune`: weights for named features, fitted to self-play."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from awale.cli import common
from awale.cli.progress import ProgressLine
from awale.i18n import decimal, number, text

if TYPE_CHECKING:
    from awale.classroom.tune import Step, Strength, Tuned


def _option(default: Any, name: str, key: str, *short: str, **more: Any) -> Any:
    return typer.Option(default, name, *short, help=text(f"tune.option.{key}"), **more)


def register(app: typer.Typer) -> None:
    file = text("cli.metavar.file")

    @app.command("tune", help=text("cli.command.tune"))
    def tune(
        rules: str = common.rules_option(),
        features: str = _option("", "--features", "features", metavar="A,B,..."),
        games: int = _option(200, "--games", "games", metavar="N", min=2),
        rounds: int = _option(2, "--rounds", "rounds", metavar="N", min=1, max=20),
        play_depth: int = _option(4, "--play-depth", "play-depth", metavar="N", min=1, max=20),
        label_depth: int = _option(6, "--label-depth", "label-depth", metavar="N", min=1, max=20),
        plain: bool = _option(False, "--plain", "plain"),
        out: str = _option("tuned.toml", "--out", "out", metavar=file),
        against: str | None = _option(None, "--against", "against", metavar=text("tune.metavar.player")),
        match_games: int = _option(100, "--match-games", "match-games", metavar="N", min=0),
        depth: int = _option(6, "--depth", "depth", metavar="N", min=1, max=20),
        threads: int | None = typer.Option(
            None, "--threads", "-t", metavar="N", min=1, max=256, help=text("tune.option.threads")
        ),
        seed: int = _option(1, "--seed", "seed", metavar="N"),
        fresh: bool = _option(False, "--fresh", "fresh"),
        description: str = _option("", "--description", "description", metavar="TEXT"),
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
        threads = threads or cores()
        common.check_writable(path)
        work = tuning.work_file(path, settings)
        progress = _Progress(rounds)
        try:
            found = tuning.tune(settings, work, threads=threads, fresh=fresh, tell=progress.step)
            found.made["command"] = _command()
            found.made["positions"] = found.positions
            found.made["explained"] = round(found.fits[-1].explained, 4)
            path.write_text(found.text(description), encoding="utf-8")
            strong = None
            if match_games:
                system = load(rules)
                opponent = against or tuning.opponent_for(system, depth)
                strong = tuning.strength(
                    f"eval:{path},{depth}",
                    opponent,
                    system,
                    games=match_games,
                    depth=depth,
                    seed=seed,
                    concurrency=threads,
                    journal=path.with_name(f"{path.name}.{tuning.digest(path.read_bytes())}.match"),
                    watch=lambda done, total, score: progress.match(opponent, done, total, score),
                )
                found.made["match"] = strong.as_data()
                path.write_text(found.text(description), encoding="utf-8")
        except KeyboardInterrupt:
            progress.line.end()
            typer.echo(text("tune.progress.stopped", file=work), err=True)
            raise
        progress.line.end()
        work.unlink(missing_ok=True)
        _tell(found, strong, path, json)


def _command() -> str:
    """Return the command line, to be stored with its result."""
    return shlex.join(["awale", *sys.argv[1:]])


class _Progress:
    """Progress on standard error."""

    def __init__(self, rounds: int) -> None:
        self._rounds = rounds
        self.line = ProgressLine(15.0)

    def step(self, step: Step) -> None:
        line = text(
            "tune.progress.play",
            round=step.round,
            rounds=self._rounds,
            done=number(step.done),
            total=number(step.total),
            positions=number(step.positions),
        )
        self._show(line, step.done == step.total)

    def match(self, against: str, done: int, total: int, score: float) -> None:
        line = text("tune.progress.match", against=against, done=done, total=total, score=decimal(100 * score))
        self._show(line, done == total)

    def _show(self, line: str, complete: bool) -> None:
        if complete or self.line.due():
            self.line.show(line)


def _tell(found: Tuned, strong: Strength | None, path: Path, json: bool) -> None:
    if json:
        common.print_json(
            {
                "rules": found.settings.rules,
                "file": str(path),
                "features": list(found.settings.features),
                "positions": found.positions,
                "rounds": [
                    {
                        "positions": fit.positions,
                        "spread": round(fit.spread, 4),
                        "left": round(fit.left, 4),
                        "explained": round(fit.explained, 4),
                    }
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
