"""Monte Carlo tree search: UCT with random playouts from the leaves, and exact solving of proven nodes.

A node where the game is over is proven; a node with a move to a proven win is a proven win; one all of whose moves are
proven is worth the best of them. Proven nodes are never sampled again, and a proven root ends the search.
"""

from __future__ import annotations

import time as clock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from awale.game import Game
from awale.kernels import NO_MOVE, generic
from awale.kernels.bits import lowest, nth_bit, popcount
from awale.kernels.convert import move_of, pack_game
from awale.kernels.jit import jit
from awale.rules.moves import Move
from awale.search.states import draw

PARENT, FIRST, COUNT, MOVE, TURN, VISITS, PROVEN = range(7)
COLUMNS = 7
UNPROVEN = 9
"""PROVEN is 1, 0 or -1 for South: won, drawn, lost."""
EXPLORATION = 1.0
LONGEST_PLAYOUT = 400
MAX_TREE_DEPTH = 400
CHUNK = 256


class Sampled(NamedTuple):
    """The most visited move, the share of its playouts that the mover won, and the simulations run."""

    move: Move
    share: float
    simulations: int
    proven: int | None
    """1, 0 or -1 for the player to move, if the root is proven."""
    visits: dict[Move, int]


@jit
def _result(k: Any, state: Any, code: int, last: int) -> int:
    """Return 1, 0 or -1 for South."""
    south, north = generic.final(k, state, code, last)
    return (south > north) - (south < north)


@jit
def _playout(k: Any, state: Any, last: int, random: NDArray[np.int64]) -> int:
    """Play a random game; after LONGEST_PLAYOUT moves the captured seeds decide."""
    for _ in range(LONGEST_PLAYOUT):
        code = generic.stopped(k, state, last)
        if code != 0:
            return _result(k, state, code, last)
        mask = generic.legal(k, state)
        if mask == 0:
            return _result(k, state, NO_MOVE, last)
        last = state.turn
        state = generic.play(k, state, nth_bit(mask, draw(random, popcount(mask))))
    return (state.south > state.north) - (state.south < state.north)


@jit
def _pick(tree: NDArray[np.int64], sums: NDArray[np.float64], node: int) -> int:
    """Return the unproven child with the highest upper confidence bound, -1 if there is none."""
    sign = 1 if tree[node, TURN] == 0 else -1
    first = tree[node, FIRST]
    best, best_bound = -1, -1e30
    log_visits = np.log(tree[node, VISITS] + 1.0)
    for child in range(first, first + tree[node, COUNT]):
        if tree[child, PROVEN] != UNPROVEN:
            continue
        visits = tree[child, VISITS]
        if visits == 0:
            return child
        bound = sign * sums[child] / visits + EXPLORATION * np.sqrt(log_visits / visits)
        if bound > best_bound:
            best, best_bound = child, bound
    return best


@jit
def _prove(tree: NDArray[np.int64], node: int) -> None:
    """Propagate proofs from a node towards the root."""
    while node >= 0 and tree[node, PROVEN] == UNPROVEN:
        sign = 1 if tree[node, TURN] == 0 else -1
        best, complete = -2, True
        first = tree[node, FIRST]
        for child in range(first, first + tree[node, COUNT]):
            if tree[child, PROVEN] == UNPROVEN:
                complete = False
            elif sign * tree[child, PROVEN] > best:
                best = sign * tree[child, PROVEN]
        if best == 1 or complete:
            tree[node, PROVEN] = sign * best
            node = tree[node, PARENT]
        else:
            return


@jit
def simulate(
    k: Any,
    root: Any,
    tree: NDArray[np.int64],
    sums: NDArray[np.float64],
    used: int,
    count: int,
    random: NDArray[np.int64],
) -> int:
    """Run simulations and return the number of nodes in use. Stop early when the root is proven or the tree is full."""
    for _ in range(count):
        if tree[0, PROVEN] != UNPROVEN:
            return used
        node, state, last = 0, root, 1 - root.turn
        depth = 0
        while tree[node, COUNT] > 0 and depth < MAX_TREE_DEPTH:
            child = _pick(tree, sums, node)
            if child < 0:
                break
            last = state.turn
            state = generic.play(k, state, tree[child, MOVE])
            node = child
            depth += 1
        code = generic.stopped(k, state, last) if node > 0 else 0
        mask = 0
        if code == 0:
            mask = generic.legal(k, state)
            if mask == 0:
                code = NO_MOVE
        if code != 0:
            value = _result(k, state, code, last)
            tree[node, PROVEN] = value
            _prove(tree, tree[node, PARENT])
        else:
            if tree[node, COUNT] == 0 and (tree[node, VISITS] > 0 or node == 0) and used + 32 < tree.shape[0]:
                tree[node, FIRST] = used
                tree[node, COUNT] = popcount(mask)
                tree[node, TURN] = state.turn
                left = mask
                while left:
                    tree[used, :] = 0
                    tree[used, PARENT] = node
                    tree[used, MOVE] = lowest(left)
                    tree[used, PROVEN] = UNPROVEN
                    sums[used] = 0.0
                    left &= left - 1
                    used += 1
            value = _playout(k, state, last, random)
        while node >= 0:
            tree[node, VISITS] += 1
            sums[node] += value
            node = tree[node, PARENT]
    return used


def search(game: Game, *, simulations: int | None = None, time: float | None = None, seed: int = 0) -> Sampled:
    """Search within these simulations or seconds; return the most visited move, a proven win first."""
    k, root = pack_game(game)
    budget = simulations if simulations is not None else 1 << 40
    rows = min(4_000_000, max(64, 8 * min(budget, 400_000) + 64))
    tree = np.zeros((rows, COLUMNS), np.int64)
    sums = np.zeros(rows, np.float64)
    tree[0, PARENT], tree[0, PROVEN], tree[0, TURN] = -1, UNPROVEN, root.turn
    random = np.array([seed * 2 + 1], np.int64)
    simulate(k, root, tree, sums, 1, 0, random)  # loads or compiles it: not thinking time
    deadline = None if time is None else clock.perf_counter() + time
    used, done = 1, 0
    while done < budget and tree[0, PROVEN] == UNPROVEN:
        step = min(CHUNK, budget - done) if deadline is not None else budget - done
        used = simulate(k, root, tree, sums, used, step, random)
        done += step
        if deadline is not None and clock.perf_counter() >= deadline:
            break
    return _chosen(game, tree, sums, done)


def _chosen(game: Game, tree: NDArray[np.int64], sums: NDArray[np.float64], done: int) -> Sampled:
    sign = 1 if game.turn == 0 else -1
    children = range(int(tree[0, FIRST]), int(tree[0, FIRST] + tree[0, COUNT]))

    def rank(child: int) -> tuple[int, int]:
        proven = tree[child, PROVEN]
        kind = 0 if proven == UNPROVEN else int(sign * proven)
        return kind, int(tree[child, VISITS])

    if not children:
        return Sampled(game.legal_moves[0], 0.5, done, None, {})
    # Drawn and unproven moves rank alike: visits decide.
    best = max(children, key=rank)
    visits = max(1, int(tree[best, VISITS]))
    proven = tree[0, PROVEN]
    return Sampled(
        move=move_of(game.rules, game.turn, int(tree[best, MOVE])),
        share=0.5 + 0.5 * sign * float(sums[best]) / visits,
        simulations=done,
        proven=None if proven == UNPROVEN else int(sign * proven),
        visits={move_of(game.rules, game.turn, int(tree[c, MOVE])): int(tree[c, VISITS]) for c in children},
    )
