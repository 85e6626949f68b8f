"""The examination of the `upsti` preset: questions 1 to 16, as far as its answers' text allows.

The answers are small programs over a board seen from the mover's side. They are rewritten here in our own words and
asked the same things as our `Game` in random games: which pits may be played, what they gain, whether the game goes on,
and who has won.
"""

from __future__ import annotations

import random

import pytest

from awale import Game, IllegalMoveError

ALICE = (0, 0, 2, 0, 5, 1)
BOB = (4, 2, 1, 2, 3, 0)


def position(alice: tuple[int, ...], bob: tuple[int, ...], scores: tuple[int, int] | None = None, ply: int = 0) -> str:
    rest = 48 - sum(alice) - sum(bob)
    south, north = scores or (rest // 2, rest - rest // 2)
    return "-".join(map(str, [*alice, *bob, south, north, "S", ply]))


# -- the answers, as programs ------------------------------------------------------------------------------------------


class Exam:
    """The dictionary `jeu` of the examination: the board turned to the mover, the scores, the number of moves."""

    def __init__(self) -> None:
        self.board = [4] * 12
        self.scores = [0, 0]
        self.moves = 0

    def first_player_moves(self) -> bool:  # question 4
        return self.moves % 2 == 0

    def turn_board(self) -> None:  # question 5
        self.board = self.board[6:] + self.board[:6]

    @staticmethod
    def sow(board: list[int], pit: int) -> int:  # question 8
        seeds, board[pit], steps = board[pit], 0, 0
        while seeds:
            steps += 1
            if steps % 12:
                board[(pit + steps) % 12] += 1
                seeds -= 1
        return (pit + steps) % 12

    @staticmethod
    def takeable(board: list[int], pit: int) -> bool:  # question 9
        return pit > 5 and board[pit] in (2, 3)

    @classmethod
    def gather(cls, board: list[int], pit: int) -> int:  # question 10
        if not cls.takeable(board, pit):
            return 0
        seeds, board[pit] = board[pit], 0
        return seeds + cls.gather(board, pit - 1)

    def no_famine(self, pit: int) -> bool:  # question 11
        trial = self.board.copy()
        self.gather(trial, self.sow(trial, pit))
        return sum(trial[6:]) != 0

    def playable(self) -> list[int]:  # questions 12 and 13
        return [pit for pit in range(6) if self.board[pit] and self.no_famine(pit)]

    def goes_on(self) -> bool:  # question 14
        return max(self.scores) < 25 and self.moves < 100 and sum(self.board) > 3 and bool(self.playable())

    def play(self, pit: int) -> bool:  # question 15
        taken = self.gather(self.board, self.sow(self.board, pit))
        self.scores[0 if self.first_player_moves() else 1] += taken
        self.moves += 1
        self.turn_board()
        return self.goes_on()

    def winner(self) -> int | None:  # question 16; None is its "egalite"
        sides = [sum(self.board[:6]), sum(self.board[6:])]
        if not self.first_player_moves():
            sides.reverse()
        south, north = (score + side for score, side in zip(self.scores, sides, strict=True))
        return None if south == north else int(north > south)


def test_the_answers_and_the_game_agree_for_whole_games() -> None:
    chance = random.Random("upsti")
    endings = set()
    for _ in range(200):
        exam, game, on = Exam(), Game("upsti"), True
        while on:
            assert game.turn == (0 if exam.first_player_moves() else 1)
            legal = [int(str(move)) for move in game.legal_moves]
            assert legal == exam.playable()
            pit = chance.choice(legal)
            trial = exam.board.copy()
            assert game.trace(str(pit)).taken == exam.gather(trial, exam.sow(trial, pit))  # question 17's gain
            on = exam.play(pit)
            game.push(str(pit))
            assert game.over == (not on)
            assert game.ply == exam.moves
            if on:
                turned = game.board if game.turn == 0 else game.board[6:] + game.board[:6]
                assert list(turned) == exam.board
                assert list(game.scores) == exam.scores
        outcome = game.outcome()
        assert outcome is not None
        assert outcome.winner == exam.winner()
        endings.add(outcome.reason)
    assert endings >= {"win", "moves", "few"}


# -- the questions with figures of their own ---------------------------------------------------------------------------


def test_question_1_alice_may_play_2_4_and_5() -> None:
    game = Game.from_position(position(ALICE, BOB), "upsti")
    assert [str(move) for move in game.legal_moves] == ["2", "4", "5"]


def test_question_2_what_each_gains() -> None:
    game = Game.from_position(position(ALICE, BOB), "upsti")
    assert game.trace("2").taken == 0
    assert game.trace("5").taken == 0
    trace = game.trace("4")
    assert trace.captures == ((9, 3), (8, 2), (7, 3))
    assert trace.taken == 8


def test_question_3_left_a_move_that_starves_leaves_no_move_and_ends_the_game() -> None:
    game = Game.from_position(position((0, 0, 0, 0, 3, 0), (1, 1, 0, 0, 0, 0), (21, 22)), "upsti")
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.reason == "no-move"
    assert outcome.scores == (24, 24)
    assert outcome.winner is None
    with pytest.raises(IllegalMoveError, match="over"):
        game.push("4")
    # The same move among others: refused, because the opponent would starve.
    free = Game.from_position(position((1, 0, 0, 0, 3, 0), (1, 1, 0, 0, 0, 0)), "upsti")
    assert [str(move) for move in free.legal_moves] == ["0"]
    assert free.why_illegal("4") == "4 would leave the opponent nothing"


def test_question_3_right_one_seed_stays_so_the_capture_counts_and_the_game_ends() -> None:
    game = Game.from_position(position((0, 0, 0, 0, 0, 1), (2, 0, 1, 0, 0, 0), (22, 22)), "upsti")
    game.push("5")
    outcome = game.outcome()
    assert outcome is not None
    assert game.moves[0].pit == 5
    # 3 taken; the one seed left is Bob's own, and 25 is looked at before the few seeds.
    assert outcome.scores == (25, 23)
    assert outcome.reason == "win"
    fewer = Game.from_position(position((0, 0, 0, 0, 0, 1), (2, 0, 1, 0, 0, 0), (20, 24)), "upsti")
    fewer.push("5")
    ended = fewer.outcome()
    assert ended is not None
    assert (ended.reason, ended.scores) == ("few", (23, 25))


def test_question_4_the_first_player_moves_when_the_number_of_moves_is_even() -> None:
    game = Game("upsti")
    for text in ("2", "0", "5", "3"):
        assert game.turn == game.ply % 2
        game.push(text)


def test_question_6_six_bits_hold_a_pit() -> None:
    assert Game("upsti").rules.total == 48
    assert (48).bit_length() == 6
    full = Game.from_position("48-0-0-0-0-0-0-0-0-0-0-0-0-0-S", "upsti")
    full.push("0")
    assert full.board == (0, 5, 5, 5, 5, 4, 4, 4, 4, 4, 4, 4)


def test_question_7_a_copy_is_a_game_of_its_own() -> None:
    game = Game("upsti")
    twin = game.copy()
    twin.push("2")
    assert game.ply == 0
    assert game.board == (4,) * 12
    assert twin.ply == 1


def test_question_8_the_last_pit() -> None:
    board = [0] * 12
    board[3] = 14
    assert Exam.sow(board, 3) == 6
    game = Game.from_position(position((0, 0, 0, 14, 0, 0), (0, 0, 0, 0, 0, 1)), "upsti")
    assert game.trace("3").landings[-1] == 6


@pytest.mark.parametrize(
    ("alice", "bob", "scores", "ply", "reason"),
    [
        ((4, 0, 0, 0, 0, 0), (4, 0, 0, 0, 0, 0), (25, 15), 10, "win"),
        ((4, 0, 0, 0, 0, 0), (4, 0, 0, 0, 0, 0), (15, 25), 10, "win"),
        ((4, 0, 0, 0, 0, 0), (4, 0, 0, 0, 0, 0), (20, 20), 100, "moves"),
        ((2, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0), (22, 23), 10, "few"),
        ((1, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0), (23, 24), 10, "few"),
        ((0, 0, 0, 0, 0, 0), (4, 0, 0, 0, 0, 0), (22, 22), 10, "no-move"),
        # In this order: 25 captured before 100 moves before few seeds.
        ((2, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0), (25, 20), 100, "win"),
        ((2, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0), (22, 23), 100, "moves"),
    ],
)
def test_question_14_the_four_endings_in_their_order(
    alice: tuple[int, ...], bob: tuple[int, ...], scores: tuple[int, int], ply: int, reason: str
) -> None:
    game = Game.from_position(position(alice, bob, scores, ply), "upsti")
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.reason == reason
    assert outcome.scores == (scores[0] + sum(alice), scores[1] + sum(bob)), "each side takes its own seeds"


@pytest.mark.parametrize("ply", [0, 99])
def test_question_14_the_game_goes_on_otherwise(ply: int) -> None:
    assert not Game.from_position(position((4, 0, 0, 0, 0, 0), (4, 0, 0, 0, 0, 0), (24, 16), ply), "upsti").over
    assert not Game.from_position(position((0, 0, 0, 0, 1, 2), (1, 0, 0, 0, 0, 0), (22, 22), ply), "upsti").over


def test_question_16_equal_scores_are_a_draw() -> None:
    game = Game.from_position(position((3, 0, 0, 0, 0, 0), (3, 0, 0, 0, 0, 0), (21, 21), 100), "upsti")
    outcome = game.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.scores) == (None, (24, 24))
    assert outcome.sentence("fr").startswith("égalité 24-24")
