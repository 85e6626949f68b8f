"""A game on the table: who plays it, what was taken back, where it is kept. No screen in here."""

from __future__ import annotations

import threading
from pathlib import Path

from awale.game import Game, Trace
from awale.rules.moves import Move
from awale.tui.house import House, Seat

OFFER_AGAIN_AFTER = 20
"""Moves that a computer waits after its offer to stop was declined."""


class Table:
    """One game between two seats."""

    def __init__(self, house: House, game: Game, seats: tuple[Seat, Seat], kept_in: Path | None = None) -> None:
        self.house = house
        self.game = game
        self.seats = seats
        # One person alone sits at the bottom.
        self.flip = seats[1].person and not seats[0].person
        self.kept_in = kept_in or house.new_place()
        self.trouble = ""
        """Why the game cannot be kept, if it cannot."""
        self.used = [0.0, 0.0]
        """Seconds that each side has thought."""
        self.thinking = threading.Lock()
        """Held while a player chooses: players are not made to be asked twice at a time."""
        self._kept = kept_in is not None
        self._undone: list[tuple[Move, ...]] = []
        self._declined_at: int | None = None

    @property
    def persons(self) -> int:
        return sum(seat.person for seat in self.seats)

    @property
    def person_to_move(self) -> bool:
        return not self.game.over and self.seats[self.game.turn].person

    @property
    def can_redo(self) -> bool:
        return bool(self._undone) and not self.game.over

    # -- moves -----------------------------------------------------------------------------------------------------

    def play(self, move: Move) -> Trace:
        """Play a legal move and keep the game; says what there is to show."""
        trace = self.game.trace(move)
        self.game.push(move)
        self._undone.clear()
        self.keep()
        return trace

    def undo(self) -> tuple[Move, ...]:
        """Take back to the last move of a person: his own again if he plays a computer. Empty if there is none."""
        if self.game.ended:
            # Giving up and stopping are taken back by themselves.
            last = self.game.moves[-1:]
            self.game = Game(self.game.rules, start=self.game.start, moves=self.game.moves)
            self.keep()
            return last
        trial = self.game.copy()
        undone: list[Move] = []
        while trial.moves:
            undone.append(trial.pop())
            if self.persons != 1 or self.seats[trial.turn].person:
                break
        if not undone or (self.persons == 1 and not self.seats[trial.turn].person):
            # Only the computer has moved: to take that back would only make it move again.
            return ()
        self.game = trial
        self._declined_at = None
        self._undone.append(tuple(reversed(undone)))
        self.keep()
        return self._undone[-1]

    def redo(self) -> tuple[Move, ...]:
        """Play again what was taken back last. Empty if there is nothing."""
        if not self._undone or self.game.over:
            return ()
        again = self._undone.pop()
        for move in again:
            self.game.push(move)
        self.keep()
        return again

    # -- offers ----------------------------------------------------------------------------------------------------

    def computer_offers(self) -> bool:
        """Whether the computer whose turn it is offers to stop."""
        lately = self._declined_at is not None and self.game.ply < self._declined_at + OFFER_AGAIN_AFTER
        return not lately and self.game.end_offer is None and self.house.offers_to_stop(self.game)

    def answer(self, accepted: bool) -> None:
        """The answer to the offer that stands."""
        if accepted:
            self.game.accept_end()
        else:
            self.game.decline_end()
            self._declined_at = self.game.ply
        self.keep()

    # -- keeping ---------------------------------------------------------------------------------------------------

    def keep(self) -> bool:
        """Keep the game if it is unfinished and was begun, forget it if it is over; says whether it is kept."""
        try:
            if self.game.over:
                if self._kept:
                    self.kept_in.unlink(missing_ok=True)
                    self._kept = False
            elif self._kept or (self.game.moves and self.persons):
                self.house.keep(self.kept_in, self.game, self.seats[0].name, self.seats[1].name)
                self._kept = True
        except OSError as error:
            # A full or forbidden disk must not stop the game.
            self.trouble = f"{error.filename}: {error.strerror}"
            return False
        return self._kept

    def close(self) -> None:
        """Let the players go."""
        for seat in self.seats:
            seat.close()
