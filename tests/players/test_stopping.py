"""Offers to stop: a computer accepts what is certain, never what it expects, and games that go round do end."""

from __future__ import annotations

import random
from contextlib import closing

import pytest

from awale import Game, Limit
from awale.players import BasePlayer, make, stopping
from awale.players.engine import Engine
from awale.players.stopping import accepts_stop, endless, goes_round, offers_stop, result_settled
from awale.rules import names
from awale.search.analysis import Value

CIRCLING = "0-0-0-0-0-1-0-0-0-0-0-1-22-24-S"


def answer(name: str, game: Game, offerer: int) -> bool:
    game.offer_end(offerer)
    try:
        with closing(make(name, game.rules, seed=1)) as player:
            return bool(player.accepts_end(game))
    finally:
        game.decline_end()


@pytest.mark.parametrize("name", ["engine:8", "engine:1", "random", "greedy", "negamax:1"])
@pytest.mark.parametrize("rules", names())
def test_nobody_stops_at_the_start(rules: str, name: str) -> None:
    assert not answer(name, Game(rules), 0)
    assert not answer(name, Game(rules), 1)


@pytest.mark.parametrize("level", range(1, 9))
def test_taking_first_and_offering_at_once_gains_nothing(level: int) -> None:
    game = Game("ghana", moves="3")
    with closing(make(f"engine:{level}", "ghana", seed=1)) as player:
        game.push(player.choose(game).move)
        game.offer_end(0)
        assert not player.accepts_end(game)


def proven(result: int | None, player: int = 0) -> Value:
    least, most = {1: (1, None), 0: (0, 0), -1: (None, -1), None: (None, None)}[result]
    return Value(float(result or 0), player, least, most)


@pytest.mark.parametrize(
    ("scores", "side", "result", "accepted"),
    [
        ((16, 16), 0, None, False),
        ((18, 14), 0, None, False),
        ((16, 16), 0, 1, False),
        ((16, 16), 0, 0, True),
        ((16, 16), 0, -1, True),
        ((16, 16), 1, 1, True),
        ((16, 16), 1, -1, False),
        ((18, 14), 0, 1, True),
        ((18, 14), 1, 0, False),
        ((18, 14), 1, 1, True),
    ],
)
def test_only_a_proof_counts(scores: tuple[int, int], side: int, result: int | None, accepted: bool) -> None:
    """`result` is what playing on gives South."""
    game = Game("abapa", start=f"1-1-1-1-2-2-1-1-1-1-2-2-{scores[0]}-{scores[1]}-S")
    assert accepts_stop(game, side, lambda _: proven(result)) is accepted


def test_a_proof_is_not_about_the_past() -> None:
    game = Game("casabianca", start="0-0-3-0-0-1-0-0-3-0-0-1-20-20-S", moves="F")

    def analyse(position: Game) -> Value:
        assert (position.board, position.scores, position.turn) == (game.board, game.scores, game.turn)
        assert not position.moves
        return proven(None)

    assert not accepts_stop(game, 0, analyse)


def test_a_settled_result_is_accepted_without_a_search() -> None:
    game = Game("abapa", start="1-0-2-0-0-1-0-0-1-0-0-1-28-14-S")

    def analyse(position: Game) -> Value:
        raise AssertionError

    assert result_settled(game)
    assert accepts_stop(game, 0, analyse)
    assert accepts_stop(game, 1, analyse)
    assert not offers_stop(game, 0, analyse)


@pytest.mark.parametrize("start", [CIRCLING, "0-0-0-0-0-1-0-0-0-0-0-1-23-23-S", "1-0-0-0-0-1-0-0-0-0-0-1-22-23-S"])
@pytest.mark.parametrize("name", ["random", "greedy", "engine:3"])
def test_circling_seeds_end_by_agreement(start: str, name: str) -> None:
    game = Game("casabianca", start=start)
    chance = random.Random(2)
    for _ in range(6):
        assert answer(name, game, 0)
        assert answer(name, game, 1)
        game.push(chance.choice(game.legal_moves))
    assert offers_stop(game, game.turn)
    assert not offers_stop(game, 1 - game.turn)


def test_a_third_occurrence_is_no_progress_only_where_nothing_else_ends_it() -> None:
    around = "fFaAbBcCdDeE"
    for rules, round_and_round in (("casabianca", True), ("awari", False)):
        game = Game(rules, start="0-0-0-0-0-1-0-0-0-0-0-1-22-24-S")
        for move in around * 2:
            if not game.over:
                game.push(move)
        assert (game.repetitions() >= 2 and goes_round(game)) is round_and_round


@pytest.mark.parametrize("rules", [name for name in names() if not endless(Game(name).rules)])
def test_rules_that_end_a_cycle_need_no_offer(rules: str) -> None:
    game = Game(rules)
    assert not offers_stop(game, game.turn, lambda _: proven(0))


def test_an_offer_waits_for_quiet_moves_and_a_proof() -> None:
    game = Game("wikipedia", start="1-0-2-0-0-1-0-0-1-0-0-1-21-21-S")
    assert not offers_stop(game, 0, lambda _: proven(0))


def play_against_offers(rules: str, name: str, seed: int) -> tuple[Game, bool]:
    """A game against an opponent that offers to stop at every move; whether the computer accepted."""
    computer = seed % 2
    chance = random.Random(seed)
    game = Game(rules)
    with closing(make(name, rules, seed)) as player:
        for _ in range(600):
            if game.over:
                break
            if game.end_offer is None:
                game.offer_end(1 - computer)
            if player.accepts_end(game):
                return game, True
            game.decline_end()
            greedy = make("greedy", rules).choose(game).move
            if game.turn == computer:
                game.push(player.choose(game).move)
            else:
                game.push(greedy if chance.random() < 0.7 else chance.choice(game.legal_moves))
    return game, False


def check_against_offers(rules: str, name: str, seed: int) -> None:
    computer = seed % 2
    game, accepted = play_against_offers(rules, name, seed)
    assert accepted or game.over, "a game without progress must end"
    if accepted and not result_settled(game) and not goes_round(game):
        lead = game.scores[computer] - game.scores[1 - computer]
        position = Game(rules, start=game.state) if endless(game.rules) else game
        found = Engine(rules, hash_mb=16).analyse(position, Limit(nodes=5_000_000)).value.pov(computer)
        # What a deeper search has not proven, it expects.
        result = (found.seeds > 0) - (found.seeds < 0) if found.result is None else found.result
        assert result <= (lead > 0) - (lead < 0), game.position


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("rules", names())
def test_offering_at_every_move_gains_nothing(rules: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopping, "PROOF_NODES", 50_000)
    check_against_offers(rules, ("engine:3", "greedy", "random", "engine:2")[seed], seed)


@pytest.mark.slow
@pytest.mark.parametrize("rules", names())
def test_offering_at_every_move_gains_nothing_in_many_games(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopping, "PROOF_SECONDS", 0.02)
    for seed in range(200):
        check_against_offers(rules, ("engine:3", "greedy", "random", "engine:5")[seed % 4], seed)


def test_every_player_shares_the_policy() -> None:
    class Mine(BasePlayer):
        pass

    game = Game("casabianca", start=CIRCLING)
    game.offer_end(1)
    assert Mine().accepts_end(game)
