"""A sample database for the examination's SQL questions: twelve people and their games, the same from the same seed."""

from __future__ import annotations

import datetime
import random
from typing import TYPE_CHECKING

from awale.game import Game
from awale.i18n import message
from awale.players.simple import GreedyPlayer

if TYPE_CHECKING:
    from awale.store import Store, StoredGame

PEOPLE = (
    ("Awa", "Diop", 1950),
    ("Kofi", "Mensah", 2104),
    ("Mina", "Traoré", 1876),
    ("Jules", "Martin", 1512),
    ("Aminata", "Sow", 2041),
    ("Luc", "Petit", 1655),
    ("Zoé", "Bernard", 1901),
    ("Ibrahima", "Fall", 1900),
    ("Claire", "Dubois", 1433),
    ("Yao", "Kouassi", 1998),
    ("Nadia", "Benali", 1720),
    ("Paul", "Moreau", 1287),
)
RULES = ("abapa", "awari", "casabianca", "upsti", "wikipedia")
GAMES = 60
LONGEST = 200
_FIRST_DAY = datetime.datetime(2025, 9, 1, 17, tzinfo=datetime.UTC)


def fill(store: Store, seed: int = 1) -> tuple[int, int]:
    """Add the players and games to an empty database; return how many of each."""
    from sqlalchemy import func, select

    from awale.store import Game as Stored
    from awale.store import StoreError
    from awale.store.transfer import add_many

    chance = random.Random(seed)
    with store.transaction() as session:
        if session.scalar(select(func.count()).select_from(Stored)):
            raise StoreError(message("store.sql.not-empty", url=repr(store)[7:-2]))
        for first, last, level in PEOPLE:
            store.players.person(session, first, last, level=level)
        done = add_many(session, [_record(number, chance) for number in range(GAMES)])
    return len(PEOPLE), done.added


def _record(number: int, chance: random.Random) -> StoredGame:
    """Return a game in which the stronger player takes what they can more often."""
    from awale.store import StoredGame

    pair = chance.sample(PEOPLE, 2)
    game = Game(chance.choice(RULES))
    while not game.over and len(game.moves) < LONGEST:
        skill = pair[game.turn][2] / 2500
        greedy = chance.random() < skill
        game.push(GreedyPlayer().choose(game).move if greedy else chance.choice(game.legal_moves))
    found = game.outcome()
    at = _FIRST_DAY + datetime.timedelta(days=number)
    return StoredGame(
        rules=game.rules.name,
        south=f"{pair[0][0]} {pair[0][1]}",
        north=f"{pair[1][0]} {pair[1][1]}",
        moves=" ".join(map(str, game.moves)),
        winner=found.winner if found else None,
        scores=found.scores if found else game.scores,
        end=found.reason if found else None,
        source="awale exam database",
        started_at=at,
        ended_at=at if found else None,
    )
