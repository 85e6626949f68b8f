"""`awale solve` for single-lap games: the value of a position and of every move, and the boards that are shipped."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from awale import checksums
from awale.bounds import signed
from awale.cli import common
from awale.cli.progress import ProgressLine, if_interrupted
from awale.errors import AwaleError
from awale.i18n import decimal, labelled, number, text
from awale.json_lines import JsonLines

if TYPE_CHECKING:
    from awale.bounds import Bounds
    from awale.game import Game
    from awale.search.claims import Claim
    from awale.search.single_lap import Settled
    from awale.search.solve import Progress
    from awale.tables import Tables
    from awale.tables.board_values import BoardValues
    from awale.tables.build import Status


METHODS = ("table", "proof")
LEAF_POSITIONS = 250_000_000
"""The largest table for the leaves of a proof, unless requested: minutes on two cores, a quarter of a gigabyte."""
SAMPLE = 2000
"""Table entries that are compared with those of their moves before a proof: it rests on them, and no strategy that is
walked would show that they are wrong."""
ENTRY_BYTES = 22
"""Of the transposition table."""
LEAF_GAP = 4
"""Seeds between the position and the tables of its proof, unless requested."""


class _TooLargeError(AwaleError):
    """Raised for a table that does not fit this machine."""


class Wanted(NamedTuple):
    """How to solve a position."""

    method: str
    threads: int
    entries: int
    """Of the transposition table."""
    device: str
    folder: Path | None
    leaves: int | None
    """The seeds of the tables at the leaves of a proof."""
    moves: bool = True
    """Whether to prove the value of every move too."""
    fresh: bool = False
    """Whether to forget what an interrupted run proved."""


def solve_and_print(game: Game, wanted: Wanted, json: bool) -> None:
    if wanted.method == "table":
        found, facts = _by_table(game, wanted)
        interrupted = False
    else:
        found, facts, interrupted = _by_proof(game, wanted)
    if json:
        common.print_json(_described(game, found, facts))
    else:
        _print(game, found, facts.get("complete", True))
    if interrupted:
        raise KeyboardInterrupt


def _tables(game: Game, seeds: int, wanted: Wanted, on_card: bool) -> Tables:
    """Return the tables up to so many seeds, computed in memory where there are no files; with `on_card`, all that is
    needed. Otherwise they are the leaves of a proof, which needs a transposition table too."""
    from awale import tables
    from awale.cli.tables import build_command

    where = {"dir": wanted.folder, "threads": wanted.threads, "device": wanted.device, "on_card": on_card}
    besides = 0 if on_card else ENTRY_BYTES * wanted.entries
    command = build_command(game.rules.name, seeds, wanted.folder, wanted.device)
    with if_interrupted("solve.progress.table-interrupted", command=command), ProgressLine(10.0) as line:

        def warn(sentence: str) -> None:
            line.end()
            typer.echo(sentence, err=True)

        def show(status: Status) -> None:
            step = text(f"tables.step.{status.step}", seeds=status.layer)
            line.tell("solve.progress.table", step=step, percent=f"{100 * status.done:.0f}")

        try:
            return tables.compute(game.rules, seeds, **where, besides=besides, progress=show, warn=warn)  # type: ignore[arg-type]
        except tables.InsufficientResourcesError as error:
            if on_card:
                raise _too_large(game, seeds, error) from None
            memory = number(besides // 1_000_000)
            raise AwaleError(text("solve.refused.room-leaves", seeds=seeds, memory=memory, problem=error)) from None


def _too_large(game: Game, seeds: int, problem: object) -> _TooLargeError:
    from awale.search.single_lap import refusal

    key = "room-proof" if refusal(game.rules) is None else "room"
    return _TooLargeError(text(f"solve.refused.{key}", seeds=seeds, problem=problem))


def _by_table(game: Game, wanted: Wanted) -> tuple[BoardValues, dict[str, Any]]:
    """Return what a table says; what is shipped about a board whose table does not fit this machine."""
    from awale.game import Game
    from awale.tables.board_values import board_values, check_goal, shipped
    from awale.tables.support import MAX_SEEDS, check

    check(game.rules)
    check_goal(game)
    begun = time.perf_counter()
    seeds = sum(game.counts)
    try:
        if seeds > MAX_SEEDS:
            raise _too_large(game, seeds, text("tables.refused.seeds", seeds=seeds, most=MAX_SEEDS))
        opened = _tables(game, seeds, wanted, True)
    except _TooLargeError:
        known = shipped(game.rules) if game.state == Game(game.rules).state else None
        if known is None:
            raise
        typer.echo(text("solve.said.shipped"), err=True)
        return known, {"method": "results"}
    found = board_values(opened, game, alone=True)
    facts = {"method": "table", "table_seeds": opened.seeds, "device": wanted.device}
    seconds = time.perf_counter() - begun
    typer.echo(text("solve.said.table", seeds=opened.seeds, seconds=decimal(seconds)), err=True)
    return found, facts | {"seconds": round(seconds, 3)}


def _by_proof(game: Game, wanted: Wanted) -> tuple[BoardValues, dict[str, Any], bool]:
    """Return what was proved, and whether an interruption left more to prove."""
    from awale.search.single_lap import ProvedValues, Prover, check_rules, prove_values
    from awale.tables.board_values import BoardValues, check_goal
    from awale.tables.verify import check_sample

    check_rules(game.rules)
    check_goal(game)
    begun = time.perf_counter()
    journal = _SettledClaims(game, _leaves(game, wanted.leaves), wanted.fresh)
    proved = ProvedValues.of(game, journal.claims)
    if proved.settled:
        typer.echo(text("solve.progress.settled", claims=number(len(proved.settled))), err=True)
    nodes = sum(claim.nodes for claim in proved.settled)
    begun -= sum(claim.seconds for claim in proved.settled)
    interrupted, opened = False, None
    with ProgressLine(10.0) as line:

        def show(progress: Progress) -> None:
            if line.due():
                claim = claim_sentence(game, progress.claim)
                if proved.asked:
                    claim = text("solve.progress.after", move=proved.asked, claim=claim)
                line.show(search_sentence(claim, progress))

        try:
            opened, _ = open_tables(game, wanted)
            check_sample(opened, SAMPLE)
            prover = Prover(game.rules, opened.table_set, wanted.threads, wanted.entries, show)
            try:
                prove_values(game, prover, moves=wanted.moves, found=proved, record=journal.write)
            finally:
                nodes += prover.nodes
        except KeyboardInterrupt:
            if not proved.settled:
                if opened is not None:
                    line.end()
                    typer.echo(text("solve.progress.nothing"), err=True)
                raise
            interrupted = True
    walked = sum(claim.walked for claim in proved.settled)
    ended, certain, table, cycle = (sum(claim.closed[kind] for claim in proved.settled) for kind in range(4))
    seconds = time.perf_counter() - begun
    seeds = journal.table_seeds
    facts = {
        "method": "proof",
        "complete": not interrupted,
        "table_seeds": seeds,
        "table_sample": SAMPLE if seeds else 0,
        "nodes": nodes,
        "claims": len(proved.settled),
        "strategy": walked,
        "closed": {"ended": ended, "certain": certain, "table": table, "cycle": cycle},
        "settled": [claim._asdict() for claim in proved.settled],
        "threads": wanted.threads,
        "seconds": round(seconds, 3),
    }
    typer.echo(
        text(
            "solve.said.proof",
            nodes=number(nodes),
            seconds=decimal(seconds),
            seeds=seeds,
            strategy=number(walked),
            leaves=number(table),
            ends=number(ended + certain),
            cycles=number(cycle),
        ),
        err=True,
    )
    if proved.complete:
        journal.forget()
    elif interrupted and journal.kept:
        typer.echo(text("solve.progress.interrupted"), err=True)
    return BoardValues(proved.value, proved.moves), facts, interrupted


def claim_sentence(game: Game, claim: Claim) -> str:
    """Return what a search is to prove."""
    return text("solve.progress.claim-margin", player=game.player_name(claim.x), margin=signed(claim.margin))


def search_sentence(claim: str, progress: Progress) -> str:
    """Return how far a search is."""
    return text(
        "solve.progress.search",
        claim=claim,
        nodes=number(progress.nodes),
        rate=decimal(progress.nodes / max(progress.seconds, 1e-9) / 1e6, ".2f"),
        proof=number(progress.to_prove),
        refutation=number(progress.to_refute),
    )


def open_tables(game: Game, wanted: Wanted) -> tuple[Tables, int]:
    """Return the tables at the leaves of a proof, and their seeds."""
    leaves = _leaves(game, wanted.leaves)
    return _tables(game, leaves, wanted, False), leaves


def _leaves(game: Game, wanted: int | None) -> int:
    """Return the seeds of the tables at the leaves of a proof."""
    from awale.tables.index import total_size

    if wanted is not None:
        return min(wanted, sum(game.counts))
    seeds = max(0, sum(game.counts) - LEAF_GAP)
    while total_size(game.rules.pits, seeds) > LEAF_POSITIONS:
        seeds -= 1
    return seeds


def saved_folder(game: Game) -> Path:
    """Return where unfinished searches of a position are kept."""
    from awale.paths import cache_dir

    return cache_dir() / "solve" / fingerprint(game)


def fingerprint(game: Game) -> str:
    """Return what stands for a position and the rules it is played by, whatever their name."""
    import hashlib

    what = repr((sorted(game.rules.options().items()), game.rules.version, game.position))
    return hashlib.sha256(what.encode()).hexdigest()[:16]


class _SettledClaims:
    """The claims that an unfinished proof has settled, kept so that another run need not settle them again."""

    def __init__(self, game: Game, leaves: int, fresh: bool) -> None:
        from awale.search.single_lap import Settled

        head = {"game": fingerprint(game)}
        self.path = saved_folder(game) / "claims.jsonl"
        self.claims: list[Settled] = []
        self.table_seeds = self._leaves = leaves
        """The largest tables that any of the claims may rest on."""
        self._file: JsonLines | None = None
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            try:
                self._file = JsonLines(self.path, head, fresh=fresh)
            except AwaleError:  # of another position, or damaged
                self._file = JsonLines(self.path, head, fresh=True)
        except OSError:
            return  # continue although the run cannot be resumed
        for entry in self._file.entries:
            if checksums.intact(entry) and set(entry) == {*Settled._fields, "table_seeds", checksums.FIELD}:
                del entry[checksums.FIELD]
                seeds = entry.pop("table_seeds")
                claim = Settled(**entry | {"closed": tuple(entry["closed"])})
                if seeds == leaves or not claim.depends_on_tables:
                    self.table_seeds = max(self.table_seeds, seeds)
                    self.claims.append(claim)

    def write(self, claim: Settled) -> None:
        try:
            if self._file is not None:
                self._file.append(checksums.sealed(claim._asdict() | {"table_seeds": self._leaves}))
        except OSError:
            self._file = None

    @property
    def kept(self) -> bool:
        """Whether another run can begin with these claims."""
        return self._file is not None

    def forget(self) -> None:
        """Remove what is not needed any more."""
        with contextlib.suppress(OSError):
            self.path.unlink(missing_ok=True)
            self.path.parent.rmdir()


def best_moves(found: BoardValues) -> list[str]:
    """Return the moves that secure the most; the best ones where the value is exact."""
    return [move for move, value in found.moves.items() if value.least == found.value.least]


def winner(game: Game, value: Bounds) -> str | int | None:
    """Return the player who ends ahead, None for a draw; "unknown" where the bounds do not tell."""
    if value.least > 0:
        return game.turn
    if value.most < 0:
        return 1 - game.turn
    return None if value.exact else "unknown"


def _described(game: Game, found: BoardValues, facts: dict[str, Any]) -> dict[str, Any]:
    return {
        "rules": game.rules.name,
        "position": game.position,
        "value": found.value.as_json(),
        "exact": found.value.exact,
        "winner": winner(game, found.value),
        "best": best_moves(found),
        "moves": {move: value.as_json() for move, value in found.moves.items()},
        **facts,
    }


def _print(game: Game, found: BoardValues, complete: bool) -> None:
    value, player = found.value, game.player_name(game.turn)
    if not value.exact:
        key = "bounds" if complete else "so-far"
        typer.echo(text(f"solve.value.{key}", player=player, least=signed(value.least), most=signed(value.most)))
    elif value.least == 0:
        typer.echo(text("solve.value.even"))
    else:
        key = "ahead" if value.least > 0 else "behind"
        typer.echo(text(f"solve.value.{key}", player=player, seeds=abs(value.least)))
    if not found.moves:
        typer.echo(text("solve.said.over"))
        return
    total = sum(game.counts) + sum(game.scores)
    each = ", ".join(f"{move} {bounds.within(total)}" for move, bounds in found.moves.items())
    typer.echo(text("solve.said.each", moves=each))


# -- the shipped results ----------------------------------------------------------------------------------------------


def print_results(json: bool) -> None:
    """Print the values of all solved boards, as Markdown or as JSON."""
    from awale.tables.board_values import all_shipped

    entries = all_shipped()
    if json:
        common.print_json(list(entries))
        return
    typer.echo(markdown(entries))


def markdown(entries: tuple[dict[str, Any], ...]) -> str:
    from awale.bounds import bounds_of
    from awale.tables.board_values import BOARD_RULES

    cells: dict[tuple[int, int], dict[str, str]] = {}
    for entry in sorted(entries, key=lambda entry: (entry["pits"], entry["seeds"])):
        total = 2 * entry["pits"] * entry["seeds"]
        each = {move: bounds_of(value).within(total) for move, value in entry["moves"].items()}
        moves = " ".join(f"{move}\N{NO-BREAK SPACE}{value}" for move, value in each.items())
        value = f"**{bounds_of(entry['value']).within(total)}**"
        row = cells.setdefault((entry["pits"], entry["seeds"]), {})
        row[entry["rules"]] = labelled(value, moves) if moves else value
    return boards_table(BOARD_RULES, cells)


def boards_table(systems: Sequence[str], boards: dict[tuple[int, int], dict[str, str]]) -> str:
    """Return a Markdown table: a line for each number of pits and seeds, a column for each rule system."""
    rows = [(f"2x{pits}", seeds, *(row.get(name, "") for name in systems)) for (pits, seeds), row in boards.items()]
    return common.markdown_table([text("solve.table.board"), text("solve.table.seeds"), *systems], rows)
