"""Players by name: the right one, with a sentence for every wrong name."""

from __future__ import annotations

import random
import threading
import time
from pathlib import Path

import pytest

from awale import Game
from awale.players import Player, PlayerError, kinds, make
from awale.players.engine import Engine, analyse
from awale.rules.moves import Move
from awale.search.limits import Limit
from awale.search.tableprobe import NO_TABLES


@pytest.mark.parametrize("name", ["random", "greedy", "basic", "negamax:2", "minimax:2", "alphabeta:2,mixed", "mcts:50",
                                  "engine:1", "engine:4", "engine:d2", "engine:10ms"])  # fmt: skip
@pytest.mark.parametrize("rules", ["abapa", "ghana", "ghana-basic"])
def test_everybody_plays_legal_moves(name: str, rules: str) -> None:
    player = make(name, rules, seed=1)
    assert isinstance(player, Player)
    chance = random.Random(3)
    game = Game(rules)
    for _ in range(12):
        if game.over:
            break
        choice = player.choose(game)
        assert choice.move in game.legal_moves
        game.push(choice.move if len(game.moves) % 2 else chance.choice(game.legal_moves))
    player.close()


@pytest.mark.parametrize(
    "name", ["random", "greedy", "minimax:1", "mcts:20", "engine:2", "report:corrected", "report:raw,adaptive"]
)
@pytest.mark.parametrize("rules", ["tricolor", "tricolor-2025"])
def test_three_colours(name: str, rules: str) -> None:
    game = Game(rules, moves="1R 2B")
    assert make(name, rules, seed=1).choose(game).move in game.legal_moves


@pytest.mark.parametrize(
    ("name", "rules", "words"),
    [
        ("", "abapa", "by name"),
        ("nobody", "abapa", "no player is called 'nobody'"),
        ("random:3", "abapa", "nothing after a colon"),
        ("negamax:0", "abapa", "from 1 to"),
        ("negamax:x", "abapa", "from 1 to"),
        ("minimax:3,clever", "abapa", "no heuristic"),
        ("minimax:3,kroo", "tricolor", "one colour"),
        ("report:raw", "abapa", "three-colour"),
        ("report:best", "tricolor", "report:raw"),
        ("mcts:often", "abapa", "simulations"),
        ("engine:9", "abapa", "level 1 to 8"),
        ("engine:d99", "abapa", "from 1 to 64"),
        ("engine:0ms", "abapa", "1ms"),
        ("engine:5,threads=x", "abapa", "threads"),
        ("engine:5,nodes=100", "abapa", "nodes"),
        ("engine:nodes=0", "abapa", "nodes"),
    ],
)
def test_wrong_names_get_a_sentence(name: str, rules: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make(name, rules)


def test_errors_are_typed() -> None:
    with pytest.raises(PlayerError):
        make("nobody")
    assert "engine" in kinds()


def test_the_basic_program_beats_chance() -> None:
    """Its authors report 100 % against chance; 199 of 200 games here."""
    rules = "ghana-basic"
    basic = make("basic", rules)
    won = 0
    for number in range(200):
        chance = make("random", rules, seed=number)
        game = Game(rules)
        seats = (basic, chance) if number % 2 == 0 else (chance, basic)
        while not game.over:
            game.push(seats[game.turn].choose(game).move)
        outcome = game.outcome()
        assert outcome is not None
        won += outcome.winner == number % 2
    assert won >= 199


def test_the_same_seed_gives_the_same_player() -> None:
    def line(seed: int) -> str:
        player = make("engine:1", "abapa", seed=seed)
        game = Game("abapa")
        for _ in range(20):
            game.push(player.choose(game).move)
        return " ".join(map(str, game.moves))

    assert line(4) == line(4)
    assert line(4) != line(5)


def test_greedy_takes_the_most() -> None:
    game = Game.from_position("0-0-0-0-1-2-1-2-4-4-4-4-10-12-S", rules="abapa")
    best = max(game.legal_moves, key=lambda move: game.trace(move).taken)
    assert make("greedy").choose(game).move == best


def test_a_player_that_is_closed_stops_thinking() -> None:
    player, game = make("engine:600s", "abapa"), Game("abapa")
    chosen: list[Move] = []
    thinking = threading.Thread(target=lambda: chosen.append(player.choose(game).move), daemon=True)
    thinking.start()
    time.sleep(0.2)
    player.close()
    thinking.join()
    assert chosen
    assert chosen[0] in game.legal_moves


def test_an_error_in_a_search_reaches_whoever_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    from awale.search.engine import SearchEngine
    from awale.search.limits import Limit

    def broken(*_: object) -> None:
        raise ArithmeticError("no luck")

    monkeypatch.setattr(SearchEngine, "_deepen", broken)
    with pytest.raises(ArithmeticError, match="no luck"):
        SearchEngine("abapa").analyse(Game("abapa"), Limit(depth=2))


def test_a_single_analysis_builds_no_table(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("AWALE_DATA_DIR", str(tmp_path))
    monkeypatch.setattr("awale.tables.ensure_small", lambda *_, **__: pytest.fail("a table is built"))
    assert analyse(Game("abapa"), depth=2).depth == 2
    with pytest.raises(pytest.fail.Exception):
        Engine("abapa").analyse(Game("abapa"), Limit(depth=2))


def test_larger_tables_are_for_searches_by_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The small table comes first, then a larger one after the other; a search by depth keeps the small one."""
    built, asked = [0], []

    class Stored:
        def __init__(self, seeds: int) -> None:
            self.seeds, self.table_set = seeds, NO_TABLES

    def ensure(_: object, seeds: int) -> Stored | None:
        asked.append(seeds)
        return Stored(built[0]) if built[0] >= seeds else None

    now = [0.0]
    monkeypatch.setattr("awale.players.engine.monotonic", lambda: now[0])
    monkeypatch.setattr("awale.tables.ensure_small", ensure)
    monkeypatch.setattr("awale.tables.open", lambda _, most_seeds: Stored(min(built[0], most_seeds)))
    engine, game = Engine("awari"), Game("awari")

    def seeds(limit: Limit) -> int | None:
        engine.analyse(game, limit, prove=False)
        return None if engine.tables is None else engine.tables.seeds  # type: ignore[attr-defined]

    by_time, by_depth = Limit(time=60.0, nodes=1), Limit(depth=1)
    assert seeds(by_time) is None
    built[0] = 16
    assert seeds(by_time) is None  # not looked for at every move
    now[0] = 2.0
    assert seeds(by_depth) == 12
    assert seeds(by_depth) == 12
    assert seeds(by_time) == 16
    built[0] = 18
    assert seeds(by_time) == 16
    now[0] = 4.0
    assert seeds(by_depth) == 16
    assert seeds(by_time) == 18
    assert seeds(by_time) == 18
    assert asked == [12, 12, 16, 18, 18]
