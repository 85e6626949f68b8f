"""A solver's rating, streak and file."""

from __future__ import annotations

from pathlib import Path

import pytest

from awale.errors import AwaleError
from awale.glicko import Strength
from awale.training import puzzles
from awale.training.progress import Progress, ProgressFile


def test_solver_and_puzzle_exchange_rating_once() -> None:
    progress = Progress()
    hard, easy = puzzles("casabianca")[-1], puzzles("casabianca")[0]
    assert progress.record(hard, True)
    assert progress.strength.rating > 1500
    assert progress.puzzle_strength(hard).rating < hard.rating
    before = progress.strength
    assert not progress.record(hard, False)
    assert (progress.strength, progress.streak) == (before, 1)
    assert progress.record(easy, False)
    assert progress.strength.rating < before.rating
    assert progress.puzzle_strength(easy).rating > easy.rating
    assert (progress.streak, progress.best_streak) == (0, 1)


def test_the_next_puzzle_is_new_and_near_the_solver() -> None:
    found = puzzles("casabianca")
    progress = Progress(strength=Strength(1200.0))
    first = progress.next_puzzle(found)
    assert first is not None
    assert abs(first.rating - 1200) == min(abs(p.rating - 1200) for p in found)
    progress.record(first, False)
    second = progress.next_puzzle(found)
    assert second is not None
    assert second != first
    for puzzle in found:
        progress.record(puzzle, puzzle.id != found[3].id)
    assert progress.next_puzzle(found) in (first, found[3])
    assert progress.next_puzzle(()) is None


def test_progress_is_kept_by_name_and_rules(tmp_path: Path) -> None:
    file = ProgressFile(tmp_path / "deep" / "puzzles.json")
    mine = file.load("Ama", "casabianca")
    mine.record(puzzles("casabianca")[0], True)
    file.save("Ama", "casabianca", mine)
    file.save("Kofi", "abapa", Progress())
    assert file.load("Ama", "casabianca") == mine
    assert file.load("Ama", "abapa") == Progress()


@pytest.mark.parametrize("content", ["nonsense", "[]", '{"Ama": 3}', '{"Ama": {"abapa": {"rating": [1]}}}'])
def test_a_damaged_file_is_refused_and_left_alone(tmp_path: Path, content: str) -> None:
    path = tmp_path / "puzzles.json"
    path.write_text(content)
    with pytest.raises(AwaleError, match=r"puzzles\.json"):
        ProgressFile(path).load("Ama", "abapa")
    if content[:3] != '{"A' or content == '{"Ama": 3}':
        with pytest.raises(AwaleError):
            ProgressFile(path).save("Ama", "abapa", Progress())
        assert path.read_text() == content
