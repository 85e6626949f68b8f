"""Finding puzzles in games: only proven ones, the same ones every time, and nothing lost by an interruption."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from awale import Game
from awale.errors import AwaleError
from awale.notation import write_ogn
from awale.notation.records import GameRecord
from awale.rules import get
from awale.tables import compute
from awale.training.exact import ExactValues
from awale.training.make import MOST_IN_A_GAME, Collection, Finder, Wanted, self_play
from awale.training.puzzle import Puzzle, write_puzzles
from awale.training.themes import leading_theme, themes_of
from awale.training.verify import verify
from awale.training.work import Making, Settings, Step, WorkFile, file_games, self_play_games, store_games

SETTINGS = Settings(get("casabianca"), count=3, most_seeds=8, table_seeds=8)


@pytest.fixture(scope="module")
def finder() -> Finder:
    rules = get("casabianca")
    return Finder(rules, ExactValues(rules, compute(rules, 8)), Wanted(8))


class Stopped(Exception):
    """An interruption."""


def made(settings: Settings, path: Path, stop_after: int | None = None, concurrency: int = 1) -> list[Puzzle]:
    def tell(step: Step) -> None:
        if step.games == stop_after:
            raise Stopped

    work = WorkFile(path, settings)
    making = Making(settings, work, concurrency=concurrency)
    try:
        making.run(self_play_games(settings), tell)
    except Stopped:
        pass
    finally:
        work.close()
    return making.collection.result()


def test_puzzles_of_games_are_verified_by_another_method(finder: Finder) -> None:
    found = [puzzle for number in range(4) for puzzle in finder.in_game(self_play(get("casabianca"), 5, number))]
    assert found
    for puzzle in found:
        assert verify(puzzle)
        assert len(puzzle.decisions[0].values) >= 2
    assert len(found) <= 4 * MOST_IN_A_GAME


def test_a_position_with_two_good_moves_or_one_legal_move_is_no_puzzle(finder: Finder) -> None:
    assert finder.at(Game("casabianca", start="0-0-0-0-0-1-0-0-0-0-0-1-22-24-S")) is None
    assert finder.at(Game("casabianca", start="0-0-0-0-1-1-1-1-0-0-0-0-30-14-S")) is None


@pytest.mark.parametrize("preset", ["awari", "abapa", "ghana", "upsti", "tricolor"])
def test_every_family_of_rules_has_exact_values(preset: str) -> None:
    rules = get(preset)
    tables = None if rules.coloured else compute(rules, 5)
    finder = Finder(rules, ExactValues(rules, tables, nodes=5000), Wanted(16 if rules.coloured else 7))
    for number in range(2):
        for puzzle in finder.in_game(self_play(rules, 3, number)):
            puzzle.check()
            assert puzzle.source in ("table", "proof")


def test_the_same_settings_give_the_same_puzzles_also_after_an_interruption(tmp_path: Path) -> None:
    whole = made(SETTINGS, tmp_path / "whole.work")
    assert len(whole) == SETTINGS.count
    made(SETTINGS, tmp_path / "cut.work", stop_after=1)
    with (tmp_path / "cut.work").open("ab") as file:
        file.write(b'[{"id": "cut o')
    assert made(SETTINGS, tmp_path / "cut.work") == whole
    assert (tmp_path / "cut.work").read_bytes() == (tmp_path / "whole.work").read_bytes()
    # A finished run is not done again, and another number of puzzles may be asked for.
    assert made(SETTINGS, tmp_path / "whole.work") == whole
    assert len(made(replace(SETTINGS, count=1), tmp_path / "whole.work")) == 1


def test_several_processes_give_the_same_puzzles(tmp_path: Path) -> None:
    alone = made(SETTINGS, tmp_path / "alone.work")
    assert made(SETTINGS, tmp_path / "two.work", concurrency=2) == alone
    assert (tmp_path / "two.work").read_bytes() == (tmp_path / "alone.work").read_bytes()


def test_a_work_file_of_other_settings_or_damaged_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.work"
    made(SETTINGS, path, stop_after=1)
    before = path.read_bytes()
    with pytest.raises(AwaleError, match="other settings"):
        WorkFile(path, replace(SETTINGS, seed=2))
    path.write_bytes(before + b'[{"id": 3}]\n')
    with pytest.raises(AwaleError, match=r"not a work file .*\(line"):
        WorkFile(path, SETTINGS)
    assert path.read_bytes().startswith(before)
    WorkFile(path, replace(SETTINGS, seed=2), fresh=True).close()
    assert b'"seed":2' in path.read_bytes()


def test_games_of_a_file_and_of_the_store(tmp_path: Path) -> None:
    from awale.store import Store, StoredGame

    games = [self_play(get("casabianca"), 5, number) for number in range(2)]
    other = Game("ghana", moves="3")
    write_ogn([GameRecord.from_game(game) for game in (games[0], other, games[1])], tmp_path / "games.ogn")
    read = file_games(tmp_path / "games.ogn", get("casabianca"))
    assert [game().moves for game in read(0)] == [game.moves for game in games]
    assert [game().moves for game in read(1)] == [games[1].moves]
    store = Store(f"sqlite:///{tmp_path / 'games.sqlite'}")
    with store.transaction() as session:
        for game in (games[0], other, games[1]):
            row = store.games.add(session, StoredGame(rules=game.rules, moves=" ".join(map(str, game.moves))))
            assert row.id
    stored = store_games(store, get("casabianca"))
    assert [game().moves for game in stored(0)] == [game.moves for game in games]
    assert [game().moves for game in stored(1)] == [games[1].moves]
    store.close()


def test_a_collection_prefers_variety_and_fills_up_only_at_the_end() -> None:
    from awale.training import puzzles

    easy = [puzzle for puzzle in puzzles("casabianca") if leading_theme(puzzle.themes) == "single-capture"][:8]
    collection = Collection(10)
    collection.add(easy + easy)
    assert 0 < len(collection.chosen) < len(easy)
    assert len(collection.chosen) + len(collection.spare) == len(easy)
    assert len(collection.result(fill=True)) == len(easy)
    assert write_puzzles(collection.result())


def lines(text: str) -> Iterator[tuple[str, str, str, set[str]]]:
    for row in text.strip().splitlines():
        rules, position, moves, *themes = row.split()
        yield rules, position, moves, set(themes)


@pytest.mark.parametrize(
    ("rules", "position", "moves", "themes"),
    [
        *lines(
            """
        abapa 0-0-0-0-0-1-1-3-0-0-0-0-20-23-S F single-capture endgame-race
        abapa 0-0-0-0-0-2-1-1-3-0-0-0-20-21-S F chain-capture endgame-race
        abapa 1-0-0-0-0-4-0-0-0-0-0-0-20-23-S F feeding endgame-race
        abapa 3-0-0-0-0-4-0-0-5-0-0-0-20-16-S A waiting-move
        abapa 13-0-0-0-0-4-0-0-5-0-0-0-10-16-S A empty-granary
        abapa 1-12-0-0-0-0-0-0-5-0-0-0-14-16-S A waiting-move build-granary
        abapa 1-0-0-0-0-2-1-1-0-0-0-4-20-19-S A waiting-move
        abapa 1-0-0-0-0-2-1-1-0-0-0-0-20-23-S A waiting-move grand-slam endgame-race
        ghana 0-0-2-0-0-0-0-3-1-0-0-5-20-17-S 3 single-capture
        """
        )
    ],
)
def test_themes(rules: str, position: str, moves: str, themes: set[str]) -> None:
    game = Game(rules, start=position)
    assert set(themes_of(game, [game.parse(moves)])) == themes
