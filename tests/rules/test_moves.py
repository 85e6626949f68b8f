"""Single moves: how each notation writes and reads them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awale import Game, MoveError, Rules
from awale.rules import all_rules, get, moves
from awale.rules.moves import Reading

SIZES = [
    *(get("abapa").variant(pits=pits, seeds=1) for pits in range(1, 13)),
    *(get("casabianca").variant(pits=pits, seeds=1) for pits in range(1, 13)),
    *(get("upsti").variant(pits=pits, seeds=4) for pits in range(1, 13)),
    *(get("ghana").variant(pits=pits, seeds=2) for pits in range(1, 13)),
    *(get("tricolor").variant(pits=pits, seeds=2) for pits in range(2, 9)),
    *all_rules(),
]


@pytest.mark.parametrize(
    ("rules", "south", "north"),
    [
        ("ghana", "1 2 3 4 5 6", "7 8 9 10 11 12"),
        ("ghana4", "1 2", "3 4"),
        ("casabianca", "a b c d e f", "A B C D E F"),
        ("upsti", "0 1 2 3 4 5", "0 1 2 3 4 5"),
        ("wikipedia", "A B C D E F", "a b c d e f"),
        ("abapa", "A B C D E F", "a b c d e f"),
        ("awari", "A B C D E F", "a b c d e f"),
        ("abapa:pits=12,seeds=2", "A B C D E F G H I J K L", "a b c d e f g h i j k l"),
    ],
)
def test_names_of_the_pits(rules: str, south: str, north: str) -> None:
    known = get(rules)
    assert [moves.write(known, pit) for pit in known.own_pits(0)] == south.split()
    assert [moves.write(known, pit) for pit in known.own_pits(1)] == north.split()
    assert [str(move) for move in Game(rules).legal_moves] == south.split()


def test_names_of_coloured_moves() -> None:
    assert [str(move) for move in Game("tricolor").legal_moves][:5] == ["1R", "1B", "1TR", "1TB", "3R"]
    assert str(moves.make(get("tricolor"), 13, "tb")) == "14TB"


@pytest.mark.parametrize("rules", SIZES, ids=lambda rules: rules.name)
def test_what_is_written_is_read(rules: Rules) -> None:
    for (pit, colour), move in moves.table(rules).items():
        for text in (
            move.text,
            move.text.lower(),
            move.text.upper(),
            f" {move.text} ",
            f"{move.text}+12",
            f"{move.text}!?",
        ):
            assert moves.read(rules, text, rules.owner(pit)) == Reading(pit, colour)


@pytest.mark.parametrize(
    ("rules", "text", "turn", "reading"),
    [
        ("abapa", "F+2", 0, Reading(5, None)),
        ("abapa", "f", 1, Reading(11, None)),
        ("abapa", "F", 1, Reading(11, None)),
        ("abapa", "G", 0, Reading(12, None)),  # off the board: the caller says so
        ("abapa", "3", 0, None),
        ("abapa", "Ff", 0, None),
        ("abapa", "F+", 0, None),
        ("abapa", "", 0, None),
        ("abapa", "\N{KELVIN SIGN}", 0, None),  # the Kelvin sign is a K to a careless reader
        ("ghana", "7", 0, Reading(6, None)),
        ("ghana", "0", 0, Reading(-1, None)),
        ("ghana", "3R", 0, None),
        ("ghana", "A", 0, None),
        ("ghana", "٣", 0, None),
        ("upsti", "5", 1, Reading(11, None)),
        ("upsti", "6", 1, Reading(12, None)),
        ("upsti", "5r", 1, None),
        ("tricolor", "14tb", 1, Reading(13, "tb")),
        ("tricolor", "14 Tb", 1, Reading(13, "tb")),
        ("tricolor", "14", 1, Reading(13, None)),
        ("tricolor", "14T", 1, None),
        ("tricolor", "R", 1, None),
        ("tricolor", "1234R", 1, None),
    ],
)
def test_reading(rules: str, text: str, turn: int, reading: Reading | None) -> None:
    assert moves.read(get(rules), text, turn) == reading


@pytest.mark.parametrize(
    ("rules", "player", "names"),
    [
        ("abapa", 0, "A-F"),
        ("casabianca", 1, "A-F"),
        ("ghana", 1, "7-12"),
        ("upsti", 1, "0-5"),
        ("tricolor", 0, "1, 3 ... 15"),
        ("tricolor:pits=2", 1, "2, 4"),
        ("tricolor:pits=1,seeds=4", 1, "2"),
        ("abapa:pits=1,seeds=4", 1, "a"),
    ],
)
def test_all_pits_in_a_sentence(rules: str, player: int, names: str) -> None:
    assert moves.pit_names(get(rules), player) == names


@given(
    text=st.text(max_size=8) | st.text(st.sampled_from("0123456789abfgrtABFRT+!? "), max_size=6),
    turn=st.sampled_from([0, 1]),
)
def test_any_text(text: str, turn: int) -> None:
    """Reading never raises, and a game refuses whatever is no legal move with a sentence."""
    for rules in all_rules():
        reading = moves.read(rules, text, turn)
        assert reading is None or reading.pit >= -1
        game = Game(rules)
        why = game.why_illegal(text)
        if why is None:
            game.push(text)
        else:
            with pytest.raises(MoveError) as caught:
                game.push(text)
            assert str(caught.value) == why
