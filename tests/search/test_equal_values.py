"""Minimax, alpha-beta and the engine agree on what positions are worth; the compiled negamax is the plain one."""

from __future__ import annotations

import pytest

from awale import Game
from awale.rules import names
from awale.search import classic
from awale.search.core import WON
from awale.search.engine import SearchEngine
from awale.search.evaluation import captured_alone, spread
from awale.search.limits import Limit
from tests.search.random_positions import unfinished

SMALL = {
    "ghana": "ghana:pits=3,seeds=3",
    "ghana-basic": "ghana-basic:pits=3,seeds=3",
    "parrains": "parrains:pits=3,seeds=3",
    "casabianca": "casabianca:pits=4,seeds=2",
    "upsti": "upsti:pits=4,seeds=2",
    "wikipedia": "wikipedia:pits=4,seeds=2,win_at=9,few_seeds=3",
    "abapa": "abapa:pits=4,seeds=2",
    "awari": "awari:pits=4,seeds=2",
    "tricolor": "tricolor:pits=3,seeds=1,few_seeds=3,move_limit=60",
    "tricolor-2025": "tricolor-2025:pits=3,seeds=1,few_seeds=3,move_limit=60",
}


def some_games(rules: str, count: int, seed: int) -> list[Game]:
    """Positions from random games, without their past: repetition is then the same question for every search."""
    found = [Game(rules, start=game.state) for game in unfinished(rules, count, plies=30, seed=seed)]
    return [game for game in found if not game.over]


def engine_without_weights(rules: str, **options: float) -> SearchEngine:
    """The engine with captured seeds as its only guess, which is what the heuristic `material` says."""
    game = Game(rules)
    return SearchEngine(rules, weights=spread(game.rules, captured_alone(game.rules)), **options)  # type: ignore[arg-type]


def same(engine_value: int, classic_value: int) -> bool:
    """Won and lost games are valued on other scales; anything else must be equal to the hundredth."""
    if abs(classic_value) >= classic.WIN:
        return abs(engine_value) >= WON and (engine_value > 0) == (classic_value > 0)
    return engine_value == classic_value


def root_value(engine: SearchEngine, game: Game, depth: int) -> int:
    """The engine's own number, before it is put into words."""
    engine.clear()
    return engine.analyse(game, Limit(depth=depth), fixed=True, prove=False).counters["score"]


@pytest.mark.parametrize("name", [name for name in names() if name != "ghana4"])
def test_minimax_alphabeta_and_engine_agree(name: str) -> None:
    rules = SMALL[name]
    engine = engine_without_weights(rules, hash_mb=1)
    for game in some_games(rules, 150, seed=len(name)):
        for depth in (1, 2, 3, 4):
            plain = classic.choose_minimax(game, depth)
            cut = classic.choose_alphabeta(game, depth)
            assert (cut.move, cut.value) == (plain.move, plain.value)
            assert cut.visited <= plain.visited
            if depth > 1:
                value = root_value(engine, game, depth)
                if game.rules.repetition == "none" and game.rules.move_limit is None and value == 0:
                    continue  # the engine values a standstill; the school's searches do not know it
                assert same(value, plain.value), (game, depth)


@pytest.mark.parametrize("name", ["abapa", "awari", "wikipedia", "ghana", "tricolor"])
def test_a_tiny_table_of_positions_changes_nothing(name: str) -> None:
    """Sixteen entries: nearly every position collides with another one's place."""
    rules = SMALL[name]
    tiny, large = engine_without_weights(rules, hash_mb=0), engine_without_weights(rules, hash_mb=4)
    for game in some_games(rules, 40, seed=1):
        for depth in (3, 6):
            assert root_value(tiny, game, depth) == root_value(large, game, depth)


@pytest.mark.parametrize("name", ["abapa", "ghana", "tricolor"])
def test_threads_change_nothing_but_speed(name: str) -> None:
    one, three = SearchEngine(SMALL[name], hash_mb=4), SearchEngine(SMALL[name], threads=3, hash_mb=4)
    for game in some_games(SMALL[name], 25, seed=2):
        assert root_value(one, game, 7) == root_value(three, game, 7)


def plain_gains(game: Game, depth: int) -> int:
    """The examination's NegaAwale over a `Game`, for games in which nobody passes."""
    if depth == 0 or game.over:
        return 0
    best = -1000
    for move in game.legal_moves:
        taken = game.trace(move).taken
        after = game.copy()
        after.push(move)
        best = max(best, taken - plain_gains(after, depth - 1))
    return best


@pytest.mark.parametrize("name", ["upsti", "wikipedia", "casabianca"])
def test_negamax_on_gains_is_the_examinations(name: str) -> None:
    for game in some_games(SMALL[name], 40, seed=3):
        values = {}
        for move in game.legal_moves:
            after = game.copy()
            after.push(move)
            values[move] = game.trace(move).taken - plain_gains(after, 2)
        found = classic.choose_negamax(game, 3)
        assert found.value == 100 * max(values.values())
        assert found.move == next(move for move, value in values.items() if value == max(values.values()))
