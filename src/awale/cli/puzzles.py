"""`awale puzzles`: solve puzzles, list them, make new ones from games, verify files."""

from __future__ import annotations

import datetime
import random
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from awale.cli import common
from awale.cli.progress import ProgressLine
from awale.errors import AwaleError
from awale.i18n import labelled, number, system_problem, text

if TYPE_CHECKING:
    from awale.training import Puzzle, Session
    from awale.training.progress import Progress
    from awale.training.work import Games, Settings, Step


_option = common.options("puzzles.option")


def register(app: typer.Typer) -> None:
    group = common.group(app, "puzzles")
    rules_by_name = common.rules_option()
    of_theme = _option(None, "--theme", metavar="THEME", autocompletion=_complete_theme)
    of_rating = _option(None, "--rating", metavar="N-N")
    of_day = _option(None, "--day", metavar="DATE")
    in_file = _option(None, "--file", metavar="FILE")
    of_games = _option(None, "--from", metavar="FILE")
    one = typer.Argument(None, metavar="ID", help=text("puzzles.option.id"), show_default=False)
    of_name = _option(None, "--name", metavar="NAME")
    as_json = common.json_option()

    @group.command("solve", help=text("puzzles.help.solve"))
    def solve(
        id: str | None = one,
        rules: str = rules_by_name,
        theme: str | None = of_theme,
        rating: str | None = of_rating,
        day: str | None = of_day,
        source: Path | None = in_file,
        name: str | None = of_name,
        plain: bool = typer.Option(False, "--plain", help=text("play.option.plain")),
    ) -> None:
        from awale.cli.play import can_fill_screen
        from awale.training import Session

        chosen = _found(rules, theme, rating, source)
        if id is not None or day is not None:
            chosen = [_one(chosen, id, day, rules)]
        session = Session(chosen, _solver(name))
        if not plain and can_fill_screen():
            raise typer.Exit(_solve_full_screen(session))
        from awale.cli.plain_puzzles import PlainPuzzles
        from awale.cli.terminal import Terminal

        PlainPuzzles(session, Terminal(plain=plain)).run()

    @group.command("list", help=text("puzzles.help.list"))
    def list_puzzles(
        rules: str = rules_by_name,
        theme: str | None = of_theme,
        rating: str | None = of_rating,
        source: Path | None = in_file,
        json: bool = as_json,
    ) -> None:
        from awale.training import theme_name

        found = _found(rules, theme, rating, source)
        if json:
            common.print_json([puzzle.as_json() for puzzle in found])
            return
        rows = [[text(f"puzzles.column.{key}") for key in ("id", "rating", "moves", "goal", "themes")]]
        for puzzle in found:
            goal = text(f"puzzles.short.{puzzle.goal}", gain=puzzle.gain)
            themes = ", ".join(map(theme_name, puzzle.themes))
            rows.append([puzzle.id, str(puzzle.rating), str(len(puzzle.decisions)), goal, themes])
        common.print_columns(rows)

    @group.command("show", help=text("puzzles.help.show"))
    def show(
        id: str | None = one,
        rules: str = rules_by_name,
        day: str | None = of_day,
        source: Path | None = in_file,
        solution: bool = _option(False, "--solution"),
        json: bool = as_json,
    ) -> None:
        from awale.draw import board_text
        from awale.training import explanation, goal_sentence

        puzzle = _one(_found(rules, None, None, source), id, day, rules)
        if json:
            common.print_json(puzzle.as_json())
            return
        game = puzzle.game()
        drawn = board_text(game, unicode=common.can_draw_lines(), flip=game.turn == 1, colour=common.wants_colour())
        typer.echo(drawn)
        typer.echo(text("puzzles.say.heading", id=puzzle.id, rating=puzzle.rating, goal=goal_sentence(puzzle)))
        if solution:
            typer.echo(text("puzzles.say.solution", line=" ".join(puzzle.line)))
            for sentence in explanation(puzzle):
                typer.echo(common.wrap(sentence))

    @group.command("make", help=text("puzzles.help.make"))
    def make(
        out: Path = typer.Argument(metavar="FILE", help=text("puzzles.option.out")),
        rules: str = rules_by_name,
        count: int = _option(100, "--count", metavar="N", min=1, max=100_000),
        source: Path | None = of_games,
        stored: bool = _option(False, "--store"),
        database: str | None = common.database_option(),
        games: int | None = _option(None, "--games", metavar="N", min=1),
        seed: int = _option(1, "--seed", metavar="N"),
        seeds: int | None = _option(None, "--seeds", metavar="N", min=1, max=96),
        gain: int = _option(4, "--gain", metavar="N", min=1, max=48),
        tables: int = _option(12, "--tables", metavar="N", min=0, max=20),
        concurrency: int | None = _option(None, "--concurrency", metavar="N", min=1, max=1024),
        fresh: bool = _option(False, "--fresh"),
    ) -> None:
        from awale.cores import cores
        from awale.rules import load
        from awale.training.work import Settings

        if source is not None and (stored or database is not None):
            raise AwaleError(text("puzzles.bad.one-source"))
        from_store = stored or database is not None
        origin = str(source) if source is not None else f"store {database or ''}".strip() if from_store else ""
        settings = Settings(
            load(rules), count=count, seed=seed, most_seeds=seeds, gain=gain, table_seeds=tables, source=origin
        )
        common.check_writable(out)
        with _games(settings, source, from_store, database, games) as found:
            _make(settings, found, out, concurrency or cores(), fresh=fresh)

    @group.command("verify", help=text("puzzles.help.verify"))
    def verify(
        source: str = typer.Argument(metavar=text("puzzles.metavar.source"), help=text("puzzles.option.source")),
        sample: int | None = _option(None, "--sample", metavar="N", min=1),
        seed: int = _option(1, "--seed", key="sample-seed", metavar="N"),
    ) -> None:
        raise typer.Exit(_verify(source, sample, seed))

    @group.command("export", help=text("puzzles.help.export"))
    def export_progress(
        out: Path = typer.Argument(metavar="FILE", help=text("puzzles.option.progress-out")),
        name: str | None = of_name,
    ) -> None:
        from awale.training import exchange
        from awale.training.progress import ProgressFile

        done = ProgressFile().load_all(_solver(name))
        written = exchange.write(exchange.Kept(done, {}))
        if str(out) == "-":
            typer.echo(written, nl=False)
            return
        common.check_writable(out)
        _write(out, written)
        typer.echo(text("puzzles.result.exported", count=_tried(done), file=out), err=True)

    @group.command("import", help=text("puzzles.help.import"))
    def import_progress(
        source: Path = typer.Argument(metavar="FILE", help=text("puzzles.option.progress-in")),
        name: str | None = of_name,
    ) -> None:
        from awale.notation.sources import lines
        from awale.training import exchange
        from awale.training.progress import ProgressFile

        try:
            found = exchange.read("".join(lines(source, str(source))), str(source))
            own = exchange.Kept(ProgressFile().load_all(_solver(name)), {})
            now = own.merged(found)
            ProgressFile().save_all(_solver(name), now.puzzles)
        except OSError as error:
            raise AwaleError(labelled(str(error.filename or source), system_problem(error))) from None
        typer.echo(text("puzzles.result.imported", count=_tried(now.puzzles) - _tried(own.puzzles)), err=True)
        if found.lessons:
            typer.echo(text("puzzles.result.lessons-left", count=len(found.lessons)), err=True)


def _solver(name: str | None) -> str:
    """Return whose progress is meant."""
    from awale.local.profile import clean, own_name

    return clean(name) if name is not None else own_name() or ""


def _tried(progress: Mapping[str, Progress]) -> int:
    return sum(len(one.tried) for one in progress.values())


def _complete_theme(incomplete: str) -> list[str]:
    from awale.training import THEMES

    return [theme for theme in THEMES if theme.startswith(incomplete)]


def _solve_full_screen(session: Session) -> int:
    """Solve puzzles in the full-screen application; return the exit code."""
    from awale.tui.app import PuzzleApp, Settings

    application = PuzzleApp(session, Settings(ascii=not common.can_draw_lines(sys.stderr)))
    application.run()
    typer.echo(session.goodbye())
    return application.return_code or 0


# -- which puzzles -------------------------------------------------------------------------------------------------


def _read(path: Path) -> list[Puzzle]:
    from awale.notation.sources import lines
    from awale.training import read_puzzles

    try:
        return list(read_puzzles(lines(path, str(path)), source=str(path)))
    except OSError as error:
        raise AwaleError(labelled(str(path), system_problem(error))) from None


def _found(rules: str, theme: str | None, rating: str | None, source: Path | None) -> list[Puzzle]:
    """Return the puzzles that options select; raise if there is none."""
    from awale.rules import load
    from awale.training import PRESETS, puzzles

    bounds = _bounds(rating)
    system = load(rules)
    selected = puzzles(system, theme, bounds)  # checks the theme, too
    if source is not None:
        least, most = bounds or (float("-inf"), float("inf"))
        selected = tuple(p for p in _read(source) if (theme is None or theme in p.themes) and least <= p.rating <= most)
    elif not puzzles(system):
        raise AwaleError(text("puzzles.bad.none", rules=system.name, known=", ".join(PRESETS)))
    if not selected:
        raise AwaleError(text("puzzles.bad.no-match"))
    return list(selected)


def _bounds(rating: str | None) -> tuple[float, float] | None:
    if rating is None:
        return None
    least, dash, most = rating.partition("-")
    try:
        return float(least or "-inf"), float(most or "inf") if dash else float(least)
    except ValueError:
        raise AwaleError(text("puzzles.bad.rating-range", rating=rating[:40])) from None


def _one(found: list[Puzzle], id: str | None, day: str | None, rules: str) -> Puzzle:
    from awale.rules import load
    from awale.training import puzzle_of_the_day

    if (id is None) == (day is None):
        raise AwaleError(text("puzzles.bad.which"))
    if day is not None:
        try:
            date = datetime.date.today() if day == "today" else datetime.date.fromisoformat(day)
        except ValueError:
            raise AwaleError(text("puzzles.bad.day", day=day[:40])) from None
        return puzzle_of_the_day(load(rules), date)
    for puzzle in found:
        if puzzle.id == id:
            return puzzle
    raise AwaleError(text("puzzles.bad.unknown", id=str(id)[:40]))


# -- making and verifying ------------------------------------------------------------------------------------------


@contextmanager
def _games(
    settings: Settings, source: Path | None, stored: bool, database: str | None, most: int | None
) -> Iterator[Games]:
    """Yield where the games come from."""
    from awale.training import work

    if source is not None:
        if not source.is_file():
            raise AwaleError(text("puzzles.bad.no-file", file=source))
        yield work.file_games(source, settings.rules)
    elif stored:
        from awale.cli.store import opened

        with opened(database, read_only=True) as store:
            yield work.store_games(store, settings.rules)
    else:
        yield work.self_play_games(settings, most)


def _make(settings: Settings, games: Games, out: Path, concurrency: int, *, fresh: bool) -> None:
    from awale.training import write_puzzles
    from awale.training.work import Making, WorkFile

    line = ProgressLine(15.0)
    work = WorkFile(out.with_name(out.name + ".work"), settings, fresh=fresh)
    if work.games:
        typer.echo(text("puzzles.progress.resumed", games=number(len(work.games)), file=work.path), err=True)

    def tell(step: Step) -> None:
        line.tell("puzzles.progress.make", games=number(step.games), found=step.found, wanted=step.wanted)

    def tell_verified(done: int, total: int) -> None:
        line.tell("puzzles.progress.verify", done=done, total=total)

    making = Making(settings, work, concurrency=concurrency)
    try:
        making.run(games, tell)
        verified = making.confirmed(tell_verified)
    except KeyboardInterrupt:
        line.end()
        found = making.collection.result()
        _write(out, write_puzzles(found))
        typer.echo(text("puzzles.progress.stopped", count=len(found), file=out, work=work.path), err=True)
        raise
    finally:
        line.end()
        work.close()
    _write(out, write_puzzles(verified))
    work.path.unlink(missing_ok=True)
    dropped = len(making.collection.result(fill=True)) - len(verified)
    typer.echo(text("puzzles.result.made", count=len(verified), file=out, dropped=dropped), err=True)


def _write(out: Path, content: str) -> None:
    from awale.paths import replacing

    with replacing(out) as growing:
        growing.write_text(content, encoding="utf-8", newline="\n")


def _verify(source: str, sample: int | None, seed: int) -> int:
    """Verify a file or the shipped puzzles of some rules, and return the exit code."""
    from awale.training import PRESETS, PuzzleError, shipped
    from awale.training.verify import verify

    found = list(shipped(source)) if source in PRESETS else _read(Path(source))
    if sample is not None and sample < len(found):
        found = random.Random(seed).sample(found, sample)
    line = ProgressLine(15.0)
    wrong = open_ = 0
    for done, puzzle in enumerate(found, 1):
        try:
            if not verify(puzzle):
                open_ += 1
                line.end()
                typer.echo(text("puzzles.result.open", id=puzzle.id), err=True)
        except PuzzleError as error:
            wrong += 1
            line.end()
            typer.echo(labelled(puzzle.id, error), err=True)
        line.tell("puzzles.progress.verify", done=done, total=len(found))
    line.end()
    typer.echo(text("puzzles.result.verified", count=len(found) - wrong - open_, wrong=wrong, open=open_))
    return 1 if wrong or open_ else 0
