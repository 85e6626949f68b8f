"""Studies: chapters of positions and games with variations, comments, drawn arrows and questions to the reader.

A chapter is kept as OGN, so a study is exported and imported without loss; `notation.comment_commands` says how arrows
and questions are written. Whoever knows a study's key may read it; whoever holds a secret that was given to `allow` may
change it. A change names the version that it is based on, and a stale one is refused.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from sqlalchemy import delete as delete_rows
from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from awale.errors import AwaleError, NotationError
from awale.i18n import message
from awale.keys import new_key
from awale.notation import GameRecord, read_ogn, to_ogn
from awale.rules import Rules
from awale.store.models import Chapter, Study, StudyEditor, now

MOST_CHAPTERS = 64
MOST_TEXT = 500_000
"""Characters of all chapters of a study."""


class StaleStudyError(AwaleError):
    """The study has changed since it was read."""


class NoStudyError(AwaleError):
    """No study has this key."""


@dataclass(frozen=True, slots=True)
class NewChapter:
    """A chapter to add: its title, and its game as `checked` returned it."""

    title: str
    ogn: str


def checked(record: GameRecord) -> str:
    """Return a chapter's game as it is kept; every move of it is checked."""
    record.check()
    return to_ogn(record)


def record_of(chapter: Chapter | NewChapter) -> GameRecord:
    """Return the game of a chapter."""
    return next(iter(read_ogn(io.StringIO(chapter.ogn))))


def read_chapters(
    source: str | Path, rules: Rules, *, name: str = "", untitled: Callable[[int], str] = str
) -> list[NewChapter]:
    """Return the chapters of an OGN text or file, one for each game; raise `NotationError` with the line of what is
    wrong.

    `name`: what errors call the source. `untitled`: the title of a game without names, by its number in the text.
    """
    opened = io.StringIO(source) if isinstance(source, str) else source
    records = list(islice(read_ogn(opened, rules=rules, name=name), MOST_CHAPTERS + 1))
    if not records:
        raise NotationError(message("store.study.no-game"))
    return [NewChapter(_title(record) or untitled(number), to_ogn(record)) for number, record in enumerate(records, 1)]


def _title(record: GameRecord) -> str:
    players = [record.tags[name] for name in ("South", "North") if record.tags.get(name, "?") != "?"]
    title = record.tags.pop("Chapter", "") or " – ".join(players) or record.tags.get("Event", "")
    return title[:200].strip()


def create(session: Session, title: str, chapters: Iterable[NewChapter] = (), *, edit_hash: str | None = None) -> Study:
    """Store a new study. `edit_hash`: of the secret in its edit link."""
    study = Study(key=new_key(), title=_named(title), edit_hash=edit_hash, version=1)
    session.add(study)
    session.flush()
    add(session, study, chapters)
    return study


def by_key(session: Session, key: str) -> Study:
    """Return the study with a key; raise `AwaleError` if there is none."""
    found = session.scalar(select(Study).where(Study.key == key))
    if found is None:
        raise NoStudyError(message("store.study.missing", key=key[:40]))
    return found


def chapters(session: Session, study: Study) -> list[Chapter]:
    """Return the chapters of a study in order."""
    return list(
        session.scalars(select(Chapter).where(Chapter.study_id == study.id).order_by(Chapter.place, Chapter.id))
    )


def summaries(session: Session, studies: Sequence[Study]) -> list[tuple[Study, int]]:
    """Return studies with the number of their chapters."""
    query = select(Chapter.study_id, func.count()).where(Chapter.study_id.in_([study.id for study in studies]))
    counts = {row[0]: row[1] for row in session.execute(query.group_by(Chapter.study_id))}
    return [(study, counts.get(study.id, 0)) for study in studies]


def latest(session: Session, *, limit: int = 50) -> list[Study]:
    """Return the studies that were changed last."""
    return list(session.scalars(select(Study).order_by(Study.updated_at.desc(), Study.id.desc()).limit(limit)))


# -- changes -------------------------------------------------------------------------------------------------------


def add(session: Session, study: Study, added: Iterable[NewChapter]) -> list[Chapter]:
    """Append chapters."""
    _lock(session, study)
    there = chapters(session, study)
    new = [Chapter(study_id=study.id, title=_named(one.title), ogn=one.ogn, version=1) for one in added]
    if len(there) + len(new) > MOST_CHAPTERS:
        raise AwaleError(message("store.study.chapters", count=len(there) + len(new), most=MOST_CHAPTERS))
    size = sum(len(one.ogn) for one in (*there, *new))
    if size > MOST_TEXT:
        raise AwaleError(message("store.study.size", count=size, most=MOST_TEXT))
    for place, chapter in enumerate(new, there[-1].place + 1 if there else 1):
        chapter.place = place
        session.add(chapter)
    _touch(session, study)
    return new


def save(session: Session, study: Study, number: int, version: int, new: NewChapter) -> Chapter:
    """Replace the title and the game of a chapter."""
    _lock(session, study)
    chapter = _chapter(session, study, number, version)
    others = session.scalar(
        select(func.sum(func.length(Chapter.ogn))).where(Chapter.study_id == study.id, Chapter.id != number)
    )
    if (others or 0) + len(new.ogn) > MOST_TEXT:
        raise AwaleError(message("store.study.size", count=(others or 0) + len(new.ogn), most=MOST_TEXT))
    chapter.title, chapter.ogn, chapter.version = _named(new.title), new.ogn, version + 1
    _touch(session, study)
    return chapter


def save_record(session: Session, study: Study, number: int, version: int, title: str, record: GameRecord) -> Chapter:
    """Replace a chapter by an edited game. How the game ended is kept if its moves are the same."""
    old = record_of(_chapter(session, study, number, version))
    if list(old) == list(record) and (old.rules, old.start) == (record.rules, record.start):
        record.result, record.ended, record.offer = old.result, old.ended, old.offer
    return save(session, study, number, version, NewChapter(title, checked(record)))


def remove(session: Session, study: Study, number: int, version: int) -> None:
    """Remove a chapter."""
    _lock(session, study)
    session.delete(_chapter(session, study, number, version))
    _touch(session, study)


def arrange(session: Session, study: Study, version: int, title: str, order: Sequence[int]) -> None:
    """Change the title of a study and the order of its chapters (their numbers)."""
    _lock(session, study)
    there = {chapter.id: chapter for chapter in chapters(session, study)}
    if study.version != version or set(order) != set(there):
        raise StaleStudyError(message("store.study.stale"))
    study.title = _named(title)
    for place, number in enumerate(order, 1):
        there[number].place = place
    _touch(session, study)


def delete(session: Session, study: Study) -> None:
    """Remove a study with its chapters."""
    session.execute(delete_rows(Chapter).where(Chapter.study_id == study.id))
    session.execute(delete_rows(StudyEditor).where(StudyEditor.study_id == study.id))
    session.delete(study)
    session.flush()


def _lock(session: Session, study: Study) -> None:
    """Let changes of a study wait for each other; SQLite has one writer anyway."""
    session.refresh(study, with_for_update=True)


def _chapter(session: Session, study: Study, number: int, version: int) -> Chapter:
    chapter = session.scalar(select(Chapter).where(Chapter.id == number, Chapter.study_id == study.id))
    if chapter is None or chapter.version != version:
        raise StaleStudyError(message("store.study.stale"))
    return chapter


def _touch(session: Session, study: Study) -> None:
    study.version, study.updated_at = study.version + 1, now()
    session.flush()


def _named(title: str) -> str:
    cleaned = " ".join("".join(c if c.isprintable() else " " for c in title).split())
    if not cleaned:
        raise AwaleError(message("store.study.no-title"))
    return cleaned


# -- who may change it ---------------------------------------------------------------------------------------------


def allow(session: Session, study: Study, secret_hash: str) -> None:
    """Let the holder of a secret change a study."""
    if not may_edit(session, study, secret_hash):
        session.add(StudyEditor(study_id=study.id, secret_hash=secret_hash))
        session.flush()


def may_edit(session: Session, study: Study, secret_hash: str | None) -> bool:
    """Return whether the holder of a secret may change a study."""
    return secret_hash is not None and session.get(StudyEditor, (study.id, secret_hash)) is not None


def edited_by(session: Session, secret_hash: str, *, limit: int = 50) -> list[Study]:
    """Return the studies that the holder of a secret may change, the latest first."""
    mine = select(StudyEditor.study_id).where(StudyEditor.secret_hash == secret_hash)
    query = select(Study).where(Study.id.in_(mine)).order_by(Study.updated_at.desc(), Study.id.desc())
    return list(session.scalars(query.limit(limit)))


def new_link(session: Session, study: Study, edit_hash: str) -> None:
    """Replace the secret of the edit link; the link before it is void."""
    session.execute(update(Study).where(Study.id == study.id).values(edit_hash=edit_hash))


# -- export --------------------------------------------------------------------------------------------------------


def export(session: Session, study: Study) -> str:
    """Return a study as OGN, a game for each chapter."""
    texts = []
    for chapter in chapters(session, study):
        record = record_of(chapter)
        record.tags |= {"Chapter": chapter.title}
        record.tags.setdefault("Event", study.title)
        texts.append(to_ogn(record))
    return "\n".join(texts)
