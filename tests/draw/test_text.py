"""The board as text: every number in its place, in 80 columns, on any terminal."""

from __future__ import annotations

import random
import re

import pytest

import awale
from awale.draw import board_text
from awale.rules import presets


def played(rules: str, plies: int, seed: int) -> awale.Game:
    chance, game = random.Random(seed), awale.Game(rules)
    while len(game.moves) < plies and not game.over:
        game.push(game.legal_moves[chance.randrange(len(game.legal_moves))])
    return game


def test_unicode() -> None:
    game = awale.Game.from_position("4-4-4-4-12-2-1-1-4-4-4-0-5-7-S")
    game.push("F")
    assert board_text(game) == (
        "          f    e    d    c    b    a\n"
        "       ┌────┬────┬────┬────┬────┬────┐\n"
        " North │  · │  4 │  4 │  4 │  · │  · │\n"
        "     7 ├────┼────┼────┼────┼────┼────┤ 9\n"
        "       │  4 │  4 │  4 │  4 │ 12 │  · │ South\n"
        "       └────┴────┴────┴────┴────┴────┘\n"
        "          A    B    C    D    E   ‹F›\n"
        "South played F and took 4 from b, a. North to move"
    )
    assert str(game) == board_text(game)


def test_ascii_flipped_in_french() -> None:
    game = awale.Game("casabianca", moves="f")
    assert board_text(game, unicode=False, flip=True, lang="fr") == (
        "        <f>   e    d    c    b    a\n"
        "      +----+----+----+----+----+----+\n"
        "  Sud |  . |  4 |  4 |  4 |  4 |  4 |\n"
        "    0 +----+----+----+----+----+----+ 0\n"
        "      |  5 |  5 |  5 |  5 |  4 |  4 | Nord\n"
        "      +----+----+----+----+----+----+\n"
        "         A    B    C    D    E    F\n"
        "Sud a joué f. À Nord de jouer"
    )


def test_three_colours() -> None:
    game = awale.Game("tricolor", moves="3TB")
    assert board_text(game, unicode=False) == (
        "       16    15    14    13    12    11    10     9\n"
        "    +-----+-----+-----+-----+-----+-----+-----+-----+\n"
        "    |  2R |  2R |  2R |  2R |  2R |  2R |  2R |  2R |\n"
        "    |  2B |  2B |  2B |  2B |  2B |  2B |  3B |  2B |\n"
        "    |  2T |  2T |  2T |  2T |  2T |  2T |  2T |  2T |\n"
        "    +-----+-----+-----+-----+-----+-----+-----+-----+\n"
        "    |  2R |  2R |  2R |  2R |  2R |  2R |  2R |  2R |\n"
        "    |  2B |  2B |   . |  2B |  2B |  2B |  2B |  3B |\n"
        "    |  2T |  2T |   . |  3T |  2T |  3T |  2T |  2T |\n"
        "    +-----+-----+-----+-----+-----+-----+-----+-----+\n"
        "        1     2    <3>    4     5     6     7     8\n"
        "     J2:  0  (2, 4 ... 16)\n"
        "     J1:  0  (1, 3 ... 15)\n"
        "J1 played 3TB. J2 to move"
    )


def test_the_end_is_told() -> None:
    game = awale.Game("abapa")
    game.resign()
    assert board_text(game).endswith("North wins 0-0: a player resigned")
    assert board_text(game, lang="fr").endswith("Nord gagne 0-0 : un joueur a abandonné")


ALL = (
    *presets.names(),
    *(f"abapa:pits={pits},seeds={240 // (2 * pits)}" for pits in range(1, 13)),
    *(f"ghana:pits={pits}" for pits in range(1, 13)),
    *(f"tricolor:pits={pits},seeds={240 // (6 * pits)}" for pits in range(1, 9)),
)


@pytest.mark.parametrize("rules", ALL)
def test_fits_80_columns_and_every_terminal(rules: str) -> None:
    for plies in (0, 5, 25):
        game = played(rules, plies, 1)
        for flip in (False, True):
            plain = board_text(game, unicode=False, flip=flip)
            assert plain.isascii()
            for drawn in (plain, board_text(game, flip=flip)):
                assert max(map(len, drawn.splitlines())) <= 80
                assert not any(line != line.rstrip() for line in drawn.splitlines())
            coloured = board_text(game, flip=flip, colour=True)
            assert "\x1b[" in coloured
            without = "\n".join(line.rstrip() for line in re.sub(r"\x1b\[[0-9;]*m", "", coloured).splitlines())
            assert without == board_text(game, flip=flip)


@pytest.mark.parametrize("rules", ["abapa", "ghana4", "abapa:pits=12", "upsti:pits=1"])
@pytest.mark.parametrize("flip", [False, True])
def test_every_count_stands_under_its_name(rules: str, flip: bool) -> None:
    game = played(rules, 9, 4)
    lines = board_text(game, unicode=False, flip=flip).splitlines()
    pits = game.rules.pits
    upper = [0 if cell.strip() == "." else int(cell) for cell in lines[2].split("|")[1:-1]]
    lower = [0 if cell.strip() == "." else int(cell) for cell in lines[4].split("|")[1:-1]]
    shown = lower + upper[::-1]
    assert tuple(shown[pits:] + shown[:pits] if flip else shown) == game.counts
    names = re.findall(r"\w+", lines[6]) + re.findall(r"\w+", lines[0])[::-1]
    expected = [str(awale.rules.moves.write(game.rules, pit)) for pit in range(2 * pits)]
    assert names == (expected[pits:] + expected[:pits] if flip else expected)
