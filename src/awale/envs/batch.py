"""Many games at once, played by the kernels: NumPy arrays in, NumPy arrays out.

>>> env = BatchEnv(1000, "abapa", seed=1)
>>> observations, masks = env.reset()
>>> observations.shape, masks.shape
((1000, 15), (1000, 6))
>>> step = env.step(env.sample())
>>> step.rewards.shape, int(step.terminated.sum())
((1000, 2), 0)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from awale.envs import batch_steps as steps
from awale.envs.encoding import MAX_MOVES, Encoding, Numbers, Reward, check_reward, check_whole, start_game, wrong
from awale.errors import AwaleError
from awale.game import Game
from awale.kernels import ENDINGS, convert
from awale.kernels.bits import BYTES
from awale.kernels.repetition import AFTER_TURN
from awale.rules.description import Rules

MOST_GAMES = 10_000_000
FIRST_CAPACITY = 32
"""The initial capacity for positions since the last capture."""


class Ended(NamedTuple):
    """The games that a step ended, or cut."""

    games: NDArray[np.int64]
    """Which of the batch."""
    scores: NDArray[np.int64]
    """The final seeds of South and North."""
    codes: NDArray[np.int64]
    """How: a number of `awale.kernels.ENDINGS`, or -1 where the environment cut it."""
    observations: Numbers
    """The last position, before anybody took what was left on the board."""

    @property
    def reasons(self) -> list[str]:
        """Each game's `Outcome.reason`; `cut` where the environment stopped it."""
        return ["cut" if code == steps.CUT else ENDINGS[code] for code in self.codes]


class Step(NamedTuple):
    """The results of a step."""

    observations: Numbers
    """Each game as its player to move sees it; where a game ended, already the next one (unless `auto_reset=False`)."""
    masks: NDArray[np.bool_]
    """The legal actions of the player to move."""
    rewards: NDArray[np.float32]
    """South's and North's; they sum to 0."""
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    ended: Ended


class Afterstates(NamedTuple):
    """What each action would lead to; where it is illegal, an empty board. The first two axes are games and actions."""

    observations: Numbers
    """The position after it, as the player sees it who would be to move."""
    turns: NDArray[np.int64]
    """Who that is."""
    scores: NDArray[np.int64]
    """South's and North's seeds then, the final ones where it ends the game."""
    codes: NDArray[np.int64]
    """How it ends the game: a number of `awale.kernels.ENDINGS`; 0 where the game goes on."""


class BatchEnv:
    """Many games of one rule system, one move in each at every step.

    `auto_reset`: a game that ends is restarted in the same step; otherwise it stays as it is (an empty mask, any action
    ignored) until `reset`. `random_moves`: the number of random moves that each game starts with, for variety. `seed`:
    seeds those moves and `sample`; game i gets the same random numbers whatever the size of the batch. `scaled`:
    observations are floats from 0 to 1 instead of whole numbers.

    All arrays are contiguous and belong to the caller: `torch.from_numpy` and `jax.dlpack.from_dlpack` take them
    without a copy.
    """

    def __init__(
        self,
        games: int,
        rules: str | Rules = "abapa",
        *,
        seed: int = 0,
        start: str | None = None,
        max_moves: int = MAX_MOVES,
        random_moves: int = 0,
        reward: Reward = "result",
        auto_reset: bool = True,
        scaled: bool = False,
    ) -> None:
        self.games = check_whole("games", games, 1, MOST_GAMES)
        self.encoding = Encoding(rules, max_moves)
        self.rules = self.encoding.rules
        self.seed = check_whole("seed", seed, 0, 2**63 - 1)
        self.random_moves = check_whole("random_moves", random_moves, 0, 1000)
        check_reward(reward)
        self.auto_reset = auto_reset
        self.scaled = scaled
        self.actions = self.encoding.actions
        """How many actions there are."""
        self.size = self.encoding.size
        """How many numbers an observation has."""
        self._margin = int(reward == "margin")
        self._repetition = int(self.rules.repetition != "none")
        self._k, self._start = convert.pack_game(start_game(self.rules, start))
        self._all = self._placed(np.ones(self.games, np.bool_))
        self._starts = [(self._start, self._all)]
        """The positions that games start from, and which games do."""
        self._fields = type(self._start)._fields
        places = _places(self.rules, self._fields)
        self._view = (*map(self._placed, places), self._fields.index("turn"), self.encoding.limit)
        """What `steps.observe_games` needs to know."""
        words = len(self._fields) - AFTER_TURN
        capacity = FIRST_CAPACITY if self._repetition else 1
        self._arrays = steps.Games(
            rows=self._empty((self.games, len(self._fields)), np.int64),
            legal=self._empty((self.games,), np.int64),
            seen=self._empty((self.games, capacity, words), np.int64),
            seen_count=self._empty((self.games,), np.int64),
            random=self._empty((self.games,), np.uint64),
        )
        self._started = False

    # -- the environment -----------------------------------------------------------------------------------------

    def reset(
        self, seed: int | None = None, *, starts: Sequence[str] | None = None
    ) -> tuple[Numbers, NDArray[np.bool_]]:
        """Restart all games and return observations and masks. A seed restarts the random numbers too. `starts`: the
        position that each game starts from, now and whenever it is restarted."""
        if starts is not None:
            if len(starts) != self.games:
                raise wrong("starts", games=self.games, value=len(starts))
            places = np.array(starts)
            self._starts = [
                (convert.pack_game(start_game(self.rules, str(start)))[1], self._placed(places == start))
                for start in np.unique(places)
            ]
        if seed is not None:
            self.seed = check_whole("seed", seed, 0, 2**63 - 1)
        if seed is not None or not self._started:
            self._run("seed_games", self._arrays, self.seed)
        self._begin(self._all)
        self._started = True
        return self.observe(), self.masks()

    def step(self, actions: ArrayLike, *, only: NDArray[np.bool_] | None = None) -> Step:
        """Play one move in every game, or only in those where `only` is set. An illegal one raises and changes
        nothing."""
        self._check_started()
        chosen = self._checked(actions, only)
        rewards = np.empty((self.games, 2), np.float32)
        codes = np.empty(self.games, np.int64)
        scores = np.zeros((self.games, 2), np.int64)
        arrays = self._arrays
        most = steps.play_games(
            self._k,
            self._start,
            arrays,
            chosen,
            self._repetition,
            self.encoding.max_moves,
            self._margin,
            rewards,
            codes,
            scores,
        )
        self._grow_history(most)
        over = codes != 0
        which = np.flatnonzero(over)
        ended = Ended(which, scores[which], codes[which], self._observe(self._arrays, which))
        if self.auto_reset and len(which):
            self._begin(over)
        return Step(self.observe(), self.masks(), rewards, codes > 0, codes == steps.CUT, ended)

    def restart(self, which: NDArray[np.bool_]) -> None:
        """Begin the games anew where `which` is set."""
        self._check_started()
        self._begin(which)

    def afterstates(self) -> Afterstates:
        """Return what each legal action would lead to, without playing it."""
        self._check_started()
        places = self.games * self.actions
        after = self._arrays._replace(rows=self._placed(np.zeros((places, len(self._fields)), np.int64)))
        codes, scores = self._placed(np.zeros(places, np.int64)), self._placed(np.zeros((places, 2), np.int64))
        self._run("look_ahead", self._k, self._start, self._arrays, self._repetition, after, codes, scores)
        shape = (self.games, self.actions)
        return Afterstates(
            self._observe_first(after, places).reshape(*shape, self.size),
            self._placed(self._column(after.rows, "turn").reshape(shape)),
            scores.reshape(*shape, 2),
            codes.reshape(shape),
        )

    def sample(self) -> NDArray[np.int64]:
        """Return a random legal action for every game."""
        self._check_started()
        actions: NDArray[np.int64] = self._empty((self.games,), np.int64)
        self._run("sample_games", self._arrays, actions)
        return actions

    def get_state(self) -> steps.Games:
        """Return everything about the games, random numbers included, to go back to by `set_state`."""
        self._check_started()
        return self._copied(self._arrays)

    def set_state(self, state: steps.Games) -> tuple[Numbers, NDArray[np.bool_]]:
        """Go back to a state of a batch of this size; return observations and masks."""
        if state.rows.shape != self._arrays.rows.shape or state.seen.shape[2] != self._arrays.seen.shape[2]:
            raise wrong("state", games=self.games)
        self._arrays = self._copied(state)
        self._started = True
        return self.observe(), self.masks()

    # -- the positions -------------------------------------------------------------------------------------------

    def observe(self) -> Numbers:
        """Return each game as its player to move sees it."""
        return self._observe_first(self._arrays, self.games)

    def masks(self) -> NDArray[np.bool_]:
        """Return the legal actions of each game's player to move."""
        masks: NDArray[np.bool_] = self._empty((self.games, self.actions), np.bool_)
        self._run("mask_games", self._arrays, masks)
        return masks

    @property
    def turns(self) -> NDArray[np.int64]:
        """Whose move it is: 0 or 1."""
        return self._column(self._arrays.rows, "turn")

    @property
    def plies(self) -> NDArray[np.int64]:
        """Moves played in each game."""
        return self._column(self._arrays.rows, "ply")

    @property
    def scores(self) -> NDArray[np.int64]:
        """Seeds captured by South and North."""
        return np.stack([self._column(self._arrays.rows, name) for name in ("south", "north")], axis=1)

    def game(self, number: int) -> Game:
        """Return one of the games, from its current position on (its earlier moves are not stored)."""
        self._check_started()
        number = check_whole("number", number, 0, self.games - 1)
        state = type(self._start)(*(int(field) for field in self._host(self._arrays.rows[number : number + 1])[0]))
        return Game(self.rules, start=convert.unpack_position(self.rules, state))

    # -- within ----------------------------------------------------------------------------------------------------

    def _check_started(self) -> None:
        if not self._started:
            raise wrong("not-started")

    def _checked(self, actions: ArrayLike, only: NDArray[np.bool_] | None) -> NDArray[np.int64]:
        chosen = self._whole_actions(actions)
        if only is not None:
            chosen = np.where(only, chosen, steps.SKIP)
        bad = steps.first_illegal(self._arrays, chosen, self.actions)
        if bad >= 0:
            raise self._illegal(bad, int(chosen[bad]), int(self._arrays.legal[bad]))
        return chosen

    def _whole_actions(self, actions: ArrayLike) -> NDArray[np.int64]:
        given = np.asarray(actions)
        if given.shape != (self.games,) or given.dtype.kind not in "iu":
            raise wrong("actions", games=self.games, value=f"{given.dtype} {given.shape}")
        return np.ascontiguousarray(given, np.int64)

    def _illegal(self, game: int, action: int, mask: int) -> AwaleError:
        legal = ", ".join(str(action) for action in range(self.actions) if mask >> action & 1)
        return wrong("action", game=game, action=action, legal=legal)

    def _column(self, rows: Any, name: str) -> NDArray[np.int64]:
        return self._host(rows)[:, self._fields.index(name)].copy()

    def _begin(self, which: Any) -> None:
        if self._repetition:
            self._grow_history(self.random_moves + 1)
        for start, games in self._starts:
            self._run("begin_games", self._k, start, self._arrays, which, games, self._repetition, self.random_moves)

    def _grow_history(self, needed: int) -> None:
        """Grow the history so that every game can store one position more; the capacity doubles."""
        games, capacity, words = self._arrays.seen.shape
        if self._repetition and needed >= capacity:
            larger = self._empty((games, max(2 * capacity, needed + 1), words), np.int64)
            self._keep_history(larger)
            self._arrays = self._arrays._replace(seen=larger)

    def _observe(self, arrays: steps.Games, which: NDArray[np.int64]) -> Numbers:
        found: Any = np.empty((len(which), self.size), np.int32)
        steps.observe_games(arrays, which, *self._view, found)
        if self.scaled:
            found = self.encoding.scaled(found)
        numbers: Numbers = found
        return numbers

    # What follows is different for a batch on a GPU (`cuda_batch`).

    def _run(self, name: str, *arguments: Any) -> None:
        """Call a function of `steps` for all games."""
        getattr(steps, name)(*arguments)

    def _placed(self, array: NDArray[Any]) -> Any:
        """Return an array where the games are."""
        return array

    def _host(self, array: Any) -> NDArray[Any]:
        """Return an array of the games as one of NumPy's."""
        found: NDArray[Any] = array
        return found

    def _empty(self, shape: tuple[int, ...], kind: Any) -> Any:
        """Return an array whose contents do not matter."""
        return np.zeros(shape, kind)

    def _copied(self, games: steps.Games) -> steps.Games:
        return games._replace(**{name: array.copy() for name, array in games._asdict().items()})

    def _observe_first(self, arrays: steps.Games, count: int) -> Numbers:
        """Return the first observations."""
        return self._observe(arrays, np.arange(count))

    def _keep_history(self, larger: Any) -> None:
        """Copy the history to a larger array."""
        larger[:, : self._arrays.seen.shape[1]] = self._arrays.seen


def _places(rules: Rules, fields: tuple[str, ...]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the word and the shift in bits of each pit of an observation in a row, for either player to move."""
    places: list[list[tuple[int, int]]] = []
    for turn in (0, 1):
        if rules.coloured:
            ring = [(hole + turn) % rules.holes for hole in range(rules.holes)]
            places.append([(hole % 2 * 3 + colour, 8 * (hole // 2)) for hole in ring for colour in range(3)])
        else:
            # Kernel states are seen from the mover's side already; a wide side has two words.
            sides = [(fields.index(side), pit) for side in ("mine", "theirs") for pit in range(rules.pits)]
            places.append([(word + pit // BYTES, 8 * (pit % BYTES)) for word, pit in sides])
    both = np.array(places, np.int64)
    return np.ascontiguousarray(both[:, :, 0]), np.ascontiguousarray(both[:, :, 1])
