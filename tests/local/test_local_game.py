"""A match at this terminal: programs asked one question at a time, pauses, files."""

from __future__ import annotations

from pathlib import Path

import pytest

from awale import i18n
from awale.errors import AwaleError
from awale.game import Game
from awale.local import LocalGame, make_seats, saved_games, sentences
from awale.local.seats import LazyPlayer, instant, make_seat
from awale.match import Answered, Clock, Ended, Match, MatchError, Moved, Offered, Seat, TimeControl
from awale.players import BasePlayer, Choice, PlayerFault
from awale.rules import get


@pytest.fixture(autouse=True)
def data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("AWALE_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


class Program(BasePlayer):
    name = "greedy"

    def __init__(self) -> None:
        self.closed = 0
        self.error: Exception | None = None

    def choose(self, game: Game, clock: object = None) -> Choice:
        if self.error is not None:
            raise self.error
        return Choice(game.legal_moves[0])

    def close(self) -> None:
        self.closed += 1


def local(game: Game | None = None, *, north: BasePlayer | None = None, clock: TimeControl | None = None) -> LocalGame:
    seats = (Seat("person"), Seat("person") if north is None else Seat.of(north))
    return LocalGame(Match(game or Game("abapa"), seats, clock=clock, shared=True), now=lambda: 0.0)


def answer(table: LocalGame) -> tuple[object, ...]:
    question = table.question()
    assert question is not None
    return table.do(question.ask())


def test_what_a_program_says_about_its_move_is_told() -> None:
    class Proven(Program):
        def choose(self, game: Game, clock: object = None) -> Choice:
            return Choice(game.legal_moves[0], info={"source": "table", "proved": "win"})

    table = local(Game("awari", moves="A"), north=Proven())
    events = answer(table)
    assert sentences.of_events(table.match, events) == ["North: proven win, from a table."]  # type: ignore[arg-type]
    i18n.set_language("fr")
    assert sentences.of_events(table.match, events) == [
        "Nord\N{NARROW NO-BREAK SPACE}: victoire prouvée, d'après une table."
    ]  # type: ignore[arg-type]
    table.do(lambda now: table.match.undo(0, now))
    assert (
        sentences.of_events(local(north=Program()).match, answer(local(Game("awari", moves="A"), north=Program())))
        == []
    )  # type: ignore[arg-type]


def test_a_person_is_not_a_question() -> None:
    two = local()
    assert two.question() is None
    assert two.person_may_move
    two.do(lambda now: two.match.offer_stop(0, now))
    assert two.question() is None
    assert two.person_asked
    assert not two.person_may_move


def test_a_program_moves_and_answers_offers() -> None:
    game = local(north=Program())
    game.do(lambda now: game.match.play(0, "A", now))
    question = game.question()
    assert question is not None
    assert (question.side, question.about_offer) == (1, False)
    assert isinstance(answer(game)[0], Moved)
    game.do(lambda now: game.match.offer_stop(0, now))
    question = game.question()
    assert question is not None
    assert question.about_offer
    (answered,) = answer(game)
    assert isinstance(answered, Answered)
    assert not answered.accepted


def test_a_program_offers_to_stop_where_nothing_else_ends_the_game() -> None:
    game = local(Game("casabianca", start="1-0-0-0-0-0-1-0-0-0-0-0-20-20-N"), north=Program())
    (offered,) = answer(game)
    assert isinstance(offered, Offered)
    assert game.person_asked
    game.do(lambda now: game.match.answer(0, offered.offer.id, accept=False, now=now))
    assert isinstance(answer(game)[0], Moved)  # it does not ask again at once


@pytest.mark.parametrize(
    ("error", "ended"),
    [
        (RuntimeError("boom"), "crash-1"),
        (PlayerFault("too slow", "time"), "time-1"),
        (PlayerFault("bad move", "illegal"), "illegal-1"),
    ],
)
def test_a_program_that_fails_loses_and_is_not_asked_again_at_once(error: Exception, ended: str) -> None:
    program = Program()
    program.error = error
    game = local(Game("abapa", moves="A"), north=program)
    (event,) = answer(game)
    assert isinstance(event, Ended)
    assert game.game.ended == ended
    assert event.fault in (str(error), f"RuntimeError: {error}")
    game.do(lambda now: game.match.undo(0, now))
    assert (game.paused, game.question()) == (True, None)
    game.do(lambda now: game.match.undo(0, now))
    assert (game.paused, game.match.ply) == (False, 0)


def test_a_pause_and_every_action_make_earlier_decisions_stale() -> None:
    game = local(Game("abapa", moves="A"), north=Program())
    before = game.serial
    game.pause(True)
    assert game.question() is None
    game.pause(False)
    assert game.question() is not None
    assert game.serial > before


def test_no_time_runs_after_an_action_until_it_is_resumed() -> None:
    time = [0.0]
    game = local(clock=TimeControl(60))
    game.now = lambda: time[0]
    game.run_clock(True)
    game.do(lambda now: game.match.play(0, "A", now))
    clock = game.match.clock
    assert clock is not None
    assert clock.running is None
    game.run_clock(True)
    time[0] = 10
    game.do(lambda now: game.match.play(1, "a", now))
    assert clock.left == [60, 50]


def test_an_unfinished_game_is_kept_with_its_clock_and_deleted_at_its_end() -> None:
    game = local(clock=TimeControl(60, 2))
    assert not game.keep()
    game.do(lambda now: game.match.play(0, "A", now))
    record = saved_games.read(saved_games.last_unfinished())
    kept = Clock.from_tags(record.tags)
    assert kept is not None
    assert (record.game(), str(kept.control)) == (game.game, "1+2")
    game.do(lambda now: game.match.resign(1, now))
    game.store()
    assert not game.leave()
    with pytest.raises(AwaleError, match="no unfinished game"):
        saved_games.last_unfinished()


def test_another_game_keeps_the_first_and_closes_only_players_that_left(tmp_path: Path) -> None:
    program = Program()
    first = local(Game("abapa"), north=program)
    first.do(lambda now: first.match.play(0, "A", now))
    first.write(tmp_path / "game.ogn")
    second = first.load(tmp_path / "game.ogn")
    assert second.match.seats[1].player is program
    assert program.closed == 0
    assert second.thinking is first.thinking
    second.play_instead(Match(Game("ghana"), shared=True))
    assert program.closed == 1
    assert len(list(saved_games.unfinished_folder().glob("*.ogn"))) == 2


def test_what_is_refused_changes_nothing() -> None:
    game = local()
    with pytest.raises(MatchError):
        game.do(lambda now: game.match.undo(0, now))
    assert game.serial == 0


# -- seats ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["person", "me", "Humain", " moi "])
def test_a_person_has_many_names(name: str) -> None:
    assert make_seat(name, get("abapa")) == Seat("person")


def test_a_program_is_loaded_when_needed_and_wrong_names_are_told_at_once() -> None:
    engine, random = make_seats("Engine:3", "random", get("abapa"))
    assert engine.name == "engine:3"
    assert isinstance(engine.player, LazyPlayer)
    assert engine.player._made is None
    assert not instant(engine)
    assert instant(random)
    for wrong in ("engine:99", "nobody", "eval:/no/such/file.toml", "report:raw", "engine:1s,threads=100000"):
        with pytest.raises(AwaleError):
            make_seat(wrong, get("abapa"))


def test_a_player_closed_before_it_is_made_is_closed_when_made() -> None:
    program = Program()
    lazy = LazyPlayer("greedy", lambda: program)
    lazy.close()
    lazy.warm_up()
    assert program.closed == 1
