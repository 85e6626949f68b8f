"""A claim too large for one search: proof-number search over a small tree whose leaves are searches of limited size.

The tree holds the top of the game. The most promising leaf is given to a job, a df-pn search with a limit; a leaf that
its job leaves undecided is expanded the next time it is chosen. Only the results of jobs are recorded: the tree is
computed from them again, so a campaign can be stopped at any moment and resumed from its journal.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import Any, NamedTuple

import numpy as np

from awale.kernels import convert
from awale.kernels.endgame import NO_TABLES, TableSet
from awale.rules.description import Rules
from awale.search.claims import (
    DISPROOF,
    INFINITE,
    LEFT,
    MARGIN,
    MINE,
    MOVE,
    MOVE_FIELDS,
    NORTH,
    PROOF,
    SETTLED,
    SOUTH,
    THEIRS,
    TURN,
    Claim,
    expand,
    holds_repeated,
    holds_without_move,
)
from awale.search.single_lap import check_exact

Key = tuple[int, int, int, int, int]
"""A position: the mover's pits, the other's, the turn and both scores."""


class Result(NamedTuple):
    """What jobs found out about a position, or, for a first move, about those below it."""

    proof: int
    disproof: int
    nodes: int
    """Positions searched; 0 for a first move that the tree settles without a job of its own."""
    walked: int = 0
    """Positions of the strategy, which was walked again."""

    @property
    def settled(self) -> bool:
        return self.proof == 0 or self.disproof == 0


@dataclass
class Node:
    """A position of the tree, with the moves that led to it."""

    key: Key
    parent: Node | None
    move: int = -1
    proof: int = 1
    disproof: int = 1
    children: list[Node] | None = None
    in_flight: int = 0
    """Jobs at or below this node that are running."""

    @property
    def settled(self) -> bool:
        return self.proof == 0 or self.disproof == 0


@dataclass
class Campaign:
    """The tree of one claim. `results` are those of earlier runs and are added to."""

    rules: Rules
    claim: Claim
    start: Any
    tables: TableSet = NO_TABLES
    results: dict[Key, Result] = field(default_factory=dict)
    record: Callable[[Key, Result], None] | None = None
    """Called with every new result."""
    eager: int = 2
    """Moves from the start that are expanded without a job, so that there is work for all from the beginning."""

    def __post_init__(self) -> None:
        check_exact(self.rules)
        self.claim = self.claim._replace(endless=MARGIN)
        self.plain = self.rules.variant(win_at=None, repetition="none")
        self._k = convert.pack_rules(self.plain)
        state = convert.pack_position(self.rules, self.start)
        self.root = Node((state.mine, state.theirs, state.turn, state.south, state.north), None)
        self._regrow()

    def _regrow(self) -> None:
        """Expand the positions that were expanded when the known results were found: one of their moves has one. Each
        once, where it is nearest to the start, since the ways to a position multiply: `next_job` expands the others."""
        todo = deque([self.root] if self.results else [])
        grown: set[Key] = set()
        while todo:
            node = todo.popleft()
            without_job = self._depth(node) < self.eager
            if node.settled or node.key in grown or not (without_job or node.key in self.results):
                continue
            grown.add(node.key)
            numbers = node.proof, node.disproof
            self._grow(node)
            assert node.children is not None
            if without_job or any(child.key in self.results for child in node.children):
                todo.extend(node.children)
            elif not node.settled:
                node.children = None
                node.proof, node.disproof = numbers
                self._update(node.parent)

    def state(self, key: Key) -> Any:
        """Return a position as the kernel holds it."""
        template = convert.pack_position(self.rules, self.start)
        return template._replace(mine=key[0], theirs=key[1], turn=key[2], south=key[3], north=key[4], ply=0)

    def next_job(self, until: float = inf) -> Node | None:
        """Return the most promising position without a running job, marked as running; None if the claim is settled,
        all that matters is running, or none was found until then (by `time.monotonic`)."""
        while not self.root.settled and time.monotonic() < until:
            here = self.root
            while here.children is not None:
                ours = here.key[2] == self.claim.x
                open_ones = [child for child in here.children if not child.settled and not self._busy(child)]
                if not open_ones:
                    return None
                here = min(open_ones, key=lambda child: self._weight(child, ours))
            if here.key not in self.results and self._depth(here) >= self.eager:
                _count_jobs(here, 1)
                return here
            self._know(here)  # perhaps from a job at the same position elsewhere
            if here.settled:
                self._update(here.parent)
            else:
                self._grow(here)
        self._keep_answers()
        return None

    def _depth(self, node: Node) -> int:
        return 0 if node.parent is None else 1 + self._depth(node.parent)

    def _busy(self, node: Node) -> bool:
        """Return whether every unsettled leaf below is running."""
        if node.children is None:
            return node.in_flight > 0
        return all(child.settled or self._busy(child) for child in node.children)

    def _weight(self, node: Node, ours: bool) -> float:
        # Running jobs make a branch less attractive, so that jobs spread out.
        return (node.proof if ours else node.disproof) * (1.0 + 0.5 * node.in_flight)

    def finish(self, node: Node, holds: bool | None, proof: int, disproof: int, nodes: int, walked: int = 0) -> None:
        """Take the result of a job."""
        _count_jobs(node, -1)
        if holds is not None:
            proof, disproof = (0, INFINITE) if holds else (INFINITE, 0)
        self._keep(node.key, Result(proof, disproof, nodes, walked))
        self._know(node)
        self._update(node.parent)
        self._keep_answers()

    def _keep_answers(self) -> None:
        """Keep which first moves are settled: the tree that is made again may be too small to tell."""
        for child in self.root.children or ():
            if child.settled:
                self._keep(child.key, Result(child.proof, child.disproof, 0))

    def _keep(self, key: Key, result: Result) -> None:
        """Keep a result, unless another job at the same position has settled it."""
        known = self.results.get(key)
        if known is None or not known.settled:
            self.results[key] = result
            if self.record is not None:
                self.record(key, result)

    def cancel(self, node: Node) -> None:
        """Forget a job that was interrupted."""
        _count_jobs(node, -1)

    def _know(self, node: Node) -> None:
        known = self.results.get(node.key)
        if known is not None:
            node.proof, node.disproof = known.proof, known.disproof

    def _grow(self, node: Node) -> None:
        """List the moves of a leaf."""
        here = np.zeros(LEFT + 1, np.int64)
        here[[MINE, THEIRS, TURN, SOUTH, NORTH]] = node.key
        choices = np.zeros((6, MOVE_FIELDS), np.int64)
        count = expand(self._k, self.claim, self.tables, here, choices)
        node.children = []
        for row in choices[:count]:
            key: Key = (int(row[MINE]), int(row[THEIRS]), int(row[TURN]), int(row[SOUTH]), int(row[NORTH]))
            child = Node(key, node, int(row[MOVE]))
            if row[SETTLED] != 0:
                child.proof, child.disproof = int(row[PROOF]), int(row[DISPROOF])
            elif self._repeats(child):
                repeated = holds_repeated(self.claim, row)
                child.proof, child.disproof = (0, INFINITE) if repeated else (INFINITE, 0)
            else:
                # Before its own job, a child is as hard as an equal share of its parent.
                child.proof = max(1, node.proof // max(1, count))
                child.disproof = max(1, node.disproof // max(1, count))
                self._know(child)
            node.children.append(child)
        if not count:
            holds = holds_without_move(self._k, self.claim, here)
            node.proof, node.disproof = (0, INFINITE) if holds else (INFINITE, 0)
        self._update(node)

    def _repeats(self, node: Node) -> bool:
        above = node.parent
        while above is not None:
            if above.key == node.key:
                return True
            above = above.parent
        return False

    def _update(self, node: Node | None) -> None:
        while node is not None:
            if node.children:
                proofs = [child.proof for child in node.children]
                disproofs = [child.disproof for child in node.children]
                if node.key[2] == self.claim.x:
                    node.proof, node.disproof = min(proofs), _sum(disproofs)
                else:
                    node.proof, node.disproof = _sum(proofs), min(disproofs)
            node = node.parent

    def counts(self) -> dict[str, int]:
        """Return how much is settled: positions with jobs, those proved and refuted, positions searched and walked."""
        known = [result for result in self.results.values() if result.nodes or not result.settled]
        return {
            "jobs": len(known),
            "proved": sum(result.proof == 0 for result in known),
            "refuted": sum(result.disproof == 0 for result in known),
            "nodes": sum(result.nodes for result in known),
            "walked": sum(result.walked for result in known),
        }

    def first_moves(self) -> dict[str, str]:
        """Return for each first move whether the claim is proved, refuted or open after it."""
        if self.root.children is None:
            return {}
        turn = self.root.key[2]
        said = {(True, False): "proved", (False, True): "refuted", (False, False): "open"}
        return {
            str(convert.move_of(self.rules, turn, child.move)): said[child.proof == 0, child.disproof == 0]
            for child in self.root.children
        }


def _count_jobs(node: Node | None, more: int) -> None:
    """Count jobs that begin or end at a node, also above it."""
    while node is not None:
        node.in_flight += more
        node = node.parent


def _sum(numbers: list[int]) -> int:
    """Return the sum of proof numbers: infinite if one is, and otherwise not."""
    return INFINITE if INFINITE in numbers else min(INFINITE - 1, sum(numbers))
