"""The kernels behind one set of names: a search or a playout is written once and compiled for each family.

`legal`, `play`, `stopped`, `ending` and `final` take the packed rules and states of any family. In compiled code the
family is chosen by the type of the rules at compile time; and since a NamedTuple's type is the same in every process,
the caller can be cached (a jitted function passed as an argument could not). From Python, with the compiler on or off,
a dictionary makes the same choice.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from awale.kernels import lap, lap_wide, relay, relay_wide, tricolor
from awale.kernels.jit import COMPILER_OFF, INLINE

FAMILIES: dict[type, ModuleType] = {
    lap.LapRules: lap,
    lap_wide.LapWideRules: lap_wide,
    relay.RelayRules: relay,
    relay_wide.RelayWideRules: relay_wide,
    tricolor.TriRules: tricolor,
}


def legal(k: Any, state: Any) -> int:
    """Return a bit for each legal move."""
    return FAMILIES[type(k)].legal(k, state)


def play(k: Any, state: Any, move: int) -> Any:
    """Return the state after a legal move, a starved player's pass included."""
    return FAMILIES[type(k)].play(k, state, int(move))  # a NumPy integer would overflow where Python's grows


def stopped(k: Any, state: Any, last: int) -> int:
    """Return the ending that does not depend on the legal moves, or 0."""
    return FAMILIES[type(k)].stopped(k, state, last)


def ending(k: Any, state: Any, last: int) -> int:
    """Return how the game ends here, repetition apart; 0 if it goes on."""
    return FAMILIES[type(k)].ending(k, state, last)


def final(k: Any, state: Any, code: int, last: int) -> tuple[int, int]:
    """Return South's and North's seeds once the game is over by `code`."""
    return FAMILIES[type(k)].final(k, state, code, last)


def _compiled(k: Any, name: str) -> Any:
    """Return the family's function for a Numba type of rules; None (no such overload) for any other type."""
    module = FAMILIES.get(getattr(k, "instance_class", None))  # type: ignore[arg-type]
    return None if module is None else getattr(module, name)


def _overload() -> None:
    from numba.extending import overload

    # Not strict: the check of parameter names would compare annotations too.
    @overload(legal, strict=False, jit_options=INLINE)
    def _legal(k: Any, state: Any) -> Callable[..., Any] | None:
        function = _compiled(k, "legal")
        return None if function is None else lambda k, state: function(k, state)

    @overload(play, strict=False, jit_options=INLINE)
    def _play(k: Any, state: Any, move: Any) -> Callable[..., Any] | None:
        function = _compiled(k, "play")
        return None if function is None else lambda k, state, move: function(k, state, move)

    @overload(stopped, strict=False, jit_options=INLINE)
    def _stopped(k: Any, state: Any, last: Any) -> Callable[..., Any] | None:
        function = _compiled(k, "stopped")
        return None if function is None else lambda k, state, last: function(k, state, last)

    @overload(ending, strict=False, jit_options=INLINE)
    def _ending(k: Any, state: Any, last: Any) -> Callable[..., Any] | None:
        function = _compiled(k, "ending")
        return None if function is None else lambda k, state, last: function(k, state, last)

    @overload(final, strict=False, jit_options=INLINE)
    def _final(k: Any, state: Any, code: Any, last: Any) -> Callable[..., Any] | None:
        function = _compiled(k, "final")
        return None if function is None else lambda k, state, code, last: function(k, state, code, last)


if not COMPILER_OFF:
    _overload()
