"""`Match` by itself: what can be done when, what it answers, and what it leaves unchanged."""

from __future__ import annotations

import json

import pytest

from awale import Game, players
from awale.errors import IllegalMoveError
from awale.match import (
    Answered,
    Clock,
    Ended,
    Match,
    MatchError,
    Moved,
    Offered,
    RematchAgreed,
    Seat,
    TakenBack,
    TimeControl,
    choose,
    play_out,
)
from awale.players import BasePlayer, Choice
from awale.rules import moves

PROGRAM = Seat("engine:3", person=False)


def kinds(events: tuple[object, ...]) -> list[str]:
    return [type(event).__name__ for event in events]


# -- moves ---------------------------------------------------------------------------------------------------------


def test_a_move_needs_the_turn_and_a_game_that_is_on() -> None:
    match = Match(Game("abapa"))
    with pytest.raises(MatchError, match="not your turn"):
        match.play(1, "F", 0)
    with pytest.raises(IllegalMoveError):
        match.play(0, moves.make(match.game.rules, 8), 0)
    assert match.ply == 0
    (moved,) = match.play(0, "F", 0)
    assert isinstance(moved, Moved)
    assert (moved.ply, str(moved.trace.move), moved.trace.mover) == (0, "F", 0)
    match.resign(1, 0)
    with pytest.raises(MatchError, match="over"):
        match.play(1, "f", 0)


def test_two_people_agree_on_a_take_back_one_person_does_not_ask() -> None:
    people = Match(Game("abapa", moves="F f"))
    (offered,) = people.undo(0, 0)
    assert isinstance(offered, Offered)
    assert kinds(people.answer(1, offered.offer.id, accept=True, now=0)) == ["Answered", "TakenBack"]
    assert people.ply == 1
    shared = Match(Game("abapa", moves="F f"), shared=True)
    assert shared.undo(0, 0) == (TakenBack((Game("abapa", moves="F f").moves[1],)),)


def test_against_a_program_a_take_back_reaches_the_persons_own_move() -> None:
    match = Match(Game("abapa", moves="F f"), (Seat(), PROGRAM))
    (taken,) = match.undo(0, 0)
    assert isinstance(taken, TakenBack)
    assert (len(taken.moves), match.ply) == (2, 0)
    assert kinds(match.redo(0, 0)) == ["Moved", "Moved"]
    only_the_program = Match(Game("abapa", moves="F"), (PROGRAM, Seat()))
    with pytest.raises(MatchError, match="no move to take back"):
        only_the_program.undo(1, 0)


def test_an_ending_that_the_moves_do_not_show_is_taken_back_by_itself() -> None:
    match = Match(Game("abapa", moves="F"), (Seat(), PROGRAM))
    match.fail(1, "crash", "boom", 0)
    assert match.game.ended == "crash-1"
    assert match.undo(0, 0) == (TakenBack((), reopened=True),)
    assert (match.over, match.fault, match.ply) == (False, "", 1)


def test_a_new_move_forgets_what_was_taken_back() -> None:
    match = Match(Game("abapa", moves="F f"), shared=True)
    match.undo(0, 0)
    assert match.can_redo
    match.play(1, "e", 0)
    with pytest.raises(MatchError, match="play again"):
        match.redo(0, 0)


# -- offers --------------------------------------------------------------------------------------------------------


def test_an_answer_names_its_offer() -> None:
    match = Match(Game("abapa", moves="F"))
    (first,) = match.offer_stop(0, 0)
    assert isinstance(first, Offered)
    match.undo(0, 0)  # the same side asks for something else instead
    with pytest.raises(MatchError, match="no such offer"):
        match.answer(1, first.offer.id, accept=True, now=0)
    assert not match.over
    assert match.game.end_offer is None


def test_nobody_answers_their_own_offer_and_two_offers_do_not_cross() -> None:
    match = Match(Game("abapa", moves="F"))
    (offered,) = match.offer_stop(0, 0)
    assert isinstance(offered, Offered)
    with pytest.raises(MatchError):
        match.answer(0, offered.offer.id, accept=True, now=0)
    with pytest.raises(MatchError, match="first"):
        match.undo(1, 0)
    assert match.offer_stop(0, 0) == ()


def test_an_agreement_ends_the_match_and_a_move_declines() -> None:
    match = Match(Game("abapa", moves="F"))
    (offered,) = match.offer_stop(0, 0)
    assert isinstance(offered, Offered)
    moved = match.play(1, "f", 0)
    assert moved[1:] == (Answered(offered.offer, accepted=False),)
    (offered,) = match.offer_stop(0, 0)
    assert isinstance(offered, Offered)
    *_, ended = match.answer(1, offered.offer.id, accept=True, now=0)
    assert isinstance(ended, Ended)
    assert ended.outcome.reason == "agreement"


def test_a_rematch_swaps_the_seats_and_needs_both_people() -> None:
    match = Match(Game("abapa"), (Seat("Ama"), Seat("Kofi")), clock=TimeControl(60))
    with pytest.raises(MatchError, match="not over"):
        match.offer_rematch(0, 0)
    match.resign(0, 0)
    match.offer_rematch(0, 0)
    assert kinds(match.offer_rematch(1, 0)) == ["Answered", "RematchAgreed"]
    again = match.rematch()
    assert [seat.name for seat in again.seats] == ["Kofi", "Ama"]
    assert again.clock is not None
    assert again.clock.left == [60, 60]
    assert Match(Game("abapa", ended="resignation-0"), (Seat(), PROGRAM)).offer_rematch(0, 0) == (RematchAgreed(),)


def test_a_program_does_not_offer_again_at_once() -> None:
    match = Match(Game("casabianca", moves=""), (Seat(), PROGRAM))
    assert match.may_offer_stop(1)
    (offered,) = match.offer_stop(1, 0)
    assert isinstance(offered, Offered)
    match.answer(0, offered.offer.id, accept=False, now=0)
    assert not match.may_offer_stop(1)
    assert not Match(Game("abapa"), (Seat(), PROGRAM)).may_offer_stop(1)  # a repetition ends abapa by itself


def test_a_stored_offer_is_still_open() -> None:
    match = Match(Game("abapa", moves="F", offer=0))
    assert match.offer is not None
    match.answer(1, match.offer.id, accept=True, now=0)
    assert match.over


# -- time ----------------------------------------------------------------------------------------------------------


def test_the_clock_starts_with_the_second_move_and_the_flag_falls() -> None:
    match = Match(Game("abapa"), clock=TimeControl(10, 2))
    match.resume(0)
    match.play(0, "F", 50)
    assert match.clock is not None
    assert match.clock.left == [10, 10]
    match.play(1, "f", 54)
    assert match.clock.remaining(1, 54) == 8
    assert match.check_flag(63.9) == ()
    assert match.flag_in(63.9) == pytest.approx(0.1)
    (ended,) = match.check_flag(64)
    assert isinstance(ended, Ended)
    assert (ended.outcome.winner, ended.outcome.reason) == (1, "time")


def test_a_move_after_the_time_is_up_is_no_move() -> None:
    match = Match(Game("abapa", moves="F"), clock=TimeControl(10))
    match.resume(0)
    (ended,) = match.play(1, "f", 11)
    assert isinstance(ended, Ended)
    assert match.ply == 1


def test_thirty_seconds_per_move_are_thirty_seconds_for_a_program() -> None:
    match = Match(Game("abapa", moves="F"), (Seat(), PROGRAM), clock=TimeControl.parse("30s"))
    match.resume(100)
    clock = match.player_clock(101)
    assert clock is not None
    assert (clock.move, clock.left) == (29, None)


def test_a_pause_stops_all_time() -> None:
    match = Match(Game("abapa", moves="F"), clock=TimeControl(10))
    match.resume(0)
    match.pause(3)
    assert match.check_flag(1000) == ()
    match.resume(1000)
    assert match.clock is not None
    assert match.clock.remaining(1, 1002) == 5
    match.play(1, "f", 1002)
    assert match.usage[1].seconds == 5


def test_a_take_back_gives_the_time_back() -> None:
    match = Match(Game("abapa"), clock=TimeControl(100), shared=True)
    match.resume(0)
    for now, move in ((0, "F"), (10, "f"), (30, "E")):
        match.play(match.turn, move, now)
    match.undo(0, 40)
    assert match.clock is not None
    assert match.clock.remaining(0, 40) == 100
    assert match.clock.remaining(1, 40) == 90
    assert match.clock.running == 0


def test_a_margin_forgives_and_is_counted() -> None:
    match = Match(Game("abapa"), clock=TimeControl(1, per_move=True, margin=0.5), clock_from_start=True)
    match.resume(0)
    match.play(0, "F", 1.3)
    assert (match.usage[0].overruns, match.usage[0].worst_overrun) == (1, pytest.approx(0.3))
    (ended,) = match.play(1, "f", 1.3 + 1.6)
    assert isinstance(ended, Ended)


# -- programs ------------------------------------------------------------------------------------------------------


class Failing(BasePlayer):
    name = "failing"

    def choose(self, game: Game, clock: object = None) -> Choice:
        raise RuntimeError("boom")


class Illegal(BasePlayer):
    name = "illegal"

    def choose(self, game: Game, clock: object = None) -> Choice:
        return Choice(Game("abapa").legal_moves[0])


def test_a_program_that_fails_or_plays_an_illegal_move_loses() -> None:
    match = Match(Game("abapa"), (Seat.of(Failing()), Seat()))
    (ended,), chosen = choose(match)
    assert isinstance(ended, Ended)
    assert (ended.outcome.reason, ended.outcome.winner, ended.fault, chosen) == ("crash", 1, "RuntimeError: boom", None)
    match = Match(Game("abapa", moves="F"), (Seat(), Seat.of(Illegal())))
    (ended,), _ = choose(match)
    assert isinstance(ended, Ended)
    assert (ended.outcome.reason, ended.outcome.winner) == ("illegal", 0)


@pytest.mark.parametrize("rules", ["casabianca", "ghana", "tricolor-2025", "abapa"])
def test_games_between_programs_end(rules: str) -> None:
    seats = (Seat.of(players.make("greedy", rules)), Seat.of(players.make("greedy", rules)))
    ended = play_out(Match(Game(rules), seats, max_plies=1000))
    assert ended.outcome.reason != "crash"


def test_a_long_game_is_stopped() -> None:
    seats = (Seat.of(players.make("greedy")), Seat.of(players.make("greedy")))
    assert play_out(Match(Game("abapa"), seats, max_plies=7)).outcome.reason == "length"


# -- copies and stored state ---------------------------------------------------------------------------------------


def test_an_action_on_a_copy_leaves_the_match_alone() -> None:
    match = Match(Game("abapa"), clock=TimeControl(60))
    match.resume(0)
    match.play(0, "F", 0)
    trial = match.copy()
    trial.play(1, "f", 5)
    trial.resign(0, 6)
    assert (match.ply, match.over) == (1, False)
    assert match.clock is not None
    assert match.clock.running == 1
    assert match.clock.remaining(1, 10) == 50
    assert match.usage[1].moves == 0


def test_a_restored_match_goes_on_where_it_was() -> None:
    match = Match(Game("abapa"), (Seat("Ama"), PROGRAM), clock=TimeControl(60, 1))
    match.resume(0)
    match.play(0, "F", 0)
    match.play_program(1, "f", 10)
    match.undo(0, 12)
    again = Match.restore(match.game.copy(), match.seats, match.state(12))
    assert again.state(0) == match.state(12) | {"clock": again.clock and again.clock.as_json(0)}
    assert again.clock is not None
    assert isinstance(again.clock, Clock)
    assert again.clock.running is None
    again.redo(0, 13)
    assert again.ply == 2


@pytest.mark.parametrize(
    "times", ["0:60.0/60.0 1:59.5/60.0 2:59.5/50.0", {"0": [60, 60], "1": [59.5, 60], "2": [59.5, 50]}]
)
def test_the_clocks_of_a_restored_match_go_back_with_its_moves(times: object) -> None:
    match = Match(Game("abapa", moves="F f E"), clock=TimeControl(60), shared=True)
    again = Match.restore(match.game, match.seats, match.state(0) | {"times": times}, shared=True)
    assert again.clock is not None
    for left in ([59.5, 50], [59.5, 60]):
        again.undo(0, 1)
        assert again.clock.left == left


@pytest.mark.parametrize("kind", ["stop", "take-back", "rematch"])
def test_an_open_offer_survives_a_restart(kind: str) -> None:
    match = Match(Game("casabianca", moves="f"), (Seat("Ama"), Seat("Kofi")))
    if kind == "rematch":
        match.resign(1, 0)
        match.offer_rematch(0, 0)
    elif kind == "stop":
        match.offer_stop(0, 0)
    else:
        match.undo(0, 0)
    state = json.loads(json.dumps(match.state(0)))
    again = Match.restore(Game("casabianca", moves="f", ended=state["ended"]), match.seats, state)
    assert again.offer == match.offer is not None
    again.answer(1, match.offer.id, accept=True, now=1)
    assert (again.over, again.ply) == (kind != "take-back", 0 if kind == "take-back" else 1)


def test_a_program_does_not_offer_again_at_once_after_a_restart() -> None:
    match = Match(Game("casabianca", moves="f"), (Seat("Ama"), PROGRAM))
    match.offer_stop(1, 0)
    assert match.offer is not None
    match.answer(0, match.offer.id, accept=False, now=0)
    assert not Match.restore(Game("casabianca", moves="f"), match.seats, match.state(0)).may_offer_stop(1)
