"""Seats by the names that people type."""

from __future__ import annotations

from collections.abc import Callable

from awale import i18n, players
from awale.errors import PlayerError
from awale.game import Game
from awale.match import Seat
from awale.players import BasePlayer, Choice, Player, PlayerClock
from awale.rules import Rules

PERSON = "person"
_PERSON_NAMES = frozenset({PERSON, "human", "me", "personne", "humain", "moi"})
_INSTANT = frozenset({"random", "greedy"})
_STARTED_AT_ONCE = frozenset({"uci", "contest", "eval"})
"""Kinds that read a file or start a program: what is wrong with it is said before the game."""
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
    """Return the seat of a person or a program by name, ready or loaded later."""
    kind, colon, rest = name.strip().partition(":")
    kind = kind.strip().lower()
    if kind in _PERSON_NAMES and not colon:
        return Seat(PERSON)
    if kind not in players.kinds():
        raise PlayerError(i18n.message("play.bad.who", name=name[:60], known=", ".join((PERSON, *players.kinds()))))
    name = kind + colon + (rest if kind in _STARTED_AT_ONCE else rest.lower())
    if kind != "engine":
        player = players.make(name, rules, seed)
        if kind in _STARTED_AT_ONCE:
            player.warm_up()
        return Seat(name, person=False, player=player)
    return Seat(name, person=False, player=LazyPlayer(name, lambda: players.make(name, rules, seed)))


def make_seats(south: str, north: str, rules: Rules, seed: int | None = None) -> tuple[Seat, Seat]:
    """Return both seats. Two players of one kind get different seeds."""
    return make_seat(south, rules, seed), make_seat(north, rules, None if seed is None else seed + 1)


def instant(seat: Seat) -> bool:
    """Return whether a move of this seat's program takes no noticeable time."""
    return seat.name in _INSTANT


def adviser(rules: Rules) -> Player:
    """Return the player that gives hints, loaded when first asked."""
    return LazyPlayer(ADVISER, lambda: players.make(ADVISER, rules))
