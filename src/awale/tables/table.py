"""Finished tables, mapped into memory and probed. Nothing here needs the compiler."""

from __future__ import annotations

import contextlib
import json
import logging
import mmap
import os
from collections.abc import Callable, Generator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from awale import i18n
from awale.game import Game
from awale.rules import get, reference
from awale.rules.description import Rules
from awale.rules.moves import Move
from awale.tables import layer_file, support
from awale.tables.codes import NO_VALUE, codes
from awale.tables.errors import DamagedTableError, TablesError
from awale.tables.folders import folder_for, tables_root
from awale.tables.index import position_index
from awale.tables.layer_file import Header
from awale.tables.resources import memory_available

if TYPE_CHECKING:
    from awale.kernels.endgame import TableSet

log = logging.getLogger("awale.tables")
ALWAYS_CHECKED = 32 << 20
"""Files up to this size have their checksum compared whenever they are opened; larger ones when they have changed."""
CHECKED = "checked.json"


class Value(NamedTuple):
    """The value of a position to the player to move."""

    seeds: int
    """The seeds they still win less those the opponent does, played to the end, without goal and move limit."""
    exact: bool
    """Whether that is certain under the rules. If not, it depends on how a cycle is scored, or on how many moves are
    left, and is only an estimate between the bounds."""
    least: int
    most: int

    def within(self, least: int, most: int) -> Value:
        """Return it with other bounds."""
        return Value(max(least, min(most, self.seeds)), least == most, least, most)


class Layer(NamedTuple):
    """The bytes of a layer, and the header of the file they are mapped from; None for a layer in memory only."""

    codes: Sequence[int]
    plies: Sequence[int] | None
    header: Header | None = None


class Tables:
    """The tables of a rule system: layers 0 to `seeds`, mapped from files and shared with every other process that maps
    them, or computed and held in memory (`folder` is None then)."""

    def __init__(self, rules: Rules, folder: Path | None, layers: Sequence[Layer], refused: Sequence[str] = ()) -> None:
        self.rules = rules
        self.folder = folder
        self.refused = tuple(refused)
        """A sentence for each unusable file."""
        self.cycles = support.cycles(rules)
        self._layers = tuple(layers)
        self._meaning = [codes(seeds, self.cycles) for seeds in range(len(layers))]
        self._kept: Any = None

    @property
    def seeds(self) -> int:
        """The most seeds on the board that the tables cover."""
        return len(self._layers) - 1

    def __repr__(self) -> str:
        return f"<Tables {self.rules.name}, up to {self.seeds} seeds, in {self.folder or 'memory'}>"

    def probe_halves(self, mine: Sequence[int], theirs: Sequence[int], left: int | None = None) -> Value | None:
        """Return the value of a position given as two halves, each from its owner's left; None if it has too many
        seeds. `left` are the moves that may still be played, under a move limit."""
        seeds = sum(mine) + sum(theirs)
        if seeds >= len(self._layers):
            return None
        layer = self._layers[seeds]
        at = position_index(mine, theirs)
        code = layer.codes[at]
        meaning = self._meaning[seeds]
        value = meaning.exact[code]
        if layer.plies is not None:
            needed = layer.plies[at]
            if value == NO_VALUE or (left is not None and needed > left):
                guess = 0 if value == NO_VALUE else value
                return Value(guess, False, -seeds, seeds)
        if value != NO_VALUE:
            return Value(value, True, value, value)
        least, most = meaning.least[code], meaning.most[code]
        return Value(max(least, min(most, 0)), False, least, most)

    def probe(self, game: Game) -> Value | None:
        """Return the value of a position to the player to move, or None if it has too many seeds.

        Where a return to an earlier position of this game would end it, the bounds allow for that."""
        self._fits(game)
        if game.over:
            return Value(0, True, 0, 0)
        mine, theirs = halves(game.counts, game.turn)
        value = self.probe_halves(mine, theirs, self._moves_left(game))
        return self._certain(game, self._with_returns(game, value, self._since_capture(game)[:-1]))

    def probe_moves(self, game: Game, *, alone: bool = False) -> dict[Move, Value | None]:
        """Return the value of each move to the player to move; with `alone`, what the table says of the position after
        it, as if the game began there."""
        self._fits(game)
        found: dict[Move, Value | None] = {}
        ending: set[Move] = set()
        if game.over:
            return found
        left = self._moves_left(game)
        past = self._since_capture(game)
        for move, step in reference.legal_steps(self.rules, game.state).items():
            if step.sown.period is not None:
                found[move] = Value(0, True, 0, 0)  # an endless sowing was chosen: the game is over
                ending.add(move)
                continue
            child = reference.after(self.rules, game.state, step)
            mine, theirs = halves(reference.counts(child.board), child.turn)
            over = self._over(child, left, past if step.taken == 0 else [])
            if over is None:
                value = self.probe_halves(mine, theirs, None if left is None else left - 1)
            else:
                worth = support.rest_value(over, sum(mine), sum(theirs))  # type: ignore[arg-type]
                value = Value(worth, True, worth, worth)
                ending.add(move)
            found[move] = None if value is None else _turned(value, step.taken)
            if over is None and step.taken == 0 and not alone:
                found[move] = self._with_returns(game, found[move], past)
        if past and not alone:
            found = _fitting(self.probe(game), found)
        return {move: value if move in ending else self._certain(game, value) for move, value in found.items()}

    def _since_capture(self, game: Game) -> list[reference.Position]:
        """Return the positions since the last capture whose return would end the game, the present one last."""
        if self.rules.repetition == "none":
            return []
        return [old for old in game.history if old.scores == game.scores]

    def _with_returns(self, game: Game, value: Value | None, past: Sequence[reference.Position]) -> Value | None:
        """Allow for the results of a return to earlier positions: nobody can force more than the better of what the
        table says and the best of these results, since up to a return play is as if the game began now. A player who
        gets what the table says never lets a position come about that is worth less to them."""
        if value is None:
            return None
        least, most = value.least, value.most
        for old in past:
            counts = reference.counts(old.board)
            mine, theirs = halves(counts, old.turn)
            if self.rules.origin == "skipped" and self.rules.starved == "ends" and all(theirs):
                continue  # whoever moved last has left an empty pit: this position cannot come back
            worth = support.rest_value(self.rules.repetition, sum(mine), sum(theirs))  # type: ignore[arg-type]
            known = self.probe_halves(mine, theirs)
            alone = known.seeds if known is not None and known.exact else None
            if old.turn != game.turn:
                worth, alone = -worth, None if alone is None else -alone
            if alone is None or alone >= value.least:
                least = min(least, worth)
            if alone is None or alone <= value.most:
                most = max(most, worth)
        return value.within(least, most)

    def _over(self, child: reference.Position, left: int | None, past: list[reference.Position]) -> str | None:
        """Return who gets the rest if the game ends here by the move limit or by repetition."""
        if left is not None and left <= 1:
            few = self.rules.few_seeds
            first = self.rules.endings.index("moves") < self.rules.endings.index("few")
            if first or few is None or sum(reference.counts(child.board)) > few:
                return self.rules.move_limit_rest
        for old in past:
            if old.board == child.board and old.turn == child.turn:
                return self.rules.repetition
        return None

    def _fits(self, game: Game) -> None:
        if game.rules is not self.rules and support.key(game.rules) != support.key(self.rules):
            raise TablesError(i18n.message("tables.other-rules", table=self.rules.name, game=game.rules.name))

    def _moves_left(self, game: Game) -> int | None:
        return None if game.rules.move_limit is None else max(0, game.rules.move_limit - game.ply)

    def _certain(self, game: Game, value: Value | None) -> Value | None:
        """Mark a value as uncertain if the goal is not more than half of all seeds of this game."""
        if value is None or not value.exact:
            return value
        total = sum(game.counts) + sum(game.scores)
        return value if support.goal_agrees(game.rules, total) else value._replace(exact=False)

    @property
    def table_set(self) -> TableSet:
        """Return the argument of `awale.kernels.endgame.probe`. Keep this object alive as long as it is used."""
        from awale.tables.directory import Directory

        if self._kept is None:
            self._kept = Directory(self)
        found: TableSet = self._kept.table_set
        return found

    def layer_bytes(self, seeds: int, section: str = "codes") -> memoryview:
        """Return a layer's bytes, as in the file."""
        layer = self._layers[seeds]
        if section == "plies":
            if layer.plies is None:
                raise TablesError(i18n.message("tables.no-plies", rules=self.rules.name))
            return memoryview(layer.plies)  # type: ignore[arg-type]
        return memoryview(layer.codes)  # type: ignore[arg-type]

    def path(self, seeds: int) -> Path:
        """Return the file of a layer, whether or not it exists."""
        if self.folder is None:
            raise TablesError(i18n.message("tables.not-stored", rules=self.rules.name))
        return self.folder / layer_file.layer_name(seeds)

    def header(self, seeds: int) -> Header:
        """Return the header of a layer's file."""
        header = self._layers[seeds].header
        if header is None:
            raise TablesError(i18n.message("tables.not-stored", rules=self.rules.name))
        return header


def halves(counts: Sequence[int], turn: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the mover's half and the other's, each from its owner's left."""
    pits = len(counts) // 2
    south, north = tuple(counts[:pits]), tuple(counts[pits:])
    return (south, north) if turn == 0 else (north, south)


def _fitting(whole: Value | None, moves: dict[Move, Value | None]) -> dict[Move, Value | None]:
    """Return the bounds of moves as far as they agree with the bounds of the position: no move is worth more, and if
    only one can be worth so much, it is."""
    known = {move: value for move, value in moves.items() if value is not None}
    if whole is None or len(known) < len(moves):
        return moves
    found: dict[Move, Value | None] = {}
    for move, value in known.items():
        alone = all(other.most < whole.least for rival, other in known.items() if rival != move)
        found[move] = value.within(max(value.least, whole.least) if alone else value.least, min(value.most, whole.most))
    return found


def _turned(value: Value, taken: int) -> Value:
    """Return a child's value to the player who moved there and took so many seeds."""
    return Value(taken - value.seeds, value.exact, taken - value.most, taken - value.least)


# -- opening -------------------------------------------------------------------------------------------------------


def open_tables(
    rules: str | Rules,
    dir: str | os.PathLike[str] | None = None,
    *,
    most_seeds: int | None = None,
    check: int = 0,
) -> Tables:
    """Return the tables of these rules. Layers are used from the lowest up to the first missing or damaged one; what is
    wrong with a damaged one is in `refused`. Raise `TablesError` if there is none. `check` compares every checksum,
    however large, on so many threads."""
    rules = get(rules)
    support.check(rules)
    root = tables_root(dir)
    folder = folder_for(rules, root)
    layers: list[Layer] = []
    with contextlib.closing(examine(rules, folder, most_seeds, check=check)) as examined:
        for found in examined:
            if not isinstance(found, Layer):
                break
            layers.append(found)
        else:
            found = None
    if not layers:
        raise found or TablesError(i18n.message("tables.none", rules=rules.name, path=root))
    return Tables(rules, folder, layers, () if found is None else (str(found),))


def find_tables(rules: str | Rules, dir: str | os.PathLike[str] | None = None) -> Tables | None:
    """Return the tables, or None where there are none. A damaged file is reported once, in the log."""
    try:
        opened = open_tables(rules, dir)
    except DamagedTableError as error:
        _report(str(error))
        return None
    except TablesError:
        return None
    for sentence in opened.refused:
        _report(sentence)
    return opened


@cache
def _report(sentence: str) -> None:
    log.warning("%s", sentence)


def examine(
    rules: Rules,
    folder: Path,
    most_seeds: int | None = None,
    *,
    check: int = 0,
    progress: Callable[[float], None] | None = None,
) -> Generator[Layer | DamagedTableError | None, None, None]:
    """Yield every layer from the lowest to that of `most_seeds` seeds: what is wrong with it if it cannot be used, None
    if there is no file. All who ask which layers can be used ask here, so that they agree. `check` compares every
    checksum, however large, on so many threads; `progress` receives the completed part, from 0 to 1."""
    paths = [
        folder / layer_file.layer_name(n) for n in range((support.MAX_SEEDS if most_seeds is None else most_seeds) + 1)
    ]
    sizes = [path.stat().st_size if path.exists() else None for path in paths]
    remembered = _remembered(folder)
    known = dict(remembered)
    done = 0
    try:
        for path, size in zip(paths, sizes, strict=True):
            if size is None:
                yield None
                continue
            if progress is not None:
                progress(done / max(1, sum(filter(None, sizes))))
            done += size
            try:
                found: Layer | DamagedTableError = _open_layer(path, rules, known, check)
            except DamagedTableError as error:
                found = error
            yield found
    finally:
        if known != remembered:
            _remember(folder, known)


def _open_layer(path: Path, rules: Rules, known: dict[str, list[int]], check: int) -> Layer:
    header = layer_file.read_header(path)
    layer_file.check_rules(path, header, rules)
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        raise layer_file.damage(path, "unreadable", error=error) from None
    whole = memoryview(mapped)
    parts = {s.name: whole[s.offset : s.offset + s.size] for s in header.sections}
    mark = _mark(status, header)
    damaged = [*mark, status.st_ctime_ns]  # a file that is replaced by a copy of the same time is checked again
    last = known.get(path.name)
    if check or status.st_size <= ALWAYS_CHECKED or (last not in (mark, damaged) and _fits_memory(status.st_size)):
        try:
            layer_file.check_bytes(path, header, parts, max(1, check))
            last = mark
        except DamagedTableError:
            last = damaged
        if status.st_size > ALWAYS_CHECKED:
            known[path.name] = last
    if last == damaged:
        raise layer_file.damage(path, "checksum")
    return Layer(parts["codes"], parts.get("plies"), header)


def _mark(status: os.stat_result, header: Header) -> list[int]:
    """Return what changes with a file."""
    return [status.st_size, status.st_mtime_ns, *(section.crc for section in header.sections)]


def remember_written(path: Path) -> None:
    """Note that a file was just written with its checksum, so that opening it need not read it again."""
    if path.stat().st_size > ALWAYS_CHECKED:
        _remember(
            path.parent, {**_remembered(path.parent), path.name: _mark(path.stat(), layer_file.read_header(path))}
        )


def _fits_memory(size: int) -> bool:
    """Return whether a file can be read whole without pushing everything else out of memory. A larger one is probed
    page by page, and checked only by `verify`."""
    free = memory_available()
    return free is None or 2 * size <= free


def _remembered(folder: Path) -> Mapping[str, list[int]]:
    """Return which large files were found valid or damaged, with their size and time then."""
    try:
        found = json.loads((folder / CHECKED).read_text())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _remember(folder: Path, known: Mapping[str, list[int]]) -> None:
    temporary = folder / f".{CHECKED}.{os.getpid()}.tmp"
    with contextlib.suppress(OSError):
        temporary.write_text(json.dumps(known))
        temporary.replace(folder / CHECKED)
