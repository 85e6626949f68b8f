"""Whether code is being compiled, to say so: the first engine of some rules takes its time, once on a machine."""

from __future__ import annotations

import sys
from time import monotonic

from awale.i18n import text


def compiled() -> int:
    """How many functions this process has compiled. The compiler itself is not loaded for the sake of the question."""
    door = sys.modules.get("awale.kernels.jit")
    announcer = getattr(door, "announcer", None)  # None while the module is still being loaded
    return 0 if announcer is None else len(announcer.compiled)


class Notice:
    """A sentence for whoever waits: getting ready, or compiling since so many seconds."""

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
