"""Live analysis in a thread of its own, which can be cancelled at any moment."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from awale.game import Game
from awale.match import failure

if TYPE_CHECKING:
    from awale.search.analysis import Analysis


class Cancel:
    """Cancels a search, also one that has not begun."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cancelled = False
        self._stop: Callable[[], None] | None = None

    def __call__(self) -> None:
        with self._lock:
            self._cancelled = True
            if self._stop is not None:
                self._stop()

    def cancelled(self) -> bool:
        return self._cancelled

    def on_cancel(self, stop: Callable[[], None]) -> None:
        """Call this when the search is cancelled, or now if it is already."""
        with self._lock:
            self._stop = stop
            if self._cancelled:
                stop()


def engine_updates(game: Game, seconds: float, cancel: Cancel) -> Iterator[Analysis]:
    """Return the engine's analyses, depth by depth. The engine is loaded here, in the caller's thread."""
    from awale.players.engine import updates
    from awale.search.engine import Stop
    from awale.search.limits import Limit

    stop = Stop()
    cancel.on_cancel(stop)
    return updates(game, Limit(time=seconds), every_move=True, stop=stop)


Updates = Callable[[Game, float, Cancel], "Iterator[Analysis]"]


class Analyser:
    """Analyses one position after the other; a new one cancels the one before."""

    def __init__(self, updates: Updates) -> None:
        self._updates = updates
        self._cancel = Cancel()
        # One search at a time: a cancelled one takes a moment to end.
        self._running = threading.Lock()

    def start(
        self, game: Game, seconds: float, tell: Callable[[Analysis], object], fail: Callable[[str], object]
    ) -> None:
        """Analyse a game that is not over; `tell` and `fail` are called from the thread of the search."""
        self.stop()
        cancel = self._cancel = Cancel()
        game = game.copy()

        def run() -> None:
            with self._running:
                if cancel.cancelled():
                    return
                try:
                    for analysis in self._updates(game, seconds, cancel):
                        if cancel.cancelled():
                            return
                        tell(analysis)
                except Exception as error:  # no compiler, no memory: the board works without analysis
                    fail(failure(error)[1])

        threading.Thread(target=run, daemon=True).start()

    def stop(self) -> None:
        self._cancel()
