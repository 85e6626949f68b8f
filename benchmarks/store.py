"""The store with a million games: a tenth of them imported from OGN and exported, the rest added; then asked the
examination's four questions, searched and explored.

Set `AWALE_STORE_GAMES` for another number, and `AWALE_STORE_URL` for another database than a temporary SQLite file. The
games that this database has from an earlier run are not added again.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path

from sqlalchemy import func, select

from awale.envs.batch import BatchEnv
from awale.game import Game
from awale.kernels.convert import move_of
from awale.notation import GameRecord, read_ogn, write_ogn
from awale.rules import get
from awale.store import Store, explorer, find
from awale.store.games import StoredGame
from awale.store.models import Game as StoredRow
from awale.store.transfer import add_many, export_records, import_records
from benchmarks.measure import Row

GAMES = int(os.environ.get("AWALE_STORE_GAMES", "1000000"))
IMPORTED = GAMES // 10
RULES = ("abapa", "upsti", "wikipedia")
PLAYERS = 500
DISTINCT = 400
"""Games of the file that are really played; the others repeat their moves with other players and dates."""
ADDED = 30_000
"""Games added in one transaction."""
QUESTION_SECONDS = 0.2
POSITION_SECONDS = 0.1
EXPLORE_SECONDS = 0.05
EXPLORED = 100_000
"""The games for which the explorer's target holds."""


def generated(games: int, seed: int = 1) -> Iterator[GameRecord]:
    """Random games of three rule systems between a few hundred people, for a file."""
    chance = random.Random(seed)
    played = []
    for number in range(DISTINCT):
        game = Game(get(RULES[number % 3]))
        while not game.over:
            game.push(chance.choice(game.legal_moves))
        played.append(GameRecord.from_game(game))
    for number in range(games):
        south, north = chance.sample(range(PLAYERS), 2)
        copy = played[number % DISTINCT]
        tags = {"South": f"First{south} Last{south}", "North": f"First{north} Last{north}"}
        tags |= {"Round": str(number), "Date": f"20{chance.randrange(10, 25)}.{chance.randrange(1, 13):02}.01"}
        yield GameRecord(copy.rules, copy.start, tags, copy.moves, [], copy.result, copy.outcome)


def played(rules: str, count: int, seed: int) -> Iterator[StoredGame]:
    """Random games, each with its own moves, played by the kernels."""
    env = BatchEnv(count, rules, seed=seed, auto_reset=False)
    env.reset()
    names = [[str(move_of(env.rules, turn, number)) for number in range(env.actions)] for turn in (0, 1)]
    moves: list[list[str]] = [[] for _ in range(count)]
    found: dict[int, StoredGame] = {}
    while len(found) < count:
        actions, turns = env.sample(), env.turns
        for game in range(count):
            if game not in found:
                moves[game].append(names[turns[game]][actions[game]])
        ended = env.step(actions).ended
        for game, scores, reason in zip(ended.games.tolist(), ended.scores.tolist(), ended.reasons, strict=True):
            south, north = scores
            found[game] = StoredGame(
                rules=env.rules,
                south=f"First{(seed + game) % PLAYERS} Last{(seed + game) % PLAYERS}",
                north=f"First{(seed * 7 + game * 3 + 1) % PLAYERS} Last{(seed * 7 + game * 3 + 1) % PLAYERS}",
                moves=" ".join(moves[game]),
                winner=None if south == north else int(north > south),
                scores=(south, north),
                end=reason,
                source="benchmark",
            )
    yield from found.values()


def _timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def _told(row: Row) -> Row:
    """So many games take minutes: say how it goes."""
    print(f"  {row.what}: {row.ours:.4g} {row.unit}/s", file=sys.stderr, flush=True)
    return row


def _add(store: Store, games: list[StoredGame]) -> None:
    with store.transaction() as session:
        add_many(session, games)


def run() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        return _run(Path(folder))


def _run(folder: Path) -> list[Row]:
    store = Store(os.environ.get("AWALE_STORE_URL") or f"sqlite:///{folder / 'games.sqlite'}")
    with store.transaction(read_only=True) as session:
        known = session.scalar(select(func.count()).select_from(StoredRow)) or 0
    rows = [] if known >= IMPORTED else _import(store, folder)
    rows += _fill(store, max(known, IMPORTED))
    rows += _ask(store)
    store.close()
    return rows


def _import(store: Store, folder: Path) -> list[Row]:
    source, target = folder / "in.ogn", folder / "out.ogn"
    write_ogn(generated(IMPORTED), source)

    def read() -> None:
        with store.transaction() as session:
            done = import_records(session, read_ogn(source))
        assert done.added == IMPORTED, done

    def write() -> None:
        with store.transaction() as session:
            assert write_ogn(export_records(session), target) == IMPORTED

    def again() -> None:
        with store.transaction() as session:
            assert import_records(session, read_ogn(source)).added == 0

    rows = [_told(Row("store: games imported from OGN", "games", IMPORTED / _timed(read)))]
    rows.append(_told(Row("store: games exported to OGN", "games", IMPORTED / _timed(write))))
    rows.append(_told(Row("store: games recognised as known", "games", IMPORTED / _timed(again))))
    return rows


def _fill(store: Store, known: int) -> list[Row]:
    """Add games until there are enough."""
    seconds, added = 0.0, 0
    for number in count((known - IMPORTED) // ADDED):
        wanted = min(ADDED, GAMES - known - added)
        if wanted <= 0:
            break
        games = list(played(RULES[number % 3], wanted, number))
        seconds += _timed(lambda games=games: _add(store, games))  # type: ignore[misc]
        added += wanted
        print(f"  {known + added:,} games of {GAMES:,}", file=sys.stderr, flush=True)
    return [_told(Row(f"store: games added, {GAMES:,} in all", "games", added / seconds))] if added else []


def _ask(store: Store) -> list[Row]:
    rows = []
    chance = random.Random(2)
    with store.transaction() as session:
        for number in range(PLAYERS):
            store.players.person(session, f"First{number}", f"Last{number}", level=chance.randrange(1000, 2500))
    questions: dict[str, Callable[..., object]] = {
        "players above a level": lambda session: store.stats.above_level(session, 1900),
        "share won by the first player": lambda session: store.stats.first_player_share(session, "abapa"),
        "the three best": lambda session: store.stats.best(session, 3),
        "two wins as first player": lambda session: store.stats.first_winners(session, 2),
    }
    for plies in (2, 12, 30):
        position = Game("abapa", moves=[str(one.move) for one in next(generated(1)).moves[:plies]]).position
        questions[f"games with a position after {plies} moves"] = lambda session, position=position: list(
            islice(find.by_position(session, position, get("abapa")), 20)
        )
    for plies in (0, 2, 12, 30):
        position = Game("abapa", moves=[str(one.move) for one in next(generated(1)).moves[:plies]]).position
        questions[f"explorer after {plies} moves"] = lambda session, position=position: explorer.explore(
            session, position, "abapa"
        )
    for name, ask in questions.items():
        with store.transaction() as session:
            begun = time.process_time()
            seconds = min(_timed(lambda ask=ask, session=session: ask(session)) for _ in range(5))  # type: ignore[misc]
            cost = (time.process_time() - begun) / 5
        print(f"  {1000 * seconds:.1f} ms, {1000 * cost:.1f} ms of processor time here:", file=sys.stderr, flush=True)
        # Questions a second, so that more is better in every row: 5 a second is 200 ms.
        most = {"games": POSITION_SECONDS, "explorer": EXPLORE_SECONDS}.get(name.split()[0], QUESTION_SECONDS)
        asked = None if name.startswith("explorer") and GAMES > EXPLORED else 1 / most
        rows.append(_told(Row(f"store: {name}, {GAMES:,} games", "questions", 1 / seconds, at_least=asked)))
    return rows
