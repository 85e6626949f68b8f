"""The kernels behind one set of names: a search or a playout is written once and compiled for each family.

`legal`, `play`, `stopped`, `ending` and `final` take the packed rules and states of any family; the type of the rules
chooses the family (see `awale.kernels.jit.dispatch`).
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from awale.kernels import NO_MOVE, lap, lap_wide, relay, relay_wide, tricolor
from awale.kernels.jit import class_of, dispatch, jit

FAMILIES: dict[type, ModuleType] = {
    lap.LapRules: lap,
    lap_wide.LapWideRules: lap_wide,
    relay.RelayRules: relay,
    relay_wide.RelayWideRules: relay_wide,
    tricolor.TriRules: tricolor,
}


def _of_family(k: Any, name: str) -> Any:
    """Return the family's function; None, which is no implementation, for any other type of rules."""
    return getattr(FAMILIES.get(class_of(k)), name, None)


@dispatch
def legal(k: Any, state: Any) -> Any:
    """Return a bit for each legal move."""
    return _of_family(k, "legal")


@dispatch
def play(k: Any, state: Any, move: int) -> Any:
    """Return the state after a legal move, a starved player's pass included."""
    return _of_family(k, "play")


@dispatch
def stopped(k: Any, state: Any, last: int) -> Any:
    """Return the ending that does not depend on the legal moves, or 0."""
    return _of_family(k, "stopped")


@jit
def ending(k: Any, state: Any, last: int) -> int:
    """Return how the game ends here, repetition apart; 0 if it goes on."""
    code = stopped(k, state, last)
    return NO_MOVE if code == 0 and legal(k, state) == 0 else code


@dispatch
def final(k: Any, state: Any, code: int, last: int) -> Any:
    """Return South's and North's seeds once the game is over by `code`."""
    return _of_family(k, "final")
