"""What happens in a match, as values: the seats, the offers, and the events that every interface shows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from awale import i18n
from awale.errors import AwaleError
from awale.game import Outcome, Trace
from awale.players.base import Player
from awale.rules.moves import Move

OfferKind: TypeAlias = Literal["stop", "take-back", "rematch"]
Fault: TypeAlias = Literal["time", "illegal", "crash"]


class MatchError(AwaleError):
    """Something that cannot be done in a match, or not now. `code` names it for programs."""

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(i18n.message(f"match.refused.{code}"))


@dataclass(frozen=True, slots=True)
class Seat:
    """One side of a match: a person, or a program. `player` is the program where it runs in this process."""

    name: str = ""
    person: bool = True
    player: Player | None = field(default=None, compare=False)

    @classmethod
    def of(cls, player: Player) -> Seat:
        """Return the seat of a player object."""
        return cls(player.name, person=False, player=player)


@dataclass(frozen=True, slots=True)
class Offer:
    """An open question of one side to the other. An answer names the offer, so it cannot hit another one."""

    id: int
    kind: OfferKind
    by: int
    ply: int


@dataclass(frozen=True, slots=True)
class Moved:
    """A move was played."""

    ply: int
    """The number of moves before it."""
    trace: Trace
    note: i18n.Message | None = None
    """What the program that played it says about it."""


@dataclass(frozen=True, slots=True)
class TakenBack:
    """Moves were taken back; `reopened` if an agreement, a forfeit or a fallen flag was undone."""

    moves: tuple[Move, ...]
    reopened: bool = False


@dataclass(frozen=True, slots=True)
class Offered:
    """A side offers to stop, to take back a move, or to play again."""

    offer: Offer


@dataclass(frozen=True, slots=True)
class Answered:
    """An offer was accepted or declined. A move of the other side declines an offer."""

    offer: Offer
    accepted: bool


@dataclass(frozen=True, slots=True)
class Ended:
    """The match is over."""

    outcome: Outcome
    fault: str = ""
    """What the loser did, in words, after a crash, an illegal move or an exceeded time."""


@dataclass(frozen=True, slots=True)
class RematchAgreed:
    """Both sides want to play again: see `Match.rematch`."""


Event: TypeAlias = Moved | TakenBack | Offered | Answered | Ended | RematchAgreed
