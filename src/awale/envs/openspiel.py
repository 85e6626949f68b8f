"""Every rule system as a game of OpenSpiel: importing this module registers `python_awale`.

>>> import pyspiel
>>> import awale.envs.openspiel
>>> game = pyspiel.load_game("python_awale(rules=ghana4)")
>>> state = game.new_initial_state()
>>> [state.action_to_string(action) for action in state.legal_actions()]
['1', '2']
>>> state.apply_action(1)
>>> pyspiel.load_game("python_awale", {"rules": "abapa:pits=3,seeds=2"})
python_awale(max_moves=1000,rules=abapa:pits~3;seeds~2)

OpenSpiel's names of games have commas and equals signs of their own, so in a variant's name `~` stands for `=` and `;`
for `,`; given as a parameter in Python the usual spelling will do.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from awale.envs.extras import need

need("open_spiel", module="pyspiel")

import pyspiel  # noqa: E402
from open_spiel.python.observation import IIGObserverForPublicInfoGame  # noqa: E402

from awale.envs.encoding import MAX_MOVES, Encoding, Numbers, result_for  # noqa: E402
from awale.errors import AwaleError  # noqa: E402
from awale.game import Game  # noqa: E402

NAME = "python_awale"
DEFAULTS = {"rules": "abapa", "max_moves": MAX_MOVES}

GAME_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Awale",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=DEFAULTS,
)


def spelled(rules: str) -> str:
    """Return a name of rules as OpenSpiel can write it."""
    base, colon, options = rules.partition(":")
    return base + colon + options.replace("=", "~").replace(",", ";")


def unspelled(rules: str) -> str:
    """Return the name of rules that `spelled` encodes."""
    base, colon, options = rules.partition(":")
    return base + colon + options.replace("~", "=").replace(";", ",")


class AwaleSpiel(pyspiel.Game):
    """A rule system. `rules`: a preset, an alias, a variant; `max_moves`: a game that is not over then is a draw."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = dict(params or {})
        rules = unspelled(str(given.get("rules", DEFAULTS["rules"])))
        try:
            self.encoding = Encoding(rules, given.get("max_moves", MAX_MOVES))
        except AwaleError as error:
            raise pyspiel.SpielError(str(error)) from None
        if "rules" in given:
            given["rules"] = spelled(rules)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.encoding.actions,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.encoding.limit,
        )
        super().__init__(GAME_TYPE, info, given)

    def new_initial_state(self, state: Any = None) -> AwaleState:
        """Return the start of a game."""
        return AwaleState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> Any:
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return PositionObserver(self.encoding, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class AwaleState(pyspiel.State):
    """A game in progress. `position` is the `awale.Game` itself, which offers more than OpenSpiel's interface."""

    def __init__(self, game: AwaleSpiel) -> None:
        super().__init__(game)
        self.encoding = game.encoding
        self.position = Game(game.encoding.rules)

    def current_player(self) -> Any:
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.position.turn

    def _legal_actions(self, player: int) -> list[int]:
        return [self.encoding.action(move) for move in self.position.legal_moves]

    def _apply_action(self, action: int) -> None:
        self.position.push(self.encoding.move(self.position.turn, action))

    def _action_to_string(self, player: int, action: int) -> str:
        return str(self.encoding.move(player, action))

    def is_terminal(self) -> bool:
        return self.position.over or self.encoding.cut(self.position)

    def returns(self) -> list[float]:
        return [result_for(self.position, player) for player in (0, 1)]

    def __str__(self) -> str:
        return self.position.position


class PositionObserver:
    """The numbers of `encoding`, each divided by the most it can be: all between 0 and 1."""

    def __init__(self, encoding: Encoding, params: dict[str, Any] | None) -> None:
        if params:
            raise pyspiel.SpielError(f"there are no settings for observations, but these were given: {params}")
        self._encoding = encoding
        self._highest: Numbers = encoding.highest
        self.tensor = np.zeros(encoding.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: AwaleState, player: int) -> None:
        self.tensor[:] = self._encoding.observe(state.position.state, player) / self._highest

    def string_from(self, state: AwaleState, player: int) -> str:
        return state.position.position


pyspiel.register_game(GAME_TYPE, AwaleSpiel)
