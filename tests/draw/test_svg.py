"""The picture: the same bytes for the same game, every seed in it and inside its pit, nothing from outside."""

from __future__ import annotations

import math
import os
import random
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import awale
from awale.draw import board_svg, seeds
from awale.rules import Rules, presets

GOLDEN = Path(__file__).parent.parent / "data" / "draw"
SVG = "{http://www.w3.org/2000/svg}"


def played(rules: str, plies: int, seed: int) -> awale.Game:
    """A game of random moves, the same at every call."""
    chance, game = random.Random(seed), awale.Game(rules)
    while len(game.moves) < plies and not game.over:
        game.push(game.legal_moves[chance.randrange(len(game.legal_moves))])
    return game


PICTURES = {
    "abapa-start": lambda: board_svg(awale.Game("abapa")),
    "abapa-middle": lambda: board_svg(played("abapa", 40, 8)),
    "abapa-flip-fr": lambda: board_svg(played("abapa", 31, 3), flip=True, lang="fr"),
    "heavy": lambda: board_svg(awale.Game.from_position("23-1-0-2-11-3-7-17-0-36-5-10-20-0-N")),
    "ghana4": lambda: board_svg(played("ghana4", 2, 1)),
    "twelve-a-side": lambda: board_svg(played("abapa:pits=12", 40, 4), size=700),
    "tricolor": lambda: board_svg(played("tricolor", 22, 7)),
    "annotated": lambda: board_svg(
        played("abapa", 12, 8),
        arrows=[(1, 8), (5, 2, "#c0392b"), (10, 10, "rebeccapurple"), *played("abapa", 12, 8).legal_moves[:1]],
        fill={8: "#2ecc71", 3: "rgb(230 60 60)"},
        colours={"wood": "#e8e4d8", "frame": "#44515c", "pit": "#b9b3a3", "names": "white", "arrow": "#1f5fbf"},
    ),
    "tricolor-annotated": lambda: board_svg(
        played("tricolor", 22, 7),
        arrows=[(0, 7), (13, 4, "orangered"), (9, 9)],
        fill={7: "gold", 12: "#3498db"},
        colours={"wood": "#d9e4d4", "frame": "#2f4f4f"},
    ),
    "tricolor-flip": lambda: board_svg(played("tricolor", 22, 7), flip=True, last_move=False),
}


@pytest.mark.parametrize("name", PICTURES)
def test_golden(name: str) -> None:
    path, picture = GOLDEN / f"{name}.svg", PICTURES[name]()
    if os.environ.get("AWALE_REGENERATE"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(picture, encoding="utf-8")
    assert picture == path.read_text(encoding="utf-8"), (
        "if it is meant: AWALE_REGENERATE=1 pytest tests/draw, and look at it"
    )


def shapes(picture: str, *fills: str) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(picture)
    return [shape for shape in root.iter() if shape.get("fill") in fills]


def texts(picture: str) -> list[str]:
    return [node.text or "" for node in ElementTree.fromstring(picture).iter(f"{SVG}text")]


@pytest.mark.parametrize("name", presets.names())
@pytest.mark.parametrize("flip", [False, True])
def test_every_seed_is_drawn_once(name: str, flip: bool) -> None:
    for plies in (0, 7, 30):
        game = played(name, plies, 2)
        picture = board_svg(game, flip=flip)
        plain = len(shapes(picture, "url(#awale-seed)", "url(#awale-dark)"))
        if not game.rules.coloured:
            assert plain == sum(game.counts) + sum(game.scores)
            continue
        assert plain == sum(game.scores)
        reds, blues, clears = (sum(hole[colour] for hole in game.board) for colour in range(3))  # type: ignore[index]
        # One more of each stands in the legend.
        assert len(shapes(picture, "url(#awale-red)")) == reds + 1
        assert len(shapes(picture, "url(#awale-blue)")) == blues + 1
        assert len(shapes(picture, "#ffffff")) == clears + 1


def test_numbers_names_and_players_are_written() -> None:
    game = awale.Game.from_position("23-1-0-2-11-3-7-17-0-36-5-10-20-9-N")
    found = texts(board_svg(game))
    for text in (*map(str, game.counts), "20", "9", *"ABCDEF", *"abcdef", "South", "North"):
        assert text in found
    assert "Nord" in texts(board_svg(game, lang="fr"))
    assert [t for t in texts(board_svg(awale.Game("upsti"))) if t in "012345"].count("5") == 2


def test_the_side_at_the_bottom() -> None:
    def height_of(picture: str, text: str) -> float:
        nodes = ElementTree.fromstring(picture).iter(f"{SVG}text")
        return next(float(node.get("y", "")) for node in nodes if node.text == text)

    game = awale.Game("abapa")
    assert height_of(board_svg(game), "A") > height_of(board_svg(game), "a")
    assert height_of(board_svg(game, flip=True), "A") < height_of(board_svg(game, flip=True), "a")
    coloured = awale.Game("tricolor")
    assert height_of(board_svg(coloured), "J1") > height_of(board_svg(coloured), "J2")
    assert height_of(board_svg(coloured, flip=True), "J1") < height_of(board_svg(coloured, flip=True), "J2")


def test_the_last_move_is_marked_and_its_captures_too() -> None:
    # F sows two seeds and takes b's 2, then a's 2.
    game = awale.Game.from_position("4-4-4-4-4-2-1-1-4-4-4-4-5-7-S")
    assert "#ffb21a" in board_svg(game)  # whose turn it is
    before = board_svg(game).count("#ffb21a")
    game.push("F")
    after = board_svg(game)
    assert after.count("#ffb21a") == before + 3  # the ring of the origin, its name, the dotted ring of the last pit
    assert texts(after).count("−2") == 2
    assert board_svg(game, last_move=False).count("#ffb21a") == before


def test_an_endless_sowing_can_be_drawn() -> None:
    game = awale.Game.from_position("1-2-0-2-0-0-S", rules="ghana-basic:pits=2")
    endless = [move for move in game.legal_moves if game.trace(move).period]
    game.push(endless[0])
    assert board_svg(game)
    assert str(game)


def test_size_scales_and_nonsense_is_refused() -> None:
    root = ElementTree.fromstring(board_svg(awale.Game("abapa"), size=415))
    assert root.get("width") == "415"
    assert root.get("height") == "158"
    with pytest.raises(awale.AwaleError, match="at least 1 pixel wide, not 0"):
        board_svg(awale.Game("abapa"), size=0)


@pytest.mark.parametrize(
    ("annotations", "problem"),
    [
        ({"arrows": [(0, 12)]}, "there is no pit 12: pits are numbered from 0 to 11"),
        ({"arrows": [(-1, 3)]}, "there is no pit -1"),
        ({"fill": {"A": "red"}}, "there is no pit 'A'"),
        ({"fill": {0: "url(http://example.org)"}}, "is not a colour"),
        ({"arrows": [(0, 1, 'red" onload="x')]}, "is not a colour"),
        ({"colours": {"table": "red"}}, "no part of the picture is called 'table': there are frame, wood"),
        ({"colours": {"wood": 3}}, "3 is not a colour"),
    ],
)
def test_annotations_that_make_no_sense_are_refused(annotations: dict[str, Any], problem: str) -> None:
    with pytest.raises(awale.AwaleError, match=re.escape(problem)) as refused:
        board_svg(awale.Game("abapa"), **annotations)
    assert refused.value.sentence("fr") != str(refused.value)


@pytest.mark.parametrize("rules", ["abapa", "tricolor"])
@pytest.mark.parametrize("flip", [False, True])
def test_arrows_fills_and_colours(rules: str, flip: bool) -> None:
    game = awale.Game(rules)
    plain = board_svg(game, flip=flip)
    drawn = board_svg(game, flip=flip, arrows=[(0, 3), (4, 4, "teal")], fill={2: "lime"}, colours={"wood": "#123456"})
    assert len(shapes(drawn, "#1c8a4a")) == 1
    assert drawn.count("teal") == 1
    (filled,) = shapes(drawn, "lime")
    pits = {(shape.get("cx"), shape.get("cy")) for shape in shapes(plain, "url(#awale-pit)")}
    assert (filled.get("cx"), filled.get("cy")) in pits
    assert len(shapes(drawn, "#123456")) == 1
    assert not shapes(drawn, "url(#awale-wood)")
    move = game.legal_moves[1]
    assert board_svg(game, arrows=[move]) == board_svg(game, arrows=[(move.pit, game.trace(move).last)])


def test_nothing_from_outside() -> None:
    for name in presets.names():
        picture = board_svg(awale.Game(name))
        assert not re.search(r"<script|<image|<foreignObject|@import|font-face|href|url\((?!#awale-)", picture)
        assert picture.count("http") == 1  # the name space


def test_names_that_are_no_xml_do_no_harm() -> None:
    rules = Rules(name="a<b>&'\x01")
    root = ElementTree.fromstring(board_svg(awale.Game(rules)))
    title = root.find(f"{SVG}title")
    assert title is not None
    assert (title.text or "").startswith("a<b>&'�")


def test_notebooks_get_the_picture() -> None:
    game = awale.Game("ghana4")
    assert game._repr_svg_() == board_svg(game)


@pytest.mark.parametrize("pits", range(1, 13))
def test_all_sizes(pits: int) -> None:
    picture = board_svg(awale.Game(f"abapa:pits={pits},seeds=10"))
    assert len(shapes(picture, "url(#awale-seed)")) == 20 * pits


@pytest.mark.parametrize("pits", range(1, 9))
def test_all_sizes_of_the_ring(pits: int) -> None:
    picture = board_svg(awale.Game(f"tricolor:pits={pits}"))
    assert len(shapes(picture, "url(#awale-blue)")) == 4 * pits + 1


@given(count=st.integers(0, 240), radius=st.floats(5, 100))
def test_seeds_stay_in_their_pit_and_apart(count: int, radius: float) -> None:
    heap = seeds.in_circle(count, radius, 8.6)
    assert len(heap.seeds) == count
    assert 0 < heap.radius <= 8.6
    assert all(math.hypot(seed.x, seed.y) + heap.radius <= radius + 1e-6 for seed in heap.seeds)
    assert_apart(heap)


@given(count=st.integers(0, 240), width=st.floats(20, 300), height=st.floats(20, 300))
def test_seeds_stay_in_their_store_and_apart(count: int, width: float, height: float) -> None:
    heap = seeds.in_box(count, width, height, 5.6)
    assert len(heap.seeds) == count
    for seed in heap.seeds:
        assert abs(seed.x) + heap.radius <= width / 2 + 1e-6
        assert abs(seed.y) + heap.radius <= height / 2 + 1e-6
    assert_apart(heap)


def assert_apart(heap: seeds.Heap) -> None:
    """No two seeds overlap; neighbours are looked for in a grid, so that 240 seeds are quick."""
    cells: dict[tuple[int, int], list[seeds.Seed]] = {}
    side = 2 * heap.radius
    for seed in heap.seeds:
        column, row = math.floor(seed.x / side), math.floor(seed.y / side)
        for near in ((column + dx, row + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)):
            for other in cells.get(near, ()):
                assert math.hypot(seed.x - other.x, seed.y - other.y) >= side - 1e-6
        cells.setdefault((column, row), []).append(seed)


@pytest.mark.browser
def test_a_real_browser_draws_it(chromium: Path, tmp_path: Path) -> None:
    """A browser takes it for a picture of its size, with the names in it."""
    from playwright.sync_api import sync_playwright

    (tmp_path / "board.html").write_text(f"<body style='margin:0'>{board_svg(awale.Game('tricolor'))}")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=str(chromium), args=["--no-sandbox"])
        try:
            page = browser.new_page()
            page.goto((tmp_path / "board.html").as_uri())
            box = page.locator("svg").bounding_box()
            names = page.locator("svg text").all_text_contents()
        finally:
            browser.close()
    assert box
    assert box["width"] == box["height"] > 600
    assert [name for name in names if name == "16"] == ["16"]
