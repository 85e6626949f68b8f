"""Train the baseline agent of `awale.envs.baseline` by self-play, and draw its learning curve.

Temporal differences on what the player to move still gains: after every move the value of the position before it is
drawn towards the seeds gained by the move and the value of the position after it. Half a minute on one core:

    python scripts/train_baseline.py --out src/awale/envs/baseline.npy --curve docs/images/baseline.svg
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from awale.envs.baseline import ACTIVE, RULES, SIZE, Agent, active, compare, greedy
from awale.envs.batch import BatchEnv

GAMES = 256
EXPLORE = 0.05
"""How often a random move is played instead of the best one."""


def train(seconds: float, seed: int, curve: list[tuple[float, float, float, float]]) -> Agent:
    """Return an agent after so many seconds of self-play; `curve` gets a point now and then: seconds, positions and the
    scores against `random` and `greedy`."""
    chance = np.random.default_rng(seed)
    env = BatchEnv(GAMES, RULES, seed=seed, random_moves=8)
    env.reset()
    agent = Agent(np.zeros(SIZE, np.float32))
    games = np.arange(GAMES)
    spent, positions, marks = 0.0, 0, list(np.linspace(0, 1, 13) ** 2)
    while True:
        if marks and spent >= marks[0] * seconds:
            marks.pop(0)
            against = [compare(agent, opponent) for opponent in (BatchEnv.sample, greedy)]
            curve.append((spent, positions, *against))
            scores = f"random {against[0]:.1%}  greedy {against[1]:.1%}"
            print(f"{spent:6.0f} s  {positions:>10,} positions  {scores}", flush=True)
        if spent >= seconds:
            return agent
        began = time.process_time()
        rate = 0.5 if spent < 0.5 * seconds else 0.15 if spent < 0.8 * seconds else 0.03
        before = active(env.observe())
        worth = agent.action_values(env)
        best = worth.argmax(axis=1)
        target = worth[games, best]
        explored = chance.random(GAMES) < EXPLORE
        actions = np.where(explored, env.sample(), best)
        error = target - agent.weights[before].sum(axis=1)
        # Many games have a weight in common: it moves by their mean.
        places, errors = before.ravel(), np.repeat(error, ACTIVE)
        counts = np.bincount(places, minlength=SIZE)
        agent.weights += rate / ACTIVE * np.bincount(places, errors, SIZE) / np.maximum(counts, 1)
        env.step(actions)
        positions += GAMES
        spent += time.process_time() - began


def picture(curve: list[tuple[float, float, float, float]]) -> str:
    """Return the learning curve as SVG."""
    width, height, left, bottom = 640, 320, 52, 40
    most = max(point[1] for point in curve) / 1e6

    def place(positions: float, share: float) -> str:
        x = left + positions / 1e6 / most * (width - left - 120)
        return f"{x:.1f},{height - bottom - share * (height - bottom - 16):.1f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif"'
        ' font-size="13">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for share in (0, 0.25, 0.5, 0.75, 1):
        (x1, y), x2 = place(0, share).split(","), place(most * 1e6, share).split(",")[0]
        parts.append(f'<line x1="{x1}" x2="{x2}" y1="{y}" y2="{y}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 8}" y="{float(y) + 4:.1f}" text-anchor="end">{share:.0%}</text>')
    for number, name, colour in ((2, "random", "#0072b2"), (3, "greedy", "#d55e00")):
        points = " ".join(place(point[1], point[number]) for point in curve)
        x, y = map(float, place(curve[-1][1], curve[-1][number]).split(","))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<text x="{x + 8:.1f}" y="{y + 4:.1f}" fill="{colour}">{name} {curve[-1][number]:.0%}</text>')
    for millions in range(int(most) + 1):
        at = place(millions * 1e6, 0).partition(",")[0]
        parts.append(f'<text x="{at}" y="{height - 14}" text-anchor="middle">{millions} M</text>')
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=30.0, help="processor time of self-play")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True, help="the weights, a .npy file")
    parser.add_argument("--curve", type=Path, help="the learning curve, an .svg file")
    arguments = parser.parse_args()
    curve: list[tuple[float, float, float, float]] = []
    agent = train(arguments.seconds, arguments.seed, curve)
    np.save(arguments.out, agent.weights.astype(np.float16))
    if arguments.curve:
        arguments.curve.write_text(picture(curve), encoding="utf-8")


if __name__ == "__main__":
    main()
