"""The single-agent environment: Gymnasium's own checks, seats, opponents, seeds, rewards."""

from __future__ import annotations

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import awale.envs
from awale import AwaleError, Game
from awale.envs.gymnasium import AwaleEnv
from awale.players import Choice, PlayerError
from awale.rules import names


@pytest.mark.parametrize("name", [*names(), "ghana:pits=3,seeds=2", "awari:pits=8,seeds=2"])
@pytest.mark.parametrize("seat", [0, 1, "random"])
def test_gymnasium_finds_nothing_wrong(name: str, seat: int | str) -> None:
    env = gymnasium.make(awale.envs.GYMNASIUM_ID, rules=name, seat=seat)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)
    env.close()


def play(env: gymnasium.Env[np.ndarray, np.int64], seed: int) -> tuple[list[object], float]:
    """A game against whoever sits there, by random legal actions; all that was seen, and the sum of rewards."""
    chance = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    seen: list[object] = [observation.tolist(), info["position"], info["side"]]
    total = 0.0
    over = False
    while not over:
        assert (info["action_mask"] == env.unwrapped.action_masks()).all()  # type: ignore[attr-defined]
        action = chance.choice(np.flatnonzero(info["action_mask"]))
        observation, reward, terminated, truncated, info = env.step(action)
        assert env.observation_space.contains(observation)
        seen += [int(action), observation.tolist(), reward, info["position"]]
        total += float(reward)
        over = terminated or truncated
    assert not info["action_mask"].any()
    return seen, total


@pytest.mark.parametrize("name", ["abapa", "ghana", "tricolor"])
@pytest.mark.parametrize("opponent", ["random", "greedy", "mcts:30"])
def test_the_same_seed_and_actions_give_the_same_game(name: str, opponent: str) -> None:
    one = AwaleEnv(name, opponent, "random", random_moves=3)
    two = AwaleEnv(name, opponent, "random", random_moves=3)
    for seed in (1, 2):
        assert play(one, seed) == play(two, seed)
    assert play(one, 1)[0] == play(two, 1)[0]  # also after other games
    assert play(one, 1)[0] != play(two, 3)[0]
    one.close()
    two.close()


@pytest.mark.parametrize("name", ["abapa", "upsti", "ghana4", "tricolor-2025"])
@pytest.mark.parametrize("seat", [0, 1])
def test_rewards_are_the_learners(name: str, seat: int) -> None:
    for seed in range(6):
        by_result = AwaleEnv(name, "greedy", seat)  # type: ignore[arg-type]
        _, total = play(by_result, seed)
        outcome = by_result.game.outcome()
        assert outcome is not None
        assert total == (0 if outcome.winner is None else 1 if outcome.winner == seat else -1)
        by_margin = AwaleEnv(name, "greedy", seat, reward="margin")  # type: ignore[arg-type]
        _, total = play(by_margin, seed)
        assert by_margin.game.moves == by_result.game.moves
        assert total == by_margin.game.scores[seat] - by_margin.game.scores[1 - seat]
        assert by_margin.side == seat


def test_the_opponent_moves_first_if_the_learner_sits_second() -> None:
    env = AwaleEnv("abapa", "greedy", 1)
    observation, _ = env.reset(seed=0)
    assert env.game.ply == 1
    assert observation[:6].sum() == sum(env.game.counts[6:])


def test_random_seats_are_both_taken() -> None:
    env = AwaleEnv("abapa", "random", "random")
    sides = {env.reset(seed=seed)[1]["side"] for seed in range(12)}
    assert sides == {0, 1}


class Last:
    """A player of one's own."""

    name = "last"

    def choose(self, game: Game, clock: object = None) -> Choice:
        return Choice(game.legal_moves[-1])

    def accepts_end(self, game: Game) -> bool:
        return False

    def close(self) -> None:
        pass


def test_any_player_can_be_the_opponent() -> None:
    env = AwaleEnv("abapa", Last())
    env.reset(seed=1)
    env.step(0)
    assert [str(move) for move in env.game.moves] == ["A", "f"]
    with pytest.raises(PlayerError, match="no player is called 'nobody'"):
        AwaleEnv("abapa", "nobody")


def test_an_illegal_action_loses_or_raises() -> None:
    env = AwaleEnv("abapa", "greedy")
    env.reset(seed=1, options={"start": "0-4-4-4-4-4-4-4-4-4-4-4-4-0-S"})
    _, reward, terminated, truncated, info = env.step(0)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["illegal"] == "action 0 is not legal here (legal: 1, 2, 3, 4, 5)"
    with pytest.raises(AwaleError, match="the game is over"):
        env.step(1)
    strict = AwaleEnv("abapa", illegal="raises")
    strict.reset(seed=1)
    for action in (6, -1, "A", 2.5, None):
        with pytest.raises(AwaleError, match="is not legal here"):
            strict.step(action)
    strict.step(np.int64(5))


def test_a_game_that_nothing_ends_is_cut() -> None:
    env = AwaleEnv("casabianca", max_moves=20)
    env.reset(seed=1)
    for _ in range(10):
        *_, terminated, truncated, info = env.step(int(np.flatnonzero(env.action_masks())[0]))
    assert truncated
    assert not terminated
    assert "reason" not in info
    assert env.game.ply == 20


def test_a_start_that_the_opponent_would_end_goes_to_the_learner() -> None:
    env = AwaleEnv("abapa", "greedy", 1)
    _, info = env.reset(seed=1, options={"start": "0-0-0-0-0-1-1-0-0-0-0-3-24-19-S"})
    assert info["side"] == 0
    *_, reward, terminated, _, info = env.step(5)
    assert (reward, terminated, info["reason"]) == (1.0, True, "win")


def test_pictures() -> None:
    for name in ("abapa", "tricolor", "ghana:pits=12,seeds=1", "tricolor:pits=2,seeds=9"):
        for mode in ("ansi", "svg", "rgb_array"):
            env = gymnasium.make(awale.envs.GYMNASIUM_ID, rules=name, render_mode=mode)
            env.reset(seed=1)
            shown = env.render()
            if mode == "rgb_array":
                assert isinstance(shown, np.ndarray)
                assert shown.dtype == np.uint8
                assert shown.ndim == 3
                before = shown.copy()
                env.step(int(np.flatnonzero(env.unwrapped.action_masks())[0]))  # type: ignore[attr-defined]
                assert (env.render() != before).any()
            else:
                assert isinstance(shown, str)
                assert ("<svg" in shown) == (mode == "svg")
    with pytest.raises(AwaleError, match="render_mode: must be one of human, ansi, svg, rgb_array"):
        AwaleEnv(render_mode="oil")
    silent = AwaleEnv()
    silent.reset(seed=0)
    assert silent.render() is None


@pytest.mark.parametrize("wrong", [{"seat": 2}, {"reward": "gold"}, {"illegal": "shrugs"}, {"random_moves": -1}])
def test_bad_settings_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(AwaleError, match=next(iter(wrong))):
        AwaleEnv("abapa", **wrong)  # type: ignore[arg-type]


def test_it_must_be_reset_first() -> None:
    with pytest.raises(AwaleError, match="reset"):
        AwaleEnv().step(0)


def test_gymnasium_can_run_several_at_once() -> None:
    envs = gymnasium.make_vec(awale.envs.GYMNASIUM_ID, num_envs=3, rules="ghana4")
    observations, infos = envs.reset(seed=4)
    assert observations.shape == (3, 7)
    assert infos["action_mask"].shape == (3, 2)
    envs.close()


def test_scaled_observations_and_a_board_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    env = AwaleEnv("abapa", scaled=True, render_mode="human")
    observation, _ = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    assert observation.tolist()[:1] == pytest.approx([4 / 48])
    assert capsys.readouterr().out.count("\n\n") == 1
    observation, *_ = env.step(2)
    assert env.observation_space.contains(observation)
    assert str(env.game) in capsys.readouterr().out
    env.close()
