"""The value of a leaf of a search tree: the heuristics of `awale.search.heuristics`, in plain Python.

Values are hundredths of a seed from one player's side. A game that is over is worth `END` and the final margin to the
winner, nothing if drawn. `gains` counts only the seeds taken since the root, and does not look at endings: so did the
examination's program and the four-level tree of the Ghanaian game. The 2025 report's evaluations, from -1 to 1, are
counted in hundredths of 1 % here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from awale import i18n
from awale.errors import AwaleError
from awale.rules import reference
from awale.rules.description import Rules
from awale.search.heuristics import SEED, pit_values

if TYPE_CHECKING:
    from awale.classroom.tree import Node

Evaluation = Literal["gains", "material", "mobility", "kroo", "defence", "mixed", "raw", "corrected"]
EVALUATIONS: tuple[Evaluation, ...] = get_args(Evaluation)
REPORT: tuple[Evaluation, ...] = ("raw", "defence", "corrected")
"""The 2025 report's, for three colours; for one colour `defence` is another one."""
COLOURED: tuple[Evaluation, ...] = ("gains", "material", *REPORT)
END = 1_000_000


def evaluation_for(rules: Rules, name: str) -> Evaluation:
    """The evaluation of that name, if these rules have it."""
    if name not in EVALUATIONS:
        raise AwaleError(i18n.message("tree.refused.evaluation", name=name[:40], known=", ".join(EVALUATIONS)))
    if rules.coloured and name not in COLOURED:
        raise AwaleError(i18n.message("tree.refused.one-colour", name=name, known=", ".join(COLOURED)))
    if not rules.coloured and name in ("raw", "corrected"):
        raise AwaleError(i18n.message("tree.refused.three-colour", name=name))
    return name


def evaluate(evaluation: str, rules: Rules, root: Node, node: Node, player: int) -> int:
    """A leaf's value from a player's side."""
    if evaluation == "gains":
        return SEED * (_ahead(node, player) - _ahead(root, player))
    if node.final is not None:
        margin = node.final[player] - node.final[1 - player]
        return margin + (END if margin > 0 else -END if margin < 0 else 0)
    if rules.coloured and evaluation in REPORT:
        from awale.search.tricolor_2025 import value_of

        value = value_of(rules, node.position, evaluation)
        return round(SEED * 100 * (value if player == 0 else -value))
    counts = reference.counts(node.position.board)
    mine, theirs = ([counts[pit] for pit in rules.own_pits(side)] for side in (player, 1 - player))
    values = pit_values(evaluation, max(counts))
    return SEED * _ahead(node, player) + sum(values[n] for n in mine) - sum(values[n] for n in theirs)


def _ahead(node: Node, player: int) -> int:
    scores = node.position.scores
    return scores[player] - scores[1 - player]
