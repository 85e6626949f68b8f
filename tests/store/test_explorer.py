"""The explorer counts what a count over all games counts, whatever happened to the games since."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from sqlalchemy import select

from awale import Game as Play
from awale.errors import AwaleError
from awale.players import book
from awale.rules import Rules, get, positions
from awale.store import Game, Store, StoredGame, explorer, find, position_index
from awale.store.games import rules_of

SYSTEMS = ("abapa", "upsti", "ghana", "tricolor")


def fill(store: Store, count: int, seed: int = 1, rules: tuple[str, ...] = SYSTEMS) -> None:
    chance = random.Random(seed)
    with store.transaction() as session:
        for number in range(count):
            game = Play(get(rules[number % len(rules)]))
            for _ in range(chance.randrange(4, 30)):
                if not game.over:
                    game.push(chance.choice(game.legal_moves[:2]))  # few moves, so that positions come back
            winner = chance.choice((0, 1, None))
            moves = " ".join(map(str, game.moves))
            record = StoredGame(
                rules=game.rules, moves=moves, winner=winner, end="resignation", tags={"Round": f"{seed} {number}"}
            )
            store.games.add(session, record)


def naive(store: Store, rules: Rules, position: str, *, stores: bool = True) -> tuple[object, ...]:
    """Count by replaying all games."""
    wanted = positions.read(rules, position)
    shown = (wanted.board, wanted.turn, wanted.scores if stores else None)
    results: Counter[int | None] = Counter()
    moves: Counter[tuple[str, int | None]] = Counter()
    with store.transaction() as session:
        for row in session.scalars(select(Game).where(Game.end.is_not(None))):
            if rules_of(row) != rules:
                continue
            game = Play(rules, moves=row.moves)
            here = set()
            for state, move in zip(game.history, (*game.moves, None), strict=True):
                if (state.board, state.turn, state.scores if stores else None) == shown:
                    here.add(None if move is None else str(move))
            results[row.winner] += bool(here)
            moves.update((move, row.winner) for move in here if move is not None)
    lines = {move: tuple(moves[move, winner] for winner in (0, None, 1)) for move, _ in moves}
    return tuple(results[winner] for winner in (0, None, 1)), lines


def explored(store: Store, rules: Rules, position: str, *, stores: bool = True) -> tuple[object, ...]:
    with store.transaction(read_only=True) as session:
        found = explorer.explore(session, position, rules, stores=stores)
    games = [line.games for line in found.moves]
    assert games == sorted(games, reverse=True)
    return (found.south, found.draws, found.north), {
        line.move: (line.south, line.draws, line.north) for line in found.moves if line.games
    }


def test_the_opening_book_is_beside_the_games(store: Store) -> None:
    with store.transaction() as session:
        store.games.add(session, StoredGame(rules="abapa", moves="A a", winner=1, end="resignation"))
        found = explorer.explore(session, Play("abapa").position, "abapa")
        entry = book.lookup(Play("abapa"))
        assert entry is not None
        assert found.book_depth == entry.depth
        assert [(line.move, line.games) for line in found.moves][:2] == [("A", 1), (str(entry.best), 0)]
        assert {line.move: line.value for line in found.moves} == {str(one.move): one.value for one in entry.moves}
        assert explorer.explore(session, "0-0-0-0-0-1-0-0-0-0-1-2-22-22-S", "abapa").book_depth is None


def check(store: Store, rules: Rules, seed: int = 5) -> None:
    """Compare at the start and at positions of games."""
    chance = random.Random(seed)
    with store.transaction() as session:
        games = [row.moves.split() for row in find.latest(session) if rules_of(row) == rules]
    lines = [[], *(moves[: chance.randrange(len(moves) + 1)] for moves in chance.sample(games, 5))]
    for moves in lines:
        position = Play(rules, moves=moves).position
        assert explored(store, rules, position) == naive(store, rules, position)
        assert explored(store, rules, position, stores=False) == naive(store, rules, position, stores=False)
    assert explored(store, rules, Play(rules).position)[1]


@pytest.mark.parametrize("name", SYSTEMS)
def test_it_counts_what_replaying_all_games_counts(store: Store, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(position_index, "BLOCK", 16)
    monkeypatch.setattr(position_index, "SEGMENT", 5)
    fill(store, 80)
    check(store, get(name))  # none is in the index
    with store.transaction() as session:
        position_index.update_index(session)
    check(store, get(name))
    fill(store, 20, seed=2)  # some are not
    check(store, get(name))


def test_the_games_of_the_compiled_rules_are_counted_alike(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(position_index, "COMPILED", 1)
    fill(store, 60, rules=("abapa", "upsti"))
    with store.transaction() as session:
        position_index.update_index(session)
    check(store, get("abapa"))
    check(store, get("upsti"))


def test_games_that_go_on_or_are_deleted_do_not_count(store: Store) -> None:
    rules = get("abapa")
    fill(store, 40, rules=("abapa",))
    with store.transaction() as session:
        position_index.update_index(session)
        games = list(find.latest(session))
        store.games.delete(session, games[0])
        store.games.delete(session, games[7])
        store.games.progress(session, games[3], "A a", (0, 0))
    check(store, rules)
    with store.transaction() as session:
        store.games.finish(session, session.get_one(Game, games[3].id), 1, (0, 0), "resignation")
    check(store, rules)
    fill(store, 3, seed=3, rules=("abapa",))  # may reuse the number of the deleted game
    with store.transaction() as session:
        position_index.update_index(session)
    check(store, rules)
    with store.transaction() as session:
        store.games.progress(session, session.get_one(Game, games[3].id), "B", (0, 0))
    check(store, rules)


def test_rules_of_one_name_are_kept_apart(store: Store) -> None:
    mine, yours = (Rules.from_toml_text(f'name = "ours"\nbase = "abapa"\npits = {pits}\n') for pits in (4, 5))
    with store.transaction() as session:
        for rules, moves in ((mine, "A a"), (yours, "B b")):
            store.games.add(session, StoredGame(rules=rules, moves=moves, winner=0, end="resignation"))
        position_index.update_index(session)
    assert explored(store, mine, Play(mine).position) == ((1, 0, 0), {"A": (1, 0, 0)})
    assert explored(store, yours, Play(yours).position) == ((1, 0, 0), {"B": (1, 0, 0)})


@pytest.mark.parametrize("indexed", [False, True])
def test_transpositions_are_one_position(store: Store, indexed: bool) -> None:
    start = "1-0-0-1-0-3-1-0-0-1-0-3-18-20-S"
    with store.transaction() as session:
        for moves in ("A a D d E", "D d A a B"):
            record = StoredGame(rules="abapa", start=start, moves=moves, winner=1, end="resignation")
            store.games.add(session, record)
        if indexed:
            position_index.update_index(session)
    position = Play("abapa", start=start, moves="A a D d").position
    assert position == Play("abapa", start=start, moves="D d A a").position
    assert explored(store, get("abapa"), position) == ((0, 0, 2), {"B": (0, 0, 1), "E": (0, 0, 1)})


def test_a_position_that_is_none_is_refused(store: Store) -> None:
    with store.transaction() as session, pytest.raises(AwaleError):
        explorer.explore(session, "1-2-3", "abapa")
