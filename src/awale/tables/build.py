"""Building tables: determine the missing layers, check resources, solve, write, resume after an interruption."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from awale import i18n
from awale.rules import get
from awale.rules.description import Rules
from awale.tables import layer_file, support
from awale.tables.errors import DamagedTableError, TablesError
from awale.tables.folders import building, folder_for, tables_root
from awale.tables.index import layer_size, total_size
from awale.tables.resources import card_memory_needed, check_resources, disk_needed, host_memory_needed, memory_needed
from awale.tables.table import Layer, Tables, examine, open_tables, remember_written

if TYPE_CHECKING:
    from awale.tables.layers import Layers

MAX_THREADS = 256
DEVICES = ("cpu", "cuda")


@dataclass(frozen=True, slots=True)
class Plan:
    """What a build would do."""

    rules: Rules
    seeds: int
    folder: Path
    device: str
    missing: tuple[int, ...]
    """The layers to build."""
    refused: tuple[str, ...]
    """A sentence for each unusable file, which will be built again."""
    memory: int
    card: int
    """Memory on the GPU; 0 without one."""
    disk: int
    positions: int
    """Positions of the missing layers."""


@dataclass(slots=True)
class Status:
    """The progress of a build, passed to the caller's `progress`."""

    layer: int
    """The seeds of the current layer."""
    step: str
    """`read`, `solve` or `write`."""
    sweeps: int = 0
    changed: int = 0
    done: float = 0.0
    """The completed part of all work, from 0 to 1."""
    rate: float = 0.0
    """Positions visited per second, in this layer."""
    seconds_left: float | None = None


@dataclass(slots=True)
class Made:
    """The result of a build: seconds, sweeps and positions visited for each layer."""

    plan: Plan
    layers: dict[int, tuple[float, int, int]] = field(default_factory=dict)
    seconds: float = 0.0


Notify = Callable[[Status], None]


def plan(rules: str | Rules, seeds: int, *, dir: str | os.PathLike[str] | None = None, device: str = "cpu") -> Plan:
    """Return what exists and what is missing: layers are examined as they are when tables are opened."""
    rules = get(rules)
    support.check(rules)
    if not isinstance(seeds, int) or not 0 <= seeds <= support.MAX_SEEDS:
        raise TablesError(i18n.message("tables.refused.seeds", seeds=seeds, most=support.MAX_SEEDS))
    if device not in DEVICES:
        raise TablesError(i18n.message("tables.refused.device", device=device))
    if device == "cuda" and (rules.sowing != "lap" or rules.move_limit is not None):
        raise TablesError(i18n.message("tables.refused.cuda-rules", rules=rules.name))
    folder = folder_for(rules, tables_root(dir))
    missing: list[int] = []
    refused: list[str] = []
    for layer, found in enumerate(examine(rules, folder, seeds)):
        if not isinstance(found, Layer):
            missing.append(layer)
        if isinstance(found, DamagedTableError):
            refused.append(str(found))
    most = max(missing, default=0)
    on_card = bool(missing) and device == "cuda"
    return Plan(
        rules=rules,
        seeds=seeds,
        folder=folder,
        device=device,
        missing=tuple(missing),
        refused=tuple(refused),
        memory=0 if not missing else host_memory_needed(rules, most) if on_card else memory_needed(rules, most),
        card=card_memory_needed(rules, most) if on_card else 0,
        disk=disk_needed(rules, missing),
        positions=sum(layer_size(rules.pits, layer) for layer in missing),
    )


def build(
    rules: str | Rules,
    seeds: int,
    *,
    dir: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    device: str = "cpu",
    progress: Notify | None = None,
    warn: Callable[[str], None] | None = None,
) -> Made:
    """Build every missing layer up to `seeds` seeds. May be interrupted: finished layers stay, and the next call
    resumes. `warn` receives a sentence about each unusable file, which is built again."""
    made = Made(plan(rules, seeds, dir=dir, device=device))
    if threads is not None and not 1 <= threads <= MAX_THREADS:
        raise TablesError(i18n.message("tables.refused.threads", threads=threads, most=MAX_THREADS))
    for sentence in made.plan.refused:
        if warn is not None:
            warn(sentence)
    if not made.plan.missing:
        return made
    begun = time.perf_counter()
    with building(made.plan.folder):
        layer_file.remove_leftovers(made.plan.folder)
        check_resources(made.plan.folder, made.plan.memory, made.plan.disk)
        most = max(made.plan.missing)
        _Builder(made, _solver(made.plan, most, threads), progress or (lambda status: None), warn).run(most)
    made.seconds = time.perf_counter() - begun
    return made


def compute(
    rules: str | Rules,
    seeds: int,
    *,
    dir: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    device: str = "cpu",
    on_card: bool = False,
    besides: int = 0,
    progress: Notify | None = None,
    warn: Callable[[str], None] | None = None,
) -> Tables:
    """Return the tables up to `seeds` seeds: those in the files, or, where layers are missing or damaged, all of them
    in memory, the missing ones computed; nothing is written. `on_card` leaves layers computed on a GPU there: single
    entries can then be probed from Python, and compiled code cannot use them. `besides` are the bytes that the caller
    will need beside the tables. `warn` receives a sentence about each unusable file."""
    wanted = plan(rules, seeds, dir=dir, device=device)
    for sentence in wanted.refused:
        if warn is not None:
            warn(sentence)
    if not wanted.missing:
        return open_tables(wanted.rules, dir, most_seeds=seeds)
    leaving = on_card and wanted.device == "cuda"
    # Layers above the missing ones are held too.
    memory = (host_memory_needed if wanted.device == "cuda" else memory_needed)(wanted.rules, seeds)
    if wanted.device == "cuda" and not leaving:
        # Layers are copied to where they stay, and none is being written.
        memory += total_size(wanted.rules.pits, seeds) - 2 * layer_size(wanted.rules.pits, seeds)
    kept = 0 if leaving else total_size(wanted.rules.pits, seeds)
    check_resources(wanted.folder, max(memory, kept + besides), 0)
    solver = _solver(wanted, seeds, threads)
    held: list[Layer] = []

    def hold(layer: int) -> None:
        if leaving:
            held.append(Layer(_LayerOnCard(solver, layer, layer_size(wanted.rules.pits, layer)), None))
        else:
            parts = solver.fetch(layer)
            held.append(Layer(parts["codes"], parts.get("plies")))

    _Builder(Made(wanted), solver, progress or (lambda status: None), warn, hold).run(seeds)
    return Tables(wanted.rules, None, held)


class _LayerOnCard(Sequence[int]):
    """A layer in the memory of a GPU, read byte by byte."""

    def __init__(self, solver: Any, seeds: int, size: int) -> None:
        self._solver, self._seeds, self._size = solver, seeds, size

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, at: Any) -> Any:
        return self._solver.byte(self._seeds, at)


def _solver(wanted: Plan, most: int, threads: int | None) -> Layers:
    # Numba is needed, and imported, only here.
    from awale.cores import cores
    from awale.tables.workers import Workers

    workers = Workers(threads or cores())
    if wanted.device == "cuda":
        from awale.tables.cuda_solve import CudaSolver

        return CudaSolver(wanted.rules, most, workers)
    if wanted.rules.sowing == "relay" or support.cycles(wanted.rules) == "counted":
        from awale.tables.generic_solve import PlainSolver

        return PlainSolver(wanted.rules, most, workers)
    from awale.tables.lap_solve import LapSolver

    return LapSolver(wanted.rules, most, workers)


class _Builder:
    """One run over the layers. Each is written to its file, or, with `hold`, announced to it and not written."""

    def __init__(
        self,
        made: Made,
        solver: Layers,
        notify: Notify,
        warn: Callable[[str], None] | None,
        hold: Callable[[int], None] | None = None,
    ) -> None:
        self.made = made
        self.plan = made.plan
        self.solver = solver
        self.notify = notify
        self.warn = warn
        self.hold = hold
        self.missing = set(made.plan.missing)
        # Initial estimates: visits per position, and seconds per visit.
        self.visits_per_position = 25.0
        self.seconds_per_visit = 1e-8
        self.finished = 0
        self.writer = ThreadPoolExecutor(1)
        self.writing: Future[Path] | None = None

    def run(self, most: int) -> None:
        with self.writer:
            for layer in range(most + 1):
                if layer in self.missing:
                    self._make(layer)
                else:
                    self._read(layer)
                if self.hold is not None:
                    self.hold(layer)
            self._written()

    def _read(self, layer: int) -> None:
        """Load a finished layer from its file; if it is damaged, build it again."""
        path = self.plan.folder / layer_file.layer_name(layer)
        self.notify(Status(layer, "read", done=self._done(0)))
        try:
            header = layer_file.read_header(path)
            layer_file.check_rules(path, header, self.plan.rules)
            sections = self.solver.sections(layer)
            with path.open("rb") as file:
                for section in header.sections:
                    file.seek(section.offset)
                    file.readinto(memoryview(sections[section.name]))
            layer_file.check_bytes(path, header, {name: memoryview(part) for name, part in sections.items()})
        except DamagedTableError as error:
            if self.warn is not None:
                self.warn(str(error))
            self.missing.add(layer)
            self._make(layer)
        else:
            self.solver.learn(layer)

    def _make(self, layer: int) -> None:
        size = layer_size(self.plan.rules.pits, layer)
        begun = time.perf_counter()
        sweeps = visited = 0

        def report(progress: Any) -> None:
            nonlocal sweeps, visited
            sweeps = max(sweeps, progress.sweeps)
            visited = max(visited, progress.visited)
            spent = time.perf_counter() - begun
            inside = min(0.98, visited / (self.visits_per_position * size))
            done = self._done(inside * size)
            left = self._positions_left(size, inside) * self.visits_per_position * self.seconds_per_visit
            rate = visited / spent if spent > 0 else 0.0
            self.notify(Status(layer, "solve", sweeps, progress.changed, done, rate, left))

        self.solver.fill(layer, report)
        solved = time.perf_counter() - begun
        self.notify(Status(layer, "write", sweeps, 0, self._done(size)))
        if self.hold is None:
            self._write(layer, {name: memoryview(part) for name, part in self.solver.fetch(layer).items()})
        self.finished += size
        self.made.layers[layer] = (solved, sweeps, visited)
        if size > 10_000:
            self.visits_per_position = max(1.0, visited / size)
            self.seconds_per_visit = solved / max(1, visited)

    def _write(self, layer: int, parts: dict[str, memoryview]) -> None:
        """Write a layer while the next one is being solved, one file at a time, so that layers appear in order."""
        self._written()
        self.writing = self.writer.submit(self._count_and_write, layer, parts)

    def _count_and_write(self, layer: int, parts: dict[str, memoryview]) -> Path:
        from awale.tables.counting import count_codes, value_counts

        values = value_counts(count_codes(parts["codes"]), layer, support.cycles(self.plan.rules))
        path = layer_file.write(self.plan.folder, self.plan.rules, layer, parts, values)
        remember_written(path)
        return path

    def _written(self) -> None:
        """Wait for the file that is being written."""
        try:
            if self.writing is not None:
                self.writing.result()
                self.writing = None
        except OSError as error:
            sentence = i18n.message("tables.unwritable", path=self.plan.folder, error=i18n.system_problem(error))
            raise TablesError(sentence) from error

    def _done(self, extra: float) -> float:
        return min(1.0, (self.finished + extra) / max(1, self.plan.positions))

    def _positions_left(self, size: int, inside: float) -> float:
        return max(0.0, self.plan.positions - self.finished - size * inside)
