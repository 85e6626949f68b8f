"""The parts that need no server: the writer, limits, lessons, texts."""

from __future__ import annotations

import asyncio
import re
import string
from pathlib import Path

import pytest

from awale import Game
from awale.i18n import section
from awale.rules import get, names
from awale.rules.moves import make
from awale.store import Store, StoredGame, StoreError
from awale.web import rule_pages
from awale.web.batch_writer import BatchWriter
from awale.web.security import Bucket, Buckets, masked

WEB = Path("src/awale/web")


# -- the writer ------------------------------------------------------------------------------------------------------


async def test_work_that_fails_does_not_take_others_along(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'k.sqlite'}")
    writer = BatchWriter(store)

    def add(key: str) -> object:
        return writer.do(lambda session: store.games.add(session, StoredGame(rules="abapa", key=key)).key)

    results = await asyncio.gather(*(add(key) for key in ("a", "b", "a", "c")), return_exceptions=True)
    kept = [r for r in results if isinstance(r, str)]
    assert sorted(kept) == ["a", "b", "c"]
    assert sum(isinstance(r, StoreError) for r in results) == 1
    writer.close()
    with store.transaction() as session:
        assert len(list(store.games.every(session))) == 3
    store.close()


# -- limits ----------------------------------------------------------------------------------------------------------


def test_buckets_forget_the_addresses_longest_unseen() -> None:
    buckets = Buckets(0.0001, 1, remembered=2)
    assert [buckets.take(a) for a in ("x", "x", "y", "z", "x")] == [True, False, True, True, True]
    assert Bucket(1000, 1).take()


def test_secrets_are_masked() -> None:
    assert masked("/game/abc/seat/SECRET") == "/game/abc/seat/***"
    assert masked("/game/abc") == "/game/abc"


# -- lessons ---------------------------------------------------------------------------------------------------------


def test_every_preset_has_its_page() -> None:
    assert set(rule_pages.EXAMPLES) == set(names())


@pytest.mark.parametrize("example", {e.key + e.rules: e for es in rule_pages.EXAMPLES.values() for e in es}.values())
def test_examples_can_be_played(example: rule_pages.Example) -> None:
    game = Game.from_position(example.position, rules=example.rules)
    assert sum(game.counts) + sum(game.scores) in (game.rules.total, 5)
    assert set(section("lessons")[example.key]) == {"en", "fr"}
    if example.move is not None:
        game.push(example.move)


def test_examples_do_what_their_sentences_say() -> None:
    def game(key: str) -> tuple[Game, str]:
        (example,) = {e for es in rule_pages.EXAMPLES.values() for e in es if e.key == key and e.rules != "wikipedia"}
        return Game.from_position(example.position, rules=example.rules), example.move or ""

    def taken(key: str) -> int:
        played, move = game(key)
        return played.trace(move).taken

    assert [taken(f"casabianca-{n}") for n in range(1, 7)] == [0, 0, 3, 5, 10, 0]
    second, move = game("casabianca-2")
    assert len(second.trace(move).landings) == 15
    assert second.trace(move).move.pit not in second.trace(move).landings
    sixth, _ = game("casabianca-6")
    assert [str(m) for m in sixth.legal_moves] == ["f"]
    assert game("casabianca-7")[0].over
    first, move = game("ghana-first")
    assert [lap.landings[-1] + 1 for lap in first.trace(move).laps] == [7, 12, 5, 11, 5]
    assert taken("ghana-first") == 6
    ends = {"parrains-on": [6, 11], "parrains-stop": [7], "parrains-take": [4]}
    for key, pits in ends.items():
        sown, move = game(key)
        assert [lap.landings[-1] + 1 for lap in sown.trace(move).laps] == pits
    assert taken("parrains-take") == 6
    for key, pit, period in (("ghana-loop4", 1, 8), ("ghana-loop", 10, 50_636)):
        loop, _ = game(key)
        refusal = loop.refusal(make(loop.rules, pit))
        assert refusal is not None
        assert (refusal.code, refusal.values["period"]) == ("endless", period)
    assert [taken(key) for key in ("tricolor-ring", "tricolor-blue", "tricolor-red", "upsti-chain")] == [10, 10, 7, 5]
    slam, move = game("slam")
    assert slam.trace(move).spared
    awari, _ = game("awari-slam")
    assert [str(m) for m in awari.legal_moves] == ["A"]
    feed, _ = game("upsti-feed")
    assert [str(m) for m in feed.legal_moves] == ["5"]


def test_the_page_says_which_way_seeds_are_sown() -> None:
    for name, way in (
        ("abapa", "counter-clockwise: to the right"),
        ("abapa:direction=clockwise", "clockwise: to the left"),
    ):
        assert f"pits, {way}" in rule_pages.lesson(get(name), "en")["paragraphs"][0]


# -- texts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["web", "lessons"])
def test_every_text_is_there_in_both_languages_with_the_same_places_to_fill(name: str) -> None:
    for key, texts in section(name).items():
        assert set(texts) == {"en", "fr"}, key
        places = [{field for _, field, _, _ in string.Formatter().parse(text) if field} for text in texts.values()]
        assert places[0] == places[1], key


def test_every_text_that_a_page_asks_for_exists() -> None:
    known = set(section("web"))
    asked: set[str] = set()
    for file in [*WEB.glob("static/*.js"), *WEB.glob("templates/*.html")]:
        asked |= set(re.findall(r"""\bt\(\s*["']([a-z][a-z0-9.-]+)["']\s*[,)]""", file.read_text()))
    assert len(asked) > 100
    assert asked - known == set()
