"""The store with 100,000 games: imported, asked the examination's four questions, searched, explored, exported.

Set `AWALE_STORE_GAMES` for another number, and `AWALE_STORE_URL` for another database than a SQLite file.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from awale.game import Game
from awale.notation import GameRecord, read_ogn, write_ogn
from awale.rules import get
from awale.store import Store, explorer, find
from awale.store.transfer import export_records, import_records
from benchmarks.measure import Row

GAMES = int(os.environ.get("AWALE_STORE_GAMES", "100000"))
PLAYERS = 500
DISTINCT = 400
"""Games that are really played; the others repeat their moves with other players and dates."""
QUESTION_SECONDS = 0.2
POSITION_SECONDS = 0.1
EXPLORE_SECONDS = 0.05


def generated(count: int, seed: int = 1) -> Iterator[GameRecord]:
    """Random games of three rule systems between a few hundred people."""
    chance = random.Random(seed)
    played = []
    for number in range(DISTINCT):
        game = Game(get(("abapa", "upsti", "wikipedia")[number % 3]))
        while not game.over:
            game.push(chance.choice(game.legal_moves))
        played.append(GameRecord.from_game(game))
    for number in range(count):
        south, north = chance.sample(range(PLAYERS), 2)
        copy = played[number % DISTINCT]
        tags = {"South": f"First{south} Last{south}", "North": f"First{north} Last{north}"}
        tags |= {"Round": str(number), "Date": f"20{chance.randrange(10, 25)}.{chance.randrange(1, 13):02}.01"}
        yield GameRecord(copy.rules, copy.start, tags, copy.moves, [], copy.result, copy.outcome)


def _timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def _told(row: Row) -> Row:
    """A hundred thousand games take minutes: say how it goes."""
    print(f"  {row.what}: {row.ours:.4g} {row.unit}/s", file=sys.stderr, flush=True)
    return row


def run() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        return _run(Path(folder))


def _run(folder: Path) -> list[Row]:
    source, target = folder / "in.ogn", folder / "out.ogn"
    write_ogn(generated(GAMES), source)
    store = Store(os.environ.get("AWALE_STORE_URL") or f"sqlite:///{folder / 'games.sqlite'}")

    def read() -> None:
        with store.transaction() as session:
            done = import_records(session, read_ogn(source))
        assert done.added == GAMES, done

    def write() -> None:
        with store.transaction() as session:
            assert write_ogn(export_records(session), target) == GAMES

    def again() -> None:
        with store.transaction() as session:
            assert import_records(session, read_ogn(source)).added == 0

    rows = [_told(Row("store: games imported from OGN", "games", GAMES / _timed(read)))]
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
        position = Game("abapa", moves=[str(played.move) for played in next(generated(1)).moves[:plies]]).position
        questions[f"games with a position after {plies} moves"] = lambda session, position=position: list(
            islice(find.by_position(session, position, get("abapa")), 20)
        )
    for plies in (0, 2, 12, 30):
        position = Game("abapa", moves=[str(played.move) for played in next(generated(1)).moves[:plies]]).position
        questions[f"explorer after {plies} moves"] = lambda session, position=position: explorer.explore(
            session, position, "abapa"
        )
    for name, ask in questions.items():
        with store.transaction() as session:
            seconds = min(_timed(lambda ask=ask, session=session: ask(session)) for _ in range(5))  # type: ignore[misc]
        # Questions a second, so that more is better in every row: 5 a second is 200 ms.
        most = {"games": POSITION_SECONDS, "explorer": EXPLORE_SECONDS}.get(name.split()[0], QUESTION_SECONDS)
        rows.append(_told(Row(f"store: {name}", "questions", 1 / seconds, at_least=1 / most)))
    rows.append(_told(Row("store: games exported to OGN", "games", GAMES / _timed(write))))
    rows.append(_told(Row("store: games recognised as known", "games", GAMES / _timed(again))))
    store.close()
    return rows
