"""Players, games and ratings, kept in SQLite or PostgreSQL.

>>> from awale.store import Store
>>> store = Store("sqlite://")  # in memory; Store() opens the user's own database
>>> with store.transaction() as session:
...     game = store.games.add(session, GameRecord(rules="abapa", moves="F f", south="Ada", north="engine:3"))
...     game.plies
2
"""

from awale.store.database import Store, StoreError, default_url
from awale.store.games import GameRecord
from awale.store.models import Base, Game, LiveGame, Player, Rating, SeatHolder

__all__ = [
    "Base",
    "Game",
    "GameRecord",
    "LiveGame",
    "Player",
    "Rating",
    "SeatHolder",
    "Store",
    "StoreError",
    "default_url",
]
