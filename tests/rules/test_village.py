"""Village rules: a file that names a preset and says what differs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from awale import Game, Rules, RulesError
from awale.rules import get
from awale.rules.description import MAX_VILLAGE_FILE, OPTIONS

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.toml"))


def test_two_examples_are_shipped() -> None:
    assert len(EXAMPLES) >= 2


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_can_be_played_and_are_explained(path: Path) -> None:
    rules = Rules.from_toml(path)
    assert rules.name == path.stem
    assert set(rules.title) == set(rules.description) == {"en", "fr"}
    lines = path.read_text(encoding="utf-8").splitlines()
    comments = [line for line in lines if line.startswith("#") or " # " in line]
    assert len(comments) > len(lines) / 3, "an example explains itself"
    game = Game(rules)
    while not game.over and game.ply < 200:
        game.push(game.legal_moves[game.ply % len(game.legal_moves)])
    assert eval(repr(game)) == game


def test_what_the_examples_say() -> None:
    five = Rules.from_toml(ROOT / "examples" / "five-pits.toml")
    assert (five.pits, five.seeds, five.capture_counts, five.grand_slam) == (5, 3, (2, 3, 4), "allowed")
    assert five.win_score == 16
    endless = Rules.from_toml(str(ROOT / "examples" / "semis-sans-fin.toml"))
    assert (endless.pits, endless.endless, endless.win_at, endless.move_limit) == (4, "ends", None, 100)


def test_only_the_differences_are_written() -> None:
    rules = Rules.from_toml_text('base = "oware"\npits = 3')
    assert rules.name == "village"
    assert rules.source == "village rules based on abapa"
    assert rules.options() == get("abapa:pits=3").options()
    assert rules.description["fr"] == "Comme abapa, à ceci près : 3 cases par camp."


def test_the_base_may_be_a_variant_and_nothing_need_differ() -> None:
    assert Rules.from_toml_text('base = "ghana:pits=3"\nseeds = 2').holes == 6
    alike = Rules.from_toml_text('base = "abapa"\nname = "as always"')
    assert alike.options() == get("abapa").options()
    assert alike.description == get("abapa").description


def test_every_option_can_be_written() -> None:
    """What one preset is can be said of another, option by option."""
    wanted = get("upsti")
    lines = ['base = "wikipedia"']
    for option, value in wanted.options().items():
        if value is None:
            lines.append(f'{option} = "none"')
        elif isinstance(value, tuple):
            lines.append(f"{option} = {list(value)!r}")
        else:
            lines.append(f"{option} = {value!r}")
    assert Rules.from_toml_text("\n".join(lines)).options() == wanted.options()
    assert len(lines) == len(OPTIONS) - 4 + 1


def test_none_takes_an_ending_away() -> None:
    text = 'base = "upsti"\nwin_at = "none"\nfew_seeds = "none"\nmove_limit = "none"'
    rules = Rules.from_toml_text(text)
    assert (rules.win_at, rules.few_seeds, rules.move_limit) == (None, None, None)


def test_one_text_serves_all_languages() -> None:
    rules = Rules.from_toml_text('base = "abapa"\ntitle = "Chez nous"\n[description]\nfr = "Comme ailleurs."')
    assert rules.title == {"en": "Chez nous", "fr": "Chez nous"}
    assert rules.description == {"en": "Comme ailleurs.", "fr": "Comme ailleurs."}
    empty = Rules.from_toml_text('base = "abapa"\nname = "chez nous"\npits = 3\ndescription = ""\n[title]\n')
    assert empty.title["fr"] == "chez nous"
    assert empty.description["fr"] == "Comme abapa, à ceci près : 3 cases par camp."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "base: the file must name the preset"),
        ("pits = 3", "base: the file must name the preset"),
        ("base = 3", "base: the file must name the preset"),
        ('base = ["abapa"]', "base: the file must name the preset"),
        ('base = "bao"', "unknown rules 'bao'"),
        ('base = "other.toml"', "is a file"),
        ('base = "abapa"\npit = 3', "unknown option 'pit': did you mean pits?"),
        ('base = "abapa"\nversion = 7', "unknown option 'version'"),
        ('base = "abapa"\n[board]\npits = 3', "unknown option 'board'"),
        ('base = "abapa"\npits = "three"', "pits: must be a whole number, not 'three'"),
        ('base = "abapa"\npits = 6.0', "pits: must be a whole number, not 6.0"),
        ('base = "abapa"\npits = true', "pits: must be a whole number, not True"),
        ('base = "abapa"\npits = "none"', "pits: must be a whole number"),
        ('base = "abapa"\ncapture_counts = 3', "capture_counts: must be a list"),
        ('base = "abapa"\ncapture_counts = [2.0, 3.0]', "capture_counts: must be a list of whole numbers"),
        ('base = "abapa"\ncapture_counts = []', "capture_counts: must contain at least one"),
        ('base = "abapa"\ngrand_slam = "never"', "grand_slam: must be one of allowed,"),
        ('base = "abapa"\nwin_at = 1979-05-27', "win_at: must be a whole number or 'majority'"),
        ('base = "abapa"\ntitle = 5', "title: must be a text"),
        ('base = "abapa"\n[title]\nen = 5', "title: must be a text"),
        ('base = "abapa"\ntitle = false', "title: must be a text"),
        ('base = "abapa"\nname = "oware"', "name: 'oware' is already the name of other rules"),
        ('base = "abapa"\nname = ""', "name: must be one line"),
        ('base = "abapa', "not a TOML file"),
        ("base: abapa", "not a TOML file"),
        ('base = "abapa"\nbase = "ghana"', "not a TOML file"),
        ('base = "abapa"\npits = ' + "9" * 5000, "not a TOML file"),
        ('base = "abapa"\npits = ' + "[" * 5000, "not a TOML file"),
        ("# " + "x" * MAX_VILLAGE_FILE, "larger than the limit of 20000 bytes"),
        ("\0", "not a TOML file"),
    ],
)
def test_a_wrong_file_is_refused_with_a_sentence(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(RulesError, match=r".") as refused:
        Rules.from_toml_text(text)
    assert said in str(refused.value)
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RulesError, match=r".") as refused:
        Rules.from_toml(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert said in str(refused.value)
    assert refused.value.sentence("fr").startswith(f"{path} : ")


def test_files_that_are_not_texts(tmp_path: Path) -> None:
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00base")
    with pytest.raises(RulesError, match="not a UTF-8 text file"):
        Rules.from_toml(binary)
    with pytest.raises(RulesError, match="is not a file"):
        Rules.from_toml(tmp_path)
    with pytest.raises(RulesError, match=r"cannot be read .No such file"):
        Rules.from_toml(tmp_path / "nowhere.toml")
    with pytest.raises(RulesError, match="is not a file"):
        Rules.from_toml("nul\0byte.toml")
    huge = tmp_path / "huge.toml"
    with huge.open("wb") as file:
        file.truncate(10**9)
    with pytest.raises(RulesError, match="larger than the limit of 20000 bytes"):
        Rules.from_toml(huge)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_a_pipe_or_a_device_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    with pytest.raises(RulesError, match="is not a file"):
        Rules.from_toml(pipe)


def test_a_file_from_another_editor(tmp_path: Path) -> None:
    """A byte-order mark and Windows line ends, as some editors write them."""
    path = tmp_path / "notepad.toml"
    path.write_bytes('\N{ZERO WIDTH NO-BREAK SPACE}base = "abapa"\r\npits = 3\r\n'.encode())
    rules = Rules.from_toml(path)
    assert (rules.name, rules.pits) == ("notepad", 3)


def test_a_file_named_like_a_preset_needs_a_name_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "abapa.toml"
    path.write_text('base = "abapa"\npits = 3\n', encoding="utf-8")
    with pytest.raises(RulesError, match="name: 'abapa' is already the name of other rules"):
        Rules.from_toml(path)
