"""The OpenSpiel game: its own checks and playthroughs, clones, files, and OpenSpiel's oware beside it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed: the adapter is not tried")

from absl import flags  # noqa: E402
from open_spiel.python.algorithms import generate_playthrough  # noqa: E402

from awale import Game  # noqa: E402
from awale.envs import openspiel  # noqa: E402
from awale.rules import names  # noqa: E402

DATA = Path(__file__).parent.parent / "data" / "openspiel"
VARIANTS = ("ghana:pits~3;seeds~2", "abapa:pits~8;seeds~2", "tricolor:pits~3;seeds~1")


@pytest.fixture(autouse=True)
def _flags() -> None:
    if not flags.FLAGS.is_parsed():
        flags.FLAGS.mark_as_parsed()


def load(rules: str, **parameters: object) -> object:
    return pyspiel.load_game(openspiel.NAME, {"rules": rules, **parameters})


@pytest.mark.parametrize("rules", [*names(), *VARIANTS])
def test_open_spiel_finds_nothing_wrong(rules: str) -> None:
    game = pyspiel.load_game(f"{openspiel.NAME}(rules={rules})")
    pyspiel.random_sim_test(game, 2, True, False)


@pytest.mark.parametrize("rules", [*names(), *VARIANTS])
def test_a_playthrough_can_be_played_again(rules: str, tmp_path: Path) -> None:
    text = generate_playthrough.playthrough(f"{openspiel.NAME}(rules={rules})", None, seed=7)
    (tmp_path / "game.txt").write_text(text, encoding="utf-8")
    original, again = generate_playthrough.replay(str(tmp_path / "game.txt"))
    assert original == again
    assert "IsTerminal() = True" in text


@pytest.mark.parametrize("path", sorted(DATA.glob("*.txt")), ids=lambda path: path.stem)
def test_kept_playthroughs_are_still_played_so(path: Path) -> None:
    original, again = generate_playthrough.replay(str(path))
    assert again.splitlines() == original.splitlines()


def test_there_are_kept_playthroughs() -> None:
    assert {path.stem for path in DATA.glob("*.txt")} == {"abapa", "ghana4"}


@pytest.mark.parametrize(("pits", "seeds"), [(6, 4), (3, 3), (2, 4)])
def test_random_games_agree_with_open_spiels_oware(pits: int, seeds: int) -> None:
    chance = random.Random(f"{pits} {seeds}")
    theirs = pyspiel.load_game("oware", {"num_houses_per_player": pits, "num_seeds_per_house": seeds})
    ours = load(f"abapa:pits={pits},seeds={seeds}")
    for _ in range(60):
        one, other = theirs.new_initial_state(), ours.new_initial_state()  # type: ignore[attr-defined]
        while not one.is_terminal():
            assert not other.is_terminal()
            assert one.current_player() == other.current_player()
            assert one.legal_actions() == other.legal_actions()
            action = chance.choice(one.legal_actions())
            assert one.action_to_string(action) == other.action_to_string(action)
            one.apply_action(action)
            other.apply_action(action)
        assert other.is_terminal()
        assert one.returns() == other.returns()


@pytest.mark.parametrize("rules", ["abapa", "ghana:pits=3,seeds=2", "tricolor"])
def test_clones_and_files(rules: str) -> None:
    game = load(rules)
    chance = random.Random(rules)
    state = game.new_initial_state()  # type: ignore[attr-defined]
    for _ in range(5):
        state.apply_action(chance.choice(state.legal_actions()))
    before = str(state)
    twin = state.clone()
    twin.apply_action(twin.legal_actions()[0])
    assert str(state) == before != str(twin)
    assert len(state.history()) + 1 == len(twin.history())
    text = pyspiel.serialize_game_and_state(game, state)
    other_game, other_state = pyspiel.deserialize_game_and_state(text)
    assert str(other_game) == str(game)
    assert str(other_state) == before
    assert other_state.history() == state.history()
    assert str(game.deserialize_state(state.serialize())) == before  # type: ignore[attr-defined]


def test_observations_are_shares_seen_by_each_player() -> None:
    state = load("abapa").new_initial_state()  # type: ignore[attr-defined]
    state.apply_action(5)
    own = [round(48 * share) for share in state.observation_tensor(1)[:14]]
    assert own == [5, 5, 5, 5, 4, 4, 4, 4, 4, 4, 4, 0, 0, 0]
    other = [round(48 * share) for share in state.observation_tensor(0)[:14]]
    assert other == own[6:12] + own[:6] + [0, 0]
    assert state.observation_string(0) == Game("abapa", moves="F").position


def test_a_long_game_is_a_draw() -> None:
    game = load("casabianca", max_moves=12)
    assert game.max_game_length() == 12  # type: ignore[attr-defined]
    state = game.new_initial_state()  # type: ignore[attr-defined]
    for _ in range(12):
        assert not state.is_terminal()
        state.apply_action(state.legal_actions()[0])
    assert state.is_terminal()
    assert state.returns() == [0, 0]
    assert state.legal_actions() == []


def test_its_algorithms_can_use_it() -> None:
    """Alpha-beta of OpenSpiel over a small game finds what ours does."""
    from open_spiel.python.algorithms import minimax

    from awale.search.classic import choose_minimax

    game = load("ghana4")
    value, _ = minimax.alpha_beta_search(game, value_function=lambda state: 0, maximum_depth=8, maximizing_player_id=0)
    found = choose_minimax(Game("ghana4"), 8)
    assert (value > 0) == (found.value > 1000)


def test_rules_that_do_not_exist_are_refused() -> None:
    with pytest.raises(pyspiel.SpielError, match="unknown rules 'chess'"):
        pyspiel.load_game("python_awale(rules=chess)")
    with pytest.raises(pyspiel.SpielError, match="max_moves"):
        load("abapa", max_moves=0)
