"""The batch environment: whole steps, with random legal actions drawn, observations, masks and rewards.

On one core the peer is OpenSpiel, whose states are moved on one by one from Python. On a GPU, where there is one, it is
Pgx, where it is installed: it has no game of this family, so the peer plays connect four, with as many games at once.
"""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np

from awale.envs.batch import BatchEnv
from awale.errors import AwaleError
from benchmarks.measure import Row, Work, rates

GAMES = 1024
STEPS = 50
GPU_GAMES = (1_000, 64_000, 1_000_000)
RULES = ("abapa", "ghana", "tricolor")


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


def gpu_steps(rules: str, games: int) -> Work:
    from awale.envs.cuda_batch import CudaBatchEnv

    env = CudaBatchEnv(games, rules, seed=1)
    env.reset()

    def work() -> int:
        for _ in range(STEPS):
            env.step(env.sample())
        env._cuda.synchronize()
        return games * STEPS

    return work


def pgx_steps(games: int) -> Work:
    """The same with Pgx's connect four: drawn actions, a step, and a new game where one has ended."""
    import jax
    import pgx

    env = pgx.make("connect_four")
    keys = jax.random.split(jax.random.PRNGKey(1), games)
    state = jax.jit(jax.vmap(env.init))(keys)

    def one(state: Any, key: Any) -> Any:
        action = jax.random.categorical(key, jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32)))
        after = env.step(state, action)
        new = env.init(key)
        over = after.terminated | after.truncated
        return jax.tree_util.tree_map(lambda ended, going: jax.numpy.where(over, ended, going), new, after)

    step = jax.jit(lambda state, key: jax.vmap(one)(state, jax.random.split(key, games)))

    def work() -> int:
        nonlocal state
        for number in range(STEPS):
            state = step(state, jax.random.PRNGKey(number))
        jax.block_until_ready(state)
        return games * STEPS

    return work


def on_gpu(rules: str) -> list[Row]:
    """The rows of a GPU; none where there is none."""
    rows = []
    for games in GPU_GAMES:
        try:
            works = [gpu_steps(rules, games)]
        except AwaleError:
            return []
        with contextlib.suppress(ImportError):
            works.append(pgx_steps(games))
        found = rates(works, several_threads=True)
        peer = found[1] if len(found) > 1 else None
        what = f"batch environment, {rules}, {games:,} games, a GPU"
        rows.append(
            Row(what=what, unit="steps", ours=found[0], peer=peer, peer_name="Pgx, connect four" if peer else "")
        )
    return rows


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
    for rules in RULES[1:]:
        (rate,) = rates([steps(rules)], seconds=1.5)
        rows.append(Row(what=f"batch environment, {rules}, {GAMES} games, 1 core", unit="steps", ours=rate))
    return rows + [row for rules in RULES for row in on_gpu(rules)]
