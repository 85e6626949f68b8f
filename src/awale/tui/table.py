"""A game on the table: who plays it, its clock, what was taken back, where it is kept. No screen in here."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from pathlib import Path

from awale import players
from awale.clock import Clock
from awale.game import Game, Trace
from awale.i18n import text
from awale.rules.moves import Move
from awale.tui.house import House, Seat
from awale.tui.lazy_player import LazyPlayer

OFFER_AGAIN_AFTER = 20
"""Moves that a computer waits after its offer to stop was declined."""


class Table:
    """One game between two seats."""

    def __init__(
        self,
        house: House,
        game: Game,
        seats: tuple[Seat, Seat],
        kept_in: Path | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.house = house
        self.game = game
        self.seats = seats
        self.clock = clock
        # One person alone sits at the bottom.
        self.flip = seats[1].person and not seats[0].person
        self.kept_in = kept_in or house.new_place()
        self.trouble = ""
        """Why the game cannot be kept or stored, if it cannot."""
        self.used = [0.0, 0.0]
        """Seconds that each side has thought."""
        self.thinking = threading.Lock()
        """Held while a player chooses: players are not made to be asked twice at a time."""
        self._kept = kept_in is not None
        self._undone: list[tuple[Move, ...]] = []
        self._declined_at: int | None = None
        self._times: dict[int, tuple[float, float]] = {}
        """What the clocks showed after so many moves, to give it back with the moves."""
        self._key = secrets.token_urlsafe(9)
        """The game's name in the store: taken back and ended otherwise, it is still the same game."""
        self._storing: threading.Thread | None = None
        self._stored: Game | None = None
        """The finished game that is in the store, or on its way."""
        self._adviser: LazyPlayer | None = None
        self._note_time()

    @property
    def persons(self) -> int:
        return sum(seat.person for seat in self.seats)

    @property
    def person_to_move(self) -> bool:
        return not self.game.over and self.seats[self.game.turn].person

    @property
    def can_redo(self) -> bool:
        return bool(self._undone) and not self.game.over

    @property
    def names(self) -> tuple[str, str]:
        return self.seats[0].name, self.seats[1].name

    # -- moves -----------------------------------------------------------------------------------------------------

    def play(self, move: Move) -> Trace:
        """Play a legal move and keep the game; says what there is to show. No clock runs until `run_clock`."""
        trace, mover = self.game.trace(move), self.game.turn
        self.game.push(move)
        self._undone.clear()
        if self.clock is not None:
            self.clock.moved(mover, None)
            self._times = {ply: left for ply, left in self._times.items() if ply < len(self.game.moves)}
            self._note_time()
        self.keep()
        return trace

    def undo(self) -> tuple[Move, ...]:
        """Take back to the last move of a person: his own again if he plays a computer. Empty if there is none."""
        if self.game.ended:
            # Giving up, stopping and a fallen flag are taken back by themselves.
            last = self.game.moves[-1:]
            self.game = Game(self.game.rules, start=self.game.start, moves=self.game.moves)
            self._time_as_then()
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
        self._time_as_then()
        self.keep()
        return self._undone[-1]

    def redo(self) -> tuple[Move, ...]:
        """Play again what was taken back last. Empty if there is nothing."""
        if not self._undone or self.game.over:
            return ()
        again = self._undone.pop()
        for move in again:
            self.game.push(move)
        self._time_as_then()
        self.keep()
        return again

    # -- the clock -------------------------------------------------------------------------------------------------

    def _note_time(self) -> None:
        if self.clock is not None:
            self._times[len(self.game.moves)] = (self.clock.remaining(0), self.clock.remaining(1))

    def _time_as_then(self) -> None:
        """The clocks as they were at this move; in a game that was gone on with, at the latest as it was then."""
        if self.clock is not None:
            plies = [ply for ply in self._times if ply >= len(self.game.moves)]
            self.clock.set(self._times[min(plies, default=max(self._times))])

    def run_clock(self, on: bool) -> None:
        """Let the clock of the player to move run, or none. The first move has all the time in the world."""
        if self.clock is not None:
            wanted = self.game.turn if on and self.game.moves and not self.game.over else None
            if self.clock.running != wanted:
                self.clock.run(wanted)

    def flag_falls(self) -> bool:
        """Whether somebody's time is up; the game is over then."""
        flag = None if self.clock is None or self.game.over else self.clock.flag
        if self.clock is None or flag is None:
            return False
        self.clock.run(None)
        self.game.lose_on_time(flag)
        self.keep()
        return True

    def time(self) -> players.PlayerClock | None:
        """The time of the player to move, as players are told of it."""
        clock, turn = self.clock, self.game.turn
        if clock is None:
            return None
        if clock.each_move:
            return players.PlayerClock(move=clock.remaining(turn))
        return players.PlayerClock(
            left=clock.remaining(turn), increment=clock.increment, opponent_left=clock.remaining(1 - turn)
        )

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

    def _tags(self) -> dict[str, str]:
        return {} if self.clock is None else self.clock.as_tags()

    def keep(self) -> bool:
        """Keep the game if it is unfinished and was begun; says whether it is kept. One that is over goes to the
        store (`store`), and is forgotten here once it is there."""
        try:
            if not self.game.over and (self._kept or self.game.moves):
                self.house.keep(self.kept_in, self.game, *self.names, self._tags())
                self._kept = True
        except OSError as error:
            # A full or forbidden disk must not stop the game.
            self.trouble = text("play.say.not-kept", problem=f"{error.filename}: {error.strerror}")
            return False
        return self._kept and not self.game.over

    def write(self, path: Path) -> None:
        """Write the game to a file of one's own."""
        self.house.write(path, self.game, *self.names, self._tags())

    def store(self, done: Callable[[], object] = lambda: None) -> None:
        """Hand a finished game to the store, in a thread: a database may take its time. `done` is called there."""
        if not self.game.over or self._stored == self.game:
            return
        game = self._stored = self.game.copy()
        clock = None if self.clock is None else self.clock.text()
        before = self._storing

        def run() -> None:
            if before is not None:  # the same game, ended otherwise before a move was taken back
                before.join()
            self.trouble = self.house.store(self._key, game, *self.names, clock) or self.trouble
            done()

        # No daemon: whoever leaves at once waits the moment that it takes, and the game is not lost.
        self._storing = threading.Thread(target=run)
        self._storing.start()

    def settle(self) -> None:
        """Wait for the store, and forget the unfinished game that the finished one was."""
        if self._storing is not None:
            self._storing.join()
            self._storing = None
        if self.game.over and self._kept:
            try:
                self.kept_in.unlink(missing_ok=True)
                self._kept = False
            except OSError as error:
                self.trouble = f"{error.filename}: {error.strerror}"

    def adviser(self) -> LazyPlayer:
        """Who gives hints, made when first asked."""
        if self._adviser is None:
            self._adviser = LazyPlayer("adviser", lambda: self.house.adviser(self.game.rules))
        return self._adviser

    def close(self) -> None:
        """Let the players go; one that is thinking stops."""
        for seat in self.seats:
            seat.close()
        if self._adviser is not None:
            self._adviser.close()
