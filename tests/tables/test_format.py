"""The file format, read by another program: the C reader of the specification agrees with ours, byte by byte."""

from __future__ import annotations

import random
import shutil
import subprocess
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from awale.rules import get
from awale.tables import Tables, build, checksums, layer_file, table
from awale.tables.verify import histogram
from tests.tables import oracle

ROOT = Path(__file__).parents[2]
Make = Callable[[str, int], Tables]


@pytest.fixture(scope="session")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    program = tmp_path_factory.mktemp("reader") / "read_table"
    source = ROOT / "examples" / "read_table.c"
    subprocess.run([compiler, "-std=c99", "-Wall", "-Werror", "-o", program, source, "-lm"], check=True)

    def read(*arguments: object) -> str:
        done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
        return done.stdout.strip() if done.returncode == 0 else f"exit {done.returncode}"

    return read


@pytest.mark.parametrize(
    ("name", "seeds"), [("awari", 8), ("abapa", 11), ("wikipedia:pits=3", 12), ("abapa:pits=2", 30)]
)
def test_the_reader_in_c_agrees(name: str, seeds: int, made: Make, reader: Callable[..., str]) -> None:
    tables = made(name, seeds)
    pits = get(name).pits
    chosen = random.Random(7)
    for layer in (1, seeds // 2, seeds - 1, seeds):
        for _ in range(20):
            bars = sorted(chosen.sample(range(layer + 2 * pits - 1), 2 * pits - 1))
            board = [b - a - 1 for a, b in zip([-1, *bars], [*bars, layer + 2 * pits - 1], strict=True)]
            value = tables.probe_halves(board[:pits], board[pits:])
            assert value is not None
            wanted = str(value.seeds) if value.exact else f"{value.least}..{value.most}"
            assert reader(tables.path(layer), pits, *board) == wanted, board
    assert reader(tables.path(1), pits) == "exit 2"


def test_the_vector_of_the_specification(made: Make, reader: Callable[..., str]) -> None:
    """The page prints these bytes: awari on 2x1 and 2x2."""
    page = (ROOT / "docs" / "table-format.md").read_text()
    small = made("awari:pits=1", 4)
    assert bytes(small.layer_bytes(4)).hex(" ") in page
    larger = made("awari:pits=2", 3)
    assert bytes(larger.layer_bytes(3)).hex(" ") in page
    assert reader(larger.path(3), 2, 0, 2, 1, 0) == "-1"
    assert larger.path(3).read_bytes()[:16].hex(" ") in page
    assert larger.path(3).stat().st_size == 4116
    listed = [reader(larger.path(3), 2, *board) for board in oracle.boards(4, 3)]
    assert sorted(map(int, listed)) == sorted(byte - 256 if byte > 127 else byte for byte in larger.layer_bytes(3))


def test_the_counts_are_in_the_header(made: Make) -> None:
    for name, seeds in (("awari", 6), ("abapa", 6), ("upsti:pits=2", 6)):
        tables = made(name, seeds)
        for layer in range(seeds + 1):
            values = layer_file.read_header(tables.path(layer)).values
            assert values is not None
            counted = histogram(tables, layer, stored=False, threads=2)
            by_value = dict(zip(range(-layer, layer + 1), values, strict=True))
            assert {value: n for value, n in by_value.items() if n} == {
                v: n for v, n in counted.items() if v is not None
            }
            assert histogram(tables, layer) == counted


def test_a_checksum_in_pieces_is_the_checksum(monkeypatch: pytest.MonkeyPatch) -> None:
    data = memoryview(random.Random(3).randbytes(100_003))
    for piece in (1, 1000, 4096, 100_003, 1 << 20):
        monkeypatch.setattr(checksums, "PIECE", piece if piece > 1 else 37)
        assert checksums.checksum(data, 2) == checksums.checksum(data) == zlib.crc32(data)
    assert checksums.checksum(memoryview(b""), 2) == 0


def test_a_file_larger_than_memory_is_not_read_when_opened(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its entries are read page by page; only `verify` reads it all."""
    tables = made("awari", 5)
    assert tables.folder is not None
    checked: list[Path] = []
    monkeypatch.setattr(table, "ALWAYS_CHECKED", 0)
    monkeypatch.setattr(layer_file, "check_bytes", lambda path, *rest: checked.append(path))
    monkeypatch.setattr(table, "memory_available", lambda: 4500)
    opened = table.open_tables("awari", tables.folder.parent, most_seeds=5)
    assert tables.path(5) not in checked
    assert opened.probe_halves((0, 1, 0, 0, 1, 0), (0, 0, 0, 0, 0, 1)) == (3, True, 3, 3)
    table.open_tables("awari", tables.folder.parent, most_seeds=5, check=2)
    assert tables.path(5) in checked


def test_a_file_just_written_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "ALWAYS_CHECKED", 0)
    build("awari:pits=2", 4, dir=tmp_path)
    monkeypatch.setattr(layer_file, "check_bytes", lambda *arguments: pytest.fail("it was read"))
    assert table.open_tables("awari:pits=2", tmp_path).seeds == 4
