"""Players and games are kept as they were given, on both databases."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import select, text

from awale.errors import AwaleError
from awale.rules import get
from awale.store import Base, Game, LiveState, Store, StoredGame, StoreError, default_url
from awale.store.database import upgrade


def test_migrations_make_exactly_the_models(store: Store) -> None:
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []


def test_opening_twice_changes_nothing(store: Store, store_url: str) -> None:
    with store.transaction() as session:
        store.games.add(session, StoredGame(rules="abapa", moves="F f"))
    again = Store(store_url)
    with again.transaction() as session:
        assert session.scalar(select(Game.moves)) == "F f"
    again.close()


def test_down_and_up_again(store: Store) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "src/awale/store/migrations")
    with store.engine.begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "base")
    upgrade(store.engine)
    with store.transaction() as session:
        assert session.scalars(select(Game)).all() == []


def test_a_player_is_stored_once_whatever_the_spelling(store: Store) -> None:
    with store.transaction() as session:
        first = store.players.person(session, "Zoé", "Martin", level=4)
        again = store.players.person(session, " zoé ", "MARTIN")
        assert (first.id, first.level) == (again.id, 4)
        assert store.players.by_name(session, "Zoé Martin").id == first.id
        assert store.players.by_name(session, "engine:3").kind == "program"
        assert [p.name for p in store.players.find(session, "art")] == ["Zoé Martin"]
        assert store.players.find(session, "%") == []


@pytest.mark.parametrize("name", ["", "   ", "\x00", "x" * 101])
def test_names_that_are_none(store: Store, name: str) -> None:
    with store.transaction() as session, pytest.raises(AwaleError):
        store.players.person(session, name)


def test_a_game_comes_back_as_it_went(store: Store) -> None:
    when = datetime.datetime(2024, 2, 29, 23, 59, tzinfo=datetime.timezone(datetime.timedelta(hours=5)))
    record = StoredGame(
        rules="upsti",
        south="Ada Lovelace",
        north="engine:3",
        start="4-4-4-4-4-4-4-4-4-4-4-4-0-0-N",
        moves=" 0  5 ",
        winner=1,
        scores=(20, 28),
        end="win",
        clock="5+3",
        source="test",
        tags={"Event": "Coupe d'été"},
        started_at=when,
    )
    with store.transaction() as session:
        key = store.games.add(session, record).key
    with store.transaction() as session:
        game = store.games.by_key(session, key)
        assert game is not None
        assert (game.south.name, game.north.name) == ("Ada Lovelace", "engine:3")
        back = store.games.record_of(game)
    assert back.started_at == when
    assert (back.moves, back.winner, back.scores, back.end) == ("0 5", 1, (20, 28), "win")
    assert (back.start, back.clock, back.tags["Event"]) == (record.start, "5+3", "Coupe d'été")
    assert back.rules == get("upsti")


def test_village_rules_come_back_whole(store: Store) -> None:
    village = get("casabianca").variant(name="Korhogo", pits=5, capture_counts=(2, 3, 4))
    with store.transaction() as session:
        key = store.games.add(session, StoredGame(rules=village)).key
    with store.transaction() as session:
        game = store.games.by_key(session, key)
        assert game is not None
        assert store.games.rules_of(game) == village


def test_a_finished_game_is_added_once(store: Store) -> None:
    record = StoredGame(rules="abapa", south="A", north="B", moves="F f", end="agreement")
    with store.transaction() as session:
        first = store.games.add(session, record)
        assert store.games.add(session, record).id == first.id
    with store.transaction() as session:
        other = StoredGame(rules="abapa", south="B", north="A", moves="F f", end="agreement")
        assert store.games.add(session, other).id != first.id
        assert len(list(store.games.every(session, batch=1))) == 2


def test_progress_finish_and_take_back(store: Store) -> None:
    with store.transaction() as session:
        key = store.games.add(session, StoredGame(rules="abapa")).key
    for moves in ("F", "F f", "F f E"):
        with store.transaction() as session:
            game = store.games.by_key(session, key)
            store.games.progress(session, game, moves, (0, 0))
            store.games.set_live(session, game, {"redo": moves.split()})
    with store.transaction() as session:
        game = store.games.by_key(session, key)
        assert (game.moves, game.plies) == ("F f E", 3)
        assert store.games.live(session, game).state == {"redo": ["F", "f", "E"]}
        store.games.finish(session, game, 0, (25, 23), "win")
    with store.transaction() as session:
        game = store.games.by_key(session, key)
        assert (game.winner, game.end, game.ended_at is None) == (0, "win", False)
        store.games.progress(session, game, "F f", (0, 0))
        assert (game.winner, game.end, game.ended_at, game.fingerprint) == (None, None, None, None)


def test_seats_are_found_by_their_secret(store: Store) -> None:
    with store.transaction() as session:
        mine = store.games.add(session, StoredGame(rules="abapa"))
        store.games.add(session, StoredGame(rules="abapa"))
        for seat in (0, 1, 1):
            store.games.hold(session, mine, seat, "h" * 64)
        assert sorted(store.games.holders(session, mine)) == [(0, "h" * 64), (1, "h" * 64)]
        assert [g.id for g in store.games.held_by(session, "h" * 64)] == [mine.id]


def test_deleting_a_game_takes_its_seats_along(store: Store) -> None:
    with store.transaction() as session:
        game = store.games.add(session, StoredGame(rules="abapa"))
        store.games.set_live(session, game, {})
        store.games.hold(session, game, 0, "h" * 64)
        session.flush()
        session.execute(text("DELETE FROM games"))
        session.expire_all()
        assert session.scalars(select(LiveState)).all() == []
        assert store.games.held_by(session, "h" * 64) == []


def test_a_failed_transaction_leaves_nothing(store: Store) -> None:
    with pytest.raises(StoreError, match="refused"), store.transaction() as session:
        store.games.add(session, StoredGame(rules="abapa", key="same"))
        store.games.add(session, StoredGame(rules="abapa", key="same"))
    with store.transaction() as session:
        assert session.scalars(select(Game)).all() == []


def test_sentences_for_wrong_addresses(tmp_path: Path) -> None:
    for url in ("nonsense", "sqlite:////proc/none/x.sqlite", "postgresql://who:secret@127.0.0.1:1/none"):
        with pytest.raises(StoreError) as caught:
            Store(url)
        assert "secret" not in str(caught.value)
    broken = tmp_path / "broken.sqlite"
    broken.write_bytes(b"this is no database at all" * 100)
    with pytest.raises(StoreError, match="not a database"):
        Store(f"sqlite:///{broken}")


def test_the_address_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("AWALE_DATABASE_URL", "postgresql://somewhere/awale")
    assert default_url() == "postgresql://somewhere/awale"
    monkeypatch.delenv("AWALE_DATABASE_URL")
    monkeypatch.setenv("AWALE_DATA_DIR", str(tmp_path))
    assert default_url() == f"sqlite:///{tmp_path}/awale.sqlite"


@pytest.mark.parametrize(
    ("first", "last"), [("x" * 100, "y" * 100), ("\ufb03" * 100, "z"), ("x" * 300, "")], ids=["long", "folded", "300"]
)
def test_both_databases_refuse_the_same_names(store: Store, first: str, last: str) -> None:
    """Together too long; longer once its case is folded; longer than any name."""
    with pytest.raises(AwaleError, match="at most"), store.transaction() as session:
        store.players.person(session, first, last)
    with store.transaction() as session:
        assert store.players.person(session, "x" * 90, "y" * 90).id


def test_both_databases_compose_letters(store: Store) -> None:
    with store.transaction() as session:
        player = store.players.person(session, "Rene\u0301")
        game = store.games.add(session, StoredGame(rules="abapa", source="cafe\u0301"))
        number = game.id
        assert store.players.person(session, "Ren\u00e9").id == player.id
    with store.transaction() as session:
        stored = session.get(Game, number)
        assert stored is not None
        assert stored.source == "caf\u00e9"
    with pytest.raises(AwaleError, match="at most"), store.transaction() as session:
        store.games.add(session, StoredGame(rules="abapa", source="x" * 201))
    with pytest.raises(AwaleError, match="null"), store.transaction() as session:
        store.games.add(session, StoredGame(rules="abapa", source="x\0"))
