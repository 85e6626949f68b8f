"""Verifying tables: checksums, the published counts of awari, and a sample of positions against their moves."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import pairwise, takewhile

from awale import i18n
from awale.cores import cores
from awale.rules import get, reference
from awale.rules.description import Rules
from awale.rules.reference import Position
from awale.tables import support
from awale.tables.errors import TablesError
from awale.tables.folders import folder_for, tables_root
from awale.tables.index import layer_size
from awale.tables.table import Layer, Tables, Value, examine, halves

PUBLISHED = "awari"
"""The rules whose counts are published (Lincke's thesis, appendix B)."""


@dataclass(slots=True)
class Verdict:
    """The result of a check."""

    tables: Tables
    files: int = 0
    layers: int = 0
    """Layers whose files are sound."""
    published: int = 0
    """Layers whose counts are published."""
    histograms: int = 0
    """Layers whose counts match the published ones."""
    sample: int = 0
    """Positions whose value follows from their moves'."""
    problems: list[str] = field(default_factory=list)
    rebuild: int | None = None
    """The seeds of the build that makes missing and damaged layers again."""


def published(seeds: int) -> dict[int, int] | None:
    """Return how many positions of awari have each value, for layers where that is published."""
    data = json.loads(files("awale").joinpath("tables", "awari-histograms.json").read_text())
    counts = data.get(str(seeds))
    return None if counts is None else {int(value): count for value, count in counts.items()}


def histogram(tables: Tables, seeds: int, *, stored: bool = True, threads: int = 1) -> dict[int | None, int]:
    """Return how many positions of a layer have each exact value; None stands for those without one. The counts are
    `stored` in the file's header, or counted again on some threads."""
    values = tables.header(seeds).values if stored and tables.folder is not None else None
    if values is None:
        from awale.tables.counting import count_codes, value_counts

        values = tuple(value_counts(count_codes(tables.layer_bytes(seeds), threads), seeds, tables.cycles))
    found: dict[int | None, int] = {value: n for value, n in zip(range(-seeds, seeds + 1), values, strict=True) if n}
    others = layer_size(tables.rules.pits, seeds) - sum(values)
    return found | ({None: others} if others else {})


def verify(
    rules: str | Rules,
    seeds: int | None = None,
    *,
    dir: str | os.PathLike[str] | None = None,
    sample: int = 1000,
    threads: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> Verdict:
    """Check the tables of some rules, all layers or those up to `seeds` seeds, on all cores unless `threads` says
    otherwise: the checksums of all files, the values up to the first missing or damaged layer. Problems are sentences
    in the verdict; an error is raised only if there is no file at all. `progress` receives the completed part, from 0
    to 1."""
    rules = get(rules)
    support.check(rules)
    workers = threads or cores()
    root = tables_root(dir)
    folder = folder_for(rules, root)
    found = list(examine(rules, folder, seeds, check=workers, progress=progress))
    present = [layer for layer, one in enumerate(found) if one is not None]
    if not present:
        raise TablesError(i18n.message("tables.none", rules=rules.name, path=root))
    sound = [one for one in found if isinstance(one, Layer)]
    tables = Tables(rules, folder, list(takewhile(lambda one: isinstance(one, Layer), found)))  # type: ignore[arg-type]
    verdict = Verdict(tables, files=len(present), layers=len(sound))
    for layer, one in enumerate(found[: present[-1] + (1 if seeds is None else 2)]):
        if one is None:
            verdict.problems.append(i18n.text("tables.verify.missing", path=tables.path(layer)))
        elif not isinstance(one, Layer):
            verdict.problems.append(str(one))
    if verdict.problems:
        verdict.rebuild = present[-1] if seeds is None else len(found) - 1
    if support.key(rules) == support.key(get(PUBLISHED)):
        for layer in range(tables.seeds + 1):
            wanted = published(layer)
            if wanted is None:
                break
            verdict.published += 1
            if histogram(tables, layer) == histogram(tables, layer, stored=False, threads=workers) == wanted:
                verdict.histograms += 1
            else:
                verdict.problems.append(i18n.text("tables.histogram", seeds=layer))
    try:
        verdict.sample = check_sample(tables, sample)
    except TablesError as error:
        verdict.problems.append(str(error))
    return verdict


def check_sample(tables: Tables, size: int) -> int:
    """Check random positions, more of them from the larger layers: is each worth the best of its moves by the plain
    rules? Raise TablesError for one that is not; return how many were checked."""
    rules = tables.rules
    chosen = random.Random(20_25)
    layers = range(1, tables.seeds + 1)
    weights = [layer_size(rules.pits, layer) ** 0.5 for layer in layers]
    size = size if layers else 0
    for _ in range(size):
        seeds = chosen.choices(layers, weights)[0]
        board = _random_board(chosen, rules.holes, seeds)
        found, wanted = one_ply(tables, board)
        if wanted is not None and found != wanted:
            position = "-".join(map(str, board))
            path = rules.name if tables.folder is None else tables.path(seeds)
            shown = {"found": _shown(found), "wanted": _shown(wanted)}
            raise TablesError(i18n.message("tables.inconsistent", path=path, position=position, **shown))
    return size


def _shown(bounds: tuple[int, int]) -> str:
    return str(bounds[0]) if bounds[0] == bounds[1] else f"{bounds[0]}..{bounds[1]}"


def _random_board(chosen: random.Random, holes: int, seeds: int) -> tuple[int, ...]:
    """Return a uniformly random board."""
    bars = sorted(chosen.sample(range(seeds + holes - 1), holes - 1))
    edges = [-1, *bars, seeds + holes - 1]
    return tuple(b - a - 1 for a, b in pairwise(edges))


def one_ply(tables: Tables, board: tuple[int, ...]) -> tuple[tuple[int, int], tuple[int, int] | None]:
    """Return the bounds of a position, South to move, and those that follow from its moves by the plain rules; None if
    these only contain the stored ones, because codes round outwards or because of a move limit."""
    rules = tables.rules
    stored = _known(tables, board)
    plain = rules.variant(win_at=None, move_limit=None, repetition="none", name="plain")
    settled = reference.settle(plain, Position(board, (0, 0), 0))
    if settled.reason is not None:
        worth = settled.swept[0] - settled.swept[1]
        return stored, (worth, worth)
    if settled.passed:
        child = _known(tables, board[rules.pits :] + board[: rules.pits])
        moves = [(-child[1], -child[0])]
    else:
        moves = []
        for step in reference.legal_steps(plain, settled.position).values():
            if step.sown.period is not None:
                moves.append((0, 0))
                continue
            after = reference.counts(step.board)
            child = _known(tables, after[rules.pits :] + after[: rules.pits])
            moves.append((step.taken - child[1], step.taken - child[0]))
    follows = (max(low for low, _ in moves), max(high for _, high in moves))
    if tables.cycles == "even" or stored[0] == stored[1] == follows[0] == follows[1]:
        return stored, follows
    # The derived bounds may be tighter than what could be stored, or looser where a child's were rounded or a move
    # limit matters, but the two must overlap.
    overlap = max(stored[0], follows[0]) <= min(stored[1], follows[1])
    return stored, None if overlap else follows


def _known(tables: Tables, board: tuple[int, ...]) -> tuple[int, int]:
    value: Value | None = tables.probe_halves(*halves(board, 0))
    assert value is not None
    return value.least, value.most
