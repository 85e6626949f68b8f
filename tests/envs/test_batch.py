"""Many games at once are what `Game` plays, one by one: the same boards, moves, rewards and endings."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from awale import AwaleError, Game
from awale.envs import batch
from awale.envs.batch import BatchEnv
from awale.rules import names

# Small boards, because there positions come back, players starve and sowings never end.
RULES = [
    *names(),
    "abapa:pits=2,seeds=2",
    "awari:pits=2,seeds=3",
    "abapa:pits=8,seeds=2",
    "ghana:pits=7,seeds=1",
    "ghana-basic:pits=2,seeds=3",
    "parrains:pits=7,seeds=1",
    "abapa:pits=2,starved=passes,feeding=free,grand_slam=allowed",
    "tricolor-2025:pits=2,seeds=1",
    "wikipedia:pits=3,seeds=2,win_at=10",
]
ENDINGS = {
    "abapa:pits=2,seeds=2": {"repetition", "no-move"},
    "awari:pits=2,seeds=3": {"repetition"},
    "ghana-basic:pits=2,seeds=3": {"endless"},
    "upsti": {"win"},
    "tricolor": {"win"},
    "ghana4": {"win"},
}


class Mirror:
    """The games of a batch, played by the reference."""

    def __init__(self, env: BatchEnv) -> None:
        self.env = env
        self.encoding = env.encoding
        self.games = [Game(env.rules) for _ in range(env.games)]

    def check_positions(self, observations: np.ndarray, masks: np.ndarray) -> None:
        for number, game in enumerate(self.games):
            expected = self.encoding.observe(game.state, game.turn)
            assert observations[number].tolist() == expected.tolist(), game
            assert masks[number].tolist() == self.encoding.mask(game).tolist(), game
        assert self.env.turns.tolist() == [game.turn for game in self.games]
        assert self.env.scores.tolist() == [list(game.scores) for game in self.games]
        assert self.env.plies.tolist() == [game.ply for game in self.games]

    def step(self, margin: bool) -> list[str]:
        actions = self.env.sample()
        result = self.env.step(actions)
        ended: dict[int, tuple[tuple[int, int], str]] = {}
        for number, game in enumerate(self.games):
            before = game.scores
            game.push(self.encoding.move(game.turn, int(actions[number])))
            gain = game.scores[0] - game.scores[1] - before[0] + before[1]
            outcome = game.outcome()
            assert result.terminated[number] == (outcome is not None), game
            assert result.truncated[number] == self.encoding.cut(game), game
            if not margin:
                gain = 0 if outcome is None or outcome.winner is None else 1 - 2 * outcome.winner
            assert result.rewards[number].tolist() == [gain, -gain], game
            if outcome is not None or self.encoding.cut(game):
                ended[number] = (game.scores, "cut" if outcome is None else outcome.reason)
                self.games[number] = Game(self.env.rules)
        assert result.ended.games.tolist() == list(ended)
        assert result.ended.scores.tolist() == [list(scores) for scores, _ in ended.values()]
        assert result.ended.reasons == [reason for _, reason in ended.values()]
        assert result.ended.observations.shape == (len(ended), self.env.size)
        self.check_positions(result.observations, result.masks)
        return result.ended.reasons


@pytest.mark.parametrize("name", RULES)
def test_a_batch_plays_as_the_reference_does(name: str) -> None:
    seen: set[str] = set()
    for reward in ("result", "margin"):
        env = BatchEnv(8, name, seed=5, reward=reward, max_moves=150)  # type: ignore[arg-type]
        mirror = Mirror(env)
        mirror.check_positions(*env.reset())
        for _ in range(220):
            seen.update(mirror.step(reward == "margin"))
    assert seen
    assert ENDINGS.get(name, set()) <= seen


def test_long_games_without_a_capture_find_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "FIRST_CAPACITY", 1)
    env = BatchEnv(6, "abapa", seed=2, random_moves=0)
    mirror = Mirror(env)
    mirror.check_positions(*env.reset())
    for _ in range(200):
        mirror.step(margin=False)
    assert env._arrays.seen.shape[1] > 4


def test_without_auto_reset_games_stay_over() -> None:
    env = BatchEnv(5, "ghana4", seed=1, auto_reset=False)
    env.reset()
    done = np.zeros(5, bool)
    for _ in range(400):
        step = env.step(env.sample())
        assert not (step.terminated & done).any()  # an end is told once
        assert (step.rewards[done] == 0).all()
        done |= step.terminated
        assert (step.masks.any(axis=1) == ~done).all()
        if done.all():
            break
    assert done.all()
    env.reset()
    assert env.masks().any(axis=1).all()


def moves_of(env: BatchEnv, steps: int) -> list[list[int]]:
    taken = []
    for _ in range(steps):
        actions = env.sample()
        env.step(actions)
        taken.append(actions.tolist())
    return taken


@pytest.mark.parametrize("name", ["abapa", "tricolor"])
def test_the_same_seed_gives_the_same_games(name: str) -> None:
    env = BatchEnv(20, name, seed=9, random_moves=4)
    first = env.reset()[0]
    played = moves_of(env, 150)
    again = env.reset(seed=9)[0]
    assert (first == again).all()
    assert moves_of(env, 150) == played
    other = BatchEnv(20, name, random_moves=4)
    assert not (other.reset(seed=10)[0] == first).all()
    small = BatchEnv(4, name, seed=9, random_moves=4)
    assert (small.reset()[0] == first[:4]).all()
    assert moves_of(small, 60) == [actions[:4] for actions in played[:60]]


def test_random_beginnings_never_end_a_game() -> None:
    env = BatchEnv(300, "abapa:pits=2,seeds=2", random_moves=50, seed=3)
    _, masks = env.reset()
    assert masks.any(axis=1).all()
    assert len(set(env.plies.tolist())) > 3
    env = BatchEnv(50, "abapa", random_moves=6)
    observations, _ = env.reset()
    assert set(env.plies.tolist()) == {6}
    assert len({tuple(row) for row in observations.tolist()}) > 30


def test_a_batch_can_start_elsewhere_and_be_looked_at() -> None:
    position = "0-0-0-0-0-1-1-0-0-0-0-3-24-19-S"
    env = BatchEnv(3, "abapa", start=position)
    env.reset()
    assert env.game(2).position == position
    step = env.step([5, 5, 5])
    assert step.terminated.all()
    assert step.ended.scores.tolist() == [[26, 19]] * 3
    assert env.game(0).position == position
    with pytest.raises(AwaleError, match="number: must be a whole number from 0 to 2"):
        env.game(3)


def test_bad_input_is_refused_and_changes_nothing() -> None:
    env = BatchEnv(4, "abapa")
    with pytest.raises(AwaleError, match="reset"):
        env.step([0, 0, 0, 0])
    env.reset()
    env.step([0, 1, 2, 3])
    before = env.observe()
    for actions in ([0, 0, 0], [[0, 0, 0, 0]], [0.0, 1.0, 2.0, 3.0], "abcd"):
        with pytest.raises(AwaleError, match=r"one whole number per game \(4 games\)"):
            env.step(actions)
    for action in (-1, 6, 99):
        with pytest.raises(AwaleError, match=rf"game 2 of the batch: action {action} is not legal"):
            env.step([5, 5, action, 5])
    assert (env.observe() == before).all()
    assert env.plies.tolist() == [1, 1, 1, 1]
    for wrong in ({"games": 0}, {"games": 2.5}, {"seed": -1}, {"random_moves": -1}, {"reward": "money"}):
        with pytest.raises(AwaleError):
            BatchEnv(**({"games": 2} | wrong))  # type: ignore[arg-type]


def test_results_are_the_callers_own() -> None:
    """What a step returned is not changed by the next one."""
    env = BatchEnv(3, "abapa")
    first = env.reset()
    kept = [array.copy() for array in first]
    env.step([0, 0, 0])
    assert all((array == copy).all() for array, copy in zip(first, kept, strict=True))


def test_the_compiler_may_be_off() -> None:
    program = """
import numpy as np
from awale.envs.batch import BatchEnv
for name in ("abapa:pits=2,seeds=2", "ghana4", "tricolor:pits=3,seeds=1", "abapa:pits=7,seeds=1"):
    env = BatchEnv(3, name, seed=4, random_moves=2)
    env.reset()
    sums = [int(env.step(env.sample()).observations.sum()) for _ in range(40)]
    print(name, sums, env.observe().tolist())
"""
    outputs = []
    for off in ("0", "1"):
        environment = os.environ | {"NUMBA_DISABLE_JIT": off, "AWALE_QUIET": "1"}
        ran = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment
        )
        outputs.append(ran.stdout)
    assert outputs[0] == outputs[1]
    assert outputs[0].count("\n") == 4


def test_every_game_has_its_own_start() -> None:
    starts = ["0-0-0-0-0-1-0-0-0-0-0-2-22-23-S", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-N", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-N"]
    env = BatchEnv(3, "abapa", max_moves=1)
    env.reset(starts=starts)
    assert [env.game(number).position for number in range(3)] == starts
    assert env.step(env.sample()).truncated.all()
    assert [env.game(number).position for number in range(3)] == starts, "each restarted from its own start"
    with pytest.raises(AwaleError, match="starts"):
        env.reset(starts=starts[:2])


def test_a_state_can_be_gone_back_to() -> None:
    env = BatchEnv(20, "abapa", seed=3)
    env.reset()
    for _ in range(10):
        env.step(env.sample())
    state = env.get_state()
    first = [env.step(env.sample()).observations for _ in range(5)]
    observations, masks = env.set_state(state)
    assert masks.any(axis=1).all()
    again = [env.step(env.sample()).observations for _ in range(5)]
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    other = BatchEnv(20, "abapa", seed=99)
    assert np.array_equal(other.set_state(state)[0], observations)
    with pytest.raises(AwaleError, match="another batch"):
        BatchEnv(3, "abapa").set_state(state)


def test_scaled_observations_and_arrays_without_a_copy() -> None:
    env = BatchEnv(5, "abapa", scaled=True)
    observations, masks = env.reset()
    assert observations.dtype == np.float32
    assert observations[0, 0] == np.float32(4 / 48)
    step = env.step(env.sample())
    for array in (observations, masks, step.rewards, step.observations):
        shared = np.from_dlpack(array)
        assert np.shares_memory(shared, array)
        assert array.flags.c_contiguous
    assert ((step.observations >= 0) & (step.observations <= 1)).all()


@pytest.mark.parametrize("rules", ["abapa", "tricolor"])
def test_afterstates_are_what_the_actions_lead_to(rules: str) -> None:
    env = BatchEnv(20, rules, seed=3, random_moves=30, max_moves=10_000)
    env.reset()
    masks, after = env.masks(), env.afterstates()
    state = env.get_state()
    for action in range(env.actions):
        legal = masks[:, action]
        step = env.step(np.full(env.games, action), only=legal)
        going = legal & ~step.terminated
        assert (env.turns[going] == after.turns[going, action]).all()
        assert (step.observations[going] == after.observations[going, action]).all()
        assert (env.scores[going] == after.scores[going, action]).all()
        assert (step.ended.scores == after.scores[step.ended.games, action]).all()
        assert (step.ended.codes == after.codes[step.ended.games, action]).all()
        assert not after.codes[going, action].any()
        env.set_state(state)
    assert not after.observations[~masks][:, :-1].any()
    env.restart(np.arange(env.games) == 3)
    assert env.plies[3] <= 30
