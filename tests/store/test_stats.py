"""The examination's four questions, against counting by hand."""

from __future__ import annotations

import random

from awale.store import Store, StoredGame


def filled(store: Store) -> list[StoredGame]:
    chance = random.Random(7)
    people = [("Awa", "Diop", 1950), ("Kofi", "Mensah", 2100), ("Ana", "Silva", 1700), ("Luc", "Petit", None)]
    people += [("Zoé", "Martin", 1901), ("Ibou", "Fall", 1900)]
    with store.transaction() as session:
        for first, last, level in people:
            store.players.person(session, first, last, level=level)
        names = [f"{first} {last}" for first, last, _ in people]
        records = []
        for number in range(60):
            south, north = chance.sample(names, 2)
            winner = chance.choice([0, 1, None])
            rules = chance.choice(["abapa", "upsti"])
            end = "win" if number % 10 else None
            record = StoredGame(rules=rules, south=south, north=north, moves=f"F {number}", end=end)
            record.winner = winner if end else None
            records.append(record)
            store.games.add(session, record)
    return records


def test_the_four_questions(store: Store) -> None:
    records = filled(store)
    with store.transaction() as session:
        stats = store.stats
        assert [p.name for p in stats.above_level(session, 1900)] == ["Kofi Mensah", "Awa Diop", "Zoé Martin"]
        for rules in ("abapa", "upsti"):
            done = [record for record in records if record.rules == rules and record.end]
            won = sum(record.winner == 0 for record in done)
            assert stats.first_player_share(session, rules) == 100 * won / len(done)
        assert stats.first_player_share(session, "ghana") is None
        assert [p.name for p in stats.best(session)] == ["Kofi Mensah", "Awa Diop", "Zoé Martin"]
        wins: dict[str, int] = {}
        for record in records:
            if record.winner == 0:
                wins[record.south or ""] = wins.get(record.south or "", 0) + 1
        wanted = sorted((count, name) for name, count in wins.items() if count >= 2)
        assert [(line.wins, line.player.name) for line in stats.first_winners(session)] == wanted
        assert stats.first_winners(session, 100) == []


def test_sums(store: Store) -> None:
    records = filled(store)
    with store.transaction() as session:
        rows = {row["rules"]: row for row in store.stats.by_rules(session)}
        assert rows["abapa"]["games"] + rows["upsti"]["games"] == 60
        assert rows["abapa"]["finished"] == sum(r.rules == "abapa" and r.end is not None for r in records)
        assert sum(store.stats.by_end(session).values()) == 54
        player = store.players.person(session, "Kofi", "Mensah")
        own = store.stats.of_player(session, player)
        played = [r for r in records if r.end and player.name in (r.south, r.north)]
        assert own["games"] == len(played)
        assert own["wins"] == sum(r.winner is not None and (r.south, r.north)[r.winner] == player.name for r in played)
        assert own["wins"] + own["draws"] + own["losses"] == own["games"]


def test_an_empty_database_has_answers_too(store: Store) -> None:
    with store.transaction() as session:
        assert store.stats.above_level(session, 0) == []
        assert store.stats.best(session) == []
        assert store.stats.first_winners(session) == []
        assert store.stats.by_rules(session) == []
