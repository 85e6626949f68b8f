"""A match at this terminal: kept on disk while unfinished, stored when finished, its programs asked one at a time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from awale.errors import AwaleError
from awale.game import Game
from awale.i18n import labelled, system_problem, text
from awale.keys import new_key
from awale.local import saved_games, seats
from awale.match import Clock, Event, Match, TakenBack, failure
from awale.players import Player
from awale.players.stopping import offers_stop
from awale.rules.moves import Move

Action: TypeAlias = Callable[[float], tuple[Event, ...]]
"""Something done to a match at a time, such as `lambda now: match.resign(0, now)`."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a program has to decide now: an answer to an offer, or a move."""

    side: int
    about_offer: bool
    ask: Callable[[], Action]
    """Let the program decide, in any thread. The action has to be done in the thread of the match."""


class LocalGame:
    """A match, where it is kept, and what both terminal interfaces do with it."""

    def __init__(
        self,
        match: Match,
        *,
        path: Path | None = None,
        store: bool = True,
        people: Sequence[str] = (),
        rated: bool = False,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """`path`: the file of an unfinished game that goes on. `store`: whether the finished game is stored.
        `people`: the names of the persons, South first. `rated`: whether it counts for the ratings."""
        self.match = match
        self.now = now
        self.flip = match.seats[1].person and not match.seats[0].person
        """Whether North is at the bottom of the board: a single person always is."""
        self.paused = False
        """Programs are not asked: the person who watches them, or has reopened the game, looks at the board."""
        self.serial = 0
        """Grows with every change: a decision about an earlier state is dropped."""
        self.problem = ""
        """Why the game cannot be kept or stored."""
        self.thinking = threading.Lock()
        """Held while a player chooses: players are called from one thread at a time."""
        self._path = path or saved_games.new_unfinished()
        self._kept = path is not None
        self._stores = store
        self._people = tuple(people)
        self._rated = self.rated = rated and match.persons == 1
        """Whether the game counts for the ratings: not after a hint, or a move that was taken back."""
        self._key = new_key()
        """The game's name in the store: reopened and ended otherwise, it is still the same game."""
        self._storing: threading.Thread | None = None
        self._stored: Game | None = None
        self._adviser: Player | None = None

    @property
    def game(self) -> Game:
        return self.match.game

    @property
    def names(self) -> tuple[str, str]:
        return self.match.seats[0].name, self.match.seats[1].name

    @property
    def full_names(self) -> tuple[str, str]:
        """The names for files and the store: persons by their own."""
        # One name for two persons at a board would be a guess.
        people = iter(self._people if len(self._people) >= self.match.persons else ())
        south, north = (next(people, "") or seat.name if seat.person else seat.name for seat in self.match.seats)
        return south, north

    @property
    def person_may_move(self) -> bool:
        return self.match.person_to_move and self.match.offer is None

    @property
    def person_asked(self) -> bool:
        """Whether a person has to answer an offer."""
        offer = self.match.offer
        return offer is not None and self.match.seats[1 - offer.by].person

    @property
    def person_side(self) -> int:
        """The side that commands are about: the one to move, unless a program is and one person plays against it."""
        turn = self.match.turn
        return 1 - turn if self.match.persons == 1 and not self.match.seats[turn].person else turn

    def play_instead(self, match: Match) -> LocalGame:
        """Return another game in place of this one, which is kept if it is unfinished."""
        self.run_clock(False)
        self.keep()
        other = LocalGame(match, store=self._stores, people=self._people, rated=self._rated, now=self.now)
        other.thinking = self.thinking  # a player of both games is still called from one thread at a time
        if other.names == self.names:
            other.flip = self.flip
        self._close({id(seat.player) for seat in match.seats})
        return other

    def load(self, path: Path) -> LocalGame:
        """Return the last game of a file in place of this one, with players of the same names."""
        record = saved_games.read(path)
        game = record.game()
        both = self.match.seats if game.rules == self.game.rules else seats.make_seats(*self.names, game.rules)
        return self.play_instead(Match(game, both, clock=Clock.from_tags(record.tags), shared=True))

    # -- the match ---------------------------------------------------------------------------------------------------

    def do(self, action: Action) -> tuple[Event, ...]:
        """Do something to the match and keep the game; no time runs until `run_clock`.

        What is refused raises and changes nothing.
        """
        now = self.now()
        events = action(now)
        self.match.pause(now)
        self.serial += 1
        if self.match.person_to_move:
            self.paused = False
        elif any(isinstance(event, TakenBack) for event in events):
            self.paused = True
        if any(isinstance(event, TakenBack) for event in events):
            self._not_rated()
        self.keep()
        if self._stored is not None and not self.game.over:
            self._withdraw()
        return events

    def pause(self, paused: bool) -> None:
        """Stop asking the programs, or go on."""
        self.serial += 1
        self.paused = paused

    def run_clock(self, on: bool) -> None:
        """Let the time of the side to move run, or nobody's."""
        if on:
            self.match.resume(self.now())
        else:
            self.match.pause(self.now())

    def question(self) -> Question | None:
        """Return what a program has to decide now; None if a person is asked, or nobody."""
        match, offer = self.match, self.match.offer
        side = match.turn if offer is None else 1 - offer.by
        player = match.seats[side].player
        if match.over or self.paused or player is None:
            return None
        game, may_offer = match.game.copy(), match.may_offer_stop(side)

        def decide() -> Action:
            if offer is not None:
                accept = player.accepts_end(game)
                return lambda now: match.answer(side, offer.id, accept=accept, now=now)
            if may_offer and offers_stop(game, side):
                return lambda now: match.offer_stop(side, now)
            choice = player.choose(game, match.player_clock(self.now()))
            return lambda now: match.play_program(side, choice.move, now, note=choice.note)

        def ask() -> Action:
            try:
                return decide()
            except Exception as error:
                fault, detail = failure(error)
                return lambda now: match.fail(side, fault, detail, now)

        return Question(side, offer is not None, ask)

    def prepare(self) -> None:
        """Make the programs ready for the game, in whatever thread this is called."""
        for seat in self.match.seats:
            if seat.player is not None:
                seat.player.new_game()
                seat.player.warm_up()

    def _not_rated(self) -> None:
        if self.rated:
            self.rated = False
            self.problem = text("play.say.not-rated")

    def advice(self, game: Game) -> Move:
        """Return a good move. The first call loads the engine."""
        self._not_rated()
        if self._adviser is None:
            self._adviser = seats.adviser(game.rules)
        try:
            return self._adviser.choose(game).move
        except Exception as error:
            raise AwaleError(failure(error)[1]) from error

    def close(self) -> None:
        """Close the players; one that is thinking stops."""
        self._close(set())

    def _close(self, still_used: set[int]) -> None:
        for player in (*(seat.player for seat in self.match.seats), self._adviser):
            if player is not None and id(player) not in still_used:
                player.close()

    # -- files and the store -----------------------------------------------------------------------------------------

    def _tags(self) -> dict[str, str]:
        return {} if self.match.clock is None else self.match.clock.as_tags(self.now())

    def keep(self) -> bool:
        """Write a begun, unfinished game to its file; return whether it is there."""
        try:
            if not self.game.over and (self._kept or self.game.moves):
                saved_games.keep(self._path, self.game, *self.names, self._tags())
                self._kept = True
        except OSError as error:
            # A full or read-only disk must not stop the game.
            self.problem = text("play.say.not-kept", problem=labelled(error.filename, system_problem(error)))
            return False
        return self._kept and not self.game.over

    def write(self, path: Path) -> None:
        """Write the game to a file that the user names."""
        saved_games.write(path, self.game, *self.full_names, self._tags())

    def store(self, done: Callable[[], object] = lambda: None) -> None:
        """Store a finished game in a thread, which calls `done`: a database may be slow."""
        if not self.game.over or self._stored == self.game:
            return
        game = self._stored = self.game.copy()
        control = None if self.match.clock is None else str(self.match.clock.control)
        names, rated = self.full_names, self.rated

        def run() -> None:
            if self._stores:
                self.problem = saved_games.store(self._key, game, *names, control, rated=rated) or self.problem
            done()

        self._in_store(run)

    def _withdraw(self) -> None:
        """Remove the game, which goes on, from the store: a resignation that was taken back is none."""
        self._stored = None
        if self._stores:
            self._in_store(lambda: saved_games.withdraw(self._key))

    def _in_store(self, work: Callable[[], object]) -> None:
        """Do something in a thread, after what was begun before."""
        before = self._storing

        def run() -> None:
            if before is not None:
                before.join()
            work()

        # No daemon: the interpreter waits for it at exit, so that the game is not lost.
        self._storing = threading.Thread(target=run)
        self._storing.start()

    def settle(self) -> None:
        """Wait for the store, and delete the file of the game that is finished now."""
        if self._storing is not None:
            self._storing.join()
            self._storing = None
        if self.game.over and self._kept:
            try:
                self._path.unlink(missing_ok=True)
                self._kept = False
            except OSError as error:
                self.problem = labelled(error.filename, system_problem(error))

    def leave(self) -> bool:
        """Stop playing: keep or store the game; return whether it is kept unfinished."""
        self.run_clock(False)
        kept = self.keep()
        self.settle()
        return kept

    def take_problem(self) -> str:
        """Return why the game could not be kept or stored, once."""
        problem, self.problem = self.problem, ""
        return problem
