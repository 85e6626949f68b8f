"""Endless sowings: the compiled walks against plain Python, and the figures that are known."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from awale import Game, checksums
from awale.cli import main
from awale.errors import AwaleError, PositionError
from awale.kernels import convert
from awale.kernels.jit import COMPILER_OFF
from awale.loops import census as census_module
from awale.loops import sample as sample_module
from awale.loops import walk
from awale.loops.census import Census, CensusError, board_number, boards, starts_in_all, take_census
from awale.loops.known import Count, known
from awale.loops.picture import rarity_svg
from awale.loops.sample import interval, sample_boards, sample_games, sample_random_games
from awale.loops.sowing import follow, read_board
from awale.rules import get
from awale.rules.reference import sow_relay


def plain_census(pits: int, seeds: int) -> tuple[int, int, Counter[int], int]:
    """All starts, the endless ones, rings by length, the longest finite relay: by walking every start."""
    total, endless, longest = 0, 0, 0
    lengths: Counter[int] = Counter()
    for board in product(range(seeds + 1), repeat=pits):
        if sum(board) != seeds:
            continue
        for pit in range(pits):
            if board[pit]:
                total += 1
                _, laps, period, _ = sow_relay(list(board), pit)
                if period:
                    endless += 1
                    lengths[period] += 1
                else:
                    longest = max(longest, laps)
    # A ring of n laps was met at each of its n starts.
    return total, endless, Counter({n: count // n for n, count in lengths.items()}), longest


SIZES = [(2, 1), (2, 4), (2, 9), (4, 3), (4, 5), (4, 8), (6, 5)]
SIZES += [] if COMPILER_OFF else [(4, 12), (6, 8), (6, 9), (8, 6)]


@pytest.mark.parametrize(("pits", "seeds"), SIZES)
def test_census_agrees_with_plain_python(pits: int, seeds: int) -> None:
    found = take_census(pits, seeds, threads=1)
    assert found.complete
    assert (found.total, found.endless, found.lengths, found.longest) == plain_census(pits, seeds)
    board = list(found.longest_board)
    assert sow_relay(board, 0)[1:3] == (found.longest, None)
    if found.endless:
        length, ring = found.longest_ring
        assert length == max(found.lengths)
        assert follow(ring, 0).period == length


def test_twelve_pits() -> None:
    """None with 8 seeds or fewer; with 9 one ring of 72 laps, through all 72 starts."""
    for seeds in range(1, 5 if COMPILER_OFF else 9):
        assert take_census(12, seeds).endless == 0
    if not COMPILER_OFF:
        found = take_census(12, 9)
        assert (found.endless, dict(found.lengths), found.total) == (72, {72: 1}, 906_984)


def test_the_number_of_threads_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(census_module, "CHUNK", 37)
    monkeypatch.setattr(census_module, "MOST_RINGS", 2)
    seeds = 8 if COMPILER_OFF else 20
    one, many = (take_census(4, seeds, threads=threads).as_dict() for threads in (1, 3))
    assert one | {"seconds": 0} == many | {"seconds": 0}
    monkeypatch.undo()
    assert take_census(4, seeds, threads=1).as_dict() | {"seconds": 0} == one | {"seconds": 0}


class _StopAfter:
    """Interrupts a census after so many reports, and keeps what was saved."""

    def __init__(self, reports: int) -> None:
        self.reports = reports
        self.states: list[str] = []

    def __call__(self, census: Census, stage: str) -> None:
        self.states.append(json.dumps(census.state()))
        if len(self.states) == self.reports:
            raise KeyboardInterrupt


def test_a_census_goes_on_where_it_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(census_module, "CHUNK", 50)
    seeds = 8 if COMPILER_OFF else 20
    whole = take_census(4, seeds, threads=2)
    for stop_after in (1, 5, 13):
        stopping = _StopAfter(stop_after)
        with pytest.raises(KeyboardInterrupt):
            take_census(4, seeds, threads=2, report=stopping)
        earlier = Census.from_state(json.loads(stopping.states[-1]))
        assert not earlier.complete
        again = take_census(4, seeds, threads=2, resume=earlier)
        assert again.as_dict() | {"seconds": 0} == whole.as_dict() | {"seconds": 0}


def test_a_census_without_rings() -> None:
    found = take_census(4, 8, rings=False)
    assert (found.endless, found.as_dict()["rings"]) == (12, None)
    assert found.complete


@pytest.mark.parametrize(("pits", "seeds"), [(2, 3), (4, 5), (6, 4)])
def test_boards_come_in_the_order_of_their_numbers(pits: int, seeds: int) -> None:
    k = convert.pack_rules(get(f"ghana:pits={pits // 2},seeds=1"))
    parts = pits - 1
    count = boards(parts, seeds)
    listed = [board_number(n, parts, seeds) for n in range(count)]
    assert len({tuple(board) for board in listed}) == count
    assert all(sum(board) == seeds for board in listed)
    now = np.array([1, *listed[0]], np.int64)
    words = walk.words_of(k, now)
    for board in listed[1:]:
        words = walk.next_board(k, now, *words)
        assert list(now) == [1, *board]
        assert tuple(words) == tuple(walk.words_of(k, now))


def test_starts_in_all() -> None:
    for pits, seeds in ((2, 3), (4, 4), (6, 3)):
        counted = sum(
            sum(1 for n in board if n) for board in product(range(seeds + 1), repeat=pits) if sum(board) == seeds
        )
        assert starts_in_all(pits, seeds) == counted
    assert starts_in_all(4, 0) == 0


# -- one sowing ------------------------------------------------------------------------------------------------------


def test_the_two_boards_of_the_article() -> None:
    small = follow((1, 2, 0, 2), 1)
    assert (small.period, small.after, small.last) == (8, (1, 2, 0, 2), 1)
    assert small.boards[-1] == ((1, 2, 0, 2), 1)
    assert len(set(small.boards)) == 8
    if not COMPILER_OFF:
        large = follow(read_board("1-6-3-11-1-0-6-0-4-1-2-11-0-0-N"), 10)
        assert (large.period, large.boards) == (50_636, ())


def test_a_sowing_that_ends() -> None:
    found = follow((4,) * 12, 2)
    assert (found.period, found.laps) == (None, 5)
    assert [pit + 1 for _, pit in found.boards] == [7, 12, 5, 11, 5]
    assert found.as_dict()["laps"] == 5


@pytest.mark.parametrize("pits", [2, 4, 12, 14, 24])
def test_any_sowing_agrees_with_the_reference(pits: int) -> None:
    import random

    chance = random.Random(pits)
    for _ in range(3 if COMPILER_OFF else 40):
        board = [0] * pits
        for _ in range(chance.randrange(1, 2 * pits)):
            board[chance.randrange(pits)] += 1
        pit = chance.choice([i for i in range(pits) if board[i]])
        after = list(board)
        last, laps, period, _ = sow_relay(after, pit)
        found = follow(board, pit)
        assert (found.after, found.last, found.laps, found.period) == (tuple(after), last, laps, period)


@pytest.mark.skipif(COMPILER_OFF, reason="millions of laps")
def test_what_is_known_is_true() -> None:
    """All small counts again, and the longest period of each large one."""
    assert len(known()) >= 240
    assert known()[12, 48][2:6] == (1_362_667_896, 1008, 61_475, 37_063_020)
    for (pits, seeds), count in known().items():
        if starts_in_all(pits, seeds) < 3e6:
            assert Count.of(take_census(pits, seeds)) == count
        elif count.period:
            assert sum(count.board) == seeds
            if count.period < 3e6 or (pits, seeds) == (12, 48):
                assert follow(count.board, 0).period == count.period


@pytest.mark.slow
def test_more_of_what_is_known_is_true() -> None:
    for (pits, seeds), count in known().items():
        if 3e6 <= starts_in_all(pits, seeds) < 4e9:
            assert Count.of(take_census(pits, seeds)) == count
        if count.period:
            assert follow(count.board, 0).period == count.period


@pytest.mark.parametrize(
    ("board", "pit"),
    [((1, 2, 0), 0), ((1, 2, 0, 2), 2), ((1, 2, 0, 2), 4), ((1, 2, 0, 2), -1), ((200, 200), 0), ((1,) * 26, 0)],
)
def test_what_cannot_be_sown(board: tuple[int, ...], pit: int) -> None:
    with pytest.raises(PositionError):
        follow(board, pit)


@pytest.mark.parametrize("written", ["", "1-2-3", "a-b", "1-2-3-4-5-S", "x" * 5000, "1--", "-", "S", "1-2-x-y-S"])
def test_what_is_no_board(written: str) -> None:
    with pytest.raises(AwaleError):
        read_board(written)


def test_waiting_can_be_given_up() -> None:
    if COMPILER_OFF:
        pytest.skip("compiled sowings only")

    def give_up() -> None:
        raise KeyboardInterrupt

    # A period of 899,975,416 laps: nobody waits for it here.
    with pytest.raises(KeyboardInterrupt):
        follow((20, 16, 11, 16, 18, 14, 18, 17), 0, wait=give_up)


# -- samples ---------------------------------------------------------------------------------------------------------


def same(a: sample_module.Sample, b: sample_module.Sample) -> bool:
    return a.as_dict() | {"seconds": 0} == b.as_dict() | {"seconds": 0}


@pytest.mark.parametrize("how", ["uniform", "thrown"])
def test_samples_do_not_depend_on_threads(how: sample_module.Boards, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sample_module, "CHUNK", 100)
    count = 500 if COMPILER_OFF else 20_000
    one, three = (sample_boards(6, 12, count, how=how, seed=5, threads=threads) for threads in (1, 3))
    assert same(one, three)
    assert one.starts == count
    assert one.endless
    assert not same(one, sample_boards(6, 12, count, how=how, seed=6, threads=1))
    assert follow(one.board, one.pit).period == one.period


@pytest.mark.skipif(COMPILER_OFF, reason="needs many starts")
@pytest.mark.parametrize(("pits", "seeds"), [(4, 9), (6, 12), (8, 40)])
def test_a_uniform_sample_agrees_with_the_census(pits: int, seeds: int) -> None:
    true = take_census(pits, seeds, rings=False)
    seen = sample_boards(pits, seeds, 400_000, seed=1)
    low, high = interval(seen.endless, seen.starts, sigmas=4.5)
    assert low < true.endless / true.total < high


def test_random_boards_are_what_they_should_be() -> None:
    """Uniform: every start alike. Thrown: every seed by itself, and a pit that holds some."""
    k = convert.pack_rules(get("ghana:pits=2,seeds=1"))
    from awale.kernels import rng

    def stream(seed: int, number: int) -> object:
        start = rng.stream(seed, number)
        return start if COMPILER_OFF else np.uint64(start)

    seen: Counter[tuple[int, ...]] = Counter()
    pits = np.zeros(8, np.int64)
    count = 2_000 if COMPILER_OFF else 40_000
    for number in range(count):
        walk.throw(k, 3, walk.UNIFORM, stream(1, number), pits)
        seen[tuple(map(int, pits[:4]))] += 1
    # Pit 0 has a seed, the other two lie anywhere: ten boards.
    assert len(seen) == math.comb(5, 3)
    assert all(board[0] >= 1 and sum(board) == 3 for board in seen)
    assert max(seen.values()) - min(seen.values()) < 6 * math.sqrt(count / 10)
    for number in range(200):
        walk.throw(k, 70, walk.UNIFORM, stream(2, number), pits)  # the long way, for many seeds
        assert pits[0] >= 1
        assert pits[:4].sum() == 70
        walk.throw(k, 5, walk.THROWN, stream(3, number), pits)
        assert pits[0] >= 1
        assert pits[:4].sum() == 5


def test_random_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sample_module, "GAME_CHUNK", 4)
    count = 100 if COMPILER_OFF else 20_000
    one, two = (sample_random_games(get("ghana4"), count, seed=3, threads=threads) for threads in (1, 2))
    assert same(one, two)
    assert one.starts >= count
    if not COMPILER_OFF:  # too few games there
        assert one.endless
        assert follow(one.board, one.pit).period == one.period


def test_games_of_a_player() -> None:
    rules = get("ghana4")
    found = sample_games(rules, 60, lambda game: game.legal_moves[0], "first", seed=1)
    assert found.starts >= 60
    assert found.games >= 1
    assert found.positions <= found.starts
    assert same(found, sample_games(rules, 60, lambda game: game.legal_moves[0], "first", seed=1))


def test_every_move_of_a_game_is_looked_at() -> None:
    k = convert.pack_rules(get("ghana4"))
    state = convert.pack_position(get("ghana4"), Game("ghana4", start="1-2-0-2-0-0-S").state)
    found = np.zeros(walk.SAMPLE_FIELDS, np.int64)
    assert walk.count_endless(k, state, found) == 0b01
    assert found[walk.SOWN] == 2
    assert found[walk.ENDLESS] == 1
    assert found[walk.TOP_PERIOD] == 8
    assert found[walk.TOP_PIT] == 1
    assert found[walk.WITH_ENDLESS] == 1


def test_intervals() -> None:
    assert interval(0, 0) == (0.0, 1.0)
    low, high = interval(0, 1000)
    assert low == 0
    assert 0.003 < high < 0.004
    low, high = interval(500, 1000)
    assert low < 0.5 < high
    assert interval(1000, 1000)[1] == 1.0


# -- picture and commands --------------------------------------------------------------------------------------------


def test_the_picture() -> None:
    found = [Count.of(take_census(pits, seeds)) for pits in (4, 6) for seeds in range(1, 7)]
    picture = rarity_svg(found)
    assert picture == rarity_svg(found)
    root = ElementTree.fromstring(picture)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    lines = root.findall(".//{http://www.w3.org/2000/svg}polyline")
    assert len(lines) == len({count.pits for count in found if count.endless})
    assert "Fréquence" in rarity_svg(found, "fr")
    ElementTree.fromstring(rarity_svg([]))


def test_what_is_refused() -> None:
    for pits, seeds in ((3, 4), (14, 4), (0, 4), (4, 0), (4, 241)):
        with pytest.raises(CensusError):
            take_census(pits, seeds)
    with pytest.raises((KeyError, ValueError)):
        Census.from_state({"version": 1})
    with pytest.raises(ValueError, match="another version"):
        Census.from_state({"version": 0})
    state = Census(4, 5).state()
    with pytest.raises(ValueError, match="not a census"):
        Census.from_state(state | {"chains_done": 10**9})


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AWALE_CACHE_DIR", str(tmp_path))
    return tmp_path


def test_the_commands(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["loops", "period", "--position", "1-2-0-2", "--pit", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["period"] == 8
    assert main(["loops", "period", "--position", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "--pit", "3"]) == 0
    assert "5 laps" in capsys.readouterr().out
    assert main(["loops", "census", "--pits", "4", "--seeds", "5", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["endless"] == 8
    assert main(["--lang", "fr", "loops", "census", "--pits", "4", "--seeds", "5"]) == 0
    assert "infinis" in capsys.readouterr().out
    assert main(["loops", "sample", "--pits", "4", "--seeds", "5", "--count", "1e3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["starts"] == 1000
    assert main(["loops", "sample", "--rules", "ghana4", "--play", "random", "--count", "100"]) == 0
    assert "games" in capsys.readouterr().out
    picture = cache / "rare.svg"
    assert main(["loops", "table", "--starts", "200", "--picture", str(picture)]) == 0
    assert capsys.readouterr().out.startswith("| seeds | 4 pits |")
    ElementTree.fromstring(picture.read_text(encoding="utf-8"))


def test_an_interrupted_census_is_kept(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = take_census(4, 8)
    path = cache / "loops" / "census-4-8.json"
    path.parent.mkdir()
    path.write_text(json.dumps(Census(4, 8).state()))
    assert main(["loops", "census", "--pits", "4", "--seeds", "8", "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["endless"] == whole.endless
    assert "resuming" in err
    assert not path.exists()
    state = checksums.sealed(Census(4, 8).state())
    for damaged in ("{ not json", "[]", json.dumps({**state, "stopping": state["stopping"] + 1}), json.dumps(7)):
        path.write_text(damaged)
        assert main(["loops", "census", "--pits", "4", "--seeds", "8", "--json"]) == 0
        out, err = capsys.readouterr()
        assert json.loads(out)["endless"] == whole.endless
        assert "is damaged" in err


@pytest.mark.parametrize(
    "arguments",
    [
        ["period", "--position", "1-2-0-2", "--pit", "3"],
        ["period", "--position", "nonsense", "--pit", "1"],
        ["census", "--pits", "5", "--seeds", "3"],
        ["census", "--pits", "4", "--seeds", "3", "--threads", "0"],
        ["sample", "--count", "many"],
        ["sample", "--count", "nan"],
        ["sample", "--boards", "square"],
        ["sample", "--play", "nobody"],
        ["table", "--starts", "100", "--picture", "/nowhere/at/all.svg"],
    ],
)
def test_bad_input_is_one_line(arguments: list[str], cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["loops", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.strip().count("\n") == 0


@pytest.mark.skipif(COMPILER_OFF, reason="this is that run")
def test_with_the_compiler_off() -> None:
    chosen = "plain or order or threads or article or any_sowing or random or looked_at"
    result = subprocess.run(
        [sys.executable, "-m", "pytest", __file__, "-q", "-n0", "-p", "no:cacheprovider", "-k", chosen],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=500,
    )
    assert result.returncode == 0, result.stdout + result.stderr
