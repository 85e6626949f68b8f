"""`awale solve`: who wins a game and by how much, by proof or by table."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from awale.cli import common
from awale.cli import solve_single_lap as single_lap
from awale.cli.progress import ProgressLine
from awale.errors import AwaleError
from awale.i18n import decimal, number, text

if TYPE_CHECKING:
    from awale.game import Game
    from awale.search.solve import Progress, Proof, Solution, Solver

LEAST_MEMORY = 1
SAVE_EVERY = 60.0
MOST_THREADS = 256
ANY = "given rules by_name threads"
"""The options that always apply to a position."""
LAP = "method device folder"
"""And to one of a single-lap game."""


def register(app: typer.Typer) -> None:
    option = common.options("solve.option")
    book_file, journal = (option(None, name, metavar="FILE") for name in ("--book", "--campaign"))

    @app.command("solve", help=text("cli.command.solve"))
    def solve(
        context: typer.Context,
        given: str = common.position_argument("solve.option.position"),
        rules: str = common.rules_option("ghana"),
        by_name: str | None = common.position_option(),
        threads: int | None = option(None, "--threads", "-t", metavar="N"),
        score: bool = option(False, "--score"),
        shortest: bool = option(False, "--shortest"),
        each: bool = option(False, "--each"),
        memory: int = option(200, "--memory", metavar="MB"),
        fresh: bool = option(False, "--fresh"),
        table: bool = option(False, "--table"),
        book: Path | None = book_file,
        device: str = option("cpu", "--device", metavar="cpu|cuda"),
        method: str = option("table", "--method", metavar="table|proof"),
        leaves: int | None = option(None, "--leaves", metavar="N", min=0),
        value_only: bool = option(False, "--value-only"),
        campaign: Path | None = journal,
        minutes: float = option(10, "--minutes", metavar="N", min=0),
        budget: int = option(20_000_000, "--budget", metavar="N", min=1),
        scheduler: str | None = option(None, "--scheduler", metavar="ADDRESS"),
        folder: Path | None = typer.Option(None, "--dir", metavar="FOLDER", help=text("tables.option.dir")),
        results: bool = option(False, "--results"),
        json: bool = common.json_option(),
    ) -> None:
        if results:
            _only(context, "--results", "")
            single_lap.print_results(json)
            return
        count = _threads(threads)
        entries = _entries(memory)
        if table:
            _only(context, "--table", "threads memory")
            _table(count, entries, json)
            return
        game = common.game(rules, given, by_name)
        if method not in single_lap.METHODS:
            raise AwaleError(text("solve.refused.method", method=method))
        if game.rules.family == "lap":
            if campaign is not None:
                _only(context, "--campaign", f"{ANY} device folder memory leaves campaign minutes budget scheduler")
            elif method == "proof":
                _only(context, "--method proof", f"{ANY} {LAP} memory leaves value_only fresh score each")
            else:
                _only(context, "--method table", f"{ANY} {LAP} score each")
            wanted = single_lap.Wanted(method, count, entries, device, folder, leaves, not value_only, fresh)
            if campaign is not None:
                from awale.cli import solve_campaign

                solve_campaign.run(game, campaign, wanted, solve_campaign.Effort(budget, minutes, scheduler), json)
                return
            single_lap.solve_and_print(game, wanted, json)
            return
        if game.rules.family != "relay":
            raise AwaleError(text("solve.refused.neither", rules=game.rules.name))
        if book is not None:
            _only(context, "--book", "rules threads book")
            _book(game, count, book)
            return
        _only(context, text("solve.refused.relay"), f"{ANY} memory fresh score shortest each")
        solution = _solve(game, count, entries, fresh, score=score, shortest=shortest, each=each)
        if json:
            common.print_json(solution.as_dict())
        else:
            _print(game, solution)


def _only(context: typer.Context, mode: str, applicable: str) -> None:
    """Raise AwaleError for an option that has no effect with this one."""
    for parameter in context.command.params:
        name = str(parameter.name)
        source = context.get_parameter_source(name)
        given = source is not None and source.name == "COMMANDLINE"
        if given and name not in applicable.split() and f"--{name}" != mode and name != "json":
            option = parameter.opts[0] if parameter.opts[0].startswith("-") else "POSITION"
            raise AwaleError(text("solve.refused.option", option=option, mode=mode))


def _entries(memory: int) -> int:
    """Return the entries of a transposition table of so many megabytes."""
    from awale.tables.resources import memory_available

    if memory < LEAST_MEMORY:
        raise AwaleError(text("solve.refused.memory", least=LEAST_MEMORY, memory=memory))
    there = memory_available()
    if there is not None and memory * 1_000_000 > there:
        raise AwaleError(text("solve.refused.memory-there", memory=number(memory), there=number(there // 1_000_000)))
    return memory * 1_000_000 // single_lap.ENTRY_BYTES


def _threads(wanted: int | None) -> int:
    if wanted is None:
        return min(MOST_THREADS, os.cpu_count() or 1)
    if not 1 <= wanted <= MOST_THREADS:
        raise AwaleError(text("solve.refused.threads", most=MOST_THREADS, threads=wanted))
    return wanted


def _solve(game: Game, threads: int, entries: int, fresh: bool | None, **wanted: Any) -> Solution:
    """Solve a game, with its progress on standard error. Unfinished searches are saved unless `fresh` is None."""
    from awale.search.solve import Solver, solve

    solver = Solver(game, threads, entries)
    saved = None if fresh is None else _SavedSearches(solver, fresh)
    with ProgressLine(10.0) as line:

        def report(progress: Progress) -> None:
            if saved is not None and time.monotonic() - saved.saved_at > SAVE_EVERY:
                saved.save()
            if line.due():
                line.show(_sentence(game, progress))

        solver.report = report
        try:
            return solve(game, threads=threads, solver=solver, **wanted)
        except KeyboardInterrupt:
            if saved is not None:
                line.end()
                if saved.save():
                    typer.echo(text("solve.progress.interrupted"), err=True)
            raise


class _SavedSearches:
    """Saves unfinished searches in the user's cache directory."""

    def __init__(self, solver: Solver, fresh: bool) -> None:
        self.solver, self.fresh = solver, fresh
        self.folder = single_lap.saved_folder(solver.game)
        self.saved_at = time.monotonic()
        solver.prepare, solver.finished = self.load, self.forget

    def path(self, proof: Proof) -> Path:
        return self.folder / f"{proof.claim.x}-{proof.claim.margin}-{proof.claim.moves}.npy"

    def load(self, proof: Proof) -> None:
        import numpy as np

        path = self.path(proof)
        if self.fresh or not path.exists():
            return
        try:
            rows = np.load(path, allow_pickle=False)
        except (OSError, ValueError, EOFError):
            return
        if rows.ndim == 2 and rows.shape[1] == 3 and rows.dtype == np.int64:
            typer.echo(text("solve.progress.resumed", entries=number(len(rows))), err=True)
            proof.restore(rows)

    def save(self) -> bool:
        """Save the searches; return whether that was possible."""
        import numpy as np

        from awale.paths import replacing

        self.saved_at = time.monotonic()
        for proof in self.solver.proofs.values():
            if proof.strategy is None and proof.nodes:
                path = self.path(proof)
                try:
                    path.parent.mkdir(parents=True, exist_ok=True)
                    with replacing(path) as growing, growing.open("wb") as file:
                        np.save(file, proof.snapshot())
                except OSError:
                    return False  # continue although the run cannot be resumed
        return True

    def forget(self, proof: Proof) -> None:
        self.path(proof).unlink(missing_ok=True)
        if self.folder.exists() and not any(self.folder.iterdir()):
            self.folder.rmdir()


def _sentence(game: Game, progress: Progress) -> str:
    claim = progress.claim
    key = "solve.progress.claim-within" if claim.moves else "solve.progress.claim"
    what = text(key, player=game.player_name(claim.x), margin=claim.margin, moves=claim.moves)
    if progress.step == "check":
        return text("solve.progress.check", claim=what)
    return single_lap.search_sentence(what, progress)


def _print(game: Game, solution: Solution) -> None:
    say = typer.echo
    player = game.player_name(game.turn)
    say(text(f"solve.value.{solution.value}", player=player))
    if solution.best is None:
        say(text("solve.said.over"))
        return
    say(text("solve.said.best", move=solution.best))
    if solution.moves is not None:
        say(text("solve.said.fewest" if solution.exact else "solve.said.within", moves=solution.moves))
    if solution.margin:
        say(text("solve.said.margin", seeds=solution.margin))
    if solution.each:
        words = [text(f"solve.said.each-{value}", move=move) for move, value in solution.each.items()]
        say(text("solve.said.each", moves=", ".join(words)))
    say(text("solve.said.line", moves=" ".join(map(str, solution.line))))
    facts = {
        "nodes": number(solution.nodes),
        "seconds": decimal(solution.seconds),
        "threads": solution.threads,
        "strategy": number(solution.strategy),
    }
    typer.echo(text("solve.said.shown", **facts), err=True)


# -- the table of all boards ---------------------------------------------------------------------------------------

TABLE_RULES = ("ghana", "ghana-basic")
TABLE_PITS = range(1, 7)
TABLE_SEEDS = range(1, 5)
TABLE_DETAILS = 5
"""Up to this many pits a side the table also gives the margin and every move that keeps it, which takes far longer than
finding the winner and one move."""


def _table(threads: int, entries: int, json: bool) -> None:
    """Print every board with every number of seeds, under both rules."""
    from awale.game import Game

    found: list[dict[str, Any]] = []
    cells: dict[tuple[str, int, int], str] = {}
    for pits in TABLE_PITS:
        for seeds in TABLE_SEEDS:
            for rules in TABLE_RULES:
                begun = time.perf_counter()
                detailed = pits <= TABLE_DETAILS
                game = Game(f"{rules}:pits={pits},seeds={seeds}")
                solution = _solve(game, threads, entries, None, score=detailed, each=detailed)
                seconds = decimal(time.perf_counter() - begun)
                facts = {"rules": rules, "board": f"2x{pits}", "seeds": seeds, "seconds": seconds}
                typer.echo(text("solve.progress.board", **facts), err=True)
                found.append(solution.as_dict())
                cells[rules, pits, seeds] = cell(solution)
    if json:
        common.print_json(found)
    else:
        typer.echo(markdown(cells))


def cell(solution: Solution) -> str:
    """Return a board's result in short form: who wins, by how much, and the moves (one if no more was requested)."""
    each = solution.each or {str(solution.best): solution.value}
    kept = ", ".join(move for move, value in each.items() if value == solution.value)
    if solution.value == "draw":
        return text("solve.table.draw", moves=kept)
    key = "first" if solution.value == "win" else "second"
    if solution.margin is None:
        return text(f"solve.table.{key}-wins", moves=kept)
    return text(f"solve.table.{key}", margin=solution.margin, moves=kept)


def markdown(cells: dict[tuple[str, int, int], str]) -> str:
    rules = list(dict.fromkeys(name for name, _, _ in cells))
    boards = dict.fromkeys((pits, seeds) for _, pits, seeds in cells)
    return single_lap.boards_table(
        rules, {(pits, seeds): {name: cells[name, pits, seeds] for name in rules} for pits, seeds in boards}
    )


# -- the book of the player `perfect` ---------------------------------------------------------------------------------


def _book(game: Game, threads: int, path: Path) -> None:
    """Write the positions of the opening that take long to prove, with the winning move."""
    import json

    from awale.search.perfect import build_book

    found = build_book(game.rules, threads=threads)
    content = {"rules": game.rules.name, "version": game.rules.version, "moves": found}
    common.write_file(path, json.dumps(content, indent=0) + "\n")
    typer.echo(text("solve.said.book", path=path, entries=number(len(found))), err=True)
