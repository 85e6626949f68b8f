"""The rules packed into machine words, compiled.

Each family (`lap`, `relay`, `tricolor`) is a module with

- `XRules`, a NamedTuple of plain ints: the options of a `Rules` that the kernel needs, made once by
  `pack_rules(rules)`. No arrays: Numba counts references to them atomically at every call (measured: a third of the
  speed, and contention between threads). Tables are module-level NumPy constants, compiled in, one for all sizes of
  board; `XRules` may hold an offset into them;
- `XState`, a NamedTuple of machine integers. Every state has the fields `turn` (0 or 1), `south`, `north` (captured
  seeds) and `ply`; the rest depends on the family. States are immutable, comparable and hashable. Every field is a
  plain Python int within int64, so that nothing is compiled twice for two integer types;
- `pack(rules, position) -> XState` and `unpack(rules, state) -> Position`, in Python;
- compiled functions over them:
    - `legal(k, state) -> int64`: a bit for each legal move, in the order of `Game.legal_moves`. Bit i is the mover's
      i-th pit from their left; in the three-colour game bit 4*i+c is hole i and the colour c of R, B, TR, TB;
    - `play(k, state, move) -> state`: one legal move (the number of its bit), the turn passed on, a starved player's
      pass included; endings are not checked;
    - `stopped(k, state, last) -> int64`: 0, or the code in `ENDINGS` of an ending that does not depend on the legal
      moves (win, moves, few, endless); `last` is the player who moved last (the opponent of `turn` at a start);
    - `final(k, state, code, last) -> (int64, int64)`: South's and North's seeds once the game is over by `code`.

`generic` has one function of each name that takes any family's arguments, chosen at compile time: a search is written
once and compiled for each family. Its `ending(k, state, last)` is `stopped`, or "no-move" if `legal` is 0; 0 while the
game goes on. Repetition needs the history and is checked by the caller.
"""

ENDINGS = ("", "win", "moves", "few", "repetition", "no-move", "endless")
"""What `ending` returns, as `Outcome.reason` spells it."""
WIN, MOVES, FEW, REPETITION, NO_MOVE, ENDLESS = range(1, 7)
