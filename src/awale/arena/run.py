"""Running a match or a tournament: distribute the games, keep the journal, stop when it is decided."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from typing import TypeVar

from awale import i18n, players
from awale.arena.errors import ArenaError
from awale.arena.games import Job, Played
from awale.arena.journal import Journal
from awale.arena.schedule import MatchPlan, Tournament
from awale.arena.standings import Decision, MatchResult, TournamentResult
from awale.arena.workers import InProcess, Processes, Runner, prepare
from awale.cores import cores

Watch = Callable[[Callable[[], TournamentResult], Played], object]
"""Called after every game with a function that returns the standings, and the game."""
Result = TypeVar("Result", bound=TournamentResult)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a match. `result` holds the standings after the games finished by then."""

    def __init__(self, result: TournamentResult) -> None:
        super().__init__()
        self.result = result


def runner_for(concurrency: int | None, scheduler: str | None) -> Runner:
    """Return what plays the games: 0 for this process, else worker processes, or a Dask cluster by its address."""
    if scheduler is not None:
        from awale.arena.cluster import Cluster

        return Cluster(scheduler)
    if concurrency == 0:
        return InProcess()
    return Processes(cores() if concurrency is None else concurrency)


def play_match(plan: MatchPlan, **how: object) -> MatchResult:
    """Play a match; see `play_tournament` for the settings."""
    return _play(plan, MatchResult, **how)  # type: ignore[arg-type]


def play_tournament(plan: Tournament, **how: object) -> TournamentResult:
    """Play a tournament. `concurrency`: games at a time (0: in this process); `scheduler`: a Dask cluster's address;
    `journal`: a file of the finished games, `resume`: continue it; `watch`: called after each game. Ctrl-C raises
    `Interrupted`, with the standings."""
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
    if plan.objects:
        if scheduler is not None or (concurrency or 0) > 0:
            raise ArenaError(i18n.message("arena.bad.objects"))
        concurrency = 0
    named = tuple(name for name in plan.players if name not in plan.objects)
    for name in named:  # report a wrong name or a program that does not start here, not in every worker
        spec = players.PlayerSpec.parse(name)
        with closing(spec.make(plan.rule_system)) as player:
            if spec.persistent:
                player.warm_up()
    kept = None if journal is None else Journal(journal, plan.signature(), resume=resume)
    done: dict[int, Played] = {} if kept is None else kept.done
    decision = Decision(plan)
    try:
        with closing(kept) if kept is not None else nullcontext():
            if not decision.look(done) and len(done) < plan.total:
                prepare(plan.rule_system, named, tables=plan.adjudication is not None and plan.adjudication.tables)
                chosen = runner or runner_for(concurrency, scheduler)
                try:
                    _run(plan, result, chosen, done, kept, watch, decision)
                finally:
                    chosen.close()
    except KeyboardInterrupt:
        raise Interrupted(_counted(plan, result, done, decision)) from None
    return _counted(plan, result, done, decision)


def _counted(plan: Tournament, result: Callable[..., Result], done: dict[int, Played], decision: Decision) -> Result:
    """Return the result up to the pair at which the test was decided: games in progress then do not count."""
    return result(plan, [game for game in done.values() if decision.after is None or game.pair < decision.after])


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
