"""The player that has solved the Ghanaian game: as first player it never loses."""

from __future__ import annotations

import random

import pytest

from awale import Game
from awale.kernels import convert
from awale.players import Player, PlayerError, make
from awale.players.perfect import book_for
from awale.rules import get
from awale.search.claims import Claim
from awale.search.perfect import QUICK, Perfect, build_book
from awale.search.solve import Proof, Solver


def play(first: Player, second: Player, rules: str = "ghana", limit: int = 400) -> Game:
    game = Game(rules)
    seats = (first, second)
    while not game.over and game.ply < limit:
        game.push(seats[game.turn].choose(game).move)
    return game


def never_loses(opponents: list[Player]) -> None:
    for opponent in opponents:
        game = play(make("perfect", "ghana"), opponent)
        outcome = game.outcome()
        assert outcome is not None, f"{opponent}: not over after {game.ply} moves"
        assert outcome.winner == 0, (opponent, str(game))


def test_beats_chance() -> None:
    never_loses([make("random", "ghana", seed=seed) for seed in range(60)])


def test_beats_those_who_think() -> None:
    opponents = [make("greedy", "ghana"), make("basic", "ghana"), make("alphabeta:4", "ghana")]
    opponents += [make("mcts:300", "ghana", seed=1), make("engine:d6", "ghana"), make("engine:3", "ghana", seed=2)]
    never_loses(opponents)


@pytest.mark.slow
def test_beats_chance_a_thousand_times() -> None:
    never_loses([make("random", "ghana", seed=seed) for seed in range(1000, 2000)])


@pytest.mark.slow
def test_beats_the_engine_a_hundred_times() -> None:
    """At all its levels: the lower ones play differently in every game, the higher ones see far."""
    for number in range(100):
        never_loses([make(f"engine:{1 + number % 7}", "ghana", seed=number)])


def test_every_reply_is_answered_as_proved() -> None:
    """Down the most stubborn line: the loser plays the move that is hardest to refute."""
    game = play(make("perfect", "ghana"), make("perfect", "ghana"))
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.winner == 0


def test_the_book_leads_from_the_start() -> None:
    """Every reply to a move of the book is in the book again, or proved quickly, or the end of the game."""
    rules = get("ghana")
    book = book_for(rules)
    assert book[Game(rules).position] == "3"
    reached = {Game(rules).position}
    waiting = list(reached)
    checked = 0
    while waiting:
        here = Game(rules, start=waiting.pop())
        here.push(book[here.position])
        after = [here]
        while after:
            game = after.pop()
            if game.over:
                assert game.scores[0] > game.scores[1]
            elif game.turn == 1:
                for move in game.legal_moves:
                    reply = Game(rules, start=game.state)
                    reply.push(move)
                    after.append(reply)
            elif game.position in book:
                if game.position not in reached:
                    reached.add(game.position)
                    waiting.append(game.position)
            else:
                checked += 1
                if checked % 7 == 0:  # all of them would take a while
                    state = convert.pack_position(rules, game.state)
                    assert Proof(rules, Claim(0, 1, 0), state).settle(most=3 * QUICK) is True
    assert reached == set(book)


def test_the_second_player_resists() -> None:
    """Against chance it wins often although it moves second; and it takes a win that is offered."""
    won = 0
    for seed in range(12):
        game = play(make("random", "ghana", seed=seed), make("perfect", "ghana"))
        outcome = game.outcome()
        won += outcome is not None and outcome.winner == 1
    assert won >= 11


def test_small_boards_are_played_by_their_value() -> None:
    """On every small board the first player gets what the board is worth, or more, whatever chance does."""
    for name in ("ghana4", "ghana:pits=3", "ghana:pits=3,seeds=2", "ghana:pits=4,seeds=1", "ghana-basic:pits=3"):
        value = Solver(Game(name)).value()
        for seed in range(6):
            game = play(make("perfect", name), make("random", name, seed=seed), name)
            outcome = game.outcome()
            if value == "win":
                assert outcome is not None
                assert outcome.winner == 0
            elif value == "draw":
                assert outcome is None or outcome.winner in (0, None)


def test_what_it_says() -> None:
    choice = make("perfect", "ghana").choose(Game("ghana"))
    assert (str(choice.move), choice.value) == ("3", 1.0)
    assert choice.info == {"source": "book", "proved": "win"}
    lost = make("perfect", "ghana4").choose(Game("ghana4", moves="1"))
    assert lost.value == -1.0 or lost.value is None


def test_books() -> None:
    assert book_for(get("ghana-basic")) == {}
    assert book_for(get("ghana:pits=3")) == {}
    small = build_book(get("ghana:pits=4,seeds=2"), quick=1)
    assert small
    assert all(move in {"1", "2", "3", "4"} for move in small.values())
    rules = get("ghana:pits=4,seeds=2")
    player = Perfect(rules, small)
    assert player.choose(Game(rules)).source == "book"
    assert build_book(get("ghana:pits=3")) == {}


@pytest.mark.parametrize("rules", ["tricolor", "ghana:pits=8"])
def test_not_for_every_board(rules: str) -> None:
    with pytest.raises(PlayerError, match="perfect"):
        make("perfect", rules)


def test_takes_no_argument() -> None:
    with pytest.raises(PlayerError, match="nothing after a colon"):
        make("perfect:5", "ghana")


def test_strategies_are_followed_to_the_end() -> None:
    """Once a win is proved the player follows that proof, and does not start again at every move."""
    rules = get("ghana")
    player = Perfect(rules, book_for(rules))
    chance = random.Random(4)
    sources = []
    game = Game(rules)
    while not game.over:
        if game.turn == 0:
            advice = player.choose(game)
            sources.append(advice.source)
            game.push(advice.move)
        else:
            game.push(chance.choice(game.legal_moves))
    assert sources.count("proof") <= 1
    assert game.scores[0] > game.scores[1]
