"""Players with an evaluation of somebody's own: `eval:FILE`, and `tuned`, whose file is shipped.

A file of features and weights is played by the engine's search, at its speed, without endgame tables. A Python file is
played by a plain alpha-beta in a process of its own: whatever its function does (loop for ever, leave, fill the
memory), it is ended and explained, and whoever plays with it goes on. `player:FILE.py` is a whole player in such a
process.
"""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import asdict
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from awale import i18n
from awale.game import Game
from awale.notation import variants
from awale.players.base import BasePlayer, Choice, PlayerClock, PlayerError, PlayerFault, once_per_process
from awale.players.spec import DEFAULT_DEPTH, MAX_ENGINE_DEPTH, MAX_PYTHON_DEPTH, PlayerSpec
from awale.protocols.external_process import Program, read_move
from awale.rules import positions
from awale.rules.description import Rules

PYTHON_DEPTH = 3
"""The default depth of a Python function."""
SHALLOW = 6
"""Searches to this depth need no thread of their own to be stopped from."""
LOAD_SECONDS = 10.0
SILENCE = 5.0
"""The process of a Python file says several times a second that it is alive; silent for longer, it hangs."""
LONGEST_MOVE = 120.0
"""A Python evaluation that was given no time gets this much for a move."""
GRACE_SECONDS = 5.0
"""How long after its time a player is still waited for, before it is ended. Who loses on time is the match's word."""
TUNED = ("players", "tuned-tricolor.toml")


def weights_of(evaluation: str, rules: Rules) -> Any:
    """What the search looks up for an evaluation: a built-in one (`material`, `corrected` ...), `engine` for the
    engine's own, `tuned`, or a file of features and weights."""
    from awale.players.evaluation_files import read
    from awale.search.evaluation import weights_for
    from awale.search.linear import BUILT_IN

    if evaluation == "engine":
        return weights_for(rules)
    if evaluation in BUILT_IN:
        return BUILT_IN[evaluation].array(rules)
    if evaluation == "tuned":
        if not rules.coloured:
            raise PlayerError(i18n.message("evaluations.tuned.rules", rules=rules.name))
        with as_file(files("awale").joinpath(*TUNED)) as path:
            return read(path, rules).weighing.array(rules)
    path = Path(evaluation).expanduser()
    if path.suffix.lower() != ".toml":
        raise PlayerError(i18n.message("evaluations.bad.ending", file=evaluation[:200]))
    return read(path, rules).weighing.array(rules)


def _depth_for(spec: PlayerSpec, game: Game) -> int | None:
    """Return how far to search; an adaptive depth grows as the 2025 report's does."""
    if not spec.adaptive:
        return spec.depth
    from awale.search.tricolor_2025 import depth_for

    base = DEFAULT_DEPTH["report"]
    return min(MAX_ENGINE_DEPTH, (spec.depth or base) + depth_for(game, "adaptive") - base)


class WeighingPlayer(BasePlayer):
    """Features and weights under the engine's search: to a fixed depth, or for a time."""

    def __init__(self, spec: PlayerSpec, rules: Rules) -> None:
        from awale.search.engine import SearchEngine

        self.name = str(spec)
        self._spec = spec
        weights = weights_of(spec.file or spec.evaluation or "tuned", rules)
        self._engine = SearchEngine(rules, hash_mb=16, weights=weights)

    def warm_up(self) -> None:
        game = Game(self._engine.rules)
        once_per_process(("eval", game.rules, self._spec.file is None), lambda: self._engine.analyse_inline(game, 1))

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        from awale.search import limits

        seconds = (clock and clock.budget()) or self._spec.seconds
        depth = _depth_for(self._spec, game)
        if depth is None and seconds is None:
            depth = DEFAULT_DEPTH["eval"]
        if len(game.legal_moves) == 1:
            return Choice(game.legal_moves[0], None, game.legal_moves, 0, {"depth": 0})
        if seconds is None and depth is not None and depth <= SHALLOW:
            found = self._engine.analyse_inline(game, depth)
        else:
            found = self._engine.analyse(game, limits.Limit(time=seconds, depth=depth))
        return Choice(found.best, found.value.seeds, found.line, found.nodes, {"depth": found.depth})


class _PythonFile(BasePlayer):
    """A Python file in a process of its own."""

    def __init__(self, spec: PlayerSpec, rules: Rules) -> None:
        from awale.players.evaluation_files import contents

        assert spec.file is not None
        self.name = str(spec)
        self._path, self._rules, self._spec = Path(spec.file).expanduser(), rules, spec
        contents(self._path)
        self._program: Program | None = None
        try:
            self._start()
        except BaseException:
            self.close()
            raise

    def _start(self) -> None:
        """Start the process unless it runs, load the file and try it on the first position."""
        if self._program is not None and self._program.running:
            return
        self.close()
        command = shlex.join(
            [sys.executable, "-P", "-m", "awale.players.evaluation_worker", str(self._path.absolute())]
        )
        self._program = Program(command, max_line=1_000_000)
        self._ask({"rules": variants.to_json(self._rules), "seconds": LOAD_SECONDS, **self._wanted()}, LOAD_SECONDS)

    def _wanted(self) -> dict[str, Any]:
        """What of the file is wanted."""
        return {}

    def _ask(self, question: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The process's answer; it tells itself when it is too slow, and is ended when it cannot even do that."""
        program = self._program
        assert program is not None
        try:
            program.send(json.dumps(question))
            while True:
                answer: dict[str, Any] = json.loads(program.receive(SILENCE + min(seconds, 2.0)))
                if "alive" not in answer:
                    break
        except (PlayerFault, ValueError) as error:
            self.close()
            message = i18n.message("evaluations.python.died", file=self._path, problem=error)
            raise PlayerFault(message, error.kind if isinstance(error, PlayerFault) else "crash") from None
        if "bad" in answer:
            self.close()
            values = {"file": self._path, "shorter": f"eval:{self._path},{self._shorter()}", **answer["values"]}
            if "others" in values:
                names = values["others"]
                values["others"] = i18n.message("evaluations.python.others", names=names) if names else ""
            slow = str(answer["bad"]).startswith("slow")
            raise PlayerFault(
                i18n.message(f"evaluations.python.{answer['bad']}", **values), "time" if slow else "crash"
            )
        return answer

    def _shorter(self) -> str:
        depth = self._spec.depth or PYTHON_DEPTH
        return str(depth - 1) if depth > 1 else "1s"

    def _position(self, game: Game) -> dict[str, Any]:
        return {"start": positions.write(game.rules, game.start), "moves": [str(move) for move in game.moves]}

    def close(self) -> None:
        if self._program is not None:
            self._program.close()
            self._program = None


class PythonEvaluation(_PythonFile):
    """A function that evaluates a `Game`, under a plain alpha-beta."""

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        seconds = (clock and clock.budget(reserve=0.2, share=0.9)) or self._spec.seconds
        depth = _depth_for(self._spec, game)
        if depth is None:
            depth = PYTHON_DEPTH if seconds is None else MAX_PYTHON_DEPTH
        self._start()
        question = {**self._position(game), "depth": depth, "seconds": seconds, "longest": LONGEST_MOVE}
        answer = self._ask(question, seconds or LONGEST_MOVE)
        info = {"depth": answer["depth"], "positions_a_second": answer["rate"]}
        return Choice(game.parse(answer["move"]), answer["value"], (), answer["positions"], info)

    def value(self, game: Game) -> float:
        """Return what the function says of a position, for the player to move."""
        self._start()
        return float(self._ask({"value": game.position}, LOAD_SECONDS)["value"])


class PythonPlayer(_PythonFile):
    """A class with a method `choose(game, clock)`, or a function `choose(game)`."""

    def _wanted(self) -> dict[str, Any]:
        return {"player": self._spec.member or "", "longest": LONGEST_MOVE}

    def new_game(self) -> None:
        self._start()
        self._ask({"new": 1}, LOAD_SECONDS)

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        left = None if clock is None else clock.move if clock.move is not None else clock.left
        longest = LONGEST_MOVE if left is None else left + GRACE_SECONDS
        self._start()
        question = {**self._position(game), "clock": None if clock is None else asdict(clock), "longest": longest}
        answer = self._ask(question, longest)
        return Choice(read_move(game, answer["move"]), answer["value"], (), answer["nodes"])
