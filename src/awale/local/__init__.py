"""Games played at this terminal: seats by name, the files of unfinished games, storing the finished ones.

Both terminal interfaces use it; it shows nothing.
"""

from awale.local.game import Action, LocalGame, Question
from awale.local.seats import PERSON, make_seats

__all__ = ["PERSON", "Action", "LocalGame", "Question", "make_seats"]
