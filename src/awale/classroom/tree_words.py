"""How values, players and summaries of a tree are written; the drawn tree's own module says the same in a browser."""

from __future__ import annotations

from awale import i18n
from awale.classroom.tree import Node, Tree
from awale.classroom.tree_values import END, EVALUATIONS, REPORT
from awale.rules.refusals import player_key

MINUS = "\N{MINUS SIGN}"


def value_text(value: int | None, lang: str | None = None, *, bound: str = "exact") -> str:
    """Hundredths of a seed as people write them.

    >>> value_text(150), value_text(-50, "fr"), value_text(1_000_014), value_text(300, bound="at-least")
    ('+1.5', '−0,5', 'won +14', '≥ +3')
    """
    if value is None:
        return "?"
    mark = {"at-least": "≥ ", "at-most": "≤ "}.get(bound, "")
    if abs(value) >= END:
        margin = abs(value) - END
        key = "tree.view.won" if value > 0 else "tree.view.lost"
        return mark + i18n.text(key, lang, margin=signed(100 * margin if value > 0 else -100 * margin, lang))
    return mark + signed(value, lang)


def signed(hundredths: int, lang: str | None = None) -> str:
    """With its sign, and no more decimals than it has."""
    shown = i18n.decimal(abs(hundredths) / 100, "g", lang)
    return ("" if hundredths == 0 else "+" if hundredths > 0 else MINUS) + shown


def player_name(tree: Tree, player: int, lang: str | None = None) -> str:
    return i18n.text(f"core.{player_key(tree.rules, player)}", lang)


def title(tree: Tree, lang: str | None = None) -> str:
    method = i18n.text(f"tree.method.{tree.method}", lang)
    name = tree.rules.title.get(lang or i18n.language(), tree.rules.name)
    return i18n.text("tree.view.title", lang, rules=name, method=method, depth=tree.depth)


def about(tree: Tree, lang: str | None = None) -> str:
    """What the leaves are worth, and to whom."""
    of_report = tree.rules.coloured and tree.evaluation in REPORT
    name = "report-defence" if of_report and tree.evaluation == "defence" else tree.evaluation
    evaluation = i18n.text(f"tree.evaluation.{name}", lang) if name in (*EVALUATIONS, "report-defence") else name
    worth = i18n.text("tree.view.leaves-worth", lang, evaluation=evaluation)
    if tree.method == "negamax":
        return f"{worth} {i18n.text('tree.view.side-own', lang)}"
    # The 2025 report's values are no seeds.
    key = "side-plain" if of_report else "side"
    side = i18n.text(f"tree.view.{key}", lang, player=player_name(tree, tree.player, lang))
    return f"{worth} {side}"


def best_text(tree: Tree, lang: str | None = None) -> str:
    player = player_name(tree, tree.player, lang)
    return i18n.text("tree.view.best", lang, player=player, move=tree.best, value=value_text(tree.value, lang))


def counts_text(tree: Tree, lang: str | None = None) -> str:
    """The work done beside plain minimax's."""
    visited, whole = tree.visited, tree.minimax_nodes
    counts = i18n.text("tree.view.counts", lang, visited=i18n.number(visited, lang), minimax=i18n.number(whole, lang))
    if tree.method != "alphabeta":
        return f"{counts}, {i18n.text('tree.view.none-saved', lang)}"
    if not tree.cut:
        return f"{counts}, {i18n.text('tree.view.nothing-cut', lang)}"
    percent = round(100 * (whole - visited) / whole)
    return f"{counts}, {i18n.text('tree.view.saved', lang, percent=percent, cut=tree.cut)}"


def level_text(tree: Tree, nodes: list[Node], lang: str | None = None) -> tuple[str, str]:
    """What a level is called, and whose it is: `max`, `South`. A pass can put both kinds on one level."""
    inner = [node for node in nodes if node.children]
    if not inner:
        return i18n.text("tree.view.leaves", lang), ""
    kinds = {tree.is_max(node) for node in inner}
    turns = {node.turn for node in inner}
    key = "mixed-level" if len(kinds) > 1 else "max" if True in kinds else "min"
    player = player_name(tree, turns.pop(), lang) if len(turns) == 1 else ""
    return i18n.text(f"tree.view.{key}", lang), player
