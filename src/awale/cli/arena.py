"""`awale match`, `awale tournament`, `awale openings`: players against each other."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from awale.cli import common
from awale.cli.progress import ProgressLine
from awale.i18n import number, text

if TYPE_CHECKING:
    from awale.arena import MatchPlan, Played, Tournament, TournamentResult

    _Shown = Callable[[Callable[[], TournamentResult], Played], object]

EVERY = 0.25
"""Seconds between two updates of the live table."""
LOG_INTERVAL = 15.0
"""Seconds between two lines of interim results, where standard error is not a terminal."""


_option = common.options("arena.option")
_later = partial(common.later, _option)


@dataclass
class _Options:
    """The options that a match and a tournament share."""

    rules: str = common.later(common.rules_option)
    time: float | None = _later(None, "--time", metavar="S")
    clock: str | None = _later(None, "--clock", metavar="M+S")
    depth: int | None = _later(None, "--depth", metavar="N", min=1, max=64)
    nodes: int | None = _later(None, "--nodes", metavar="N", min=1, max=99_999_999)
    margin: float = _later(0.5, "--margin", metavar="S")
    openings: str = common.later(
        lambda: _option("balanced", "--openings", metavar=f"balanced|plies=N|{text('cli.metavar.file')}")
    )
    concurrency: int | None = _later(None, "--concurrency", metavar="N", min=1, max=1024)
    scheduler: str | None = _later(None, "--scheduler", metavar="ADDRESS")
    seed: int = _later(1, "--seed", metavar="N")
    journal: str | None = _later(None, "--journal", metavar="FILE")
    resume: str | None = _later(None, "--resume", metavar="FILE")
    max_plies: int = _later(1000, "--max-plies", metavar="N", min=1, max=100_000)
    resign: str | None = _later(None, "--resign", metavar='"moves=N score=S"')
    draw: str | None = _later(None, "--draw", metavar='"moves=N score=S from=N"')
    adjudicate_tables: bool = _later(False, "--adjudicate-tables")
    ogn: str | None = _later(None, "--ogn", metavar="FILE")
    csv: str | None = _later(None, "--csv", metavar="FILE")
    html: str | None = _later(None, "--html", metavar="FILE")
    svg: str | None = _later(None, "--svg", metavar="FOLDER")
    save: bool = _later(False, "--save")
    database: str | None = _later(None, "--database", metavar="URL")
    quiet: bool = _later(False, "--quiet", "-q")
    json: bool = common.later(common.json_option)

    def player(self, name: str) -> str:
        """Return a player with the limits of all players."""
        from awale.players import PlayerSpec

        return str(PlayerSpec.parse(name).with_limits(self.depth, self.nodes))

    def plan(self) -> dict[str, Any]:
        """Return what the plans of matches and of tournaments share."""
        from awale.arena import time_control
        from awale.arena.adjudication import Adjudication

        return {
            "rules": self.rules,
            "control": time_control(seconds=self.time, clock=self.clock, margin=self.margin),
            "openings": self.openings,
            "seed": self.seed,
            "max_plies": self.max_plies,
            "adjudication": Adjudication.read(self.resign, self.draw, self.adjudicate_tables),
        }

    def check(self) -> None:
        """Raise an error where something cannot be written: before the first game, not after hours of play."""
        for file in filter(None, (self.ogn, self.csv, self.html)):
            common.check_writable(file)
        if self.svg:
            Path(self.svg).mkdir(parents=True, exist_ok=True)
        if self.save or self.database:
            from awale.store import Store

            Store(self.database).close()

    def write(self, result: TournamentResult) -> None:
        from awale.arena import results

        # The result first: a file that cannot be written must not lose hours of play.
        if self.json:
            common.print_json(result.as_data())
        else:
            typer.echo(results.plain_table(result))
        if self.ogn:
            results.save_ogn(result, self.ogn)
        if self.csv:
            Path(self.csv).write_text(results.games_csv(result), encoding="utf-8", newline="")
        if self.html:
            Path(self.html).write_text(results.html(result), encoding="utf-8")
        if self.svg:
            results.save_pictures(result, self.svg)
        if self.save or self.database:
            from awale.arena.saving import keep

            keep(result, self.database)


def register(app: typer.Typer) -> None:
    @app.command("match", help=text("cli.command.match"))
    @common.shared_options(_Options, games="rules", clock_b="clock", sprt="openings")
    def match(
        *,
        first: str = typer.Argument(metavar="A", help=text("arena.option.first")),
        second: str = typer.Argument(metavar="B", help=text("arena.option.second")),
        games: int = _option(100, "--games", metavar="N", min=1),
        clock_b: str | None = _option(None, "--clock-b", metavar="M+S"),
        sprt: list[str] = _option([], "--sprt", metavar='"elo0=E elo1=E"', show_default=False),  # noqa: B008
        options: _Options,
    ) -> None:
        from awale.arena import MatchPlan, play_match, time_control
        from awale.arena.schedule import Sprt

        plan = MatchPlan(
            options.player(first),
            options.player(second),
            games=games,
            sprt=Sprt.read(" ".join(sprt)) if sprt else None,
            second_control=time_control(clock=clock_b, margin=options.margin),
            **options.plan(),
        )
        _run(plan, play_match, options)

    @app.command("tournament", help=text("cli.command.tournament"))
    @common.shared_options(_Options, games="rules", double="rules", gauntlet="rules")
    def tournament(
        *,
        players: list[str] = typer.Argument(metavar="WHO", help=text("arena.option.players")),
        games: int = _option(2, "--games", key="games-each", metavar="N", min=1),
        double: bool = _option(False, "--double"),
        gauntlet: bool = _option(False, "--gauntlet"),
        options: _Options,
    ) -> None:
        from awale.arena import Tournament, play_tournament

        names = tuple(map(options.player, _with_folders(players, options.rules)))
        plan = Tournament(names, games=games * (2 if double else 1), gauntlet=gauntlet, **options.plan())
        _run(plan, play_tournament, options)

    @app.command("openings", help=text("cli.command.openings"))
    def openings(
        rules: str = common.rules_option(),
        plies: int = _option(6, "--plies", metavar="N", min=0, max=40),
        within: float = _option(1.0, "--within", metavar="SEEDS", min=0),
        nodes: int = _option(500_000, "--nodes", key="look", metavar="N", min=1),
        count: int = _option(300, "--count", metavar="N", min=1),
        seed: int = _option(1, "--seed", metavar="N"),
        out: str | None = _option(None, "--out", metavar="FILE"),
        ogn: str | None = _option(None, "--ogn", metavar="FILE"),
        json: bool = common.json_option(),
    ) -> None:
        settings = {"plies": plies, "within": within, "nodes": nodes, "count": count, "seed": seed}
        _openings(rules, settings, out, ogn, json)


def _with_folders(names: list[str], rules: str) -> list[str]:
    """Return the players' names, a folder replaced by the players of its files; those that cannot play are reported."""
    from awale.rules import presets

    found: list[str] = []
    for name in names:
        if not Path(name).is_dir():
            found.append(name)
            continue
        from awale.classroom.pupils import players_in

        pupils = players_in(Path(name), presets.load(rules))
        found += pupils.players
        for sentence in pupils.refused:
            typer.echo(text("arena.bad.left-out", problem=sentence), err=True)
    return found


def _run(plan: MatchPlan | Tournament, play: Callable[..., TournamentResult], options: _Options) -> None:
    from awale.arena import Interrupted
    from awale.arena.errors import ArenaError
    from awale.arena.results import append_ogn, save_ogn

    if options.journal and options.resume:
        raise ArenaError(text("arena.bad.journal-and-resume"))
    options.check()
    own = None if options.journal or options.resume else _default_journal()
    file = options.resume or options.journal or own
    show = _quiet if options.quiet else _live if sys.stderr.isatty() else _logged
    try:
        with show() as shown:
            begun = False

            def watch(standings: Callable[[], TournamentResult], played: Played) -> None:
                nonlocal begun
                if options.ogn and begun:
                    append_ogn(plan, played, options.ogn)
                elif options.ogn:
                    save_ogn(standings(), options.ogn)  # with the games of a match that is resumed
                begun = True
                shown(standings, played)

            result = play(
                plan,
                watch=watch,
                concurrency=options.concurrency,
                scheduler=options.scheduler,
                journal=file,
                resume=options.resume is not None,
            )
    except Interrupted as stop:
        if stop.result.games:
            options.write(stop.result)
        if file is not None and stop.result.games:
            typer.echo(text("arena.journal.interrupted", command=_resume_command(file)), err=True)
        elif own is not None:
            Path(own).unlink(missing_ok=True)
        raise
    options.write(result)
    if own is not None:
        Path(own).unlink(missing_ok=True)


def _default_journal() -> str | None:
    """Return a new file in the data directory; None, with a warning, where there is no room for one."""
    from awale import paths

    folder = paths.data_dir() / "matches"
    file = folder / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.jsonl"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        common.check_writable(file)
    except OSError as error:
        typer.echo(text("arena.journal.none", file=file, problem=error.strerror), err=True)
        return None
    return str(file)


def _resume_command(file: str) -> str:
    """Return the command line that continues an interrupted match."""
    rest: list[str] = []
    arguments = iter(sys.argv[1:])
    for argument in arguments:
        if argument in ("--journal", "--resume"):
            next(arguments, None)
        elif not argument.startswith(("--journal=", "--resume=")):
            rest.append(argument)
    return shlex.join(["awale", *rest, "--resume", file])


@contextmanager
def _quiet() -> Iterator[_Shown]:
    yield lambda standings, played: None


@contextmanager
def _logged() -> Iterator[_Shown]:
    """Print a line now and then."""
    from awale.arena.results import interim_line

    line = ProgressLine(LOG_INTERVAL)

    def show(standings: Callable[[], TournamentResult], played: Played) -> None:
        if line.due():
            line.show(interim_line(standings()))

    yield show


@contextmanager
def _live() -> Iterator[_Shown]:
    """Keep a table up to date in the terminal."""
    from rich.console import Console
    from rich.live import Live

    shown = 0.0
    with Live(console=Console(file=sys.stderr), refresh_per_second=4, transient=True) as live:

        def show(standings: Callable[[], TournamentResult], played: Played) -> None:
            nonlocal shown
            if time.monotonic() - shown > EVERY:
                shown = time.monotonic()
                live.update(_live_table(standings(), played), refresh=True)

        yield show


def _live_table(result: TournamentResult, last: Played) -> Any:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from awale.arena import MatchResult, results

    table = Table(title=results.head_line(result), title_justify="left")
    for name in results.HEADINGS:
        if name == "player":  # a long name is folded, never cut: players often differ at its end
            table.add_column(text("arena.table.player"), overflow="fold", min_width=12)
        else:
            table.add_column(text(f"arena.table.{name}"), justify="right")
    for row in results.table_rows(result):
        table.add_row(*map(Text, row))
    lines = results.match_lines(result) if isinstance(result, MatchResult) else []
    south, north = (result.plan.players[seat] for seat in last.seats)
    lines.append(
        text(
            "arena.table.game",
            number=last.number + 1,
            south=south,
            north=north,
            scores=f"{last.scores[0]}-{last.scores[1]}",
            reason=results.reason_text(last.reason),
        )
    )
    return Group(table, *map(Text, lines))


def _openings(rules: str, settings: dict[str, Any], out: str | None, ogn: str | None, json: bool) -> None:
    from awale.arena import openings as suites
    from awale.notation import GameRecord, write_ogn
    from awale.rules import load

    system = load(rules)
    file = None
    if out is not None:
        options = " ".join(
            f"--{name} {value:g}" if name == "within" else f"--{name} {value}" for name, value in settings.items()
        )
        file = suites.OpeningFile(Path(out), f"awale openings --rules {system.name} {options}")
    suite = list(file.given) if file is not None else []
    examined = 0

    def watch(number_examined: int) -> None:
        nonlocal examined
        examined = number_examined
        if line.due():
            line.show(_openings_line("progress", len(suite), examined, settings))

    with ProgressLine(LOG_INTERVAL) as line:
        for opening in suites.balanced(system, **settings, given=suite[:], watch=watch):
            suite.append(opening)
            if file is not None:
                file.add(opening)
            elif not json and ogn is None:
                line.end()
                typer.echo(f"{opening.line} {opening.game(system).position}")
    if json:
        common.print_json([opening.as_data(system) for opening in suite])
    if ogn:
        write_ogn((GameRecord.from_game(opening.game(system)) for opening in suite), Path(ogn))
    typer.echo(_openings_line("summary", len(suite), examined, settings), err=True)


def _openings_line(key: str, found: int, examined: int, settings: dict[str, Any]) -> str:
    return text(
        f"arena.openings.{key}",
        found=number(found),
        all=number(examined),
        plies=settings["plies"],
        within=f"{settings['within']:g}",
        count=settings["count"],
    )
