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
| `engine:1` ... `engine:8`, `engine:100ms`, `engine:2s`, `engine:d12` | ours, by level, time or depth |
| `perfect` | has solved the Ghanaian game |
| `eval:mine.toml`, `eval:mine.py,4`, `eval:mine.toml,500ms` | an evaluation of one's own, by depth or time |
| `tuned`, `tuned:8` | the weights that `awale tune` found for the three-colour game |
| `uci:"COMMAND"`, `uci:"COMMAND",depth=8` | any engine that speaks UCI |
| `contest:"COMMAND"` | a program of the three-colour contest |
"""

from __future__ import annotations

import re
from collections.abc import Callable

from awale.players.base import BasePlayer, Choice, Clock, Player, PlayerError
from awale.rules import get
from awale.rules.description import Rules

__all__ = ["BasePlayer", "Choice", "Clock", "Player", "PlayerError", "fingerprint", "kinds", "make"]

Factory = Callable[[str, Rules, int | None], Player]
"""Makes a player from what follows the colon, the rules, and a seed for its chance."""


def _random(argument: str, rules: Rules, seed: int | None) -> Player:
    from awale.players.simple import RandomPlayer

    _no_argument("random", argument)
    return RandomPlayer(seed)


def _greedy(argument: str, rules: Rules, seed: int | None) -> Player:
    from awale.players.simple import GreedyPlayer

    _no_argument("greedy", argument)
    return GreedyPlayer()


def _basic(argument: str, rules: Rules, seed: int | None) -> Player:
    from awale.players.historical import BasicPlayer

    _no_argument("basic", argument)
    return BasicPlayer()


def _negamax(argument: str, rules: Rules, seed: int | None) -> Player:
    from awale.players.historical import NegamaxPlayer

    return NegamaxPlayer(_depth("negamax", argument or "5", 12))


def _minimax(argument: str, rules: Rules, seed: int | None) -> Player:
    from awale.players.historical import MinimaxPlayer

    depth, heuristic = _depth_and_heuristic("minimax", argument or "4", rules)
    return MinimaxPlayer(depth, heuristic)


def _alphabeta(argument: str, rules: Rules, seed: int | None) -> Player:
    from awale.players.historical import AlphaBetaPlayer

    depth, heuristic = _depth_and_heuristic("alphabeta", argument or "6", rules)
    return AlphaBetaPlayer(depth, heuristic)


def _mcts(argument: str, rules: Rules, seed: int | None) -> Player:
    from awale.players.engine_player import MctsPlayer

    argument = argument or "5000"
    seconds = _seconds(argument)
    if seconds is None and not re.fullmatch(r"[0-9]{1,8}", argument):
        raise PlayerError(f"'mcts:{argument[:40]}': write simulations (mcts:5000) or a time (mcts:100ms, mcts:2s)")
    simulations = None if seconds is not None else max(1, int(argument))
    return MctsPlayer(f"mcts:{argument}", simulations=simulations, seconds=seconds, seed=seed)


def _engine(argument: str, rules: Rules, seed: int | None) -> Player:
    from awale.players.engine_player import LEVELS, EnginePlayer

    argument, _, threads_text = (argument or "5").partition(",")
    threads = 1
    if threads_text:
        match = re.fullmatch(r"\s*threads=([0-9]{1,3})\s*", threads_text)
        if match is None:
            raise PlayerError(f"'engine:...,{threads_text[:40]}': the only other setting is threads=N")
        threads = int(match[1])
    name = f"engine:{argument}"
    seconds = _seconds(argument)
    if seconds is not None:
        return EnginePlayer(name, rules, seconds=seconds, threads=threads, seed=seed)
    if match := re.fullmatch(r"d([0-9]{1,3})", argument):
        depth = int(match[1])
        if not 1 <= depth <= 64:
            raise PlayerError(f"'{name}': the depth must be from 1 to 64")
        return EnginePlayer(name, rules, depth=depth, threads=threads, seed=seed)
    if argument.isascii() and argument.isdigit() and int(argument) in LEVELS:
        return EnginePlayer(name, rules, level=int(argument), threads=threads, seed=seed)
    raise PlayerError(
        f"'{name[:60]}': write a level 1 to 8 (engine:5), a time (engine:100ms, engine:2s) or a depth (engine:d12)"
    )


def _report(argument: str, rules: Rules, seed: int | None) -> Player:
    from awale.players.tricolor_2025 import ReportPlayer

    if not rules.coloured:
        raise PlayerError(f"report: plays the three-colour game, not {rules.name}")
    evaluation, _, depth = (argument or "corrected").partition(",")
    if evaluation not in ("raw", "defence", "corrected") or depth not in ("", "6", "adaptive"):
        raise PlayerError(
            f"'report:{argument[:40]}': write report:raw, defence or corrected, then 6 or adaptive after a comma"
        )
    return ReportPlayer(rules, evaluation, "adaptive" if depth == "adaptive" else 6)


def _perfect(argument: str, rules: Rules, seed: int | None) -> Player:
    from awale.players.perfect import PerfectPlayer

    _no_argument("perfect", argument)
    return PerfectPlayer(rules)


def _eval(argument: str, rules: Rules, seed: int | None) -> Player:
    from awale.players.custom_evaluation import make_own

    return make_own(argument, rules)


def _tuned(argument: str, rules: Rules, seed: int | None) -> Player:
    from awale.players.custom_evaluation import make_tuned

    return make_tuned(argument, rules)


def _uci(argument: str, rules: Rules, seed: int | None) -> Player:
    from awale.players.external import UciPlayer

    return UciPlayer(argument, rules)


def _contest(argument: str, rules: Rules, seed: int | None) -> Player:
    from awale.players.external import ContestPlayer

    return ContestPlayer(argument, rules)


KINDS: dict[str, Factory] = {
    "random": _random,
    "greedy": _greedy,
    "basic": _basic,
    "negamax": _negamax,
    "minimax": _minimax,
    "alphabeta": _alphabeta,
    "report": _report,
    "mcts": _mcts,
    "engine": _engine,
    "perfect": _perfect,
    "eval": _eval,
    "tuned": _tuned,
    "uci": _uci,
    "contest": _contest,
}


def kinds() -> tuple[str, ...]:
    """The names that a player's name begins with."""
    return tuple(KINDS)


def make(name: str, rules: str | Rules = "abapa", seed: int | None = None) -> Player:
    """A player by name, for a rule system. The same seed gives the same player.

    >>> from awale import Game
    >>> str(make("greedy", "abapa").choose(Game("abapa")).move)
    'A'
    """
    if not isinstance(name, str) or not name.strip():
        raise PlayerError("a player is given by name, as in random, greedy or engine:5")
    kind, _, argument = name.strip().partition(":")
    kind = kind.strip().lower()
    if kind not in KINDS:
        raise PlayerError(f"no player is called '{kind[:40]}': there are {', '.join(KINDS)}")
    return KINDS[kind](argument.strip(), get(rules), seed)


def fingerprint(name: str) -> str | None:
    """Something that changes with what a player reads from a file of its own; None for players that read none."""
    kind, _, argument = name.strip().partition(":")
    if kind.strip().lower() != "eval":
        return None
    from awale.players.custom_evaluation import file_fingerprint

    return file_fingerprint(argument.strip())


# -- reading what follows the colon --------------------------------------------------------------------------------


def _no_argument(kind: str, argument: str) -> None:
    if argument:
        raise PlayerError(f"'{kind}' takes nothing after a colon, and got '{argument[:40]}'")


def _depth(kind: str, text: str, most: int) -> int:
    if not re.fullmatch(r"[0-9]{1,3}", text.strip()) or not 1 <= int(text) <= most:
        raise PlayerError(f"'{kind}:{text[:40]}': the depth must be a number from 1 to {most}, as in {kind}:4")
    return int(text)


def _depth_and_heuristic(kind: str, argument: str, rules: Rules) -> tuple[int, str]:
    from awale.search.classic import heuristic_values

    depth_text, _, heuristic = argument.partition(",")
    heuristic = heuristic.strip().lower() or "material"
    heuristic_values(heuristic, rules)
    return _depth(kind, depth_text, 14), heuristic


def _seconds(text: str) -> float | None:
    """A time such as `100ms` or `2s` or `1.5s`; None if the text is no time."""
    match = re.fullmatch(r"([0-9]{1,7}(?:\.[0-9]{1,6})?)\s*(ms|s)", text.strip())
    if match is None:
        return None
    seconds = float(match[1]) / (1000 if match[2] == "ms" else 1)
    if not 0.001 <= seconds <= 86_400:
        raise PlayerError(f"'{text}': a time must be from 1ms to 86400s")
    return seconds
