"""The engine as a program of the three-colour contest.

The clock runs from the start of the process, while the engine still has to be loaded or even compiled. So it is loaded
in the background, and a move that is due before it is ready is chosen by a player that needs no loading.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable
from functools import partial

from awale import players
from awale.errors import AwaleError
from awale.game import Game
from awale.players.base import Player, PlayerClock
from awale.players.simple import GreedyPlayer

RULES = "tricolor"
MAX_LINE = 1000


def result_line(game: Game) -> str:
    """Return what a contest program writes when the game is over."""
    last = game.moves[-1] if game.moves else ""
    return f"RESULT {last} {game.scores[0]} {game.scores[1]}"


class ContestProgram:
    """One game. `say` is called with each line to send."""

    def __init__(self, say: Callable[[str], object], *, player: str = "", timeout: float = 2.0) -> None:
        self._say = say
        self._seconds = 0.6 * timeout
        self._name = player or f"engine:{round(1000 * self._seconds)}ms"
        self.game = Game(RULES)
        self._player: Player | None = None
        self._ready = threading.Event()
        self.problem = ""
        """Why the requested player does not play, once that is known."""
        threading.Thread(target=self._load, name="awale-load", daemon=True).start()

    def _load(self) -> None:
        try:
            player = players.make(self._name, RULES)
            player.warm_up()
            self._player = player
        except AwaleError as error:
            self.problem = str(error)
        finally:
            self._ready.set()

    def serve(self, lines: Iterable[str]) -> str | None:
        """Play to the end; return a sentence if the opponent breaks the protocol."""
        for line in lines:
            text = line[:MAX_LINE].strip()
            if not text or text == "END":
                continue
            if "RESULT" in text:
                return None
            begun = time.monotonic()
            if text != "START":
                try:
                    self.game.push(text)
                except AwaleError as error:
                    return f"{text[:40]}: {error}"
            if self.game.over:
                self._say(result_line(self.game))
                return None
            self._say(self.game.push(self._choose(begun).upper()).text)
        return None

    def _choose(self, begun: float) -> str:
        left = self._seconds - (time.monotonic() - begun)
        player = self._player if self._ready.wait(max(0.0, left)) else None
        left = self._seconds - (time.monotonic() - begun)
        chosen = player if player is not None and left > 0.01 else GreedyPlayer()
        return str(chosen.choose(self.game.copy(), PlayerClock(move=max(0.02, left))).move)


def run(player: str, timeout: float) -> int:
    """Play on standard input and output."""
    if player:
        players.make(player, RULES).close()  # a wrong name is told before the game
    program = ContestProgram(partial(print, flush=True), player=player, timeout=timeout)
    problem = program.serve(iter(sys.stdin.readline, ""))
    if problem:
        print(f"awale: {problem}", file=sys.stderr)
    return 2 if problem else 0
