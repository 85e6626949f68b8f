"""One game in progress, the same for every interface: seats, clock, offers, take-backs, adjudication, review.

>>> from awale import Game
>>> from awale.match import Match, TimeControl
>>> match = Match(Game("abapa"), clock=TimeControl.parse("5+3"))
>>> match.play(0, "F", now=0.0)[0].trace.taken
0
"""

from awale.match.clock import Clock, TimeControl, TimeControlError, format_time
from awale.match.conduct import choose, failure, play_out
from awale.match.events import (
    Answered,
    Ended,
    Event,
    Fault,
    MatchError,
    Moved,
    Offer,
    Offered,
    OfferKind,
    RematchAgreed,
    Seat,
    TakenBack,
)
from awale.match.match import Match, TimeUsage

__all__ = [
    "Answered",
    "Clock",
    "Ended",
    "Event",
    "Fault",
    "Match",
    "MatchError",
    "Moved",
    "Offer",
    "OfferKind",
    "Offered",
    "RematchAgreed",
    "Seat",
    "TakenBack",
    "TimeControl",
    "TimeControlError",
    "TimeUsage",
    "choose",
    "failure",
    "format_time",
    "play_out",
]
