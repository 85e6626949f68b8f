"""Every exercise of the lessons, answered again by other means: naive sowing, all replies, endgame tables."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from awale import Game, tables
from awale.i18n import LANGUAGES, section
from awale.rules.moves import write
from awale.training import lessons
from awale.training.lessons import Exercise, LessonError, judge

ALL = {exercise.key: exercise for lesson in lessons.LESSONS for exercise in lesson.exercises}


def of(*questions: str) -> list[Exercise]:
    return [exercise for exercise in ALL.values() if exercise.question in questions]


def test_keys_are_unique_and_every_text_exists() -> None:
    assert len(ALL) == sum(len(lesson.exercises) for lesson in lessons.LESSONS)
    texts = section("lessons")
    assert {key.removeprefix("why.") for key in texts if key.startswith("why.")} == set(ALL)
    assert {key.split(".")[1] for key in texts if key.startswith("about.")} == {one.key for one in lessons.LESSONS}
    for exercise in ALL.values():
        assert all(exercise.asked.sentence(lang) for lang in LANGUAGES)


@pytest.mark.parametrize("exercise", ALL.values(), ids=ALL)
def test_positions_are_complete_and_each_has_one_answer(exercise: Exercise) -> None:
    game = exercise.game()
    assert not game.over
    assert sum(game.counts) + sum(game.scores) == game.rules.total or game.rules.name == "ghana4"
    (answer,) = exercise.answers()
    solved = judge(exercise, answer)
    assert solved.right
    assert not judge(exercise, None).right
    after = exercise.game()
    for move in solved.shown:
        after.push(move)


# -- by naive sowing -------------------------------------------------------------------------------------------------


def naive_lap(board: list[int], pit: int) -> int:
    """Sow a pit seed by seed, skipping it; return where the last seed falls."""
    hand, here = board[pit], pit
    board[pit] = 0
    while hand:
        here = (here + 1) % 12
        if here != pit:
            board[here] += 1
            hand -= 1
    return here


def naive_relay(board: list[int], pit: int, limit: int = 200_000) -> tuple[int, int] | None:
    """Sow lap after lap; return the laps and where the last seed falls, or None if a state comes back."""
    seen, laps = set(), 0
    while (tuple(board), pit) not in seen:
        if laps < 1000:
            seen.add((tuple(board), pit))
        hand, laps = board[pit], laps + 1
        board[pit] = 0
        for _ in range(hand):
            pit = (pit + 1) % len(board)
            board[pit] += 1
        if board[pit] == 1:
            return laps, pit
        assert laps < limit
    return None


def naive_capture(board: list[int], last: int) -> int:
    """Return what South captures from a last seed here, backwards through North's row."""
    taken = 0
    while last >= 6 and board[last] in (2, 3):
        taken += board[last]
        last -= 1
    return taken


def pit_of(game: Game, name: str) -> int:
    return next(pit for pit in game.rules.own_pits(game.turn) if write(game.rules, pit) == name)


@pytest.mark.parametrize("exercise", of("last", "taken", "laps", "size"), ids=lambda one: one.key)
def test_sowings_are_counted_again(exercise: Exercise) -> None:
    game = exercise.game()
    (answer,) = exercise.answers()
    if game.rules.coloured:
        expected = {"colours-blue": "2", "colours-clear": "7"}  # sown by hand, see the explanations
        assert answer == expected[exercise.key]
        return
    board, pit = list(game.counts), pit_of(game, exercise.move)
    if exercise.question == "size":
        board[pit] = int(answer)
        assert int(answer) >= 12
        assert write(game.rules, naive_lap(board, pit)) == exercise.target
        return
    if game.rules.sowing == "relay":
        ended = naive_relay(board, pit)
        assert ended is not None
        laps, last = ended
        taken = board[11 - last] if last < 6 else 0
    else:
        laps, last = 1, naive_lap(board, pit)
        taken = naive_capture(board, last)
    assert answer == {"last": write(game.rules, last), "taken": str(taken), "laps": str(laps)}[exercise.question]


@pytest.mark.parametrize("exercise", of("most", "win", "safe"), ids=lambda one: one.key)
def test_single_lap_moves_are_compared_again(exercise: Exercise) -> None:
    game = exercise.game()
    (answer,) = exercise.answers()
    if game.rules.coloured:
        gains = {}
        for move in game.legal_moves:
            after = game.copy()
            after.push(move)
            gains[str(move)] = after.scores[game.turn] - game.scores[game.turn]
        assert [move for move, gain in gains.items() if gain == max(gains.values())] == [answer]
        if exercise.question == "win":
            assert [move for move, gain in gains.items() if game.scores[0] + gain > 48] == [answer]
        return
    found = {}
    for pit in range(6):
        board = list(game.counts)
        if not board[pit]:
            continue
        taken = naive_capture(board, naive_lap(board, pit))
        if exercise.question != "safe":
            found["abcdef"[pit]] = taken
            continue
        turned, losses = board[6:] + board[:6], [0]
        for reply in range(6):
            if turned[reply]:
                answered = list(turned)
                losses.append(naive_capture(answered, naive_lap(answered, reply)))
        found["abcdef"[pit]] = -max(losses)
    assert [move for move, value in found.items() if value == max(found.values())] == [answer]
    if exercise.question == "safe":
        assert found[answer] == 0
    if exercise.question == "win":
        assert [move for move, taken in found.items() if game.scores[0] + taken > 24] == [answer]


@pytest.mark.parametrize("exercise", of("endless", "endless-pit"), ids=lambda one: one.key)
def test_endless_sowings_come_back(exercise: Exercise) -> None:
    game = exercise.game()

    def ends(pit: int) -> bool:
        return naive_relay(list(game.counts), pit) is not None

    if exercise.question == "endless":
        assert exercise.answers() == {"no" if ends(pit_of(game, exercise.move)) else "yes"}
    else:
        own = [pit for pit in game.rules.own_pits(game.turn) if game.counts[pit]]
        assert exercise.answers() == {write(game.rules, pit) for pit in own if not ends(pit)}


def test_waiting_moves_are_counted_by_distance() -> None:
    # A single seed in a row can make as many moves inside it as there are pits to its right.
    (exercise,) = of("waiting")
    own = exercise.game().counts[:6]
    assert max(own) == 1
    assert own[5] == 1
    assert exercise.answers() == {"6"}  # a to f: five; e to f: one; seeds that meet could not move on inside the row


def test_the_only_move_is_the_only_one_that_leaves_a_seed() -> None:
    for exercise in of("only"):
        game = exercise.game()
        left = {}
        for pit in range(6):
            board = list(game.counts)
            if board[pit]:
                last = naive_lap(board, pit)
                left["abcdef"[pit]] = sum(board[6:]) - naive_capture(board, last)
        assert {move for move, seeds in left.items() if seeds} == exercise.answers()


# -- by tables ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def exact(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tables.Tables]:
    folder: Path = tmp_path_factory.mktemp("tables")
    return {rules: tables.compute(rules, 8, dir=folder) for rules in {exercise.rules for exercise in of("best")}}


@pytest.mark.parametrize("exercise", of("best"), ids=lambda one: one.key)
def test_margins_are_those_of_the_tables(exercise: Exercise, exact: dict[str, tables.Tables]) -> None:
    game = exercise.game()
    values = exact[exercise.rules].probe_moves(game, alone=True)
    ahead = game.scores[game.turn] - game.scores[1 - game.turn]
    known = {str(move): value for move, value in values.items() if value is not None}
    assert all(value.exact for value in known.values())
    assert {move: value.seeds + ahead for move, value in known.items()} == exercise.margins


# -- judging -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("exercise", ALL.values(), ids=ALL)
def test_every_wrong_answer_gets_a_sentence(exercise: Exercise) -> None:
    game = exercise.game()
    own = [write(game.rules, pit) for pit in game.rules.own_pits(game.turn)]
    offered = {
        "pit": [write(game.rules, pit) for pit in range(game.rules.holes)],
        "own-pit": own,
        "move": [str(move) for move in game.legal_moves],
        "number": ["0", "1", "999"],
        "yes-no": ["yes", "no"],
    }[exercise.form]
    for answer in set(offered) - exercise.answers():
        judged = judge(exercise, answer)
        assert not judged.right
        assert all(re.search(r"\w", judged.said.sentence(lang)) for lang in LANGUAGES)
        after = exercise.game()
        for move in judged.shown:
            after.push(move)


def test_a_wrong_move_is_answered_by_what_it_allows() -> None:
    judged = judge(ALL["opening-safe"], "b")
    assert (judged.right, judged.shown) == (False, ("b", "F"))
    assert judged.said.sentence("en") == "After b, F captures 2 seeds."
    assert judge(ALL["counting-greed"], "f").said.sentence("en") == (
        "With f the game ends level at best. There is better."
    )
    assert "nothing" in judge(ALL["feeding-slam"], "f").said.sentence("en")


def test_what_does_not_exist_is_refused() -> None:
    with pytest.raises(LessonError, match="no lesson 'nothing'"):
        lessons.lesson("nothing")
    with pytest.raises(LessonError, match="no exercise 'nothing'"):
        lessons.lesson("opening").exercise("nothing")
