"""`awale solve --campaign`: a large proof in jobs of limited size, resumed at any time from a journal."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from awale.cli import common
from awale.cli.progress import ProgressLine, if_interrupted
from awale.cli.solve_single_lap import ENTRY_BYTES, SAMPLE, Wanted, claim_sentence, fingerprint, open_tables, winner
from awale.errors import AwaleError
from awale.i18n import decimal, number, system_problem, text
from awale.json_lines import SealedJournal

if TYPE_CHECKING:
    from awale.bounds import Bounds
    from awale.game import Game
    from awale.rules import Rules
    from awale.search.campaign import Campaign, Key, Node
    from awale.search.claims import Claim

FORM = "awale-campaign-1"
MARGINS = (0, 1)
"""Does the first player at least draw, and do they win?"""
GRACE = 10.0
"""Seconds to wait for workers that should have stopped."""


class Effort(NamedTuple):
    """How much to search."""

    budget: int
    """Positions of one job."""
    minutes: float
    scheduler: str | None
    """The address of a Dask scheduler; None: threads of this process."""


class Job(NamedTuple):
    """A search that a worker can do by itself."""

    rules: Rules
    claim: Claim
    state: Any
    budget: int
    seconds: float
    """After these it stops, undecided."""


class Answer(NamedTuple):
    holds: bool | None
    proof: int
    disproof: int
    nodes: int
    walked: int


def search(prover: Any, job: Job) -> Answer:
    """Do a job with a prover, whose transposition table remembers earlier ones; what it settles is checked."""
    until = time.monotonic() + job.seconds
    found = prover.settle(job.state, job.claim.x, job.claim.margin, job.budget, until=until, check=True)
    proof, disproof = found.numbers()
    if found.holds is None and 0 in (proof, disproof):
        proof = disproof = 1  # another job has settled it just now, or its strategy cannot be walked
    return Answer(found.holds, proof, disproof, found.nodes, 0 if found.holds is None else found.size)


_prover_there: dict[object, Any] = {}
"""The prover of a Dask worker, one at a time: it and its tables may need most of the memory."""
_making = threading.Lock()


def search_there(job: Job, leaves: int, folder: str | None, entries: int) -> Answer:
    """Do a job on a Dask worker, whose threads share one prover and its tables."""
    from awale import tables
    from awale.search.single_lap import Prover
    from awale.tables.verify import check_sample

    key = job.rules, leaves, folder, entries
    with _making:
        if key not in _prover_there:
            _prover_there.clear()
            opened = tables.compute(job.rules, leaves, dir=folder, besides=ENTRY_BYTES * entries)
            check_sample(opened, SAMPLE)
            _prover_there[key] = Prover(job.rules, opened.table_set, entries=entries), opened
        prover, _ = _prover_there[key]
    return search(prover, job)


class Journal:
    """The results of jobs, a line each after a first line that names the game."""

    def __init__(self, path: Path, game: Game) -> None:
        from awale.search.campaign import Result

        def refusal(kind: str, **values: object) -> AwaleError:
            return AwaleError(text(f"solve.campaign.{kind}", path=path, **values))

        head = {"form": FORM, "rules": game.rules.name, "position": game.position, "game": fingerprint(game)}
        self.path = path
        self.results: dict[tuple[int, int], dict[Any, Any]] = {}
        self.table_seeds = 0
        """Of the largest tables that results rest on."""
        with self._writing():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = SealedJournal(path, head, refusal)
        for place, entry in enumerate(self._file.entries, 2):
            try:
                claim, key, *numbers = entry["job"]
                self.results.setdefault(tuple(claim), {})[tuple(key)] = Result(*numbers)
                self.table_seeds = max(self.table_seeds, entry.get("tables", 0))
            except (KeyError, TypeError, ValueError):
                raise refusal("broken", line=place) from None

    def write(self, claim: Claim, key: Key, result: Any, tables: int) -> None:
        job = [[claim.x, claim.margin], list(map(int, key)), *map(int, result)]
        with self._writing():
            self._file.append({"job": job, "tables": tables})
            self._file.sync()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise AwaleError(text("cli.usage.unwritable", path=self.path, error=system_problem(error))) from None


def run(game: Game, path: Path, wanted: Wanted, effort: Effort, as_json: bool) -> None:
    """Work on the claims in turn, and print what is settled."""
    from awale.search.single_lap import check_exact
    from awale.tables.board_values import check_goal

    check_exact(game.rules)
    check_goal(game)
    journal = Journal(path, game)
    if game.over:
        _report(game, [], 0, 0, 0.0, as_json)
        return
    with _executor(wanted, effort) as place:
        _run_there(game, journal, wanted, effort, place, as_json)


def _run_there(
    game: Game, journal: Journal, wanted: Wanted, effort: Effort, place: tuple[Executor, int], as_json: bool
) -> None:
    from awale.search.campaign import Campaign
    from awale.search.claims import Claim
    from awale.search.single_lap import Prover
    from awale.tables.verify import check_sample

    begun = time.monotonic()
    opened, leaves = open_tables(game, wanted)
    with if_interrupted("solve.progress.interrupted"):
        check_sample(opened, SAMPLE)
    prover = Prover(game.rules, opened.table_set, 1, wanted.entries)
    typer.echo(text("solve.campaign.tables", seeds=leaves, seconds=decimal(time.monotonic() - begun)), err=True)
    campaigns: list[Campaign] = []
    for margin in MARGINS:
        claim = Claim(game.turn, margin, 0)
        known = journal.results.get((claim.x, claim.margin), {})

        def record(key: Key, result: Any, claim: Claim = claim) -> None:
            journal.write(claim, key, result, leaves)

        campaigns.append(Campaign(game.rules, claim, game.state, opened.table_set, known, record))
    begun = time.monotonic()
    known_before = _searched(*campaigns)

    def report() -> None:
        spent = time.monotonic() - begun
        _report(game, campaigns, max(leaves, journal.table_seeds), _searched(*campaigns) - known_before, spent, as_json)

    try:
        with if_interrupted("solve.progress.interrupted"):
            for number_of, campaign in enumerate(campaigns):
                if campaigns[0].root.disproof != 0:  # whoever loses does not win
                    share = (60 * effort.minutes - (time.monotonic() - begun)) / (len(campaigns) - number_of)
                    _work(game, campaign, prover, wanted, leaves, effort, place, share)
    finally:
        report()


def _searched(*campaigns: Campaign) -> int:
    """Return the positions of all finished jobs."""
    return sum(campaign.counts()["nodes"] for campaign in campaigns)


@contextmanager
def _executor(wanted: Wanted, effort: Effort) -> Iterator[tuple[Executor, int]]:
    """Yield where jobs run and how many at a time."""
    if effort.scheduler is None:
        with ThreadPoolExecutor(wanted.threads) as executor:
            yield executor, wanted.threads
        return
    from awale.arena.cluster import connect

    with connect(effort.scheduler) as client:
        threads = sum(client.nthreads().values())
        if not threads:
            typer.echo(text("solve.campaign.no-worker", address=effort.scheduler), err=True)
        yield client.get_executor(pure=False), 2 * max(1, threads)


def _work(
    game: Game,
    campaign: Campaign,
    prover: Any,
    wanted: Wanted,
    leaves: int,
    effort: Effort,
    place: tuple[Executor, int],
    seconds: float,
) -> None:
    """Run jobs of a claim for some seconds."""
    line = ProgressLine(10.0)
    begun = time.monotonic()
    executor, slots = place
    running: dict[Future[Answer], Node] = {}
    known_before = _searched(campaign)
    folder = None if wanted.folder is None else str(wanted.folder)

    def left() -> float:
        return begun + seconds - time.monotonic()

    def hand_out() -> None:
        while len(running) < slots and left() > 0 and (node := campaign.next_job(begun + seconds)) is not None:
            job = Job(game.rules, campaign.claim, campaign.state(node.key), effort.budget, left())
            if effort.scheduler is None:
                running[executor.submit(search, prover, job)] = node
            else:
                running[executor.submit(search_there, job, leaves, folder, wanted.entries)] = node

    try:
        hand_out()
        while running and (effort.scheduler is None or left() > -GRACE):
            done, _ = wait(running, timeout=1.0, return_when=FIRST_COMPLETED)
            for future in done:
                node = running.pop(future)
                answer = _answer(future, effort)
                if left() <= 0 and answer.holds is None:
                    campaign.cancel(node)
                else:
                    campaign.finish(node, *answer)
            hand_out()
            if line.due():
                spent = max(1e-9, time.monotonic() - begun)
                line.show(_sentence(game, campaign, (_searched(campaign) - known_before) / spent))
    except BaseException:
        prover.stop()
        raise
    finally:
        for future in running:
            future.cancel()
        line.end()


def _answer(future: Future[Answer], effort: Effort) -> Answer:
    """Return the answer of a job. Raise AwaleError if the cluster has lost it."""
    try:
        return future.result()
    except AwaleError:
        raise
    except (Exception, asyncio.CancelledError) as error:
        if effort.scheduler is None:
            raise
        problem = str(error).partition("\n")[0][:200] or type(error).__name__
        raise AwaleError(text("solve.campaign.lost", address=effort.scheduler, problem=problem)) from None


def _sentence(game: Game, campaign: Campaign, rate: float) -> str:
    what = claim_sentence(game, campaign.claim)
    counts = {name: number(count) for name, count in campaign.counts().items()}
    said = text("solve.campaign.progress", claim=what, **counts, rate=decimal(rate / 1e6, ".2f"))
    moves = [f"{move} {text('solve.campaign.' + how)}" for move, how in campaign.first_moves().items()]
    return text("solve.campaign.moves", progress=said, moves=", ".join(moves)) if moves else said


def _report(game: Game, campaigns: list[Campaign], leaves: int, searched: int, seconds: float, as_json: bool) -> None:
    from awale.bounds import Bounds
    from awale.search.single_lap import ProvedValues

    value = ProvedValues.of(game).value
    for campaign in campaigns:
        if campaign.root.proof == 0:
            value = Bounds(max(value.least, campaign.claim.margin), value.most)
        elif campaign.root.disproof == 0:
            value = Bounds(value.least, min(value.most, campaign.claim.margin - 1))
    claims = [
        {
            "margin": campaign.claim.margin,
            "result": _result(campaign, value),
            "proof_number": campaign.root.proof,
            "disproof_number": campaign.root.disproof,
            "moves": campaign.first_moves(),
            **campaign.counts(),
        }
        for campaign in campaigns
    ]
    if as_json:
        facts = {
            "rules": game.rules.name,
            "position": game.position,
            "value": value.as_json(),
            "winner": winner(game, value),
            "table_seeds": leaves,
            "claims": claims,
        }
        common.print_json(facts | {"nodes": searched, "seconds": round(seconds, 1)})
        return
    for campaign in campaigns:
        said = text(f"solve.campaign.is-{_result(campaign, value)}")
        typer.echo(f"{_sentence(game, campaign, searched / max(seconds, 1e-9))} {said}")
    if value == (0, 0):
        typer.echo(text("solve.value.even"))
    elif value.least > 0 or value.most < 0:
        typer.echo(
            text("solve.value.win" if value.least > 0 else "solve.value.loss", player=game.player_name(game.turn))
        )
    else:
        typer.echo(text("solve.campaign.undecided"))


def _result(campaign: Campaign, value: Bounds) -> str:
    """Return what is known of a claim, also by the other one."""
    margin = campaign.claim.margin
    return "proved" if value.least >= margin else "refuted" if value.most < margin else "open"
