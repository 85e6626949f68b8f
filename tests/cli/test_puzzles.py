"""`awale puzzles`: solving line by line, lists, files of one's own, what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from awale.training import Solve, puzzle_of_the_day, puzzles, shipped, write_puzzles
from awale.training.progress import ProgressFile

LONG = next(puzzle for puzzle in puzzles("casabianca") if len(puzzle.decisions) > 1)
OWN = [move for move, player in zip(LONG.line, (LONG.side, 1 - LONG.side) * 32, strict=False) if player == LONG.side]


def test_a_puzzle_is_solved_and_counted_for_a_name(awale_: Callable) -> None:
    said = awale_("puzzles", "solve", LONG.id, "-r", "casabianca", "--name", "Ama", typed="\n".join(OWN) + "\n")
    assert said.code == 0
    assert "Solved at the first try!" in said.out
    assert "Streak: 1." in said.out
    progress = ProgressFile().load("Ama", "casabianca")
    assert progress.tried == {LONG.id: True}
    again = awale_("puzzles", "solve", LONG.id, "-r", "casabianca", "--name", "Ama", typed="\n".join(OWN) + "\n")
    assert "counted before" in again.out
    assert ProgressFile().load("Ama", "casabianca") == progress


def test_a_wrong_move_is_refuted_on_the_board_and_hints_are_given(awale_: Callable) -> None:
    wrong = next(move for move in LONG.decisions[0].values if move != LONG.line[0])
    typed = "\n".join(["help", "nonsense", wrong, "hint", "hint", "board", *OWN]) + "\n"
    said = awale_("puzzles", "solve", LONG.id, "-r", "casabianca", "--plain", typed=typed).out
    solve = Solve(LONG)
    assert solve.play(wrong).sentence().split(". ")[0] in " ".join(said.split())
    assert f"The move is {LONG.line[0]}." in said
    assert "Try again." in said
    assert "Solved." in said
    assert "Streak: 0." in said


def test_leaving_counts_only_what_was_tried(awale_: Callable) -> None:
    assert "Your rating is 1500" in awale_("puzzles", "solve", typed="quit\n").out
    assert ProgressFile().load("", "abapa").tried == {}
    assert "The solution:" in awale_("puzzles", "solve", "-r", "ghana", typed="resign\nquit\n").out
    assert list(ProgressFile().load("", "ghana").tried.values()) == [False]


def test_in_french(awale_: Callable) -> None:
    said = awale_("puzzles", "solve", LONG.id, "-r", "casabianca", "--lang", "fr", typed="conseil\nquitter\n").out
    assert "Votre classement" in said
    assert "À chercher" in said


def test_lists_and_days(awale_: Callable) -> None:
    listed = json.loads(awale_("puzzles", "list", "-r", "casabianca", "--json").out)
    assert [entry["id"] for entry in listed] == [puzzle.id for puzzle in puzzles("casabianca")]
    table = awale_("puzzles", "list", "-r", "casabianca", "--rating", "1000-1400").out.splitlines()
    assert len(table) == 1 + len(puzzles("casabianca", rating=(1000, 1400)))
    import datetime

    day = puzzle_of_the_day("awari", datetime.date(2026, 3, 14))
    shown = awale_("puzzles", "show", "-r", "awari", "--day", "2026-03-14", "--solution").out
    assert day.id in shown
    assert f"The solution: {' '.join(day.line)}." in shown
    assert json.loads(awale_("puzzles", "show", day.id, "-r", "awari", "--json").out) == day.as_json()


def test_a_file_of_ones_own(awale_: Callable, tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text(write_puzzles([LONG]))
    assert LONG.id in awale_("puzzles", "list", "-r", "casabianca", "--file", str(file)).out
    wrong = LONG.as_json() | {"line": [next(move for move in LONG.decisions[0].values if move != LONG.line[0])]}
    file.write_text(write_puzzles(puzzles("casabianca")[:1]) + json.dumps(wrong) + "\n")
    before = file.read_bytes()
    for command in (["list", "-r", "casabianca", "--file"], ["verify"]):
        said = awale_("puzzles", *command, str(file))
        assert said.code == 2
        assert said.err.count("\n") == 1
        assert "mine.jsonl: line 2: wrong solution" in said.err
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["list", "--theme", "nonsense"], "unknown theme"),
        (["list", "--rating", "high"], "range of ratings"),
        (["list", "--rating", "9000-"], "no puzzle fits"),
        (["list", "-r", "ghana-basic"], "no puzzles are shipped"),
        (["list", "--file", "missing.jsonl"], "missing.jsonl"),
        (["show"], "name a puzzle or a day"),
        (["show", "nonsense"], "no puzzle 'nonsense'"),
        (["show", "--day", "someday"], "is no date"),
        (["make", "out.jsonl", "--from", "missing.ogn"], "no such file"),
        (["make", "out.jsonl", "--from", "x.ogn", "--store"], "one source"),
        (["verify", "missing.jsonl"], "missing.jsonl"),
    ],
)
def test_bad_input_is_answered_with_a_sentence(
    awale_: Callable, arguments: list[str], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = awale_("puzzles", *arguments)
    assert said.code == 2
    assert reason in said.err
    assert said.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_making_verifying_and_resuming(awale_: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from awale.training import work

    out = tmp_path / "mine.jsonl"
    command = ["puzzles", "make", str(out), "-r", "casabianca", "--count", "8", "--seeds", "7", "--tables", "7"]
    command += ["--concurrency", "1"]
    real, looked = work.self_play_games, []

    def interrupted(settings: work.Settings, most: int | None = None) -> work.Games:
        def games(first: int) -> work.Iterator:
            for game in real(settings, most)(first):
                if looked:
                    raise KeyboardInterrupt
                looked.append(game)
                yield game

        return games

    monkeypatch.setattr(work, "self_play_games", interrupted)
    said = awale_(*command)
    assert said.code == 130
    assert "run the same command to resume" in said.err
    assert out.with_name("mine.jsonl.work").exists()
    monkeypatch.setattr(work, "self_play_games", real)
    said = awale_(*command)
    assert said.code == 0
    assert "resuming after 1 game" in said.err
    assert "8 puzzles written" in said.err
    assert list(tmp_path.glob("*.jsonl*")) == [out]
    said = awale_("puzzles", "verify", str(out))
    assert (said.code, said.out) == (0, "verified: 8, wrong: 0, not settled: 0\n")
    assert awale_("puzzles", "verify", "casabianca", "--sample", "1").out.startswith("verified: 1,")
    assert shipped("casabianca")


def test_progress_is_carried_in_a_file_and_nothing_is_lost(awale_: Callable, tmp_path: Path) -> None:
    first, second = puzzles("casabianca")[:2]
    for name, puzzle in (("Ama", first), ("Kofi", second)):
        progress = ProgressFile().load(name, "casabianca")
        progress.record(puzzle, True)
        ProgressFile().save(name, "casabianca", progress)
    file = tmp_path / "progress.jsonl"
    assert "1 puzzle tried" in awale_("puzzles", "export", str(file), "--name", "Ama").err
    assert awale_("puzzles", "export", "-", "--name", "Ama").out == file.read_text()
    with file.open("a") as more:
        more.write('{"lesson":"opening","solved":[]}\n')
    said = awale_("puzzles", "import", str(file), "--name", "Kofi")
    assert (said.code, "1 puzzle added" in said.err, "1 lesson" in said.err) == (0, True, True)
    assert ProgressFile().load("Kofi", "casabianca").tried == {first.id: True, second.id: True}
    before = ProgressFile().path.read_bytes()
    with file.open("a") as more:
        more.write('{"rules":"casabianca","rating":[1]}\n')
    refused = awale_("puzzles", "import", str(file), "--name", "Kofi")
    assert refused.code == 2
    assert "line 4" in refused.err
    assert ProgressFile().path.read_bytes() == before
