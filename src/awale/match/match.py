"""`Match`: one game in progress between two seats. Web, terminal, command line and arena all drive this class."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, Self

from awale import i18n
from awale.errors import MoveError
from awale.game import TRACE_LAPS, Game
from awale.match.clock import Clock, TimeControl
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
from awale.players.base import Player, PlayerClock
from awale.players.stopping import endless, no_progress
from awale.rules.moves import Move

OFFER_INTERVAL = 20
"""Plies that a program waits after a declined offer to stop before it offers again."""


@dataclass(slots=True)
class TimeUsage:
    """The time that a side has used."""

    seconds: float = 0.0
    moves: int = 0
    longest: float = 0.0
    overruns: int = 0
    """Moves that took longer than there was time, within the margin or not."""
    worst_overrun: float = 0.0

    def add(self, seconds: float, given: float | None) -> None:
        """Count a move that took so long where so much time was given."""
        self.seconds += seconds
        self.moves += 1
        self.longest = max(self.longest, seconds)
        if given is not None and seconds > given:
            self.overruns += 1
            self.worst_overrun = max(self.worst_overrun, seconds - given)


class Match:
    """A game, its seats, clock, offers, take-backs and adjudication. No I/O and no threads.

    Actions take the current time in seconds, on any scale that only grows, and return what happened as events; what
    cannot be done raises `MatchError` (or a move error) and changes nothing.

    >>> from awale import Game
    >>> match = Match(Game("abapa"))
    >>> [type(event).__name__ for event in match.play(0, "F", now=0.0)]
    ['Moved']
    >>> match.resign(1, now=1.0)[0].outcome.winner
    0
    """

    def __init__(
        self,
        game: Game,
        seats: tuple[Seat | Player, Seat | Player] = (Seat(), Seat()),
        *,
        clock: Clock | TimeControl | None = None,
        shared: bool = False,
        max_plies: int | None = None,
        clock_from_start: bool = False,
    ) -> None:
        """Create a match.

        Args:
            game: the position to play from; played on in place.
            seats: South's and North's; a player stands for the seat of that program.
            clock: a time control, or a clock that was kept with the game.
            shared: one person plays both sides, so that taking back needs nobody's consent.
            max_plies: a game this long is stopped, each side keeping what it has captured.
            clock_from_start: the first move uses time too; otherwise the clock starts with the second.
        """
        self.game = game
        south, north = (seat if isinstance(seat, Seat) else Seat.of(seat) for seat in seats)
        self.seats = (south, north)
        self.clock = Clock(clock) if isinstance(clock, TimeControl) else clock
        self.shared = shared
        self.max_plies = max_plies
        self.clock_from_start = clock_from_start
        self.usage = (TimeUsage(), TimeUsage())
        self.offer: Offer | None = None
        self.fault = ""
        self.undone: list[str] = []
        """Moves taken back, the next one to redo last."""
        self._offers = 0
        self._declined_at: int | None = None
        self._thinking_since: float | None = None
        self._spent = 0.0
        """Seconds of the current turn before the last pause."""
        self._given: float | None = None
        self._times: dict[int, str] = {}
        """What the clocks showed after so many moves, as text: all of it is stored after every move."""
        if game.end_offer is not None and not game.over:
            self.offer = self._new_offer("stop", game.end_offer)
        self._note_times(0.0)

    # -- where the match stands --------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self.game.over

    @property
    def turn(self) -> int:
        return self.game.turn

    @property
    def ply(self) -> int:
        """Moves played in this match."""
        return self.game.ply - self.game.start.ply

    @property
    def persons(self) -> int:
        return sum(seat.person for seat in self.seats)

    @property
    def person_to_move(self) -> bool:
        return not self.over and self.seats[self.turn].person

    @property
    def solo(self) -> bool:
        """Whether one person at most decides: take-backs need no consent."""
        return self.shared or self.persons < 2

    @property
    def can_undo(self) -> bool:
        return self.game.ended is not None or self._plies_back() > 0

    @property
    def can_redo(self) -> bool:
        return bool(self.undone) and not self.over

    def player_clock(self, now: float) -> PlayerClock | None:
        """Return the time of the side to move, as its player is told."""
        return None if self.clock is None else self.clock.for_player(self.turn, now)

    def time_used(self, side: int, now: float) -> float:
        """Return the seconds a side has used, those of the running turn included."""
        running = self.turn == side and not self.over
        return self.usage[side].seconds + (self._turn_time(now) if running else 0.0)

    def copy(self) -> Self:
        """Return an independent match: try an action on it, keep it if it can be stored, drop it if not."""
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.game = self.game.copy()
        twin.clock = None if self.clock is None else self.clock.copy()
        twin.usage = (replace(self.usage[0]), replace(self.usage[1]))
        twin.undone = self.undone.copy()
        twin._times = self._times.copy()
        return twin

    # -- time --------------------------------------------------------------------------------------------------------

    def resume(self, now: float) -> None:
        """Let the time of the side to move run: at the start, after a pause, an answered offer, a restart."""
        if self.over or self._thinking_since is not None or (self.solo and self.offer is not None):
            return
        self._thinking_since = now
        if self.clock is not None and (self.ply or self.clock_from_start):
            if self._given is None:
                self._given = self.clock.remaining(self.turn, now)
            self.clock.run(self.turn, now)

    def pause(self, now: float) -> None:
        """Stop all time: while a move is shown, a program is loaded, or nobody watches."""
        self._spent = self._turn_time(now)
        self._thinking_since = None
        if self.clock is not None:
            self.clock.run(None, now)

    def _turn_time(self, now: float) -> float:
        return self._spent + (0.0 if self._thinking_since is None else now - self._thinking_since)

    def _end_turn(self, side: int, now: float) -> None:
        """Charge the turn's time to the side that had it."""
        self.usage[side].add(self._turn_time(now), self._given)
        self._spent, self._given, self._thinking_since = 0.0, None, None

    def check_flag(self, now: float) -> tuple[Event, ...]:
        """End the match if the time of the side to move is up."""
        side = None if self.clock is None or self.over else self.clock.flagged(now)
        if side is None:
            return ()
        spent, given = (i18n.decimal(seconds, ".3f") for seconds in (self._turn_time(now), self._given or 0.0))
        return self._forfeit(side, "time", now, i18n.text("match.fault.time", spent=spent, given=given))

    def flag_in(self, now: float) -> float | None:
        """Return the seconds until `check_flag` can end the match; None if no clock runs."""
        clock = self.clock
        if clock is None or clock.running is None:
            return None
        return max(0.0, clock.balance(clock.running, now) + clock.control.margin)

    def _note_times(self, now: float) -> None:
        if self.clock is not None:
            self._times[self.ply] = _times_text(self.ply, *self.clock.rounded(now))

    def _restore_times(self, now: float) -> None:
        """Set the clocks to what they showed at this ply, or at the nearest later one that is known."""
        running = self._thinking_since is not None
        self._spent, self._given, self._thinking_since = 0.0, None, None
        if self.clock is not None:
            self.clock.run(None, now)
            later = [ply for ply in self._times if ply >= self.ply]
            known = self._times[min(later, default=max(self._times))]
            self.clock.left = [float(left) for left in known.partition(":")[2].split("/")]
            self._times = {ply: left for ply, left in self._times.items() if ply <= self.ply}
            self._note_times(now)
        if running:
            self.resume(now)

    # -- moves -------------------------------------------------------------------------------------------------------

    def play(self, side: int, move: Move | str, now: float, *, laps: int = TRACE_LAPS) -> tuple[Event, ...]:
        """Play a move of a side. An exceeded time ends the match instead. `laps`: how many the trace holds at most."""
        self._must_be_on()
        if side != self.turn:
            raise MatchError("turn")
        flag = self.check_flag(now)
        if flag:
            return flag
        events = self._push(move, now, laps)
        self.undone.clear()
        return events

    def play_program(
        self,
        side: int,
        move: Move | str,
        now: float,
        *,
        laps: int = TRACE_LAPS,
        note: i18n.Message | None = None,
    ) -> tuple[Event, ...]:
        """Play a program's move; an illegal one loses the match. `note`: what it says about it."""
        try:
            first, *others = self.play(side, move, now, laps=laps)
            return (replace(first, note=note) if isinstance(first, Moved) else first, *others)
        except MoveError as error:
            return self.fail(side, "illegal", f"{move}: {error}", now)

    def _push(self, move: Move | str, now: float, laps: int) -> tuple[Event, ...]:
        ply, mover, running = self.ply, self.turn, self._thinking_since is not None
        trace = self.game.play(move, laps=laps)
        self._end_turn(mover, now)
        if self.clock is not None:
            self.clock.moved(mover, now)
            self._note_times(now)
        events: list[Event] = [Moved(ply, trace)]
        offer = self.offer
        if offer is not None and (offer.by != mover or offer.kind != "stop" or self.over):
            self.offer = None
            if not self.over:
                events.append(Answered(offer, accepted=False))
        if self.over:
            events.append(self._ended())
        else:
            events += self._adjudicate()
        if running and not self.over:
            self.resume(now)
        return tuple(events)

    def _adjudicate(self) -> list[Event]:
        """Stop a game that is too long, or that two programs would play for ever."""
        if self.max_plies is not None and self.game.ply >= self.max_plies:
            self.game.stop_at_length()
        elif self.persons == 0 and no_progress(self.game):
            if self.game.end_offer is None:
                self.game.offer_end()
            self.game.accept_end()
        return [self._ended()] if self.over else []

    def _plies_back(self) -> int:
        """Return how many plies a take-back undoes: against a program, back to the person's own move."""
        if self.persons != 1:
            return min(1, self.ply)
        return next((count for count, old in enumerate(self.game.earlier(), 1) if self.seats[old.turn].person), 0)

    def undo(self, side: int, now: float) -> tuple[Event, ...]:
        """Take back the last move of a person, or an ending that the moves do not show; two people have to agree."""
        if not self.can_undo:
            raise MatchError("nothing-to-undo")
        if not self.solo:
            return self._make_offer(side, "take-back")
        return self._take_back(now)

    def _take_back(self, now: float) -> tuple[Event, ...]:
        reopened = self.game.ended is not None
        moves: list[Move] = []
        if reopened:
            self.game.reopen()
        else:
            moves = [self.game.pop() for _ in range(self._plies_back())]
            self.undone += map(str, moves)
        self.offer, self.fault, self._declined_at = None, "", None
        self._restore_times(now)
        return (TakenBack(tuple(reversed(moves)), reopened),)

    def redo(self, side: int, now: float, *, laps: int = TRACE_LAPS) -> tuple[Event, ...]:
        """Play again what was taken back last, up to a person's turn."""
        if not self.can_redo or not self.solo:
            raise MatchError("nothing-to-redo")
        events: list[Event] = []
        while self.undone and not self.over:
            events += self._push(self.undone.pop(), now, laps)
            if self.persons != 1 or self.person_to_move:
                break
        return tuple(events)

    # -- offers ------------------------------------------------------------------------------------------------------

    def offer_stop(self, side: int, now: float) -> tuple[Event, ...]:
        """Offer to stop, each side keeping what it has captured.

        Where one person decides, no time runs until `resume` after the answer: nobody plays meanwhile.
        """
        self._must_be_on()
        events = self._make_offer(side, "stop")
        if self.solo:
            self.pause(now)
        return events

    def offer_rematch(self, side: int, now: float) -> tuple[Event, ...]:
        """Offer another game with the sides changed; agreed at once where one person decides or the other offered."""
        if not self.over:
            raise MatchError("not-over")
        if self.offer is not None and self.offer.kind == "rematch" and self.offer.by != side:
            return self.answer(1 - self.offer.by, self.offer.id, accept=True, now=now)
        return (RematchAgreed(),) if self.solo else self._make_offer(side, "rematch")

    def _make_offer(self, side: int, kind: OfferKind) -> tuple[Event, ...]:
        if self.offer is not None and self.offer.by != side:
            raise MatchError("offer-open")
        if self.offer is not None and self.offer.kind == kind:
            return ()
        if kind == "stop":
            self.game.offer_end(side)
        elif self.game.end_offer is not None:
            self.game.decline_end()
        self.offer = self._new_offer(kind, side)
        return (Offered(self.offer),)

    def _new_offer(self, kind: OfferKind, side: int) -> Offer:
        self._offers += 1
        return Offer(self._offers, kind, side, self.ply)

    def answer(self, side: int, offer_id: int, *, accept: bool, now: float) -> tuple[Event, ...]:
        """Accept or decline the open offer, named by its id."""
        offer = self.offer
        if offer is None or offer.id != offer_id or offer.by == side:
            raise MatchError("no-offer")
        self.offer = None
        events: list[Event] = [Answered(offer, accept)]
        if offer.kind == "stop":
            if accept:
                self.game.accept_end()
                self._stand(now)
                events.append(self._ended())
            else:
                self.game.decline_end()
                self._declined_at = self.ply
        elif accept:
            events += self._take_back(now) if offer.kind == "take-back" else [RematchAgreed()]
        return tuple(events)

    def may_offer_stop(self, side: int) -> bool:
        """Return whether a program may offer a person to stop now: nothing else ends the game, and not too often."""
        recently = self._declined_at is not None and self.ply < self._declined_at + OFFER_INTERVAL
        opponent = self.seats[1 - side]
        return not self.over and endless(self.game.rules) and opponent.person and self.offer is None and not recently

    def rematch(self) -> Match:
        """Return a new match from the same start with the sides changed."""
        return Match(
            Game(self.game.rules, start=self.game.start),
            (self.seats[1], self.seats[0]),
            clock=None if self.clock is None else self.clock.control,
            shared=self.shared,
            max_plies=self.max_plies,
            clock_from_start=self.clock_from_start,
        )

    # -- endings -----------------------------------------------------------------------------------------------------

    def resign(self, side: int, now: float) -> tuple[Event, ...]:
        """Give up."""
        self._must_be_on()
        self.game.resign(side)
        self._stand(now)
        return (self._ended(),)

    def fail(self, side: int, fault: Fault, detail: str, now: float) -> tuple[Event, ...]:
        """End the match as lost by a side whose program failed, played an illegal move or took too long.

        A time exceeded before that ends it instead.
        """
        self._must_be_on()
        return self.check_flag(now) or self._forfeit(side, fault, now, detail)

    def _forfeit(self, side: int, fault: Fault, now: float, detail: str = "") -> tuple[Event, ...]:
        if side == self.turn:
            self._end_turn(side, now)
        self.fault = detail[:500]
        self.game.forfeit(side, fault)
        self._stand(now)
        return (self._ended(),)

    def _stand(self, now: float) -> None:
        self.offer = None
        self._thinking_since = None
        if self.clock is not None:
            self.clock.run(None, now)

    def _ended(self) -> Ended:
        outcome = self.game.outcome()
        assert outcome is not None
        return Ended(outcome, self.fault)

    def _must_be_on(self) -> None:
        if self.over:
            raise MatchError("over")

    # -- kept with the game ------------------------------------------------------------------------------------------

    def state(self, now: float) -> dict[str, Any]:
        """Return what a store keeps beside the moves, as JSON."""
        return {
            "seats": [{"name": seat.name, "person": seat.person} for seat in self.seats],
            "redo": self.undone,
            "clock": None if self.clock is None else self.clock.as_json(now),
            "times": " ".join(self._times.values()),
            "ended": self.game.ended,
            "fault": self.fault,
            "offers": self._offers,
            "offer": None if self.offer is None else asdict(self.offer),
            "declined": self._declined_at,
        }

    @classmethod
    def restore(cls, game: Game, seats: tuple[Seat, Seat], state: dict[str, Any], *, shared: bool = False) -> Self:
        """Return a match from its moves and its state. No time runs until `resume`."""
        clock = Clock.from_json(state["clock"]) if state.get("clock") else None
        match = cls(game, seats, clock=clock, shared=shared)
        match.undone = list(state.get("redo") or ())
        times = state.get("times", "")
        if isinstance(times, dict):  # as earlier versions stored them
            times = " ".join(_times_text(int(ply), *left) for ply, left in times.items())
        match._times.update({int(entry.partition(":")[0]): entry for entry in times.split()})
        match.fault = str(state.get("fault", ""))
        match._offers = int(state.get("offers", 0))
        match._declined_at = state.get("declined")
        if state.get("offer"):
            match.offer = Offer(**state["offer"])
            if match.offer.kind == "stop":
                game.offer_end(match.offer.by)
        return match


def _times_text(ply: int, south: float, north: float) -> str:
    return f"{ply}:{south}/{north}"
