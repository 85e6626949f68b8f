"""Positions with exact values from endgame tables, as Parquet files with a data card: `awale dataset make`.

A folder with `README.md` (the card), `dataset.json` (the settings) and `data/*.parquet`. Every file of rows is written
under another name and renamed, and depends on the settings only: an interrupted run goes on after its last file.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import awale
from awale import i18n, paths
from awale.envs import batch_steps as steps
from awale.envs.encoding import check_whole
from awale.envs.extras import need
from awale.errors import AwaleError
from awale.kernels import convert
from awale.rules import get
from awale.rules.description import Rules
from awale.rules.reference import Position
from awale.tables import Tables, build, open
from awale.tables.codes import NO_VALUE, codes
from awale.tables.half_boards import Halves
from awale.tables.index import block_starts, layer_size
from awale.tables.support import MAX_SEEDS
from awale.tables.verify import histogram

FORM = 1
"""Changed whenever the same settings give other rows."""
SETTINGS = "dataset.json"
SEEDS = 12
PART = 1 << 20
"""Rows of a file, at most."""
CHUNK = 1 << 22
"""Entries of a table that are read at once."""
MOST_POSITIONS = 10_000_000
CARD_HEAD = """\
---
license: mit
language: {language}
tags: [awale, oware, mancala, board-game, endgame-tablebase]
configs:
  - config_name: default
    data_files: data/*.parquet
---

"""
"""What sites that keep datasets read of a card."""
READING = """\
```python
from pyarrow import dataset
from awale import Game

row = dataset.dataset("data", format="parquet").head(1).to_pylist()[0]
game = Game("{rules}", start="-".join(map(str, row["pits"])) + "-0-0-S")
```"""
ANY_NUMBER = 256
"""Moves left, where the rules do not limit them."""


class LayerCount(NamedTuple):
    """The rows with so many seeds on the board, and how many of them the player to move wins, draws and loses."""

    seeds: int
    positions: int
    """All positions of the layer."""
    exact: int
    """Those whose value is exact."""
    rows: int
    won: int
    even: int
    lost: int


@dataclass(frozen=True, slots=True)
class Dataset:
    """A finished dataset."""

    folder: Path
    layers: list[LayerCount] = field(default_factory=list)

    @property
    def rows(self) -> int:
        return sum(layer.rows for layer in self.layers)


def make(
    rules: str | Rules,
    folder: str | os.PathLike[str],
    *,
    seeds: int = SEEDS,
    positions: int | None = None,
    seed: int = 1,
    tables: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int], object] = lambda done, total: None,
) -> Dataset:
    """Write the positions with 1 to `seeds` seeds on the board whose value is exact, or at most `positions` of each
    number of seeds, drawn with `seed`. Missing tables are built (in the directory `tables`, or the user's).

    `progress` receives the positions done and their total. A folder of the same settings is completed; one of other
    settings raises `AwaleError`.
    """
    rules, target = get(rules), Path(folder)
    settings = check(rules, target, seeds=seeds, positions=positions, seed=seed)
    build(rules, seeds, dir=tables)
    (target / "data").mkdir(parents=True, exist_ok=True)
    with paths.replacing(target / SETTINGS) as growing:
        growing.write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")
    opened = open(rules, tables, most_seeds=seeds)
    writer = _Writer(opened, target / "data")
    exact = [sum(n for value, n in histogram(opened, layer).items() if value is not None) for layer in range(seeds + 1)]
    chosen = [n if positions is None else min(n, positions) for n in exact]
    done = 0
    made = Dataset(target)
    for layer in range(1, seeds + 1):
        values: list[Any] = []
        for number, entries in enumerate(_draw(opened, layer, chosen[layer], exact[layer], seed)):
            values.append(writer.values(layer, number, entries))
            done += len(entries)
            progress(done, sum(chosen[1:]))
        signs = np.sign(np.concatenate(values)) if values else np.empty(0, np.int8)
        results = (int((signs == sign).sum()) for sign in (1, 0, -1))
        made.layers.append(LayerCount(layer, layer_size(rules.pits, layer), exact[layer], len(signs), *results))
    with paths.replacing(target / "README.md") as growing:
        growing.write_text(_card(made, opened, seeds, positions, seed), encoding="utf-8")
    return made


def _facts(rules: Rules) -> dict[str, Any]:
    facts: dict[str, Any] = {"name": rules.name, "version": rules.version, **rules.options()}
    return facts


def check(rules: Rules, folder: Path, *, seeds: int, positions: int | None, seed: int) -> dict[str, Any]:
    """Return the settings of a run. Raise `AwaleError` if it cannot be done in this folder; nothing is written."""
    need("pyarrow", module="pyarrow.parquet", extra="dataset")
    check_whole("seeds", seeds, 1, MAX_SEEDS)
    check_whole("seed", seed, 0, 2**63 - 1)
    if positions is not None:
        check_whole("positions", positions, 1, MOST_POSITIONS)
    settings: dict[str, Any] = json.loads(
        json.dumps({"form": FORM, "rules": _facts(rules), "seeds": seeds, "positions": positions, "seed": seed})
    )
    known: Any = None
    if (folder / SETTINGS).exists():
        with contextlib.suppress(ValueError):
            known = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
        if known != settings:
            raise AwaleError(i18n.message("dataset.other", path=folder))
    elif folder.is_dir() and any(folder.iterdir()):
        raise AwaleError(i18n.message("dataset.not-empty", path=folder))
    return settings


def _draw(tables: Tables, layer: int, count: int, exact: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """Yield the indices of `count` of the `exact` entries of a layer in ascending order, a file's at a time."""
    known = np.array(codes(layer, tables.cycles).exact) != NO_VALUE
    entries = np.frombuffer(tables.layer_bytes(layer), np.uint8)
    drawn = None
    if count < exact:
        drawn = np.array(sorted(random.Random(f"{seed}/{layer}").sample(range(exact), count)), np.int64)
    waiting = np.empty(0, np.int64)
    passed = 0
    for start in range(0, len(entries), CHUNK):
        found = start + np.flatnonzero(known[entries[start : start + CHUNK]])
        if drawn is not None:
            first, last = np.searchsorted(drawn, (passed, passed + len(found)))
            passed += len(found)
            found = found[drawn[first:last] - (passed - len(found))]
        waiting = np.concatenate((waiting, found))
        while len(waiting) >= PART:
            yield waiting[:PART]
            waiting = waiting[PART:]
    if len(waiting):
        yield waiting


class _Writer:
    """Write the files of rows."""

    def __init__(self, tables: Tables, folder: Path) -> None:
        self.tables, self.folder = tables, folder
        self.pits = tables.rules.pits
        self.halves = Halves(self.pits, tables.seeds)
        # As the tables see the game: whoever reaches a goal also ends ahead, and what a limit or a repetition would
        # change is not exact.
        plain = tables.rules.variant(win_at=None, move_limit=None, repetition="none", name="plain")
        self.k = convert.pack_rules(plain)
        self.like = convert.pack_position(plain, Position((0,) * 2 * self.pits, (0, 0), 0))

    def values(self, layer: int, number: int, entries: NDArray[np.int64]) -> NDArray[np.int8]:
        """Write a file unless it exists; return the values of its rows."""
        import pyarrow
        from pyarrow import parquet

        path = self.folder / f"seeds-{layer:02}-{number:04}.parquet"
        if path.exists():
            try:
                column = parquet.read_table(path, columns=["value"])["value"].to_numpy()
            except (pyarrow.ArrowException, OSError, KeyError) as error:
                raise AwaleError(i18n.message("dataset.damaged", path=path, error=str(error)[:200])) from None
            return np.asarray(column, np.int8)
        table = self._rows(layer, entries)
        with paths.replacing(path) as growing:
            parquet.write_table(table, growing, compression="zstd")
        return np.asarray(table["value"].to_numpy(), np.int8)

    def _rows(self, layer: int, entries: NDArray[np.int64]) -> Any:
        import pyarrow

        boards = self._boards(layer, entries)
        left = np.full(len(entries), ANY_NUMBER, np.int64)
        if self.tables.cycles == "counted":
            left[:] = np.frombuffer(self.tables.layer_bytes(layer, "plies"), np.uint8)[entries]
        moves = np.empty((len(entries), self.pits), np.int16)
        rows = np.zeros((len(entries), len(self.like)), np.int64)
        bytes_up = 1 << 8 * np.arange(self.pits, dtype=np.int64)
        rows[:, self.like._fields.index("mine")] = boards[:, : self.pits] @ bytes_up
        rows[:, self.like._fields.index("theirs")] = boards[:, self.pits :] @ bytes_up
        steps.table_values(self.k, self.like, self.tables.table_set, rows, left, moves)
        playable = (moves != NO_VALUE).any(axis=1)
        boards, moves, left, entries = boards[playable], moves[playable], left[playable], entries[playable]
        value = np.frombuffer(self.tables.layer_bytes(layer), np.int8)[entries]
        unknown = (moves == NO_VALUE).reshape(-1)
        each = pyarrow.array(np.where(moves == NO_VALUE, 0, moves).astype(np.int8).reshape(-1), mask=unknown)
        columns = {
            "pits": pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(boards.reshape(-1)), 2 * self.pits),
            "seeds": pyarrow.array(np.full(len(entries), layer, np.uint8)),
            "value": pyarrow.array(value),
            "moves": pyarrow.FixedSizeListArray.from_arrays(each, self.pits),
        }
        if self.tables.cycles == "counted":
            columns["moves_left"] = pyarrow.array(left.astype(np.uint8))
        table = pyarrow.table(columns)
        return table.replace_schema_metadata({"awale.rules": json.dumps(_facts(self.tables.rules))})

    def _boards(self, layer: int, entries: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Return the boards of a layer's entries: the mover's pits, then the opponent's."""
        starts = np.array(block_starts(self.pits, layer), np.int64)
        theirs = np.searchsorted(starts, entries, "right") - 1
        row, column = np.divmod(entries - starts[theirs], self.halves.width[layer - theirs])
        counts, first = self.halves.counts, self.halves.first
        return np.hstack((counts[first[layer - theirs] + column], counts[first[theirs] + row]))


def _card(made: Dataset, tables: Tables, seeds: int, positions: int | None, seed: int) -> str:
    """Return the data card."""
    rules = tables.rules
    command = f"awale dataset make --rules {rules.name} --seeds {seeds} --seed {seed}"
    command += "" if positions is None else f" --positions {positions}"
    left = i18n.text("dataset.card-moves-left") if tables.cycles == "counted" else ""
    numbers = [[i18n.number(n) for n in layer] for layer in made.layers]
    return CARD_HEAD.format(language=i18n.language()) + i18n.text(
        "dataset.card",
        reading=READING.format(rules=rules.name),
        title=rules.title.get(i18n.language(), rules.name),
        rules=rules.name,
        version=rules.version,
        options="\n".join(f"{name} = {json.dumps(value)}" for name, value in rules.options().items()),
        rows=i18n.number(made.rows),
        seeds=seeds,
        seed=seed,
        command=command,
        program=awale.__version__,
        pits=rules.pits,
        both=2 * rules.pits,
        moves_left=left,
        drawn=i18n.text("dataset.card-all" if positions is None else "dataset.card-drawn", most=positions, seed=seed),
        cycles=i18n.text(f"dataset.card-{tables.cycles}"),
        counts="\n".join(f"| {' | '.join(row)} |" for row in numbers),
    )
