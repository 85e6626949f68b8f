"""Many games at once on an NVIDIA GPU: the arrays stay there, and PyTorch, CuPy and JAX take them without a copy.

The same games as `BatchEnv` plays, number for number, for every rule system; it needs `awale[cuda]`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from awale.envs import batch_steps as steps
from awale.envs.batch import BatchEnv
from awale.envs.encoding import wrong
from awale.kernels import gpu


class CudaStep(NamedTuple):
    """The results of a step: arrays on the GPU with a row for each game, as in `batch.Step`.

    They are numba's device arrays, which have `__cuda_array_interface__`: `torch.as_tensor(array, device="cuda")`,
    `cupy.asarray(array)` and `jax.numpy.asarray(array)` take them without a copy.
    """

    observations: Any
    masks: Any
    rewards: Any
    terminated: Any
    truncated: Any
    codes: Any
    """How a game ended: a number of `awale.kernels.ENDINGS`, -1 where the environment cut it, 0 where it goes on."""
    scores: Any
    """South's and North's seeds after the move, the final ones where the game ended."""
    last: Any
    """The last observation of each game that ended, not scaled; elsewhere undefined."""


class CudaBatchEnv(BatchEnv):
    """A `BatchEnv` whose arrays are on the GPU. The options are the same; `step` returns a `CudaStep`.

    Actions may be anything on the GPU with `__cuda_array_interface__` (64-bit whole numbers), or a NumPy array.
    `turns`, `plies` and `scores` are copied to NumPy arrays.
    """

    _arrays: Any

    def __init__(self, games: int, *arguments: Any, **options: Any) -> None:
        self._steps = gpu.load("awale.envs.cuda_steps")
        self._cuda = self._steps.cuda
        super().__init__(games, *arguments, **options)
        self._highest = self._placed(self.encoding.highest)

    def step(self, actions: Any, *, only: Any = None) -> CudaStep:  # type: ignore[override]
        """Play one move in every game, or only in those where `only` is set. An illegal one raises and changes
        nothing."""
        self._check_started()
        chosen = self._checked(actions, only)
        games = (self.games,)
        rewards, scores = self._empty((self.games, 2), np.float32), self._empty((self.games, 2), np.int64)
        terminated, truncated, over = (self._empty(games, np.bool_) for _ in range(3))
        codes, last = self._empty(games, np.int64), self._empty((self.games, self.size), np.int32)
        self._run(
            "play",
            self._k,
            self._start,
            self._arrays,
            chosen,
            self._repetition,
            self.encoding.max_moves,
            self._margin,
            rewards,
            codes,
            scores,
            terminated,
            truncated,
            over,
            *self._view,
            last,
        )
        if self.auto_reset:
            self._begin(over)
        return CudaStep(self.observe(), self.masks(), rewards, terminated, truncated, codes, scores, last)

    def restart(self, which: Any) -> None:
        """Begin the games anew where `which` is set."""
        self._check_started()
        self._begin(self._on_card(which, np.bool_))

    # -- within ----------------------------------------------------------------------------------------------------

    def _run(self, name: str, *arguments: Any) -> None:
        self._steps.launch(getattr(self._steps, name), self.games, *arguments)

    def _placed(self, array: NDArray[Any]) -> Any:
        return self._cuda.to_device(array)

    def _host(self, array: Any) -> NDArray[Any]:
        found: NDArray[Any] = array.copy_to_host()
        return found

    def _empty(self, shape: tuple[int, ...], kind: Any) -> Any:
        return self._cuda.device_array(shape, kind)

    def _copied(self, games: steps.Games) -> steps.Games:
        copies = {name: self._cuda.device_array(array.shape, array.dtype) for name, array in games._asdict().items()}
        for name, array in games._asdict().items():
            copies[name].copy_to_device(array)
        return games._replace(**copies)

    def _observe_first(self, arrays: steps.Games, count: int) -> Any:
        found = self._empty((count, self.size), np.int32)
        self._steps.launch(self._steps.observe, count, arrays, *self._view, found)
        if not self.scaled:
            return found
        scaled = self._empty((count, self.size), np.float32)
        self._steps.launch(self._steps.scale, count, found, self._highest, scaled)
        return scaled

    def _on_card(self, array: Any, kind: Any) -> Any:
        """Return an array on the GPU, without a copy if it is there."""
        if hasattr(array, "__cuda_array_interface__"):
            array = self._cuda.as_cuda_array(array)
        else:
            array = self._cuda.to_device(np.ascontiguousarray(array, kind))
        if array.dtype != kind or array.shape != (self.games,):
            raise wrong("actions", games=self.games, value=f"{array.dtype} {array.shape}")
        return array

    def _checked(self, actions: Any, only: Any) -> Any:
        on_card = hasattr(actions, "__cuda_array_interface__")
        chosen = self._on_card(actions if on_card else self._whole_actions(actions), np.int64)
        if only is not None:
            given, chosen = chosen, self._empty((self.games,), np.int64)
            self._run("skip", given, self._on_card(only, np.bool_), chosen)
        counters = self._cuda.to_device(np.array([self.games, 0], np.int64))
        self._run("check", self._arrays, chosen, self.actions, counters)
        bad, most = (int(counter) for counter in counters.copy_to_host())
        if bad < self.games:
            raise self._illegal(bad, int(chosen.copy_to_host()[bad]), int(self._arrays.legal.copy_to_host()[bad]))
        self._grow_history(most + 1)
        return chosen

    def _keep_history(self, larger: Any) -> None:
        self._run("copy_history", self._arrays.seen, larger)
