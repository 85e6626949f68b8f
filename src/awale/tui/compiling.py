"""Tell that the engine is being compiled: for each rule system once on a machine, which takes a while."""

from __future__ import annotations

from time import monotonic

from awale.i18n import text
from awale.kernels.progress import compiled


class Notice:
    """A sentence about what is waited for: loading, or compiling for so many seconds."""

    def __init__(self) -> None:
        self._before = compiled()
        self._since = monotonic()

    @property
    def compiling(self) -> bool:
        return compiled() > self._before

    def sentence(self) -> str:
        if not self.compiling:
            return text("tui.pane.preparing")
        return text("tui.pane.compiling", parts=compiled() - self._before, seconds=int(monotonic() - self._since))
