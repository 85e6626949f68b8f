"""Everything that can choose a move, by name: `make("engine:5", rules="abapa")`.

| name | who |
|---|---|
| `random` | any legal move |
| `greedy` | most seeds now |
| `basic` | the BASIC program of the Ghanaian game, four levels |
| `negamax:5` | the examination's program, gains only |
| `minimax:4,mixed`, `alphabeta:6,kroo` | to a depth, with a heuristic |
| `report:corrected,6`, `report:defence,adaptive` | the three-colour report's player |
| `mcts:5000`, `mcts:100ms` | Monte Carlo tree search by simulations or time |
| `engine:1` ... `engine:8`, `engine:100ms`, `engine:d12`, `engine:1s,threads=2` | the engine by level, time or depth |
| `perfect` | proven moves; otherwise the engine's or, in relay games, the one hardest to refute |
| `eval:mine.toml`, `eval:mine.py,4`, `eval:mine.toml,500ms` | an evaluation of one's own, by depth or time |
| `player:mine.py`, `player:mine.py,Cautious` | a class or function of one's own that chooses the move |
| `tuned`, `tuned:8` | the weights that `awale tune` found for the three-colour game |
| `uci:"COMMAND"`, `uci:"COMMAND",depth=8` | any engine that speaks UCI |
| `contest:"COMMAND"` | a program of the three-colour contest |
| `lines:"COMMAND"` | a program in any language that answers each position with a move |
"""

from __future__ import annotations

from awale.players.base import BasePlayer, Choice, Player, PlayerClock, PlayerError, PlayerFault
from awale.players.spec import PROGRAMS, PlayerSpec, RemotePlayerError
from awale.rules.description import Rules

__all__ = [
    "BasePlayer",
    "Choice",
    "Player",
    "PlayerClock",
    "PlayerError",
    "PlayerFault",
    "PlayerSpec",
    "RemotePlayerError",
    "kinds",
    "make",
]


def kinds() -> tuple[str, ...]:
    """Return the words that a program's name begins with."""
    return PROGRAMS


def make(name: str | PlayerSpec, rules: str | Rules = "abapa", seed: int | None = None) -> Player:
    """Return a player by name, for a rule system. The same seed gives the same player.

    >>> from awale import Game
    >>> str(make("greedy", "abapa").choose(Game("abapa")).move)
    'A'
    """
    spec = name if isinstance(name, PlayerSpec) else PlayerSpec.parse(name)
    return spec.make(rules, seed)
