"""What holds in every game under every rules, preset or village."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awale import Game, Move, MoveError, Position, Rules
from awale.game import Outcome
from awale.rules import get, names, reference
from awale.rules.moves import make
from tests.rules import villages


def everything(game: Game) -> tuple[object, ...]:
    """All that a game shows."""
    return (
        game.rules,
        game.start,
        game.moves,
        game.history,
        game.state,
        game.position,
        game.legal_moves,
        game.outcome(),
        game.end_offer,
        game.ended,
        repr(game),
        hash(game),
    )


def seeds_in(position: Position) -> int:
    return sum(reference.counts(position.board)) + sum(position.scores)


@given(villages.games())
def test_no_seed_is_lost_or_made(game: Game) -> None:
    assert {seeds_in(position) for position in game.history} == {game.rules.total}


@given(villages.games())
def test_moves_lift_from_the_movers_own_pits(game: Game) -> None:
    for move in game.legal_moves:
        assert game.rules.owner(move.pit) == game.turn
        assert game.counts[move.pit] > 0
        assert game.why_illegal(move) is None
        assert game.parse(str(move)) == move


@given(villages.games())
def test_a_game_either_goes_on_or_is_over(game: Game) -> None:
    assert game.over == (game.outcome() is not None) == (not game.legal_moves)
    outcome = game.outcome()
    if outcome is not None:
        assert outcome.scores == game.scores
        assert (outcome.winner is None) == (game.scores[0] == game.scores[1])
        if outcome.winner is not None:
            assert outcome.scores[outcome.winner] == max(outcome.scores)


@given(villages.any_rules, villages.choices)
def test_pop_undoes_push_to_the_last_detail(rules: Rules, picks: list[int]) -> None:
    game = Game(rules)
    seen = [everything(game)]
    for pick in picks:
        if game.over:
            break
        game.push(game.legal_moves[pick % len(game.legal_moves)])
        seen.append(everything(game))
    while game.moves:
        assert everything(game) == seen.pop()
        game.pop()
    assert everything(game) == seen.pop()
    assert game == Game(rules)


@given(villages.games(), st.data())
def test_a_detour_changes_nothing(game: Game, data: st.DataObject) -> None:
    """Repetition included: what was played and taken back was not played."""
    twin = game.copy()
    for _ in range(data.draw(st.integers(1, 4))):
        if game.over:
            break
        game.push(data.draw(st.sampled_from(game.legal_moves)))
    while len(game.moves) > len(twin.moves):
        game.pop()
    assert everything(game) == everything(twin)
    picks = data.draw(villages.choices)
    assert everything(villages.play(game, picks)) == everything(villages.play(twin, picks))


# -- South and North are only names ------------------------------------------------------------------------------------


def turned_pit(rules: Rules, pit: int) -> int:
    """The board seen from the other seat; in the ring of three colours every pit moves on by one."""
    return (pit + (1 if rules.coloured else rules.pits)) % rules.holes


def turned(rules: Rules, position: Position) -> Position:
    board = [position.board[0]] * rules.holes
    for pit, hole in enumerate(position.board):
        board[turned_pit(rules, pit)] = hole
    south, north = position.scores
    return Position(tuple(board), (north, south), 1 - position.turn, position.ply)  # type: ignore[arg-type]


def turned_outcome(outcome: Outcome | None) -> Outcome | None:
    if outcome is None:
        return None
    south, north = outcome.scores
    winner = None if outcome.winner is None else 1 - outcome.winner
    return Outcome(winner, (north, south), outcome.reason)


@given(villages.any_rules, villages.choices)
def test_turning_the_board_round_commutes_with_playing(rules: Rules, picks: list[int]) -> None:
    game = Game(rules)
    mirror = Game(rules, start=turned(rules, game.start))
    for pick in [*picks, None]:
        assert mirror.state == turned(rules, game.state)
        assert set(mirror.legal_moves) == {make(rules, turned_pit(rules, m.pit), m.colour) for m in game.legal_moves}
        assert mirror.outcome() == turned_outcome(game.outcome())
        if pick is None or game.over:
            break
        move = game.legal_moves[pick % len(game.legal_moves)]
        game.push(move)
        mirror.push(make(rules, turned_pit(rules, move.pit), move.colour))


# -- games and rules as Python objects ---------------------------------------------------------------------------------


@given(villages.games(), st.sampled_from(["on", "agreed", "resigned", "offered"]))
def test_copies_pickles_and_reprs_are_the_same_game(game: Game, how: str) -> None:
    if not game.over:
        if how in ("agreed", "offered"):
            game.offer_end()
        if how == "agreed":
            game.accept_end()
        if how == "resigned":
            game.resign(0)
    again = [
        game.copy(),
        copy.copy(game),
        copy.deepcopy(game),
        pickle.loads(pickle.dumps(game)),
        eval(repr(game), {"Game": Game, "Rules": Rules}),
    ]
    for twin in again:
        assert twin is not game
        assert twin == game
        assert everything(twin) == everything(game)
    if game.moves:
        again[0].pop()
        assert again[0] != game
        assert len(game.moves) == len(again[0].moves) + 1


@given(villages.games())
def test_a_position_begins_a_game_that_goes_on_alike(game: Game) -> None:
    """But for repetition, whose memory a position does not carry."""
    again = Game.from_position(game.position, game.rules)
    assert again.position == game.position
    if game.rules.repetition == "none" and game.ended is None and not game.over:
        assert again.legal_moves == game.legal_moves
        assert again.scores == game.scores


@given(villages.any_rules)
def test_rules_are_values(rules: Rules) -> None:
    for twin in (copy.copy(rules), copy.deepcopy(rules), pickle.loads(pickle.dumps(rules)), eval(repr(rules))):
        assert twin == rules
        assert hash(twin) == hash(rules)
    assert rules in {rules: 1}


@given(villages.any_rules)
def test_the_name_of_a_variant_leads_back_to_it(rules: Rules) -> None:
    assert get(rules.name) == rules
    assert get(f"  {rules.name.upper() if ':' not in rules.name else rules.name} ") == rules


@given(villages.villages, villages.villages)
def test_options_do_not_remember_their_order(one: Rules, other: Rules) -> None:
    if one.sowing == other.sowing:
        assert one.variant(**other.options()) == other
        assert one.variant(**dict(reversed(other.options().items()))) == other


@given(villages.games())
def test_every_pit_is_legal_or_has_a_reason_in_both_languages(game: Game) -> None:
    for pit in range(-1, game.rules.holes + 1):
        for colour in (None, "r", "tb"):
            move = make(game.rules, pit, colour)  # type: ignore[arg-type]
            english, french = game.why_illegal(move, "en"), game.why_illegal(move, "fr")
            assert (english is None) == (french is None) == (move in game.legal_moves)
            if english is not None:
                assert "{" not in english + str(french)
                assert english != french
                with pytest.raises(MoveError) as refused:
                    game.push(move)
                assert str(refused.value) == english
                assert refused.value.sentence("fr") == french


@given(
    villages.games(), st.text(max_size=12) | st.from_regex(r"[0-9A-Fa-f]{1,3}(r|b|tr|tb|TB)?[!?+]{0,2}", fullmatch=True)
)
def test_text_is_a_move_or_refused_with_the_sentence_of_why_illegal(game: Game, text: str) -> None:
    before = everything(game)
    reason = game.why_illegal(text)
    if reason is None:
        move = game.push(text)
        game.pop()
        assert move in game.legal_moves
    else:
        with pytest.raises(MoveError) as refused:
            game.push(text)
        assert str(refused.value) == reason
    assert everything(game) == before


def traced(game: Game, move: Move) -> None:
    """A trace alone is enough to rebuild what the move does."""
    trace = game.trace(move)
    before, player = list(game.counts), game.turn
    after = game.copy()
    after.push(move)
    assert trace.outcome == after.outcome()
    if trace.period is not None:
        assert trace.board == game.board == after.board
        assert trace.lap_count == trace.period
        return
    assert trace.lap_count == len(trace.laps)
    for lap in trace.laps:
        before[lap.pit] -= len(lap.landings)
        assert before[lap.pit] >= 0
        for pit in lap.landings:
            before[pit] += 1
    for pit, seeds in trace.captures:
        assert before[pit] == seeds > 0
        before[pit] = 0
    assert tuple(before) == reference.counts(trace.board)
    assert trace.taken == sum(seeds for _, seeds in trace.captures)
    assert len(trace.landings) == sum(len(lap.landings) for lap in trace.laps)
    gained = [after.scores[side] - game.scores[side] - trace.swept[side] for side in (0, 1)]
    assert gained == ([trace.taken, 0] if player == 0 else [0, trace.taken])
    assert sum(trace.swept) in (0, sum(before))
    if not after.over:
        assert trace.passed == (after.turn == player)


@given(villages.games())
def test_a_trace_tells_all_that_a_move_does(game: Game) -> None:
    before = everything(game)
    for move in game.legal_moves:
        traced(game, move)
    assert everything(game) == before


@pytest.mark.parametrize("name", names())
def test_the_start_of_every_preset_reads_the_same_from_both_seats(name: str) -> None:
    rules = get(name)
    start = reference.start(rules)
    assert turned(rules, start).board == start.board
