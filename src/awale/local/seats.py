"""Seats by the names that people type."""

from __future__ import annotations

from collections.abc import Callable

from awale.game import Game
from awale.match import Seat
from awale.players import BasePlayer, Choice, Player, PlayerClock, PlayerSpec
from awale.rules import Rules

PERSON = "person"
ADVISER = "engine:1s"


class LazyPlayer(BasePlayer):
    """A player made when first used: loading the engine takes a second, and the board does not wait for it."""

    def __init__(self, name: str, make: Callable[[], Player]) -> None:
        self.name = name
        self._make = make
        self._made: Player | None = None
        self._closed = False

    def _player(self) -> Player:
        if self._made is None:
            self._made = self._make()
            if self._closed:
                self._made.close()
        return self._made

    def new_game(self) -> None:
        if self._made is not None:
            self._made.new_game()

    def warm_up(self) -> None:
        self._player().warm_up()

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        return self._player().choose(game, clock)

    def accepts_end(self, game: Game) -> bool:
        return self._player().accepts_end(game)

    def close(self) -> None:
        self._closed = True
        if self._made is not None:
            self._made.close()


def make_seat(name: str, rules: Rules, seed: int | None = None) -> Seat:
    """Return the seat of a person or a program by name."""
    spec = PlayerSpec.parse(name)
    if spec.person:
        return Seat(PERSON)
    spec.check(rules)
    # What reads a file, starts a process or depends on the machine may fail: that is said before the game.
    if spec.persistent or spec.file or spec.threads or spec.instant:
        player = spec.make(rules, seed)
        player.warm_up()
    else:
        player = LazyPlayer(str(spec), lambda: spec.make(rules, seed))
    return Seat(str(spec), person=False, player=player)


def make_seats(south: str, north: str, rules: Rules, seed: int | None = None) -> tuple[Seat, Seat]:
    """Return both seats. Two players of one kind get different seeds."""
    return make_seat(south, rules, seed), make_seat(north, rules, None if seed is None else seed + 1)


def instant(seat: Seat) -> bool:
    """Return whether a move of this seat's program takes no noticeable time."""
    return PlayerSpec.parse(seat.name).instant


def adviser(rules: Rules) -> Player:
    """Return the player that gives hints, loaded when first asked."""
    return LazyPlayer(ADVISER, lambda: PlayerSpec.parse(ADVISER).make(rules))
