"""Asking: from Python, from compiled code, with the compiler off, for games and for their moves."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from awale import Game
from awale.rules import get
from awale.tables import Tables, TablesError
from awale.tables.index import position_index, rank
from tests.waiting import until

Make = Callable[[str, int], Tables]


def random_halves(chosen: random.Random, pits: int, most: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    board = [0] * (2 * pits)
    for _ in range(chosen.randint(0, most)):
        board[chosen.randrange(2 * pits)] += 1
    return tuple(board[:pits]), tuple(board[pits:])


def word(half: tuple[int, ...]) -> int:
    return sum(seeds << (8 * pit) for pit, seeds in enumerate(half))


@pytest.mark.parametrize(
    ("name", "seeds"), [("awari", 8), ("abapa", 8), ("ghana", 6), ("upsti", 6), ("wikipedia:pits=4", 8), ("ghana4", 10)]
)
def test_compiled_probe_equals_the_plain_one(made: Make, name: str, seeds: int) -> None:
    from awale.kernels import endgame as probe

    tables = made(name, seeds)
    t = tables.table_set
    chosen = random.Random(name)
    for _ in range(2000):
        mine, theirs = random_halves(chosen, tables.rules.pits, seeds + 2)
        on_board = sum(mine) + sum(theirs)
        left = chosen.choice((0, 5, 20, 60, 250))
        value = tables.probe_halves(mine, theirs, left)
        found = probe.probe_within(t, word(mine), word(theirs), on_board, left)
        if value is None or not value.exact:
            assert found == probe.NOT_FOUND
        else:
            assert found == value.seeds
        if tables.cycles == "counted":
            assert probe.probe(t, word(mine), word(theirs), on_board) == probe.NOT_FOUND
        else:
            assert probe.probe(t, word(mine), word(theirs), on_board) == found
            wanted = (-on_board, on_board) if value is None else (value.least, value.most)
            assert probe.bounds(t, word(mine), word(theirs), on_board) == wanted


def test_no_tables_know_nothing() -> None:
    from awale.kernels import endgame as probe

    assert probe.probe(probe.NO_TABLES, 0, 0, 0) == probe.NOT_FOUND
    assert probe.probe_within(probe.NO_TABLES, 1, 1, 2, 9) == probe.NOT_FOUND
    assert probe.bounds(probe.NO_TABLES, 1, 1, 2) == (-2, 2)


COMPILER_OFF = """
import sys
from awale import tables
from awale.kernels import endgame as probe
tables.build("awari:pits=2", 4, dir=sys.argv[1], threads=1)
tables.build("abapa:pits=2", 3, dir=sys.argv[1], threads=1)
tables.build("ghana4", 4, dir=sys.argv[1], threads=1)
tables.build("upsti:pits=2", 4, dir=sys.argv[1], threads=1)
opened = tables.open("awari:pits=2", sys.argv[1])
print(probe.probe(opened.table_set, 0x0101, 0x0002, 4), opened.probe_halves((1, 1), (2, 0)).seeds)
"""


def test_with_the_compiler_off(tmp_path: object) -> None:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", COMPILER_OFF, str(tmp_path)], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr
    compiled, plain = done.stdout.split()
    assert compiled == plain


def test_asking_loads_no_compiler(made: Make) -> None:
    folder = made("awari", 6).folder.parent
    script = f"import sys; from awale import tables; t = tables.open('awari', {str(folder)!r});"
    script += "t.probe_halves((1,) * 6, (0,) * 6); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script]).returncode == 0


def test_every_position_has_its_place() -> None:
    from tests.tables import oracle

    for pits in (1, 2, 3):
        for seeds in range(6):
            boards = list(oracle.boards(2 * pits, seeds))
            places = sorted(position_index(board[:pits], board[pits:]) for board in boards)
            assert places == list(range(len(boards)))
    assert rank((2, 0, 1, 0, 3, 1)) == rank((2, 0, 1, 0, 3, 5))


def test_a_game_and_its_moves(made: Make) -> None:
    """The value of a position is the best of its moves, whatever the goal says."""
    for name in ("awari", "abapa", "wikipedia", "ghana", "casabianca"):
        tables = made(name, 8)
        chosen = random.Random(name)
        for _ in range(60):
            mine, theirs = random_halves(chosen, 6, 8)
            south = 24 - sum(mine)
            north = 24 - sum(theirs)
            side = chosen.choice("SN")
            halves = (*mine, *theirs) if side == "S" else (*theirs, *mine)
            game = Game(name, start="-".join(map(str, (*halves, south, north, side))))
            value = tables.probe(game)
            assert value is not None
            moves = tables.probe_moves(game, alone=True)
            assert list(moves) == list(game.legal_moves)
            if game.over:
                assert value == (0, True, 0, 0)
                continue
            assert max(move.seeds for move in moves.values() if move) == value.seeds or not value.exact
            assert max(move.least for move in moves.values() if move) == value.least
            assert max(move.most for move in moves.values() if move) == value.most


def test_earlier_positions_widen_the_bounds(made: Make) -> None:
    """A return to a position since the last capture ends the game: values hold only as far as it changes nothing."""
    tables = made("awari:pits=2", 12)
    played = Game("awari:pits=2,seeds=3", moves="A b B a B a A b B a")
    alone = Game(played.rules, start=played.position)
    known, said = tables.probe(alone), tables.probe(played)
    assert known is not None
    assert said is not None
    assert known.exact
    assert known.seeds < 0
    assert (said.exact, said.least, said.most) == (False, known.least, 0)  # with best play it is drawn
    after_capture = tables.probe(Game(played.rules, moves="A b"))
    assert after_capture == (2, True, 2, 2)
    # After a move even the position before it could come back, unless all pits of whoever moved last hold seeds, or
    # it is worth too much to whoever would allow that.
    begun = Game(played.rules, start="4-4-0-0-2-2-S")
    assert list(tables.probe_moves(begun).values()) == [(3, False, 0, 3), (8, True, 8, 8)]
    begun = Game(played.rules, moves="A")
    assert tables.probe_moves(begun)[begun.parse("a")] == (-3, True, -3, -3)
    assert all(value and value.exact for value in tables.probe_moves(Game(played.rules)).values())


def test_bounds_of_moves_fit_those_of_the_position(made: Make) -> None:
    """No move is worth more than the position; if only one can be worth so much, it is."""
    tables = made("awari", 8)
    lost = Game("awari", start="0-0-0-0-1-2-1-0-0-0-0-1-20-23-S")
    assert tables.probe(lost) == (-5, True, -5, -5)
    assert set(tables.probe_moves(lost).values()) == {(-5, True, -5, -5)}
    won = Game("awari", start="1-0-0-1-1-0-0-1-0-2-0-2-20-20-S")
    assert tables.probe(won) == (4, True, 4, 4)
    assert list(tables.probe_moves(won).values()) == [(4, True, 4, 4), (-8, True, -8, -8), (2, False, 0, 2)]


def test_too_many_seeds_and_other_rules(made: Make) -> None:
    tables = made("awari", 8)
    assert tables.probe(Game("awari")) is None
    assert set(tables.probe_moves(Game("awari")).values()) == {None}
    with pytest.raises(TablesError, match="this table is for awari"):
        tables.probe(Game("abapa"))


def test_a_goal_below_half_is_not_trusted(made: Make) -> None:
    """wikipedia stops at 26: with more than 51 seeds in the game, who reaches it need not be ahead."""
    tables = made("wikipedia", 8)
    ordinary = tables.probe(Game("wikipedia", start="0-0-0-0-2-1-1-0-0-0-2-0-21-21-S"))
    assert ordinary is not None
    assert ordinary.exact
    larger = tables.probe(Game("wikipedia", start="0-0-0-0-2-1-1-0-0-0-2-0-25-25-S"))
    assert larger is not None
    assert not larger.exact
    assert larger.seeds == ordinary.seeds


def test_bounds_that_meet_are_exact_only_if_the_goal_is_not_in_doubt(made: Make) -> None:
    """A goal of 25 is reached in a game of 52 seeds before one side has more than half."""
    rules = get("abapa:win_at=25")
    tables = made(rules.name, 4)
    chosen = random.Random(25)
    for _ in range(60):
        mine, theirs = random_halves(chosen, 6, 4)
        game = Game(rules, start="-".join(map(str, (*mine, *theirs, 24, 24, "S"))))
        for move, value in tables.probe_moves(game).items():
            after = game.copy()
            after.push(move)
            assert value is None or not value.exact or after.over, str(game)


def test_moves_that_repeat_and_moves_that_end(made: Make) -> None:
    tables = made("abapa", 8)
    # Each side keeps one seed going round; at the first return each takes his own.
    game = Game("abapa", start="1-0-0-0-0-0-1-0-0-0-0-0-23-23-S")
    seen = 0
    while not game.over and seen < 40:
        values = tables.probe_moves(game)
        trial = game.copy()
        move = game.legal_moves[0]
        trial.push(move)
        if trial.over and trial.outcome() and trial.outcome().reason == "repetition":  # type: ignore[union-attr]
            gained = [after - before for after, before in zip(trial.scores, game.scores, strict=True)]
            value = values[move]
            assert value is not None
            assert value.exact
            assert value.seeds == gained[game.turn] - gained[1 - game.turn]
            return
        game = trial
        seen += 1
    pytest.fail("the position never came back")


def test_the_last_move_of_a_limit(made: Make) -> None:
    tables = made("upsti", 6)
    game = Game("upsti", start="0-0-1-0-0-1-1-0-0-2-0-0-20-20-S-99")
    for move, value in tables.probe_moves(game).items():
        trial = game.copy()
        trial.push(move)
        assert trial.over
        gained = [after - before for after, before in zip(trial.scores, game.scores, strict=True)]
        assert value == (gained[0] - gained[1], True, gained[0] - gained[1], gained[0] - gained[1])


def test_small_tables_come_by_themselves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process builds them that goes on when the program that started it has ended."""
    from awale.tables import background_build, ensure_small

    folder = str(tmp_path)
    script = f"from awale.tables import ensure_small; print(ensure_small('awari:pits=3', 6, dir={folder!r}))"
    environment = {**os.environ, "AWALE_BUILD_TABLES": "1"}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("None\n", "")
    monkeypatch.setenv("AWALE_BUILD_TABLES", "0")
    tables = until(lambda: ensure_small("awari:pits=3", 6, dir=folder))
    assert tables.seeds == 6
    assert not background_build._builders
    assert ensure_small("tricolor", dir=folder, wait=True) is None
    assert ensure_small("upsti:pits=2", dir=folder, wait=True) is not None
    assert ensure_small(get("ghana4").variant(seeds=1), dir=folder, wait=True).seeds == 4  # type: ignore[union-attr]


def test_one_process_builds_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from awale.tables import background_build, ensure_small
    from awale.tables.folders import building

    monkeypatch.setenv("AWALE_BUILD_TABLES", "1")
    builders: dict[str, subprocess.Popen[bytes]] = {}
    monkeypatch.setattr(background_build, "_builders", builders)
    with building(tmp_path):
        assert ensure_small("awari:pits=3", 6, dir=tmp_path) is None
        assert not builders
    # One that was started at the same moment finds the lock taken, and ends; the next try starts it again.
    for rules in ("awari:pits=2", "awari:pits=3"):
        until(lambda rules=rules: ensure_small(rules, 6, dir=tmp_path))  # type: ignore[misc]
        (builder,) = builders.values()
        assert builder.wait() == 0
    # A program that cannot build does not try for ever.
    monkeypatch.setattr(background_build.sys, "executable", "/bin/false")
    assert ensure_small("awari:pits=3", 7, dir=tmp_path) is None
    (builder,) = builders.values()
    assert builder.wait() != 0
    assert ensure_small("awari:pits=3", 7, dir=tmp_path) is None
    assert list(builders.values()) == [builder]


OTHER_PROCESS = """
import sys, time
from awale import tables
def wait(status):
    if status.layer == 5 and status.step == "solve":
        print("at work", flush=True)
        time.sleep(1.0)
tables.build("awari:pits=3", 6, dir=sys.argv[1], threads=1, progress=wait)
"""


def test_small_tables_that_another_process_makes(tmp_path: object) -> None:
    from awale.tables import ensure_small

    process = subprocess.Popen([sys.executable, "-c", OTHER_PROCESS, str(tmp_path)], stdout=subprocess.PIPE)
    assert process.stdout
    assert process.stdout.readline() == b"at work\n"
    tables = ensure_small("awari:pits=3", 6, dir=str(tmp_path), wait=True)
    assert tables is not None
    assert tables.seeds == 6
    process.communicate()
    assert process.returncode == 0


def test_small_tables_where_nothing_can_be_written(tmp_path: object) -> None:
    from awale.tables import ensure_small

    blocked = f"{tmp_path}/file"
    with open(blocked, "w") as file:
        file.write("in the way")
    assert ensure_small("awari:pits=3", 6, dir=blocked, wait=True) is None
