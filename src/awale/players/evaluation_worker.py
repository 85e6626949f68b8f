"""The process in which somebody's Python evaluation or player runs: lines of JSON come in, lines of JSON go out.

    python -m awale.players.evaluation_worker FILE

For an evaluation it searches with a plain alpha-beta over `Game`, deeper and deeper while there is time; a player is
asked for its move. A thread beside it says twice a second that the process is alive, and when one call of the function
takes too long, tells where it is and ends it all. What the function prints goes to standard error.
"""

from __future__ import annotations

import contextlib
import inspect
import json
import math
import numbers
import os
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import IO, Any

from awale.game import Game
from awale.notation import variants
from awale.players.user_file import BadFile, limit_memory, line_in, run_file, short
from awale.rules.moves import Move

BEAT = 0.4
LONGEST_CALL = 3.0
"""Seconds for one position."""
MODULE = "awale_evaluation"
WIN = 1e12
"""More than any value a function gives: larger ones are cut down to a hundredth of it."""


class OutOfTime(Exception):
    """The time for this move is over."""


# -- the function -------------------------------------------------------------------------------------------------


def _own_functions(path: str, scope: dict[str, Any]) -> list[str]:
    return [
        name
        for name, value in scope.items()
        if inspect.isfunction(value) and value.__code__.co_filename == path and not name.startswith("_")
    ]


def load(path: str) -> Callable[[Game], Any]:
    """The file's `evaluate`."""
    scope = run_file(path, MODULE)
    function = scope.get("evaluate")
    if not callable(function):
        raise BadFile("no-function", others=", ".join(_own_functions(path, scope)[:10]))
    with contextlib.suppress(TypeError, ValueError):  # some callables cannot be looked into: trying will tell
        signature = inspect.signature(function)
        try:
            signature.bind(None)
        except TypeError:
            line = function.__code__.co_firstlineno if inspect.isfunction(function) else 1
            raise BadFile("arguments", line=line, function="evaluate") from None
    return function  # type: ignore[no-any-return]


class Called:
    """A function of somebody's own: when it was called, and what it raises."""

    def __init__(self, path: str, name: str, longest: float) -> None:
        self.path, self.name = path, name
        self.longest = longest
        """Seconds that one call may take."""
        self.calls = 0
        self.spent = 0.0
        self.began: float | None = None
        """When the call that is going on began."""
        self.position = ""

    def call(self, function: Callable[..., Any], game: Game, *more: object) -> Any:
        self.position = game.position
        began = self.began = time.perf_counter()
        try:
            return function(game, *more)
        except BaseException as error:
            line = line_in(self.path, error)
            values = {"function": self.name, "problem": short(error), "position": self.position}
            raise BadFile("raised", line=line, **values) from None
        finally:
            self.began = None
            self.spent += time.perf_counter() - began
            self.calls += 1


class Judge(Called):
    """The function with everything that is checked about it."""

    def __init__(self, path: str) -> None:
        super().__init__(path, "evaluate", LONGEST_CALL)
        self.function: Callable[[Game], Any] = load(path)

    def value(self, game: Game) -> float:
        """A position's value for the player to move."""
        state = game.state
        found = self.call(self.function, game)
        if isinstance(found, bool) or not isinstance(found, numbers.Real):
            shown = repr(found)[:60]
            raise BadFile("type", value=shown, kind=type(found).__name__, position=self.position)
        value = float(found)
        if not math.isfinite(value):
            raise BadFile("number", value=str(value), position=self.position)
        if game.state is not state:
            raise BadFile("changed", position=self.position)
        return max(-WIN / 100, min(WIN / 100, value))


class Chooser(Called):
    """A class with a method `choose`, or a function `choose`."""

    def __init__(self, path: str, name: str, longest: float) -> None:
        super().__init__(path, name, longest)
        scope = run_file(path, MODULE)
        found: dict[str, Any] = {
            key: value
            for key, value in scope.items()
            if (inspect.isclass(value) and value.__module__ == scope["__name__"] and hasattr(value, "choose"))
            or (key in ("choose", name) and inspect.isfunction(value))
        }
        if not found or (name and name not in found):
            others = [*found, *_own_functions(path, scope)]
            raise BadFile("no-player", name=name, others=", ".join(dict.fromkeys(others[:10])))
        if not name and len(found) > 1:
            raise BadFile("several", names=", ".join(found), first=next(iter(found)))
        key = name or next(iter(found))
        self.name = key if inspect.isfunction(found[key]) else f"{key}.choose"
        try:
            self.player: Any = found[key] if inspect.isfunction(found[key]) else found[key]()
        except BaseException as error:
            raise BadFile("load", line=line_in(path, error), problem=short(error)) from None
        self.function: Any = getattr(self.player, "choose", self.player)
        self.takes_clock = _takes(self.function, 2)
        if not self.takes_clock and not _takes(self.function, 1):
            raise BadFile("arguments", line=1, function=self.name)

    def new_game(self) -> None:
        """Tell the player of another game, if it wants to know."""
        if callable(begin := getattr(self.player, "new_game", None)):
            begin()

    def choose(self, game: Game, clock: dict[str, Any] | None) -> dict[str, Any]:
        from awale.players.base import Choice, PlayerClock

        more = (None if clock is None else PlayerClock(**clock),) if self.takes_clock else ()
        found = self.call(self.function, game, *more)
        choice = found if isinstance(found, Choice) else Choice(found)
        if not isinstance(choice.move, Move | str):
            raise BadFile("move", function=self.name, value=repr(found)[:60], position=self.position)
        return {"move": str(choice.move), "value": choice.value, "nodes": choice.nodes}


def _takes(function: Callable[..., Any], count: int) -> bool:
    """Whether a function can be called with so many arguments."""
    try:
        inspect.signature(function).bind(*[None] * count)
    except (TypeError, ValueError):
        return False
    return True


# -- the search ---------------------------------------------------------------------------------------------------


class Search:
    """Plain alpha-beta, deeper and deeper."""

    def __init__(self, judge: Judge, game: Game, deadline: float | None, longest: float) -> None:
        self.judge, self.game = judge, game
        self.deadline = deadline
        self.began = time.perf_counter()
        self.longest = longest
        self.nodes = 0
        self.depth = 0

    def _on_time(self) -> None:
        now = time.perf_counter()
        if self.deadline is not None and now >= self.deadline:
            raise OutOfTime
        if self.deadline is None and now - self.began > self.longest:
            calls = max(1, self.judge.calls)
            each = float(f"{1000 * self.judge.spent / calls:.3g}")
            raise BadFile("slow-move", depth=self.depth, seconds=round(now - self.began), each=each, positions=calls)

    def value(self, depth: int, alpha: float, beta: float, ply: int) -> float:
        """What the position is worth to the player to move; outside the window, a bound."""
        game = self.game
        self.nodes += 1
        if depth == 0:
            self._on_time()
            return self.judge.value(game)
        best = -math.inf
        turn = game.turn
        for move in game.legal_moves:
            game.push(move)
            try:
                found = self._after(turn, depth - 1, alpha, beta, ply + 1)
            finally:
                game.pop()
            best = max(best, found)
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best

    def _after(self, mover: int, depth: int, alpha: float, beta: float, ply: int) -> float:
        """What a move just made is worth to its mover, who may be to move again when the other passes."""
        game = self.game
        if game.over:
            self.nodes += 1
            margin = game.scores[mover] - game.scores[1 - mover]
            # The shorter win, the longer loss; then the larger margin.
            return (WIN - ply + margin / 1000 if margin > 0 else ply - WIN + margin / 1000) if margin else 0.0
        if game.turn == mover:
            return self.value(depth, alpha, beta, ply)
        return -self.value(depth, -beta, -alpha, ply)

    def choose(self, most: int) -> tuple[Move, float, int]:
        """The first best move, its value, and the depth that was finished."""
        game = self.game
        moves = list(game.legal_moves)
        turn = game.turn
        best, best_value, finished = moves[0], 0.0, 0
        first = 1 if self.deadline is not None else most
        for depth in range(first, most + 1):
            self.depth = depth
            found: list[tuple[float, Move]] = []
            alpha = -math.inf
            try:
                for move in moves:
                    game.push(move)
                    try:
                        value = self._after(turn, depth - 1, alpha, math.inf, 1)
                    finally:
                        game.pop()
                    found.append((value, move))
                    alpha = max(alpha, value)
            except OutOfTime:
                # The best of the depth before was tried first: what was found since may only be better.
                if found and (finished == 0 or len(found) > 1):
                    best_value, best = max(found, key=lambda pair: pair[0])
                break
            best_value, best = max(found, key=lambda pair: pair[0])
            finished = depth
            # Values below the best are bounds: only the best is known to be worth trying first.
            moves.remove(best)
            moves.insert(0, best)
            if abs(best_value) > WIN / 2 or len(moves) == 1:
                break
        return best, best_value, finished


# -- the conversation ---------------------------------------------------------------------------------------------


class Watch(threading.Thread):
    """Says that the process is alive, and ends it when one call takes too long."""

    def __init__(self, out: IO[str], path: str) -> None:
        super().__init__(daemon=True)
        self.out, self.path = out, path
        self.lock = threading.Lock()
        self.busy = False
        self.judge: Called | None = None
        self.loading_until: float | None = None
        self.loading_seconds = 0.0
        self.main = threading.main_thread().ident

    def say(self, answer: dict[str, Any]) -> None:
        self.out.write(json.dumps(answer) + "\n")
        self.out.flush()

    def answer(self, answer: dict[str, Any]) -> None:
        with self.lock:
            self.busy = False
            self.say(answer)

    def run(self) -> None:
        while True:
            time.sleep(BEAT)
            with self.lock:
                if not self.busy:
                    continue
                late = self._late()
                self.say(late or {"alive": 1})
                if late:
                    os._exit(1)

    def _late(self) -> dict[str, Any] | None:
        now = time.perf_counter()
        if self.loading_until is not None and now > self.loading_until:
            values: dict[str, Any] = {"line": self._line(), "seconds": self.loading_seconds}
            return {"bad": "slow-load", "values": values}
        began = self.judge.began if self.judge is not None else None
        if began is None or self.judge is None or now - began < self.judge.longest:
            return None
        values = {"line": self._line(), "seconds": round(now - began, 1), "position": self.judge.position}
        values["function"] = self.judge.name
        return {"bad": "slow", "values": values}

    def _line(self) -> int:
        """Where in the file the main thread is."""
        frame: FrameType | None = sys._current_frames().get(self.main or 0)
        while frame is not None and frame.f_code.co_filename != self.path:
            frame = frame.f_back
        return frame.f_lineno if frame is not None else 1


def serve(path: str, questions: IO[str], out: IO[str]) -> None:
    """Answer until there are no more questions: the first one names the rules (and the player), the others ask for
    moves."""
    watch = Watch(out, path)
    watch.start()
    rules: Any = None
    judge: Judge | Chooser | None = None
    for line in questions:
        question = json.loads(line)
        with watch.lock:
            watch.busy = True
        try:
            if "rules" in question:
                rules = variants.from_json(question["rules"])
                watch.loading_seconds = question["seconds"]
                watch.loading_until = time.perf_counter() + watch.loading_seconds
                player = question.get("player")
                judge = Judge(path) if player is None else Chooser(path, player, question["longest"])
                watch.loading_until = None
                watch.judge = judge
                if isinstance(judge, Judge):
                    judge.value(Game(rules))
                watch.answer({"ready": 1})
                continue
            assert judge is not None
            if "value" in question and isinstance(judge, Judge):
                watch.answer({"value": judge.value(Game(rules, start=question["value"]))})
            elif isinstance(judge, Judge):
                watch.answer(_choose(judge, rules, question))
            elif "new" in question:
                judge.new_game()
                watch.answer({"ready": 1})
            else:
                judge.longest = question["longest"]
                game = Game(rules, start=question["start"], moves=question["moves"])
                watch.answer(judge.choose(game, question["clock"]))
        except BadFile as bad:
            watch.answer({"bad": bad.key, "values": bad.values})
            return


def _choose(judge: Judge, rules: Any, question: dict[str, Any]) -> dict[str, Any]:
    game = Game(rules, start=question["start"], moves=question["moves"])
    seconds = question["seconds"]
    judge.calls, judge.spent = 0, 0.0
    began = time.perf_counter()
    search = Search(judge, game, None if seconds is None else began + seconds, question["longest"])
    move, value, depth = search.choose(question["depth"])
    spent = time.perf_counter() - began
    return {
        "move": str(move),
        "value": round(value, 6) if abs(value) < WIN / 2 else None,
        "depth": depth,
        "positions": search.nodes,
        "rate": round(judge.calls / spent) if spent > 0 else 0,
    }


def main() -> None:
    # The answers keep the real standard output: what the function prints must not get between them.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    limit_memory()
    with contextlib.suppress(BrokenPipeError, KeyboardInterrupt):
        serve(os.path.abspath(sys.argv[1]), sys.stdin, out)


if __name__ == "__main__":
    main()
