"""Games in and out: nothing lost, nothing twice, never all in memory; backups; a full disk; a locked database."""

from __future__ import annotations

import io
import json
import random
import sqlite3
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, select, text

from awale import Game as Play
from awale import i18n
from awale.cli import main
from awale.notation import GameRecord, read_json, read_ogn, write_json, write_ogn
from awale.rules import get
from awale.store import Game, Player, Store, StoredGame, StoreError, find
from awale.store.backup import backup, restore
from awale.store.transfer import export_records, import_records


def played(count: int, seed: int = 1) -> Iterator[GameRecord]:
    """Random games of many rules, some unfinished, resigned, lost on time, agreed, or only stated."""
    chance = random.Random(seed)
    village = get("casabianca").variant(name="Korhogo", pits=5, capture_counts=(2, 3, 4))
    for number in range(count):
        rules = chance.choice([get("abapa"), get("ghana"), get("tricolor"), get("upsti"), village])
        game = Play(rules)
        for _ in range(chance.choice([12, 300])):
            if game.over:
                break
            game.push(chance.choice(game.legal_moves))
        if not game.over and chance.random() < 0.3:
            game.resign()
        elif not game.over and chance.random() < 0.2:
            game.lose_on_time()
        elif not game.over and chance.random() < 0.3:
            game = Play(rules, moves=game.moves, ended="agreement")
        tags = {"South": f"Player {chance.randrange(5)}", "North": "engine:3", "Event": f"Cup {number}"}
        tags["Date"] = f"2024.{chance.randrange(1, 13):02}.10"
        record = GameRecord.from_game(game, tags)
        if not game.over and number % 2:
            record.result = chance.choice(["1-0", "0-1", "1/2-1/2"])
        yield record


def as_text(records: Iterator[GameRecord]) -> list[str]:
    out = io.StringIO()
    write_json(records, out)
    return sorted(json.dumps(json.loads(line), sort_keys=True) for line in out.getvalue().splitlines())


def count(store: Store) -> int:
    with store.transaction() as session:
        return session.scalar(select(func.count()).select_from(Game)) or 0


def test_what_goes_in_comes_out(store: Store) -> None:
    with store.transaction() as session:
        assert import_records(session, played(60), "file.ogn") == (60, 0)
    with store.transaction() as session:
        assert as_text(export_records(session)) == as_text(played(60))


def test_importing_again_adds_nothing(store: Store, tmp_path: Path) -> None:
    with store.transaction() as session:
        import_records(session, played(30))
    with store.transaction() as session:
        assert import_records(session, played(40)) == (10, 30)
        assert import_records(session, [*played(5, 9), *played(5, 9)]) == (5, 5)
    # Also by the other form, and after a way through a file of ours.
    path = tmp_path / "all.ogn"
    with store.transaction() as session:
        write_ogn(export_records(session), path)
    with store.transaction() as session:
        assert import_records(session, read_ogn(path)).added == 0
    assert count(store) == 45


def test_a_bad_game_leaves_the_database_as_it_was(store: Store) -> None:
    def records() -> Iterator[GameRecord]:
        yield from played(700)
        yield from read_ogn('[Variant "abapa"]\n\n1. F f 2. Z *\n')

    with pytest.raises(ValueError), store.transaction() as session:
        import_records(session, records())
    assert count(store) == 0


def test_games_are_never_all_in_memory(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'x.sqlite'}")
    game = Play("abapa", moves="F f")
    ballast = "x" * 5000

    def many(total: int) -> Iterator[GameRecord]:
        for number in range(total):
            tags = {"South": "A", "North": "B", "Round": str(number), "Annotator": f"{number}{ballast}"}
            yield GameRecord.from_game(game, tags)

    tracemalloc.start()
    with store.transaction() as session:
        assert import_records(session, many(4000)).added == 4000
    with store.transaction() as session:
        assert sum(1 for _ in export_records(session)) == 4000
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    store.close()
    # All of them together would be more than 20 MB of ballast alone, a batch is a few.
    assert peak < 16_000_000


def test_search_by_position(store: Store) -> None:
    with store.transaction() as session:
        for moves in ("F f E", "F e", "E f F", "A"):
            store.games.add(session, StoredGame(rules="abapa", moves=moves))
    wanted = Play("abapa", moves="F").position
    with store.transaction() as session:
        found = [game.moves for game in find.by_position(session, wanted, get("abapa"))]
        assert found == ["F e", "F f E"]
        both = Play("abapa", moves="F f E").position
        plain = []
        for game in session.scalars(select(Game).order_by(Game.id.desc())):
            walk = Play("abapa")
            seen = [walk.position]
            for move in game.moves.split():
                walk.push(move)
                seen.append(walk.position)
            plain += [game.moves] if both in seen else []
        assert [game.moves for game in find.by_position(session, both, get("abapa"))] == plain


# -- backup -----------------------------------------------------------------------------------------------------------


def test_backup_and_restore(store: Store, tmp_path: Path) -> None:
    with store.transaction() as session:
        import_records(session, played(40), rated=True)
        live = store.games.add(session, StoredGame(rules="abapa", south="Zoé"))
        store.games.set_live(session, live, {"clock": [1, 2]})
        store.games.hold(session, live, 0, "h" * 64)
        before = as_text(export_records(session))
    file = tmp_path / "all.backup"
    counts = backup(store, file)
    assert counts["games"] == 41
    assert counts["ratings"] > 0
    other = Store(f"sqlite:///{tmp_path / 'other.sqlite'}")
    assert restore(other, file) == counts
    assert backup(other, tmp_path / "again.backup") == counts
    assert file.read_bytes() == (tmp_path / "again.backup").read_bytes()
    with pytest.raises(StoreError, match="not empty"):
        restore(other, file)
    with store.transaction() as session:
        session.execute(text("DELETE FROM ratings"))
        store.games.add(session, StoredGame(rules="abapa", south="Somebody", moves="F"))
    assert restore(store, file, replace=True) == counts
    with store.transaction() as session:
        assert as_text(export_records(session)) == before
        # And the next game gets a number of its own.
        store.games.add(session, StoredGame(rules="abapa", south="New"))
    other.close()


def test_a_damaged_backup_touches_nothing(store: Store, tmp_path: Path) -> None:
    with store.transaction() as session:
        import_records(session, played(20))
    file = tmp_path / "all.backup"
    backup(store, file)
    whole = file.read_bytes()
    changed = whole[:200] + bytes([whole[200] ^ 255]) + whole[201:]
    for damaged in (whole[:-20], whole[: len(whole) // 2], b"", b"rubbish" * 50, changed):
        file.write_bytes(damaged)
        with pytest.raises(StoreError, match="backup"):
            restore(store, file, replace=True)
    assert count(store) == 20


# -- trouble ----------------------------------------------------------------------------------------------------------


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'x.sqlite'}")
    with store.transaction() as session:
        import_records(session, played(20))
    with store.engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages + 2}")
    with pytest.raises(StoreError, match="full"), store.transaction() as session:
        import_records(session, played(400, 5))
    assert count(store) == 20
    store.close()


def test_a_locked_database_says_so(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    store = Store(f"sqlite:///{path}")
    with store.transaction() as session:
        import_records(session, played(5))
    with store.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA busy_timeout=100")
    other = sqlite3.connect(path)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreError, match="locked"), store.transaction() as session:
        import_records(session, played(5, 3))
    other.rollback()
    other.close()
    assert count(store) == 5
    store.close()


# -- the command line --------------------------------------------------------------------------------------------------


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("AWALE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.delenv("AWALE_DATABASE_URL", raising=False)
    yield tmp_path
    i18n.set_language("en")


def test_everything_from_the_command_line(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def run(*arguments: str) -> str:
        assert main(arguments) == 0, arguments
        return capsys.readouterr().out

    source = home / "in.ogn"
    write_ogn(played(12), source)
    assert json.loads(run("games", "import", str(source), "--rated", "--json")) == {"added": 12, "known": 0, "bad": 0}
    assert json.loads(run("games", "import", str(source), "--json"))["known"] == 12
    assert len(json.loads(run("games", "list", "--json"))) == 12
    run("players", "add", "Kofi", "Mensah", "--level", "2100")
    assert "Kofi Mensah" in run("players", "list", "kof")
    shown = json.loads(run("players", "show", "engine:3", "--json"))
    assert shown[0]["games"] > 0
    run("players", "ratings", "--recompute", "--rules", "ghana", "--json")
    answers = json.loads(run("stats", "--json"))
    assert [row["name"] for row in answers["above_level"]] == ["Kofi Mensah"]
    assert "au-dessus du niveau 1900" in run("stats", "--lang", "fr")
    out = home / "out.json"
    run("games", "export", str(out))
    assert as_text(read_json(out)) == as_text(played(12))
    assert "[South" in run("games", "export", "-")
    position = Play("abapa").position
    found = json.loads(run("games", "list", "--rules", "abapa", "--position", position, "--json"))
    assert all(row["rules"] == "abapa" for row in found)
    kept = home / "kept.backup"
    run("backup", str(kept))
    run("restore", str(kept), "--database", f"sqlite:///{home / 'new.sqlite'}")
    assert main(["restore", str(kept)]) == 2
    assert "--replace" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["games", "import", "nowhere.ogn"],
        ["games", "import", "picture.png"],
        ["games", "list", "--player", "nobody"],
        ["games", "list", "--position", "1-2-3"],
        ["players", "show", "nobody"],
        ["players", "add", ""],
        ["restore", "nowhere.backup"],
        ["stats", "--database", "nonsense"],
    ],
)
def test_bad_input_is_one_line(home: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.strip().splitlines()) == 1
    assert Player.__tablename__ == "players"
