"""Train the evaluation network of a single-lap game and write src/awale/search/nets/RULES.npy. Needs PyTorch.

    PYTHONPATH=src python3 -m scripts.train_net awari --seeds 34 --positions 30000000 --device cuda
    PYTHONPATH=src python3 -m scripts.train_net awari --seeds 16 --positions 2000000

Positions come from games of shallow searches with random moves, and from random walks off these games, as the leaves of
a search do. Up to `--seeds` seeds their values are exact, from endgame tables solved for it (endless play is worth
nothing to either side; a move limit does not count). Above, layer by layer, they are the values of a search that uses
the network trained so far. Nothing else goes in: a fixed `--seed` gives the same positions.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from awale.kernels import generic
from awale.kernels.bits import byte_sum, nth_bit, popcount
from awale.kernels.jit import jit
from awale.rules import get
from awale.rules.description import Rules
from awale.search import core, net
from awale.search.selfplay import _best
from awale.search.states import draw, load, save
from awale.tables.half_boards import Halves
from awale.tables.layers import make_shape
from awale.tables.workers import Workers
from scripts.training import context

THREADS = len(os.sched_getaffinity(0))
FIELDS = 4
"""Of a kept position: `mine`, `theirs`, seeds, and by how many seeds the player to move was ahead."""
OPEN = 8.0
"""A position counts half as much in training when its result is so many seeds from a draw, as is seldom searched."""
WALKS, LONGEST_WALK = 6, 5
STEP = 4
"""Seeds of a stage above the tables: a search from there reaches positions that the network has learnt."""
Array = NDArray[Any]


@jit
def wander(c: Any, start: Any, seed: int, depth: int, rows: Array) -> None:
    """Fill `rows` with positions of games and of random walks off them."""
    random = np.array([seed * 2 + 1], np.int64)
    kept, age = 0, 1
    while kept < rows.shape[0]:
        state, last = start, 1 - start.turn
        opening = 2 + draw(random, 20)
        for ply in range(250):
            if generic.ending(c.k, state, last) != 0:
                break
            for _ in range(WALKS):
                walker, before = state, last
                for _ in range(draw(random, LONGEST_WALK + 1)):
                    if generic.ending(c.k, walker, before) != 0:
                        break
                    mask = generic.legal(c.k, walker)
                    before = walker.turn
                    walker = generic.play(c.k, walker, nth_bit(mask, draw(random, popcount(mask))))
                if generic.ending(c.k, walker, before) == 0 and kept < rows.shape[0]:
                    rows[kept, 0], rows[kept, 1] = walker.mine, walker.theirs
                    rows[kept, 2] = byte_sum(walker.mine + walker.theirs)
                    rows[kept, 3] = (walker.south - walker.north) * (1 - 2 * walker.turn)
                    kept += 1
            mask = generic.legal(c.k, state)
            age = (age + 1) & 0xFFFF
            if ply < opening or draw(random, 100) < 15:
                move = nth_bit(mask, draw(random, popcount(mask)))
            else:
                move, _ = _best(c, state, depth, age)
            last = state.turn
            state = generic.play(c.k, state, move)


@jit
def search_values(c: Any, like: Any, states: Array, depth: int, values: Array) -> None:
    """Write the value of a search for every row, beyond the captured seeds; ABORTED where it has none."""
    for i in range(states.shape[0]):
        state = load(like, states, i)
        _, value = _best(c, state, depth, (i + 1) & 0xFFFF)
        values[i] = value


@jit
def places(rows: Array, width: Array, block: Array, ranks: Array, out: Array) -> None:
    """Write where each position stands in the tables."""
    for i in range(rows.shape[0]):
        row = column = mine = theirs = 0
        for pit in range(6):
            mine += (rows[i, 0] >> (8 * pit)) & 255
            theirs += (rows[i, 1] >> (8 * pit)) & 255
            if pit < 5:
                column += ranks[pit, mine]
                row += ranks[pit, theirs]
        out[i] = block[mine + theirs, theirs] + row * width[mine] + column


def in_threads(work: Any, parts: int = THREADS) -> list[Any]:
    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(work, range(parts)))


def positions(rules: Rules, weights: Array, count: int, seed: int, depth: int) -> Array:
    """Return different positions of play, in random order."""

    def run(number: int) -> Array:
        rows = np.zeros((count // THREADS, FIELDS), np.int64)
        c, start = context(rules, weights)
        wander(c, start, seed * 1000 + number, depth, rows)
        return rows

    rows = np.concatenate(in_threads(run))
    # To sort hashes of 64 bits takes a fraction of the time of sorting rows.
    keys = rows[:, 0] * 0x1E3779B97F4A7C15 + rows[:, 1] * 0x2545F4914F6CDD1D
    order = np.argsort(keys)
    first = order[np.flatnonzero(np.diff(keys[order], prepend=keys[order[0]] - 1))]
    return rows[np.random.default_rng(seed).permutation(first)]


def solve(rules: Rules, seeds: int, device: str) -> Any:
    """Return a function that gives the exact values of positions with at most so many seeds."""
    halves = Halves(rules.pits, seeds)
    shape = make_shape(halves)
    if device == "cuda":
        from awale.tables.cuda_solve import CudaSolver

        card = CudaSolver(rules, seeds, Workers(1))
        for layer in range(seeds + 1):
            card.fill(layer, lambda progress: None)
        flat = _torch().as_tensor(card.flat, device="cuda")
    else:
        from awale.tables.lap_solve import LapSolver

        here = LapSolver(rules, seeds, Workers(THREADS))
        for layer in range(seeds + 1):
            here.fill(layer, lambda progress: None)
        flat = here.flat

    def values(rows: Array) -> Array:
        found = np.zeros(len(rows), np.int64)

        def run(number: int) -> None:
            part = slice(len(rows) * number // THREADS, len(rows) * (number + 1) // THREADS)
            places(rows[part], shape.width, shape.block, halves.ranks, found[part])

        in_threads(run)
        if device == "cuda":
            return flat[_torch().from_numpy(found).cuda()].cpu().numpy().astype(np.float32)
        return flat[found].astype(np.float32)

    return values


def _torch() -> Any:
    import torch

    return torch


def new_network() -> Any:
    """Return an untrained network, in seeds."""
    torch = _torch()

    class Network(torch.nn.Module):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            super().__init__()
            self.rows = torch.nn.EmbeddingBag(net.STAGES * net.ROWS, net.HIDDEN, mode="sum")
            self.bias = torch.nn.Parameter(torch.zeros(net.STAGES, net.HIDDEN))
            self.output = torch.nn.Parameter(torch.randn(net.PHASES, net.HIDDEN) * 0.3)
            self.level = torch.nn.Parameter(torch.zeros(net.PHASES))
            torch.nn.init.normal_(self.rows.weight, std=0.2)

        def forward(self, sides: Any, phase: Any) -> Any:
            """Return the values of positions, given as their two words."""
            pit = torch.arange(6, device=sides.device)
            contents = torch.clamp((sides[:, :, None] >> (8 * pit)) & 255, max=net.CONTENTS - 1).flatten(1)
            stage = torch.clamp((phase >> 1) - 3, 0, net.STAGES - 1)
            place = torch.arange(2 * net.PLACES, device=sides.device) * net.CONTENTS + net.ROWS * stage[:, None]
            active = torch.relu(self.rows(contents + place) + self.bias[stage])
            return (active * self.output[phase]).sum(dim=1) + self.level[phase]

        def extend(self, seeds: int) -> None:
            """Value positions with more seeds like those with so many, until the network has seen some."""
            with torch.no_grad():
                top = min(seeds >> 1, net.PHASES - 1)
                self.output[top + 1 :] = self.output[top]
                self.level[top + 1 :] = self.level[top]
                rows = self.rows.weight.view(net.STAGES, net.ROWS, net.HIDDEN)
                stage = net.stage_of(top)
                rows[stage + 1 :], self.bias[stage + 1 :] = rows[stage].clone(), self.bias[stage].clone()

        def quantised(self) -> NDArray[np.int16]:
            parts = (self.rows.weight, self.bias, self.output, self.level)
            return net.quantise(*(part.detach().cpu().numpy() for part in parts))

    return Network()


class Sample:
    """Positions with their values, on the device: the first ones are held out."""

    def __init__(self, rows: Array, labels: Array, device: str) -> None:
        torch = _torch()
        self.size, self.held = len(rows), min(200_000, len(rows) // 10)
        self.sides = torch.from_numpy(rows[:, :2].copy()).to(device)
        self.phases = torch.from_numpy(np.minimum(rows[:, 2] >> 1, net.PHASES - 1)).to(device)
        self.values = torch.from_numpy(labels).to(device)
        self.distance = (torch.from_numpy(rows[:, 3].astype(np.float32)).to(device) + self.values).abs()

    def loss(self, network: Any, part: Any) -> Any:
        """Return the mean loss on some of the positions; those near a draw count more."""
        found = network(self.sides[part], self.phases[part])
        loss = _torch().nn.functional.smooth_l1_loss(found, self.values[part], beta=3.0, reduction="none")
        return (loss / (1 + self.distance[part] / OPEN)).mean()

    def errors(self, network: Any) -> str:
        """Return the mean error on the positions held out, and on those near a draw, in words."""
        with _torch().no_grad():
            found = network(self.sides[: self.held], self.phases[: self.held])
            errors = (found - self.values[: self.held]).abs()
            near = errors[self.distance[: self.held] <= OPEN]
            return f"{float(errors.mean()):.3f} seeds, near a draw {float(near.mean()):.3f}"


def fit(network: Any, samples: list[Sample], options: argparse.Namespace, epochs: float) -> None:
    """Train on positions with exact values and, a quarter of each batch, on those with searched values."""
    torch = _torch()
    network.to(options.device)
    steps = int(epochs * samples[0].size / options.batch)
    optimiser = torch.optim.Adam(network.parameters(), fused=options.device == "cuda")
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, options.rate, total_steps=steps + 1, pct_start=0.1)
    generator = torch.Generator(options.device).manual_seed(1)
    shares = [1.0] if len(samples) == 1 else [0.75, 0.25]
    for _ in range(steps):
        optimiser.zero_grad()
        for sample, share in zip(samples, shares, strict=True):
            count = (int(share * options.batch),)
            part = torch.randint(sample.held, sample.size, count, device=options.device, generator=generator)
            (share * sample.loss(network, part)).backward()
        optimiser.step()
        schedule.step()
        with torch.no_grad():
            network.rows.weight.clamp_(-16, 16)
            network.output.clamp_(-20, 20)


def search_labels(rules: Rules, weights: Array, rows: Array, depth: int) -> tuple[Array, Array]:
    """Return the positions that a search can value, and their values in seeds."""

    def run(number: int) -> tuple[Array, Array]:
        part = rows[number::THREADS]
        c, start = context(rules, weights)
        states = np.zeros((len(part), core.FIELDS), np.int64)
        save(states, 0, start)
        states[:] = states[0]
        captured = rules.total - part[:, 2]
        fields = {"mine": part[:, 0], "theirs": part[:, 1], "south": captured // 2, "north": captured - captured // 2}
        for name, column in fields.items():
            states[:, start._fields.index(name)] = column
        values = np.zeros(len(part), np.int64)
        search_values(c, start, states, depth, values)
        ahead = states[:, start._fields.index("south")] - states[:, start._fields.index("north")]
        fine = np.abs(values) < core.ESTIMATE_LIMIT
        return part[fine], (values[fine] / 100 - ahead[fine]).astype(np.float32)

    parts = in_threads(run)
    return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])


def without_cycles(rules: Rules) -> Rules:
    """Return the rules under which endless play is worth nothing and the number of moves does not count."""
    return replace(rules, move_limit=None, repetition="none")


def train(name: str, options: argparse.Namespace) -> NDArray[np.int16]:
    rules = without_cycles(get(name))
    began = time.perf_counter()

    def say(text: str) -> None:
        print(f"{name} {time.perf_counter() - began:6.1f} s: {text}", file=sys.stderr, flush=True)

    _torch().manual_seed(options.seed)
    network = new_network()
    nothing = np.zeros(net.SIZE, np.int16)
    with ThreadPoolExecutor(1) as pool:  # the card solves while the processor plays
        drawn = pool.submit(positions, rules, nothing, options.positions // 8, options.seed, options.depth)
        values = solve(rules, options.seeds, options.device)
        say(f"tables to {options.seeds} seeds")
        rows = drawn.result()

    def exact(rows: Array, values: Any) -> Sample:
        known = rows[rows[:, 2] <= options.seeds]
        return Sample(known, values(known), options.device)

    # A first network, for games like those that the last one will see.
    samples = [exact(rows, values)]
    fit(network, samples, options, options.epochs)
    say(f"{samples[0].size} exact values of {len(rows)} positions: mean error {samples[0].errors(network)}")
    network.extend(options.seeds)
    rows = positions(rules, network.quantised(), options.positions, options.seed + 1, options.depth)
    say(f"{len(rows)} positions")
    samples = [exact(rows, values)]
    fit(network, samples, options, options.epochs)
    say(f"{samples[0].size} exact values: mean error {samples[0].errors(network)}")
    del values
    searched: list[Array] = []
    labels: list[Array] = []

    def search(part: Array) -> tuple[Array, Array]:
        return search_labels(rules, network.quantised(), part, options.label_depth)

    for low in range(options.seeds, rules.total, STEP):
        chosen = rows[(rows[:, 2] > low) & (rows[:, 2] <= low + STEP)][: options.searched]
        if not len(chosen):
            continue
        network.extend(low)
        more, found = search(chosen)
        searched, labels = [*searched, more], [*labels, found]
        order = np.random.default_rng(low).permutation(sum(map(len, labels)))
        samples[1:] = [Sample(np.concatenate(searched)[order], np.concatenate(labels)[order], options.device)]
        fit(network, samples, options, options.epochs / 4)
        say(f"{len(more)} searched values above {low} seeds: mean error {samples[1].errors(network)}")
    # Once more, now that the network has seen every number of seeds.
    more, found = search(np.random.default_rng(options.seed).permutation(np.concatenate(searched)))
    samples[1] = Sample(more, found, options.device)
    fit(network, samples, options, options.epochs)
    for sample, kind in zip(samples, ("exact", "searched"), strict=True):
        say(f"{sample.size} {kind} values in the end: mean error {sample.errors(network)}")
    return network.quantised()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules", nargs="+")
    parser.add_argument("--seeds", type=int, default=16, help="of the exact tables")
    parser.add_argument("--positions", type=int, default=2_000_000)
    parser.add_argument("--searched", type=int, default=200_000, help="positions of a stage above the tables")
    parser.add_argument("--depth", type=int, default=3, help="of the searches that play")
    parser.add_argument("--label-depth", type=int, default=7)
    parser.add_argument("--epochs", type=float, default=8)
    parser.add_argument("--batch", type=int, default=16384)
    parser.add_argument("--rate", type=float, default=6e-3, help="the highest rate of learning")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--out", type=Path, default=Path(net.__file__).parent / "nets")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for name in options.rules:
        np.save(options.out / f"{name}.npy", train(name, options))


if __name__ == "__main__":
    main()
