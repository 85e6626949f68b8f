"""The full-screen board: from the command to the first screen, and from a move to the engine's first reply.

In a pseudo-terminal, with the compiled code in its cache, the best of a few starts: this machine may be busy.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

from benchmarks.measure import Row

STARTS = 5
READING = 2.0
"""Seconds that a person looks at the board before the first move."""


def start(folder: str, reading: float) -> tuple[float, float]:
    """Seconds to the first screen, and from a move made after some reading to the reply."""
    import pexpect

    environment = {**os.environ, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", "AWALE_DATA_DIR": folder}
    arguments = ["-m", "awale", "play", "--rules", "abapa", "--north", "engine:3", "--pause", "0", "--lang", "en"]
    begun = time.perf_counter()
    child = pexpect.spawn(
        sys.executable, arguments, env=environment, encoding="utf-8", timeout=300, dimensions=(24, 80)
    )
    try:
        child.expect_exact("South to move")
        shown = time.perf_counter() - begun
        # What is drawn meanwhile must be taken off the line, or the program would wait to be read.
        child.expect(pexpect.TIMEOUT, timeout=reading)
        asked = time.perf_counter()
        child.send("c")
        child.expect_exact("North played")
        return shown, time.perf_counter() - asked
    finally:
        child.close(force=True)


def run() -> list[Row]:
    subprocess.run([sys.executable, "-m", "awale", "warmup"], check=True, stdout=subprocess.DEVNULL)
    with tempfile.TemporaryDirectory() as folder:
        start(folder, 0)  # Python's own caches, the files in memory
        read = [start(folder, READING) for _ in range(STARTS)]
        hasty = [start(folder, 0) for _ in range(STARTS)]
    return [
        Row(what="terminal: start to first screen, s", unit="", ours=min(s for s, _ in read + hasty), at_most=1.0),
        Row(
            what=f"  a move after {READING:g} s to the engine's reply, s",
            unit="",
            ours=min(s for _, s in read),
            at_most=1.5,
        ),
        Row(what="  a move at once to the engine's reply, s", unit="", ours=min(s for _, s in hasty), at_most=1.5),
    ]
