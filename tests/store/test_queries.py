"""The examination's views, and queries that can only read."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from awale.classroom.exam import sample
from awale.store import Store, StoreError, queries
from awale.store.database import upgrade

PERCENTAGE = (
    "SELECT COUNT(resultat)*100 / (SELECT COUNT(resultat) FROM Partie WHERE jeu LIKE 'a%') AS Pourcentage "
    "FROM Partie WHERE resultat = 1 AND jeu LIKE 'a%' ;"
)
WINNERS = (
    "SELECT nom, prenom, COUNT(resultat) from Partie JOIN Joueur ON id_Joueur = id_joueur1 WHERE resultat = 1 "
    "GROUP BY id_Joueur1, nom, prenom HAVING COUNT(resultat) >= 2 ORDER BY COUNT(resultat) ASC, nom"
)


def test_the_four_questions_are_answered_as_the_store_answers_them(store: Store) -> None:
    assert sample.fill(store) == (12, 60)
    with store.transaction() as session:
        stats = store.stats
        above = {player.id for player in stats.above_level(session, 1900)}
        best = [(player.last_name, player.first_name) for player in stats.best(session)]
        rows = [row for row in stats.by_rules(session) if row["rules"].startswith("a")]
        won, played = sum(row["first_wins"] for row in rows), sum(row["finished"] for row in rows)
        winners = {(line.player.last_name, line.player.first_name, line.wins) for line in stats.first_winners(session)}
    assert {row[0] for row in queries.run(store, "SELECT id_joueur FROM Joueur WHERE niveau > 1900 ;").rows} == above
    assert queries.run(store, PERCENTAGE).rows == [(won * 100 // played,)]
    found = queries.run(store, "SELECT nom, prenom FROM Joueur ORDER BY niveau DESC LIMIT 3 ;")
    assert (found.columns, found.rows) == (("nom", "prenom"), best)
    counts = queries.run(store, WINNERS).rows
    assert set(counts) == winners
    assert [row[2] for row in counts] == sorted(row[2] for row in counts)


def test_results_are_1_2_0_and_nothing_while_a_game_goes_on(store: Store) -> None:
    sample.fill(store)
    with store.transaction() as session:
        wanted = {
            id_: None if end is None else 0 if winner is None else winner + 1
            for id_, end, winner in session.execute(text('SELECT id, "end", winner FROM games'))
        }
    assert dict(queries.run(store, "SELECT id_partie, resultat FROM Partie").rows) == wanted
    assert set(wanted.values()) >= {1, 2, None}


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("", "there is no query"),
        (" ; ", "there is no query"),
        ("-- nothing\n", "there is no query"),
        ("DELETE FROM games", "begins with DELETE"),
        ("UPDATE players SET level = 9", "begins with UPDATE"),
        ("DROP VIEW Joueur", "begins with DROP"),
        ("PRAGMA query_only = 0", "begins with PRAGMA"),
        ("ATTACH DATABASE '/tmp/other.sqlite' AS other", "begins with ATTACH"),
        ("BEGIN", "begins with BEGIN"),
        ("/* SELECT */ INSERT INTO players DEFAULT VALUES", "begins with INSERT"),
        ("SELECT 1; DELETE FROM games", "one query at a time"),
        ("SELECT ';' ; COMMIT; DROP TABLE games", "one query at a time"),
        ("SELECT nothing FROM Joueur", "does not understand"),
    ],
)
def test_everything_else_is_refused(statement: str, says: str, store: Store) -> None:
    sample.fill(store)
    with pytest.raises(StoreError, match=says):
        queries.run(store, statement)
    assert queries.run(store, "SELECT COUNT(*) FROM Partie").rows == [(60,)]


def test_a_select_that_writes_is_refused_by_the_database(store: Store) -> None:
    sample.fill(store)
    writing = {
        "sqlite": "WITH a AS (SELECT 1) DELETE FROM games",
        "postgresql": "WITH a AS (DELETE FROM games RETURNING id) SELECT * FROM a",
    }[store.engine.dialect.name]
    with pytest.raises(StoreError, match="only reading is allowed"):
        queries.run(store, writing)
    assert queries.run(store, "SELECT COUNT(*) FROM Partie").rows == [(60,)]


def test_semicolons_and_per_cent_signs_in_strings_are_only_text(store: Store) -> None:
    assert queries.run(store, "SELECT 'a;b', 'x%', 'it''s' -- ; the end\n").rows == [("a;b", "x%", "it's")]


def test_long_answers_are_cut_and_say_so(store: Store) -> None:
    sample.fill(store)
    answer = queries.run(store, "SELECT * FROM Partie", limit=7)
    assert (len(answer.rows), answer.more) == (7, True)
    assert not queries.run(store, "SELECT * FROM Partie", limit=60).more


def test_a_sample_is_not_mixed_with_other_games(store: Store) -> None:
    sample.fill(store)
    with pytest.raises(StoreError, match="holds games already"):
        sample.fill(store)


def test_a_database_of_an_older_version_gets_the_views(store_url: str) -> None:
    old = Store(store_url, migrate=False)
    upgrade(old.engine, "0002")
    old.close()
    reader = Store(store_url, read_only=True)
    assert queries.run(reader, "SELECT * FROM Joueur").rows == []
    reader.close()
