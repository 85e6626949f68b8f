"""`awale reproduce`: published figures, computed again and compared with the print."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import typer

from awale.cli import common
from awale.errors import AwaleError
from awale.i18n import decimal, percent, text

if TYPE_CHECKING:
    from awale.search.tricolor_2025_games import Played, Score, Table, Tally

NOT_REPRODUCED = 1


def register(app: typer.Typer) -> None:
    option = common.options("reproduce.option")
    group = common.group(app, "reproduce", "reproduce.help.group")
    as_json = common.json_option()
    some_tables = option([], "--table", metavar="1|2|3")

    @group.callback()
    def _group() -> None: ...  # keeps it a group while it has one command

    @group.command("report-2025", help=text("reproduce.help.report-2025"))
    def report_2025(
        numbers: list[int] = some_tables,
        rules: str = option(None, "--rules", "-r", metavar="RULES"),
        threads: int = option(None, "--threads", "-t", metavar="N", min=1),
        json: bool = as_json,
    ) -> None:
        from awale.game import Game
        from awale.search import tricolor_2025_games as games_2025
        from awale.search.tricolor_2025 import choose

        for number in numbers:
            if number not in [table.number for table in games_2025.tables()]:
                raise AwaleError(text("reproduce.wrong.table", table=number))
        if rules not in (None, games_2025.REPORTED, games_2025.DESCRIBED):
            raise AwaleError(text("reproduce.wrong.rules", rules=str(rules)[:60]))
        # Exclude compilation from the time.
        choose(Game(games_2025.REPORTED), depth=2)
        chosen = [table for table in games_2025.tables() if not numbers or table.number in numbers]
        batches = {
            name: [_play(table, name, threads) for table in chosen]
            for name in (games_2025.REPORTED, games_2025.DESCRIBED)
            if rules in (None, name)
        }
        if json:
            common.print_json(_as_json(batches))
        else:
            _print(batches)
        if not all(played.agrees for batch in batches.get(games_2025.REPORTED, []) for played in batch.games):
            raise typer.Exit(NOT_REPRODUCED)


class _Batch:
    """The games of one table under one set of rules, and their total time."""

    def __init__(self, table: Table, rules: str, games: list[Played], seconds: float) -> None:
        self.table, self.rules, self.games, self.seconds = table, rules, games, seconds


def _play(table: Table, rules: str, threads: int | None) -> _Batch:
    from awale.search.tricolor_2025_games import play_table

    def done(played: Played) -> None:
        typer.echo(text("reproduce.progress.game", rules=rules, **_facts(played)), err=True)

    begun = time.perf_counter()
    games = play_table(table, rules, threads=threads, done=done)
    seconds = time.perf_counter() - begun
    line = text(
        "reproduce.progress.table",
        table=table.number,
        rules=rules,
        games=len(games),
        seconds=decimal(seconds),
        slowest=decimal(max(played.slowest for played in games), ".2f"),
    )
    typer.echo(line, err=True)
    return _Batch(table, rules, games, seconds)


# -- for people --------------------------------------------------------------------------------------------------------


def _print(batches: dict[str, list[_Batch]]) -> None:
    from awale.search.tricolor_2025_games import DESCRIBED, REPORTED

    reported, mended = batches.get(REPORTED, []), batches.get(DESCRIBED, [])
    for batch in reported:
        _print_reported(batch)
    if reported:
        _print_agreement([played for batch in reported for played in batch.games])
        _print_claims(reported)
    for batch in mended:
        other = next((one for one in reported if one.table is batch.table), None)
        _print_described(batch, other)
    _print_hypothesis(batches)


def _depth(depth: object) -> str:
    if depth == "adaptive":
        return text("reproduce.depth.adaptive")
    return text("reproduce.depth.fixed", depth=depth)


def _print_title(table: Table) -> None:
    j1, j2 = map(_depth, table.depths)
    typer.echo(text("reproduce.table.title", table=table.number, j1=j1, j2=j2))


def _print_reported(batch: _Batch) -> None:
    _print_title(batch.table)
    scores = [played.scores for played in batch.games]
    published = [played.cell.published for played in batch.games]
    marks = ["*" if played.misprint else "" for played in batch.games]
    _print_beside(
        (text("reproduce.table.here", rules=batch.rules), _grid(scores)),
        (text("reproduce.table.published"), _grid(published, marks)),
    )
    if any(marks):
        typer.echo(text("reproduce.table.marked"))
    typer.echo()


def _print_described(batch: _Batch, other: _Batch | None) -> None:
    _print_title(batch.table)
    marks = [""] * len(batch.games)
    if other is not None:
        pairs = zip(batch.games, other.games, strict=True)
        marks = ["!" if one.outcome.winner != two.outcome.winner else "" for one, two in pairs]
    blocks = [
        (text("reproduce.table.here", rules=batch.rules), _grid([played.scores for played in batch.games], marks))
    ]
    if other is not None:
        title = text("reproduce.table.here", rules=other.rules)
        blocks.append((title, _grid([played.scores for played in other.games])))
    _print_beside(*blocks)
    if other is not None and any(marks):
        typer.echo(text("reproduce.table.changed", rules=other.rules))
    typer.echo()


def _grid(scores: Sequence[Score], marks: Sequence[str] | None = None) -> list[list[str]]:
    """Return a table as the report prints it, with the wins of each row and column and of all."""
    shown = [_slash(score) + mark for score, mark in zip(scores, marks or [""] * len(scores), strict=True)]
    size = round(len(scores) ** 0.5)
    rows = [[*shown[size * i : size * (i + 1)], _slash(_wins(scores[size * i : size * (i + 1)]))] for i in range(size)]
    rows.append([*(_slash(_wins(scores[k::size])) for k in range(size)), _slash(_wins(scores))])
    return rows


def _wins(scores: Iterable[Score]) -> Score:
    scores = list(scores)
    return sum(j1 > j2 for j1, j2 in scores), sum(j2 > j1 for j1, j2 in scores)


def _print_beside(*blocks: tuple[str, list[list[str]]]) -> None:
    from awale.search.tricolor_2025_evaluation import EVALUATIONS

    wins = text("reproduce.table.wins")
    heads = [*EVALUATIONS, wins]
    widths = [max(len(head), 6) + 2 for head in heads]
    left = max(len("J1 \\ J2"), *map(len, heads)) + 2
    titles = "".join(title.ljust(sum(widths) + 2) for title, _ in blocks)
    typer.echo((" " * left + titles).rstrip())
    for number, label in enumerate(["J1 \\ J2", *heads]):
        line = label.ljust(left)
        for _, grid in blocks:
            row = heads if number == 0 else grid[number - 1]
            line += "".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + "  "
        typer.echo(line.rstrip())


def _print_agreement(games: list[Played]) -> None:
    printed = sum(played.scores == played.cell.published for played in games)
    found = sum(played.scores == played.cell.program for played in games)
    known = [played for played in games if played.cell.moves is not None]
    right = sum(played.cell.moves == played.game.ply for played in known)
    _say(text("reproduce.agree.program", found=found, games=len(games), printed=printed))
    if known:
        _say(text("reproduce.agree.lengths", known=len(known), found=right))
    for played in games:
        facts = _facts(played)
        if not played.agrees:
            _say(text("reproduce.agree.failed", program=_slash(played.cell.program), **facts))
        elif played.misprint:
            _say(text("reproduce.agree.misprint", printed=_slash(played.cell.published), **facts))
            if played.before_last_capture != played.cell.published:
                _say(text("reproduce.agree.unknown", before=_slash(played.before_last_capture)))
    if any(played.misprint and played.before_last_capture == played.cell.published for played in games):
        _say(text("reproduce.agree.before"))
    typer.echo()


def _print_claims(batches: list[_Batch]) -> None:
    """Print what the report says about its tables, computed from the games just played."""
    from awale.search import tricolor_2025_games as games_2025

    tables = {batch.table.number: batch.games for batch in batches}
    change = games_2025.corrected_for_raw(tables[1]) if 1 in tables else None
    if change is not None:
        j1, j2 = change
        _say(text("reproduce.claim.corrected", j1=percent(-j1), j2=percent(j2)))
    if 1 in tables and 3 in tables:
        first, third = games_2025.j2_wins(tables[1]), games_2025.j2_wins(tables[3])
        key = "superset" if first <= third else "no-superset"
        _say(text(f"reproduce.claim.{key}", first=len(first), third=len(third)))
    for played in games_2025.circling(one for batch in batches for one in batch.games):
        last = games_2025.last_capture(played.game)
        _say(text("reproduce.claim.circling", last=last, rest=played.game.ply - last, **_facts(played)))
    typer.echo()


def _print_hypothesis(batches: dict[str, list[_Batch]]) -> None:
    from awale.search import tricolor_2025_games as games_2025

    typer.echo(text("reproduce.hypothesis.title"))
    rows = [[text(f"reproduce.hypothesis.{name}") for name in ("rules", "table", "all", "different")]]
    for rules, played in batches.items():
        for batch in played:
            all_games, different = games_2025.tally(batch.games), games_2025.tally(games_2025.different(batch.games))
            rows.append([rules, str(batch.table.number), _three(all_games), _three(different)])
    common.print_columns(rows)
    typer.echo()
    for rules, played in batches.items():
        equal = [one for batch in played if batch.table.depths[0] == batch.table.depths[1] for one in batch.games]
        if equal:
            count = games_2025.tally(games_2025.different(equal))
            luck = percent(count.luck)
            facts = {"rules": rules, "j1": count.j1, "decided": count.j1 + count.j2, "luck": luck}
            said = text(f"reproduce.hypothesis.{games_2025.verdict(count)}")
            _say(f"{text('reproduce.hypothesis.count', **facts)} {said}")
    if len(batches) == 2:
        both = [[one for batch in played for one in batch.games] for played in batches.values()]
        changed = [_changed(before, after) for before, after in games_2025.winners_changed(*both)]
        if changed:
            cells = text("reproduce.hypothesis.between").join(changed)
            _say(text("reproduce.hypothesis.changed", rules=games_2025.DESCRIBED, cells=cells))
    games = [one for batch in next(iter(batches.values())) for one in batch.games]
    distinct = len(games_2025.different(games))
    if distinct < len(games):
        _say(text("reproduce.hypothesis.same", different=distinct, games=len(games)))
    if any(batch.table.depths[0] != batch.table.depths[1] for played in batches.values() for batch in played):
        _say(text("reproduce.hypothesis.uneven"))


def _changed(before: Played, after: Played) -> str:
    scores = {"before": _slash(before.scores), "after": _slash(after.scores)}
    return text("reproduce.hypothesis.cell", **scores, **_facts(before))


def _facts(played: Played) -> dict[str, object]:
    cell, moves = played.cell, played.game.ply
    return {"table": played.table, "j1": cell.j1, "j2": cell.j2, "scores": _slash(played.scores), "moves": moves}


def _say(paragraph: str) -> None:
    typer.echo(common.wrap(paragraph, width=84))


def _slash(score: tuple[int, int]) -> str:
    return f"{score[0]}/{score[1]}"


def _three(count: Tally) -> str:
    return f"{count.j1}/{count.j2}/{count.draws}"


# -- for programs ------------------------------------------------------------------------------------------------------


def _as_json(batches: dict[str, list[_Batch]]) -> dict[str, Any]:
    from awale.search import tricolor_2025_games as games_2025

    def counted(games: list[Played]) -> dict[str, Any]:
        count = games_2025.tally(games)
        return {"j1": count.j1, "j2": count.j2, "draws": count.draws, "luck": round(count.luck, 6)}

    summary = {}
    for rules, played in batches.items():
        games = [one for batch in played for one in batch.games]
        equal = [one for batch in played if batch.table.depths[0] == batch.table.depths[1] for one in batch.games]
        summary[rules] = {
            "games": len(games),
            "as_program": sum(one.agrees for one in games),
            "as_published": sum(one.scores == one.cell.published for one in games),
            "wins": counted(games),
            "different_games": counted(games_2025.different(games)),
            "different_games_of_equal_depth": counted(games_2025.different(equal)),
            "j1_favoured": games_2025.verdict(games_2025.tally(games_2025.different(equal))) if equal else None,
        }
    return {
        "report": "report-2025",
        "tables": [_batch_json(batch) for played in batches.values() for batch in played],
        "summary": summary,
    }


def _batch_json(batch: _Batch) -> dict[str, Any]:
    return {
        "table": batch.table.number,
        "rules": batch.rules,
        "depths": list(batch.table.depths),
        "seconds": round(batch.seconds, 3),
        "games": [
            {
                "j1": played.cell.j1,
                "j2": played.cell.j2,
                "scores": list(played.scores),
                "winner": played.outcome.winner,
                "reason": played.outcome.reason,
                "moves": played.game.ply,
                "before_last_capture": list(played.before_last_capture),
                "published": list(played.cell.published),
                "program": list(played.cell.program),
                "misprint": played.misprint,
                "nodes": played.nodes,
                "seconds": round(played.seconds, 3),
                "slowest_move": round(played.slowest, 4),
                "record": " ".join(map(str, played.game.moves)),
            }
            for played in batch.games
        ],
    }
