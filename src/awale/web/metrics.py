"""The server in numbers, as Prometheus reads them."""

from __future__ import annotations

from collections import Counter
from typing import Any

KIND = "text/plain; version=0.0.4; charset=utf-8"


def write(state: Any) -> str:
    """Return the metrics of a running application in Prometheus's text format."""
    pool, registry, limits = state.pool, state.registry, getattr(state, "connections", None)
    lines: list[str] = []

    def add(name: str, kind: str, about: str, values: dict[str, float]) -> None:
        lines.append(f"# HELP awale_{name} {about}")
        lines.append(f"# TYPE awale_{name} {kind}")
        lines.extend(f"awale_{name}{labels} {value:g}" for labels, value in values.items())

    answers: Counter[int] = state.answers
    add(
        "http_responses_total",
        "counter",
        "Responses by status.",
        {f'{{status="{status}"}}': count for status, count in sorted(answers.items())},
    )
    add("stored_changes_total", "counter", "Changes of games that were stored.", {"": registry.writer.stored})
    add("refused_changes_total", "counter", "Changes that the store refused.", {"": registry.writer.failed})
    add("store_queue", "gauge", "Changes that wait for the store.", {"": registry.writer.waiting})
    add("games", "gauge", "Games in memory.", {"": len(registry.games)})
    add("websockets", "gauge", "Open WebSockets.", {"": sum(state.sockets.values())})
    add("engine_processes", "gauge", "Engine processes.", {"": pool.processes})
    add("engine_busy", "gauge", "Engine processes at work.", {"": pool.busy})
    add("engine_queue", "gauge", "Engine jobs that wait.", {"": pool.waiting})
    threads = {"requests": state.requests, "slow_requests": state.slow_requests, "games": registry.threads}
    add("threads_busy", "gauge", "Threads at work.", {f'{{pool="{n}"}}': p.busy for n, p in threads.items()})
    add("threads_queue", "gauge", "Work that waits.", {f'{{pool="{n}"}}': p.waiting for n, p in threads.items()})
    if limits is not None:
        add("connections", "gauge", "Open connections.", {"": limits.total})
        add("connections_refused_total", "counter", "Connections beyond the limits.", {"": limits.refused})
    return "\n".join(lines) + "\n"
