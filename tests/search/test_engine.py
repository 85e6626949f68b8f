"""The engine as people use it: always a legal move, on time, with values that mean what they say."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from types import SimpleNamespace

import pytest

from awale import Game, tables
from awale.errors import AwaleError, GameStateError
from awale.rules import names
from awale.search.engine import SearchEngine, Stop
from awale.search.limits import Limit


def random_play(rules: str, plies: int, seed: int) -> Game:
    chance = random.Random(seed)
    game = Game(rules)
    for _ in range(plies):
        if game.over:
            break
        game.push(chance.choice(game.legal_moves))
    return game


def play_fast_games(rules: str, games: int, nodes: int = 60) -> int:
    """SearchEngine against random moves; raises if the engine ever names an illegal move."""
    engine = SearchEngine(rules, hash_mb=1)
    plies = 0
    for number in range(games):
        chance = random.Random(number)
        game = Game(rules)
        while not game.over and len(game.moves) < 300:
            if len(game.moves) % 2 == number % 2:
                game.push(engine.analyse(game, Limit(nodes=nodes, depth=2)).best)
            else:
                game.push(chance.choice(game.legal_moves))
            plies += 1
    return plies


@pytest.mark.parametrize("rules", names())
def test_never_an_illegal_move(rules: str) -> None:
    assert play_fast_games(rules, games=4) > 0


@pytest.mark.slow
@pytest.mark.parametrize("rules", names())
def test_never_an_illegal_move_in_a_thousand_games_of_each(rules: str) -> None:
    assert play_fast_games(rules, games=1000) > 1000


@pytest.mark.parametrize(
    "rules", ["abapa:pits=1,seeds=3", "abapa:pits=9,seeds=3", "ghana:pits=8,seeds=2", "casabianca:pits=2"]
)
def test_every_board_size(rules: str) -> None:
    game = random_play(rules, 3, seed=5)
    if not game.over:
        assert SearchEngine(rules, hash_mb=1).analyse(game, Limit(depth=3)).best in game.legal_moves


def test_a_line_is_playable_and_its_end_is_what_was_promised() -> None:
    game = Game.from_position("0-0-0-0-2-1-1-0-1-0-0-0-23-20-S", rules="abapa")
    found = SearchEngine("abapa", hash_mb=1).analyse(game, Limit(depth=20))
    assert found.value.result is not None
    assert found.value.plies is not None
    for move in found.line:
        game.push(move)
    outcome = game.outcome()
    assert outcome is not None
    assert len(found.line) == found.value.plies
    assert outcome.winner == 0


def test_a_won_game_is_won_without_circling() -> None:
    """From a position that the engine sees as won in n moves it is won in n moves, each reply the longest."""
    game = Game.from_position("0-0-0-0-2-1-1-0-1-0-0-0-24-20-S", rules="abapa")
    engine = SearchEngine("abapa", hash_mb=1)
    left = engine.analyse(game, Limit(depth=20)).value.plies
    assert left is not None
    for expected in range(left, 0, -1):
        found = engine.analyse(game, Limit(depth=20))
        assert found.value.plies == expected
        game.push(found.best)
    assert game.over


@pytest.mark.parametrize("rules", ["abapa", "ghana", "tricolor"])
def test_what_a_selective_search_calls_won_is_won(rules: str) -> None:
    """It looks less deeply at some moves, but an end that it promises was seen against every reply."""
    promised = 0
    for seed in range(400):
        game = random_play(rules, 20 + seed % 60, seed)
        if game.over:
            continue
        found = SearchEngine(rules, hash_mb=1).analyse(game, Limit(depth=9), fixed=False).value
        if found.result and found.plies is not None:
            whole = SearchEngine(rules, hash_mb=1).analyse(game, Limit(depth=found.plies), fixed=True).value
            assert whole.result == found.result
            promised += 1
            if promised == 12:
                break
    assert promised > 5


@pytest.mark.parametrize("rules", ["abapa", "ghana", "tricolor"])
def test_the_clock_ends_a_search(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("awale.search.engine.clock", SimpleNamespace(perf_counter=lambda: now[0]))
    updates = SearchEngine(rules).updates(random_play(rules, 5, seed=4), Limit(time=5))
    while not (found := next(updates)).final:
        assert now == [0.0], "an update after the deadline is the last one"
        if found.depth >= 6:
            now[0] = 5.0
    assert now == [5.0]
    assert found.seconds == 5.0


def test_loading_and_compiling_are_not_thinking_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("awale.search.engine.clock", SimpleNamespace(perf_counter=lambda: now[0]))

    def load(engine: SearchEngine, **_: bool) -> None:
        now[0] += 60

    monkeypatch.setattr(SearchEngine, "load", load)
    found = SearchEngine("abapa").analyse(random_play("abapa", 5, seed=4), Limit(time=5, depth=4))
    assert (found.depth, found.seconds) == (4, 0.0)


LOADED = """
import gc, sys
from awale import Game, Limit
from awale.kernels.jit import _Dispatcher
from awale.search.engine import SearchEngine

def loaded():
    return {f"{one.py_func.__qualname__}{key}" for one in gc.get_objects() if isinstance(one, _Dispatcher)
            for key in one.overloads}

engine = SearchEngine(sys.argv[1], hash_mb=1)
engine.load()
before = loaded()
game = Game(sys.argv[1])
for ply in range(40):
    if ply in (0, 3, 30, 39):
        for threads in (1, 2):
            for multi in (1, 3):
                engine.analyse(game, Limit(nodes=3000, threads=threads), multi=multi)
    game.push(game.legal_moves[ply % len(game.legal_moves)])
    if game.over:
        break
print(*sorted(loaded() - before))
"""


@pytest.mark.parametrize("rules", ["abapa", "ghana", "tricolor"])
def test_nothing_is_loaded_while_the_clock_runs(rules: str) -> None:
    done = subprocess.run([sys.executable, "-c", LOADED, rules], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_it_stops_when_told() -> None:
    stop = Stop()
    updates = SearchEngine("abapa").updates(Game("abapa"), stop=stop)
    next(updates)
    stop()
    *_, last = updates
    assert last.final


def test_leaving_the_updates_ends_the_search() -> None:
    before = threading.active_count()
    updates = SearchEngine("abapa").updates(Game("abapa"), stop=Stop())
    next(updates)
    updates.close()  # type: ignore[attr-defined]
    assert threading.active_count() <= before


def test_every_move_gets_its_own_value() -> None:
    game = random_play("abapa", 8, seed=9)
    found = SearchEngine("abapa", hash_mb=4).analyse(game, Limit(depth=6), every_move=True)
    assert {m.move for m in found.moves} == set(game.legal_moves)
    assert not any(m.bound for m in found.moves)
    seeds = [m.value.seeds for m in found.moves]
    assert seeds == sorted(seeds, reverse=True)
    for m in found.moves:
        after = game.copy()
        after.push(m.move)
        reply = SearchEngine("abapa", hash_mb=4).analyse(after, Limit(depth=5))
        assert -reply.value.seeds == pytest.approx(m.value.seeds)


@pytest.mark.parametrize(
    ("limits", "words"),
    [({}, "limit"), ({"depth": 0}, "depth"), ({"depth": 99}, "depth"), ({"time": -1.0}, "time")],
)
def test_bad_limits_are_refused(limits: dict[str, float], words: str) -> None:
    with pytest.raises(AwaleError, match=words):
        SearchEngine("abapa").analyse(Game("abapa"), Limit(**limits))


def test_a_finished_game_is_refused() -> None:
    game = Game("abapa")
    game.resign()
    with pytest.raises(GameStateError, match="over"):
        SearchEngine("abapa").analyse(game, Limit(depth=1))


def test_other_rules_are_refused() -> None:
    with pytest.raises(AwaleError, match="awari"):
        SearchEngine("abapa").analyse(Game("awari"), Limit(depth=1))


def test_the_best_move_is_the_one_that_a_table_knows_to_be_best() -> None:
    """Another move wins as well, by less."""
    game = Game("casabianca:pits=3,seeds=2")
    known = tables.compute(game.rules, 12)
    found = SearchEngine(game.rules, hash_mb=1, tables=known).analyse(game, Limit(depth=12), every_move=True)
    assert (str(found.best), found.value.margin, found.value.plies) == ("c", 6, 1)
    assert {str(move.move): move.value.margin for move in found.moves} == {"a": -2, "b": 3, "c": 6}
