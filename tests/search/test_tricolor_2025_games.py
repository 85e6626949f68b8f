"""The report's 27 games: the scores and lengths that its own program gives, written down here a second time."""

from __future__ import annotations

from threading import Event

import pytest

from awale import Game
from awale.search import tricolor_2025_games
from awale.search.tricolor_2025_games import Cell, Played, Stopped, Table, Tally

NAMES = ("raw", "defence", "corrected")
TRUE = {
    1: "51/14 50/7 42/32  50/8 31/50 18/50  51/14 50/7 42/32",
    2: "54/26 30/27 50/32  51/6 27/22 48/40  54/26 30/27 50/32",
    3: "54/17 42/46 52/15  51/12 25/42 30/49  54/17 42/46 52/15",
}
MISPRINTS = {
    (2, "defence", "corrected"): (48, 38),
    (3, "raw", "defence"): (42, 44),
    (3, "corrected", "defence"): (42, 44),
    (3, "raw", "corrected"): (48, 15),
}
LENGTHS = {
    (1, "raw", "raw"): 128,
    (1, "raw", "defence"): 169,
    (1, "raw", "corrected"): 400,
    (1, "defence", "raw"): 88,
    (1, "defence", "defence"): 236,
    (1, "defence", "corrected"): 168,
    (2, "raw", "raw"): 119,
    (2, "raw", "defence"): 400,
    (2, "defence", "corrected"): 188,
    (3, "raw", "defence"): 238,
    (3, "corrected", "defence"): 238,
    (3, "raw", "corrected"): 167,
}


def true_scores(number: int) -> list[tuple[int, int]]:
    return [(int(a), int(b)) for a, b in (score.split("/") for score in TRUE[number].split())]


def table(number: int) -> Table:
    return tricolor_2025_games.tables()[number - 1]


def check_game(played: Played, score: tuple[int, int]) -> None:
    key = (played.table, played.cell.j1, played.cell.j2)
    assert played.scores == score, key
    assert played.game.ply == LENGTHS.get(key, played.game.ply)
    assert played.agrees
    assert played.misprint == (key in MISPRINTS)
    if key in MISPRINTS:
        assert played.cell.published == played.before_last_capture == MISPRINTS[key]
    else:
        assert played.cell.published == score


def test_the_data_are_the_reports() -> None:
    assert [t.number for t in tricolor_2025_games.tables()] == [1, 2, 3]
    assert [t.depths for t in tricolor_2025_games.tables()] == [(6, 6), ("adaptive", "adaptive"), (6, "adaptive")]
    for t in tricolor_2025_games.tables():
        assert [(cell.j1, cell.j2) for cell in t.cells] == [(a, b) for a in NAMES for b in NAMES]
        assert [cell.program for cell in t.cells] == true_scores(t.number)
        for cell in t.cells:
            key = (t.number, cell.j1, cell.j2)
            assert cell.published == MISPRINTS.get(key, cell.program)
            assert cell.moves == LENGTHS.get(key)


def test_table_1_is_reproduced() -> None:
    """All nine games, none taken from another."""
    heard: list[Played] = []
    games = tricolor_2025_games.play_table(table(1), done=heard.append)
    assert sorted(map(id, heard)) == sorted(map(id, games))
    for played, score in zip(games, true_scores(1), strict=True):
        check_game(played, score)
    assert tricolor_2025_games.tally(games) == Tally(7, 2, 0)
    # As J1, raw and corrected are one player: their rows are the same games.
    assert len(tricolor_2025_games.different(games)) == 6
    assert [p.game.moves for p in games[:3]] == [p.game.moves for p in games[6:]]


@pytest.mark.parametrize(("number", "place"), [(2, 2), (3, 2), (3, 7)])
def test_some_games_of_the_other_tables(number: int, place: int) -> None:
    """An adaptive game, and two of the misprints."""
    check_game(tricolor_2025_games.play_cell(table(number), table(number).cells[place]), true_scores(number)[place])


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 2, 3])
def test_every_game_is_reproduced(number: int) -> None:
    for played, score in zip(tricolor_2025_games.play_table(table(number)), true_scores(number), strict=True):
        check_game(played, score)


@pytest.mark.slow
def test_the_rule_that_the_report_describes() -> None:
    """What the three tables become when starving the other takes the rest."""
    wins = {}
    for t in tricolor_2025_games.tables():
        games = tricolor_2025_games.play_table(t, tricolor_2025_games.DESCRIBED)
        wins[t.number] = tricolor_2025_games.tally(games)
    assert wins == {1: Tally(5, 4, 0), 2: Tally(9, 0, 0), 3: Tally(5, 4, 0)}


def test_another_winner_under_the_other_rule() -> None:
    cell = table(1).cells[2]
    one = tricolor_2025_games.play_cell(table(1), cell)
    two = tricolor_2025_games.play_cell(table(1), cell, tricolor_2025_games.DESCRIBED)
    assert (one.scores, two.scores, two.outcome.reason) == ((42, 32), (36, 60), "no-move")
    assert tricolor_2025_games.winners_changed([one], [two]) == [(one, two)]
    assert tricolor_2025_games.winners_changed([one], [one]) == []


def test_a_game_can_be_broken_off() -> None:
    stop = Event()
    stop.set()
    with pytest.raises(Stopped):
        tricolor_2025_games.play_cell(table(1), table(1).cells[0], stop=stop)


def test_an_error_ends_the_games_that_are_going_on() -> None:
    def complain(played: Played) -> None:
        raise KeyboardInterrupt

    short = Table(1, (1, 1), (Cell("raw", "raw", (0, 0), (0, 0), None),) * 4)
    with pytest.raises(KeyboardInterrupt):
        tricolor_2025_games.play_table(short, threads=1, done=complain)


def test_what_the_wins_say() -> None:
    assert Tally(4, 2, 0).luck == (15 + 6 + 1) / 64
    assert Tally(0, 0, 3).luck == 1
    said = [tricolor_2025_games.verdict(Tally(*wins, 0)) for wins in ((10, 2), (9, 3), (3, 3), (2, 4))]
    assert said == ["favoured", "leaning", "open", "against"]


def test_the_score_before_the_last_capture() -> None:
    """It is taken from the game as played, sweeps at the end included."""
    played = tricolor_2025_games.play_cell(Table(1, (1, 1), ()), Cell("raw", "raw", (0, 0), (0, 0), None))
    scores = [position.scores for position in played.game.history]
    last = max(n for n in range(1, len(scores)) if scores[n] != scores[n - 1])
    assert played.before_last_capture == scores[last - 1]
    assert played.scores == Game(played.rules, moves=played.game.moves).scores
