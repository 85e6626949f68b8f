"""Random numbers that depend only on a seed and the number of a game, whatever the number of threads: SplitMix64
(Steele, Lea and Flood, 2014), seeded with a hash of both."""

from __future__ import annotations

from typing import Any

import numpy as np

from awale.kernels.jit import COMPILER_OFF, jit

_GAMMA = 0x9E37_79B9_7F4A_7C15
_MIX_1 = 0xBF58_476D_1CE4_E5B9
_MIX_2 = 0x94D0_49BB_1331_11EB

if COMPILER_OFF:
    _ALL = (1 << 64) - 1

    def _mix(z: Any) -> Any:
        z = ((z ^ (z >> 30)) * _MIX_1) & _ALL
        z = ((z ^ (z >> 27)) * _MIX_2) & _ALL
        return z ^ (z >> 31)

    def stream(seed: int, number: int) -> int:
        """Return the state of the generator at the start of a game."""
        return _mix((_mix((seed + _GAMMA) & _ALL) + number * _GAMMA) & _ALL)

    def advance(state: int) -> int:
        return (state + _GAMMA) & _ALL

    def below(state: int, n: int) -> int:
        """Return a number from 0 to n - 1, for n below 2**32."""
        return ((_mix(state) >> 32) * n) >> 32

else:

    @jit(forceinline=True)
    def _mix(z: Any) -> Any:
        z = (z ^ (z >> np.uint64(30))) * np.uint64(_MIX_1)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(_MIX_2)
        return z ^ (z >> np.uint64(31))

    @jit(forceinline=True)
    def stream(seed: int, number: int) -> Any:
        return _mix(_mix(np.uint64(seed) + np.uint64(_GAMMA)) + np.uint64(number) * np.uint64(_GAMMA))

    @jit(forceinline=True)
    def advance(state: Any) -> Any:
        return state + np.uint64(_GAMMA)

    @jit(forceinline=True)
    def below(state: Any, n: int) -> Any:
        return np.int64(((_mix(state) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))
