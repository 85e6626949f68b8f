"""`awale studies`: the studies of the database, to OGN files and from them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from awale.cli import common
from awale.cli.store import opened, print_rows
from awale.errors import AwaleError
from awale.i18n import text

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from awale.store.models import Chapter, Study


def register(app: typer.Typer) -> None:
    option = common.options("store.option")
    group = common.group(app, "studies")
    at = option(None, "--database", metavar="URL")
    as_json = common.json_option()
    of_key = typer.Argument(metavar="KEY", help=text("store.option.study-key"))

    @group.command("list", help=text("store.help.studies-list"))
    def list_studies(
        limit: int = option(50, "--limit", metavar="N", min=1),
        database: str | None = at,
        json: bool = as_json,
    ) -> None:
        from awale.store import studies

        with opened(database, read_only=True) as store, store.transaction() as session:
            found = studies.latest(session, limit=limit)
            print_rows([_study_data(study, count) for study, count in studies.summaries(session, found)], json)

    @group.command("show", help=text("store.help.studies-show"))
    def show(key: str = of_key, database: str | None = at, json: bool = as_json) -> None:
        from awale.store import studies

        with opened(database, read_only=True) as store, store.transaction() as session:
            study = studies.by_key(session, key)
            chapters = studies.chapters(session, study)
            rows = [_chapter_data(number, chapter) for number, chapter in enumerate(chapters, 1)]
            if json:
                games = [row | {"ogn": chapter.ogn} for row, chapter in zip(rows, chapters, strict=True)]
                common.print_json(_study_data(study, len(chapters)) | {"chapters": games})
                return
            typer.echo(f"{study.title}\n")
            print_rows(rows, False)

    @group.command("export", help=text("store.help.studies-export"))
    def export(
        key: str = of_key,
        file: str = typer.Argument("-", metavar="FILE", help=text("store.option.study-out")),
        database: str | None = at,
    ) -> None:
        from awale.cli.convert import output
        from awale.store import studies

        with opened(database, read_only=True) as store, store.transaction() as session:
            found = studies.export(session, studies.by_key(session, key))
        with output(file) as out:
            out.write(found)

    @group.command("import", help=text("store.help.studies-import"))
    def import_study(
        file: str = typer.Argument(metavar="FILE", help=text("store.option.study-file")),
        title: str | None = option(None, "--title", key="study-title", metavar="TEXT"),
        into: str | None = option(None, "--into", key="study-into", metavar="KEY"),
        rules: str = common.rules_option(),
        database: str | None = at,
    ) -> None:
        from awale.rules import load
        from awale.store import studies

        if title is not None and into is not None:
            raise AwaleError(text("store.study.title-or-into"))
        chapters = studies.read_chapters(
            Path(file), load(rules), name=file, untitled=lambda number: text("web.study.chapter", n=number)
        )
        with opened(database) as store, store.transaction() as session:
            if into is None:
                exported = studies.record_of(chapters[0]).tags.get("Event")
                study = studies.create(session, title or exported or Path(file).stem, chapters)
            else:
                study = studies.by_key(session, into)
                studies.add(session, study, chapters)
            typer.echo(study.key)
            typer.echo(text("store.study.imported", count=len(chapters), title=study.title), err=True)

    @group.command("delete", help=text("store.help.studies-delete"))
    def delete(
        keys: list[str] = typer.Argument(metavar="KEY", help=text("store.option.study-key")),
        yes: bool = option(False, "--yes"),
        database: str | None = at,
    ) -> None:
        from awale.store import studies

        with opened(database) as store, store.transaction() as session:
            found = [studies.by_key(session, key) for key in dict.fromkeys(keys)]
            if not yes:
                _confirm(session, found)
            for study in found:
                studies.delete(session, study)
        typer.echo(text("store.study.deleted", count=len(found)), err=True)


def _confirm(session: Session, found: list[Study]) -> None:
    from awale.store import studies

    if not sys.stdin.isatty():
        raise AwaleError(text("store.study.needs-yes"))
    print_rows([_study_data(study, count) for study, count in studies.summaries(session, found)], False)
    typer.confirm(text("store.study.delete", count=len(found)), abort=True)


def _study_data(study: Study, chapters: int) -> dict[str, Any]:
    return {
        "key": study.key,
        "title": study.title,
        "chapters": chapters,
        "updated": study.updated_at.isoformat(),
    }


def _chapter_data(number: int, chapter: Chapter) -> dict[str, Any]:
    from awale.store import studies

    record = studies.record_of(chapter)
    return {"number": number, "title": chapter.title, "rules": record.rules.name, "plies": len(record.moves)}
