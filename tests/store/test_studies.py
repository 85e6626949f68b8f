"""Studies are kept as they were given, changed only from their latest version, and exported without loss."""

from __future__ import annotations

import pytest

from awale.errors import AwaleError, NotationError
from awale.notation import comment_commands
from awale.rules import get
from awale.store import Store, studies
from awale.store.models import MAX_CHAPTER
from awale.store.studies import NewChapter, StaleStudyError

TEXT = """[Variant "abapa"]
[Chapter "The opening"]

{ Which pit? [%draw 6-9,3] [%quiz] } 1. F! { well met } (1. A f (1... e) 2. B) 1... f 2. E *

[Variant "ghana"]
[South "Ama"]
[North "Kofi"]

1. 1 *
"""


def made(store: Store, text: str = TEXT) -> tuple[str, list[tuple[int, int]]]:
    """Store a study; return its key, and the numbers and versions of its chapters."""
    with store.transaction() as session:
        study = studies.create(session, "Coup d'œil", studies.read_chapters(text, get("abapa")))
        return study.key, [(chapter.id, chapter.version) for chapter in studies.chapters(session, study)]


def exported(store: Store, key: str) -> str:
    with store.transaction(read_only=True) as session:
        return studies.export(session, studies.by_key(session, key))


def test_a_study_comes_back_as_it_went(store: Store) -> None:
    key, _ = made(store)
    with store.transaction(read_only=True) as session:
        study = studies.by_key(session, key)
        first, second = studies.chapters(session, study)
        record = studies.record_of(first)
    assert (study.title, first.title, second.title) == ("Coup d'œil", "The opening", "Ama – Kofi")
    assert comment_commands.split(record.comments[0]) == ("Which pit?", ((5, 8), (2, 2)), True)
    assert [str(move) for move in record] == ["F", "f", "E"]
    assert [str(move) for move in record.moves[0].variations[0].moves] == ["A", "f", "B"]
    assert record.moves[0].variations[0].moves[1].variations


def test_what_is_exported_is_imported_as_the_same(store: Store) -> None:
    key, _ = made(store)
    text = exported(store, key)
    assert exported(store, made(store, text)[0]).replace("Study", "") == text.replace("Study", "")


def test_a_stale_change_is_refused_and_loses_nothing(store: Store) -> None:
    key, [(number, version), (other, other_version)] = made(store)
    mine, yours = (
        NewChapter(title, studies.read_chapters(f"1. {move} *", get("abapa"))[0].ogn)
        for title, move in (("mine", "A"), ("yours", "B"))
    )
    with store.transaction() as session:
        studies.save(session, studies.by_key(session, key), number, version, mine)
    for stale in (
        lambda session, study: studies.save(session, study, number, version, yours),
        lambda session, study: studies.remove(session, study, number, version),
        lambda session, study: studies.arrange(session, study, 1, "yours", [other, number]),
        lambda session, study: studies.arrange(session, study, study.version, "yours", [other]),
        lambda session, study: studies.save(session, study, 10**6, 1, yours),
    ):
        with pytest.raises(StaleStudyError), store.transaction() as session:
            stale(session, studies.by_key(session, key))
    with store.transaction() as session:  # another chapter is another matter
        studies.save(session, studies.by_key(session, key), other, other_version, yours)
    with store.transaction() as session:
        study = studies.by_key(session, key)
        assert [chapter.title for chapter in studies.chapters(session, study)] == ["mine", "yours"]
        studies.arrange(session, study, study.version, "Arranged", [other, number])
        assert [chapter.title for chapter in studies.chapters(session, study)] == ["yours", "mine"]
        studies.remove(session, study, number, 2)
    with store.transaction() as session:
        study = studies.by_key(session, key)
        assert study.title == "Arranged"
        assert len(studies.chapters(session, study)) == 1
        studies.delete(session, study)
    with pytest.raises(AwaleError, match=key), store.transaction() as session:
        studies.by_key(session, key)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1. F f\n2. F *", "2"),
        ('[Variant "abapa"]\n\n1. F f *\n\n[Variant "abapa"]\n\n1. A a\n2. Z *\n', "8"),
        ("", "no game"),
    ],
)
def test_a_study_with_an_illegal_move_is_refused_with_its_line(text: str, said: str) -> None:
    with pytest.raises(NotationError, match=said):
        studies.read_chapters(text, get("abapa"))


def test_a_bad_import_leaves_the_study_as_it_was(store: Store) -> None:
    key, _ = made(store)
    before = exported(store, key)
    with pytest.raises(NotationError), store.transaction() as session:
        study = studies.by_key(session, key)
        studies.add(session, study, [NewChapter("good", "1. F *\n")])
        studies.add(session, study, studies.read_chapters("1. A a 2. Z *", get("abapa")))
    assert exported(store, key) == before


def test_texts_and_sizes_are_checked(store: Store) -> None:
    key, [(number, version), _] = made(store)
    for bad in (
        NewChapter("x" * 201, "1. F *\n"),
        NewChapter(" ", "1. F *\n"),
        NewChapter("x", "x" * (MAX_CHAPTER + 1)),
        NewChapter("x", "1. F { \0 } *\n"),
    ):
        with pytest.raises(AwaleError), store.transaction() as session:
            studies.add(session, studies.by_key(session, key), [bad])
        with pytest.raises(AwaleError), store.transaction() as session:
            studies.save(session, studies.by_key(session, key), number, version, bad)
    with pytest.raises(AwaleError, match="64"), store.transaction() as session:
        studies.add(session, studies.by_key(session, key), [NewChapter("x", "1. F *\n")] * 63)
    with pytest.raises(AwaleError, match="500000"), store.transaction() as session:
        studies.add(session, studies.by_key(session, key), [NewChapter("x", "x" * 140_000)] * 4)
    with store.transaction() as session:
        assert len(studies.chapters(session, studies.by_key(session, key))) == 2


def test_only_holders_of_a_secret_may_edit(store: Store) -> None:
    key, _ = made(store)
    with store.transaction() as session:
        study = studies.by_key(session, key)
        assert not studies.may_edit(session, study, None)
        assert not studies.may_edit(session, study, "a" * 64)
        studies.allow(session, study, "a" * 64)
        studies.allow(session, study, "a" * 64)
        assert studies.may_edit(session, study, "a" * 64)
        assert [found.key for found in studies.edited_by(session, "a" * 64)] == [key]
        assert studies.edited_by(session, "b" * 64) == []
        assert [(found.key, count) for found, count in studies.summaries(session, studies.latest(session))] == [
            (key, 2)
        ]


@pytest.mark.parametrize("comment", ["plain", "[%draw x]", "[%draw 1-2-3]", "[%other]", "a [%quiz b"])
def test_what_is_not_understood_stays_text(comment: str) -> None:
    assert comment_commands.split(comment) == (comment, (), False)
