"""Moving pictures of games: every seed is there in every position, and nothing else moves."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from awale import Game
from awale.draw import animated_svg
from awale.errors import AwaleError

SVG = "{http://www.w3.org/2000/svg}"


def seeds(picture: str) -> list[ET.Element]:
    kinds = ("url(#awale-seed)", "url(#awale-dark)")
    return [one for one in ET.fromstring(picture).iter(f"{SVG}circle") if one.get("fill") in kinds]


@pytest.mark.parametrize("rules", ["abapa", "ghana", "ghana4"])
def test_every_seed_has_a_place_in_every_position(rules: str) -> None:
    game = Game(rules)
    while len(game.moves) < 6 and not game.over:
        game.push(game.legal_moves[0])
    drawn = seeds(animated_svg(game))
    assert len(drawn) == game.rules.total
    moving = [seed for seed in drawn if len(seed)]
    assert moving
    for seed in moving:
        for change in seed:
            values, times = change.get("values", "").split(";"), change.get("keyTimes", "").split(";")
            assert len(values) == len(times) == 2 * (len(game.moves) + 1)
            assert [float(time) for time in times] == sorted(float(time) for time in times)
    # Seeds of one position lie at places of their own.
    last = {(seed.get("cx"), seed.get("cy")) if not len(seed) else _last(seed) for seed in drawn}
    assert len(last) == game.rules.total


def _last(seed: ET.Element) -> tuple[str | None, str | None]:
    changes = {change.get("attributeName"): change.get("values", "").split(";")[-1] for change in seed}
    return changes.get("cx", seed.get("cx")), changes.get("cy", seed.get("cy"))


def test_what_has_no_moving_picture() -> None:
    for game in (Game("abapa"), Game("tricolor", moves="1R")):
        with pytest.raises(AwaleError):
            animated_svg(game)
