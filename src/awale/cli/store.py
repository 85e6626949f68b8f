"""`awale players`, `games`, `stats`, `backup`, `restore`: the database."""

from __future__ import annotations

import datetime
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from awale.cli import common
from awale.cli.convert import Form, Skipped, form_of, read_games, write_games
from awale.cli.progress import ProgressLine
from awale.errors import AwaleError
from awale.i18n import decimal, labelled, number, section, text

if TYPE_CHECKING:
    from sqlalchemy import Select
    from sqlalchemy.orm import Session

    from awale.store import Game, Player, Store

_RESULTS: dict[str, int | None] = {"1-0": 0, "0-1": 1, "draw": None, "*": None}
"""The results to filter by, and their winners."""
_option = common.options("store.option")


@dataclass
class _Filter:
    """Which games are meant."""

    rules: str | None = common.later(common.rules_option, None, "store.option.of-rules")
    player: str | None = common.later(_option, None, "--player", key="of-player", metavar="NAME")
    since: str | None = common.later(lambda: _option(None, "--since", metavar=text("store.metavar.day")))
    until: str | None = common.later(lambda: _option(None, "--until", metavar=text("store.metavar.day")))
    result: str | None = common.later(_option, None, "--result", metavar="|".join(_RESULTS))

    def query(self, store: Store, session: Session) -> Select[tuple[Game]]:
        from sqlalchemy import or_, select

        from awale.rules import load
        from awale.store import Game

        query: Select[tuple[Game]] = select(Game)
        if self.rules is not None:
            query = query.where(Game.rules == load(self.rules).name)
        if self.player is not None:
            own = _the_player(store, session, self.player).id
            query = query.where(or_(Game.south_id == own, Game.north_id == own))
        if self.since is not None:
            query = query.where(Game.started_at >= _day(self.since))
        if self.until is not None:
            query = query.where(Game.started_at < _day(self.until) + datetime.timedelta(days=1))
        if self.result is not None:
            if self.result not in _RESULTS:
                raise AwaleError(text("store.said.result", result=self.result[:40], known=", ".join(_RESULTS)))
            query = query.where(Game.end.is_(None) if self.result == "*" else Game.end.is_not(None))
            if self.result != "*":
                query = query.where(Game.winner == _RESULTS[self.result])
        return query


def register(app: typer.Typer) -> None:
    as_json = common.json_option()
    at = _option(None, "--database", metavar="URL")
    many = _option(50, "--limit", metavar="N", min=1)
    _register_players(app, as_json, at, many)
    _register_games(app, as_json, at, many)

    @app.command("stats", help=text("cli.command.stats"))
    def stats(
        above: int = _option(1900, "--above", metavar="N"),
        best: int = _option(3, "--best", metavar="N", min=1),
        wins: int = _option(2, "--wins", metavar="N", min=1),
        rules: str | None = common.rules_option(None, "store.option.of-rules"),
        database: str | None = at,
        json: bool = as_json,
    ) -> None:
        with opened(database, read_only=True) as store:
            _stats(store, above, best, wins, rules, json)

    @app.command("backup", help=text("cli.command.backup"))
    def backup(
        file: str = typer.Argument(metavar="FILE", help=text("store.option.backup-file")),
        database: str | None = at,
    ) -> None:
        from awale.store.backup import backup as write

        with opened(database, read_only=True) as store:
            counts = write(store, file)
        _say_counts("made", counts, file=file)

    @app.command("restore", help=text("cli.command.restore"))
    def restore(
        file: str = typer.Argument(metavar="FILE", help=text("store.option.backup-file")),
        replace: bool = _option(False, "--replace"),
        database: str | None = at,
    ) -> None:
        from awale.store.backup import restore as read

        with opened(database) as store:
            counts = read(store, file, replace=replace)
        _say_counts("restored", counts)


def _say_counts(key: str, counts: Mapping[str, int], **values: object) -> None:
    counted = {name: number(counts[name]) for name in ("players", "games")}
    typer.echo(text(f"store.backup.{key}", **counted, **values), err=True)


def _register_players(app: typer.Typer, as_json: Any, at: Any, many: Any) -> None:
    group = common.group(app, "players")

    @group.command("list", help=text("store.help.players-list"))
    def list_players(
        name: str = typer.Argument("", metavar="NAME", help=text("store.option.name"), show_default=False),
        limit: int = many,
        database: str | None = at,
        json: bool = as_json,
    ) -> None:
        with opened(database, read_only=True) as store, store.transaction() as session:
            found = store.players.find(session, name, limit=limit)
            print_rows([_player_data(player) for player in found], json)

    @group.command("add", help=text("store.help.players-add"))
    def add(
        first: str = typer.Argument(metavar="FIRST", help=text("store.option.first-name")),
        last: str = typer.Argument("", metavar="LAST", help=text("store.option.last-name"), show_default=False),
        level: int | None = _option(None, "--level", metavar="N", min=0),
        database: str | None = at,
        json: bool = as_json,
    ) -> None:
        with opened(database) as store, store.transaction() as session:
            if ":" in first and not last:
                player = store.players.program(session, first, level=level)
            else:
                player = store.players.person(session, first, last, level=level)
            print_rows([_player_data(player)], json)

    @group.command("show", help=text("store.help.players-show"))
    def show(
        name: str = typer.Argument(metavar="NAME", help=text("store.option.name")),
        database: str | None = at,
        json: bool = as_json,
    ) -> None:
        from sqlalchemy import select

        from awale.store import Rating

        with opened(database, read_only=True) as store, store.transaction() as session:
            player = _the_player(store, session, name)
            data = _player_data(player) | store.stats.of_player(session, player)
            systems = session.scalars(select(Rating.rules).where(Rating.player_id == player.id).distinct())
            strengths = {rules: store.ratings.current(session, player.id, rules) for rules in sorted(systems)}
            data["ratings"] = {
                rules: {"rating": round(found.rating, 1), "deviation": round(found.deviation, 1)}
                for rules, found in strengths.items()
            }
            print_rows([data], json)

    @group.command("ratings", help=text("store.help.players-ratings"))
    def ratings(
        rules: str = common.rules_option(),
        recompute: bool = _option(False, "--recompute"),
        limit: int = many,
        database: str | None = at,
        json: bool = as_json,
    ) -> None:
        from awale.rules import load

        with opened(database, read_only=not recompute) as store, store.transaction() as session:
            if recompute:
                store.ratings.recompute(session)
            rows = []
            for rank, line in enumerate(store.ratings.leaderboard(session, load(rules).name, limit=limit), 1):
                rating = {"rating": round(line.strength.rating, 1), "deviation": round(line.strength.deviation, 1)}
                rows.append({"rank": rank, "name": line.player.name, **rating, "games": line.games})
            print_rows(rows, json)


def _register_games(app: typer.Typer, as_json: Any, at: Any, many: Any) -> None:
    group = common.group(app, "games")

    @group.command("list", help=text("store.help.games-list"))
    @common.shared_options(_Filter)
    def list_games(
        *,
        wanted: _Filter,
        position: str | None = _option(None, "--position", "-p", metavar="POSITION"),
        any_stores: bool = _option(False, "--any-stores"),
        limit: int = many,
        database: str | None = at,
        json: bool = as_json,
    ) -> None:
        from itertools import islice

        from awale.rules import load
        from awale.store import find

        with opened(database, read_only=True) as store, store.transaction() as session:
            query = wanted.query(store, session)
            if position is not None:
                found = find.by_position(session, position, load(wanted.rules or "abapa"), query, stores=not any_stores)
            else:
                found = find.latest(session, query)
            print_rows([_game_data(game) for game in islice(found, limit)], json)

    @group.command("show", help=text("store.help.games-show"))
    def show(
        key: str = typer.Argument(metavar="KEY", help=text("store.option.key")),
        database: str | None = at,
        json: bool = as_json,
    ) -> None:
        from awale.store.transfer import to_notation

        with opened(database, read_only=True) as store, store.transaction() as session:
            (game,) = _by_keys(store, session, [key])
            record = to_notation(game)
            data = _game_data(game) | {"clock": game.clock, "rated": game.rated, "source": game.source}
            if json:
                common.print_json(data | {"start": game.start, "moves": game.moves.split(), "tags": game.tags})
                return
        from awale.draw.text import board_text
        from awale.notation import to_ogn

        _print_fields(data)
        typer.echo("")
        typer.echo(board_text(record.game(), unicode=common.can_draw_lines(), colour=common.wants_colour()))
        typer.echo("")
        typer.echo(to_ogn(record), nl=False)

    @group.command("delete", help=text("store.help.games-delete"))
    def delete(
        keys: list[str] = typer.Argument(metavar="KEY", help=text("store.option.key")),
        yes: bool = _option(False, "--yes"),
        database: str | None = at,
    ) -> None:
        with opened(database) as store, store.transaction() as session:
            found = _by_keys(store, session, keys)
            if not yes:
                if not sys.stdin.isatty():
                    raise AwaleError(text("store.said.needs-yes"))
                print_rows([_game_data(game) for game in found], False)
                typer.confirm(text("store.said.delete", count=len(found)), abort=True)
            for game in found:
                store.games.delete(session, game)
        typer.echo(text("store.said.deleted", count=len(found)), err=True)

    @group.command("import", help=text("store.help.games-import"))
    def import_games(
        files: list[str] = typer.Argument(metavar="FILE", help=text("store.option.files")),
        rules: str = common.rules_option(),
        rated: bool = _option(False, "--rated"),
        skip_bad: bool = _option(False, "--skip-bad"),
        database: str | None = at,
        json: bool = as_json,
    ) -> None:
        with opened(database, timeout=60) as store:
            _import(store, files, rules, rated, skip_bad, json)

    @group.command("export", help=text("store.help.games-export"))
    @common.shared_options(_Filter)
    def export(
        *,
        file: str = typer.Argument("-", metavar="FILE", help=text("store.option.out")),
        key: list[str] = _option([], "--key", key="keys", metavar="KEY"),  # noqa: B008
        wanted: _Filter,
        database: str | None = at,
    ) -> None:
        with opened(database, read_only=True) as store, store.transaction() as session:
            query = wanted.query(store, session)
            if key:
                from awale.store import Game

                query = query.where(Game.id.in_([game.id for game in _by_keys(store, session, key)]))
            _export(session, file, query)


def opened(url: str | None, *, read_only: bool = False, timeout: float = 10) -> closing[Store]:
    """Open the database of a command."""
    from awale.store import Store

    return closing(Store(url, read_only=read_only, timeout=timeout))


def _the_player(store: Store, session: Session, name: str) -> Player:
    found: list[Player] = store.players.find(session, name)
    exact = [player for player in found if player.name.casefold() == name.strip().casefold()]
    if not found:
        raise AwaleError(text("store.said.no-player", name=name[:60]))
    if len(exact or found) > 1:
        names = ", ".join(player.name for player in (exact or found)[:6])
        raise AwaleError(text("store.said.which-player", name=name[:60], names=names))
    return (exact or found)[0]


def _by_keys(store: Store, session: Session, keys: list[str]) -> list[Game]:
    found = {key: store.games.by_key(session, key) for key in keys}
    for key, game in found.items():
        if game is None:
            raise AwaleError(text("store.said.no-game", key=key[:60]))
    return [game for game in found.values() if game is not None]


def _day(written: str) -> datetime.datetime:
    """Return the beginning of a day."""
    try:
        day = datetime.date.fromisoformat(written.strip())
    except ValueError:
        raise AwaleError(text("store.said.day", day=written[:40])) from None
    return datetime.datetime.combine(day, datetime.time(tzinfo=datetime.UTC))


def _form(file: str) -> Form:
    form = form_of(file)
    if form is None:
        raise AwaleError(text("store.said.form", file=file[:100]))
    return form


def _import(store: Store, files: list[str], rules: str, rated: bool, skip_bad: bool, json: bool) -> None:
    from awale.rules import load
    from awale.store.transfer import import_records

    system = load(rules)
    forms = [_form(file) for file in files]
    bad = Skipped()
    line = ProgressLine(15.0)

    def show_progress(count: int) -> None:
        if count % 100 == 0:
            line.tell("store.said.reading", count=number(count))

    added = known = 0
    for file, form in zip(files, forms, strict=True):
        with open(file, "rb") as opened, store.transaction() as session:
            records = read_games(opened, form, system, file, bad if skip_bad else None)
            done = import_records(session, records, Path(file).name, rated=rated, progress=show_progress)
        added, known = added + done.added, known + done.known
    if json:
        common.print_json({"added": added, "known": known, "bad": bad.count})
    else:
        line.end()
        typer.echo(text("store.said.added", added=number(added), known=number(known)), err=True)
    if bad.count:
        raise typer.Exit(1)


def _export(session: Session, file: str, query: Select[tuple[Game]]) -> None:
    from awale.store.transfer import export_records

    count = write_games(export_records(session, query), Form.ogn if file == "-" else _form(file), file)
    if file != "-":
        typer.echo(text("store.said.exported", count=number(count), file=file), err=True)


def _player_data(player: Player) -> dict[str, Any]:
    return {"name": player.name, "kind": player.kind, "level": player.level}


def _game_data(game: Game) -> dict[str, Any]:
    return {
        "key": game.key,
        "rules": game.rules,
        "south": game.south.name if game.south else None,
        "north": game.north.name if game.north else None,
        "winner": game.winner,
        "scores": [game.south_seeds, game.north_seeds],
        "end": game.end,
        "plies": game.plies,
        "started": game.started_at.isoformat(),
    }


def print_rows(rows: list[dict[str, Any]], json: bool) -> None:
    """Print rows as JSON, as a table with headings in a terminal, or tab-separated for programs."""
    if json:
        common.print_json(rows)
        return
    if not sys.stdout.isatty():
        for row in rows:
            typer.echo("\t".join("" if value is None else _shown(value) for value in row.values()))
    elif rows:
        cells = [[_in_words(name, value) for name, value in row.items()] for row in rows]
        common.print_columns([[text(f"store.heading.{name}") for name in rows[0]], *cells])


def _in_words(name: str, value: Any) -> str:
    """Return a cell of a table for a person; programs get the data as they are."""
    if value is None:
        return ""
    if name == "kind":
        return text(f"store.kind.{value}")
    if name == "end":
        return _end(value)
    if name == "winner":
        return text(f"core.player.{value}")
    if name in ("started", "updated"):
        return str(value)[:16].replace("T", " ")
    if isinstance(value, bool):
        return text("store.said.yes" if value else "store.said.no")
    if isinstance(value, float):
        return decimal(value)
    if isinstance(value, dict):
        rated = ((rules, found["rating"], found["deviation"]) for rules, found in value.items())
        return ", ".join(f"{rules} {decimal(rating)} ± {decimal(deviation)}" for rules, rating, deviation in rated)
    return _shown(value)


def _print_fields(data: dict[str, Any]) -> None:
    """Print one value per line, with its heading."""
    for name, value in data.items():
        if value not in (None, ""):
            typer.echo(f"{text(f'store.heading.{name}')}\t{_in_words(name, value)}")


def _shown(value: object) -> str:
    if isinstance(value, list):
        return "-".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{key} {_shown(item)}" for key, item in value.items())
    return str(value)


def _end(reason: str) -> str:
    """Return why games ended, in words."""
    return text(f"core.ending.{reason}" if f"ending.{reason}" in section("core") else "store.stats.stated")


def _stats(store: Store, above: int, best: int, wins: int, rules: str | None, json: bool) -> None:
    from awale.rules import load

    with store.transaction() as session:
        systems = store.stats.by_rules(session)
        names = [load(rules).name] if rules is not None else [row["rules"] for row in systems]
        shares = {name: store.stats.first_player_share(session, name) for name in names}
        data: dict[str, Any] = {
            "above_level": [_player_data(player) for player in store.stats.above_level(session, above)],
            "first_player_share": {k: None if v is None else round(v, 2) for k, v in shares.items()},
            "best": [_player_data(player) for player in store.stats.best(session, best)],
            "first_winners": [
                {"name": w.player.name, "wins": w.wins} for w in store.stats.first_winners(session, wins)
            ],
            "rules": systems,
            "ends": store.stats.by_end(session),
        }
    if json:
        common.print_json(data)
        return

    def people(key: str, number: str = "level") -> list[str]:
        return [f"{one['name']} ({one[number]})" for one in data[key]] or [text("store.stats.none")]

    known = [labelled(name, "-" if share is None else decimal(share)) for name, share in shares.items()]
    parts = (
        (text("store.stats.above", level=above), people("above_level")),
        (text("store.stats.share"), known),
        (text("store.stats.best", count=best), people("best")),
        (text("store.stats.first", wins=wins), people("first_winners", "wins")),
        (text("store.stats.games"), [labelled(row["rules"], number(row["games"])) for row in systems]),
        (text("store.stats.ends"), [labelled(_end(end), number(count)) for end, count in data["ends"].items()]),
    )
    for title, lines in parts:
        typer.echo(title)
        for line in lines:
            typer.echo(f"  {line}")
