"""The whole search tree of the textbook searches: every position, every value backed up, every branch cut.

`build_tree(game, depth, method=..., evaluation=...)` plays plain minimax's tree with the reference rules and then
searches it as minimax, alpha-beta or negamax would, recording each step. Values, choices and numbers of nodes are those
of the players `minimax:D`, `alphabeta:D` and `negamax:D` (`awale.search.classic`). Nothing here is compiled, so that a
small tree needs no time to start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Literal, NamedTuple, cast

from awale import i18n
from awale.classroom.tree_values import END as END
from awale.classroom.tree_values import EVALUATIONS as EVALUATIONS
from awale.classroom.tree_values import evaluate, evaluation_for
from awale.errors import AwaleError
from awale.game import Game
from awale.rules import positions, reference
from awale.rules.description import Rules
from awale.rules.moves import Move
from awale.rules.reference import Position
from awale.rules.refusals import player_key
from awale.search.heuristics import SEED

Method = Literal["minimax", "alphabeta", "negamax"]
METHODS: tuple[Method, ...] = ("minimax", "alphabeta", "negamax")
MOST_DEPTH = 12
MOST_NODES = 20_000
"""Positions of plain minimax that one tree may have: a file of some megabytes."""
NARROW_PITS = 6
Bound = Literal["exact", "at-least", "at-most"]


class TreeError(AwaleError):
    """A tree that cannot be drawn: too large, too slow, or not of this game."""


@dataclass(slots=True)
class Node:
    """A position of the tree. Board and scores are as the move left them: what is swept up at an end is in `final`."""

    index: int
    parent: int | None
    depth: int
    """Moves from the root."""
    position: Position
    move: Move | None = None
    """The move that leads here."""
    taken: tuple[tuple[int, int], ...] = ()
    """Pits emptied by that move, and the seeds taken from each."""
    passed: bool = False
    """The opponent had nothing to play: the mover plays again."""
    end: str | None = None
    """Why the game is over here."""
    final: tuple[int, int] | None = None
    """The scores then, the rest handed out."""
    children: list[int] = field(default_factory=list)
    size: int = 1
    """Positions from here down, this one included, for plain minimax."""
    value: int | None = None
    """In hundredths of a seed; None where the search did not look."""
    bound: Bound = "exact"
    window: tuple[int | None, int | None] | None = None
    """Alpha and beta on arrival; None is no bound yet."""
    cut: tuple[int, int] | None = None
    """Alpha and beta that cut the moves left here."""
    best: int | None = None
    """The child that the value came from."""

    @property
    def turn(self) -> int:
        return self.position.turn

    @property
    def gain(self) -> int:
        """Seeds that the move leading here took."""
        return sum(seeds for _, seeds in self.taken)


class SearchStep(NamedTuple):
    """One step of the search.

    `enter`: a position is visited. `leaf`: it gets its value. `rise`: a child's value reaches its parent, which has
    `value` then, better than before or not. `cut`: the other moves here need no look. `done`: the root is known.
    """

    do: Literal["enter", "leaf", "rise", "cut", "done"]
    node: int
    value: int | None = None
    offered: int | None = None
    better: bool = False
    alpha: int | None = None
    beta: int | None = None


@dataclass(slots=True)
class Tree:
    """A search tree: nodes with the root first and children after their parents, and the steps that valued them."""

    rules: Rules
    depth: int
    method: Method
    evaluation: str
    nodes: list[Node]
    steps: list[SearchStep]

    @property
    def root(self) -> Node:
        return self.nodes[0]

    @property
    def player(self) -> int:
        """Who is max: the player to move at the root."""
        return self.root.turn

    @property
    def value(self) -> int:
        assert self.root.value is not None
        return self.root.value

    @property
    def best(self) -> Move:
        assert self.root.best is not None
        return cast(Move, self.nodes[self.root.best].move)

    @property
    def line(self) -> list[int]:
        """The nodes of best play on both sides, the root first."""
        found, here = [0], self.root
        while here.best is not None:
            here = self.nodes[here.best]
            found.append(here.index)
        return found

    @property
    def minimax_nodes(self) -> int:
        """Positions that plain minimax visits."""
        return self.root.size

    @property
    def visited(self) -> int:
        """Positions that this method visited."""
        return sum(node.value is not None for node in self.nodes)

    @property
    def cut(self) -> int:
        """Moves left untried because a window closed."""
        return sum(1 for node in self.nodes if node.cut for child in node.children if self.nodes[child].value is None)

    def is_max(self, node: Node) -> bool:
        """Whether the player of the root is to move (negamax calls everybody max, each from his own side)."""
        return self.method == "negamax" or node.turn == self.player

    def below(self, node: Node) -> Iterator[Node]:
        """A node and everything under it, each parent before its children."""
        waiting = [node.index]
        while waiting:
            here = self.nodes[waiting.pop()]
            yield here
            waiting += reversed(here.children)


def build_tree(
    game: Game,
    depth: int,
    *,
    method: str = "minimax",
    evaluation: str | None = None,
    most_nodes: int = MOST_NODES,
    seconds: float | None = None,
    value_of: Callable[[Game], float] | None = None,
) -> Tree:
    """Return the search tree of a position.

    `evaluation` is one of `gains`, `material`, `mobility`, `kroo`, `defence`, `mixed`; without it, what the player
    of that name uses. A tree of more than `most_nodes` positions, or `seconds`, is refused. `value_of`: an evaluation
    of one's own, in seeds for the player to move; `evaluation` is then its name.

    >>> tree = build_tree(Game("ghana4"), 3, method="alphabeta")
    >>> str(tree.best), tree.value, tree.visited, tree.minimax_nodes
    ('1', 1000014, 8, 8)
    """
    if method not in METHODS:
        raise TreeError(i18n.message("tree.refused.method", name=str(method)[:40], known=", ".join(METHODS)))
    if not 1 <= depth <= MOST_DEPTH:
        raise TreeError(i18n.message("tree.refused.depth", most=MOST_DEPTH, depth=depth))
    named = evaluation or ("gains" if method == "negamax" else "material")
    chosen = evaluation_for(game.rules, named) if value_of is None else named
    if game.over:
        raise TreeError(i18n.message("tree.refused.over"))
    nodes = _Builder(game.rules, depth, most_nodes, seconds).build(game.state, game.legal_moves)
    tree = Tree(game.rules, depth, method, chosen, nodes, [])
    _Walk(tree, value_of).walk()
    return tree


# -- building the tree ----------------------------------------------------------------------------------------------


class _Builder:
    """Build plain minimax's tree level by level, so that a tree that is too large is refused before its last level."""

    def __init__(self, rules: Rules, depth: int, most: int, seconds: float | None) -> None:
        self._rules, self._depth, self._most = rules, depth, most
        self._seconds = seconds
        self._until = None if seconds is None else monotonic() + seconds

    def build(self, root: Position, legal: tuple[Move, ...]) -> list[Node]:
        nodes = [Node(0, None, 0, root)]
        level = [(nodes[0], legal)]
        for depth in range(1, self._depth + 1):
            below: list[tuple[Node, tuple[Move, ...]]] = []
            whole = len(nodes)
            if whole + sum(len(moves) for _, moves in level) > self._most:
                raise TreeError(
                    i18n.message("tree.refused.large", depth=self._depth, most=self._most, less=depth - 1, nodes=whole)
                )
            for parent, moves in level:
                for move in moves:
                    if self._until is not None and monotonic() > self._until:
                        raise TreeError(i18n.message("tree.refused.slow", seconds=f"{self._seconds:g}"))
                    child, next_moves = self._child(len(nodes), parent, move, depth)
                    nodes.append(child)
                    parent.children.append(child.index)
                    if next_moves:
                        below.append((child, next_moves))
            level = below
        for node in reversed(nodes):
            if node.parent is not None:
                nodes[node.parent].size += node.size
        return nodes

    def _child(self, index: int, parent: Node, move: Move, depth: int) -> tuple[Node, tuple[Move, ...]]:
        rules, before = self._rules, parent.position
        done = reference.step(rules, before, move)
        if done.sown.period is not None:
            still = before._replace(ply=before.ply + 1)
            return Node(index, parent.index, depth, still, move, end="endless", final=still.scores), ()
        reached = reference.after(rules, before, done)
        settled = reference.settle(rules, reached)
        child = Node(index, parent.index, depth, reached, move, done.captured)
        if settled.reason is None:
            child.position, child.passed = settled.position, settled.passed
        # The fast searches do not sow a relay's moves at the horizon only to learn that none of them ends.
        elif depth < self._depth or settled.reason != "no-move" or rules.sowing != "relay" or rules.pits > NARROW_PITS:
            child.end, child.final = settled.reason, settled.position.scores
        return child, settled.legal if depth < self._depth else ()


# -- searching the tree ---------------------------------------------------------------------------------------------


class _Walk:
    """Search a tree that is built already, and record each step."""

    def __init__(self, tree: Tree, value_of: Callable[[Game], float] | None) -> None:
        self._tree, self._nodes, self._steps = tree, tree.nodes, tree.steps
        self._value_of = value_of

    def walk(self) -> None:
        root = self._nodes[0]
        if self._tree.method == "negamax":
            self._negamax(root)
        else:
            self._minimax(root, None, None, prune=self._tree.method == "alphabeta")
        self._steps.append(SearchStep("done", 0, root.value))

    def _leaf(self, node: Node, player: int) -> int:
        tree = self._tree
        if tree.method == "negamax" and tree.evaluation == "gains":
            node.value = 0  # what was taken is counted on the way up
        elif self._value_of is not None and node.final is None:
            found = round(SEED * self._value_of(Game(tree.rules, start=node.position)))
            node.value = found if node.turn == player else -found
        else:
            node.value = evaluate(tree.evaluation, tree.rules, self._nodes[0], node, player)
        self._steps.append(SearchStep("leaf", node.index, node.value))
        return node.value

    def _minimax(self, node: Node, alpha: int | None, beta: int | None, *, prune: bool) -> int:
        """Alpha-beta as in `awale.search.classic`: the first best, values kept as found also outside the window."""
        node.window = (alpha, beta) if prune else None
        if not node.children:
            return self._leaf(node, self._tree.player)
        self._steps.append(SearchStep("enter", node.index, alpha=alpha, beta=beta))
        largest = node.turn == self._tree.player
        best: int | None = None
        looked: list[Node] = []
        for index in node.children:
            child = self._nodes[index]
            value = self._minimax(child, alpha, beta, prune=prune)
            looked.append(child)
            better = best is None or (value > best if largest else value < best)
            if better:
                best, node.best = value, index
            assert best is not None
            if prune and largest:
                alpha = best if alpha is None else max(alpha, best)
            elif prune:
                beta = best if beta is None else min(beta, best)
            node.value = best
            self._steps.append(SearchStep("rise", index, best, value, better, alpha, beta))
            if alpha is not None and beta is not None and alpha >= beta and len(looked) < len(node.children):
                node.cut = (alpha, beta)
                self._steps.append(SearchStep("cut", node.index, best, alpha=alpha, beta=beta))
                break
        assert best is not None
        node.bound = _bound(looked, best, largest, whole=len(looked) == len(node.children))
        return best

    def _negamax(self, node: Node) -> int:
        """Everybody takes the largest of his own values. With `gains` as in the examination: what one takes less what
        the other then takes, nothing at the horizon; else the other's value with its sign changed."""
        if not node.children:
            return self._leaf(node, node.turn)
        self._steps.append(SearchStep("enter", node.index))
        best: int | None = None
        for index in node.children:
            child = self._nodes[index]
            rest = self._negamax(child)
            # A child where the game is over has no mover: its value is from the side of the one whose turn it would be.
            value = rest if child.turn == node.turn else -rest
            if self._tree.evaluation == "gains":
                value += 100 * child.gain
            better = best is None or value > best
            if better:
                best, node.best = value, index
            node.value = best
            self._steps.append(SearchStep("rise", index, best, value, better))
        assert best is not None
        return best


def _bound(looked: list[Node], best: int, largest: bool, *, whole: bool) -> Bound:
    """What a value says of the true one: towards the mover one sure child proves it, the other way all must."""
    toward: Bound = "at-least" if largest else "at-most"
    away: Bound = "at-most" if largest else "at-least"
    reached = any(child.value == best and child.bound in ("exact", toward) for child in looked)
    sealed = whole and all(child.bound in ("exact", away) for child in looked)
    return "exact" if reached and sealed else toward if reached else away


# -- what to show ----------------------------------------------------------------------------------------------------


class Unfolded(NamedTuple):
    """What is shown of a tree: nodes whose children are seen, and among them those whose cut children are seen one by
    one, not as one stub that says how many they are."""

    opened: set[int]
    cuts: set[int]


def unfolded(tree: Tree, budget: int | None) -> Unfolded:
    """What to open so that about `budget` positions are seen: the whole tree where it fits, else best play in any case,
    then level by level what the search visited. Without a budget everything."""
    inner = [node.index for node in tree.nodes if node.children]
    if budget is None or len(tree.nodes) <= budget:
        return Unfolded(set(inner), {index for index in inner if tree.nodes[index].cut})
    opened: set[int] = set()
    seen = 1
    best_first = [index for index in tree.line if tree.nodes[index].children]
    for index in best_first + [index for index in inner if tree.nodes[index].value is not None]:
        node = tree.nodes[index]
        if index in opened or (node.parent is not None and node.parent not in opened):
            continue
        more = sum(tree.nodes[child].value is not None for child in node.children) + bool(node.cut)
        if index in best_first or seen + more <= budget:
            opened.add(index)
            seen += more
    return Unfolded(opened, set())


def as_dict(tree: Tree, *, budget: int = 40) -> dict[str, Any]:
    """The tree for pages and programs; docs/trees.md says what everything is."""
    rules, shown = tree.rules, unfolded(tree, budget)
    return {
        "rules": rules.name,
        "position": positions.write(rules, tree.root.position),
        "title": dict(rules.title) or dict.fromkeys(i18n.LANGUAGES, rules.name),
        "players": [
            {lang: i18n.text(f"core.{player_key(rules, side)}", lang) for lang in i18n.LANGUAGES} for side in (0, 1)
        ],
        "pits": rules.pits,
        "rows": rules.rows(),
        "coloured": rules.coloured,
        "depth": tree.depth,
        "method": tree.method,
        "evaluation": tree.evaluation,
        "player": tree.player,
        "best": str(tree.best),
        "value": tree.value,
        "line": tree.line,
        "visited": tree.visited,
        "cut": tree.cut,
        "minimax": tree.minimax_nodes,
        "open": sorted(shown.opened),
        "cuts": sorted(shown.cuts),
        "nodes": [_node(tree, node) for node in tree.nodes],
        "steps": [_stride(step) for step in tree.steps],
    }


def _node(tree: Tree, node: Node) -> dict[str, Any]:
    """Only what there is to say: a large tree has many nodes."""
    told: dict[str, Any] = {
        "parent": node.parent,
        "depth": node.depth,
        "board": node.position.board,
        "scores": node.position.scores,
        "turn": node.turn,
        "max": tree.is_max(node),
        "value": node.value,
        "size": node.size,
    }
    if node.move is not None:
        told |= {"move": str(node.move), "pit": node.move.pit}
    more: dict[str, Any] = {
        "taken": node.taken,
        "passed": node.passed,
        "end": node.end,
        "final": node.final,
        "children": node.children,
        "window": node.window,
        "cut": node.cut,
        "best": node.best,
        "bound": None if node.bound == "exact" else node.bound,
    }
    return told | {key: value for key, value in more.items() if value}


def _stride(step: SearchStep) -> dict[str, Any]:
    told = {name: value for name, value in step._asdict().items() if value is not None}
    if step.do != "rise":
        del told["better"]
    return told
