"""OGN by examples: what is understood, and what is written."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from awale import Game, NotationError, Rules
from awale.notation import GameRecord, PlayedMove, Variation, from_ogn, read_ogn, to_ogn, write_ogn
from awale.rules import get


def one(text: str, rules: str = "abapa") -> GameRecord:
    (record,) = read_ogn(text, rules=rules)
    return record


def line(record: GameRecord) -> str:
    return " ".join(map(str, record.moves))


FILE = """\
[Variant "Abapa"]
[Event "Cannes"]
[Site "?"]
[Date "2024.05.01"]
[Round "3"]
[South "Awa"]
[North "Kofi \\"the fox\\" A."]
[Result "*"]
[ECO "B\\\\2"]

1. F f 2. C e { North is careful.
} 3. A+2 d (3... a) (3... b 4. A { and so on } A)
*
"""


def test_a_whole_file() -> None:
    with pytest.raises(NotationError, match="line 12, column 6: A captures nothing"):
        one(FILE)
    record = one(FILE.replace("A+2", "B"))
    assert record.rules is get("abapa")
    assert record.tags == {
        "Event": "Cannes",
        "Site": "?",
        "Date": "2024.05.01",
        "Round": "3",
        "South": "Awa",
        "North": 'Kofi "the fox" A.',
        "ECO": "B\\2",
    }
    assert line(record) == "F f C e B d+3"
    assert record.moves[3].comments == ["North is careful."]
    assert [[str(m) for m in v.moves] for v in record.moves[5].variations] == [["a"], ["b+3", "A", "a+5"]]
    assert record.moves[5].variations[1].moves[1].comments == ["and so on"]
    assert record.result == "*"
    assert record.outcome is None


@pytest.mark.parametrize(
    "text",
    [
        "1. F f 2. E e 3. D d",
        "1. F f 2. E e 3. D d *",
        "1.F f 2.E e 3.D d",
        "1 F f 2 E e 3 D d",
        "F f E e D d",
        "FfEeDd",
        "ffeedd *",
        "FFEEDD",
        "1. F 1... f 2. E 2... e 3. D 3... d",
        "1. F ... f 2. E .. e 3. D … d",
        "1. F! f?! 2. E $4 e !! 3. D d",
        "\ufeff1. F f\r\n2. E e\r\n3. D d\r\n",
        "1. F f ; a comment\n2. E e\n% not for us\n3. D d",
        "\n\n  1. F f\n\n\n2. E e 3. D d\n\n",
        "[variant oware]\n\n FfEeDd",
        '[VARIANT "international"]\n[result "?"]\n\n FfEeDd',
        '[South Awa Ba]\n[North "Kofi "the fox" A."]\nFfEeDd',
        '[South "Awa"] [North "Kofi"] FfEeDd',
        "1. F (1. E f (1... e 2. A a) 2. A) f 2. E e 3. D d",
        "1. F ( { nothing } ) f 2. E e 3. D d",
    ],
)
def test_forgiving(text: str) -> None:
    assert line(one(text)) == "F f E e D d"


@pytest.mark.parametrize(
    ("rules", "text", "moves"),
    [
        ("ghana", "1. 3+6 9 2. 1", "3+6 9 1+1"),
        ("ghana", "1.3 1...9 2.1", "3+6 9 1+1"),
        ("upsti", "1. 5 5 2. 4 0", "5 5 4 0"),
        ("upsti", "1.5 5 2.4 0 *", "5 5 4 0"),
        ("tricolor", "1. 3R 12TB 2. 5b 2tr", "3R 12TB 5B 2TR"),
        ("tricolor", "3R12TB5b2tr", "3R 12TB 5B 2TR"),
        ("casabianca", "1. f F 2. a B", "f F a B"),
    ],
)
def test_notations(rules: str, text: str, moves: str) -> None:
    record = one(text, rules)
    assert line(record) == moves
    assert line(one(to_ogn(record))) == moves


@pytest.mark.parametrize(
    ("stated", "result"),
    [
        ("26-20", "26-20"),
        ("26 - 20", "26-20"),
        ("026–020", "26-20"),
        ("1-0", "1-0"),
        ("0-1", "0-1"),
        ("1/2-1/2", "1/2-1/2"),
        ("½-½", "1/2-1/2"),
        ("1/2", "1/2-1/2"),
        ("*", "*"),
        ("", "*"),
    ],
)
def test_results_of_games_that_the_moves_leave_open(stated: str, result: str) -> None:
    assert one(f"1. F f {stated}").result == result
    assert one(f'[Result "{stated}"]\n\n1. F f').result == result
    record = one(f'[Result "{stated}"]\n\n1. F f {stated}')
    assert (record.result, record.outcome) == (result, None)
    assert one(to_ogn(record)) == record
    assert record.game().outcome() is None


ENDING = '[FEN "0-0-0-0-0-1-1-0-0-0-0-2-24-20-S"]\n'


@pytest.mark.parametrize("stated", ["26-20", "1-0", "*", ""])
def test_results_of_games_that_the_rules_end(stated: str) -> None:
    record = one(f"{ENDING}1. F+2 {stated}")
    assert record.result == "26-20"
    assert record.outcome is not None
    assert record.outcome.winner == 0
    assert record.game().outcome() == record.outcome


def test_a_last_move_may_be_said_to_take_what_is_swept_up() -> None:
    start = '[Variant "upsti"][FEN "1-0-0-0-0-1-1-0-0-1-0-0-21-23-S-40"]\n'
    plain = one(f"{start} 1. 5+2")
    assert plain.result == "24-24"
    assert one(f"{start} 1. 5+3") == plain
    assert one(f"{start} 1. 5+") == plain
    with pytest.raises(NotationError, match="5 captures 2, not 4"):
        one(f"{start} 1. 5+4")


def test_tag_and_moves_may_say_the_result_in_two_ways() -> None:
    assert one('[Result "26-20"]\n\n1. F f 1-0').result == "26-20"
    assert one('[Result "1-0"]\n\n1. F f 26-20').result == "26-20"
    assert one('[Result "*"]\n\n1. F f 26-20').result == "26-20"
    assert one('[Result "26-20"]\n\n1. F f *').result == "26-20"


@pytest.mark.parametrize(
    ("tags", "ended"),
    [
        ('[Termination "agreement"]', "agreement"),
        ('[Termination "by mutual agreement"]', "agreement"),
        ('[Termination "d\'un commun accord"]', "agreement"),
        ('[Termination "South resigns"]', "resignation-0"),
        ('[Termination "J2 resigned"]', "resignation-1"),
        ('[Termination "resignation"][Result "0-1"]', "resignation-0"),
        ('[Termination "South loses on time"]', "time-0"),
        ('[Termination "J2 perd au temps"]', "time-1"),
    ],
)
def test_how_players_end_a_game(tags: str, ended: str) -> None:
    record = one(f"{tags}\n\n1. F f")
    assert record.ended == ended
    assert record.outcome is not None
    assert record.outcome.reason == ended.partition("-")[0]
    assert "Termination" not in record.tags
    game = record.game()
    assert game.ended == ended
    assert from_ogn(to_ogn(game)) == game


@pytest.mark.parametrize("said", ["time forfeit", "time: took 2 s of 1 s", "abandoned", "resignation", "unterminated"])
def test_other_terminations_are_kept_as_they_are(said: str) -> None:
    record = one(f'[Termination "{said}"]\n\n1. F f')
    assert record.tags == {"Termination": said}
    assert record.ended is None
    assert one(to_ogn(record)) == record


def test_several_games() -> None:
    text = """
; games of an evening

[South "a"]

1. F f 26-20 { well played }

[South "b"]
[North "c"]
[South2 "d"]

[South "e"]

FfEe
[South "g"] 1. A 25-23 1. B b 2. C
* a { the last } (b)
"""
    found = list(read_ogn(text))
    assert [record.tags.get("South") for record in found] == ["a", "b", "e", "g", None, None]
    assert [line(record) for record in found] == ["F f", "", "F f E e", "A", "B b C", "A"]
    assert found[0].comments == ["games of an evening"]
    assert found[0].moves[-1].comments == ["well played"]
    assert found[1].tags == {"South": "b", "North": "c", "South2": "d"}
    assert found[-1].moves[0].comments == ["the last"]
    buffer = io.StringIO()
    assert write_ogn(found, buffer) == 6
    assert list(read_ogn(buffer.getvalue())) == found


@pytest.mark.parametrize("text", ["", "\n", "  \r\n\t", "; only a comment", "{ only a comment }", "% only", "\ufeff"])
def test_no_game_at_all(text: str) -> None:
    assert list(read_ogn(text)) == []
    with pytest.raises(NotationError, match="no game"):
        from_ogn(text)


def test_who_has_no_seed_passes() -> None:
    """The pass stands where the move would, so the numbers go on: South moves twice, later North three times."""
    head = '[Variant "ghana"]\n[Result "22-21"]\n[FEN "1-1-0-1-0-0-0-0-0-0-0-0-20-20-S"]\n'
    body = "1. 1 -- 2. 5 7+1 3. -- 9 4. -- 12 5. 1+1 22-21"
    record = one(f"{head}\n{body}")
    assert [get("ghana").owner(move.pit) for move in record] == [0, 0, 1, 1, 1, 0]
    assert to_ogn(record) == f"{head}\n{body}\n"
    # The pass need not be written, and may be spelled out; the numbers are not looked at.
    assert one(f"{head}\n{body.replace('-- ', '')}") == record
    assert one(f"{head}\n{body.replace('--', 'pass')}") == record
    assert one(f"{head}\n{body.replace('5. ', '1. ')}") == record
    # Interrupted, the number comes back before the pass, too.
    interrupted = body.replace("1. 1 --", "1. 1 { alone } 1... --")
    assert interrupted in to_ogn(one(f"{head}\n{interrupted}"))
    with pytest.raises(NotationError, match="line 5, column 14: a pass is not allowed here"):
        one(f"{head}\n{body.replace('7+1 3.', '-- 7+1 3.')}")


def test_north_may_begin() -> None:
    north = Game("abapa", start="4-4-4-4-4-4-4-4-4-4-4-4-0-0-N", moves="f F e")
    assert "1... f 2. F e *" in to_ogn(north)
    assert from_ogn(to_ogn(north)) == north


def test_numbers_come_back_after_an_interruption() -> None:
    record = one("1. F { x } f 2. E (2. D d) e 3. D")
    assert to_ogn(record).split("\n\n")[1] == "1. F { x } 1... f 2. E (2. D d) 2... e 3. D *\n"


def test_layout_of_what_is_written() -> None:
    record = GameRecord.from_game(Game("abapa", moves="FfEeDdCcBbAaFfE"), {"Notes": "kept", "South": "Awa"})
    record.moves[3].comments = ["a comment that is" + " long" * 30, "second"]
    record.moves[4].comments = ["with a } brace\n\nin two parts", "and } another"]
    record.moves[5].variations = [Variation([PlayedMove(get_move("c"), comments=["ends } so"])])]
    record.check()
    text = to_ogn(record)
    assert all(len(row) <= 80 for row in text.split("\n") if "long" not in row)
    assert text.startswith('[Variant "abapa"]\n[South "Awa"]\n[Result "*"]\n[Notes "kept"]\n\n1. F f')
    assert "\n; with a } brace\n;\n; in two parts\n\n; and } another\n" in text
    assert one(text) == record


def get_move(text: str):  # type: ignore[no-untyped-def]
    return Game("abapa", moves="FfEeD").parse(text)


def test_files_of_all_kinds(tmp_path: Path) -> None:
    record = one('[South "Amélie"]\n\n1. F f { déjà vu } *')
    path = tmp_path / "games.ogn"
    assert write_ogn([record], path) == 1
    text = path.read_text(encoding="utf-8")
    for source in (
        path,
        path.read_bytes(),
        text.encode("latin-1"),
        text.encode("cp1252"),
        text.encode("utf-16-le").join([b"\xff\xfe", b""]),
        io.StringIO(text),
        io.BytesIO(text.encode()),
        text.splitlines(),
        iter(text.splitlines(keepends=True)),
    ):
        assert list(read_ogn(source)) == [record]
    with path.open(encoding="utf-8") as file:
        assert list(read_ogn(file)) == [record]
    with path.open("rb") as file:
        assert list(read_ogn(file)) == [record]
        assert not file.closed
    assert write_ogn([record, record.game()], str(path)) == 2
    assert len(list(read_ogn(path))) == 2
    # Only the line that is no UTF-8 is read as Latin-1.
    mixed = '[South "Amélie"]\n'.encode() + '[North "Noël"]\n\n1. F'.encode("latin-1")
    (read,) = read_ogn(mixed)
    assert read.tags == {"South": "Amélie", "North": "Noël"}


def test_strange_texts_are_made_writable() -> None:
    record = GameRecord.from_game(Game("abapa", moves="F"), {"South": "a\nb\x00c\ud800"})
    record.moves[0].comments = ["  x\r\ny\ud800 ", " \n "]
    again = one(to_ogn(record))
    assert again.tags == {"South": "a b c?"}
    assert again.moves[0].comments == ["x\ny?"]
    to_ogn(record).encode()


@pytest.mark.parametrize(
    ("tags", "problem"),
    [
        ({"Result": "1-0"}, "Result"),
        ({"variant": "x"}, "Variant"),
        ({"a b": "x"}, "'a b' is not a valid tag name"),
        ({"": "x"}, "is not a valid tag name"),
        ({"South": "x", "south": "y"}, "South is given twice"),
        ({"South": "x" * 30_000}, "longer than 20,000"),
    ],
)
def test_tags_that_cannot_be_written(tags: dict[str, str], problem: str) -> None:
    with pytest.raises(NotationError, match=problem):
        to_ogn(Game("abapa"), **tags)
    record = GameRecord()
    record.tags = tags
    with pytest.raises(NotationError, match=problem):
        to_ogn(record)


def test_records_that_cannot_be_written() -> None:
    record = GameRecord.from_game(Game("abapa", moves="F"))
    record.moves[0].marks = ["good!"]
    with pytest.raises(NotationError, match="not an annotation"):
        to_ogn(record)
    record.moves[0].marks = []
    record.result = "South wins"
    with pytest.raises(NotationError, match="not a result"):
        to_ogn(record)
    record.result = "*"
    for _ in range(100):
        record = GameRecord(moves=[PlayedMove(record.moves[0].move, variations=[Variation(record.moves)])])
    with pytest.raises(NotationError, match="more than 64"):
        to_ogn(record)
    with pytest.raises(NotationError, match="more than 64"):
        record.check()


def test_a_record_changed_by_hand_is_checked() -> None:
    record = GameRecord.from_game(Game("abapa", moves="FfEe"))
    del record.moves[1]
    with pytest.raises(NotationError, match=r"moves\[1\]: pit E belongs to South"):
        record.check()
    record = GameRecord.from_game(Game("abapa", start="0-0-0-0-0-1-1-0-0-0-0-2-24-20-S", moves="F"))
    record.moves[0].taken, record.result, record.outcome = 0, "*", None
    record.check()
    assert (record.moves[0].taken, record.result) == (2, "26-20")
    record.ended = "agreement"
    with pytest.raises(NotationError, match="only one of them"):
        record.check()


def test_village_rules_travel_with_the_game() -> None:
    rules = Rules.from_toml_text('base = "abapa"\nname = "Awa"\nseeds = 3\nfew_seeds = 4\n')
    text = to_ogn(Game(rules, moves="FfE"))
    assert text.startswith('[Variant "Awa"]\n[Result "*"]\n[Rules "abapa:seeds=3,few_seeds=4"]\n')
    assert from_ogn(text).rules == rules
    assert one('[Variant "ghana:pits=3"]\n\n1. 3').rules == get("ghana:pits=3")
    # The rules given are for games that name none.
    assert one('[Variant "oware"]\n\n1. F', rules="ghana").rules == get("abapa")
    assert one('[Variant "?"]\n\n1. 3', rules="ghana").rules == get("ghana")
