"""The players of a class: every Python or TOML file of a folder, and why a file is none."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import NamedTuple

from awale.errors import AwaleError, PlayerError
from awale.i18n import message
from awale.players import PlayerSpec
from awale.rules.description import Rules


class Pupils(NamedTuple):
    """The players found, and a sentence for each file that cannot play."""

    players: list[str]
    refused: list[str]


def players_in(folder: Path, rules: Rules) -> Pupils:
    """Return the players of a folder. Each file is loaded once, in a process of its own; one that fails is refused."""
    players, refused = [], []
    for file in sorted(folder.iterdir()):
        if file.suffix not in (".py", ".toml") or not file.is_file():
            continue
        spec = PlayerSpec.parse(f"{_kind(file)}:{file}")
        try:
            spec.make(rules).close()
        except AwaleError as error:
            refused.append(error.sentence())
        else:
            players.append(str(spec))
    if len(players) + len(refused) == 0:
        raise PlayerError(message("arena.bad.empty-folder", folder=folder))
    return Pupils(players, refused)


def _kind(file: Path) -> str:
    """Return `player` for a file that chooses moves, `eval` for one that values positions."""
    if file.suffix == ".toml":
        return "eval"
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError, OSError):
        return "player"
    names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    return "eval" if "evaluate" in names and "choose" not in names else "player"
