"""Annotating games: the value of every position, marks for mistakes, and the better lines as variations.

Many games are annotated by several processes or on a Dask cluster; each annotated game is written to a work file before
the next one counts, so that an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import hashlib
import re
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future
from dataclasses import asdict
from pathlib import Path
from typing import Any

from awale import i18n
from awale.arena.errors import ArenaError
from awale.arena.pool import LocalProcesses
from awale.game import Game
from awale.json_lines import JsonLines
from awale.match.review import MARKS, Review
from awale.notation import GameRecord, PlayedMove, read_ogn, to_ogn
from awale.notation.records import Variation
from awale.search.limits import Limit

ANNOTATOR = "Annotator"
_MARKS = [mark for _, mark in MARKS]
LINE_MOVES = 8
"""The most moves of a better line."""


def annotate(record: GameRecord, limit: Limit, *, report: Callable[[int], object] | None = None) -> Review:
    """Add values, marks and better lines to a record; return the review. What another annotation of this kind added is
    replaced, what people wrote stays.

    Values are seeds of the final margin from South's side, with `=` where they are proven. `report` is called with the
    number of moves reviewed.
    """
    from awale.players.engine import Engine

    game = record.game()
    # A table that is built meanwhile would make the values depend on timing.
    engine = Engine(record.rules, threads=limit.threads or 1, build_tables=False)
    review = Review(game)
    replayed = Game(game.rules, start=game.start)
    for ply, played in enumerate(record.moves):
        *_, analysis = engine.updates(replayed, limit, every_move=True)
        verdict = review.add(ply, analysis)
        exact = "=" if verdict.exact else ""
        played.marks = [mark for mark in played.marks if mark not in _MARKS] + [verdict.mark] * bool(verdict.mark)
        played.comments = [f"{exact}{verdict.after:+.2f}", *filter(_not_a_value, played.comments)]
        played.variations = [line for line in played.variations if all(map(_not_a_value, line.moves[-1].comments))]
        if verdict.mark:
            line = [PlayedMove(move) for move in analysis.line[:LINE_MOVES]]
            line[-1].comments = [f"{exact}{verdict.before:+.2f}"]
            played.variations.append(Variation(line))
        replayed.push(played.move)
        if report is not None:
            report(ply + 1)
    record.tags[ANNOTATOR] = f"awale {_shown(limit)}"
    for side, name in enumerate(("South", "North")):
        if (percent := review.accuracy[side]) is not None:
            record.tags[f"{name}Accuracy"] = f"{percent:.1f}"
    return review


def _not_a_value(comment: str) -> bool:
    return re.fullmatch(r"=?[+-][0-9]+\.[0-9]{2}", comment.strip()) is None


def _shown(limit: Limit) -> str:
    given = {"time": limit.time, "depth": limit.depth, "nodes": limit.nodes}
    return " ".join(f"{name}={value:.10g}" for name, value in given.items() if value is not None)


# -- many games --------------------------------------------------------------------------------------------------------


def annotated_text(text: str, limit: Limit) -> str:
    """Return a game in OGN, annotated. A process or a cluster's worker calls this."""
    (record,) = read_ogn(text)
    annotate(record, limit)
    return to_ogn(record)


def annotate_all(
    records: Iterable[GameRecord],
    limit: Limit,
    work: Path,
    *,
    concurrency: int = 1,
    scheduler: str | None = None,
    report: Callable[[int], object] | None = None,
) -> Generator[str, None, None]:
    """Yield games in OGN, annotated, in their order. Those that are in the file `work` are taken from it.

    `report` is called with the number of games that are done.
    """
    file = _WorkFile(work, limit)
    run = _cluster(scheduler) if scheduler is not None else LocalProcesses(concurrency)
    waiting: deque[tuple[str, str | Future[str]]] = deque()
    done = 0

    def first() -> str:
        nonlocal done
        key, found = waiting.popleft()
        if not isinstance(found, str):
            found = found.result()
            file.add(key, found)
        done += 1
        if report is not None:
            report(done)
        return found

    with run as (submit, ahead):
        for record in records:
            text = to_ogn(record)
            key = hashlib.sha256(text.encode()).hexdigest()
            waiting.append((key, file.done.get(key) or submit(annotated_text, text, limit)))
            while len(waiting) > ahead:
                yield first()
        while waiting:
            yield first()


class _cluster:
    """A Dask cluster, by its scheduler's address."""

    def __init__(self, address: str) -> None:
        self._address = address

    def __enter__(self) -> tuple[Callable[..., Any], int]:
        from awale.arena.cluster import AHEAD, connect

        self._client = connect(self._address)
        threads = sum(self._client.nthreads().values())

        def submit(work: Callable[..., str], *arguments: object) -> Any:
            return self._client.submit(work, *arguments, pure=False)

        return submit, max(2, AHEAD * threads)

    def __exit__(self, *_: object) -> None:
        self._client.close()


class _WorkFile(JsonLines):
    """Annotated games by the hash of what they were."""

    def __init__(self, path: Path, limit: Limit) -> None:
        other = ArenaError(i18n.message("arena.annotate.other-work", file=path))
        head = {"form": "awale-annotate-1", "limit": asdict(limit)}
        super().__init__(path, head, lambda what: other, sync=True)
        self.done: dict[str, str] = {entry["key"]: entry["ogn"] for entry in self.entries}

    def add(self, key: str, ogn: str) -> None:
        self.done[key] = ogn
        self.append({"key": key, "ogn": ogn})
