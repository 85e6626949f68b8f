"""`awale match`, `awale tournament`, `awale openings`: players against each other."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
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


def _option(default: Any, name: str, key: str, **more: Any) -> Any:
    return typer.Option(default, name, help=text(f"arena.option.{key}"), **more)


def register(app: typer.Typer) -> None:
    rules_by_name = common.rules_option()
    as_json = common.json_option()
    file = text("cli.metavar.file")
    time_a_move = _option(None, "--time", "time", metavar="S")
    on_a_clock = _option(None, "--clock", "clock", metavar="M+S")
    to_a_depth = _option(None, "--depth", "depth", metavar="N", min=1, max=64)
    so_many_nodes = _option(None, "--nodes", "nodes", metavar="N", min=1, max=99_999_999)
    forgiven = _option(0.5, "--margin", "margin", metavar="S")
    from_openings = _option("balanced", "--openings", "openings", metavar=f"balanced|plies=N|{file}")
    at_a_time = _option(None, "--concurrency", "concurrency", metavar="N", min=1, max=1024)
    by_scheduler = _option(None, "--scheduler", "scheduler", metavar="ADDRESS")
    chance = _option(1, "--seed", "seed", metavar="N")
    journal_file = _option(None, "--journal", "journal", metavar=file)
    resumed = _option(None, "--resume", "resume", metavar=file)
    resigned = _option(None, "--resign", "resign", metavar='"moves=N score=S"')
    drawn = _option(None, "--draw", "draw", metavar='"moves=N score=S from=N"')
    by_tables = _option(False, "--adjudicate-tables", "adjudicate-tables")
    cut = _option(1000, "--max-plies", "max-plies", metavar="N", min=1, max=100_000)
    ogn_file = _option(None, "--ogn", "ogn", metavar=file)
    csv_file = _option(None, "--csv", "csv", metavar=file)
    html_file = _option(None, "--html", "html", metavar=file)
    svg_folder = _option(None, "--svg", "svg", metavar=text("cli.metavar.folder"))
    stored = _option(False, "--save", "save")
    in_database = _option(None, "--database", "database", metavar="URL")
    silent = typer.Option(False, "--quiet", "-q", help=text("arena.option.quiet"))

    @app.command("match", help=text("cli.command.match"))
    def match(
        first: str = typer.Argument(metavar="A", help=text("arena.option.first")),
        second: str = typer.Argument(metavar="B", help=text("arena.option.second")),
        rules: str = rules_by_name,
        games: int = _option(100, "--games", "games", metavar="N", min=1),
        time: float | None = time_a_move,
        clock: str | None = on_a_clock,
        clock_b: str | None = _option(None, "--clock-b", "clock-b", metavar="M+S"),
        depth: int | None = to_a_depth,
        nodes: int | None = so_many_nodes,
        margin: float = forgiven,
        openings: str = from_openings,
        sprt: list[str] = _option([], "--sprt", "sprt", metavar='"elo0=E elo1=E"', show_default=False),  # noqa: B008
        concurrency: int | None = at_a_time,
        scheduler: str | None = by_scheduler,
        seed: int = chance,
        journal: str | None = journal_file,
        resume: str | None = resumed,
        max_plies: int = cut,
        resign: str | None = resigned,
        draw: str | None = drawn,
        adjudicate_tables: bool = by_tables,
        ogn: str | None = ogn_file,
        csv: str | None = csv_file,
        html: str | None = html_file,
        svg: str | None = svg_folder,
        save: bool = stored,
        database: str | None = in_database,
        quiet: bool = silent,
        json: bool = as_json,
    ) -> None:
        from awale.arena import MatchPlan, play_match, time_control
        from awale.arena.adjudication import Adjudication
        from awale.arena.schedule import Sprt
        from awale.players import PlayerSpec

        plan = MatchPlan(
            str(PlayerSpec.parse(first).with_limits(depth, nodes)),
            str(PlayerSpec.parse(second).with_limits(depth, nodes)),
            rules=rules,
            games=games,
            control=time_control(seconds=time, clock=clock, margin=margin),
            openings=openings,
            sprt=Sprt.read(" ".join(sprt)) if sprt else None,
            seed=seed,
            max_plies=max_plies,
            adjudication=Adjudication.read(resign, draw, adjudicate_tables),
            second_control=time_control(clock=clock_b, margin=margin),
        )
        outputs = _Outputs(json, ogn, csv, html, svg, save, database)
        _run(plan, play_match, outputs, concurrency, scheduler, journal, resume, quiet)

    @app.command("tournament", help=text("cli.command.tournament"))
    def tournament(
        players: list[str] = typer.Argument(metavar=text("cli.metavar.who"), help=text("arena.option.players")),  # noqa: B008
        rules: str = rules_by_name,
        games: int = _option(2, "--games", "games-each", metavar="N", min=1),
        double: bool = _option(False, "--double", "double"),
        gauntlet: bool = _option(False, "--gauntlet", "gauntlet"),
        time: float | None = time_a_move,
        clock: str | None = on_a_clock,
        depth: int | None = to_a_depth,
        nodes: int | None = so_many_nodes,
        margin: float = forgiven,
        openings: str = from_openings,
        concurrency: int | None = at_a_time,
        scheduler: str | None = by_scheduler,
        seed: int = chance,
        journal: str | None = journal_file,
        resume: str | None = resumed,
        max_plies: int = cut,
        resign: str | None = resigned,
        draw: str | None = drawn,
        adjudicate_tables: bool = by_tables,
        ogn: str | None = ogn_file,
        csv: str | None = csv_file,
        html: str | None = html_file,
        svg: str | None = svg_folder,
        save: bool = stored,
        database: str | None = in_database,
        quiet: bool = silent,
        json: bool = as_json,
    ) -> None:
        from awale.arena import Tournament, play_tournament, time_control
        from awale.arena.adjudication import Adjudication
        from awale.players import PlayerSpec

        plan = Tournament(
            tuple(str(PlayerSpec.parse(name).with_limits(depth, nodes)) for name in _with_folders(players, rules)),
            rules=rules,
            games=games * (2 if double else 1),
            control=time_control(seconds=time, clock=clock, margin=margin),
            openings=openings,
            gauntlet=gauntlet,
            seed=seed,
            max_plies=max_plies,
            adjudication=Adjudication.read(resign, draw, adjudicate_tables),
        )
        outputs = _Outputs(json, ogn, csv, html, svg, save, database)
        _run(plan, play_tournament, outputs, concurrency, scheduler, journal, resume, quiet)

    @app.command("openings", help=text("cli.command.openings"))
    def openings(
        rules: str = rules_by_name,
        plies: int = _option(6, "--plies", "plies", metavar="N", min=0, max=40),
        within: float = _option(1.0, "--within", "within", metavar="SEEDS", min=0),
        nodes: int = _option(500_000, "--nodes", "look", metavar="N", min=1),
        count: int = _option(300, "--count", "count", metavar="N", min=1),
        seed: int = chance,
        out: str | None = _option(None, "--out", "out", metavar=file),
        ogn: str | None = ogn_file,
        json: bool = as_json,
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


@dataclass
class _Outputs:
    """What a command does with a result."""

    json: bool
    ogn: str | None
    csv: str | None
    html: str | None
    svg: str | None
    save: bool
    database: str | None

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


def _run(
    plan: MatchPlan | Tournament,
    play: Callable[..., TournamentResult],
    outputs: _Outputs,
    concurrency: int | None,
    scheduler: str | None,
    journal: str | None,
    resume: str | None,
    quiet: bool,
) -> None:
    from awale.arena import Interrupted
    from awale.arena.errors import ArenaError
    from awale.arena.results import append_ogn, save_ogn

    if journal and resume:
        raise ArenaError(text("arena.bad.journal-and-resume"))
    outputs.check()
    own = None if journal or resume else _default_journal()
    file = resume or journal or own
    show = _quiet if quiet else _live if sys.stderr.isatty() else _logged
    try:
        with show() as shown:
            begun = False

            def watch(standings: Callable[[], TournamentResult], played: Played) -> None:
                nonlocal begun
                if outputs.ogn and begun:
                    append_ogn(plan, played, outputs.ogn)
                elif outputs.ogn:
                    save_ogn(standings(), outputs.ogn)  # with the games of a match that is resumed
                begun = True
                shown(standings, played)

            result = play(
                plan,
                watch=watch,
                concurrency=concurrency,
                scheduler=scheduler,
                journal=file,
                resume=resume is not None,
            )
    except Interrupted as stop:
        if stop.result.games:
            outputs.write(stop.result)
        if file is not None and stop.result.games:
            typer.echo(text("arena.journal.interrupted", command=_resume_command(file)), err=True)
        elif own is not None:
            Path(own).unlink(missing_ok=True)
        raise
    outputs.write(result)
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
    line = ProgressLine(LOG_INTERVAL)
    examined = 0

    def watch(number_examined: int) -> None:
        nonlocal examined
        examined = number_examined
        if line.due():
            line.show(_openings_line("progress", len(suite), examined, settings))

    for opening in suites.balanced(system, **settings, given=suite[:], watch=watch):
        suite.append(opening)
        if file is not None:
            file.add(opening)
        elif not json and ogn is None:
            line.end()
            typer.echo(f"{opening.line} {opening.game(system).position}")
    line.end()
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
