"""Live analysis in a thread of its own, which can be called off at any moment."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from awale.errors import AwaleError
from awale.game import Game

if TYPE_CHECKING:
    from awale.search.analysis import Analysis


class Cancel:
    """Calls a search off, also one that has not begun."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked = False
        self._stop: Callable[[], None] | None = None

    def __call__(self) -> None:
        with self._lock:
            self._asked = True
            if self._stop is not None:
                self._stop()

    def asked(self) -> bool:
        return self._asked

    def tell(self, stop: Callable[[], None]) -> None:
        """Whom to tell."""
        with self._lock:
            self._stop = stop
            if self._asked:
                stop()


def engine_updates(game: Game, seconds: float, cancel: Cancel) -> Iterator[Analysis]:
    """What the engine thinks, depth by depth. The engine is loaded here, in whatever thread this runs."""
    from awale.players.engine import updates
    from awale.search.engine import Stop
    from awale.search.limits import Limit

    stop = Stop()
    cancel.tell(stop)
    return updates(game, Limit(time=seconds), every_move=True, stop=stop)


Updates = Callable[[Game, float, Cancel], "Iterator[Analysis]"]


class Thinker:
    """Analyses one game after the other; the latest question calls the one before it off."""

    def __init__(self, updates: Updates) -> None:
        self._updates = updates
        self._cancel = Cancel()
        # One search at a time: the one that was called off may take a moment to notice.
        self._turn = threading.Lock()

    def ask(self, game: Game, seconds: float, tell: Callable[[Analysis], None], fail: Callable[[str], None]) -> None:
        """Think about a game (that is not over); every finding is told from the thinking thread."""
        self.stop()
        cancel = self._cancel = Cancel()
        game = game.copy()

        def run() -> None:
            with self._turn:
                if cancel.asked():
                    return
                try:
                    for analysis in self._updates(game, seconds, cancel):
                        if cancel.asked():
                            return
                        tell(analysis)
                except AwaleError as error:
                    fail(str(error))
                except Exception as error:  # no compiler, no memory: the board works without analysis
                    fail(f"{type(error).__name__}: {error}")

        threading.Thread(target=run, daemon=True).start()

    def stop(self) -> None:
        self._cancel()
