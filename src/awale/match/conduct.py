"""Drive a match whose programs run in this process: arena workers, scripts, the plain terminal."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from awale.errors import AwaleError, PlayerFault
from awale.match.events import Ended, Event, Fault
from awale.match.match import Match
from awale.players.base import Choice


def failure(error: Exception) -> tuple[Fault, str]:
    """Return how a program failed, and the sentence that says so."""
    if isinstance(error, PlayerFault):
        return error.kind, str(error)
    return "crash", str(error) if isinstance(error, AwaleError) else f"{type(error).__name__}: {error}"


def choose(match: Match, now: Callable[[], float] = perf_counter) -> tuple[tuple[Event, ...], Choice | None]:
    """Let the program to move choose and play. Whatever it raises, and an illegal move, loses the match.

    Returns the events, and what the program chose.
    """
    side = match.turn
    player = match.seats[side].player
    assert player is not None
    match.resume(now())
    try:
        choice = player.choose(match.game.copy(), match.player_clock(now()))
    except Exception as error:
        return match.fail(side, *failure(error), now()), None
    return match.play_program(side, choice.move, now(), note=choice.note), choice


def play_out(match: Match, now: Callable[[], float] = perf_counter) -> Ended:
    """Play a match between two programs to its end.

    >>> from awale import Game, players
    >>> from awale.match import Match, Seat
    >>> seats = (Seat.of(players.make("greedy")), Seat.of(players.make("random", seed=1)))
    >>> play_out(Match(Game("abapa"), seats)).outcome.winner
    0
    """
    for seat in match.seats:
        assert seat.player is not None
        seat.player.new_game()
    while True:
        events, _ = choose(match, now)
        if isinstance(events[-1], Ended):
            return events[-1]
