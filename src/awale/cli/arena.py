"""`awale match`, `awale tournament`, `awale openings`: players against each other."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from awale.cli import common
from awale.i18n import number, text

if TYPE_CHECKING:
    from awale.arena import MatchPlan, Played, Tournament, TournamentResult

EVERY = 0.25
"""Seconds between two updates of the live table."""


def _option(default: Any, name: str, key: str, **more: Any) -> Any:
    return typer.Option(default, name, help=text(f"arena.option.{key}"), **more)


def register(app: typer.Typer) -> None:
    rules_by_name = common.rules_option()
    as_json = common.json_option()
    file = text("cli.metavar.file")
    time_a_move = _option(None, "--time", "time", metavar="S")
    on_a_clock = _option(None, "--clock", "clock", metavar="M+S")
    to_a_depth = _option(None, "--depth", "depth", metavar="N", min=1, max=64)
    forgiven = _option(0.5, "--margin", "margin", metavar="S")
    from_openings = _option("plies=4", "--openings", "openings", metavar=f"plies=N|{file}")
    at_a_time = _option(None, "--concurrency", "concurrency", metavar="N", min=1, max=1024)
    by_scheduler = _option(None, "--scheduler", "scheduler", metavar="ADDRESS")
    chance = _option(1, "--seed", "seed", metavar="N")
    journal_file = _option(None, "--journal", "journal", metavar=file)
    resumed = _option(None, "--resume", "resume", metavar=file)
    cut = _option(1000, "--max-plies", "max-plies", metavar="N", min=1, max=100_000)
    ogn_file = _option(None, "--ogn", "ogn", metavar=file)
    csv_file = _option(None, "--csv", "csv", metavar=file)
    html_file = _option(None, "--html", "html", metavar=file)
    svg_folder = _option(None, "--svg", "svg", metavar=text("cli.metavar.folder"))
    stored = _option(False, "--save", "save")
    silent = typer.Option(False, "--quiet", "-q", help=text("arena.option.quiet"))

    @app.command("match", help=text("cli.command.match"))
    def match(
        first: str = typer.Argument(metavar="A", help=text("arena.option.first")),
        second: str = typer.Argument(metavar="B", help=text("arena.option.second")),
        rules: str = rules_by_name,
        games: int = _option(100, "--games", "games", metavar="N", min=1),
        time: float | None = time_a_move,
        clock: str | None = on_a_clock,
        depth: int | None = to_a_depth,
        margin: float = forgiven,
        openings: str = from_openings,
        sprt: list[str] = _option([], "--sprt", "sprt", metavar='"elo0=E elo1=E"', show_default=False),  # noqa: B008
        concurrency: int | None = at_a_time,
        scheduler: str | None = by_scheduler,
        seed: int = chance,
        journal: str | None = journal_file,
        resume: str | None = resumed,
        max_plies: int = cut,
        ogn: str | None = ogn_file,
        csv: str | None = csv_file,
        html: str | None = html_file,
        svg: str | None = svg_folder,
        save: bool = stored,
        quiet: bool = silent,
        json: bool = as_json,
    ) -> None:
        from awale.arena import MatchPlan, play_match, time_control
        from awale.arena.schedule import Sprt
        from awale.players import PlayerSpec

        plan = MatchPlan(
            str(PlayerSpec.parse(first).with_depth(depth)),
            str(PlayerSpec.parse(second).with_depth(depth)),
            rules=rules,
            games=games,
            control=time_control(seconds=time, clock=clock, margin=margin),
            openings=openings,
            sprt=Sprt.read(" ".join(sprt)) if sprt else None,
            seed=seed,
            max_plies=max_plies,
        )
        result = _played(plan, play_match, concurrency, scheduler, journal, resume, quiet)
        _tell(result, json, ogn, csv, html, svg, save)

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
        margin: float = forgiven,
        openings: str = from_openings,
        concurrency: int | None = at_a_time,
        scheduler: str | None = by_scheduler,
        seed: int = chance,
        journal: str | None = journal_file,
        resume: str | None = resumed,
        max_plies: int = cut,
        ogn: str | None = ogn_file,
        csv: str | None = csv_file,
        html: str | None = html_file,
        svg: str | None = svg_folder,
        save: bool = stored,
        quiet: bool = silent,
        json: bool = as_json,
    ) -> None:
        from awale.arena import Tournament, play_tournament, time_control
        from awale.players import PlayerSpec

        plan = Tournament(
            tuple(str(PlayerSpec.parse(name).with_depth(depth)) for name in players),
            rules=rules,
            games=games * (2 if double else 1),
            control=time_control(seconds=time, clock=clock, margin=margin),
            openings=openings,
            gauntlet=gauntlet,
            seed=seed,
            max_plies=max_plies,
        )
        result = _played(plan, play_tournament, concurrency, scheduler, journal, resume, quiet)
        _tell(result, json, ogn, csv, html, svg, save)

    @app.command("openings", help=text("cli.command.openings"))
    def openings(
        rules: str = rules_by_name,
        plies: int = _option(4, "--plies", "plies", metavar="N", min=0, max=40),
        within: float = _option(1.0, "--within", "within", metavar="SEEDS", min=0),
        depth: int = _option(8, "--depth", "look", metavar="N", min=1, max=64),
        count: int | None = _option(None, "--count", "count", metavar="N", min=1),
        seed: int = chance,
        ogn: str | None = ogn_file,
        json: bool = as_json,
    ) -> None:
        _openings(rules, plies, within, depth, count, seed, ogn, json)


def _played(
    plan: MatchPlan | Tournament,
    play: Callable[..., TournamentResult],
    concurrency: int | None,
    scheduler: str | None,
    journal: str | None,
    resume: str | None,
    quiet: bool,
) -> TournamentResult:
    from awale.arena.errors import ArenaError

    if journal and resume:
        raise ArenaError(text("arena.bad.journal-and-resume"))
    how: dict[str, Any] = {
        "concurrency": concurrency,
        "scheduler": scheduler,
        "journal": resume or journal,
        "resume": resume is not None,
    }
    if quiet or not sys.stderr.isatty():
        return play(plan, **how)
    import time

    from rich.console import Console
    from rich.live import Live

    shown = 0.0
    with Live(console=Console(file=sys.stderr), refresh_per_second=4, transient=True) as live:

        def watch(standings: Callable[[], TournamentResult], played: Played) -> None:
            nonlocal shown
            if time.monotonic() - shown > EVERY:
                shown = time.monotonic()
                live.update(_live_table(standings(), played), refresh=True)

        return play(plan, watch=watch, **how)


def _live_table(result: TournamentResult, last: Played) -> Any:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from awale.arena import MatchResult, results

    table = Table(title=results.head_line(result), title_justify="left")
    for name in results.HEADINGS:
        table.add_column(text(f"arena.table.{name}"), justify="left" if name == "player" else "right")
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


def _tell(
    result: TournamentResult,
    json: bool,
    ogn: str | None,
    csv: str | None,
    html: str | None,
    svg: str | None,
    save: bool,
) -> None:
    from awale.arena import results

    event = " - ".join(result.plan.players)[:200]
    # The result first: a file that cannot be written must not lose hours of play.
    if json:
        common.print_json(result.as_data())
    else:
        typer.echo(results.plain_table(result))
    if ogn:
        results.save_ogn(result, ogn, event)
    if csv:
        Path(csv).write_text(results.games_csv(result), encoding="utf-8", newline="")
    if html:
        Path(html).write_text(results.html(result), encoding="utf-8")
    if svg:
        results.save_pictures(result, svg)
    if save:
        from awale.arena.saving import keep

        keep(result, event)


def _openings(
    rules: str, plies: int, within: float, depth: int, count: int | None, seed: int, ogn: str | None, json: bool
) -> None:
    from awale.arena import openings as suites
    from awale.notation import GameRecord, write_ogn
    from awale.rules import load

    system = load(rules)
    every = len(suites.distinct(system, plies))
    suite = []
    for opening in suites.balanced(system, plies, within=within, depth=depth, count=count, seed=seed):
        suite.append(opening)
        if not json and ogn is None:
            game = opening.game(system)
            typer.echo(f"{' '.join(opening.moves)}  # {opening.value:+.2f} {game.position}")
    if json:
        common.print_json([opening.as_data(system) for opening in suite])
    if ogn:
        write_ogn((GameRecord.from_game(opening.game(system)) for opening in suite), Path(ogn))
    summary = text(
        "arena.openings.summary", found=number(len(suite)), all=number(every), plies=plies, within=f"{within:g}"
    )
    typer.echo(summary, err=True)
