"""What an import loads: the light rooms stay light."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = (
    "numba",
    "numpy",
    "llvmlite",
    "fastapi",
    "starlette",
    "textual",
    "typer",
    "click",
    "rich",
    "sqlalchemy",
    "dask",
)

LIGHT = (
    "awale",
    "awale.rules",
    "awale.game",
    "awale.notation",
    "awale.draw",
    "awale.i18n",
    "awale.errors",
    "awale.kernels",
    "awale.training",
)


def loaded_by(program: str) -> set[str]:
    """The top-level modules that a fresh interpreter has loaded after a program."""
    asked = f"{program}\nimport sys\nprint(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    ran = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    return set(ran.stdout.splitlines()[-1].split())


@pytest.mark.parametrize("module", LIGHT)
def test_importing_loads_nothing_heavy(module: str) -> None:
    assert loaded_by(f"import {module}") & set(HEAVY) == set()


def test_playing_drawing_and_writing_a_game_load_nothing_heavy() -> None:
    program = """
import awale
from awale.rules import names
for name in names():
    game = awale.Game(name)
    for _ in range(4):
        game.push(game.legal_moves[0])
    game.why_illegal("nonsense", "fr"), game.trace(game.legal_moves[0]), game.pop()
    str(game), game._repr_svg_(), repr(game), game.position
"""
    assert loaded_by(program) & set(HEAVY) == set()


def test_the_check_can_fail() -> None:
    assert "typer" in loaded_by("import typer")


def test_everything_at_once_loads_nothing_heavy() -> None:
    assert loaded_by("from awale import *\nGame('ghana').push('3')") & set(HEAVY) == set()


def test_the_command_line_starts_without_the_game() -> None:
    program = "import sys\nimport awale.cli\nassert not {'awale.game', 'awale.rules', 'tomllib'} & set(sys.modules)"
    loaded_by(program)


def test_the_light_rooms_are_one_import_away() -> None:
    loaded_by("import awale\nfor room in 'draw errors game i18n notation rules'.split(): getattr(awale, room)")


def test_every_public_name_is_there_and_typed() -> None:
    import awale

    for name in (*awale.__all__, "analyse", "Engine"):
        assert hasattr(awale, name), name
        assert name in dir(awale)
    assert (awale.Engine.__name__, awale.Engine.__module__) == ("Engine", "awale.players.engine")
    with pytest.raises(AttributeError, match="SearchEngine"):
        awale.SearchEngine
    from importlib.resources import files

    assert files("awale").joinpath("py.typed").is_file()
