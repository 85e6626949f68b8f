"""A search tree for the terminal: a line a position, cut branches said in a line, large trees folded."""

from __future__ import annotations

from collections.abc import Iterator

from awale import i18n
from awale.classroom import tree_words as words
from awale.classroom.tree import Node, Tree, unfolded
from awale.classroom.tree_layout import children_seen, stub_of
from awale.rules.reference import counts

LINES = 90
"""Positions shown before a tree is folded."""
GOLD, TEAL, BROWN, GREY, PLAIN = "\x1b[1;33m", "\x1b[36m", "\x1b[33m", "\x1b[90m", "\x1b[0m"


def tree_text(
    tree: Tree, *, unicode: bool = True, colour: bool = False, everything: bool = False, lang: str | None = None
) -> str:
    """The tree as lines: the move, max or min, the board (North's row / South's row, captured seeds), the value."""
    return "\n".join(_Writing(tree, unicode, colour, everything, lang).lines()) + "\n"


class _Writing:
    def __init__(self, tree: Tree, unicode: bool, colour: bool, everything: bool, lang: str | None) -> None:
        self._tree, self._unicode, self._colour, self._lang = tree, unicode, colour, lang
        self._shown = unfolded(tree, None if everything else LINES)
        self._line = set(tree.line)
        self._moves = max((len(str(node.move)) for node in tree.nodes if node.move), default=1)

    def lines(self) -> Iterator[str]:
        tree, lang = self._tree, self._lang
        yield self._plain(words.title(tree, lang))
        yield self._plain(words.about(tree, lang))
        yield ""
        yield from self._node(tree.root, "", "")
        yield ""
        yield self._plain(f"{words.best_text(tree, lang)}.")
        yield self._plain(f"{words.counts_text(tree, lang)}.")

    def _node(self, node: Node, stem: str, branch: str) -> Iterator[str]:
        """`stem` stands before the lines below a node, `branch` before its own."""
        children = children_seen(self._tree, node.index, self._shown)
        folded = ""
        if node.children and not children and node.value is not None:
            more = i18n.text("tree.out.fold", self._lang, n=i18n.number(node.size - 1, self._lang))
            folded = self._tint(f"  {self._plain(more)}", GREY)
        yield branch + self._told(node) + folded
        for place, index in enumerate(children):
            last = place == len(children) - 1
            corner = ("└─ " if last else "├─ ") if self._unicode else ("`- " if last else "|- ")
            down = "   " if last else "│  " if self._unicode else "|  "
            if index < 0:
                yield stem + corner + self._cut(self._tree.nodes[stub_of(index)])
            else:
                yield from self._node(self._tree.nodes[index], stem + down, stem + corner)

    def _told(self, node: Node) -> str:
        tree, lang = self._tree, self._lang
        move = "" if node.move is None else str(node.move).ljust(self._moves) + " "
        if node.value is None:
            return self._tint(f"{move}       {self._drawn(node)}  {self._lost(node.size)}", GREY)
        kind = "max" if tree.is_max(node) else "min"
        sign = ("▲" if kind == "max" else "▼") if self._unicode else ("^" if kind == "max" else "v")
        what = f"{sign} {i18n.text(f'tree.view.{kind}', lang)}" if node.children else "     "
        value = self._plain(words.value_text(node.value, lang, bound=node.bound))
        told = f"{self._tint(move, GOLD) if node.index in self._line else move}"
        told += self._tint(what, TEAL if kind == "max" else BROWN) + f"  {self._drawn(node)}"
        told += f"  {self._tint(value, GOLD) if node.index in self._line else value}"
        if node.gain:
            told += f"  {i18n.text('tree.out.takes', lang, n=node.gain)}"
        if node.end is not None:
            told += f"  [{i18n.text(f'core.ending.{node.end}', lang)}]"
        if node.cut is not None:
            alpha, beta = (words.value_text(bound, lang) for bound in node.cut)
            told += self._tint(self._plain(f"  α {alpha} ≥ β {beta}"), GREY)
        return told

    def _drawn(self, node: Node) -> str:
        """`[2 0 / 1 2] 3-1`: both rows as South sees them, then what South and North have captured."""
        seeds = counts(node.position.board)
        upper, lower = (" ".join(str(seeds[pit]) for pit in row) for row in self._tree.rules.rows())
        return f"[{upper} / {lower}] {node.position.scores[0]}-{node.position.scores[1]}"

    def _cut(self, parent: Node) -> str:
        """All the moves cut at a node, in one line."""
        gone = [child for child in map(self._tree.nodes.__getitem__, parent.children) if child.value is None]
        moves = " ".join(str(node.move) for node in gone)
        return self._tint(f"{moves}  {self._lost(sum(node.size for node in gone))}", GREY)

    def _lost(self, positions: int) -> str:
        return self._plain(i18n.text("tree.out.not-looked", self._lang, n=i18n.number(positions, self._lang)))

    def _plain(self, text: str) -> str:
        """For terminals without those signs."""
        if self._unicode:
            return text
        swaps = {"−": "-", "≥": ">=", "≤": "<=", "α": "alpha", "β": "beta", "…": "...", "·": "-", "∞": "inf"}
        return "".join(swaps.get(letter, letter) for letter in text)

    def _tint(self, text: str, tint: str) -> str:
        return f"{tint}{text}{PLAIN}" if self._colour and text.strip() else text
