"""Evaluations of one's own: what plays, and a sentence for everything that cannot."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from awale import Game, i18n
from awale.arena import MatchPlan, play_match
from awale.arena.results import html, plain_table
from awale.cli import main
from awale.errors import AwaleError
from awale.players import PlayerClock, PlayerSpec, evaluation_files, make
from awale.players.spec import split_file
from awale.search.linear import Weighing

GOOD = "def evaluate(game):\n    return game.scores[game.turn] - game.scores[1 - game.turn]\n"
Write = Callable[[str, str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def make_file(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return make_file


# -- files of features and weights ------------------------------------------------------------------------------------


def test_a_file_reads_back_as_it_was_written() -> None:
    text = """
rules = "abapa"
description = "mine"
[weights]
captured = 1
seeds = 0.25
threes = [0.5, -1.25]
ones = { mine = -0.5, theirs = [0.25, 0] }
best = [0.5, 0]
[made]
command = "by hand"
"""
    found = evaluation_files.parse(text)
    again = evaluation_files.parse(
        evaluation_files.write(found.weighing, rules=found.rules, description=found.description)
    )
    assert again == found
    assert found.weighing.theirs["threes"] == (-0.5, 1.25)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", r"a table \[weights\]"),
        ("[weights]\n", r"a table \[weights\]"),
        ("[weights\ncaptured = 1", "not a TOML file: .*line 1"),
        ("[weights]\ncaptures = 1\nseed = 1", "'seed': did you mean seeds"),
        ("[weights]\nzzz = 1", "unknown feature 'zzz': the features are captured"),
        ("[weights]\nseeds = 'much'", "seeds = much: a weight is a number"),
        ("[weights]\nseeds = true", "seeds = True"),
        ("[weights]\nseeds = nan", "seeds = nan"),
        ("[weights]\nseeds = inf", "seeds = inf"),
        ("[weights]\nseeds = 1e9", "seeds = 1000000000.0"),
        ("[weights]\nseeds = [1, 2, 3]", r"seeds = \[1, 2, 3\]"),
        ("[weights]\nbest = { mine = 1 }", "best: only a feature counted for both sides"),
        ("[weights]\nseeds = { his = 1 }", "seeds: only a feature counted for both sides"),
        ("wights = 1\n[weights]\nseeds = 1", "unknown key 'wights'"),
        ("rules = 'nowhere'\n[weights]\nseeds = 1", "'nowhere' is not the name of any rules"),
        ("rules = 3\n[weights]\nseeds = 1", "'3' is not the name of any rules"),
        ("rules = 'tricolor'\n[weights]\nseeds = 1", "made for tricolor: cannot be used with abapa"),
        ("[weights]\nred = 1", "'red' is for the three-colour game"),
    ],
)
def test_a_bad_file_of_weights_is_explained(write: Write, text: str, said: str) -> None:
    path = write("bad.toml", text)
    with pytest.raises(AwaleError, match=said) as caught:
        make(f"eval:{path}", "abapa")
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ("", "needs a file"),
        ("nowhere.toml", "nowhere.toml: no such file"),
        ("nowhere.py", "nowhere.py: no such file"),
        ("readme.md", "is a Python file"),
        ("mine.toml,0", "a depth from 1 to 64"),
        ("mine.toml,99", "a depth from 1 to 64"),
        ("mine.toml,deep", "a depth from 1 to 64"),
        ("mine.py,30", "a depth from 1 to 12"),
        (".", "is a Python file"),
    ],
)
def test_a_bad_name_is_explained(argument: str, said: str) -> None:
    with pytest.raises(AwaleError, match=said):
        make(f"eval:{argument}", "abapa")


def test_a_folder_and_a_huge_file_are_no_evaluations(tmp_path: Path) -> None:
    folder = tmp_path / "folder.toml"
    folder.mkdir()
    with pytest.raises(AwaleError, match="cannot be read"):
        make(f"eval:{folder}", "abapa")
    huge = tmp_path / "huge.toml"
    huge.write_bytes(b"#" * 200_000)
    with pytest.raises(AwaleError, match="larger than the limit of 100,000 bytes"):
        make(f"eval:{huge}", "abapa")
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(AwaleError, match="not a UTF-8 text file"):
        make(f"eval:{binary}", "abapa")


def test_a_comma_in_a_name_is_no_limit() -> None:
    assert split_file("a,b.toml") == ("a,b.toml", "")
    assert split_file("a,b.toml,4") == ("a,b.toml", "4")
    assert split_file('"a b.py",2s') == ("a b.py", "2s")


def test_weights_play_and_win(write: Write) -> None:
    path = write("mine.toml", "[weights]\ncaptured = 1\nbest = 0.4\n")
    result = play_match(MatchPlan(f"eval:{path},3", "random", rules="abapa", games=4), concurrency=0)
    assert result.wins == 4
    assert not any(game.fault for game in result.games)


def test_adaptive_depth_grows_as_the_board_empties() -> None:
    player = make("eval:material,adaptive2", "abapa")
    full = player.choose(Game("abapa"))
    bare = player.choose(Game("abapa", start="1-0-2-0-1-0-0-1-0-2-0-3-19-19-S"))
    assert full.info["depth"] == 2
    assert int(bare.info["depth"]) >= 5


def test_time_is_kept(write: Write) -> None:
    path = write("mine.toml", "[weights]\ncaptured = 1\n")
    player = make(f"eval:{path},50ms", "abapa")
    assert player.choose(Game("abapa")).move in Game("abapa").legal_moves


def test_a_fingerprint_follows_the_file(write: Write) -> None:
    path = write("mine.toml", "[weights]\ncaptured = 1\n")
    before = PlayerSpec.parse(f"eval:{path},4").fingerprint()
    assert before
    assert PlayerSpec.parse("random").fingerprint() is None
    assert not PlayerSpec.parse("eval:material,4").fingerprint()
    plan = MatchPlan(f"eval:{path}", "random", games=2)
    first = plan.signature()
    path.write_text("[weights]\ncaptured = 2\n")
    assert PlayerSpec.parse(f"eval:{path},4").fingerprint() != before
    assert plan.signature() != first


# -- tuned ------------------------------------------------------------------------------------------------------------


def test_tuned_ships_for_three_colours_only() -> None:
    for rules in ("tricolor", "tricolor-2025"):
        assert make("tuned:2", rules).choose(Game(rules)).move in Game(rules).legal_moves
    with pytest.raises(AwaleError, match="provided for the three-colour game only, not for abapa"):
        make("tuned", "abapa")
    for wrong in ("tuned:x", "tuned:0", "tuned:99"):
        with pytest.raises(AwaleError, match="depth from 1 to 64"):
            make(wrong, "tricolor")


def test_the_shipped_file_says_how_it_was_made() -> None:
    import tomllib
    from importlib.resources import files

    data = tomllib.loads(files("awale").joinpath("players", "tuned-tricolor.toml").read_text(encoding="utf-8"))
    assert data["made"]["command"].startswith("awale tune --rules tricolor")
    match = data["made"]["match"]
    assert match["against"] == "report:corrected,6"
    assert match["depth"] == 6
    assert match["games"] >= 200
    assert match["score"] - match["error"] > 0.65


# -- Python files -----------------------------------------------------------------------------------------------------


def test_a_function_plays_and_wins(write: Write) -> None:
    path = write("mine.py", GOOD + "print('hello')\n")
    result = play_match(MatchPlan(f"eval:{path},2", "random", rules="abapa", games=2), concurrency=0)
    assert result.wins == 2


def test_a_function_chooses_as_plain_minimax_does(write: Write) -> None:
    path = write("mine.py", GOOD)
    for rules, plies in (("abapa", 7), ("ghana", 4), ("tricolor", 3)):
        game = Game(rules)
        for _ in range(plies):
            game.push(game.legal_moves[len(game.legal_moves) // 2])

        def value(game: Game, player: int, depth: int) -> float:
            if game.over or depth == 0:
                margin = game.scores[player] - game.scores[1 - player]
                return margin + (1e6 if margin > 0 else -1e6 if margin < 0 else 0) if game.over else margin
            found = []
            for move in game.legal_moves:
                game.push(move)
                found.append(value(game, player, depth - 1))
                game.pop()
            return max(found) if game.turn == player else min(found)

        mover = game.turn
        expected = {}
        for move in game.legal_moves:
            game.push(move)
            expected[str(move)] = value(game, mover, 1)
            game.pop()
        player = make(f"eval:{path},2", rules)
        try:
            chosen = player.choose(game)
        finally:
            player.close()
        best = max(expected.values())
        assert expected[str(chosen.move)] == best
        assert str(chosen.move) == next(move for move, worth in expected.items() if worth == best)


BAD = [
    ("syntax", "def evaluate(game:\n    return 1\n", "line 1: Python syntax error"),
    ("null", "x = '\0'\n", "Python syntax error"),
    ("load", "x = 1\ny = x / 0\n", "line 2: loading the file failed: ZeroDivisionError"),
    ("exit", "import sys\nsys.exit(3)\n", "line 2: loading the file failed: SystemExit"),
    ("none", "def value(game):\n    return 1\n", r"no function evaluate\(game\) is defined; it defines value"),
    ("empty", "", r"no function evaluate\(game\) is defined"),
    ("arguments", "\ndef evaluate(game, depth):\n    return 1\n", "line 2: evaluate must take one argument"),
    ("text", "def evaluate(game):\n    return 'good'\n", "returned 'good', a str, instead of a number"),
    ("nothing", "def evaluate(game):\n    pass\n", "returned None, a NoneType"),
    ("bool", "def evaluate(game):\n    return True\n", "returned True, a bool"),
    ("nan", "def evaluate(game):\n    return float('nan')\n", "returned nan, which cannot be compared"),
    ("inf", "def evaluate(game):\n    return 1e999\n", "returned inf, which cannot be compared"),
    ("raises", "def evaluate(game):\n    a = 1\n    return a + game.nothing\n", "line 3: evaluate raised Attr"),
    ("quits", "import os\ndef evaluate(game):\n    os._exit(5)\n", "its process ended"),
    ("plays", "def evaluate(game):\n    game.push(game.legal_moves[0])\n    return 0\n", "modified the game"),
]


@pytest.mark.parametrize(("text", "said"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_a_bad_function_is_explained_before_the_game(write: Write, text: str, said: str) -> None:
    path = write("bad.py", text)
    with pytest.raises(AwaleError, match=said) as caught:
        make(f"eval:{path}", "abapa")
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_it_is_explained_in_both_languages(write: Write, lang: str) -> None:
    path = write("bad.py", "def evaluate(game):\n    return 1 / 0\n")
    with pytest.raises(AwaleError) as caught:
        make(f"eval:{path}", "abapa")
    said = caught.value.sentence(lang)
    assert "ZeroDivisionError" in said
    assert ("ligne 2" if lang == "fr" else "line 2") in said


def test_one_that_never_returns_is_ended_and_told_where(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write("slow.py", "def evaluate(game):\n    n = 0\n    while True:\n        n += 1\n")
    with pytest.raises(
        AwaleError, match=r"line [34]: evaluate is too slow: not finished after \d+\.\d s on one position"
    ):
        make(f"eval:{path}", "abapa")


def test_one_that_breaks_off_in_the_middle_loses_with_a_sentence(write: Write) -> None:
    text = "def evaluate(game):\n    if game.ply > 8:\n        raise RuntimeError('tired')\n    return 0\n"
    path = write("tired.py", text)
    result = play_match(
        MatchPlan(f"eval:{path},1", "greedy", rules="abapa", games=2, openings="plies=0"), concurrency=0
    )
    assert result.losses == 2
    for game in result.games:
        assert game.reason == "crash"
        assert "line 3: evaluate raised RuntimeError: tired" in game.fault
    for shown in (plain_table(result, "en"), html(result, "en")):
        assert "forfeited 2 (crash" in shown
        assert "line 3: evaluate raised RuntimeError: tired" in shown


def test_a_slow_function_plays_within_its_time(write: Write) -> None:
    path = write("slow.py", "import time\ndef evaluate(game):\n    time.sleep(0.02)\n    return 0\n")
    player = make(f"eval:{path}", "abapa")
    try:
        choice = player.choose(Game("abapa"), PlayerClock(move=0.4))
        assert choice.move in Game("abapa").legal_moves
        assert int(choice.info["depth"]) <= 2
        assert 0 < int(choice.info["positions_a_second"]) < 100
    finally:
        player.close()


def test_too_slow_for_its_depth_says_how_slow(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    from awale.players import custom_evaluation

    monkeypatch.setattr(custom_evaluation, "LONGEST_MOVE", 0.5)
    path = write("slow.py", "import time\ndef evaluate(game):\n    time.sleep(0.02)\n    return game.ply\n")
    player = make(f"eval:{path},5", "abapa")
    try:
        with pytest.raises(AwaleError, match=r"too slow for depth 5: .* takes \d+(\.\d+)? ms per position.*,4"):
            player.choose(Game("abapa"))
    finally:
        player.close()


def test_the_time_of_a_move_leaves_a_margin() -> None:
    assert PlayerClock().budget(reserve=0.2, share=0.9) is None
    assert 0 < (PlayerClock(move=1.0).budget(reserve=0.2, share=0.9) or 0) < 0.9
    assert 0 < (PlayerClock(left=0.0).budget(reserve=0.2, share=0.9) or 0) < 0.01


# -- at the doors -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["match", "eval:{file}", "random", "--games", "2", "--quiet"],
        ["play", "--south", "eval:{file}", "--north", "random"],
        ["experiment", "first-move", "--eval", "{file}"],
    ],
    ids=["match", "play", "experiment"],
)
def test_the_command_line_says_it_in_one_line(
    write: Write, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = write("bad.py", "def evaluate(game):\n    return 'x'\n")
    assert main([argument.replace("{file}", str(path)) for argument in arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "instead of a number" in said.err or "au lieu d'un nombre" in said.err


def test_the_names_of_files_keep_their_case(write: Write) -> None:
    from awale.local.seats import make_seat

    path = write("Mine.TOML", "[weights]\ncaptured = 1\n")
    assert make_seat(f"eval:{path},2", Game("abapa").rules).name == f"eval:{path},2"


def test_built_in_names_need_no_file() -> None:
    assert make("eval:material,1", "abapa").choose(Game("abapa")).move
    with pytest.raises(AwaleError, match="three-colour"):
        make("eval:corrected,1", "abapa")
    assert Weighing.of(captured=1).features == ("captured",)


def test_a_search_at_once_finds_what_a_thread_finds() -> None:
    from awale.search.engine import SearchEngine
    from awale.search.limits import Limit

    weights = Weighing.of(captured=1, best=0.5).array(Game("abapa").rules)
    game = Game("abapa")
    for _ in range(12):
        one, other = SearchEngine("abapa", weights=weights), SearchEngine("abapa", weights=weights)
        found, same = one.analyse_inline(game, 4), other.analyse(game, Limit(depth=4))
        assert (found.line, found.value.seeds, found.nodes) == (same.line, same.value.seeds, same.nodes)
        game.push(found.best)
