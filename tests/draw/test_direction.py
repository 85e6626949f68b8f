"""A clockwise game: the same moves and boards, drawn as a mirror image wherever a board is drawn."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from awale import Game, Rules
from awale.classroom import worksheet
from awale.classroom.tree import build_tree
from awale.classroom.tree_text import tree_text
from awale.draw import animated_svg, board_svg
from awale.draw.ring import Ring
from awale.draw.svg import Rows
from awale.draw.text import board_text
from awale.notation import from_json, from_ogn, to_json, to_ogn
from awale.players.book import lookup
from awale.players.perfect import book_for
from awale.rules import get, names
from awale.rules.moves import write
from awale.tables import support

CLOCKWISE = "direction=clockwise"
Point = tuple[float, float]


def turning(places: list[Point]) -> int:
    """1 if these places, seen on a screen, follow one another counter-clockwise, -1 if clockwise."""
    area = sum(
        x * next_y - next_x * y for (x, y), (next_x, next_y) in zip(places, places[1:] + places[:1], strict=True)
    )
    return -1 if area > 0 else 1  # y grows downwards


def in_text(lines: list[str], written: list[str]) -> list[Point]:
    """Where the names of the pits are written: each occurs once."""
    places = []
    for name in written:
        ((y, x),) = [
            (y, match.start()) for y, line in enumerate(lines) for match in re.finditer(rf"(?<!\w){name}(?!\w)", line)
        ]
        places.append((float(x), float(y)))
    return places


def drawn(rules: Rules, flip: bool) -> dict[str, list[Point]]:
    """Every drawing of a board, as the places of its pits in the order of sowing."""
    from awale.tui.board import Layout, View, draw

    game = Game(rules)
    kind = Ring if rules.coloured else Rows
    picture = kind(game, flip=flip, mark=None, lang=None, arrows=(), fill={}, colours={})
    pits = range(rules.holes)
    found = {"svg": [picture.place(pit).pit for pit in pits]}
    if rules.notation != "left":  # both sides' pits have the same names
        labels = [write(rules, pit) for pit in pits]
        board = board_text(game, flip=flip).splitlines()
        rows = [line for line in board if not re.search(r"[│|]", line)]
        found["text"] = in_text([line.split("(")[0] for line in rows[:-1] if "South" not in line], labels)
        layout = Layout.fit(rules, 120, 30)
        shown = draw(View(rules, game.board, flip), layout).plain.splitlines()
        found["tui"] = in_text([line for line in shown if "│" not in line], labels)
        found["tui-mouse"] = [
            next((float(x), float(y)) for y in range(30) for x in range(120) if layout.pit_at(rules, flip, x, y) == pit)
            for pit in pits
        ]
    return found


@pytest.mark.parametrize("flip", [False, True])
@pytest.mark.parametrize("name", names())
def test_every_drawing_turns_the_way_of_the_rules(name: str, flip: bool) -> None:
    for rules, way in ((get(name), 1), (get(f"{name}:{CLOCKWISE}"), -1)):
        for where, places in drawn(rules, flip).items():
            assert turning(places) == way, where


def test_a_sowing_is_shown_clockwise() -> None:
    game = Game(f"wikipedia:{CLOCKWISE}", moves="C")
    assert board_text(game, unicode=False) == "\n".join(
        [
            "          a    b    c    d    e    f",
            "       +----+----+----+----+----+----+",
            " North |  5 |  4 |  4 |  4 |  4 |  4 |",
            "     0 +----+----+----+----+----+----+ 0",
            "       |  5 |  5 |  5 |  . |  4 |  4 | South",
            "       +----+----+----+----+----+----+",
            "          F    E    D   <C>   B    A",
            "South played C. North to move",
        ]
    )
    # The seeds of the moving picture go the other way too.
    usual, mirrored = (animated_svg(Game(rules, moves="C")) for rules in ("wikipedia", game.rules))
    assert usual.count("<animate") == mirrored.count("<animate")
    assert usual != mirrored
    assert board_svg(game) != board_svg(Game("wikipedia", moves="C"))


def test_worksheets_and_trees_are_mirrored() -> None:
    rules = get(f"abapa:{CLOCKWISE}")
    page = worksheet.page(rules, 2, lang="en")
    assert "Seeds are sown clockwise" in page
    assert page.index("<th>F</th>") < page.index("<th>A</th>")
    usual = tree_text(build_tree(Game("abapa:pits=2", moves="A"), 1))
    mirrored = tree_text(build_tree(Game(f"abapa:pits=2,{CLOCKWISE}", moves="A"), 1))
    assert "0 6 / 2 8" in usual
    assert "6 0 / 8 2" in mirrored


@pytest.mark.parametrize("name", names())
def test_a_clockwise_game_is_the_same_game(name: str) -> None:
    """Same moves, boards, tables, and the same proven book: only what is drawn differs."""
    rules = get(f"{name}:{CLOCKWISE}")
    usual, mirrored = Game(name), Game(rules)
    for _ in range(8):
        assert usual.legal_moves == mirrored.legal_moves
        for game in (usual, mirrored):
            game.push(game.legal_moves[-1])
        assert usual.state == mirrored.state
    if not rules.coloured:
        assert support.key(rules) == support.key(usual.rules)
    assert (lookup(Game(rules)) is None) == (lookup(Game(name)) is None)
    if name == "ghana":
        assert book_for(rules) == book_for(usual.rules) != {}
    assert rules.variant(direction="counter-clockwise") is usual.rules


def test_game_files_keep_the_direction(tmp_path: Path) -> None:
    village = tmp_path / "mine.toml"
    village.write_text('base = "wikipedia"\ndirection = "clockwise"\nseeds = 3\n', encoding="utf-8")
    for rules in (get(f"wikipedia:{CLOCKWISE}"), Rules.from_toml(village)):
        game = Game(rules, moves="A a")
        assert from_ogn(to_ogn(game)).rules == rules
        assert from_json(to_json(game)).rules == rules
    assert get(f"wikipedia:{CLOCKWISE}").title == {
        "en": "Wikipedia, clockwise",
        "fr": "Wikipédia, dans le sens des aiguilles d'une montre",
    }
