"""The perfect player in single-lap games: it gets what a solved board is worth, and says what its moves rest on."""

from __future__ import annotations

import random

import pytest

from awale import Game
from awale.bounds import Bounds
from awale.players import Player, make
from awale.players.perfect_lap import _result
from awale.rules import Rules
from awale.tables import compute
from awale.tables.board_values import shipped

BOARDS = ["awari:pits=3,seeds=2", "wikipedia:pits=3,seeds=2", "casabianca:pits=2,seeds=2", "awari:pits=4,seeds=2"]
BOARDS += ["wikipedia:pits=2,seeds=1", "awari:pits=2,seeds=3", "casabianca:pits=3,seeds=3"]


def play(first: Player, second: Player, rules: Rules, limit: int = 300) -> Game:
    game = Game(rules)
    while not game.over and game.ply < limit:
        game.push((first, second)[game.turn].choose(game).move)
    return game


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("seat", [0, 1])
def test_it_gets_what_the_board_is_worth(name: str, seat: int) -> None:
    """Against chance, which makes the value larger, and without cycling in a won position."""
    board = shipped(Game(name).rules)
    assert board is not None
    value = board.value.least if seat == 0 else -board.value.least
    rules = Game(name).rules.variant(win_at=None)  # so that every seed is played for
    for seed in range(4):
        seats = [make("random", rules, seed=seed), make("random", rules, seed=seed)]
        seats[seat] = make("perfect", rules)
        game = play(seats[0], seats[1], rules)
        assert game.scores[seat] - game.scores[1 - seat] >= value, str(game)
        assert game.over or value <= 0


def test_against_itself_the_value_comes_out() -> None:
    for name in ("awari:pits=3,seeds=2", "casabianca:pits=3,seeds=2", "awari:pits=2,seeds=2"):
        rules = Game(name).rules.variant(win_at=None)
        board = shipped(Game(name).rules)
        assert board is not None
        game = Game(rules)
        players = [make("perfect", rules), make("perfect", rules)]
        while not game.over and game.ply < 200:
            game.push(players[game.turn].choose(game).move)
        assert game.scores[0] - game.scores[1] == board.value.least, str(game)


def test_what_it_says() -> None:
    choice = make("perfect", "awari:pits=3,seeds=2").choose(Game("awari:pits=3,seeds=2"))
    assert (str(choice.move), choice.value) == ("B", 3.0)
    assert choice.info["proved"] == "win"
    assert choice.info["source"] in ("table", "strategy")
    # Too large for a table of its own: the start is shipped, later moves are the engine's.
    large = Game("awari:seeds=3")
    choice = make("perfect", large.rules).choose(large)
    assert choice.info == {"source": "results", "proved": "draw"}
    assert str(choice.move) in ("E", "F")
    large.push(choice.move)
    choice = make("perfect", large.rules).choose(large)
    assert choice.info["source"] == "engine"
    assert "proved" not in choice.info
    assert make("perfect", "abapa").choose(Game("abapa")).info["source"] == "engine"


def test_what_it_says_of_the_full_board() -> None:
    for name, move, value, proved in (
        ("awari", "F", 0.0, "draw"),
        ("wikipedia", "F", 0.0, "draw"),
        ("casabianca", "f", 0.0, "draw"),
    ):
        choice = make("perfect", name).choose(Game(name))
        assert (str(choice.move), choice.value) == (move, value)
        assert choice.info == {"source": "results", "proved": proved}
        assert choice.note is not None
        assert choice.note.sentence("fr") != choice.note.sentence("en")


def test_a_bound_may_be_all_that_is_proved() -> None:
    said = [_result(Bounds(*bounds)) for bounds in ((0, 48), (-3, 48), (1, 48), (-48, -1), (0, 0))]
    assert said == ["at-least-draw", "best", "win", "loss", "draw"]
    choice = make("perfect", "abapa:pits=2,seeds=2").choose(Game("abapa:pits=2,seeds=2", moves="B b B"))
    assert (str(choice.move), choice.value, choice.info["proved"]) == ("a", None, "best")


def test_it_keeps_a_proven_win_though_another_move_may_be_worth_more() -> None:
    """Of a, between -4 and +6, nobody knows that it loses."""
    game = Game("abapa:pits=2,seeds=3", moves="A b B a A b B a A b B a B a A")
    choice = make("perfect", game.rules).choose(game)
    assert (str(choice.move), choice.value, choice.info) == ("b", None, {"source": "strategy", "proved": "win"})


def test_it_pursues_a_win_that_holds_if_nothing_comes_back() -> None:
    """Between -4 and +8, as far as the table can tell what a return to the position before is worth."""
    game = Game("abapa:pits=2,seeds=4", moves="B a A a A b B a A b")
    choice = make("perfect", game.rules).choose(game)
    assert choice.info == {"source": "strategy", "proved": "win"}


@pytest.mark.parametrize("opponent", ["engine:2", "random"])
@pytest.mark.parametrize("name", ["abapa:pits=3,seeds=3", "abapa:pits=2,seeds=4"])
def test_what_is_proved_comes_true_although_a_cycle_may_be_worth_anything(name: str, opponent: str) -> None:
    """A win or a draw that is proved once is not lost again, whatever comes back."""
    rules = Game(name).rules
    chosen = random.Random(10)
    starts = ["C b C a C b A c"] if "pits=3" in name else ["B a A a A b B a", "B b A b B a B b B a A a A b B b"]
    for _ in range(12):
        game = Game(rules)
        while not game.over and game.ply < 10:
            game.push(chosen.choice(list(game.legal_moves)))
        starts.append(" ".join(map(str, game.moves)))
    player, proved = make("perfect", rules), 0
    for start in starts:
        game = Game(rules, moves=start)
        if game.over:
            continue
        player.new_game()
        seat, other, least = game.turn, make(opponent, rules), -rules.total
        while not game.over:
            if game.turn == seat:
                choice = player.choose(game)
                least = max(least, {"win": 1, "draw": 0, "at-least-draw": 0}.get(str(choice.info.get("proved")), least))
                game.push(choice.move)
            else:
                game.push(other.choose(game).move)
        proved += least > -rules.total
        assert game.scores[seat] - game.scores[1 - seat] >= least, str(game)
    assert proved > 3


@pytest.mark.parametrize("name", ["awari", "casabianca"])
@pytest.mark.parametrize("remembers", [True, False])
def test_it_wins_won_endgames_without_cycling(name: str, remembers: bool) -> None:
    """From random endgames of the full board, against itself: the value of the table comes out, by captures; also for a
    player who knows nothing of the moves before but the game."""
    chosen = random.Random(5)
    rules = Game(name).rules.variant(win_at=None)
    for _ in range(3):
        board = [0] * 12
        for _ in range(7):
            board[chosen.randrange(12)] += 1
        game = Game(rules, start="-".join(map(str, board)) + "-0-0-S")
        if game.over:
            continue
        players = [make("perfect", rules), make("perfect", rules)]
        first = players[0].choose(game)
        assert first.info["source"] != "engine"
        while not game.over and game.ply < 300:
            if not remembers:
                players[game.turn].new_game()
            game.push(players[game.turn].choose(game).move)
        assert game.scores[0] - game.scores[1] == first.value, str(game)


def test_positions_may_come_back_where_no_rule_forbids_it() -> None:
    """The value is that of the position alone, however often it was there."""
    rules = Game("casabianca:pits=2,seeds=3").rules.variant(win_at=None)
    player, tables = make("perfect", rules), compute(rules, rules.total)
    chosen = random.Random(3)
    repeated = 0
    for _ in range(15):
        game = Game(rules)
        while not game.over and game.ply < 60:
            value = tables.probe(game)
            choice = player.choose(game)
            assert value is not None
            assert choice.value == game.scores[game.turn] - game.scores[1 - game.turn] + value.seeds
            repeated += game.repetitions() > 0 and value.seeds > 0
            game.push(chosen.choice(list(game.legal_moves)))
    assert repeated > 0
