"""Files: whole or not there, refused by name when damaged, resumed after any interruption, shared between processes."""

from __future__ import annotations

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from awale import tables
from awale.rules import get
from awale.tables import DamagedTableError, InsufficientResourcesError, Tables, TablesError, layer_file, resources
from awale.tables.folders import folder_for
from awale.tables.layer_file import PAGE, layer_name

Make = Callable[[str, int], Tables]
SMALL = "awari:pits=3"
SEEDS = 7


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a small table in it."""
    tables.build(SMALL, SEEDS, dir=tmp_path, threads=1)
    return folder_for(get(SMALL), tmp_path)


def bytes_of(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("layer-*")}


def test_same_bytes_however_many_threads(tmp_path: Path, made: Make) -> None:
    for name, seeds in (("awari", 9), ("abapa", 9), ("ghana", 7), ("upsti", 6)):
        for threads in (1, 3):
            tables.build(name, seeds, dir=tmp_path / str(threads), threads=threads)
        one, three = (folder_for(get(name), tmp_path / threads) for threads in ("1", "3"))
        assert bytes_of(one) == bytes_of(three)
        assert len(bytes_of(one)) == seeds + 1


def test_header_says_what_it_is(folder: Path) -> None:
    header = layer_file.read_header(folder / layer_name(5))
    assert header.rules == SMALL
    assert header.options["pits"] == 3
    assert header.options["version"] == get(SMALL).version
    assert header.seeds == 5
    assert header.codes.size == 252


def spoil_byte(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)


def spoil_header(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[40] ^= 1
    path.write_bytes(data)


def cut_short(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 1)


def cut_in_header(path: Path) -> None:
    os.truncate(path, 100)


def lengthen(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"x")


def make_foreign(path: Path) -> None:
    path.write_bytes(b"something else entirely" * 400)


def make_empty(path: Path) -> None:
    path.write_bytes(b"")


def other_version(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[8] = 99
    path.write_bytes(data)


def other_layer(path: Path) -> None:
    path.write_bytes((path.parent / layer_name(4)).read_bytes())


def other_rules(path: Path) -> None:
    rules = get("wikipedia:pits=3")
    tables.build(rules, 5, dir=path.parent.parent / "other", threads=1)
    path.write_bytes((folder_for(rules, path.parent.parent / "other") / layer_name(5)).read_bytes())


def become_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGE = {
    spoil_byte: "checksum",
    spoil_header: "header",
    cut_short: "truncated",
    cut_in_header: "truncated",
    lengthen: "too long",
    make_foreign: "not an awale table file",
    make_empty: "not an awale table file",
    other_version: "format 99",
    other_layer: "layer of 4 seeds",
    other_rules: "other rules",
}


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda damage: damage.__name__)
def test_damage_is_named_and_never_used(folder: Path, damage: Callable[[Path], None]) -> None:
    sound = bytes_of(folder)
    path = folder / layer_name(5)
    damage(path)
    opened = tables.open(SMALL, folder.parent)
    assert opened.seeds == 4
    assert opened.probe_halves((1, 1, 1), (1, 1, 0)) is None
    (sentence,) = opened.refused
    assert str(path) in sentence
    assert DAMAGE[damage] in sentence
    # Building again says so too, and makes that layer anew.
    said: list[str] = []
    done = tables.build(SMALL, SEEDS, dir=folder.parent, threads=1, warn=said.append)
    assert list(done.layers) == [5]
    assert str(path) in said[0]
    assert bytes_of(folder) == sound


@pytest.mark.parametrize("damage", [spoil_byte, cut_short])
def test_a_damaged_layer_is_computed_in_memory(folder: Path, damage: Callable[[Path], None]) -> None:
    opened = tables.open(SMALL, folder.parent)
    sound = [bytes(opened.layer_bytes(n)) for n in range(SEEDS + 1)]
    damage(folder / layer_name(5))
    damaged = bytes_of(folder)
    said: list[str] = []
    made = tables.compute(SMALL, SEEDS, dir=folder.parent, threads=1, warn=said.append)
    assert made.folder is None
    assert [bytes(made.layer_bytes(n)) for n in range(SEEDS + 1)] == sound
    (sentence,) = said
    assert layer_name(5) in sentence
    assert bytes_of(folder) == damaged


def test_memory_for_all_layers_is_checked_although_only_a_low_one_is_damaged(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil_byte(folder / layer_name(2))
    monkeypatch.setattr(resources, "memory_available", lambda: resources.memory_needed(get(SMALL), SEEDS) - 1)
    with pytest.raises(InsufficientResourcesError, match="not enough memory"):
        tables.compute(SMALL, SEEDS, dir=folder.parent, threads=1)


def test_damaged_bytes_are_found_while_building_on_them(folder: Path) -> None:
    sound = bytes_of(folder)
    spoil_byte(folder / layer_name(5))
    (folder / layer_name(7)).unlink()
    said: list[str] = []
    done = tables.build(SMALL, SEEDS, dir=folder.parent, threads=1, warn=said.append)
    assert list(done.layers) == [5, 7]
    assert layer_name(5) in said[0]
    assert bytes_of(folder) == sound


def test_the_engine_reports_a_damaged_table_once(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    """`analyse`, `perfect`, a game and the server all open their tables by these functions."""
    path = folder / layer_name(5)
    spoil_byte(path)
    for _ in range(2):
        assert tables.ensure_small(SMALL, SEEDS, dir=folder.parent) is None
        assert tables.ensure_small(SMALL, 4, dir=folder.parent).seeds == 4  # type: ignore[union-attr]
        assert tables.find_tables(SMALL, folder.parent).seeds == 4  # type: ignore[union-attr]
    (record,) = (record for record in caplog.records if record.name == "awale.tables")
    assert str(path) in record.getMessage()
    # Whoever builds the small table makes that layer again.
    assert tables.ensure_small(SMALL, SEEDS, dir=folder.parent, wait=True).seeds == SEEDS  # type: ignore[union-attr]


def test_lowest_layer_damaged(folder: Path) -> None:
    make_foreign(folder / layer_name(0))
    with pytest.raises(DamagedTableError, match=layer_name(0)):
        tables.open(SMALL, folder.parent)
    assert tables.find_tables(SMALL, folder.parent) is None


def test_no_tables(tmp_path: Path) -> None:
    with pytest.raises(TablesError, match="no table for abapa"):
        tables.open("abapa", tmp_path)
    assert tables.find_tables("abapa", tmp_path / "nowhere") is None


def test_large_files_are_checked_when_they_change(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from awale.tables import table

    checked: list[str] = []
    real = layer_file.check_bytes
    monkeypatch.setattr(table, "ALWAYS_CHECKED", 0)
    monkeypatch.setattr(layer_file, "check_bytes", lambda path, *rest: (checked.append(path.name), real(path, *rest)))
    tables.open(SMALL, folder.parent)
    assert len(checked) == SEEDS + 1
    tables.open(SMALL, folder.parent)
    assert len(checked) == SEEDS + 1
    spoil_byte(folder / layer_name(6))
    assert tables.open(SMALL, folder.parent).seeds == 5
    assert checked[-1] == layer_name(6)
    assert tables.open(SMALL, folder.parent).seeds == 5
    assert checked[-2:] != [layer_name(6)] * 2


def test_damage_to_a_file_too_large_to_read_is_remembered(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from awale.tables import table
    from awale.tables.verify import verify

    monkeypatch.setattr(table, "ALWAYS_CHECKED", 0)
    monkeypatch.setattr(table, "_fits_memory", lambda size: False)
    sound = (folder / layer_name(6)).read_bytes()
    spoil_byte(folder / layer_name(6))
    with monkeypatch.context() as unread:
        unread.setattr(layer_file, "check_bytes", lambda *rest: pytest.fail("a file was read whole"))
        assert tables.open(SMALL, folder.parent).seeds == SEEDS
        assert not tables.plan(SMALL, SEEDS, dir=folder.parent).missing
    (problem,) = verify(SMALL, dir=folder.parent).problems
    with monkeypatch.context() as unread:
        unread.setattr(layer_file, "check_bytes", lambda *rest: pytest.fail("a file was read whole"))
        opened = tables.open(SMALL, folder.parent)
        assert opened.seeds == 5
        assert opened.refused == (problem,)
        assert tables.plan(SMALL, SEEDS, dir=folder.parent).missing == (6,)
    assert list(tables.build(SMALL, SEEDS, dir=folder.parent, threads=1).layers) == [6]
    assert (folder / layer_name(6)).read_bytes() == sound
    assert tables.open(SMALL, folder.parent).seeds == SEEDS


def test_rules_that_agree_share_their_tables(folder: Path) -> None:
    assert tables.open("awari:pits=3,seeds=2,notation=left", folder.parent).seeds == SEEDS
    with pytest.raises(TablesError):
        tables.open("awari:pits=3,no_move=nobody", folder.parent)


def test_going_on_from_a_smaller_table(folder: Path, tmp_path: Path) -> None:
    done = tables.build(SMALL, SEEDS + 2, dir=folder.parent, threads=2)
    assert list(done.layers) == [SEEDS + 1, SEEDS + 2]
    tables.build(SMALL, SEEDS + 2, dir=tmp_path / "fresh", threads=1)
    assert bytes_of(folder) == bytes_of(folder_for(get(SMALL), tmp_path / "fresh"))
    assert not tables.build(SMALL, SEEDS + 2, dir=folder.parent).layers


def test_leftovers_are_swept_away(folder: Path) -> None:
    half_written = folder / f".{layer_name(9)}.12345.tmp"
    half_written.write_bytes(b"x" * PAGE)
    tables.build(SMALL, SEEDS + 1, dir=folder.parent, threads=1)
    assert not half_written.exists()


def test_a_failed_write_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full_disk(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(TablesError, match="No space left"):
        tables.build(SMALL, SEEDS + 1, dir=folder.parent, threads=1)
    assert sorted(path.name for path in folder.glob("*layer*")) == [layer_name(seeds) for seeds in range(SEEDS + 1)]


def test_room_is_checked_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "memory_available", lambda: 1 << 20)
    with pytest.raises(InsufficientResourcesError, match="not enough memory"):
        tables.build("awari", 12, dir=tmp_path)
    monkeypatch.setattr(resources, "memory_available", lambda: None)
    monkeypatch.setattr(resources, "disk_available", lambda folder: 1000)
    with pytest.raises(InsufficientResourcesError, match="not enough disk"):
        tables.build("awari", 12, dir=tmp_path)
    assert not list(tmp_path.rglob("layer-*"))


def test_memory_is_what_was_promised() -> None:
    """Three bytes a position of the last layer and one below it, and some for the tables of moves."""
    for name in ("awari", "abapa", "wikipedia"):
        promised = 3 * 193_536_720 + 354_817_320
        assert resources.memory_needed(get(name), 22) < promised + (110 << 20)


def test_bad_requests(tmp_path: Path) -> None:
    for rules, seeds, options, words in (
        ("tricolor", 5, {}, "three-colour games"),
        ("awari:pits=7", 5, {}, "7 pits"),
        ("awari", -1, {}, "0 to 48"),
        ("awari", 49, {}, "0 to 48"),
        ("awari", 3, {"threads": 0}, "thread"),
        ("awari", 3, {"device": "abacus"}, "abacus"),
        ("ghana", 3, {"device": "cuda"}, "one-lap"),
    ):
        with pytest.raises(TablesError, match=words):
            tables.build(rules, seeds, dir=tmp_path, **options)  # type: ignore[arg-type]


def test_one_builder_a_folder(folder: Path) -> None:
    from awale.tables.folders import building

    with building(folder), pytest.raises(TablesError, match="another build"):
        tables.build(SMALL, SEEDS + 1, dir=folder.parent)


BUILD = """
import sys
from awale import tables
tables.build(sys.argv[1], int(sys.argv[2]), dir=sys.argv[3], threads=2, progress=lambda _: print("on", flush=True))
"""


def kill_and_resume(tmp_path: Path, name: str, seeds: int, times: int, seed: int) -> None:
    whole = tmp_path / "whole"
    killed = tmp_path / "killed"
    command = [sys.executable, "-c", BUILD, name, str(seeds)]
    done = subprocess.run([*command, str(whole)], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    reports = done.stdout.count(b"on")
    chosen = random.Random(seed)
    died = 0
    for _ in range(times):
        with subprocess.Popen(
            [*command, str(killed)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
        ) as process:
            assert process.stdout
            for _ in range(chosen.randint(1, max(1, reports // 2))):
                process.stdout.readline()
            process.send_signal(signal.SIGKILL)
        died += process.returncode == -signal.SIGKILL
        # Whatever the moment, what has the right name is whole.
        found = tables.find_tables(name, killed)
        assert found is None or not found.refused
    assert died
    tables.build(name, seeds, dir=killed)
    assert bytes_of(folder_for(get(name), killed)) == bytes_of(folder_for(get(name), whole))


def test_killed_and_resumed(tmp_path: Path) -> None:
    kill_and_resume(tmp_path, "awari", 10, 3, 1)


@pytest.mark.slow
def test_killed_twenty_times_and_resumed(tmp_path: Path) -> None:
    kill_and_resume(tmp_path, "awari", 14, 20, 2)
    kill_and_resume(tmp_path, "abapa", 13, 20, 3)


def test_interrupted_by_the_user(tmp_path: Path) -> None:
    """Ctrl-C in the middle of a layer: everything finished stays."""

    def interrupt(status: tables.Status) -> None:
        if status.layer == 9 and status.sweeps >= 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tables.build("awari", 10, dir=tmp_path, threads=2, progress=interrupt)
    assert tables.open("awari", tmp_path).seeds == 8
    assert list(tables.build("awari", 10, dir=tmp_path).layers) == [9, 10]


LOOK = """
import json, sys
from awale import tables
opened = tables.open(sys.argv[1], sys.argv[2])
print(json.dumps([opened.seeds, opened.probe_halves((1, 1, 1, 1, 1, 2), (0, 0, 1, 0, 0, 0))]), flush=True)
lines = [line for line in open("/proc/self/smaps").read().split("VmFlags") if "layer-08" in line]
print(json.dumps(lines[0] if lines else ""), flush=True)
sys.stdin.readline()
"""


@pytest.mark.skipif(not Path("/proc/self/smaps").exists(), reason="needs Linux to look at mappings")
def test_two_processes_share_one_mapping(made: Make) -> None:
    opened = made("awari", 12)
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", LOOK, "awari", str(opened.folder.parent)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for process in processes:
        assert process.stdout
        seeds, value = json.loads(process.stdout.readline())
        assert seeds >= 12
        assert value == list(opened.probe_halves((1, 1, 1, 1, 1, 2), (0, 0, 1, 0, 0, 0)) or ())
        # Mapped from the file, and not copied: no private page of it was ever written.
        mapping = json.loads(process.stdout.readline())
        assert "layer-08" in mapping
        assert "Private_Dirty:         0 kB" in mapping
    for process in processes:
        process.communicate("\n")
        assert process.returncode == 0
