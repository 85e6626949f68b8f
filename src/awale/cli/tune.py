"""`awale tune`: weights for named features, fitted to self-play."""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from awale.cli import common
from awale.i18n import number, text

if TYPE_CHECKING:
    from awale.classroom.tune import Step, Strength, Tuned

EVERY = 0.25
EVERY_ON_PAPER = 15.0
"""Seconds between two lines of progress where standard error is no terminal."""


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
        from awale.arena.run import default_concurrency
        from awale.classroom import tune as room
        from awale.rules import load

        path = Path(out)
        if path.suffix.lower() != ".toml":
            raise room.TuneError(text("tune.bad.out", file=out[:200]))
        settings = room.Settings(
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
        threads = threads or default_concurrency()
        work = path.with_name(path.name + ".work")
        display = Display(rounds)
        try:
            found = room.tune(settings, work, threads=threads, fresh=fresh, tell=display.step)
            found.made["command"] = _command()
            found.made["positions"] = found.positions
            found.made["explained"] = round(found.fits[-1].explained, 4)
            path.write_text(found.text(description), encoding="utf-8")
            strong = None
            if match_games:
                system = load(rules)
                opponent = against or room.opponent_for(system, depth)
                strong = room.strength(
                    f"eval:{path},{depth}",
                    opponent,
                    system,
                    games=match_games,
                    depth=depth,
                    seed=seed,
                    concurrency=threads,
                    journal=path.with_name(f"{path.name}.{room.digest(path)}.match"),
                    watch=lambda done, total, score: display.match(opponent, done, total, score),
                )
                found.made["match"] = strong.as_data()
                found.made["match"]["elo"] = [value for value in strong.as_data()["elo"] if value is not None]
                path.write_text(found.text(description), encoding="utf-8")
        except KeyboardInterrupt:
            display.close()
            typer.echo(text("tune.progress.stopped", file=work), err=True)
            raise
        display.close()
        _tell(found, strong, path, json)


def _command() -> str:
    """What was typed, to be kept with what came of it."""
    return shlex.join(["awale", *sys.argv[1:]])


class Display:
    """Progress on standard error: a line that changes in a terminal, a line now and then on paper."""

    def __init__(self, rounds: int) -> None:
        self._rounds = rounds
        self._terminal = sys.stderr.isatty()
        self._last = 0.0
        self._width = 0

    def _say(self, line: str, whole: bool) -> None:
        wait = EVERY if self._terminal else EVERY_ON_PAPER
        if time.monotonic() - self._last < wait and not whole:
            return
        self._last = time.monotonic()
        if not self._terminal:
            typer.echo(line, err=True)
            return
        with contextlib.suppress(OSError):
            line = line[: os.get_terminal_size(sys.stderr.fileno()).columns - 1]
        sys.stderr.write("\r" + line.ljust(self._width))
        sys.stderr.flush()
        self._width = len(line)

    def step(self, step: Step) -> None:
        line = text(
            "tune.progress.play",
            round=step.round,
            rounds=self._rounds,
            done=number(step.done),
            total=number(step.total),
            positions=number(step.positions),
        )
        self._say(line, step.done == step.total)

    def match(self, against: str, done: int, total: int, score: float) -> None:
        line = text("tune.progress.match", against=against, done=done, total=total, score=f"{100 * score:.1f}")
        self._say(line, done == total)

    def close(self) -> None:
        if self._terminal and self._width:
            sys.stderr.write("\n")
            self._width = 0


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
                spread=f"{fit.spread:.2f}",
                left=f"{fit.left:.2f}",
                explained=f"{100 * fit.explained:.0f}",
            )
        )
    if strong is not None:
        from awale.arena.results import signed

        elo, low, high = map(signed, strong.elo)
        typer.echo(
            text(
                "tune.result.match",
                score=f"{100 * strong.score:.1f}",
                error=f"{100 * strong.error:.1f}",
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
