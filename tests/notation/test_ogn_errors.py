"""What cannot be read says where and why, and nothing makes the reader raise, hang or grow."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest

from awale import NotationError, i18n
from awale.notation import read_json, read_ogn
from awale.notation.ogn import MAX_GAME
from awale.notation.sources import MAX_LINE


def refused(text: str, rules: str = "abapa") -> NotationError:
    with pytest.raises(NotationError) as caught:
        list(read_ogn(text, rules=rules))
    return caught.value


@pytest.mark.parametrize(
    ("text", "line", "column", "problem"),
    [
        # Moves: the sentence of Game.why_illegal.
        ("1. F f 2. F", 1, 11, "pit F is empty"),
        ("\n\n1. F\nf 2. F", 4, 6, "pit F is empty"),
        ("FfEeGg", 1, 5, "there is no pit G"),
        ("1. F f 2. x", 1, 11, "'x' is neither a move"),
        ('[Variant "ghana"]\n1. 3 3', 2, 6, "pit 3 belongs to South"),
        ('[Variant "ghana"]\n1. 13', 2, 4, "there is no pit 13"),
        ('[Variant "ghana"]\n1. A', 2, 4, "'A' is neither a move"),
        ('[Variant "upsti"]\n1. 6', 2, 4, "there is no pit 6"),
        ('[Variant "upsti"]\n1. 5 1234567890123', 2, 6, "'1234567890123' is neither"),
        ('[Variant "tricolor"]\n1. 3R 12', 2, 7, "'12' could be 12R, 12B, 12TR, 12TB"),
        ('[Variant "tricolor"]\n1. 3Q', 2, 4, "'3' could be"),
        ('[Variant "casabianca"][FEN "1-0-0-0-0-1-0-0-0-0-0-0-20-26-S"] a', 1, 63, "does not feed"),
        ('[Variant "ghana4"][FEN "1-2-0-2-0-0-S"] 1. 2', 1, 44, "comes back to its start after 8 laps"),
        ('[FEN "0-0-0-0-0-1-1-0-0-0-0-2-24-20-S"] F a', 1, 43, "the game is over"),
        # Captures.
        ('[FEN "0-0-0-0-0-1-1-0-0-0-0-2-24-20-S"] F+3', 1, 41, "F captures 2, not 3"),
        ("1. F+1", 1, 4, "F captures nothing"),
        ("1. F+", 1, 4, "F captures nothing"),
        ("1. F+1234", 1, 4, "F captures nothing"),
        # Comments and variations.
        ("1. F { never\nclosed", 1, 6, "never closed"),
        ('; fine\n[South "a"]\n{ never', 3, 1, "never closed"),
        ("1. F } f", 1, 6, "'}' is neither"),
        ("1. F (1. E\nf", 1, 6, "never closed"),
        ('1. F (1. E (1. D) f\n[Event "next"]', 1, 6, "never closed"),
        ("1. F ) f", 1, 6, "closes nothing"),
        ("( 1. F )", 1, 1, "no move before this one"),
        ("1. F ( (1. E) )", 1, 8, "no move before this one"),
        ("1. F (1. F f 2. F)", 1, 17, "pit F is empty"),
        ("1. ! F", 1, 4, "none before it"),
        ("$3", 1, 1, "none before it"),
        # Tags.
        ("[South]", 1, 1, "is not a tag"),
        ('[South "a', 1, 1, "'\\[South' is not a tag"),
        ('[South "a"]\n[South "b"]', 2, 1, "South is given twice"),
        ("1. F [South", 1, 6, "is not a tag"),
        ('[South "' + "x" * 30_000 + '"]', 1, 1, "longer than 20,000"),
        ('[South "a"]\n[Variant "chess"]\n\n1. F', 2, 11, "unknown rules 'chess'"),
        ('[Variant "x"]\n[Rules "abapa:pits=99"]\n\n1. F', 2, 9, "pits: must be from 1 to 12"),
        ('[Variant "x"]\n[Rules "abapa"][RulesVersion "one"]\n\n1. F', 2, 9, "RulesVersion"),
        ('[Variant "ghana:pits"]\n\n1. F', 1, 11, "is not an option"),
        ('[Variant "/etc/rules.toml"]\n\n1. F', 1, 11, "is a file"),
        ('[Event "e"]\n[FEN "4-4"]\n\n1. F', 2, 7, "2 parts, but abapa needs 15"),
        ('[FEN "x"]\n[Variant "tricolor"]', 1, 7, "1 part, but tricolor needs 19"),
        # Results.
        ('[Event "e"]\n[Result "South"]\n\n1. F', 2, 10, "'South' is not a result"),
        ('[Result "1-0"]\n\n1. F f\n0-1', 4, 1, "two different results: 1-0 in the tag, 0-1"),
        ('[Result "26-22"]\n\n1. F f\n26-20', 4, 1, "two different results"),
        ('[FEN "0-0-0-0-0-1-1-0-0-0-0-2-24-20-S"] F\n 30-18', 2, 2, "give the result 26-20, not 30-18"),
        ('[FEN "0-0-0-0-0-1-1-0-0-0-0-2-24-20-S"] F 0-1', 1, 43, "give the result 26-20, not 0-1"),
        ('[Result "0-1"][FEN "0-0-0-0-0-1-1-0-0-0-0-2-24-20-S"] F', 1, 10, "not 0-1"),
        # Rubbish.
        ("\x00\x01\x02", 1, 1, "is neither"),
        ("1. F \x7f", 1, 6, "'\\\\x7f' is neither"),
        ("<html>", 1, 1, "'<html>' is neither"),
        ("{" * 5, 1, 1, "never closed"),
    ],
)
def test_place_and_reason(text: str, line: int, column: int, problem: str) -> None:
    error = refused(text)
    assert (error.line, error.column) == (line, column), str(error)
    assert error.detail in str(error)
    with pytest.raises(NotationError, match=problem):
        raise error


def test_only_what_is_written_counts_for_the_place() -> None:
    """A mark at the beginning of the file, and Windows' ends of line, move nothing."""
    plain = refused("1. F f\n2. F")
    for text in ("\ufeff1. F f\n2. F", "1. F f\r\n2. F", "1. F f\r2. F"):
        assert (refused(text).line, refused(text).column) == (plain.line, plain.column) == (2, 4)
    with pytest.raises(NotationError, match="line 2, column 4"):
        list(read_ogn("\ufeff1. F f\n2. F".encode()))


def test_errors_name_the_source_speak_french_and_pickle() -> None:
    with pytest.raises(NotationError) as caught:
        list(read_ogn("1. F f 2. F", name="soirée.ogn"))
    error = caught.value
    assert str(error) == "soirée.ogn: line 1, column 11: pit F is empty"
    assert error.sentence("fr") == "soirée.ogn : ligne 1, colonne 11 : la case F est vide"
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error)
    assert again.sentence("fr") == error.sentence("fr")
    assert (again.line, again.column, again.source) == (1, 11, "soirée.ogn")


def test_every_problem_is_said_in_both_languages() -> None:
    for key, said in i18n.section("notation").items():
        assert set(said) == set(i18n.LANGUAGES), key


def test_games_before_a_bad_one_are_given() -> None:
    reading = read_ogn('1. F f 26-20 1. E e *\n1. F\n\n[South "x"]\n\n1. Q')
    assert [len(next(reading).moves) for _ in range(3)] == [2, 2, 1]
    with pytest.raises(NotationError, match="line 6, column 4"):
        next(reading)


BAD_ONES = """\
[South "a"]

1. F f 2. F F
2. A a { [South "not a tag"] }

[South "b"]
[FEN "4-4"]

1. F f *

[South "c"]

1. F f *

[South "d"]
[South "e"]
[North "f"]

1. F

[South "g"]
[Result "3:2"]

[South "h"]

1. F (1. E

[South "i"]

1. F f 2. E E 3. D d

[South "j"]

1. F { never
[South "k"]
"""


def test_going_on_after_bad_games() -> None:
    told: list[NotationError] = []
    found = list(read_ogn(BAD_ONES, on_error=told.append))
    assert [record.tags["South"] for record in found] == ["c", "i"]
    assert [(error.line, error.column) for error in told] == [(3, 11), (7, 7), (16, 1), (22, 10), (26, 6), (34, 6)]


# -- attacks -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", [65, 1000, 200_000])
def test_variations_without_bottom(depth: int) -> None:
    error = refused("1. F " + "(E " * depth)
    assert "more than 64 nested variations" in str(error)
    assert (error.line, error.column) == (1, 6 + 3 * 64)


def test_variations_as_deep_as_allowed() -> None:
    (record,) = read_ogn("1. F " + "(E " * 64 + ")" * 64)
    for _ in range(64):
        (variation,) = record.moves[0].variations if not isinstance(record, list) else ()
        record.moves = variation.moves
    assert str(record.moves[0]) == "E"


def test_lines_and_games_without_end() -> None:
    assert "a line of more than 1,000,000" in str(refused("a" * (MAX_LINE + 1)))
    assert "a line of more than 1,000,000" in str(refused("1. F\n{" + " " * MAX_LINE))
    comments = ("{" + "x" * 50_000 + "}\n") * (MAX_GAME // 50_000 + 1)
    error = refused("1. F\n" + comments)
    assert "more than 8,000,000" in str(error)
    # Without moves or tags, too: nothing may pile up.
    assert "more than 8,000,000" in str(refused(comments))
    assert "more than 8,000,000" in str(refused('[A "b"]\n' + "{\n" + "x" * 900_000 * 1 + ("\n" + "x" * 900_000) * 9))


def test_many_variations_of_a_long_game_take_no_more_than_their_length() -> None:
    """Each variation starts from the position before its move without playing through the game again."""
    cycle = "1. a A 2. b B 3. c C 4. d D 5. e E 6. f F "
    text = '[Variant "casabianca"]\n' + cycle + "(B) " * 20_000
    (record,) = read_ogn(text)
    assert len(record.moves[-1].variations) == 20_000


def test_many_comments_on_one_move() -> None:
    (record,) = read_ogn("1. F " + "{a}" * 100_000)
    assert len(record.moves[0].comments) == 100_000


def test_texts_that_are_no_text(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "x.ogn"
    path.write_bytes(bytes(range(256)) * 100)
    with pytest.raises(NotationError):
        list(read_ogn(path))
    path.write_text('[South "\xe9"]\n1. F', encoding="latin-1")
    with path.open(encoding="utf-8") as file, pytest.raises(NotationError, match="not a text"):
        list(read_ogn(file))
    with pytest.raises(TypeError, match="lines of text"):
        list(read_ogn([b"1. F"]))  # type: ignore[list-item]


@pytest.mark.parametrize("read", [read_ogn, read_json])
@pytest.mark.parametrize("name", ["games/club evening.ogn", "C:\\games\\a.OGN", "game.json", "games.jsonl\n"])
def test_the_name_of_a_file_is_not_its_text(read: Callable[[str], object], name: str) -> None:
    with pytest.raises(NotationError, match="is the name of a file, not the text of a game") as refused:
        list(read(name))  # type: ignore[call-overload]
    assert "est le nom d'un fichier" in refused.value.sentence("fr")


def test_a_text_may_mention_a_file() -> None:
    (record,) = read_ogn("1. F f ; continued in club.ogn")
    assert len(record.moves) == 2
