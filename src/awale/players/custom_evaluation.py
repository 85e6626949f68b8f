"""Players with an evaluation of somebody's own: `eval:FILE`, and `tuned`, whose file is shipped.

A file of features and weights is played by the engine's search, at its speed, without endgame tables. A Python file is
played by a plain alpha-beta in a process of its own: whatever its function does (loop for ever, leave, fill the
memory), it is ended and explained, and whoever plays with it goes on.
"""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import sys
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from awale import i18n
from awale.game import Game
from awale.notation import variants
from awale.players.base import BasePlayer, Choice, PlayerClock, PlayerError, PlayerFault
from awale.players.external_process import Program
from awale.rules import positions
from awale.rules.description import Rules

DEPTH, PYTHON_DEPTH = 6, 3
"""Where nothing is asked for."""
SHALLOW = 6
"""Searches to this depth need no thread of their own to be stopped from."""
MOST_DEPTH, MOST_PYTHON_DEPTH = 64, 12
LOAD_SECONDS = 10.0
SILENCE = 5.0
"""The process of a Python file says several times a second that it is alive; silent for longer, it hangs."""
LONGEST_MOVE = 120.0
"""A Python evaluation that was given no time gets this much for a move."""
TUNED = ("players", "tuned-tricolor.toml")


ADAPTIVE = ((15, 0), (30, 1), (70, 2), (80, 3), (101, 4))
"""The three-colour report's adaptive depth: under so many per cent of the seeds gone, so many moves deeper."""


class Limit:
    """What follows the comma: a depth, `adaptive` (or `adaptive4`: deeper and deeper from 4), a time, or nothing."""

    def __init__(self, text: str = "") -> None:
        from awale.players import _seconds

        self.text = text
        self.seconds = _seconds(text) if text else None
        self.adaptive = text.startswith("adaptive")
        digits = text.removeprefix("adaptive").removeprefix("d")
        self.depth = None if not text or self.seconds is not None else int(digits) if digits else DEPTH

    @classmethod
    def fits(cls, text: str) -> bool:
        return (
            re.fullmatch(r"(?:d|adaptive)?[0-9]{1,3}|adaptive|[0-9]{1,7}(?:\.[0-9]{1,6})?\s*(?:ms|s)", text) is not None
        )

    def depth_for(self, game: Game) -> int | None:
        """How far to look in a position."""
        if self.depth is None or not self.adaptive:
            return self.depth
        lying = sum(game.counts)
        total = max(1, lying + sum(game.scores))
        return self.depth + next(more for percent, more in ADAPTIVE if 100 * (total - lying) < percent * total)


def split(argument: str) -> tuple[str, str]:
    """The file and the limit of `FILE[,LIMIT]`. A comma in a file's name is no trouble.

    >>> split("mine.toml,6"), split("a,b.py"), split('"mine.py",500ms')
    (('mine.toml', '6'), ('a,b.py', ''), ('mine.py', '500ms'))
    """
    file, comma, limit = argument.rpartition(",")
    if not comma or not (Limit.fits(limit.strip()) or re.search(r"\.(py|toml)[\"']?\s*$", file, re.IGNORECASE)):
        file, limit = argument, ""
    file = file.strip()
    if len(file) > 1 and file[0] == file[-1] and file[0] in "\"'":
        file = file[1:-1]
    return file, limit.strip()


def file_fingerprint(argument: str) -> str:
    """The contents of `FILE[,LIMIT]` in short."""
    from awale.players.evaluation_files import contents

    path = Path(split(argument)[0]).expanduser()
    return hashlib.sha256(contents(path)).hexdigest()[:16] if path.suffix else ""


def make_own(argument: str, rules: Rules) -> BasePlayer:
    """The player of `eval:ARGUMENT`."""
    file, limit_text = split(argument)
    if not file:
        raise PlayerError(i18n.message("evaluations.bad.no-file"))
    path = Path(file).expanduser()
    python = path.suffix.lower() == ".py"
    if not path.suffix and file.lower() in (*known_names(), "engine", "tuned"):
        limit = _limit(limit_text, MOST_DEPTH, f"eval:{file}")
        name = f"eval:{file.lower()}" + (f",{limit.text}" if limit.text else "")
        return WeighingPlayer(name, rules, weights_of(file.lower(), rules), limit)
    if not python and path.suffix.lower() != ".toml":
        raise PlayerError(i18n.message("evaluations.bad.ending", file=file[:200]))
    limit = _limit(limit_text, MOST_PYTHON_DEPTH if python else MOST_DEPTH, f"eval:{file}")
    name = f"eval:{file}" + (f",{limit.text}" if limit.text else "")
    if python:
        return PythonPlayer(name, path, rules, limit)
    return WeighingPlayer(name, rules, weights_of(str(path), rules), limit)


def known_names() -> tuple[str, ...]:
    """The evaluations that need no file."""
    from awale.search.linear import BUILT_IN

    return tuple(BUILT_IN)


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


def make_tuned(argument: str, rules: Rules) -> BasePlayer:
    """The player of `tuned` or `tuned:LIMIT`."""
    if argument and not Limit.fits(argument):
        raise PlayerError(i18n.message("evaluations.tuned.limit", argument=argument[:40], most=MOST_DEPTH))
    limit = _limit(argument, MOST_DEPTH, "tuned")
    return WeighingPlayer("tuned" + (f":{limit.text}" if limit.text else ""), rules, weights_of("tuned", rules), limit)


def _limit(text: str, most: int, name: str) -> Limit:
    limit = Limit(text) if not text or Limit.fits(text) else None
    if limit is None or (limit.depth is not None and not 1 <= limit.depth <= most):
        raise PlayerError(i18n.message("evaluations.bad.limit", name=name[:200], most=most))
    return limit


class WeighingPlayer(BasePlayer):
    """Features and weights under the engine's search: to a fixed depth, or for a time."""

    def __init__(self, name: str, rules: Rules, weights: Any, limit: Limit) -> None:
        from awale.search.engine import SearchEngine

        self.name = name
        self._limit = limit
        self._engine = SearchEngine(rules, hash_mb=16, weights=weights)

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        from awale.search import limits

        seconds = (clock and clock.budget()) or self._limit.seconds
        depth = self._limit.depth_for(game)
        if depth is None and seconds is None:
            depth = DEPTH
        if len(game.legal_moves) == 1:
            return Choice(game.legal_moves[0], None, game.legal_moves, 0, {"depth": 0})
        if seconds is None and depth is not None and depth <= SHALLOW:
            found = self._engine.analyse_inline(game, depth)
        else:
            found = self._engine.analyse(game, limits.Limit(time=seconds, depth=depth))
        return Choice(found.best, found.value.seeds, found.line, found.nodes, {"depth": found.depth})


class PythonPlayer(BasePlayer):
    """A function of a `Game`, in a process of its own."""

    outside = True
    """Stays from game to game: starting the process takes longer than a move."""

    def __init__(self, name: str, path: Path, rules: Rules, limit: Limit) -> None:
        from awale.players.evaluation_files import contents

        contents(path)
        self.name = name
        self._path, self._rules, self._limit = path, rules, limit
        self._program: Program | None = None
        try:
            self._start()
        except BaseException:
            self.close()
            raise

    def _start(self) -> Program:
        """The process, with the file loaded and tried on the first position."""
        if self._program is not None and self._program.running:
            return self._program
        self.close()
        command = shlex.join(
            [sys.executable, "-P", "-m", "awale.players.evaluation_worker", str(self._path.absolute())]
        )
        self._program = Program(command, max_line=1_000_000)
        self._ask({"rules": variants.to_json(self._rules), "seconds": LOAD_SECONDS}, LOAD_SECONDS)
        return self._program

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
        depth = self._limit.depth or PYTHON_DEPTH
        return str(depth - 1) if depth > 1 else "1s"

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        seconds = (clock and clock.budget(reserve=0.2, share=0.9)) or self._limit.seconds
        depth = self._limit.depth_for(game)
        if depth is None:
            depth = PYTHON_DEPTH if seconds is None else MOST_PYTHON_DEPTH
        self._start()
        question = {
            "start": positions.write(game.rules, game.start),
            "moves": [str(move) for move in game.moves],
            "depth": depth,
            "seconds": seconds,
            "longest": LONGEST_MOVE,
        }
        answer = self._ask(question, seconds or LONGEST_MOVE)
        info = {"depth": answer["depth"], "positions_a_second": answer["rate"]}
        return Choice(game.parse(answer["move"]), answer["value"], (), answer["positions"], info)

    def close(self) -> None:
        if self._program is not None:
            self._program.close()
            self._program = None
