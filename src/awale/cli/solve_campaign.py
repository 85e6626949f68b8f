"""`awale solve --campaign`: a large proof in jobs of minutes, with a journal from which it is resumed at any time."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from awale import checksums
from awale.cli import common
from awale.cli.progress import ProgressLine
from awale.cli.solve_single_lap import Wanted, open_tables, print_values, signed
from awale.i18n import number, text

if TYPE_CHECKING:
    from awale.game import Game
    from awale.rules import Rules
    from awale.search.campaign import Campaign, Key, Node
    from awale.search.claims import Claim
    from awale.tables.board_values import BoardValues

NEARLY = 1 << 20
"""The larger number of a claim that was searched, but not checked."""
TURNS = 6
"""A claim that stays open is worked on for this part of the time, then the other one."""


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


class Answer(NamedTuple):
    holds: bool | None
    proof: int
    disproof: int
    nodes: int
    walked: int
    """Positions of the strategy that shows a settled claim."""


def search(prover: Any, job: Job) -> Answer:
    """Do a job with a prover, whose transposition table remembers earlier ones. A settled claim is checked move by
    move: the strategies of all jobs are the parts of the certificate. If that takes longer than the search might, the
    claim stays open, nearly settled, and its position is divided into smaller jobs."""
    found = prover.settle(job.state, job.claim.x, job.claim.margin, most=job.budget)
    proof, disproof = found.numbers()
    if found.holds is not None and not prover.check(found, job.budget):
        proof, disproof = (1, NEARLY) if found.holds else (NEARLY, 1)
        return Answer(None, proof, disproof, found.nodes, 0)
    if found.holds is None:
        return Answer(None, proof, disproof, found.nodes, 0)
    return Answer(found.holds, proof, disproof, found.nodes, found.size)


@lru_cache(maxsize=1)
def _prover_there(rules: Rules, leaves: int, folder: str | None, entries: int) -> Any:
    from awale import tables
    from awale.search.single_lap import Prover

    opened = tables.compute(rules, leaves, dir=folder)
    prover = Prover(rules, opened.table_set, entries=entries, guided=True)
    prover.opened = opened  # type: ignore[attr-defined]
    return prover


def search_there(job: Job, leaves: int, folder: str | None, entries: int) -> Answer:
    """Do a job on a Dask worker, which opens or computes the tables once."""
    return search(_prover_there(job.rules, leaves, folder, entries), job)


class Journal:
    """The results of jobs, a line each after a first line that names the game. Every line has its checksum: one that
    was changed is refused, one that was cut off is ignored, and its job done again."""

    def __init__(self, path: Path, game: Game) -> None:
        from awale.errors import AwaleError

        self.path = path
        self.results: dict[tuple[int, int], dict[Any, Any]] = {}
        self._sealed = True
        head = {"rules": game.rules.name, "version": game.rules.version, "position": game.position}
        try:
            lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
            if lines:
                first = json.loads(lines[0])
                self._sealed = checksums.is_sealed(first)  # journals of earlier versions are not
                if first != (checksums.sealed(head) if self._sealed else head):
                    raise AwaleError(text("solve.campaign.other", path=path))
            self._read(lines[1:])
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a", encoding="utf-8")
            if not lines:
                self._file.write(json.dumps(checksums.sealed(head)) + "\n")
            elif not path.read_text(encoding="utf-8").endswith("\n"):
                self._file.write("\n")  # the last line was cut off
            self._file.flush()
        except AwaleError:
            raise
        except (OSError, ValueError) as error:
            raise AwaleError(text("solve.refused.unwritable", path=path, error=error)) from None

    def _read(self, lines: list[str]) -> None:
        from awale.errors import AwaleError
        from awale.search.campaign import Result

        for place, line in enumerate(lines, 2):
            try:
                entry = json.loads(line)
            except ValueError:
                continue  # cut off by an interruption: that job is done again
            if self._sealed:
                if not isinstance(entry, dict) or not checksums.intact(entry):
                    raise AwaleError(text("solve.campaign.damaged", path=self.path, line=place))
                entry = entry["job"]
            claim, key, *numbers = entry
            self.results.setdefault(tuple(claim), {})[tuple(key)] = Result(*numbers)

    def write(self, claim: Claim, key: Key, result: Any) -> None:
        entry: Any = [[claim.x, claim.margin], list(map(int, key)), *map(int, result)]
        entry = checksums.sealed({"job": entry}) if self._sealed else entry
        self._file.write(json.dumps(entry, separators=(",", ":")) + "\n")
        self._file.flush()


def run(game: Game, path: Path, wanted: Wanted, effort: Effort, as_json: bool) -> None:
    """Work on claims from the farthest to the nearest, and print what is settled."""
    from awale.search.single_lap import Prover, check_rules
    from awale.tables.board_values import check_goal

    check_rules(game.rules)
    check_goal(game)
    journal = Journal(path, game)
    begun = time.monotonic()
    opened, leaves = open_tables(game, wanted)
    prover = Prover(game.rules, opened.table_set, 1, wanted.entries, guided=True)
    typer.echo(text("solve.campaign.tables", seeds=leaves, seconds=f"{time.monotonic() - begun:.1f}"), err=True)
    claims = Claims(game, opened.table_set, journal)
    begun = time.monotonic()
    searched = 0
    try:
        with _executor(wanted, effort) as place:
            while margins := claims.next_margins():
                left = 60 * effort.minutes - (time.monotonic() - begun)
                if left <= 0 and not any(claims.campaign(margin).root.settled for margin in margins):
                    break
                for margin in margins:
                    campaign = claims.campaign(margin)
                    share = min(left, 60 * effort.minutes / TURNS)
                    searched += _work(game, campaign, prover, wanted, leaves, effort, place, share)
                    if campaign.root.settled:
                        break
    except KeyboardInterrupt:
        typer.echo(text("solve.progress.interrupted"), err=True)
        raise
    finally:
        _report(game, claims, leaves, searched, time.monotonic() - begun, as_json)


class Claims:
    """The claims about a position, each with its campaign, and what follows from them."""

    def __init__(self, game: Game, tables: Any, journal: Journal) -> None:
        self.game, self.tables, self.journal = game, tables, journal
        self.campaigns: dict[int, Campaign] = {}
        self.ahead = game.scores[game.turn] - game.scores[1 - game.turn]

    def campaign(self, margin: int) -> Campaign:
        """Return the campaign of a claim, resumed from the journal."""
        from awale.search.campaign import Campaign
        from awale.search.claims import Claim

        if margin not in self.campaigns:
            claim = Claim(self.game.turn, margin, 0)
            known = self.journal.results.get((claim.x, claim.margin), {})

            def record(key: Key, result: Any) -> None:
                self.journal.write(claim, key, result)

            found = Campaign(self.game.rules, claim, self.game.state, self.tables, known, record)
            found.resume()
            self.campaigns[margin] = found
        return self.campaigns[margin]

    def next_margins(self) -> tuple[int, ...]:
        from awale.search.campaign import next_margins

        least, most = self.values().value
        return next_margins(least, most, self.ahead, sum(self.game.counts))

    def values(self) -> BoardValues:
        """Return the bounds of the position and of every first move that follow from the settled claims."""
        from awale.tables.board_values import BoardValues, Bounds

        def bounds(said: dict[int, str]) -> Bounds:
            seeds = sum(self.game.counts)
            proved = [margin for margin, result in said.items() if result == "proved"]
            refuted = [margin - 1 for margin, result in said.items() if result == "refuted"]
            return Bounds(max([self.ahead - seeds, *proved]), min([self.ahead + seeds, *refuted]))

        value = bounds({margin: campaign.result for margin, campaign in self.campaigns.items()})
        moves: dict[str, Bounds] = {}
        for move in map(str, self.game.legal_moves):
            said = {margin: found.first_moves().get(move, "open") for margin, found in self.campaigns.items()}
            moves[move] = Bounds(bounds(said).least, min(bounds(said).most, value.most))
        return BoardValues(value, moves)


@contextmanager
def _executor(wanted: Wanted, effort: Effort) -> Iterator[tuple[Executor, int]]:
    """Yield where jobs run and how many at a time."""
    from awale.errors import AwaleError

    if effort.scheduler is None:
        with ThreadPoolExecutor(wanted.threads) as executor:
            yield executor, wanted.threads
        return
    try:
        import distributed

        client: Any = distributed.Client(effort.scheduler, timeout=20)  # type: ignore[no-untyped-call]
    except (ImportError, OSError, ValueError, TimeoutError) as error:
        problem = str(error).partition("\n")[0][:200]
        raise AwaleError(text("arena.bad.scheduler", address=effort.scheduler, problem=problem)) from None
    with client:
        yield client.get_executor(pure=False), 2 * max(1, sum(client.nthreads().values()))


def _work(
    game: Game,
    campaign: Campaign,
    prover: Any,
    wanted: Wanted,
    leaves: int,
    effort: Effort,
    place: tuple[Executor, int],
    seconds: float,
) -> int:
    """Run jobs of a claim until it is settled, or for some seconds; return the positions searched."""
    line = ProgressLine(10.0)
    begun = time.monotonic()
    executor, slots = place
    running: dict[Future[Answer], Node] = {}
    searched = 0
    folder = None if wanted.folder is None else str(wanted.folder)

    def hand_out() -> None:
        while len(running) < slots and time.monotonic() - begun < seconds and (node := campaign.next_job()) is not None:
            job = Job(game.rules, campaign.claim, campaign.state(node.key), effort.budget)
            if effort.scheduler is None:
                running[executor.submit(search, prover, job)] = node
            else:
                running[executor.submit(search_there, job, leaves, folder, wanted.entries)] = node

    try:
        hand_out()
        while running:
            late = campaign.root.settled or time.monotonic() - begun >= seconds
            if late:
                prover.stop()
            done, _ = wait(running, timeout=1.0, return_when=FIRST_COMPLETED)
            for future in done:
                node = running.pop(future)
                answer = future.result()
                searched += answer.nodes
                if late and answer.holds is None:
                    campaign.cancel(node)
                else:
                    campaign.finish(node, *answer)
            hand_out()
            if line.due():
                spent = max(1e-9, time.monotonic() - begun)
                line.show(_sentence(game, campaign, searched / spent))
    finally:
        for future in running:
            future.cancel()
        prover.stop()
        line.end()
    return searched


def _sentence(game: Game, campaign: Campaign, rate: float) -> str:
    claim = campaign.claim
    what = text("solve.progress.claim-margin", player=game.player_name(claim.x), margin=signed(claim.margin))
    counts = {name: number(count) for name, count in campaign.counts().items()}
    moves = " ".join(f"{move}:{text('solve.campaign.' + said)}" for move, said in campaign.first_moves().items())
    return text("solve.campaign.progress", claim=what, **counts, rate=f"{rate / 1e6:.2f}", moves=moves)


def _report(game: Game, claims: Claims, leaves: int, searched: int, seconds: float, as_json: bool) -> None:
    found = claims.values()
    campaigns = [claims.campaigns[margin] for margin in sorted(claims.campaigns)]
    if as_json:
        facts = {"rules": game.rules.name, "position": game.position, "table_seeds": leaves}
        values = {"value": found.value.as_json(), "moves": {move: one.as_json() for move, one in found.moves.items()}}
        listed = [
            {
                "margin": campaign.claim.margin,
                "result": campaign.result,
                "proof_number": campaign.root.proof,
                "disproof_number": campaign.root.disproof,
                "moves": campaign.first_moves(),
                **campaign.counts(),
            }
            for campaign in campaigns
        ]
        common.print_json(facts | values | {"claims": listed, "nodes": searched, "seconds": round(seconds, 1)})
        return
    for campaign in campaigns:
        said = text(f"solve.campaign.is-{campaign.result}")
        typer.echo(_sentence(game, campaign, searched / max(seconds, 1e-9)) + " " + said)
    print_values(game, found)
