"""What the oracle says about moves: true values, and where they come from."""

from __future__ import annotations

import random

import pytest

from awale import Game
from awale.bounds import bounds_of
from awale.players import make
from awale.players.oracle import Oracle
from awale.rules import get
from awale.search.solve import solve
from awale.tables import compute
from awale.tables.board_values import all_shipped, board_values, shipped
from tests.search.naive_solver import NaiveSolver, TooLargeError


def test_solved_boards_are_known_move_by_move() -> None:
    for entry in all_shipped():
        if entry["rules"] == "awari" and (entry["pits"], entry["seeds"]) in ((2, 2), (3, 2), (6, 3)):
            game = Game(f"awari:pits={entry['pits']},seeds={entry['seeds']}")
            known = Oracle(game.rules).ask(game)
            assert known.source == ("results" if entry["pits"] == 6 else "table")
            assert known.moves == {game.parse(move): bounds_of(value) for move, value in entry["moves"].items()}


@pytest.mark.parametrize("name", ["ghana4", "parrains:pits=2", "ghana-basic:pits=2", "ghana:pits=2,seeds=2"])
def test_relay_moves_are_proven_as_the_solver_proves_them(name: str) -> None:
    game = Game(name)
    each = solve(game, each=True).each
    assert each
    known = Oracle(game.rules).ask(game)
    assert known.source == "proof"
    for move, value in known.moves.items():
        result = "win" if value.least > 0 else "loss" if value.most < 0 else "draw"
        assert each[str(move)] == result
    assert len(known.moves) == len(each)


def test_what_is_not_known_is_not_said() -> None:
    for name in ("abapa", "tricolor", "upsti", "ghana:pits=7,seeds=1"):
        game = Game(name)
        assert Oracle(game.rules).ask(game) == (None, {}), name
    ghana = Game("ghana")
    assert Oracle(ghana.rules).ask(ghana).source == "book"
    assert [str(move) for move in Oracle(ghana.rules).ask(ghana).moves] == ["3"]


def test_the_start_has_the_closer_bounds_that_are_shipped() -> None:
    game = Game("abapa:pits=3,seeds=3")
    known = Oracle(game.rules).ask(game)
    board = shipped(game.rules)
    assert board is not None
    assert known.source == "results"
    assert {str(move): value for move, value in known.moves.items()} == board.moves
    assert board_values(compute(game.rules, 18), game).moves != board.moves


@pytest.mark.parametrize("name", ["awari:pits=2,seeds=3", "awari:pits=3,seeds=2", "abapa:pits=2,seeds=2"])
def test_what_was_played_since_the_last_capture_counts(name: str) -> None:
    """A position that comes back ends the game, so a table alone proves nothing that such a return could change:
    compared with every line of random games, their history included."""
    chosen = random.Random(name)
    rules = get(name).variant(win_at=None)
    oracle, player = Oracle(rules), make("perfect", rules)
    asked = exact = 0
    for _ in range(12):
        game = Game(rules)
        while not game.over and game.ply < 30:
            try:
                truth = NaiveSolver(game.rules, 20_000).margins(game)
            except TooLargeError:
                truth = {}
            if truth:
                said = oracle.ask(game).moves
                assert all(value.least <= truth[move] <= value.most for move, value in said.items()), str(game)
                asked += len(said)
                exact += sum(value.exact for value in said.values())
                choice = player.choose(game)
                if "proved" in choice.info:
                    best = max(truth.values())
                    assert truth[choice.move] == best, str(game)
                    assert choice.value in (None, best), str(game)
                    assert _agrees(str(choice.info["proved"]), best), str(game)
            game.push(chosen.choice(list(game.legal_moves)))
    assert asked > 100
    assert exact > (0.9 * asked if name.startswith("awari") else 0)


@pytest.mark.parametrize(
    "name",
    [
        "upsti:pits=2,seeds=3",
        "upsti:pits=2,seeds=3,few_rest=nobody",
        "wikipedia:pits=2,seeds=3,few_seeds=none",
        "casabianca:pits=2,seeds=3,no_move=own-side",
        "awari:pits=2,seeds=3",
    ],
)
def test_the_moves_left_count(name: str) -> None:
    """Small boards with a move limit have tables too: compared with every line of a short game."""
    rules = get(f"{name},move_limit=11").variant(win_at=None)
    oracle, player = Oracle(rules), make("perfect", rules)
    margins: dict[str, int] = {}
    exact = 0

    def south_ahead(game: Game) -> int:
        """The final margin of South, computed once for each position with its number of moves, or for each line if
        positions may not come back."""
        nonlocal exact
        if game.over:
            return game.scores[0] - game.scores[1]
        key = game.position if rules.repetition == "none" else " ".join(map(str, game.moves))
        if key not in margins:
            sign = 1 - 2 * game.turn
            known, truth = oracle.ask(game), {}
            for move in game.legal_moves:
                game.push(move)
                truth[move] = sign * south_ahead(game)
                game.pop()
            assert known.source == "table"
            assert all(value.least <= truth[move] <= value.most for move, value in known.moves.items()), str(game)
            exact += sum(value.exact for value in known.moves.values())
            margins[key] = sign * max(truth.values())
            if len(margins) % 50 == 0:
                choice = player.choose(game)
                assert choice.value in (None, truth[choice.move])
        return margins[key]

    south_ahead(Game(rules))
    assert len(margins) > 100
    assert exact > 100


@pytest.mark.parametrize(
    "name", ["awari:notation=left", "casabianca:notation=numbers", "wikipedia:seeds=3,notation=left"]
)
def test_shipped_results_are_known_in_every_notation(name: str) -> None:
    game = Game(name)
    usual = Game(game.rules.variant(notation="letters"))
    known = Oracle(game.rules).ask(game)
    assert known.source == "results"
    assert {move.pit: value for move, value in known.moves.items()} == {
        move.pit: value for move, value in Oracle(usual.rules).ask(usual).moves.items()
    }
    assert make("perfect", game.rules).choose(game).move in game.legal_moves


def _agrees(proved: str, margin: int) -> bool:
    return {"win": margin > 0, "draw": margin == 0, "loss": margin < 0, "at-least-draw": margin >= 0}.get(proved, True)
