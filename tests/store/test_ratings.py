"""Ratings: Glickman's own example, and the same numbers whether counted as they come or all at once."""

from __future__ import annotations

import datetime
import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from awale.glicko import Strength, update
from awale.store import Rating, Store, StoredGame
from awale.store.games import Change

DAY = datetime.timedelta(days=1)
BEGUN = datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC)


def test_the_example_of_the_paper() -> None:
    opponents = [(Strength(1400, 30), 1.0), (Strength(1550, 100), 0.0), (Strength(1700, 300), 0.0)]
    found = update(Strength(1500, 200, 0.06), opponents)
    assert found.rating == pytest.approx(1464.06, abs=0.02)
    assert found.deviation == pytest.approx(151.52, abs=0.01)
    assert found.volatility == pytest.approx(0.05999, abs=1e-5)


def test_without_games_only_the_doubt_grows() -> None:
    found = update(Strength(1500, 200, 0.06), [])
    assert (found.rating, found.volatility) == (1500, 0.06)
    assert found.deviation == pytest.approx(200.27, abs=0.01)
    assert update(Strength(1500, 350, 0.06), []).deviation == 350


@given(st.floats(800, 2600), st.floats(30, 350), st.floats(800, 2600), st.floats(30, 350), st.sampled_from([0, 0.5, 1]))
def test_winning_helps_and_numbers_stay_sane(a: float, da: float, b: float, db: float, score: float) -> None:
    player = Strength(a, da)
    after = update(player, [(Strength(b, db), score)])
    if score == 1:
        assert after.rating >= a
    if score == 0:
        assert after.rating <= a
    assert 0 < after.deviation < math.hypot(da, 0.06 * 173.7178) + 1
    assert 0.01 < after.volatility < 0.2


def games(count: int, seed: int = 1) -> list[StoredGame]:
    chance = random.Random(seed)
    names = ["Ada Lovelace", "Blaise Pascal", "engine:3", "Emmy Noether"]
    found = []
    for number in range(count):
        south, north = chance.sample(names, 2)
        winner = chance.choice([0, 0, 1, None])
        when = BEGUN + number * DAY
        rules = chance.choice(["abapa", "ghana"])
        record = StoredGame(rules=rules, south=south, north=north, moves=f"F {number}", winner=winner, end="win")
        record.rated, record.started_at, record.ended_at = number % 5 != 0, when, when
        found.append(record)
    return found


def all_ratings(store: Store) -> list[tuple[object, ...]]:
    with store.transaction() as session:
        rows = session.scalars(select(Rating).order_by(Rating.game_id, Rating.player_id))
        return [(r.game_id, r.player_id, r.rules, r.rating, r.deviation, r.volatility, r.at) for r in rows]


def test_recomputing_gives_the_same_numbers(store: Store) -> None:
    for record in games(40):
        with store.transaction() as session:
            store.games.add(session, record)
    before = all_ratings(store)
    assert len(before) == 2 * 32
    with store.transaction() as session:
        assert store.ratings.recompute(session) == 32
    assert all_ratings(store) == before


def test_games_that_come_late_change_everything_after_them(store: Store) -> None:
    records = games(30)
    for record in records[10:] + records[:10]:
        with store.transaction() as session:
            store.games.add(session, record)
    late = all_ratings(store)
    with store.transaction() as session:
        store.ratings.recompute(session)
    assert all_ratings(store) == late


def test_a_game_played_here_is_rated_when_it_ends(store: Store) -> None:
    with store.transaction() as session:
        game = store.games.add(session, StoredGame(rules="abapa", south="Ada", north="Bo", rated=True))
        key = game.key
        assert session.scalars(select(Rating)).all() == []
        store.games.finish(session, game, 0, (25, 20), "win")
    assert len(all_ratings(store)) == 2
    with store.transaction() as session:
        game = store.games.by_key(session, key)
        assert store.ratings.current(session, game.south_id, "abapa").rating > 1600
        store.games.progress(session, game, "F", (0, 0))
        assert store.ratings.current(session, game.south_id, "abapa").rating == 1500
        store.games.set_live(session, game, {})
        session.flush()
        change = Change(
            number=game.id, key=key, version=0, reopened=False, moves="F f", scores=(20, 25), winner=1, end="win",
            state={},
        )  # fmt: skip
        store.games.keep(session, [change])
    with store.transaction() as session:
        game = store.games.by_key(session, key)
        assert store.ratings.current(session, game.south_id, "abapa").rating < 1400


def test_leaderboard_and_curve(store: Store) -> None:
    with store.transaction() as session:
        for record in games(40):
            store.games.add(session, record)
    with store.transaction() as session:
        board = store.ratings.leaderboard(session, "abapa")
        assert [line.strength.rating for line in board] == sorted((x.strength.rating for x in board), reverse=True)
        for line in board:
            curve = store.ratings.curve(session, line.player.id, "abapa")
            assert len(curve) == line.games
            assert (
                curve[-1].rating
                == line.strength.rating
                == store.ratings.current(session, line.player.id, "abapa").rating
            )
        assert len(store.ratings.leaderboard(session, "abapa", limit=2)) == 2
        assert store.ratings.leaderboard(session, "upsti") == []
