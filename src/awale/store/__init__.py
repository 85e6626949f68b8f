"""Players, games and ratings in SQLite or PostgreSQL.

>>> from awale.store import Store
>>> store = Store("sqlite://")  # in memory; Store() opens the user's own database
>>> with store.transaction() as session:
...     game = store.games.add(session, StoredGame(rules="abapa", moves="F f", south="Ada", north="engine:3"))
...     game.plies
2
"""

from awale.store.database import MissingStoreError, Store, StoreError, default_url
from awale.store.games import StoredGame
from awale.store.models import Base, Game, LiveState, Player, Rating, SeatHolder

__all__ = [
    "Base",
    "Game",
    "LiveState",
    "MissingStoreError",
    "Player",
    "Rating",
    "SeatHolder",
    "Store",
    "StoreError",
    "StoredGame",
    "default_url",
]
