"""Moving pictures of games: every seed is there in every position, and nothing else moves."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from awale import Game
from awale.draw import animated_svg
from awale.errors import AwaleError

SVG = "{http://www.w3.org/2000/svg}"


def seeds(picture: str) -> list[ET.Element]:
    """The groups that are a seed: moved, and enlarged inside."""
    return [
        one for one in ET.fromstring(picture).iter(f"{SVG}g") if (one.get("transform") or "").startswith("translate")
    ]


@pytest.mark.parametrize("rules", ["abapa", "ghana", "ghana4", "tricolor"])
def test_every_seed_has_a_place_in_every_position(rules: str) -> None:
    game = Game(rules)
    while len(game.moves) < 6 and not game.over:
        game.push(game.legal_moves[0])
    drawn = seeds(animated_svg(game))
    assert len(drawn) == game.rules.total
    moving = [change for seed in drawn for change in seed.iter(f"{SVG}animateTransform")]
    assert moving
    for change in moving:
        values, times = change.get("values", "").split(";"), change.get("keyTimes", "").split(";")
        assert len(values) == len(times) == 2 * (len(game.moves) + 1)
        assert [float(time) for time in times] == sorted(float(time) for time in times)
    # Seeds of one position lie at places of their own.
    assert len({_last(seed) for seed in drawn}) == game.rules.total


def test_a_captured_seed_keeps_its_colour() -> None:
    game = Game("tricolor")
    while not any(game.scores):
        game.push(game.legal_moves[0])
    picture = animated_svg(game)
    assert [picture.count(f'"url(#awale-{colour})"') for colour in ("red", "blue", "seed")] == [33, 33, 0]


def _last(seed: ET.Element) -> str:
    move = seed.find(f"{SVG}animateTransform")
    return (seed.get("transform") or "")[10:-1] if move is None else move.get("values", "").split(";")[-1]


def test_what_has_no_moving_picture() -> None:
    with pytest.raises(AwaleError):
        animated_svg(Game("abapa"))
