"""Result files: tables as text and CSV, a self-contained HTML page, OGN of all games."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from html import escape
from pathlib import Path

from awale.arena.charts import pictures
from awale.arena.games import Played
from awale.arena.schedule import Tournament
from awale.arena.standings import MatchResult, TournamentResult
from awale.draw import page
from awale.i18n import decimal, labelled, section, text
from awale.notation import GameRecord, write_ogn
from awale.paths import write_files


def signed(value: float, lang: str | None = None) -> str:
    """Return an Elo difference for a person."""
    return decimal(round(value, 1) + 0.0, "+.1f", lang)


def _percent(probability: float, lang: str | None) -> str:
    """Return a probability in percent; never certainty, which no match gives."""
    if 0.0005 <= probability < 0.9995:
        return decimal(100 * probability, lang=lang)
    return f"> {decimal(99.9, lang=lang)}" if probability > 0.5 else f"< {decimal(0.1, lang=lang)}"


def reason_text(reason: str, lang: str | None = None) -> str:
    """Return why a game ended."""
    key = f"end.{reason}"
    return text(f"arena.{key}", lang) if key in section("arena") else text(f"core.ending.{reason}", lang)


def head_line(result: TournamentResult, lang: str | None = None) -> str:
    plan = result.plan
    values = {"rules": plan.rule_system.name, "played": len(result.games), "total": plan.total}
    return text("arena.table.title", lang, openings=plan.openings_text(lang), **values)


def match_lines(result: MatchResult, lang: str | None = None) -> list[str]:
    """Return the lines below the table of a match."""
    elo, low, high = (signed(value, lang) for value in result.estimate[:3])
    los = _percent(result.estimate.los, lang)
    lines = [
        text("arena.table.score", lang, score=decimal(100 * result.tallies[0].score, lang=lang)),
        text("arena.table.difference", lang, elo=elo, low=low, high=high, los=los),
        text("arena.table.pairs", lang, counts=", ".join(map(str, result.pentanomial))),
    ]
    test = result.plan.sprt
    if test is not None and result.sprt is not None:
        elo0, elo1 = (decimal(elo, "g", lang) for elo in (test.elo0, test.elo1))
        verdict = text(f"arena.table.verdict-{result.sprt.verdict or 'none'}", lang, elo0=elo0)
        found = {name: decimal(value, ".2f", lang) for name, value in result.sprt._asdict().items()}
        lines.append(text("arena.table.sprt", lang, elo0=elo0, elo1=elo1, verdict=verdict, **found))
    return lines


def interim_line(result: TournamentResult, lang: str | None = None) -> str:
    """Return the standings in one line, for a log."""
    if isinstance(result, MatchResult):
        return ", ".join([head_line(result, lang), *match_lines(result, lang)[:2]])
    order = (result.tallies[seat] for seat in result.order)
    return ", ".join([head_line(result, lang), *(f"{tally.name} {tally.points:g}/{tally.games}" for tally in order)])


HEADINGS = ("rank", "player", "games", "points", "wins", "draws", "losses", "elo", "seeds", "first", "time", "overruns")


def table_rows(result: TournamentResult, lang: str | None = None) -> Iterator[tuple[str, ...]]:
    """Return the standings, the best first."""
    for rank, seat in enumerate(result.order, 1):
        tally, rating = result.tallies[seat], result.ratings[seat]
        yield (
            str(rank),
            tally.name,
            str(tally.games),
            decimal(tally.points, "g", lang),
            str(tally.wins),
            str(tally.draws),
            str(tally.losses),
            f"{rating.elo:+.0f} ±{rating.error:.0f}",
            decimal(tally.seeds / tally.games, lang=lang) if tally.games else "-",
            str(tally.as_first[0]),
            decimal(tally.seconds / tally.moves, ".3f", lang) if tally.moves else "-",
            str(tally.overruns) + (f" (+{sum(tally.faults.values())})" if tally.faults else ""),
        )


def plain_table(result: TournamentResult, lang: str | None = None) -> str:
    """Return the table as plain text."""
    rows = [tuple(text(f"arena.table.{name}", lang) for name in HEADINGS), *table_rows(result, lang)]
    lines = [head_line(result, lang), *page.plain_table(rows, 1)]
    if isinstance(result, MatchResult):
        lines += match_lines(result, lang)
    return "\n".join([*lines, *fault_lines(result, lang)])


def fault_lines(result: TournamentResult, lang: str | None = None) -> list[str]:
    """Return who lost games by a fault, and their first fault: such a loss must not be mistaken for weak play."""
    lines = []
    for seat, tally in enumerate(result.tallies):
        count = sum(tally.faults.values())
        if count:
            first = next(
                game
                for game in result.games
                if game.reason in tally.faults and game.winner is not None and game.seats[1 - game.winner] == seat
            )
            fault = first.fault or reason_text(first.reason, lang)
            lines.append(text("arena.table.lost-by-fault", lang, player=tally.name, count=count, fault=fault))
    return lines


# -- files ------------------------------------------------------------------------------------------------------------


def games_csv(result: TournamentResult) -> str:
    """Return a line for each game."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    head = ["number", "pair", "south", "north", "winner", "south_seeds", "north_seeds", "reason", "plies"]
    writer.writerow([*head, "south_seconds", "north_seconds", "south_overruns", "north_overruns", "fault"])
    for game in result.games:
        south, north = (_cell(result.plan.players[seat]) for seat in game.seats)
        winner = {0: "south", 1: "north", None: "draw"}[game.winner]
        row = [game.number, game.pair, south, north, winner, *game.scores, game.reason, len(game.moves)]
        seconds = (f"{spent:.3f}" for spent in game.seconds)
        writer.writerow([*row, *seconds, *game.overruns, _cell(game.fault)])
    return out.getvalue()


def _cell(words: str) -> str:
    """Escape a text that a spreadsheet would run as a formula."""
    return "'" + words if words[:1] in ("=", "+", "-", "@", "\t") else words


def record(plan: Tournament, game: Played) -> GameRecord:
    """Return a game of a match as a record."""
    south, north = (plan.players[seat] for seat in game.seats)
    tags = {"Event": event(plan), "Round": f"{game.pair + 1}.{game.number + 1}"}
    if plan.control is not None:
        tags["TimeControl"] = plan.control.tag
    return game.record((south, north), plan.rule_system, tags)


def event(plan: Tournament) -> str:
    """Return the name of a match in files and in the database."""
    return " - ".join(plan.players)[:200]


def save_ogn(result: TournamentResult, path: str | Path) -> int:
    """Write all games as OGN in the order of their numbers; return how many."""
    return write_ogn((record(result.plan, game) for game in result.games), Path(path))


def append_ogn(plan: Tournament, game: Played, path: str | Path) -> None:
    """Add a game to an OGN file."""
    with Path(path).open("a", encoding="utf-8") as file:
        file.write("\n")
        write_ogn([record(plan, game)], file)


def save_pictures(result: TournamentResult, folder: str | Path, lang: str | None = None) -> list[Path]:
    """Write the charts to files."""
    return write_files(folder, {f"{name}.svg": picture for name, picture in pictures(result, lang).items()})


_STYLE = """
body{font-family:system-ui,sans-serif;color:#2b2118;background:#fffdf8;margin:2rem auto;max-width:70rem;padding:0 1rem}
table{border-collapse:collapse;margin:1rem 0}th,td{padding:.3rem .7rem;border-bottom:1px solid #d8cbb8;text-align:right}
th:nth-child(2),td:nth-child(2){text-align:left}thead th{background:#f3e9d8}.scroll{overflow-x:auto}
svg{max-width:100%;height:auto}dt{font-weight:600}dd{margin:0 0 .4rem 0}details td{text-align:left}
@media (prefers-color-scheme:dark){body{background:#1d1814;color:#f0e6d6}thead th{background:#3a2f25}
svg{background:#fffdf8;border-radius:6px}}
"""


def html(result: TournamentResult, lang: str | None = None) -> str:
    """Return everything as one HTML file, without scripts or external resources."""
    plan = result.plan
    said = {name: text(f"arena.report.{name}", lang) for name in ("standings", "cross", "games", "settings")}
    title = labelled(text("arena.report.title", lang), ", ".join(plan.players), lang)
    parts = [f"<h1>{escape(title)}</h1><p>{escape(head_line(result, lang))}</p>"]
    if isinstance(result, MatchResult):
        parts.append("<ul>" + "".join(f"<li>{escape(line)}</li>" for line in match_lines(result, lang)) + "</ul>")
    parts += [f"<p>{escape(line)}</p>" for line in fault_lines(result, lang)]
    headings = [text(f"arena.table.{name}", lang) for name in HEADINGS]
    parts += [f"<h2>{said['standings']}</h2>", page.html_table(headings, table_rows(result, lang))]
    parts += [f"<h2>{said['cross']}</h2>", _cross_table(result)]
    parts += pictures(result, lang).values()
    facts = {
        "rules": plan.rule_system.name,
        "openings": plan.openings,
        "control": str(plan.control or "") or text("arena.report.none", lang),
        "seed": str(plan.seed),
    }
    named = {text(f"arena.report.{name}", lang): fact for name, fact in facts.items()}
    parts += [f"<h2>{said['settings']}</h2>{page.html_facts(named)}", f"<details><summary>{said['games']}</summary>"]
    names = [text(f"core.player.{side}", lang) for side in (0, 1)]
    head = ["#", *names, *(text(f"arena.report.{name}", lang) for name in ("result", "reason", "plies"))]
    parts += [page.html_table(head, (_game_row(result, game, lang) for game in result.games)), "</details>"]
    return page.page(title, _STYLE, parts, lang)


def _game_row(result: TournamentResult, game: Played, lang: str | None) -> tuple[str, ...]:
    south, north = (result.plan.players[seat] for seat in game.seats)
    reason = reason_text(game.reason, lang) + (f" ({game.fault})" if game.fault else "")
    mark = {0: "1-0", 1: "0-1", None: "½-½"}[game.winner]
    score = f"{mark} ({game.scores[0]}-{game.scores[1]})"
    return (str(game.number + 1), south, north, score, reason, str(len(game.moves)))


def _cross_table(result: TournamentResult) -> str:
    order = result.order

    def row(a: int) -> tuple[str, ...]:
        cells = (f"{result.scores[a][b]:g}/{result.met[a][b]}" if result.met[a][b] else "" for b in order)
        return (str(order.index(a) + 1), result.plan.players[a], *cells)

    return page.html_table(["#", "", *(str(rank + 1) for rank in range(len(order)))], (row(a) for a in order))
