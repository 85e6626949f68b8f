"""The one-lap kernels against the reference: random games of every preset, any position, any village rules."""

from __future__ import annotations

import random

import pytest

from awale.errors import RulesError
from awale.kernels import lap, lap_wide
from awale.rules import all_rules, get
from awale.rules.reference import Position
from tests.kernels import oracle

LAP_PRESETS = [rules.name for rules in all_rules() if rules.family == "lap"]


def test_there_are_the_five_presets_of_one_lap() -> None:
    assert LAP_PRESETS == ["casabianca", "upsti", "wikipedia", "abapa", "awari"]


@pytest.mark.parametrize("name", LAP_PRESETS)
def test_a_hundred_thousand_plies_agree(name: str) -> None:
    assert oracle.compare_games(get(name), 100_000) >= 100_000


@pytest.mark.parametrize("name", LAP_PRESETS)
@pytest.mark.parametrize("kernel", [lap, lap_wide])
def test_any_position_agrees(name: str, kernel: object) -> None:
    rules, rng = get(name), random.Random(f"{name} positions")
    assert sum(oracle.compare_position(rules, oracle.random_position(rules, rng), kernel) for _ in range(600)) > 1000


@pytest.mark.parametrize("seed", range(8))
def test_any_village_rules_agree_in_any_position(seed: int) -> None:
    rng = random.Random(f"village {seed}")
    for _ in range(30):
        rules = oracle.random_lap_rules(rng)
        for kernel in [lap, lap_wide] if rules.pits <= 6 else [lap_wide]:
            for _ in range(15):
                oracle.compare_position(rules, oracle.random_position(rules, rng), kernel)


@pytest.mark.parametrize("seed", range(4))
def test_whole_games_of_village_rules_agree(seed: int) -> None:
    rng = random.Random(f"games {seed}")
    with oracle.reference_looks_once():
        for _ in range(40):
            rules = oracle.random_lap_rules(rng)
            for number in range(4):
                oracle.compare_game(rules, oracle.random_position(rules, rng), number, limit=120)


@pytest.mark.parametrize("pits", range(1, 13))
def test_games_on_every_size_of_board_agree(pits: int) -> None:
    for name in ("abapa", "awari", "upsti", "wikipedia"):
        options = {"pits": pits, "seeds": min(4, 240 // (2 * pits)), "win_at": "majority"}
        rules = get(name).variant(few_seeds=None, **options) if pits == 1 else get(name).variant(**options)
        oracle.compare_games(rules, 400, limit=100)


def test_the_largest_pit_goes_round_many_times() -> None:
    # 240 seeds in one pit: 21 full rounds of 11 pits and 9 seeds more, the origin skipped each time.
    rules = get("wikipedia")
    position = Position((240, *[0] * 11), (0, 0), 0)
    k, state = lap.pack_rules(rules), lap.pack(rules, position)
    after = lap.unpack(rules, lap.play(k, state, 0))
    assert after.board == (0, *[22] * 9, 21, 21)
    wide = lap_wide.play(lap_wide.pack_rules(rules), lap_wide.pack(rules, position), 0)
    assert lap_wide.unpack(rules, wide) == after


def test_a_kernel_refuses_rules_that_are_not_its_own() -> None:
    with pytest.raises(RulesError, match="does not play these rules"):
        lap.pack_rules(get("abapa:pits=7"))
    with pytest.raises(RulesError, match="does not play these rules"):
        lap.pack_rules(get("ghana"))
    with pytest.raises(RulesError, match="does not play these rules"):
        lap_wide.pack_rules(get("tricolor"))


def test_states_compare_and_hash() -> None:
    rules = get("abapa")
    k = lap.pack_rules(rules)
    start = lap.pack(rules, Position((4,) * 12, (0, 0), 0))
    one, two = lap.play(k, start, 2), lap.play(k, start, 2)
    assert one == two
    assert len({one, two, start}) == 2
    assert one.turn == 1
    assert one.ply == 1
