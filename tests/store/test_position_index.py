"""A position is found through the index, in every game where it occurs and in no other."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, func, select

from awale import Game as Play
from awale.notation import GameRecord
from awale.rules import get, positions
from awale.store import Game, Store, StoredGame, explorer, find, position_index
from awale.store.backup import backup, restore
from awale.store.models import PositionBlock
from awale.store.transfer import import_records


def played(count: int, seed: int = 1) -> Iterator[GameRecord]:
    chance = random.Random(seed)
    for number in range(count):
        game = Play(get(("abapa", "ghana", "tricolor")[number % 3]))
        for _ in range(chance.randrange(4, 40)):
            if not game.over:
                game.push(chance.choice(game.legal_moves))
        if not game.over:
            game.resign()
        yield GameRecord.from_game(game, {"South": f"Player {number}", "Event": str(seed)})


@pytest.fixture
def filled(store: Store, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setattr(position_index, "BLOCK", 16)
    monkeypatch.setattr(position_index, "SEGMENT", 7)
    with store.transaction() as session:
        import_records(session, played(60))
    return store


def by_hand(store: Store, rules: str, position: str, *, stores: bool = True) -> list[int]:
    wanted = positions.read(get(rules), position)
    shown = (wanted.board, wanted.turn, wanted.scores if stores else None)
    found = []
    with store.transaction() as session:
        for row in find.latest(session, select(Game).where(Game.rules == rules)):
            game = Play(get(rules), moves=row.moves)
            states = (*game.history, game.state)
            if any((state.board, state.turn, state.scores if stores else None) == shown for state in states):
                found.append(row.id)
    return found


def by_index(store: Store, rules: str, position: str, *, stores: bool = True) -> list[int]:
    with store.transaction() as session:
        return [game.id for game in find.by_position(session, position, get(rules), stores=stores)]


def unindexed(store: Store) -> int:
    with store.transaction() as session:
        return session.scalar(select(func.count()).select_from(Game).where(Game.indexed.is_(False))) or 0


@pytest.mark.parametrize("rules", ["abapa", "ghana", "tricolor"])
def test_the_index_finds_what_replaying_finds(filled: Store, rules: str) -> None:
    assert unindexed(filled) == 0
    with filled.transaction() as session:
        assert (session.scalar(select(func.count()).select_from(PositionBlock)) or 0) > 9
        games = list(find.latest(session, select(Game).where(Game.rules == rules)))
    chance = random.Random(5)
    for game in chance.sample(games, 6):
        moves = game.moves.split()
        position = Play(get(rules), moves=moves[: chance.randrange(len(moves))]).position
        assert game.id in by_index(filled, rules, position)
        assert sorted(by_index(filled, rules, position)) == sorted(by_hand(filled, rules, position))
    everybody = by_index(filled, rules, Play(get(rules)).position)
    assert sorted(everybody) == sorted(game.id for game in games)


def test_the_stores_count_unless_they_are_to_be_ignored(store: Store) -> None:
    with store.transaction() as session:
        for start in ("0-0-0-0-2-1-0-0-0-0-0-3-22-20-S", "0-0-0-0-2-1-0-0-0-0-0-3-20-22-S"):
            record = StoredGame(rules="abapa", start=start, moves="F", winner=0, scores=(3, 0), end="resignation")
            store.games.add(session, record)
        assert position_index.update_index(session) == 2
    position = "0-0-0-0-2-1-0-0-0-0-0-3-22-20-S"
    assert by_index(store, "abapa", position) == [1]
    assert by_index(store, "abapa", position, stores=False) == [2, 1]


@pytest.mark.parametrize("rules", ["abapa", "upsti", "wikipedia", "awari", "casabianca"])
def test_the_compiled_rules_make_the_same_entries(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    system = get(rules)
    chance = random.Random(3)
    games = []
    for number in range(1, 25):
        game = Play(system)
        while not game.over and (number % 3 or len(game.moves) < number):
            game.push(chance.choice(game.legal_moves))
        if not game.over:
            game.resign()
        outcome = game.outcome()
        assert outcome is not None
        moves = " ".join(map(str, game.moves))
        games.append(position_index.Finished(number, None, moves, outcome.winner, outcome.reason, outcome.scores))
    games.append(position_index.Finished(99, None, f"{games[0].moves} {games[0].moves}", 0, "win", (25, 0)))  # illegal
    one_by_one = position_index.entries_of(system, games)
    monkeypatch.setattr(position_index, "COMPILED", 1)
    compiled = position_index.entries_of(system, games)
    for name in ("keys", "numbers", "moves", "results", "stores"):
        assert (getattr(one_by_one, name) == getattr(compiled, name)).all(), name
    assert len(compiled) > 1000


def test_small_segments_are_merged(store: Store) -> None:
    chance = random.Random(4)
    for number in range(2 * position_index.MERGED**2):
        game = Play("abapa")
        for _ in range(6):
            game.push(chance.choice(game.legal_moves))
        moves = " ".join(map(str, game.moves))
        with store.transaction() as session:
            record = StoredGame(rules="abapa", moves=moves, winner=0, end="resignation", tags={"Round": str(number)})
            store.games.add(session, record)
            position_index.update_index(session)
    with store.transaction() as session:
        segments = session.scalar(select(func.count(PositionBlock.segment.distinct())))
    assert (segments or 0) < 2 * position_index.MERGED
    position = Play("abapa", moves="A").position
    assert by_index(store, "abapa", position) == by_hand(store, "abapa", position) != []


def test_games_are_found_before_they_are_indexed(filled: Store) -> None:
    moves = "F f E e"
    with filled.transaction() as session:
        record = StoredGame(
            rules="abapa", south="A", north="B", moves=moves, winner=0, scores=(3, 0), end="resignation"
        )
        number = filled.games.add(session, record).id
    position = Play("abapa", moves=moves).position
    assert unindexed(filled) == 1
    assert number in by_index(filled, "abapa", position)
    with filled.transaction() as session:
        assert position_index.update_index(session, least=2) == 0
        assert position_index.update_index(session) == 1
    assert unindexed(filled) == 0
    assert number in by_index(filled, "abapa", position)


def test_a_search_does_not_walk_the_games(filled: Store) -> None:
    """The games that are not in the index are found by an index, also before the database has any statistics."""
    if filled.engine.dialect.name != "sqlite":
        pytest.skip("PostgreSQL reads small tables as a whole")
    asked: list[str] = []
    event.listen(filled.engine, "before_cursor_execute", lambda *call: asked.append(call[2]))
    by_index(filled, "abapa", Play("abapa").position)
    with filled.transaction() as session:
        explorer.explore(session, Play("abapa").position, "abapa")
        position_index.update_index(session)
    walks = []
    with filled.engine.connect() as connection:
        for statement in {one for one in asked if one.startswith("SELECT") and "NOT games.indexed" in one}:
            values = tuple("abapa" for _ in range(statement.count("?")))
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values).all()
            walks += [row[3] for row in plan if "games" in row[3] and "ix_games_unindexed" not in row[3]]
    assert len(asked) > 5
    assert walks == []


def test_what_the_index_names_is_read_by_number(filled: Store) -> None:
    """Whatever else is asked of the games: an index of their rules or players would lead through most of them."""
    asked: list[tuple[str, Any]] = []
    event.listen(filled.engine, "before_cursor_execute", lambda *call: asked.append((call[2], call[3])))
    with filled.transaction() as session:
        query = select(Game).where(Game.rules == "abapa", Game.south_id == 1, Game.winner == 1)
        list(find.by_position(session, Play("abapa").position, get("abapa"), query))
    sqlite = filled.engine.dialect.name == "sqlite"
    plans: dict[str, list[str]] = {"games.id IN": [], "position_blocks.last": [], "position_blocks.data": []}
    with filled.engine.connect() as connection:
        if not sqlite:  # it would read such small tables as a whole
            connection.exec_driver_sql("SET enable_seqscan = off")
        for part, found in plans.items():
            statement, values = next(one for one in asked if part in one[0])
            explained = f"EXPLAIN {'QUERY PLAN ' if sqlite else ''}{statement}"
            found += [str(row[-1]) for row in connection.exec_driver_sql(explained, values).all()]
    names = {
        "games.id IN": "SEARCH games USING INTEGER PRIMARY KEY" if sqlite else "pk_games",
        "position_blocks.last": "ix_position_blocks_rules",
        "position_blocks.data": "sqlite_autoindex_position_blocks_1" if sqlite else "pk_position_blocks",
    }
    for part, name in names.items():
        assert any(name in line for line in plans[part]), plans[part]
        assert not any("ix_games" in line for line in plans[part]), plans[part]


def test_a_game_that_goes_on_or_is_deleted_is_not_found_by_what_it_was(filled: Store) -> None:
    with filled.transaction() as session:
        game = next(find.latest(session, select(Game).where(Game.rules == "abapa")))
        number, before = game.id, Play("abapa", moves=game.moves).position
        filled.games.progress(session, game, "A", (0, 0))
    assert number not in by_index(filled, "abapa", before)
    assert number in by_index(filled, "abapa", Play("abapa", moves="A").position)
    with filled.transaction() as session:
        filled.games.delete(session, session.get_one(Game, number))
    assert number not in by_index(filled, "abapa", Play("abapa", moves="A").position)


def test_a_backup_restores_the_index(filled: Store, tmp_path: Path) -> None:
    file = tmp_path / "kept"
    backup(filled, file)
    other = Store(f"sqlite:///{tmp_path / 'other.sqlite'}")
    restore(other, file)
    assert unindexed(other) == 0
    position = Play("abapa").position
    assert len(by_index(other, "abapa", position)) == len(by_index(filled, "abapa", position)) == 20
    other.close()
