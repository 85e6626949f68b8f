"""`awale doctor`: what is installed, where data and caches are, and whether everything works."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import typer

from awale.cli import common
from awale.cli.localisation import EXTRAS
from awale.i18n import decimal, labelled, text

PACKAGES = (
    *("numba", "numpy", "rich", "typer", "textual", "fastapi", "uvicorn"),
    *("sqlalchemy", "alembic", "psycopg", "dask", "numba-cuda", "gymnasium", "pettingzoo"),
)
"""The packages used; those without an extra are required."""
TROUBLE = 1


class Check(NamedTuple):
    """One check. `ok` is None if it was skipped."""

    name: str
    ok: bool | None
    detail: str


def register(app: typer.Typer) -> None:

    @app.command("doctor", help=text("cli.command.doctor"))
    def doctor(
        quick: bool = typer.Option(False, "--quick", help=text("doctor.option.quick")),
        json: bool = common.json_option(),
    ) -> None:
        versions, folders = _versions(), _folders()
        if not json:
            _print_facts(versions, folders)
        checks: list[Check] = []
        for name, check in _checks(quick):
            done = _tried(name, check)
            checks.append(done)
            if not json:
                sign = {True: "ok", False: text("doctor.out.bad"), None: "-"}[done.ok]
                typer.echo(f"  {sign:8} {labelled(text(f'doctor.check.{name}'), done.detail)}")
        healthy = all(check.ok is not False for check in checks)
        if json:
            common.print_json(
                {
                    "versions": versions,
                    "folders": folders,
                    "checks": [check._asdict() for check in checks],
                    "healthy": healthy,
                }
            )
        else:
            typer.echo("\n" + text("doctor.out.healthy" if healthy else "doctor.out.ill"))
        if not healthy:
            raise typer.Exit(TROUBLE)


def _versions() -> dict[str, str | None]:
    import platform
    from importlib import metadata

    import awale

    found: dict[str, str | None] = {"awale": awale.__version__, "python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = None
    return found


def _folders() -> dict[str, str]:
    from awale.local import saved_games
    from awale.paths import cache_dir, data_dir
    from awale.tables.folders import tables_root

    return {
        "data": str(data_dir()),
        "unfinished": str(saved_games.unfinished_folder()),
        "tables": str(tables_root()),
        "cache": str(cache_dir()),
    }


def _print_facts(versions: dict[str, str | None], folders: dict[str, str]) -> None:
    import platform

    typer.echo(f"awale {versions['awale']}, Python {versions['python']}, {platform.platform(terse=True)}\n")
    typer.echo(text("doctor.out.packages"))
    for package in PACKAGES:
        extra = EXTRAS.get(package)
        absent = text("doctor.out.absent-extra", extra=extra) if extra else text("doctor.out.absent")
        typer.echo(f"  {package:12} {versions[package] or absent}")
    typer.echo("\n" + text("doctor.out.folders"))
    for name, folder in folders.items():
        typer.echo(f"  {labelled(text(f'doctor.folder.{name}'), folder)}")
    typer.echo("\n" + text("doctor.out.checks"))


def _checks(quick: bool) -> list[tuple[str, Callable[[], str] | None]]:
    """Yield the checks in order of dependency. None: skipped."""
    return [
        ("rules", _rules),
        ("data", _data),
        ("cache", _cache),
        ("kernels", None if quick else _kernels),
        ("engine", None if quick else _engine),
        ("store", _store if _versions()["sqlalchemy"] else None),
        ("terminal", _terminal if _versions()["textual"] else None),
    ]


def _tried(name: str, check: Callable[[], str] | None) -> Check:
    if check is None:
        return Check(name, None, text("doctor.out.left-out"))
    try:
        return Check(name, True, check())
    except Exception as error:  # any failure is a result
        return Check(name, False, " ".join(f"{type(error).__name__}: {error}".split())[:300])


def _rules() -> str:
    from awale.rules import presets, reference

    rules = presets.get("abapa")
    counted = reference.perft(rules, reference.start(rules), 3)
    if counted != 190:
        raise ArithmeticError(f"perft 3 of abapa is {counted}, not 190")
    return text("doctor.said.rules", systems=len(presets.names()))


def _writable(folder: str) -> str:
    import tempfile
    from pathlib import Path

    Path(folder).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder):
        return text("doctor.said.writable")


def _data() -> str:
    from awale.local import saved_games
    from awale.paths import data_dir

    kept = len(list(saved_games.unfinished_folder().glob("*.ogn")))
    return f"{_writable(str(data_dir()))}, {text('doctor.said.unfinished', games=kept)}"


def _cache() -> str:
    from awale.paths import cache_dir

    return _writable(str(cache_dir()))


def _kernels() -> str:
    """Compare the perft of the compiled rules with that of the reference."""
    from awale.game import Game
    from awale.kernels import convert
    from awale.kernels.perft import counts

    k, state = convert.pack_game(Game("abapa"))
    counted = list(counts(k, state, 3, repetition=False))
    if 190 not in counted:
        raise ArithmeticError(f"perft of abapa is {counted}")
    return text("doctor.said.kernels")


def _engine() -> str:
    import time

    from awale import players
    from awale.game import Game

    game = Game("abapa")
    player = players.make("engine:d4", game.rules)
    try:
        begun = time.perf_counter()
        move = player.choose(game.copy()).move
        game.push(move)
    finally:
        player.close()
    return text("doctor.said.engine", move=move, seconds=decimal(time.perf_counter() - begun))


def _store() -> str:
    from awale.cli.store import opened
    from awale.store import Game, MissingStoreError

    try:
        with opened(None, read_only=True) as store, store.transaction() as session:
            return text("doctor.said.store", games=session.query(Game).count())
    except MissingStoreError as error:
        return str(error)


def _terminal() -> str:
    import os
    import shutil

    import textual.app  # noqa: F401

    width, height = shutil.get_terminal_size()
    lines = text("doctor.said.unicode" if common.can_draw_lines() else "doctor.said.ascii")
    return f"TERM={os.environ.get('TERM', '-')}, {width}x{height}, {lines}"
