"""Games and records for the tests of notation: any rules, any comments, variations within variations."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from awale import Game, Rules
from awale.notation import GameRecord, PlayedMove, Variation
from awale.notation.records import clean, clean_value
from awale.rules import all_rules, get

PRESETS = tuple(rules.name for rules in all_rules())

VILLAGES: tuple[Rules, ...] = (
    get("abapa").variant(seeds=3, few_seeds=4, name="Awa's yard"),
    get("casabianca").variant(pits=1, seeds=7),
    get("wikipedia").variant(pits=12, seeds=2, notation="numbers"),
    get("awari").variant(pits=10, capture_counts=(2, 3, 4), notation="left"),
    get("awari").variant(grand_slam="allowed", feeding="free", starved="passes", name="free yard"),
    get("upsti").variant(capture="opposite", origin="sown", move_limit=30, name="facing"),
    get("ghana").variant(pits=3, seeds=3),
    get("ghana-basic").variant(pits=2, notation="letters"),
    get("tricolor").variant(pits=3, move_limit=50),
    Rules(name="from nothing", source='a "friend", who said\\so', version=3, win_at="majority", repetition="nobody"),
)
ALL_RULES: tuple[Rules, ...] = (*all_rules(), *VILLAGES)


def by_name(rules: Rules) -> str:
    return rules.name


@st.composite
def games(draw: st.DrawFn, rules: Rules, most: int = 80) -> Game:
    """A game played at random, perhaps from another start, perhaps ended by the players, perhaps with an offer."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    start = None
    if draw(st.booleans()):
        earlier = Game(rules)
        play_on(earlier, rng, draw(st.integers(1, 40)))
        start = earlier.position
    game = Game(rules, start=start)
    play_on(game, rng, draw(st.integers(0, most)))
    if not game.over:
        match draw(st.sampled_from(["goes on", "goes on", "offer", "agreement", "resignation", "time"])):
            case "offer":
                game.offer_end(draw(st.sampled_from([0, 1])))
            case "agreement":
                game.offer_end()
                game.accept_end()
            case "resignation":
                game.resign(draw(st.sampled_from([0, 1])))
            case "time":
                game.lose_on_time(draw(st.sampled_from([0, 1])))
    return game


def play_on(game: Game, rng: random.Random, plies: int) -> None:
    for _ in range(plies):
        if game.over:
            return
        game.push(rng.choice(game.legal_moves))


def said(most: int = 3) -> st.SearchStrategy[list[str]]:
    """Comments as files can hold them: whatever characters, brackets of all kinds."""
    odd = st.text(st.sampled_from("{}()[];%\"\\\n ab1.-*+?!$'"), min_size=1, max_size=20)
    return st.lists((st.text(min_size=1) | odd).map(clean).filter(bool), max_size=most)


MARKS = st.lists(st.sampled_from(["!", "?", "!!", "?!", "$1", "$146"]), max_size=2)
TAG_VALUES = st.text(max_size=30).map(clean_value)
TAGS = st.dictionaries(
    st.sampled_from(["Event", "Site", "Date", "Round", "South", "North", "Opening", "x-y", "Été_1"]), TAG_VALUES
)


@st.composite
def records(draw: st.DrawFn, rules: Rules, most: int = 30) -> GameRecord:
    """A record with tags, comments, marks and variations everywhere."""
    game = draw(games(rules, most))
    record = GameRecord.from_game(game, draw(TAGS))
    record.comments = draw(said())
    # A few annotated moves are enough: Hypothesis finds the combinations, and examples stay small.
    for index in draw(st.sets(st.integers(0, max(0, len(record.moves) - 1)), max_size=4)):
        if record.moves:
            played = record.moves[index]
            played.comments, played.marks = draw(said(2)), draw(MARKS)
            before = Game(rules, start=game.start, moves=game.moves[:index])
            for _ in range(draw(st.integers(0, 2))):
                played.variations.append(draw(variations(before, 2)))
    record.check()
    return record


@st.composite
def variations(draw: st.DrawFn, before: Game, depth: int) -> Variation:
    game = before.copy()
    variation = Variation(comments=draw(said(1)))
    for _ in range(draw(st.integers(1, 3))):
        if game.over:
            break
        here = game.copy()
        move = game.push(draw(st.sampled_from(game.legal_moves)))
        played = PlayedMove(move, comments=draw(said(1)), marks=draw(MARKS))
        if depth and draw(st.booleans()):
            played.variations.append(draw(variations(here, depth - 1)))
        variation.moves.append(played)
    return variation
