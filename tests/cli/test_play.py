"""`awale play` with its input piped: everything that can be typed, and what becomes of the game."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import awale
from awale import i18n
from awale.cli import main, plain_game
from awale.local import LocalGame, make_seats, saved_games
from awale.match import Match, TimeControl
from awale.notation import from_ogn
from awale.rules import presets


def random_game(rules: str, seed: int, limit: int = 2000) -> awale.Game:
    chance, game = random.Random(seed), awale.Game(rules)
    while not game.over and len(game.moves) < limit:
        game.push(game.legal_moves[chance.randrange(len(game.legal_moves))])
    return game


def lines(*typed: object) -> str:
    return "".join(f"{line}\n" for line in typed)


def kept() -> list[Path]:
    return sorted(saved_games.unfinished_folder().glob("*"))


def test_a_few_moves(awale_: Callable) -> None:
    said = awale_("play", typed="A\na\nquit\n")
    assert (said.code, said.err) == (0, "")
    assert "South played A. North to move" in said.out
    assert "North played a. South to move" in said.out
    assert "South (A-F) > A\n" in said.out
    assert said.out.endswith("The game is saved: awale play --continue resumes it.\n")


@pytest.mark.parametrize("rules", [name for name in presets.names() if name != "casabianca"])
def test_a_whole_game_of_every_rules(awale_: Callable, rules: str) -> None:
    game = random_game(rules, 5)
    outcome = game.outcome()
    assert outcome is not None
    for language in i18n.LANGUAGES:
        typed = lines(*game.moves)
        said = awale_("play", "--rules", rules, "--no-laps", "--lang", language, typed=typed)
        assert said.code == 0
        sentence = outcome.sentence(language, coloured=game.rules.coloured)
        assert sentence[0].upper() + sentence[1:] in said.out
    assert kept() == []


def test_every_lap_of_a_relay_is_shown(awale_: Callable) -> None:
    said = awale_("play", "--rules", "ghana", typed="3\nquit\n")
    for lap, end in enumerate((7, 12, 5, 11, 5), 1):  # as the article plays it
        assert f"3, lap {lap} of 5: " in said.out
        assert f"the last one in {end}" in said.out
    assert "; captures 6 from 8" in said.out
    assert "\x1b" not in said.out  # nobody is looking: no colours, nothing drawn over
    assert "lap" not in awale_("play", "--rules", "ghana", "--no-laps", typed="3\nquit\n").out.split("> 3")[1]


def test_an_endless_sowing(awale_: Callable) -> None:
    position = "1-2-0-2-0-0-S"
    said = awale_("play", "--rules", "ghana-basic:pits=2", "--position", position, typed="2\n\n")
    assert "The sowing of 2 returns to its start after 8 laps: it never ends." in said.out
    assert "an endless sowing was played" in said.out
    refused = awale_("play", "--rules", "ghana4", "--position", position, typed="2\nquit\n")
    assert "No: the sowing of 2 never ends" in refused.out


def test_a_pass_a_spared_grand_slam_and_the_sweep(awale_: Callable) -> None:
    # North's only seeds are captured by 1: he passes, and South plays again.
    said = awale_("play", "--rules", "ghana:pits=3", "--position", "1-0-2-0-3-0-5-7-S", typed="1\nquit\n")
    assert "North has no seed and passes." in said.out
    assert "South played 1 and took 3 from 5. South to move" in said.out
    said = awale_("play", "--rules", "abapa", "--position", "4-0-0-0-0-1-1-0-0-0-0-0-20-22-S", typed="F\nquit\n")
    assert "F would capture all of the opponent's seeds, so it captures nothing." in said.out
    said = awale_("play", "--rules", "upsti", "--position", "0-0-0-0-0-1-1-0-0-0-0-2-21-23-S", typed="5\n\n")
    assert "North takes 2 of the seeds left on the board." in said.out
    assert "North wins 23-25" in said.out


def test_a_very_long_relay_is_cut_short_when_nobody_can_skip_it(
    awale_: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plain_game, "LAPS_SHOWN_AT_ONCE", 2)
    said = awale_("play", "--rules", "ghana", typed="3\nquit\n").out
    assert "lap 2 of 5" in said
    assert "lap 3 of 5" not in said
    assert "... and 3 more laps" in said


def test_refusals_have_their_sentence(awale_: Callable) -> None:
    said = awale_("play", typed=lines("A", "a", "A", "g", "hello", "", "3R", "quit"))
    assert "No: pit A is empty." in said.out
    assert "No: there is no pit g: the pits to play are A-F (help lists the commands)." in said.out
    assert "No: 'hello' is not a move: moves are written A-F (help lists the commands)." in said.out
    french = awale_("play", "--lang", "fr", typed=lines("A", "a", "A", "quitter")).out
    assert "Non : la case A est vide." in french
    coloured = awale_("play", "--rules", "tricolor", typed=lines("3", "2R", "3R", "quit")).out
    assert "could be 3R, 3B, 3TR, 3TB: name the colour" in coloured
    assert f"No: {awale.Game('tricolor').why_illegal('2R')}." in coloured


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_help_lists_every_command_by_a_word_that_works(awale_: Callable, language: str) -> None:
    said = awale_("play", "--lang", language, typed=lines("?", "quit")).out
    commands = {key.removeprefix("word.") for key in i18n.section("play") if key.startswith("word.")}
    for command in commands - {"yes", "no"}:
        word = i18n.text(f"play.word.{command}", language).split()[0]
        assert f"\n  {word} " in said
        assert plain_game.words()[plain_game._simple(word)] == command


def test_words_of_one_language_do_not_mean_something_else_in_another() -> None:
    meant: dict[str, set[str]] = {}
    for key, by_language in i18n.section("play").items():
        if key.startswith("word."):
            for word in " ".join(by_language.values()).split():
                meant.setdefault(plain_game._simple(word), set()).add(key)
    assert all(len(keys) == 1 for keys in meant.values())
    # No word is a pit of the largest board.
    assert not set(meant) & set("abcdefghijkl")


def test_undo(awale_: Callable) -> None:
    said = awale_("play", typed=lines("undo", "A", "UNDO", "moves", "B", "b", "annuler", "coups", "quit")).out
    assert "There is no move to take back." in said
    assert "Taken back: A." in said
    assert "No move has been played yet." in said
    assert "Taken back: b." in said
    assert "> coups\n1. B\n" in said


def test_undo_against_a_computer_gives_the_person_his_turn_back(awale_: Callable) -> None:
    said = awale_("play", "--north", "random", "--seed", "1", typed=lines("A", "undo", "moves", "quit")).out
    assert "> moves\nNo move has been played yet." in said
    first = awale_("play", "--south", "random", "--seed", "1", typed=lines("undo", "moves", "quit")).out
    assert "There is no move to take back." in first
    assert "> moves\n1. " in first


def test_resigning(awale_: Callable) -> None:
    said = awale_("play", typed=lines("A", "resign", "a", "undo", "a", "quit")).out
    assert "South wins 0-0: a player resigned" in said
    assert "> a\nThe game is over." in said
    assert "North played a. South to move" in said
    assert "Nord gagne 0-0" in awale_("play", "--lang", "fr", typed="abandonner\n").out
    assert awale_("play", typed=lines("resign", "undo", "A", "quit")).out.count("South played A") == 1


def test_agreeing_to_stop(awale_: Callable) -> None:
    said = awale_("play", typed=lines("A", "stop", "maybe", "yes")).out
    assert "North offers to stop: each player keeps their captured seeds (0-0)." in said
    assert "Please answer yes or no." in said
    assert "South accepts." in said
    assert "Draw 0-0: the players agreed to stop" in said
    declined = awale_("play", "--lang", "fr", typed=lines("arreter", "non", "A", "quitter")).out
    assert "Nord refuse : la partie continue." in declined
    assert "Sud a joué A." in declined


def test_the_computer_answers_an_offer(awale_: Callable) -> None:
    much_left = "4-4-4-4-4-4-4-4-4-4-0-0-2-6-S"
    said = awale_("play", "--position", much_left, "--north", "random", typed="stop\nquit\n").out
    assert "North declines: the game continues." in said
    nothing_left = "0-0-0-0-0-1-0-0-0-0-1-0-20-26-S"
    options = ("--rules", "casabianca", "--position", nothing_left, "--north", "random")
    said = awale_("play", *options, typed="stop\n").out
    assert "North accepts." in said
    assert "North wins 20-26: the players agreed to stop" in said


def test_two_computers_agree_to_stop_what_would_never_end(awale_: Callable) -> None:
    """Under casabianca nothing else ends a cycle."""
    position = "1-0-0-0-0-0-1-0-0-0-0-0-20-20-S"
    arguments = ("--rules", "casabianca", "--position", position, "--south", "random", "--north", "random")
    said = awale_("play", *arguments, "--seed", "3")
    assert said.code == 0
    assert "the players agreed to stop" in said.out or "no legal move" in said.out


def test_a_computer_offers_to_stop_a_cycle_and_waits_before_it_asks_again(awale_: Callable) -> None:
    position = "1-0-0-0-0-0-1-0-0-0-0-0-20-20-S"
    options = ("--rules", "casabianca", "--position", position, "--north", "greedy")
    typed = lines(*(word for _ in range(40) for word in ("legal", "A", "B", "C", "D", "E", "F", "no")))
    said = awale_("play", *options, typed=typed).out
    assert said.count("North offers to stop") >= 1
    assert "North declines" not in said
    assert said.count("South declines") <= said.count("North played") / 10


def test_save_and_load(awale_: Callable, tmp_path: Path) -> None:
    file = tmp_path / "game.ogn"
    typed = lines("A", "a", "save", f"save {file}", "B", f"save {file}", "new", f"load {file}", "moves", "quit")
    said = awale_("play", typed=typed).out
    assert "Which file? For example: save game.ogn" in said
    assert said.count(f"Saved in {file}.") == 2  # a file of our own may be written again
    assert f"Loaded from {file}." in said
    assert "> moves\n1. A a  2. B\n" in said
    assert [str(move) for move in from_ogn(file.read_text()).moves] == ["A", "a", "B"]

    refused = awale_("play", typed=lines("F", f"save {file}", f"save! {file}", "quit")).out
    assert f"{file} already exists" in refused
    assert f"Saved in {file}." in refused
    assert [str(move) for move in from_ogn(file.read_text()).moves] == ["F"]

    assert "North to move" in awale_("play", "--load", str(file), typed="quit\n").out
    wrong = awale_("play", typed=lines("load /no/such", f"save {tmp_path}/no/such", f"load {tmp_path}", "quit"))
    assert wrong.code == 0
    assert wrong.out.count("No: ") == 3
    bad = tmp_path / "bad.ogn"
    bad.write_text("1. A a 2. A")
    assert awale_("play", "--load", str(bad)).code == 2
    assert "already exists" not in awale_("play", "--rules", "ghana4", "--load", str(file)).err
    assert awale_("play", "--rules", "ghana4", "--load", str(file)).code == 2


def test_an_unfinished_game_is_kept_and_resumed_with_its_players(awale_: Callable) -> None:
    awale_("play", "--rules", "ghana4", "--north", "random", typed="1\n")  # the input ends
    assert len(kept()) == 1
    before = from_ogn(kept()[0].read_text())
    said = awale_("play", "--continue", typed="quit\n").out
    assert "South: you. North: random." in said
    assert len(kept()) == 1
    assert from_ogn(kept()[0].read_text()) == before
    over = awale_("play", "--continue", typed="resign\n").out
    assert "wins" in over
    assert kept() == []


def test_nothing_played_is_nothing_kept(awale_: Callable) -> None:
    assert awale_("play", typed="quit\n").out.endswith("Goodbye.\n")
    assert awale_("play", typed="").code == 0
    assert kept() == []


def test_a_new_game_does_not_forget_the_old_one(awale_: Callable) -> None:
    awale_("play", typed=lines("A", "quit"))
    awale_("play", typed=lines("B", "new", "C", "quit"))
    games = [from_ogn(path.read_text()) for path in kept()]
    assert sorted(str(game.moves[0]) for game in games) == ["A", "B", "C"]


def test_only_so_many_are_kept(tmp_path: Path) -> None:
    game = awale.Game("abapa", moves="F")
    for number in range(saved_games.KEEP + 5):
        saved_games.keep(saved_games.unfinished_folder() / f"{number:03}.ogn", game, "person", "person")
    assert len(kept()) == saved_games.KEEP


def test_a_folder_that_cannot_be_written_does_not_stop_the_game(
    awale_: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("AWALE_DATA_DIR", str(tmp_path / "file"))
    said = awale_("play", typed=lines("A", "a", "quit"))
    assert (said.code, said.err) == (0, "")
    assert said.out.count("Unfinished games cannot be saved") == 1
    assert said.out.endswith("Goodbye.\n")


def test_an_offer_left_open_is_asked_again(awale_: Callable) -> None:
    awale_("play", typed=lines("A", "stop"))
    said = awale_("play", "--continue", typed=lines("yes")).out
    assert "South, do you accept?" in said
    assert "the players agreed to stop" in said
    assert kept() == []


def test_village_rules_are_resumed_too(awale_: Callable, tmp_path: Path) -> None:
    village = tmp_path / "mine.toml"
    village.write_text('base = "abapa"\npits = 3\nseeds = 2\n', encoding="utf-8")
    awale_("play", "--rules", str(village), typed=lines("A", "quit"))
    village.unlink()
    said = awale_("play", "--continue", typed=lines("moves", "quit"))
    assert said.code == 0
    assert "> moves\n1. A\n" in said.out


def test_the_other_commands(awale_: Callable) -> None:
    said = awale_("play", typed=lines("A", "board", "legal", "rules", "flip", "quit")).out
    assert "Legal moves: a b c d e f." in said
    assert "The tournament rules" in said
    assert "South │  4 │  5 │  5 │  5 │  5 │  · │" in said  # turned round
    ended = awale_("play", typed=lines("resign", "legal", "stop", "resign", "hint", "quit")).out
    assert ended.count("The game is over.") == 4


def test_hint(awale_: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("awale.local.seats.ADVISER", "greedy")
    position = "0-0-0-0-4-1-1-4-4-4-4-4-8-10-S"
    assert "Try F." in awale_("play", "--position", position, typed=lines("hint", "quit")).out
    assert "Essayez F." in awale_("play", "--lang", "fr", "--position", position, typed=lines("indice", "fin")).out


def test_players_by_name(awale_: Callable) -> None:
    said = awale_("play", "--south", "Greedy", "--north", "greedy")
    assert said.code == 0
    assert "South: greedy. North: greedy." in said.out
    assert "no player is called 'x': there are random" in awale_("play", "--north", "x").err
    assert awale_("play", "--north", "random:3").code == 2


def test_one_person_sits_at_the_bottom(awale_: Callable) -> None:
    said = awale_("play", "--south", "random", "--seed", "2", typed="quit\n").out
    assert "South: random. North: you." in said
    rows = [line for line in said.splitlines() if "│" in line]
    assert rows[0].startswith(" South")


def test_two_computers_play_to_the_end_and_the_same_game_for_the_same_seed(awale_: Callable) -> None:
    arguments = ("play", "--south", "random", "--north", "random", "--seed", "9")
    first, second = awale_(*arguments), awale_(*arguments)
    assert first == second
    assert first.code == 0
    assert "wins" in first.out or "Draw" in first.out
    assert kept() == []


def test_plain_is_ascii(awale_: Callable) -> None:
    said = awale_("play", "--plain", "--rules", "ghana", typed="3\nquit\n").out
    assert said.isascii()


def test_bytes_that_are_no_text(process: Callable) -> None:
    said = process("play", typed=b"\xff\xfe\x00\n\xc3\x28\nA\nquit\n")
    assert said.code == 0
    assert "South played A" in said.out


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(typed=st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=12), max_size=12))
def test_no_input_breaks_it(awale_: Callable, typed: list[str], tmp_path: Path) -> None:
    """Neither words nor noise; files may be named but only in a folder of our own."""
    harmless = [line for line in typed if "/" not in line and "~" not in line]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        said = awale_("play", "--rules", "ghana4", typed=lines(*harmless))
    assert said.code == 0
    assert said.err == ""


@pytest.mark.parametrize("rules", ["ghana", "abapa", "tricolor"])
def test_any_words_in_any_order(awale_: Callable, rules: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    chance = random.Random(7)
    pits = {"ghana": [str(n) for n in range(1, 13)], "abapa": list("abcdef")}
    moves = pits.get(rules) or [f"{n}{c}" for n in range(1, 17) for c in ("R", "B", "TR", "TB")]
    vocabulary = [word for word, command in plain_game.words().items() if command not in ("quit", "hint")]
    vocabulary += ["save game.ogn", "load game.ogn", "save! game.ogn", *moves * 4]
    for _ in range(4):
        typed = lines(*(chance.choice(vocabulary) for _ in range(60)))
        said = awale_("play", "--rules", rules, "--no-laps", typed=typed)
        assert (said.code, said.err) == (0, "")


def test_main_returns_a_code() -> None:
    assert main(["--version"]) == 0


def test_a_clock_is_told_kept_and_continued(awale_: Callable) -> None:
    said = awale_("play", "--clock", "5+3", typed="A\na\nquit\n")
    assert "Time control: 5+3." in said.out
    assert "South 5:00 (A-F) > A" in said.out
    assert "North 4:59 (a-f) > a" in said.out or "North 5:00 (a-f) > a" in said.out
    assert saved_games.read(saved_games.last_unfinished()).tags["TimeControl"] == "300+3"
    again = awale_("play", "--continue", typed="quit\n")
    assert "Time control: 5+3." in again.out
    assert awale_("play", "--clock", "soon").code == 2


def test_a_move_after_the_time_is_up_is_not_played(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from awale.cli.terminal import Terminal

    time = [0.0]
    typed = iter([(99, "A"), (50, "a"), (61, "B"), (0, "undo"), (59, "B"), (0, "quit")])

    def slow(self: object, prompt: str, seconds: float | None = None) -> str:
        passed, line = next(typed)
        time[0] += passed
        return line

    monkeypatch.setattr(Terminal, "ask", slow)
    people = make_seats("person", "person", presets.get("abapa"))
    match = Match(awale.Game("abapa"), people, clock=TimeControl(60), shared=True)
    local = LocalGame(match, store=False, now=lambda: time[0])
    with pytest.raises(plain_game.Leave):
        plain_game.PlainGame(local, Terminal()).run()
    said = capsys.readouterr().out
    assert "North wins 0-0: time ran out" in said
    assert [str(move) for move in match.game.moves] == ["A", "a", "B"]  # the time came back with the move
    assert match.clock is not None
    assert match.clock.left == [1, 10]


@pytest.mark.parametrize(
    ("language", "failed", "undo", "paused"),
    [
        ("en", "North (random) failed: RuntimeError: boom", "undo", "Paused"),
        ("fr", "(random) a échoué", "annuler", "En pause"),
    ],
)
def test_a_program_that_fails_loses_and_undo_reopens_the_game(
    awale_: Callable, monkeypatch: pytest.MonkeyPatch, language: str, failed: str, undo: str, paused: str
) -> None:
    def fail(self: object, game: object, clock: object = None) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr("awale.players.simple.RandomPlayer.choose", fail)
    typed = lines("A", undo, "x", "", undo, undo, "moves", "quit")
    said = awale_("play", "--north", "random", "--lang", language, typed=typed)
    assert said.code == 0
    assert said.out.count(failed) == 2  # once more after the empty line that goes on
    assert paused in said.out
    assert said.out.count(i18n.text("core.ending.crash", language)) == 2
    assert i18n.text("play.say.no-moves-yet", language) in said.out


def test_resigning_while_a_failed_program_is_paused_resigns_the_person(
    awale_: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: object, game: object, clock: object = None) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr("awale.players.simple.RandomPlayer.choose", fail)
    said = awale_("play", "--north", "random", typed=lines("A", "undo", "resign"))
    assert "North wins 0-0" in said.out


def test_a_program_that_cannot_be_started_is_told_before_the_game(awale_: Callable) -> None:
    said = awale_("play", "--north", 'uci:"/no/such/program"')
    assert said.code == 2
    assert "/no/such/program" in said.err
    assert said.out == ""


def test_finished_games_are_stored_unless_asked_not_to(awale_: Callable) -> None:
    from awale.store import Store, find

    for options, count in (((), 1), (("--no-store",), 1), ((), 2)):
        awale_("play", *options, typed="A\na\nresign\n\n")
        store = Store()
        with store.transaction() as session:
            assert len(list(find.latest(session))) == count
        store.close()


def test_north_may_move_first(awale_: Callable[..., Any]) -> None:
    said = awale_("play", "--plain", "--first", "north", "--no-store", typed="a\nquit\n")
    assert "North played a" in said.out
    assert awale_("play", "--plain", "--first", "east").code == 2
    assert awale_("play", "--plain", "--first", "north", "--position", "startpos").code == 2
