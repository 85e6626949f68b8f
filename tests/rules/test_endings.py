"""The rows of the table of rules that random games visit rarely: grand slams, feeding, endings and repetition."""

from __future__ import annotations

import pytest

from awale import Game
from awale.game import Outcome


def board(south: str, north: str, scores: str = "", side: str = "S") -> str:
    """Counts from each owner's left, as in `1 0 4 19 4 2` and `1 1 3 1 0 0`; what is missing to 48 was captured."""
    pits = f"{south} {north}".split()
    rest = 48 - sum(map(int, pits))
    stores = scores.split() or [str(rest // 2), str(rest - rest // 2)]
    return "-".join([*pits, *stores, side])


def legal(game: Game) -> str:
    return " ".join(map(str, game.legal_moves))


def ended(game: Game) -> Outcome:
    outcome = game.outcome()
    assert outcome is not None
    return outcome


SLAM = board("0 0 0 1 0 2", "1 1 0 0 0 0")


def test_a_grand_slam_is_illegal_in_casabianca_and_upsti() -> None:
    assert legal(Game.from_position(SLAM, "casabianca")) == "d"
    assert legal(Game.from_position(SLAM, "upsti")) == "3"


@pytest.mark.parametrize("name", ["wikipedia", "abapa"])
def test_a_grand_slam_is_legal_and_takes_nothing_in_wikipedia_and_abapa(name: str) -> None:
    position = board("3 0 0 1 0 2", "1 1 0 0 0 0")
    game = Game.from_position(position, name)
    assert legal(game) == "A D F"
    trace = game.trace("F")
    assert trace.spared
    assert trace.captures == ()
    before = game.scores
    game.push("F")
    assert game.scores == before
    assert game.board[6:8] == (2, 2)


def test_a_grand_slam_is_illegal_in_awari_unless_every_move_is_one() -> None:
    assert legal(Game.from_position(SLAM, "awari")) == "D"
    forced = Game.from_position(board("0 0 0 0 0 2", "1 1 0 0 0 0"), "awari")
    assert legal(forced) == "F"
    assert forced.trace("F").taken == 4
    forced.push("F")
    assert ended(forced).reason == "win"


def test_awari_positions_of_the_literature() -> None:
    game = Game.from_position(board("1 0 4 19 4 2", "1 1 3 1 0 0"), "awari")
    assert legal(game) == "A C D E F"
    assert [game.trace(move).taken for move in game.legal_moves] == [0, 2, 7, 0, 4]
    slam = Game.from_position(board("0 0 6 0 3 5", "2 1 1 0 0 0"), "awari")
    assert legal(slam) == "E F"
    assert slam.why_illegal("C") == "C would leave the opponent nothing"
    assert Game(slam.rules.variant(grand_slam="allowed"), start=slam.start).trace("C").taken == 7


@pytest.mark.parametrize("name", ["casabianca", "wikipedia", "abapa", "awari"])
def test_an_opponent_without_seeds_must_be_fed(name: str) -> None:
    game = Game.from_position(board("1 0 4 0 3 1", "0 0 0 0 0 0"), name)
    assert legal(game).upper() == "C E F"
    assert "does not feed them" in str(game.why_illegal("A"))
    assert "ne le nourrit pas" in str(game.why_illegal("a", "fr"))


@pytest.mark.parametrize(
    ("name", "scores"), [("casabianca", (20, 18)), ("upsti", (30, 18)), ("wikipedia", (30, 18)), ("abapa", (30, 18))]
)
def test_who_cannot_feed_ends_the_game(name: str, scores: tuple[int, int]) -> None:
    game = Game.from_position(board("4 3 2 1 0 0", "0 0 0 0 0 0", "20 18"), name)
    assert ended(game) == Outcome(0, scores, "no-move")


def test_who_cannot_feed_plays_on_in_awari_and_then_the_other_cannot_move() -> None:
    game = Game.from_position(board("4 3 2 1 0 0", "0 0 0 0 0 0", "20 18"), "awari")
    assert legal(game) == "A B C D"
    game.push("D")
    assert ended(game) == Outcome(0, (30, 18), "no-move")


def test_no_move_hands_the_rest_to_different_people() -> None:
    """South, to move, has nothing; ten seeds lie on North's side."""
    stuck = board("0 0 0 0 0 0", "4 3 2 1 0 0", "20 18")
    finals = {name: ended(Game.from_position(stuck, name)).scores for name in ("casabianca", "upsti", "awari", "abapa")}
    assert finals == {"casabianca": (20, 18), "upsti": (20, 28), "awari": (20, 28), "abapa": (20, 28)}
    assert ended(Game.from_position(stuck, "wikipedia")).scores == (30, 18), "the player to move takes the rest"


def test_wikipedia_ends_at_26_or_with_five_seeds_which_nobody_takes() -> None:
    assert not Game.from_position(board("3 0 0 0 0 3", "0 0 0 0 1 1", "25 15"), "wikipedia").over
    assert ended(Game.from_position(board("3 0 0 0 0 3", "0 0 0 0 1 1", "26 14"), "wikipedia")) == Outcome(
        0, (26, 14), "win"
    )
    assert ended(Game.from_position(board("2 0 0 0 0 1", "0 0 0 0 1 1", "21 22"), "wikipedia")) == Outcome(
        1, (21, 22), "few"
    )


def test_wikipedia_looks_at_few_seeds_before_it_looks_who_can_feed() -> None:
    assert ended(Game.from_position(board("2 0 0 0 0 0", "0 0 0 0 0 0", "23 23"), "wikipedia")) == Outcome(
        None, (23, 23), "few"
    )


def test_abapa_and_awari_end_at_25() -> None:
    position = board("3 0 0 0 0 3", "0 0 0 0 1 1", "25 15")
    for rules in ("abapa", "awari"):
        assert ended(Game.from_position(position, rules)) == Outcome(0, (25, 15), "win")
    assert not Game.from_position(board("3 0 0 0 0 3", "0 0 0 0 1 1", "24 16"), "abapa").over


CYCLE = board("0 0 0 0 0 1", "0 0 0 0 0 1", "23 23")


def test_a_position_that_comes_back_ends_abapa_and_awari() -> None:
    abapa = Game.from_position(CYCLE, "abapa")
    moves = 0
    while not abapa.over:
        abapa.push(abapa.legal_moves[-1])
        moves += 1
        assert moves < 100
    assert ended(abapa) == Outcome(None, (24, 24), "repetition")
    boards = [(position.board, position.turn) for position in abapa.history[:-1]]
    assert len(set(boards)) == len(boards), "the first return ends it"

    awari = Game.from_position(
        CYCLE,
        "awari",
    )
    for move in abapa.moves:
        awari.push(move)
    assert ended(awari) == Outcome(None, (23, 23), "repetition")
    assert sum(awari.counts) == 2


def test_taking_back_a_repetition_goes_on_and_repeating_it_ends_again() -> None:
    game = Game.from_position(CYCLE, "abapa")
    while not game.over:
        game.push(game.legal_moves[-1])
    last = game.pop()
    assert not game.over
    game.push(last)
    assert ended(game).reason == "repetition"


def test_casabianca_and_wikipedia_do_not_mind_repetition() -> None:
    for name in ("casabianca", "wikipedia:few_seeds=none"):
        game = Game.from_position(CYCLE, name)
        for _ in range(60):
            game.push(game.legal_moves[-1])
        assert not game.over
        assert len({(position.board, position.turn) for position in game.history}) < 61, "something came back"


@pytest.mark.parametrize("turn", ["S", "N"])
def test_a_game_may_begin_where_it_is_over(turn: str) -> None:
    game = Game.from_position(board("0 0 0 0 0 0", "0 0 0 0 0 0", "30 18", turn))
    assert ended(game) == Outcome(0, (30, 18), "win")
    assert game.legal_moves == ()
    empty = Game.from_position("-".join(["0"] * 14 + [turn]))
    assert ended(empty) == Outcome(None, (0, 0), "no-move")
    assert eval(repr(empty)) == empty


def test_half_of_the_seeds_is_counted_from_those_in_the_game() -> None:
    """A position with fewer seeds, as in a book of problems, is won by more than half of its own."""
    assert not Game.from_position("1-0-0-0-0-4-0-0-3-0-0-0-5-3-S", "awari").over
    assert ended(Game.from_position("1-0-0-0-0-4-0-0-3-0-0-0-9-0-S", "awari")) == Outcome(0, (9, 0), "win")
