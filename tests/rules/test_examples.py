"""Every worked example of the rules' sources, as their words tell it (the pictures are lost: positions that fit)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from awale import Game, IllegalMoveError
from awale.rules import get, reference


def board(*pits: int, scores: tuple[int, int] | None = None, side: str = "S") -> str:
    """A position of 48 seeds in all: whatever is not on the board was captured, shared about evenly."""
    rest = 48 - sum(pits)
    south, north = scores or (rest // 2, rest - rest // 2)
    return "-".join(map(str, [*pits, south, north, side]))


# -- the Ghanaian game -------------------------------------------------------------------------------------------------


def test_ghana_the_first_move_of_the_article() -> None:
    game = Game("ghana")
    trace = game.trace("3")
    assert [lap.landings[-1] + 1 for lap in trace.laps] == [7, 12, 5, 11, 5]
    assert trace.captures == ((7, 6),)
    game.push("3")
    assert game.scores == (6, 0)
    assert game.turn == 1


def test_parrains_a_lap_that_ends_at_the_opponent_ends_the_move() -> None:
    """Their text: "si il finit sur une case adverse, c'est au tour de l'autre"."""
    game = Game("parrains")
    assert [[lap.landings[-1] + 1 for lap in game.trace(move).laps] for move in game.legal_moves] == [
        [5, 10],
        [6, 11],
        [7],
        [8],
        [9],
        [10],
    ]
    game.push("3")
    assert game.board == (4, 4, 0, 5, 5, 5, 5, 4, 4, 4, 4, 4)
    assert (game.turn, game.scores) == (1, (0, 0))


def test_parrains_an_empty_pit_of_ones_own_takes_the_pit_opposite() -> None:
    trace = Game.from_position("3-1-0-0-2-4-5-3-6-2-4-1-9-8-S", "parrains").trace("1")
    assert trace.captures == ((8, 6),)
    assert trace.board[3] == 1, "the last seed stays"
    # An empty pit of the opponent takes nothing.
    assert Game.from_position("0-0-0-0-0-2-3-0-4-4-4-4-9-8-S", "parrains").trace("6").captures == ()


def test_parrains_no_sowing_is_endless() -> None:
    """A relay that goes round leaves a seed in every pit of the other side, and never lifts them. Every board of up to
    eight seeds on up to three pits a side, where ghana has endless sowings."""
    endless = 0
    for pits in (1, 2, 3):
        holes = 2 * pits
        for seeds in range(1, 9):
            for board in _boards(holes, seeds):
                for pit in range(pits):
                    if board[pit]:
                        period = reference.sow_relay(list(board), pit, 1000, side=range(pits))[2]
                        assert period is None
                        endless += reference.sow_relay(list(board), pit)[2] is not None
    assert endless > 0


def _boards(holes: int, seeds: int) -> Iterator[tuple[int, ...]]:
    if holes == 1:
        yield (seeds,)
        return
    for first in range(seeds + 1):
        for rest in _boards(holes - 1, seeds - first):
            yield (first, *rest)


def test_ghana_four_pits_come_back_after_eight_laps() -> None:
    # Top row "2 0" reads from left to right, so the pit on the right follows the bottom row.
    game = Game.from_position("1-2-0-2-5-6-S", "ghana4")
    assert game.trace("2").period == 8
    assert [str(move) for move in game.legal_moves] == ["1"]
    assert game.why_illegal("2") == "the sowing of 2 never ends: it comes back to its start after 8 laps"
    laps = game.trace("2").laps
    assert len(laps) == 8
    replayed = list(game.counts)
    seen = []
    for lap in laps:
        replayed[lap.pit] = 0
        for pit in lap.landings:
            replayed[pit] += 1
        seen.append((replayed[3], replayed[2], replayed[0], replayed[1]))
    # The article's own row of boards (top left, top right, bottom left, bottom right).
    assert seen == [
        (3, 1, 1, 0),
        (0, 2, 2, 1),
        (1, 0, 3, 1),
        (2, 1, 0, 2),
        (0, 1, 1, 3),
        (1, 2, 2, 0),
        (1, 3, 0, 1),
        (2, 0, 1, 2),
    ]


def test_ghana_the_long_loop_has_50636_laps() -> None:
    position = "1-6-3-11-1-0-6-0-4-1-2-11-1-1-N"
    game = Game.from_position(position, "ghana")
    assert game.trace("11").period == 50_636
    assert game.why_illegal("11") == "the sowing of 11 never ends: it comes back to its start after 50,636 laps"
    assert "50\N{NARROW NO-BREAK SPACE}636 tours" in str(game.why_illegal("11", "fr"))
    with pytest.raises(IllegalMoveError, match="50,636"):
        game.push("11")


def test_ghana_basic_lets_an_endless_sowing_end_the_game() -> None:
    game = Game.from_position("1-6-3-11-1-0-6-0-4-1-2-11-1-1-N", "ghana-basic")
    before = game.board
    game.push("11")
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.reason == "endless"
    assert outcome.winner is None
    assert outcome.scores == (1, 1)
    assert game.board == before
    game.pop()
    assert not game.over


def test_ghana_a_player_whose_every_move_is_endless_ends_the_game() -> None:
    game = Game.from_position("0-2-0-0-1-0-S", "ghana4")
    assert not game.over
    # Every board of a few seeds, until one is found whose player can only sow for ever.
    rules = get("ghana4")
    stuck = [
        position
        for a in range(5)
        for b in range(5)
        for c in range(5)
        for d in range(5)
        if a + b and 2 <= a + b + c + d <= 8
        for position in [reference.Position((a, b, c, d), (4, 4), 0)]
        if all(reference.step(rules, position, move).sown.period for move in reference.candidates(rules, position))
    ]
    assert stuck
    for position in stuck:
        over = Game(rules, start=position)
        outcome = over.outcome()
        assert outcome is not None
        assert (outcome.reason, outcome.scores, outcome.winner) == ("no-move", (4, 4), None)
        assert over.board == position.board, "the seeds stay where they lie"
        assert not Game("ghana-basic:pits=2", start=position).over


def test_ghana_the_last_single_seed_goes_to_the_mover() -> None:
    # South drops his seed in an empty pit of his own and takes the two seeds opposite: one is left.
    game = Game.from_position("0-0-0-1-0-0-0-2-0-0-0-0-22-23-S", "ghana")
    game.push("4")
    outcome = game.outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.scores) == ("few", (25, 23))
    assert sum(game.counts) == 0


def test_ghana_a_player_without_seeds_passes() -> None:
    game = Game.from_position("1-1-0-1-0-0-0-0-0-0-0-0-22-23-S", "ghana")
    game.push("4")
    assert game.turn == 0
    assert game.ply == 1
    assert game.trace("5").passed
    game.pop()
    assert game.turn == 0
    assert Game.from_position("1-1-0-1-0-0-0-0-0-0-0-0-22-23-N", "ghana").turn == 0


def test_ghana_more_than_half_wins() -> None:
    assert not Game.from_position("1-1-0-0-0-0-0-0-0-0-0-1-24-21-S", "ghana").over
    outcome = Game.from_position("1-1-0-0-0-0-0-0-0-0-0-0-25-21-S", "ghana").outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.winner, outcome.scores) == ("win", 0, (25, 21))


# -- Casabianca's examples 1 to 7 --------------------------------------------------------------------------------------


def casabianca(position: str) -> Game:
    return Game.from_position(position, "casabianca")


def test_casabianca_1_four_seeds_are_sown() -> None:
    game = Game("casabianca")
    game.push("d")
    assert game.board == (4, 4, 4, 0, 5, 5, 5, 5, 4, 4, 4, 4)
    assert [str(move) for move in game.legal_moves] == ["A", "B", "C", "D", "E", "F"]


def test_casabianca_2_a_long_sowing_skips_its_origin() -> None:
    game = casabianca(board(3, 3, 3, 3, 15, 3, 3, 3, 3, 3, 3, 3))
    game.push("e")
    assert game.board == (4, 4, 4, 4, 0, 5, 5, 5, 5, 4, 4, 4)


def test_casabianca_3_the_last_seed_takes_three() -> None:
    game = casabianca(board(0, 2, 0, 5, 1, 0, 3, 4, 2, 6, 0, 1))
    assert game.trace("d").captures == ((8, 3),)
    south = game.scores[0]
    game.push("d")
    assert game.scores[0] == south + 3
    assert game.board[8] == 0


def test_casabianca_4_the_capture_goes_backwards_until_a_pit_that_holds_one() -> None:
    game = casabianca(board(1, 0, 0, 6, 0, 0, 2, 0, 2, 1, 5, 0))
    assert game.trace("d").captures == ((9, 2), (8, 3))
    game.push("d")
    assert game.board[7] == 1


def test_casabianca_5_a_granary_takes_ten() -> None:
    game = casabianca(board(1, 1, 0, 0, 2, 16, 0, 0, 0, 0, 0, 0))
    trace = game.trace("f")
    assert trace.taken == 10
    assert [pit for pit, _ in trace.captures] == [10, 9, 8, 7, 6]
    game.push("f")
    assert game.board[11] == 1, "the opponent keeps a seed"
    assert game.board[5] == 0


def test_casabianca_6_taking_everything_is_forbidden() -> None:
    game = casabianca(board(0, 0, 0, 4, 0, 1, 1, 1, 0, 0, 0, 0))
    assert [str(move) for move in game.legal_moves] == ["f"]
    assert game.why_illegal("d") == "d would leave the opponent nothing"
    assert game.why_illegal("d", "fr") == "d ne laisserait rien à l'adversaire"
    game.push("f")
    assert game.board[7] == 1


def test_casabianca_7_no_move_left_and_nobody_takes_the_rest() -> None:
    game = casabianca(board(0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0))
    outcome = game.outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.scores, outcome.winner) == ("no-move", (23, 23), None)
    assert sum(game.counts) == 2


def test_casabianca_players_may_agree_to_stop() -> None:
    game = casabianca(board(0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, scores=(24, 22)))
    game.offer_end()
    outcome = game.accept_end()
    assert (outcome.reason, outcome.scores, outcome.winner) == ("agreement", (24, 22), 0)


# -- the three-colour game ---------------------------------------------------------------------------------------------


def ring(scores: tuple[int, int], side: str, **holes: str) -> str:
    """A ring from `h14="4B"`, `h16="3B1R"`."""
    cells = []
    for hole in range(1, 17):
        text = holes.get(f"h{hole}", "")
        counted = dict.fromkeys("RBT", 0)
        while text:
            counted[text[1]] += int(text[0])
            text = text[2:]
        cells.append(".".join(str(counted[colour]) for colour in "RBT"))
    return "-".join([*cells, *map(str, scores), side])


def test_tricolor_first_example_takes_ten() -> None:
    position = ring((40, 42), "N", h13="2R2B", h14="2R2B", h15="2B", h16="2R", h1="2R")
    game = Game.from_position(position, "tricolor")
    trace = game.trace("14B")
    assert [(pit + 1, seeds) for pit, seeds in trace.captures] == [(1, 3), (16, 2), (15, 3), (14, 2)]
    assert trace.taken == 10


def test_tricolor_second_example() -> None:
    holes = {"h14": "4B", "h15": "2R", "h16": "3B1R", "h1": "1R", "h2": "2R", "h3": "1B", "h4": "2B", "h5": "1R"}
    game = Game.from_position(ring((40, 39), "N", **holes), "tricolor")
    blue, red = game.trace("16B"), game.trace("16R")
    assert [pit + 1 for pit, _ in blue.captures] == [5, 4, 3, 2, 1]
    assert blue.taken == 10
    assert [pit + 1 for pit, _ in red.captures] == [1, 16, 15]
    assert red.taken == 7


def test_tricolor_transparent_seeds_go_first_and_stay_transparent() -> None:
    game = Game("tricolor")
    assert game.trace("1TR").laps[0].colours == "ttrr"
    assert game.trace("1TR").landings == (1, 2, 3, 4)
    assert game.trace("1TB").laps[0].colours == "ttbb"
    assert game.trace("1TB").landings == (1, 3, 5, 7)
    game.push("1tb")
    assert game.board[0] == (2, 0, 0)
    assert game.board[1] == (2, 2, 3)
    assert game.board[5] == (2, 3, 2)


def test_tricolor_red_skips_its_origin_and_blue_visits_the_opponent_only() -> None:
    crowded = ring((0, 0), "S", h1="9R8R", h3="9B", h2="2T", h9="5B")
    game = Game.from_position(crowded, "tricolor")
    assert game.trace("1R").landings == (*range(1, 16), 1, 2)
    assert game.trace("3B").landings == (3, 5, 7, 9, 11, 13, 15, 1, 3)


def test_tricolor_a_colour_needs_a_seed_of_it() -> None:
    game = Game.from_position(ring((0, 0), "S", h1="2R3T", h3="4B", h5="2T", h2="9R"), "tricolor")
    assert [str(move) for move in game.legal_moves] == ["1R", "1TR", "1TB", "3B", "5TR", "5TB"]
    assert game.why_illegal("1B") == "hole 1 has no blue seed"
    assert game.why_illegal("3tr") == "hole 3 has no transparent seed"
    assert game.why_illegal("3R", "fr") == "le trou 3 n'a pas de graine rouge"


def test_tricolor_starving_takes_all_and_in_2025_passes() -> None:
    holes = {"h1": "4R", "h3": "9T", "h4": "1B"}
    # J2's last seed goes to hole 5, J2's side is empty: J2, who moved, takes everything.
    game = Game.from_position(ring((40, 42), "N", **holes, h16="1R"), "tricolor")
    starving = Game.from_position(ring((41, 41), "S", h1="1R", h3="5T", h5="6B", h2="2R"), "tricolor")
    trace = starving.trace("1R")
    assert trace.captures == ((1, 3),)
    starving.push("1R")
    outcome = starving.outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.scores, outcome.winner) == ("no-move", (55, 41), 0)
    assert not game.over

    passing = Game.from_position(ring((41, 41), "S", h1="1R", h3="5T", h5="6B", h2="2R"), "tricolor-2025")
    passing.push("1R")
    assert not passing.over
    assert (passing.turn, passing.scores, passing.ply) == (0, (44, 41), 1)


@pytest.mark.parametrize(
    ("scores", "reason", "winner"),
    [((49, 30), "win", 0), ((30, 49), "win", 1), ((48, 39), "few", 0), ((44, 44), "few", None)],
)
def test_tricolor_endings(scores: tuple[int, int], reason: str, winner: int | None) -> None:
    left = 96 - sum(scores)
    game = Game.from_position(ring(scores, "S", h1=f"{min(left, 9)}R", h3=f"{max(left - 9, 0)}B"), "tricolor")
    outcome = game.outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.winner, outcome.scores) == (reason, winner, scores)


def test_tricolor_ten_seeds_are_not_few_and_400_moves_are_enough() -> None:
    ten = ring((43, 43), "S", h1="5R", h2="5R")
    assert not Game.from_position(ten, "tricolor").over
    assert not Game.from_position(ten + "-399", "tricolor").over
    game = Game.from_position(ten + "-399", "tricolor")
    game.push("1R")
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.reason == "moves"
    assert outcome.scores == game.scores
