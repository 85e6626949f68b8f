"""Compiled code is kept between processes, never served stale, and says so once when it must be made."""

from __future__ import annotations

import os
from pathlib import Path

import awale
from awale.kernels import jit
from tests.kernels.copies import copy_package, run

PROGRAM = """
from awale import Game
from awale.kernels import convert, jit, lap
k, state = convert.pack_game(Game("abapa"))
print(lap.stopped(k, state, 1), len(jit.announcer.compiled))
"""


@jit.jit
def _sum(one: int, two: int) -> int:
    return one + two


@jit.jit(forceinline=True)
def _factorial(n: int) -> int:
    return 1 if n < 2 else n * _factorial(n - 1)


@jit.jit
def _whole(n: int) -> int:
    found = 0
    for _ in range(2):
        found = _sum(found, 1)  # at first a constant
    return _sum(_sum(n, 2), found) + _factorial(n)


def test_a_called_function_is_compiled_once_and_has_no_code_of_its_own() -> None:
    assert _whole(5) == 5 + 2 + 2 + 120
    for called in (_sum, _factorial):
        assert len(called.part.signatures) == 1, "once, whatever the constants"
        assert called.signatures == []
    assert _sum(2, 3) == 5  # from Python: on its own
    assert _factorial(4) == 24
    assert len(_sum.signatures) == len(_factorial.signatures) == 1


def test_a_change_of_a_called_function_is_seen(tmp_path: Path) -> None:
    """`lap.stopped` calls `endings.stop_code`, which lies in another file: Numba alone would not look there."""
    package, cache = copy_package(tmp_path), tmp_path / "cache"
    first = run(PROGRAM, package, cache).stdout.split()
    assert first[0] == "0"
    assert int(first[1]) > 0
    assert run(PROGRAM, package, cache).stdout.split() == ["0", "0"]  # from the cache

    called = package / "kernels" / "endings.py"
    text = called.read_text()
    assert text.count("seeds > k.few:\n        return 0\n") == 1
    called.write_text(text.replace("seeds > k.few:\n        return 0\n", "seeds > k.few:\n        return 7\n"))
    assert run(PROGRAM, package, cache).stdout.split()[0] == "7"

    called.write_text(text)  # and back: the old folder is still there
    assert run(PROGRAM, package, cache).stdout.split() == ["0", "0"]


def test_a_cache_is_shared_by_several_installations(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    first, second = (copy_package(tmp_path / name) for name in ("one", "two"))
    for file in second.rglob("*.py"):
        os.utime(file, (1, 1))
    assert int(run(PROGRAM, first, cache).stdout.split()[1]) > 0
    assert run(PROGRAM, second, cache).stdout.split() == ["0", "0"]


def test_the_hash_sees_every_source_of_compiled_code(tmp_path: Path) -> None:
    copy = copy_package(tmp_path)
    seen = {jit.sources_hash(copy)}
    assert jit.sources_hash(copy) in seen
    for changed in ("kernels/bits.py", "rules/description.py"):
        with (copy / changed).open("a") as file:
            file.write("\n")
        seen.add(jit.sources_hash(copy))
    (copy / "kernels" / "new.py").write_text("")
    seen.add(jit.sources_hash(copy))
    assert len(seen) == 4


def test_compiling_is_announced_once_in_one_line(tmp_path: Path) -> None:
    package = copy_package(tmp_path)
    told = run(PROGRAM, package, tmp_path / "cache", LC_ALL="C").stderr
    assert told.count("\n") == 1
    assert "awale warmup" in told
    assert run(PROGRAM, package, tmp_path / "cache", LC_ALL="C").stderr == ""
    assert run(PROGRAM, package, tmp_path / "other", AWALE_QUIET="1").stderr == ""


def test_a_cache_that_cannot_be_written_does_no_harm(tmp_path: Path) -> None:
    file_in_the_way = tmp_path / "cache"
    file_in_the_way.write_text("")
    done = run(PROGRAM, Path(awale.__file__).parent, file_in_the_way)
    assert done.stdout.split()[0] == "0"
    assert "Traceback" not in done.stderr


def test_a_full_disk_does_no_harm(tmp_path: Path) -> None:
    full = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))"
    done = run(f"{full}\n{PROGRAM}", Path(awale.__file__).parent, tmp_path)
    assert done.stdout.split()[0] == "0"
    assert run(PROGRAM, Path(awale.__file__).parent, tmp_path).stdout.split()[0] == "0"


def test_old_folders_go_but_not_those_in_use(tmp_path: Path) -> None:
    now = 1_000_000_000
    for age in range(8):
        folder = tmp_path / f"age{age}"
        folder.mkdir()
        (folder / "code").write_text("")
        os.utime(folder, (now - age, now - age))
    jit.prune(tmp_path, kept=5)
    assert {f.name for f in tmp_path.iterdir()} == {f"age{age}" for age in range(5)}
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    jit.prune(tmp_path, kept=0)
    assert [f.name for f in tmp_path.iterdir()] == ["fresh"]
    jit.prune(tmp_path / "missing")


def test_importing_awale_loads_no_compiler(tmp_path: Path) -> None:
    program = "import sys, awale, awale.cli.kernels; print(sorted({'numba', 'numpy'} & set(sys.modules)))"
    assert run(program, Path(awale.__file__).parent, tmp_path).stdout.strip() == "[]"
