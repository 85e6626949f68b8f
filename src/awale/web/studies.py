"""Studies: the list of one's own, the board of a study, its printable page, and their JSON."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse
from pydantic import Field
from sqlalchemy.orm import Session

from awale.draw import board_svg
from awale.game import Game
from awale.i18n import message
from awale.i18n import text as translate
from awale.notation import PlayedMove, comment_commands
from awale.rules import positions
from awale.store import Store, studies
from awale.store.models import Chapter, Study
from awale.web import game_files, request_parsing, schema
from awale.web.api import (
    MISSING,
    REFUSED,
    GameKey,
    LinkRequest,
    RecordRequest,
    attachment,
    check_new,
    in_thread,
    set_cookie,
)
from awale.web.language import WebError, language
from awale.web.pages import missing, render, setup
from awale.web.request_parsing import Strict
from awale.web.security import hashed, new_secret, own_hash, own_secret

api = APIRouter(prefix="/api/studies", tags=["studies"])
router = APIRouter(include_in_schema=False)
Out = TypeVar("Out")
Title = Annotated[str, Field(min_length=1, max_length=200, examples=["Starving the opponent"])]
FileText = Annotated[str, Field(max_length=150_000, examples=["1. F f *\n"])]
Number = Annotated[int, Field(ge=0, le=2**53)]
CHANGED: dict[int | str, dict[str, Any]] = {
    **REFUSED,
    **MISSING,
    403: {"description": "Not yours to change, or sent by a page of another site."},
    409: {"description": "Changed elsewhere meanwhile; nothing was overwritten."},
}


async def _stored(request: Request, work: Callable[[Session], Out], *, read_only: bool = False) -> Out:
    """Do work in a transaction, in a thread."""
    store: Store = request.app.state.store

    def answer() -> Out:
        with store.transaction(read_only=read_only) as session:
            return work(session)

    try:
        return await in_thread(request, answer, slow=True)
    except studies.StaleStudyError as error:
        raise WebError(409, error) from None
    except studies.NoStudyError as error:
        raise WebError(404, error) from None


def _mine(session: Session, request: Request, key: str) -> Study:
    """Return a study that this browser may change."""
    study = studies.by_key(session, key)
    if not studies.may_edit(session, study, own_hash(request)):
        raise WebError(403, message("web.error.not-your-study"))
    return study


def _outline(session: Session, study: Study, mine: bool) -> schema.StudyOutline:
    found = studies.chapters(session, study)
    chapters = [schema.ChapterOutline.model_validate(chapter, from_attributes=True) for chapter in found]
    return schema.StudyOutline(key=study.key, title=study.title, version=study.version, mine=mine, chapters=chapters)


class NewStudyRequest(Strict):
    """A study to begin, with a chapter for each game of an OGN text."""

    title: Title
    text: FileText = ""
    rules: request_parsing.RulesName = "abapa"


@api.post("", status_code=201, responses=REFUSED)
async def new_study(sent: NewStudyRequest, request: Request, response: Response) -> schema.StudyCreated:
    """Begin a study. The answer holds the link for those who may change it; it is not shown again."""
    check_new(request)
    text = sent.text if sent.text.strip() else "*"
    lang = language(request)
    added = await in_thread(request, lambda: _chapters(text, sent.rules, lang))
    own = own_secret(request) or new_secret()
    link = new_secret()

    def create(session: Session) -> str:
        study = studies.create(session, sent.title, added, edit_hash=hashed(link))
        studies.allow(session, study, hashed(own))
        return study.key

    key = await _stored(request, create)
    set_cookie(request, response, own)
    return schema.StudyCreated(key=key, link=_link(key, link))


def _chapters(text: str, rules: str, lang: str) -> list[studies.NewChapter]:
    read = request_parsing.read_rules(rules)
    return studies.read_chapters(text, read, untitled=lambda number: translate("web.study.chapter", lang, n=number))


def _link(key: str, secret: str) -> str:
    return f"/study/{key}/edit/{secret}"


@api.get("")
async def my_studies(request: Request) -> list[schema.StudySummary]:
    """The studies that this browser may change, the latest first."""
    own = own_hash(request)

    def find(session: Session) -> list[schema.StudySummary]:
        found = studies.summaries(session, studies.edited_by(session, own or ""))
        return [
            schema.StudySummary(key=study.key, title=study.title, chapters=count, updated=study.updated_at.isoformat())
            for study, count in found
        ]

    return await _stored(request, find, read_only=True) if own else []


@api.get("/{key}", responses={**REFUSED, **MISSING})
async def one_study(key: GameKey, request: Request) -> schema.StudyOutline:
    """A study as anybody with its link may see it."""

    def find(session: Session) -> schema.StudyOutline:
        study = studies.by_key(session, key)
        return _outline(session, study, studies.may_edit(session, study, own_hash(request)))

    return await _stored(request, find, read_only=True)


@api.get("/{key}/ogn", response_class=PlainTextResponse, responses={**REFUSED, **MISSING})
async def study_file(key: GameKey, request: Request) -> Response:
    """A study as an OGN file, a game for each chapter."""
    text = await _stored(request, lambda session: studies.export(session, studies.by_key(session, key)), read_only=True)
    return attachment(text, "text/plain", f"study-{key}.ogn")


@api.get("/{key}/chapters/{number}", responses={**REFUSED, **MISSING})
async def one_chapter(
    key: GameKey, number: Annotated[int, Path(ge=0, le=2**53)], request: Request
) -> schema.StudyChapter:
    """A chapter with its game."""

    def find(session: Session) -> Chapter:
        found = [one for one in studies.chapters(session, studies.by_key(session, key)) if one.id == number]
        if not found:
            raise WebError(404, message("web.error.no-chapter"))
        return found[0]

    chapter = await _stored(request, find, read_only=True)
    game = await in_thread(request, lambda: game_files.shown(studies.record_of(chapter)))
    return schema.StudyChapter(id=chapter.id, title=chapter.title, version=chapter.version, game=game)


# -- changes -------------------------------------------------------------------------------------------------------


class AddChange(Strict):
    """A chapter to append."""

    type: Literal["add"]
    title: Title
    record: RecordRequest


class SaveChange(Strict):
    """What a chapter becomes; `version` is the one that was changed."""

    type: Literal["save"]
    chapter: Number
    version: Number
    title: Title
    record: RecordRequest


class RemoveChange(Strict):
    """A chapter to remove."""

    type: Literal["remove"]
    chapter: Number
    version: Number


class ArrangeChange(Strict):
    """The title of the study and the order of its chapters; `version` is the study's."""

    type: Literal["arrange"]
    version: Number
    title: Title
    order: list[Number] = Field(max_length=studies.MOST_CHAPTERS)


class ImportChange(Strict):
    """Games of an OGN text to append as chapters."""

    type: Literal["import"]
    text: FileText
    rules: request_parsing.RulesName = "abapa"


AnyChange = Annotated[AddChange | SaveChange | RemoveChange | ArrangeChange | ImportChange, Field(discriminator="type")]


@api.post("/{key}", responses=CHANGED)
async def change_study(key: GameKey, sent: AnyChange, request: Request) -> schema.StudyOutline:
    """Change a study. Whatever is refused leaves it as it was."""
    await _stored(request, lambda session: _mine(session, request, key).id, read_only=True)
    work = await in_thread(request, lambda: _work(sent, language(request)))

    def change(session: Session) -> schema.StudyOutline:
        study = _mine(session, request, key)
        work(session, study)
        return _outline(session, study, True)

    return await _stored(request, change)


def _work(sent: AnyChange, lang: str) -> Callable[[Session, Study], object]:
    """Check a change; return what it does."""
    match sent:
        case AddChange():
            added = [
                studies.NewChapter(
                    sent.title, studies.checked(game_files.record(sent.record.read_rules(), sent.record))
                )
            ]
            return lambda session, study: studies.add(session, study, added)
        case ImportChange():
            imported = _chapters(sent.text, sent.rules, lang)
            return lambda session, study: studies.add(session, study, imported)
        case SaveChange():
            record = game_files.record(sent.record.read_rules(), sent.record)
            studies.checked(record)
            return lambda session, study: studies.save_record(
                session, study, sent.chapter, sent.version, sent.title, record
            )
        case RemoveChange():
            return lambda session, study: studies.remove(session, study, sent.chapter, sent.version)
        case ArrangeChange():
            return lambda session, study: studies.arrange(session, study, sent.version, sent.title, sent.order)


class DeleteRequest(Strict):
    """The version of the study that is to be deleted."""

    version: Number


@api.post("/{key}/delete", status_code=204, responses=CHANGED)
async def delete_study(key: GameKey, sent: DeleteRequest, request: Request) -> Response:
    """Delete a study with all its chapters."""

    def remove(session: Session) -> None:
        study = _mine(session, request, key)
        if study.version != sent.version:
            raise studies.StaleStudyError(message("store.study.stale"))
        studies.delete(session, study)

    await _stored(request, remove)
    return Response(status_code=204)


@api.post("/{key}/edit", status_code=204, responses=CHANGED)
async def take_pen(key: GameKey, sent: LinkRequest, request: Request) -> Response:
    """Let this browser change a study."""
    own = own_secret(request) or new_secret()

    def allow(session: Session) -> None:
        study = studies.by_key(session, key)
        if study.edit_hash != hashed(sent.secret):
            raise WebError(403, message("web.error.edit-link"))
        studies.allow(session, study, hashed(own))

    await _stored(request, allow)
    return set_cookie(request, Response(status_code=204), own)


@api.post("/{key}/edit-link", responses=CHANGED)
async def new_edit_link(key: GameKey, request: Request) -> schema.Link:
    """A new link for those who may change a study. The link before it is void."""
    secret = new_secret()
    await _stored(request, lambda session: studies.new_link(session, _mine(session, request, key), hashed(secret)))
    return schema.Link(link=_link(key, secret))


# -- pages ---------------------------------------------------------------------------------------------------------


@router.get("/studies")
async def studies_page(request: Request) -> HTMLResponse:
    return render(request, "studies.html", {"page": "studies"})


@router.get("/study/{key}")
async def study_page(request: Request, key: GameKey) -> HTMLResponse:
    """The board of a study: to read and solve, or to change."""
    try:
        outline = await one_study(key, request)
    except WebError:
        return missing(request)
    rules = schema.Rules.of(request_parsing.read_rules("abapa"))
    if outline.chapters:
        first = await one_chapter(key, outline.chapters[0].id, request)
        rules = first.game.rules
    data = {"page": "study", **setup(), "rules": rules, "study": outline, "problem": ""}
    return render(request, "study.html", data, rules=rules, study=outline)


@router.get("/study/{key}/edit/{secret}")
async def edit_page(request: Request, key: GameKey, secret: Annotated[str, Path(max_length=64)]) -> HTMLResponse:
    """A page that takes the right to change a study."""
    data = {"page": "edit-study", "request": f"/api/studies/{key}/edit", "shown": f"/study/{key}", "secret": secret}
    return render(request, "link.html", data, title="study.taking", only="study.only-read", shown=data["shown"])


@router.get("/study/{key}/print")
async def print_page(request: Request, key: GameKey) -> HTMLResponse:
    """A study on paper: questions with their boards, and the answers on a page of their own."""

    def find(session: Session) -> tuple[str, list[Chapter]]:
        study = studies.by_key(session, key)
        return study.title, studies.chapters(session, study)

    try:
        title, chapters = await _stored(request, find, read_only=True)
    except WebError:
        return missing(request)
    lang = language(request)
    shown = await in_thread(request, lambda: [_printed(chapter, lang) for chapter in chapters])
    asked = [part for one in shown for part in (*one["parts"], *one["answers"]) if part.get("quiz")]
    for number, part in enumerate(asked, 1):
        part["number"] = number
    return render(request, "print-study.html", {"page": "text"}, title=title, chapters=shown, key=key)


def _printed(chapter: Chapter, lang: str) -> dict[str, Any]:
    """Return a chapter as it is printed: texts, boards and questions in order, and the lines that answer."""
    record = studies.record_of(chapter)
    start = None if record.start is None else positions.write(record.rules, record.start)
    game = Game(record.rules, start=start)
    parts: list[dict[str, Any]] = []
    answers: list[dict[str, Any]] = []
    into = parts  # what follows a question answers it
    comment = "\n".join(record.comments)
    parts.append(_board(game, comment_commands.split(comment), lang))
    if comment_commands.split(comment).quiz:
        into = answers
    for played in record.moves:
        game.push(played.move)
        said = comment_commands.split("\n".join(played.comments))
        number = f"{(len(game.moves) + 1) // 2}{'.' if len(game.moves) % 2 else '…'} "
        into.append({"kind": "move", "text": number + str(played) + "".join(played.marks), "lines": _lines(played)})
        if said.quiz or said.shapes:
            into.append(_board(game, said, lang))
        elif said.text:
            into.append({"kind": "text", "text": said.text})
        if said.quiz:
            into = answers
    return {"title": chapter.title, "parts": parts, "answers": answers}


def _board(game: Game, said: comment_commands.Annotation, lang: str) -> dict[str, Any]:
    holes = range(game.rules.holes)
    shapes = [(a, b) for a, b in said.shapes if a in holes and b in holes]
    svg = board_svg(
        game,
        lang=lang,
        last_move=False,
        arrows=[(a, b) for a, b in shapes if a != b],
        fill={a: "#c9a227" for a, b in shapes if a == b},
    )
    picture = f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"
    return {"kind": "board", "picture": picture, "position": game.position, "text": said.text, "quiz": said.quiz}


def _lines(played: PlayedMove) -> list[str]:
    """Return the variations of a move as text, a line each."""
    return [_words(variation.moves) for variation in played.variations]


def _words(moves: list[PlayedMove]) -> str:
    words = []
    for played in moves:
        words.append(str(played) + "".join(played.marks))
        words += [said for comment in played.comments if (said := comment_commands.split(comment).text)]
        words += [f"({line})" for line in _lines(played)]
    return " ".join(words)
