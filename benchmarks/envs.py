"""The batch environment on one core: whole steps, with random legal actions drawn, observations, masks and rewards.

The peer is OpenSpiel, whose states are moved on one by one from Python.
"""

from __future__ import annotations

import numpy as np

from awale.envs.batch import BatchEnv
from benchmarks.measure import Row, Work, rates

GAMES = 1024
STEPS = 50


def steps(rules: str) -> Work:
    env = BatchEnv(GAMES, rules, seed=1)
    env.reset()

    def work() -> int:
        for _ in range(STEPS):
            env.step(env.sample())
        return GAMES * STEPS

    return work


def spiel_steps() -> Work:
    """The same with OpenSpiel's `oware`: games side by side, observations and masks after every move."""
    import pyspiel

    game = pyspiel.load_game("oware")
    random = np.random.default_rng(1)
    states = [game.new_initial_state() for _ in range(64)]

    def work() -> int:
        for number, state in enumerate(states):
            state.apply_action(random.choice(state.legal_actions()))
            if state.is_terminal():
                state.returns()
                states[number] = state = game.new_initial_state()
            state.observation_tensor(state.current_player())
            state.legal_actions_mask()
        return len(states)

    return work


def run() -> list[Row]:
    ours, peer = rates([steps("abapa"), spiel_steps()])
    rows = [
        Row(
            what=f"batch environment, abapa, {GAMES} games, 1 core",
            unit="steps",
            ours=ours,
            peer=peer,
            peer_name="OpenSpiel from Python",
            at_least=1e6,
        )
    ]
    for rules in ("tricolor", "ghana"):
        (rate,) = rates([steps(rules)], seconds=1.5)
        rows.append(Row(what=f"batch environment, {rules}, {GAMES} games, 1 core", unit="steps", ours=rate))
    return rows
