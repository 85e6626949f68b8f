"""Games that are decided are ended, and each player has their own clock."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from awale.arena import MatchPlan, play, play_match, time_control
from awale.arena.adjudication import Adjudication, Adjudicator, _known
from awale.arena.errors import ArenaError
from awale.arena.results import games_csv, html, record
from awale.arena.schedule import Tournament
from awale.cli import main
from awale.game import Game
from awale.match import Clock, TimeControl
from awale.notation import read_ogn, write_ogn
from awale.players import BasePlayer, Choice, PlayerClock
from awale.tables import build


class Saying(BasePlayer):
    """Plays the first move and says what it expects."""

    def __init__(self, name: str, value: float | None) -> None:
        self.name, self.value = name, value
        self.clocks: list[PlayerClock | None] = []

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        self.clocks.append(clock)
        return Choice(game.legal_moves[0], self.value)


@pytest.mark.parametrize(
    ("values", "when", "winner", "reason", "plies"),
    [
        ((-20.0, 20.0), Adjudication(resign_moves=3, resign_score=10), 1, "resignation", 5),
        ((0.5, -0.5), Adjudication(draw_moves=4, draw_score=1), None, "draw", 8),
        ((0.5, -0.5), Adjudication(draw_moves=4, draw_score=1, draw_from=12), None, "draw", 12),
    ],
)
def test_players_decide_by_what_they_expect(
    values: tuple[float, float], when: Adjudication, winner: int | None, reason: str, plies: int
) -> None:
    players = [Saying(name, value) for name, value in zip("ab", values, strict=True)]
    plan = MatchPlan(players[0], players[1], games=2, openings="plies=0", adjudication=when)
    first = play(next(plan.jobs()))
    assert (first.winner, first.reason, len(first.moves)) == (winner, reason, plies)


@pytest.mark.parametrize("values", [(None, None), (-5.0, 5.0)])
def test_who_says_nothing_or_little_plays_on(values: tuple[float | None, float | None]) -> None:
    watch = Adjudicator(Adjudication(resign_moves=1, resign_score=10, draw_moves=1, draw_score=1))
    game = Game("abapa")
    assert watch.after(game, 0, values[0]) is watch.after(game, 1, values[1]) is None


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWALE_DATA_DIR", str(tmp_path))
    monkeypatch.setattr("awale.arena.adjudication._tables", {})
    monkeypatch.setattr("awale.players.engine.TABLE_SEEDS", 6)


@pytest.mark.usefixtures("tables")
def test_tables_decide_as_the_game_would_have() -> None:
    from awale.tables import find_tables

    plan = MatchPlan("greedy", "random", games=8, adjudication=Adjudication(tables=True))
    result = play_match(plan, concurrency=0)
    decided = [game for game in result.games if game.reason == "tables"]
    assert decided
    known = find_tables("abapa")
    assert known is not None
    for played in decided:
        game = Game("abapa", start=played.start, moves=played.moves)
        value = known.probe(game)
        assert value is not None
        assert value.exact
        assert sum(played.scores) == 48
        ahead = game.scores[0] - game.scores[1] + (value.seeds if game.turn == 0 else -value.seeds)
        assert played.scores[0] - played.scores[1] == ahead
    out = io.StringIO()
    write_ogn((record(plan, game) for game in result.games), out)
    back = list(read_ogn(out.getvalue()))
    assert [one.tags.get("Termination") == "adjudication" for one in back] == [
        game.reason == "tables" for game in result.games
    ]
    assert "tables" in games_csv(result)
    assert "decided by tables" in html(result, "en")


@pytest.mark.usefixtures("tables")
def test_tables_do_not_decide_what_an_earlier_position_can_change() -> None:
    """The position alone is lost for South by 8; a return to an earlier one, which ends the game, saves the draw."""
    build("awari:pits=2,seeds=3", 12)
    played = Game("awari:pits=2,seeds=3", moves="A b B a B a A b B a")
    alone = Game(played.rules, start=played.position)
    assert _known(played) is None
    verdict = _known(alone)
    assert verdict is not None
    assert verdict.scores == (2, 10)


def test_each_player_has_their_own_clock() -> None:
    a, b = Saying("a", None), Saying("b", None)
    controls = {"control": time_control(clock="5+3"), "second_control": time_control(clock="1+1")}
    plan = MatchPlan(a, b, games=2, max_plies=12, **controls)
    play_match(plan)
    assert {clock.increment for clock in a.clocks if clock} == {3.0}
    assert {clock.increment for clock in b.clocks if clock} == {1.0}
    assert all(clock.left is not None and clock.left > 290 for clock in a.clocks if clock)
    assert all(clock.left is not None and clock.left < 80 for clock in b.clocks if clock)
    with pytest.raises(ArenaError, match="--clock-b"):
        MatchPlan(a, b, games=2, second_control=TimeControl(60))


def test_a_clock_with_two_controls() -> None:
    clock = Clock(TimeControl(60, 1), north=TimeControl(5, per_move=True, margin=1))
    clock.run(0, 0.0)
    clock.moved(0, 10.0)
    clock.run(1, 10.0)
    assert clock.flagged(15.5) is None
    assert clock.flagged(16.5) == 1
    clock.moved(1, 12.0)
    assert clock.left == [51.0, 5.0]
    assert clock.copy().of(1).per_move


@pytest.mark.parametrize(
    "wrong",
    [
        ["--resign", "soon"],
        ["--resign", "moves=3"],
        ["--resign", "moves=0 score=3"],
        ["--draw", "moves=3 score=x"],
        ["--draw", "moves=3 score=1 until=9"],
        ["--clock-b", "5+3"],
    ],
)
def test_bad_settings_are_one_line(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "greedy", "random", *wrong]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_journal_of_another_adjudication_is_another_match() -> None:
    plans = [Tournament(("greedy", "random")), Tournament(("greedy", "random"), adjudication=Adjudication(tables=True))]
    assert plans[0].signature() != plans[1].signature()
