"""Running a match or a tournament: distribute the games, keep the journal, stop when it is decided."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from typing import TypeVar

from awale import players
from awale.arena.games import Job, Played
from awale.arena.journal import Journal
from awale.arena.schedule import MatchPlan, Tournament
from awale.arena.standings import Decision, MatchResult, TournamentResult
from awale.arena.workers import InProcess, Processes, Runner, prepare

Watch = Callable[[Callable[[], TournamentResult], Played], object]
"""Called after every game with a function that returns the standings, and the game."""
Result = TypeVar("Result", bound=TournamentResult)


def default_concurrency() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


def runner_for(concurrency: int | None, scheduler: str | None) -> Runner:
    """Return what plays the games: 0 for this process, else worker processes, or a Dask cluster by its address."""
    if scheduler is not None:
        from awale.arena.cluster import Cluster

        return Cluster(scheduler)
    if concurrency == 0:
        return InProcess()
    return Processes(default_concurrency() if concurrency is None else concurrency)


def play_match(plan: MatchPlan, **how: object) -> MatchResult:
    """Play a match; see `play_tournament` for the settings."""
    return _play(plan, MatchResult, **how)  # type: ignore[arg-type]


def play_tournament(plan: Tournament, **how: object) -> TournamentResult:
    """Play a tournament. `concurrency`: games at a time (0: in this process); `scheduler`: a Dask cluster's address;
    `journal`: a file of the finished games, `resume`: continue it; `watch`: called after each game."""
    return _play(plan, TournamentResult, **how)  # type: ignore[arg-type]


def _play(
    plan: Tournament,
    result: Callable[..., Result],
    *,
    concurrency: int | None = None,
    scheduler: str | None = None,
    journal: str | os.PathLike[str] | None = None,
    resume: bool = False,
    watch: Watch | None = None,
    runner: Runner | None = None,
) -> Result:
    for name in plan.players:  # report a wrong name here, not in every worker
        players.make(name, plan.rule_system).close()
    kept = None if journal is None else Journal(journal, plan.signature(), resume=resume)
    done: dict[int, Played] = {} if kept is None else kept.done
    with closing(kept) if kept is not None else nullcontext():
        decision = Decision(plan)
        if not decision.look(done) and len(done) < plan.total:
            prepare(plan.rule_system, plan.players)
            chosen = runner or runner_for(concurrency, scheduler)
            try:
                _run(plan, result, chosen, done, kept, watch, decision)
            finally:
                chosen.close()
    # Up to the pair at which the test was decided: games in progress then do not count.
    counted = [game for game in done.values() if decision.after is None or game.pair < decision.after]
    return result(plan, counted)


def _run(
    plan: Tournament,
    result: Callable[..., Result],
    runner: Runner,
    done: dict[int, Played],
    journal: Journal | None,
    watch: Watch | None,
    decision: Decision,
) -> None:
    def waiting() -> Iterator[Job]:
        for job in plan.jobs():
            if decision.after is not None:
                return
            if job.number not in done:
                yield job

    for played in runner.run(waiting()):
        if journal is not None:
            journal.add(played)
        else:
            done.setdefault(played.number, played)
        if watch is not None:
            watch(lambda: result(plan, done.values()), played)
        if decision.look(done):
            return
