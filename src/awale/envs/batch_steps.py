"""The compiled part of `batch` and `dataset`: plays a move in each of many games. All compiled code of this package is
here.

A game is a row of `Games.rows`, the fields of its kernel state; the rest of `Games` are arrays with an entry a game.
The functions of one game are what a thread of a GPU does too: see `cuda_steps`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from awale.kernels import NO_MOVE, REPETITION, generic
from awale.kernels.bits import byte_sum
from awale.kernels.endgame import NO_VALUE, NOT_FOUND, TableSet, probe_within
from awale.kernels.jit import COMPILER_OFF, UNCOUNTED, jit
from awale.kernels.playouts import choose
from awale.kernels.repetition import came_back, remember
from awale.kernels.rng import advance, stream
from awale.search.states import load, save

CUT = -1
"""In place of an ending's code: the environment stops the game."""
SKIP = -(1 << 62)
"""In place of an action: nothing is played in this game."""
RESULT, MARGIN = range(2)

if COMPILER_OFF:

    def _word(word: Any) -> Any:
        """Return a 64-bit word of an array as an int: NumPy's type would warn about overflow."""
        return int(word)

else:

    @jit(forceinline=True)
    def _word(word: Any) -> Any:
        return word


class Games(NamedTuple):
    """The batch: what the functions below read and change."""

    rows: NDArray[np.int64]
    legal: NDArray[np.int64]
    """A bit for each legal action; 0 once the game is over."""
    seen: NDArray[np.int64]
    """The positions of each game since the last capture, where the rules check repetition."""
    seen_count: NDArray[np.int64]
    random: NDArray[np.uint64]
    """The state of each game's random numbers."""


class Looked(NamedTuple):
    """What a move would lead to."""

    state: Any
    code: int
    """The ending, or 0."""
    legal: int
    seen_count: int


@jit
def look(k: Any, state: Any, move: int, repetition: int, seen: NDArray[np.int64], seen_count: int) -> Looked:
    """Play a move without storing anything. The endings are checked in the order of the rules."""
    after = generic.play(k, state, move)
    if after.south + after.north != state.south + state.north:
        seen_count = 0
    code = generic.stopped(k, after, state.turn)
    if code == 0 and repetition and came_back(after, seen, 0, seen_count):
        code = REPETITION
    legal = 0
    if code == 0:
        legal = generic.legal(k, after)
        if legal == 0:
            code = NO_MOVE
    return Looked(after, code, legal, seen_count)


@jit
def keep(games: Games, game: int, looked: Looked, repetition: int) -> None:
    """Store the result of `look`."""
    save(games.rows, game, looked.state)
    games.legal[game] = looked.legal
    if repetition:
        remember(looked.state, games.seen[game], looked.seen_count)
        games.seen_count[game] = looked.seen_count + 1


@jit
def seed_games(games: Games, seed: int) -> None:
    for game in range(len(games.random)):
        games.random[game] = stream(seed, game)


@jit(forceinline=True)
def begin_game(k: Any, start: Any, games: Games, game: int, repetition: int, random_moves: int) -> None:
    """Start a game anew, with random moves up to one that would end it."""
    keep(games, game, Looked(start, 0, generic.legal(k, start), 0), repetition)
    for _ in range(random_moves):
        random = advance(_word(games.random[game]))
        games.random[game] = random
        state = load(start, games.rows, game)
        move = choose(int(games.legal[game]), random)
        looked = look(k, state, move, repetition, games.seen[game], int(games.seen_count[game]))
        if looked.code != 0:
            break
        keep(games, game, looked, repetition)


@jit(**UNCOUNTED)
def begin_games(
    k: Any,
    start: Any,
    games: Games,
    which: NDArray[np.bool_],
    among: NDArray[np.bool_],
    repetition: int,
    random_moves: int,
) -> None:
    """Start the games anew where both `which` and `among` are set."""
    for game in range(len(which)):
        if which[game] and among[game]:
            begin_game(k, start, games, game, repetition, random_moves)


@jit(forceinline=True)
def is_illegal(games: Games, game: int, action: int, count: int) -> bool:
    """Return whether an action is illegal, one of `count`. Games that are over accept any action."""
    legal = int(games.legal[game])
    return legal != 0 and action != SKIP and (action < 0 or action >= count or (legal >> action) & 1 == 0)


@jit(**UNCOUNTED)
def first_illegal(games: Games, actions: NDArray[np.int64], count: int) -> int:
    """Return the first game whose action is illegal, or -1."""
    for game in range(len(actions)):
        if is_illegal(games, game, int(actions[game]), count):
            return game
    return -1


@jit(forceinline=True)
def play_game(
    k: Any,
    start: Any,
    games: Games,
    game: int,
    action: int,
    repetition: int,
    max_moves: int,
    reward: int,
    rewards: NDArray[np.float32],
    codes: NDArray[np.int64],
    scores: NDArray[np.int64],
) -> int:
    """Play a move in one game: see `play_games`. Return the number of positions that it has to store."""
    rewards[game, 0] = 0.0
    rewards[game, 1] = 0.0
    codes[game] = 0
    if games.legal[game] == 0 or action == SKIP:
        return 0
    state = load(start, games.rows, game)
    looked = look(k, state, action, repetition, games.seen[game], int(games.seen_count[game]))
    keep(games, game, looked, repetition)
    code = looked.code
    south, north = looked.state.south, looked.state.north
    if code != 0:
        south, north = generic.final(k, looked.state, code, state.turn)
    elif looked.state.ply >= max_moves:
        code = CUT
        games.legal[game] = 0
    scores[game, 0] = south
    scores[game, 1] = north
    codes[game] = code
    gain = 0
    if reward == MARGIN:
        gain = (south - north) - (state.south - state.north)
    elif code > 0:
        gain = int(south > north) - int(south < north)
    rewards[game, 0] = gain
    rewards[game, 1] = -gain
    return looked.seen_count + 1


@jit(**UNCOUNTED)
def play_games(
    k: Any,
    start: Any,
    games: Games,
    actions: NDArray[np.int64],
    repetition: int,
    max_moves: int,
    reward: int,
    rewards: NDArray[np.float32],
    codes: NDArray[np.int64],
    scores: NDArray[np.int64],
) -> int:
    """Play a move in each game that goes on. Return the largest number of positions that any game has to store.

    `k`: the rules, packed. `start`: a state of the right type. `games`: the batch. `actions`: one for each game.
    `repetition`: 1 if the rules check it. `max_moves`: where a game is cut. `reward`: RESULT or MARGIN. Written:
    `rewards` of South and North, `codes` of the ending (CUT or 0), `scores`, the final ones where a game is over.
    """
    most = 0
    for game in range(len(actions)):
        action = int(actions[game])
        stored = play_game(k, start, games, game, action, repetition, max_moves, reward, rewards, codes, scores)
        most = max(most, stored)
    return most


@jit(forceinline=True)
def look_ahead_game(
    k: Any,
    start: Any,
    games: Games,
    game: int,
    repetition: int,
    after: Games,
    codes: NDArray[np.int64],
    scores: NDArray[np.int64],
) -> None:
    """Play every legal action of a game on a copy: see `look_ahead`."""
    actions = len(codes) // len(games.legal)
    state = load(start, games.rows, game)
    for action in range(actions):
        if (int(games.legal[game]) >> action) & 1 == 0:
            continue
        looked = look(k, state, action, repetition, games.seen[game], int(games.seen_count[game]))
        south, north = looked.state.south, looked.state.north
        if looked.code != 0:
            south, north = generic.final(k, looked.state, looked.code, state.turn)
        at = game * actions + action
        save(after.rows, at, looked.state)
        codes[at] = looked.code
        scores[at, 0] = south
        scores[at, 1] = north


@jit(**UNCOUNTED)
def look_ahead(
    k: Any, start: Any, games: Games, repetition: int, after: Games, codes: NDArray[np.int64], scores: NDArray[np.int64]
) -> None:
    """Play every legal action of each game on a copy.

    `k`: the rules, packed. `start`: a state of the right type. `games`: the batch. `repetition`: 1 if the rules check
    it. Written, at `game * actions + action`: the rows of `after`, the `codes` of the ending, and South's and North's
    `scores`, the final ones where the game is over.
    """
    for game in range(len(games.legal)):
        look_ahead_game(k, start, games, game, repetition, after, codes, scores)


@jit
def table_values(
    k: Any,
    like: Any,
    tables: TableSet,
    rows: NDArray[np.int64],
    left: NDArray[np.int64],
    values: NDArray[np.int16],
) -> None:
    """Look up what each move of many positions is worth to the player to move, South.

    `k`: the rules, packed, on a board of up to six pits. `like`: a state of the right type. `rows`: the positions,
    nothing captured. `left`: the moves that may still be played. Written: `values`, NO_VALUE where a move is illegal or
    its value not exact.
    """
    for row in range(len(rows)):
        state = load(like, rows, row)
        legal = 0 if generic.stopped(k, state, 1) != 0 else generic.legal(k, state)
        for move in range(values.shape[1]):
            values[row, move] = NO_VALUE
            if (legal >> move) & 1 == 0:
                continue
            after = generic.play(k, state, move)
            code = generic.ending(k, after, 0)
            if code != 0:
                south, north = generic.final(k, after, code, 0)
                values[row, move] = south - north
                continue
            seeds = byte_sum(after.mine + after.theirs)
            found = probe_within(tables, after.mine, after.theirs, seeds, int(left[row]) - 1)
            if found != NOT_FOUND:
                values[row, move] = after.south - after.north + (found if after.turn == 0 else -found)


@jit(forceinline=True)
def observe_game(
    games: Games,
    game: int,
    words: NDArray[np.int64],
    shifts: NDArray[np.int64],
    turn_at: int,
    limit: int,
    observations: NDArray[np.int32],
    place: int,
) -> None:
    """Write the observation of a game to a row of `observations`: see `observe_games`."""
    pits = words.shape[1]
    rows = games.rows
    turn = rows[game, turn_at]
    for pit in range(pits):
        observations[place, pit] = (rows[game, words[turn, pit]] >> shifts[turn, pit]) & 255
    observations[place, pits] = rows[game, turn_at + 1 + turn]
    observations[place, pits + 1] = rows[game, turn_at + 2 - turn]
    observations[place, pits + 2] = max(0, limit - rows[game, turn_at + 3])


@jit(**UNCOUNTED)
def observe_games(
    games: Games,
    which: NDArray[np.int64],
    words: NDArray[np.int64],
    shifts: NDArray[np.int64],
    turn_at: int,
    limit: int,
    observations: NDArray[np.int32],
) -> None:
    """Write the observations of some games, each for its player to move.

    `which`: the games. `words`, `shifts`: where each pit of an observation is in a row, for either player to move.
    `turn_at`: the field of the turn. `limit`: the number of moves after which a game stops. Written: `observations`.
    """
    for place in range(len(which)):
        observe_game(games, which[place], words, shifts, turn_at, limit, observations, place)


@jit(forceinline=True)
def mask_game(games: Games, game: int, masks: NDArray[np.bool_]) -> None:
    legal = games.legal[game]
    for action in range(masks.shape[1]):
        masks[game, action] = (legal >> action) & 1 != 0


@jit(**UNCOUNTED)
def mask_games(games: Games, masks: NDArray[np.bool_]) -> None:
    for game in range(masks.shape[0]):
        mask_game(games, game, masks)


@jit(forceinline=True)
def sample_game(games: Games, game: int, actions: NDArray[np.int64]) -> None:
    """Draw a random legal action; 0 where the game is over."""
    actions[game] = 0
    legal = int(games.legal[game])
    if legal != 0:
        random = advance(_word(games.random[game]))
        games.random[game] = random
        actions[game] = choose(legal, random)


@jit(**UNCOUNTED)
def sample_games(games: Games, actions: NDArray[np.int64]) -> None:
    """Draw a random legal action for each game."""
    for game in range(len(actions)):
        sample_game(games, game, actions)
