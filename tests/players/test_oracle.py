"""What the oracle says about moves: true values, and where they come from."""

from __future__ import annotations

import pytest

from awale import Game
from awale.players.oracle import Oracle
from awale.search.solve import solve
from awale.tables.board_values import all_shipped, bounds_of


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
