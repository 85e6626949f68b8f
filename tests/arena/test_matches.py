"""Matches and tournaments: the same whatever the concurrency, resumed after a kill, never stopped by a bad player."""

from __future__ import annotations

import itertools
import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from awale.arena import Job, MatchPlan, Played, Tournament, games, play, play_match, play_tournament, time_control
from awale.arena.errors import ArenaError
from awale.arena.openings import Opening, drawn, from_file
from awale.arena.results import match_lines
from awale.arena.schedule import Sprt
from awale.arena.standings import MatchResult, unpaired
from awale.arena.workers import InProcess, Processes
from awale.game import Game
from awale.match import TimeControl, TimeControlError
from awale.notation import read_ogn, write_ogn
from awale.players import BasePlayer, Choice, PlayerClock, simple
from awale.rules import get
from awale.rules.moves import make
from tests.waiting import GUARD, until


def results(result: object) -> list[tuple[object, ...]]:
    return [(g.number, g.pair, g.seats, g.moves, g.winner, g.scores, g.reason) for g in result.games]  # type: ignore


def test_pairs_have_one_opening_and_both_sides() -> None:
    jobs = list(MatchPlan("greedy", "random", games=10, seed=4).jobs())
    assert [job.number for job in jobs] == list(range(10))
    for first, second in zip(jobs[::2], jobs[1::2], strict=True):
        assert (first.opening, first.pair) == (second.opening, second.pair)
        assert first.seats == second.seats[::-1]
        assert first.chance(0) != first.chance(1) != second.chance(0)
    assert len({job.opening for job in jobs}) == 5


def test_tournament_pairs_everybody() -> None:
    plan = Tournament(("random", "greedy", "negamax:1", "basic"), games=3)
    seats = [tuple(sorted(job.seats)) for job in plan.jobs()]
    assert len(seats) == plan.total == 18
    assert all(seats.count(pairing) == 3 for pairing in itertools.combinations(range(4), 2))
    gauntlet = Tournament(("random", "greedy", "negamax:1"), games=2, gauntlet=True)
    assert {tuple(sorted(job.seats)) for job in gauntlet.jobs()} == {(0, 1), (0, 2)}


def test_the_same_result_whatever_the_concurrency() -> None:
    plan = Tournament(("greedy", "random", "minimax:2,mixed"), rules="abapa", games=4, seed=9)
    alone = play_tournament(plan, concurrency=0)
    together = play_tournament(plan, concurrency=3)
    assert results(alone) == results(together)
    assert [rating.elo for rating in alone.ratings] == [rating.elo for rating in together.ratings]
    assert alone.complete


def test_game_without_its_pair_is_in_the_estimate_and_not_in_the_pairs() -> None:
    plan = MatchPlan("greedy", "random", rules="abapa", games=2, seed=9)
    whole = play_match(plan, concurrency=0)
    half = MatchResult(plan, whole.games[:1])
    assert (sum(whole.pentanomial), unpaired(whole.games)) == (1, (0, 0, 0))
    assert (sum(half.pentanomial), sum(unpaired(half.games))) == (0, 1)
    assert half.wins == 1
    assert 0.5 < half.estimate.los < 0.8
    assert "likelihood of superiority" in match_lines(half, "en")[1]


class _Backwards:
    """Plays like anybody, but the games come back in the wrong order, some twice."""

    def run(self, jobs: Iterator[Job]) -> Iterator[Played]:
        while batch := list(itertools.islice(jobs, 5)):
            done = [play(job) for job in reversed(batch)]
            yield from done
            yield done[0]

    def close(self) -> None:
        pass


def test_sprt_stops_at_the_same_pair_whoever_is_faster() -> None:
    plan = MatchPlan("greedy", "random", games=400, sprt=Sprt(0, 100), seed=2)
    first = play_match(plan, runner=InProcess())
    second = play_match(plan, runner=_Backwards())
    assert first.sprt is not None
    assert first.sprt.verdict == "H1"
    assert len(first.games) < 400
    assert results(first) == results(second)
    assert first.as_data()["sprt"] == second.as_data()["sprt"]


def test_journal_resumes_and_refuses_others(tmp_path: Path) -> None:
    plan = MatchPlan("greedy", "random", games=8, seed=3)
    whole = play_match(plan, concurrency=0)
    path = tmp_path / "match.jsonl"
    assert results(play_match(plan, concurrency=0, journal=path)) == results(whole)
    lines = path.read_bytes().splitlines(keepends=True)
    assert len(lines) == 9
    # Killed while it wrote the fifth game.
    path.write_bytes(b"".join(lines[:5]) + lines[5][:30])
    told: list[int] = []
    again = play_match(plan, concurrency=0, journal=path, resume=True, watch=lambda _, game: told.append(game.number))
    assert results(again) == results(whole)
    assert told == [4, 5, 6, 7]
    assert len(path.read_bytes().splitlines()) == 9
    with pytest.raises(ArenaError, match="--resume"):
        play_match(plan, concurrency=0, journal=path)
    with pytest.raises(ArenaError, match="seed"):
        play_match(MatchPlan("greedy", "random", games=8, seed=4), concurrency=0, journal=path, resume=True)
    changed = lines[3].replace(b'"scores":[', b'"scores":[1', 1)
    assert changed != lines[3]
    path.write_bytes(b"".join([*lines[:3], changed, *lines[4:]]))
    with pytest.raises(ArenaError, match=r"line 4.*checksum"):
        play_match(plan, concurrency=0, journal=path, resume=True)
    path.write_text("this is something else\n")
    with pytest.raises(ArenaError, match="not a match journal"):
        play_match(plan, concurrency=0, journal=path, resume=True)


def test_killed_and_started_again(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    command = [sys.executable, "-m", "awale", "match", "greedy", "random", "--games", "300", "--json"]
    command += ["--concurrency", "1", "--resume", str(path)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        until(lambda: path.exists() and path.read_bytes().count(b"\n") >= 20)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    kept = path.read_bytes().count(b"\n") - 1
    assert 19 <= kept < 300
    done = subprocess.run(command, capture_output=True)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["played"] == 300
    assert [game["number"] for game in answer["games"]] == list(range(300))
    straight = play_match(MatchPlan("greedy", "random", games=300), concurrency=0)
    assert [game["moves"] for game in answer["games"]] == [" ".join(game.moves) for game in straight.games]


def test_an_interrupted_match_prints_its_standings_and_can_be_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWALE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("LANG", "C.UTF-8")
    ogn, journals = tmp_path / "games.ogn", tmp_path / "data" / "matches"
    arguments = ["match", "greedy", "random", "--games", "300", "--concurrency", "1", "--ogn", str(ogn)]
    process = subprocess.Popen(
        [sys.executable, "-m", "awale", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        # Games are written as they end: whole ones, whenever somebody looks.
        until(lambda: ogn.exists() and ogn.read_text().count("[Round ") >= 5)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=GUARD)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    assert process.returncode == 130, err
    (journal,) = journals.iterdir()
    kept = journal.read_bytes().count(b"\n") - 1
    assert 5 <= kept < 300
    assert f"abapa: {kept} of 300 games" in out
    assert "95% credible interval" in out
    assert len(list(read_ogn(ogn))) == kept
    words = shlex.split(err.strip().partition("to continue: ")[2])
    assert words == ["awale", *arguments, "--resume", str(journal)]
    done = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "abapa: 300 of 300 games" in done.stdout
    assert [record.tags["Round"].partition(".")[2] for record in read_ogn(ogn)] == [str(n + 1) for n in range(300)]


class _Time:
    """A clock that only `_Bad` moves on."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


TIME = _Time()


@pytest.fixture
def controlled_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "perf_counter", TIME)


class _Bad(BasePlayer):
    """Does one thing wrong."""

    def __init__(self, how: str) -> None:
        self.name = self.how = how

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        if self.how.startswith("slow"):
            TIME.now += 0.7 if self.how == "slower" else 0.08
        if self.how == "crash":
            raise RuntimeError("out of ideas")
        move = game.legal_moves[0]
        if self.how == "illegal":
            return Choice(make(game.rules, (move.pit + 6) % 12))
        return Choice(move)


@pytest.mark.parametrize(("how", "reason"), [("slower", "time"), ("crash", "crash"), ("illegal", "illegal")])
@pytest.mark.usefixtures("controlled_time")
def test_who_breaks_the_rules_loses(monkeypatch: pytest.MonkeyPatch, how: str, reason: str) -> None:
    monkeypatch.setattr(simple, "GreedyPlayer", lambda: _Bad(how))
    control = time_control(seconds=0.3, margin=0.3)
    result = play_match(MatchPlan("random", "greedy", games=2, control=control), concurrency=0)
    assert result.wins == 2
    assert result.tallies[1].faults == {reason: 2}
    assert all(game.fault for game in result.games)
    for game in result.games:
        record = game.record(("A", "B"), get("abapa"), {})
        assert record.result == ("1-0" if game.winner == 0 else "0-1")
        assert record.ended == f"{reason}-{1 - (game.winner or 0)}"
        assert record.tags["Fault"] == game.fault


@pytest.mark.usefixtures("controlled_time")
def test_overstepping_a_little_is_counted_and_forgiven(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simple, "GreedyPlayer", lambda: _Bad("slow"))
    control = time_control(seconds=0.05, margin=60)
    plan = MatchPlan("random", "greedy", games=2, control=control, openings="plies=4", max_plies=8)
    tally = play_match(plan, concurrency=0).tallies[1]
    assert tally.faults == {}
    assert tally.overruns == tally.moves == 4
    assert tally.overrun == pytest.approx(0.03)


@pytest.mark.usefixtures("controlled_time")
def test_a_clock_runs_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simple, "GreedyPlayer", lambda: _Bad("slower"))
    plan = MatchPlan("random", "greedy", games=2, control=time_control(clock="0.02+0.01", margin=0), seed=2)
    result = play_match(plan, concurrency=0)
    assert result.tallies[1].faults.get("time") == 2
    assert time_control(clock="5+3") == TimeControl(300, 3, margin=0.5)
    for bad in ("5+", "x+y", "0+0", "-1+3", "5+3+1"):
        with pytest.raises(TimeControlError):
            time_control(clock=bad)
    with pytest.raises(ArenaError):
        time_control(seconds=1, clock="5+3")


def test_games_that_go_round_end_by_agreement() -> None:
    # Two seeds chase each other for ever where nothing ends a cycle.
    rules = get("casabianca")
    job = Job(0, 0, (0, 1), ("greedy", "greedy"), rules, "0-0-0-0-0-1-0-0-0-0-0-1-20-20-S", (), 1, max_plies=300)
    done = play(job)
    assert done.reason in ("agreement", "no-move")
    long = play(Job(0, 0, (0, 1), ("random", "random"), get("abapa"), None, (), 1, max_plies=5))
    assert (long.reason, len(long.moves)) == ("length", 5)


def test_a_worker_that_dies_is_replaced(tmp_path: Path) -> None:
    runner = Processes(2)
    killed = False

    def watch(_: object, game: Played) -> None:
        nonlocal killed
        if not killed:
            killed = True
            busy = next(worker for worker in runner._workers if worker.job is not None)
            os.kill(busy.process.pid, signal.SIGKILL)

    plan = MatchPlan("greedy", "random", games=30, seed=6)
    result = play_match(plan, runner=runner, watch=watch)
    assert killed
    assert results(result) == results(play_match(plan, concurrency=0))
    assert runner._workers == []


def test_records_come_back_from_ogn(tmp_path: Path) -> None:
    from awale.arena import results

    result = play_tournament(Tournament(("greedy", "random"), rules="ghana", games=4), concurrency=0)
    path = tmp_path / "all.ogn"
    assert results.save_ogn(result, path) == 4
    back = list(read_ogn(path))
    assert [" ".join(map(str, record)) for record in back] == [" ".join(game.moves) for game in result.games]
    assert {record.tags["South"] for record in back} == {"greedy", "random"}
    assert back[0].tags["Event"] == "greedy - random"


def test_bad_plans_are_refused() -> None:
    with pytest.raises(ArenaError):
        Tournament(("random",))
    with pytest.raises(ArenaError):
        MatchPlan("a", "b", games=0)
    with pytest.raises(ValueError, match="nobody"):
        play_match(MatchPlan("nobody", "random"), concurrency=0)


# -- openings --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["abapa", "ghana", "tricolor", "upsti"])
def test_drawn_openings_are_distinct_and_repeatable(rules: str) -> None:
    system = get(rules)
    first = list(itertools.islice(drawn(system, 4, 7), 40))
    assert first == list(itertools.islice(drawn(system, 4, 7), 40))
    assert first != list(itertools.islice(drawn(system, 4, 8), 40))
    assert len({opening.game(system).position for opening in first}) == 40
    assert not any(opening.game(system).over for opening in first)


def test_more_openings_than_there_are_positions() -> None:
    assert len(list(itertools.islice(drawn(get("abapa"), 1, 1), 20))) == 20


def test_openings_from_files(tmp_path: Path) -> None:
    system = get("abapa")
    wanted = (Opening(None, ("F", "f", "E")), Opening(None, ("A",)))
    path = tmp_path / "book.ogn"
    write_ogn([opening.game(system) for opening in wanted], path)
    assert from_file(path, system) == wanted
    path = tmp_path / "book.txt"
    path.write_text("# two ways\nF f E  # +0.1 x\n\nA\n4-4-4-4-4-4-4-4-4-4-4-4-0-0-N moves f\n")
    found = from_file(path, system)
    assert found[:2] == wanted
    assert found[2].start == "4-4-4-4-4-4-4-4-4-4-4-4-0-0-N"
    jobs = list(MatchPlan("random", "random", games=8, openings=str(path)).jobs())
    assert [job.opening for job in jobs[::2]] == [("F", "f", "E"), ("A",), ("f",), ("F", "f", "E")]
    for bad in ("Z\n", "\n", "0-0-0-0-0-0-0-0-0-0-0-0-24-24-S\n", "9-9-9\n"):
        path.write_text(bad)
        with pytest.raises(ArenaError, match=r"book\.txt"):
            from_file(path, system)
