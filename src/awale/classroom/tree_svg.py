"""A search tree as an SVG picture: small boards, levels, values, cut branches in grey. No script, no outside font."""

from __future__ import annotations

import math
from typing import cast

from awale import i18n
from awale.classroom import tree_words as words
from awale.classroom.tree import Node, Tree, Unfolded, unfolded
from awale.classroom.tree_layout import HANG, PAD, PILL, STORE, STUB, WINDOW, Layout, Sizes, fitting, stub_of
from awale.draw.paint import element, number, svg, write
from awale.rules.reference import Hole, counts

GROUND, INK, FAINT, LINE = "#fbf6ec", "#2b2016", "#6b5a48", "#d8c8ae"
MAX, MIN, BEST, CUT, GREY = "#0e6b5c", "#a3470b", "#c98500", "#a32014", "#9b9085"
BANDS = {True: "#e3efe9", False: "#f7e7d6", None: "#f0e9dc"}
WOOD, RIM, HOLLOW, CREAM = "#d3a263", "#7b4a24", "#5d3515", "#fff6e4"
COLOURS = ("#e2553f", "#4f97e8", "#fdf8ea")
HEAD, FOOT, MARGIN = 64.0, 40.0, 18.0
BUDGET = 60


def tree_svg(tree: Tree, *, lang: str | None = None, everything: bool = False, shape: float = 1.6) -> str:
    """The picture. A large tree is folded to about sixty positions unless `everything` is wanted."""
    shown = unfolded(tree, None if everything else BUDGET)
    return _Picture(tree, fitting(tree, shown, shape), shown, lang).draw()


def group(body: list[str], **attributes: object) -> str:
    opening = element("g", "", **attributes).removesuffix("</g>")
    return "\n".join([opening, *body, "</g>"])


class _Picture:
    def __init__(self, tree: Tree, layout: Layout, shown: Unfolded, lang: str | None) -> None:
        self._tree, self._layout, self._shown, self._lang = tree, layout, shown, lang
        self._sizes = Sizes.of(tree)
        self._line = set(tree.line)

    def draw(self) -> str:
        tree, layout = self._tree, self._layout
        width = max(layout.width, 640.0) + 2 * MARGIN
        height = layout.height + HEAD + FOOT
        shift = MARGIN + max(0.0, (640.0 - layout.width) / 2)
        ordered = sorted(layout.corners, key=lambda index: index in self._line)  # best play on top
        body = [
            *self._bands(),
            *(self._edge(index) for index in ordered if index),
            *(part for index in ordered if index for part in self._label(index)),
            *(self._node(tree.nodes[index]) for index in layout.corners if index >= 0),
        ]
        title = words.title(tree, self._lang)
        said = f"{words.best_text(tree, self._lang)}. {words.counts_text(tree, self._lang)}."
        parts = [
            element("title", title),
            element("desc", f"{said} {words.about(tree, self._lang)}"),
            element("rect", x=0, y=0, width=width, height=height, fill=GROUND),
            write(title, MARGIN, 22, 19, INK, bold=True, anchor="start"),
            write(said, MARGIN, 47, 13.5, INK, anchor="start"),
            group(body, transform=f"translate({number(shift)} {number(HEAD)})"),
            *self._legend(height - FOOT / 2),
        ]
        return svg(width, height, parts)

    # -- behind the boards ---------------------------------------------------------------------------------------

    def _bands(self) -> list[str]:
        layout, tree = self._layout, self._tree
        drawn: list[str] = []
        for depth, (begin, end) in enumerate(layout.levels):
            nodes = [tree.nodes[index] for index in layout.corners if index >= 0 and tree.nodes[index].depth == depth]
            inner = [node for node in nodes if node.children]
            kinds = {tree.is_max(node) for node in inner}
            kind = None if len(kinds) != 1 else kinds.pop()
            what, who = words.level_text(tree, nodes, self._lang)
            x, y, wide, high = (begin, 0.0, end - begin, layout.height)
            if not layout.across:
                x, y, wide, high = 0.0, begin, layout.width, end - begin
            drawn.append(element("rect", x=x + 1, y=y + 1, width=wide - 2, height=high - 2, rx=8, fill=BANDS[kind]))
            tint = FAINT if kind is None else MAX if kind else MIN
            if layout.across:
                drawn += self._level_name(what, who, kind, tint, (begin + end) / 2, 20, middle=True)
            else:
                drawn += self._level_name(what, who, kind, tint, 8, (begin + end) / 2, middle=False)
        return drawn

    def _level_name(
        self, what: str, who: str, kind: bool | None, tint: str, x: float, y: float, *, middle: bool
    ) -> list[str]:
        if middle:
            both = f"{what} · {who}" if who else what
            drawn = [write(both, x + (9 if kind is not None else 0), y, 13, tint, bold=True)]
            return drawn if kind is None else [*drawn, _triangle(x - 4 - 3.6 * len(both), y, kind, tint)]
        rise = 9 if who else 0
        start = x + (16 if kind is not None else 0)
        drawn = [write(what, start, y - rise, 14, tint, bold=True, anchor="start")]
        if who:
            drawn.append(write(who, x, y + 9, 12.5, tint, anchor="start"))
        return drawn if kind is None else [*drawn, _triangle(x + 6, y - rise, kind, tint)]

    def _curve(self, parent: int, child: int) -> tuple[str, float, float]:
        """A branch's path, and where it ends."""
        (px, py), (cx, cy) = self._layout.corners[parent], self._layout.corners[child]
        wide, half = self._sizes.board_width, self._sizes.board_height / 2
        if self._layout.across:
            x0, y0, x1, y1 = px + wide, py + half, cx, cy + (half if child >= 0 else STUB[1] / 2)
            mid = (x0 + x1) / 2
            middle = f"{number(mid)} {number(y0)} {number(mid)} {number(y1)}"
        else:
            low = self._sizes.height if self._tree.nodes[parent].cut else self._sizes.board_height + HANG
            x0, y0, x1, y1 = px + wide / 2, py + low, cx + (wide if child >= 0 else STUB[0]) / 2, cy
            mid = (y0 + y1) / 2
            middle = f"{number(x0)} {number(mid)} {number(x1)} {number(mid)}"
        return f"M{number(x0)} {number(y0)}C{middle} {number(x1)} {number(y1)}", x1, y1

    def _edge(self, index: int) -> str:
        """The branch that leads to a node or a stub."""
        parent = self._tree.nodes[_parent(self._tree, index)]
        path, _, _ = self._curve(parent.index, index)
        if index < 0 or self._tree.nodes[index].value is None:
            return element("path", d=path, fill="none", stroke=GREY, stroke_width=1.5, stroke_dasharray="4 4")
        best, chosen = index in self._line, parent.best == index
        stroke = BEST if best else "#8b6f52" if chosen else "#bca98f"
        return element("path", d=path, fill="none", stroke=stroke, stroke_width=4 if best else 2.2 if chosen else 1.5)

    def _label(self, index: int) -> list[str]:
        """What stands at the end of a branch: its move, or a stub."""
        if index < 0:
            return self._stub(index)
        node = self._tree.nodes[index]
        _, x, y = self._curve(_parent(self._tree, index), index)
        at = (x - 18, y) if self._layout.across else (x, y - 13)
        return self._move(node, *at, cut=node.value is None, best=index in self._line)

    def _stub(self, index: int) -> list[str]:
        """All that was cut at a node, as one: its moves, and how many positions they would have been."""
        parent = self._tree.nodes[stub_of(index)]
        x, y = self._layout.corners[index]
        gone = [self._tree.nodes[child] for child in parent.children if self._tree.nodes[child].value is None]
        moves = f"{gone[0].move}–{gone[-1].move}" if len(gone) > 1 else str(gone[0].move)
        text = f"{moves}  ·  {i18n.number(sum(node.size for node in gone), self._lang)}"
        wide = max(STUB[0], 14 + 6.4 * len(text))
        left = x if self._layout.across else x + (STUB[0] - wide) / 2
        at = x - 9 if self._layout.across else x + STUB[0] / 2
        return [
            *self._slash(at, y + STUB[1] / 2 if self._layout.across else y - 7),
            element("rect", x=left, y=y, width=wide, height=STUB[1], rx=6, fill="#e9e3d8", stroke=GREY,
                    stroke_dasharray="3 3"),
            write(text, left + wide / 2, y + STUB[1] / 2, 11, FAINT, bold=True),
        ]  # fmt: skip

    def _slash(self, x: float, y: float) -> list[str]:
        """Two strokes across a branch."""
        if self._layout.across:
            return [_stroke(x - step, y + 5, x - step + 2, y - 5) for step in (0, 4)]
        return [_stroke(x - 5, y - step, x + 5, y - step - 2) for step in (0, 4)]

    def _move(self, node: Node, x: float, y: float, *, cut: bool, best: bool) -> list[str]:
        assert node.move is not None
        gain = f"+{node.gain}" if node.gain else ""
        wide = 12 + 7.4 * len(str(node.move)) + 7 * len(gain) + (3 if gain else 0)
        if self._layout.across:
            x -= (wide - 20) / 2
        ink = FAINT if cut else INK
        drawn = [element("rect", x=x - wide / 2, y=y - 9, width=wide, height=18, rx=9, fill=GROUND,
                         stroke=BEST if best else LINE, stroke_width=1.8 if best else 1)]  # fmt: skip
        left = x - wide / 2 + 6
        drawn.append(write(str(node.move), left, y, 12.5, ink, bold=True, anchor="start"))
        if gain:
            at = left + 7.4 * len(str(node.move)) + 3
            drawn.append(write(gain, at, y, 11.5, FAINT if cut else MIN, bold=True, anchor="start"))
        if cut:
            drawn += self._slash(x - wide / 2 - 7, y) if self._layout.across else self._slash(x, y - 14)
        return drawn

    # -- a position ----------------------------------------------------------------------------------------------

    def _node(self, node: Node) -> str:
        x, y = self._layout.corners[node.index]
        body = [*self._board(node), *self._value(node), *self._window(node), *self._fold(node)]
        return group(
            body, transform=f"translate({number(x)} {number(y)})", opacity=0.42 if node.value is None else None
        )

    def _board(self, node: Node) -> list[str]:
        sizes, rules = self._sizes, self._tree.rules
        outline = BEST if node.index in self._line else RIM
        drawn = [element("rect", x=0, y=0, width=sizes.board_width, height=sizes.board_height, rx=9, fill=WOOD,
                         stroke=outline, stroke_width=2.6 if node.index in self._line else 1.2)]  # fmt: skip
        drawn += self._stores(node)
        for row, pits in enumerate(rules.rows()):
            for column, pit in enumerate(pits):
                x = STORE + PAD + (column + 0.5) * sizes.cell
                y = PAD + (row + 0.5) * sizes.cell
                drawn += self._pit(node, pit, x, y)
        return drawn

    def _pit(self, node: Node, pit: int, x: float, y: float) -> list[str]:
        rules, radius = self._tree.rules, self._sizes.cell / 2 - 1.6
        seeds = counts(node.position.board)[pit]
        drawn = [element("circle", cx=x, cy=y, r=radius, fill=HOLLOW)]
        if rules.coloured:
            drawn += _colour_ring(cast(Hole, node.position.board[pit]), x, y, radius - 1.2)
        taken = dict(node.taken)
        if node.move is not None and pit == node.move.pit:
            drawn.append(element("circle", cx=x, cy=y, r=radius, fill="none", stroke="#ffd27a", stroke_width=2.2))
        size = self._sizes.cell * (0.46 if rules.coloured else 0.54)
        if seeds:
            drawn.append(write(str(seeds), x, y, size if seeds < 100 else size * 0.8, CREAM, bold=True))
        elif pit in taken:
            drawn.append(write(f"{words.MINUS}{taken[pit]}", x, y, size * 0.8, "#ffb36b", bold=True))
        return drawn

    def _stores(self, node: Node) -> list[str]:
        """North's captured seeds at the left, South's at the right; whose turn it is has the lit one."""
        sizes, drawn = self._sizes, []
        for player in (0, 1):
            x = PAD if player else sizes.board_width - PAD - STORE + 2
            lit = node.end is None and node.turn == player
            drawn.append(element("rect", x=x, y=PAD + 2, width=STORE - 2, height=sizes.board_height - 2 * PAD - 4, rx=7,
                                 fill="#8d5a2e", stroke="#ffe08a" if lit else None,
                                 stroke_width=2.2 if lit else None))  # fmt: skip
            score = str(node.position.scores[player])
            drawn.append(write(score, x + STORE / 2 - 1, sizes.board_height / 2, 12 if len(score) < 3 else 10, CREAM,
                               bold=True))  # fmt: skip
        return drawn

    def _value(self, node: Node) -> list[str]:
        if node.value is None:
            return []
        text = words.value_text(node.value, self._lang, bound=node.bound)
        x, y = self._sizes.board_width / 2, self._sizes.board_height + HANG - PILL / 2
        inner = bool(node.children)
        wide = 16 + 7.3 * len(text) + (13 if inner else 0)
        tint = (MAX if self._tree.is_max(node) else MIN) if inner else INK
        drawn = [element("rect", x=x - wide / 2, y=y - PILL / 2, width=wide, height=PILL, rx=PILL / 2 if inner else 4,
                         fill=tint if inner else "#fffdf8", stroke=INK if not inner else "#fffdf8",
                         stroke_width=1.2)]  # fmt: skip
        if inner:
            drawn.append(_triangle(x - wide / 2 + 13, y, self._tree.is_max(node), "#ffffff", 4.6))
        drawn.append(write(text, x + (6.5 if inner else 0), y, 13, "#ffffff" if inner else INK, bold=True))
        return drawn

    def _window(self, node: Node) -> list[str]:
        """The alpha and beta that cut, under the value."""
        if node.cut is None:
            return []
        alpha, beta = (words.value_text(bound, self._lang) for bound in node.cut)
        x, y = self._sizes.board_width / 2, self._sizes.board_height + HANG + WINDOW / 2
        return [write(f"α {alpha} ≥ β {beta}", x, y + 0.5, 11.5, CUT, bold=True)]

    def _fold(self, node: Node) -> list[str]:
        """How much of the tree is folded away here."""
        if not node.children or node.index in self._shown.opened:
            return []
        text = f"+{i18n.number(node.size - 1, self._lang)}"
        wide = 12 + 6.6 * len(text)
        if self._layout.across:
            x, y = self._sizes.board_width + 4 + wide / 2, self._sizes.board_height / 2
        else:
            x, y = self._sizes.board_width / 2, self._sizes.height + 8
        return [
            element("rect", x=x - wide / 2, y=y - 8.5, width=wide, height=17, rx=8.5, fill="#efe5d3", stroke=LINE),
            write(text, x, y, 11, FAINT, bold=True),
        ]

    def _legend(self, y: float) -> list[str]:
        lang = self._lang
        drawn = [element("path", d=f"M{number(MARGIN)} {number(y)}h26", stroke=BEST, stroke_width=4)]
        x = MARGIN + 32
        for text, mark in ((i18n.text("tree.view.line", lang), 34.0), (i18n.text("tree.view.cut", lang), 0.0)):
            drawn.append(write(text, x, y, 12.5, INK, anchor="start"))
            x += 6.6 * len(text) + 18
            if mark and self._tree.method == "alphabeta":
                drawn.append(element("path", d=f"M{number(x)} {number(y)}h26", stroke="#9b9085", stroke_width=1.5,
                                     stroke_dasharray="4 4"))  # fmt: skip
                x += mark
            elif mark:
                break
        drawn.append(write(words.about(self._tree, lang), x, y, 12.5, FAINT, anchor="start"))
        return drawn


def _parent(tree: Tree, index: int) -> int:
    """Of a node or a stub that is not the root."""
    parent = stub_of(index) if index < 0 else tree.nodes[index].parent
    assert parent is not None
    return parent


def _stroke(x0: float, y0: float, x1: float, y1: float) -> str:
    return element("path", d=f"M{number(x0)} {number(y0)}L{number(x1)} {number(y1)}", stroke=CUT, stroke_width=1.8)


def _triangle(x: float, y: float, up: bool, fill: str, size: float = 5.5) -> str:
    """Up for max, down for min."""
    tip = -size if up else size
    return element(
        "path",
        d=f"M{number(x - size)} {number(y - tip * 0.8)}h{number(2 * size)}L{number(x)} {number(y + tip)}z",
        fill=fill,
    )


def _colour_ring(hole: Hole, x: float, y: float, radius: float) -> list[str]:
    """Red, blue and transparent seeds as shares of a ring."""
    whole, around = sum(hole), 2 * math.pi * radius
    drawn, done = [], 0.0
    for seeds, colour in zip(hole, COLOURS, strict=True):
        if seeds:
            share = around * seeds / whole
            drawn.append(element("circle", cx=x, cy=y, r=radius, fill="none", stroke=colour, stroke_width=2.6,
                                 stroke_dasharray=f"{number(share)} {number(around - share)}",
                                 stroke_dashoffset=-done))  # fmt: skip
            done += share
    return drawn
