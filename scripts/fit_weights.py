"""Fit the engine's evaluation to games it plays against itself, and write src/awale/search/weights.json.

    python -m scripts.fit_weights abapa ghana tricolor --positions 500000 --rounds 5

Each round plays with the weights of the round before; the first one plays with captured seeds alone, or with the
existing weights (`--go-on`). Logistic regression fits the probability of winning to the mean of the game's result and
the search's estimate. Weights with little data are regularised towards their neighbours: for a pit, the difference
between consecutive contents; for a three-colour hole, the deviation from the sum of the weights of each colour and of
their total.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from awale.cores import cores
from awale.kernels.convert import pack_position
from awale.kernels.jit import jit
from awale.rules import get, reference
from awale.rules.description import Rules
from awale.search.evaluation import MOST, PLACES, SEED, TRICOLOR_HOLES, captured_alone, shares, spread
from awale.search.selfplay import record
from awale.search.states import FIELDS
from scripts.training import context, pit_columns, pit_contents

TARGET = Path(__file__).resolve().parent.parent / "src" / "awale" / "search" / "weights.json"
PARTS = 32
"""A round's games are played in so many parts, by any number of threads: the weights do not depend on the machine."""
ROUNDS_KEPT = 3
"""The games of so many rounds are fitted together: players learn from one another's mistakes, not only their own."""
HELD_OUT = 12
"""One position in so many says how good a fit is."""
FARTHEST = 8000
"""A search sees no more than this, in hundredths of a seed."""
Array = NDArray[Any]


@dataclass
class Samples:
    """Positions as the fit sees them."""

    columns: Array
    """For each position and pit, the number of the weight that counts."""
    shares: Array
    """For each position, how much each knot counts."""
    ahead: Array
    chances: Array
    results: Array

    def __getitem__(self, part: Any) -> Samples:
        return Samples(self.columns[part], self.shares[part], self.ahead[part], self.chances[part], self.results[part])


def together(rounds: list[Samples]) -> Samples:
    names = ("columns", "shares", "ahead", "chances", "results")
    return Samples(*(np.concatenate([getattr(part, name) for part in rounds]) for name in names))


def play(
    rules: Rules, weights: Array, count: int, depth: int, seed: int, threads: int
) -> tuple[Any, Array, Array, Array]:
    """Positions of self-play, the values that the search gave them and the margins at the end."""
    used = spread(rules, weights)

    def run(number: int) -> tuple[Array, Array, Array]:
        rows = np.zeros((max(1, count // PARTS), FIELDS), np.int64)
        values, margins = np.zeros(len(rows), np.int64), np.zeros(len(rows), np.int64)
        c, start = context(rules, used)
        record(c, start, seed * 100 + number, depth, rows, values, margins)
        return rows, values, margins

    with ThreadPoolExecutor(threads) as pool:
        parts = list(pool.map(run, range(PARTS)))
    rows, values, margins = (np.concatenate([part[i] for part in parts]) for i in range(3))
    return type(pack_position(rules, reference.start(rules))), rows, values, margins


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def surprise(chances: Array, guesses: Array) -> float:
    """The mean cross entropy: what the guesses say of the chances, the less the better."""
    return float(-(chances * np.log(guesses + 1e-9) + (1 - chances) * np.log(1 - guesses + 1e-9)).mean())


def samples(rules: Rules, kind: Any, rows: Array, values: Array, margins: Array) -> Samples:
    field = {name: rows[:, number] for number, name in enumerate(kind._fields)}
    columns, seeds = (_hole_columns if rules.coloured else _pit_columns)(rules, field)
    difference = field["south"] - field["north"]
    results = (np.sign(margins) + 1) / 2
    values = np.clip(values, -FARTHEST, FARTHEST)
    scale = min(range(50, 3000, 25), key=lambda scale: surprise(results, sigmoid(values / scale)))
    chances = (results + sigmoid(values / scale)) / 2
    left = seeds / rules.total
    return Samples(
        columns,
        np.stack([left, 1 - left], axis=1) if rules.coloured else shares(seeds),
        np.where(field["turn"] == 0, difference, -difference),
        chances,
        results,
    )


def _pit_columns(rules: Rules, field: dict[str, Array]) -> tuple[Array, Array]:
    contents = pit_contents((field["mine"], field["theirs"]), range(rules.pits)[::-1])
    places = [side * PLACES + place for side in range(2) for place in range(rules.pits)]
    return pit_columns(contents, MOST, places), contents.sum(axis=1)


def _hole_columns(rules: Rules, field: dict[str, Array]) -> tuple[Array, Array]:
    columns, seeds = [], np.zeros(len(field["turn"]), np.int64)
    for player in range(2):
        side = field["turn"] != player
        for hole in range(rules.pits):
            contents = [(field[f"{colour}{player}"] >> (8 * hole)) & 255 for colour in ("red", "blue", "clear")]
            seeds = seeds + sum(contents)
            red, blue, clear = (np.minimum(content, 7) for content in contents)
            columns.append(side * TRICOLOR_HOLES + red * 64 + blue * 8 + clear)
    return np.stack(columns, axis=1), seeds


def pit_terms() -> tuple[Array, Array]:
    """What a pit's weights are made of, a row a term, and how dear each is: a level, then steps from content to
    content."""
    contents = MOST + 1
    steps = np.triu(np.ones((contents, contents)))
    terms = np.kron(np.eye(2 * PLACES), steps)
    return terms, np.tile([3.0] + [20.0] * MOST, 2 * PLACES)


def hole_terms() -> tuple[Array, Array]:
    """Of a three-colour hole: each colour, all together, and the combination."""
    combination = np.arange(TRICOLOR_HOLES)
    red, blue, clear = combination >> 6, (combination >> 3) & 7, combination & 7
    marginals = [red == n for n in range(8)] + [blue == n for n in range(8)] + [clear == n for n in range(8)]
    marginals += [red + blue + clear == n for n in range(22)]
    terms = np.concatenate([np.array(marginals, float), np.eye(TRICOLOR_HOLES)])
    cost = np.array([3.0] * len(marginals) + [30.0] * TRICOLOR_HOLES)
    return np.kron(np.eye(2), terms), np.tile(cost, 2)


@jit
def _slope(
    columns: Array, shares: Array, ahead: Array, chances: Array, weights: Array, captured: Array, slopes: Array
) -> float:
    """Return the cross entropy of some positions, summed, and write its derivatives by the weights, then by the worth
    of captured seeds, to a row a knot of `slopes`."""
    total = 0.0
    for i in range(columns.shape[0]):
        worth = 0.0
        for knot in range(shares.shape[1]):
            if shares[i, knot] != 0.0:
                part = captured[knot] * ahead[i]
                for column in columns[i]:
                    part += weights[knot, column]
                worth += shares[i, knot] * part
        guess = 1.0 / (1.0 + np.exp(-worth))
        total -= chances[i] * np.log(guess + 1e-9) + (1.0 - chances[i]) * np.log(1.0 - guess + 1e-9)
        for knot in range(shares.shape[1]):
            error = (guess - chances[i]) * shares[i, knot]
            if error != 0.0:
                for column in columns[i]:
                    slopes[knot, column] += error
                slopes[knot, weights.shape[1]] += error * ahead[i]
    return total


def fit(data: Samples, terms: Array, cost: Array, threads: int) -> tuple[Array, Array]:
    """The weights, a row a knot, and those of captured seeds: in units of the logistic function."""
    knots, count, size = data.shares.shape[1], len(terms), terms.shape[1]
    dear = np.concatenate([np.tile(cost, knots), np.zeros(knots)])
    arrays = (data.columns, data.shares, data.ahead, data.chances)
    parts = list(zip(*(np.array_split(array, PARTS) for array in arrays), strict=True))

    def loss(guess: Array) -> tuple[float, Array]:
        weights, captured = guess[: knots * count].reshape(knots, count) @ terms, guess[knots * count :]

        def one(part: tuple[Array, ...]) -> tuple[float, Array]:
            slopes = np.zeros((knots, size + 1))
            return _slope(*part, weights, captured, slopes), slopes

        found = list(pool.map(one, parts))
        slopes = sum((slopes for _, slopes in found), np.zeros((knots, size + 1)))
        slope = np.concatenate([(slopes[:, :size] @ terms.T).ravel(), slopes[:, size]])
        total = sum(value for value, _ in found) + 0.5 * float((dear * guess**2).sum())
        return total / len(data.ahead), (slope + dear * guess) / len(data.ahead)

    first = np.concatenate([np.zeros(knots * count), np.full(knots, 0.2)])
    with ThreadPoolExecutor(threads) as pool:
        found = minimize(loss, first, jac=True, method="L-BFGS-B", options={"maxiter": 120}).x
    return found[: knots * count].reshape(knots, count) @ terms, found[knots * count :]


def worth(data: Samples, weights: Array, captured: Array) -> Array:
    pits = sum(data.shares[:, knot] * weights[knot][data.columns].sum(axis=1) for knot in range(len(weights)))
    return pits + data.ahead * (data.shares @ captured)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("rules", nargs="+")
    parser.add_argument("--positions", type=int, default=500_000, help="of each round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--depth", type=int, default=7)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=cores(), help="of the games; changes no weight")
    parser.add_argument("--out", type=Path, default=TARGET, help="the file to add them to")
    parser.add_argument("--go-on", action="store_true", help="begin with the weights of the file")
    options = parser.parse_args()
    for name in options.rules:
        rules = get(name)
        terms, cost = hole_terms() if rules.coloured else pit_terms()
        stored = _stored(options.out)["weights"].get(name)
        go_on = options.go_on and stored is not None
        weights = np.array(stored, np.int32) if go_on else captured_alone(rules)
        rounds: list[Samples] = []
        for number in range(1, options.rounds + 1):
            began = time.perf_counter()
            played_by = play(
                rules, weights, options.positions, options.depth, options.seed * 1000 + number, options.threads
            )
            new = samples(rules, *played_by)
            played = time.perf_counter() - began
            held = len(new.ahead) // HELD_OUT
            rounds = [*rounds[1 - ROUNDS_KEPT :], new[held:]]
            found, captured = fit(together(rounds), terms, cost, options.threads)
            guesses = sigmoid(worth(new[:held], found, captured))
            left = surprise(new.results[:held], guesses)
            print(
                f"{name}: round {number}: {options.positions} positions, results held out: {left:.4f}; "
                f"{played:.0f} s playing, {time.perf_counter() - began - played:.0f} s fitting",
                file=sys.stderr,
                flush=True,
            )
            weights = np.round(np.concatenate([found.ravel(), captured]) * SEED / captured.mean()).astype(np.int32)
            keep(name, weights, options, number, left)


def _stored(file: Path) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return {part: found.get(part, {}) for part in ("weights", "fitted")}


def keep(name: str, weights: Array, options: argparse.Namespace, rounds: int, left: float) -> None:
    """Write the weights, a line for each rule system, so that a change shows which one it is. They are written after
    every round, with the command that ends there."""
    stored = _stored(options.out)
    stored["weights"][name] = [int(weight) for weight in weights]
    command = (
        f"python -m scripts.fit_weights {name} --positions {options.positions} --rounds {rounds} "
        f"--depth {options.depth} --seed {options.seed}{' --go-on' if options.go_on else ''}"
    )
    stored["fitted"][name] = {"command": command, "surprise": round(left, 4)}
    parts = []
    for part in ("weights", "fitted"):
        lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in stored[part].items()]
        parts.append(f'"{part}": {{\n' + ",\n".join(lines) + "\n}")
    options.out.write_text("{" + ",\n".join(parts) + "}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
