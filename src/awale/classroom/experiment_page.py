"""An experiment on paper: a table for the terminal, plots, and one page that can be handed in."""

from __future__ import annotations

import json
import platform
from html import escape
from pathlib import Path
from typing import Any

import awale
from awale.arena.charts import Curve, curves
from awale.classroom import plots
from awale.classroom.experiments import Result
from awale.draw.page import html_facts, html_table, page, plain_table
from awale.i18n import decimal, number, percent, text
from awale.paths import write_files

_STYLE = """
body{font-family:system-ui,sans-serif;color:#2b2118;background:#fffdf8;margin:2rem auto;max-width:60rem;padding:0 1rem;
line-height:1.5}table{border-collapse:collapse;margin:1rem 0}th,td{padding:.3rem .7rem;border-bottom:1px solid #d8cbb8;
text-align:right;white-space:nowrap;font-size:.92rem}
th:first-child,td:first-child{text-align:left}thead th{background:#f3e9d8}.scroll{overflow-x:auto}
svg{max-width:100%;height:auto}figure{margin:1.5rem 0}
code{background:#f3e9d8;padding:.1rem .3rem;overflow-wrap:anywhere}
.answer{border-left:4px solid #1f6f8b;padding:.2rem 1rem}dt{font-weight:600}dd{margin:0 0 .4rem 0}
@media print{body{margin:0;max-width:none}figure{break-inside:avoid}}
"""


def _said(key: str, lang: str | None, /, **values: object) -> str:
    return text(f"experiment.{key}", lang, **values)


def _per_cent(share: float | None, digits: int, lang: str | None) -> str:
    return "-" if share is None else percent(share, digits, lang)


def _seconds(value: float, lang: str | None) -> str:
    return f"{decimal(value, '.2f', lang)} s" if value >= 0.1 else f"{decimal(1000 * value, '.3g', lang)} ms"


def method_name(result: Result, method: str, lang: str | None = None) -> str:
    """A search by its name; beside two others, the last one is the one with everything."""
    whole = result.question.kind == "depth" and method == "deepening"
    return _said("method.everything" if whole else f"method.{method}", lang)


# -- tables --------------------------------------------------------------------------------------------------------


_COLUMNS = {
    "depth": ("method", "depth", "nodes", "growth", "seconds", "median", "longest", "of-minimax"),
    "ordering": ("method", "depth", "nodes", "of-minimax", "of-alphabeta", "seconds"),
    "adaptive": ("depth", "games", "results", "score", "interval", "fixed-time", "adaptive-time", "longest"),
    "first-move": ("depth", "games", "results", "score", "interval", "chance", "margin", "from-start"),
}


def table(result: Result, lang: str | None = None) -> tuple[list[str], list[list[str]]]:
    """The head and the rows, in words and numbers."""
    names, rows = _COLUMNS[result.question.kind], result.rows
    if result.question.kind == "ordering":
        shown = (result.facts["common_depth"], result.facts["alphabeta_depth"])
        rows = sorted((row for row in rows if row["depth"] in shown), key=lambda row: int(row["depth"]))
    cells = [[_cell(result, row, name, lang) for name in names] for row in rows]
    return [_said(f"head.{name}", lang) for name in names], cells


def _cell(result: Result, row: dict[str, Any], name: str, lang: str | None) -> str:
    match name:
        case "method":
            return method_name(result, row["method"], lang)
        case "nodes":
            return number(round(row["nodes"]), lang)
        case "growth":
            return "-" if row["growth"] is None else decimal(row["growth"], lang=lang)
        case "seconds":
            return _seconds(row["seconds"], lang)
        case "median" | "longest":
            return _seconds(row.get("adaptive", row)[f"{name}_seconds"], lang)
        case "of-minimax" | "of-alphabeta":
            return _per_cent(row[name.replace("-", "_")], 2, lang)
        case "fixed-time" | "adaptive-time":
            return _seconds(row[name.removesuffix("-time")]["seconds_a_move"], lang)
        case "results":
            return f"+{row['wins']} ={row['draws']} -{row['losses']}"
        case "score":
            return percent(row["score"], lang=lang)
        case "interval":
            return f"{decimal(100 * row['low'], lang=lang)} - {percent(row['high'], lang=lang)}"
        case "chance":
            return decimal(row["chance"], ".2g", lang)
        case "margin":
            return f"{decimal(row['margin'], '+.1f', lang)} ± {decimal(row['margin_error'], lang=lang)}"
        case "from-start":
            return "-".join(map(str, row["from_start"]["scores"]))
    return str(row[name])


def plain(result: Result, lang: str | None = None) -> str:
    """For a terminal."""
    head, rows = table(result, lang)
    return "\n".join([title(result, lang), *plain_table([head, *rows], 0), *answer(result, lang)])


def title(result: Result, lang: str | None = None) -> str:
    asked = result.question
    return _said(f"title.{asked.kind}", lang, rules=asked.rules, evaluation=asked.evaluation)


# -- what it means -------------------------------------------------------------------------------------------------


def answer(result: Result, lang: str | None = None) -> list[str]:
    """What the numbers say, in sentences."""
    kind = result.question.kind
    if kind in ("depth", "ordering"):
        return _work_answer(result, lang)
    lines = []
    for row in result.rows:
        shares = {name: decimal(100 * row[name], lang=lang) for name in ("score", "low", "high")}
        lines.append(_said(f"answer.{kind}-{row['verdict']}", lang, depth=row["depth"], games=row["games"], **shares))
        if kind == "adaptive" and row["fixed"]["seconds_a_move"]:
            ratio = row["adaptive"]["nodes_a_move"] / max(1.0, row["fixed"]["nodes_a_move"])
            lines.append(_said("answer.adaptive-cost", lang, ratio=decimal(ratio, lang=lang), depth=row["depth"]))
    wanted = result.question.games or 0
    if kind == "first-move" and any(row["games"] < wanted for row in result.rows):
        found = min(row["games"] for row in result.rows)
        lines.append(_said("answer.few-openings", lang, found=found, plies=result.question.plies))
    return lines


def _work_answer(result: Result, lang: str | None) -> list[str]:
    by = {(row["method"], row["depth"]): row for row in result.rows}
    lines = []
    common = result.facts["common_depth"]
    if ("minimax", common) in by and ("alphabeta", common) in by:
        share = by["alphabeta", common]["of_minimax"]
        lines.append(_said("answer.alphabeta", lang, depth=common, share=_per_cent(share, 2, lang)))
    depth = result.facts.get("alphabeta_depth")
    best = by.get(("deepening", depth)) if depth else None
    if best is not None:
        lines.append(_said("answer.everything", lang, depth=depth, share=_per_cent(best["of_alphabeta"], 2, lang)))
    for method, deepest in result.facts["deepest"].items():
        row = by[method, deepest]
        if result.question.kind == "depth" and row["growth"] is not None:
            values = {name: _cell(result, row, name, lang) for name in ("method", "growth", "longest", "median")}
            lines.append(_said("answer.growth", lang, depth=deepest, **values))
    return lines


# -- pictures ------------------------------------------------------------------------------------------------------


def pictures(result: Result, lang: str | None = None) -> dict[str, str]:
    """The plots by name."""
    kind = result.question.kind
    if kind in ("depth", "ordering"):
        return _work_pictures(result, lang)

    def named(depth: object) -> str:
        return _said("depth-is", lang, depth=depth)

    bars = [plots.Bar(named(row["depth"]), row["score"], row["low"], row["high"]) for row in result.rows]
    results = [(named(row["depth"]), (row["wins"], row["draws"], row["losses"])) for row in result.rows]
    lines = [
        Curve(named(depth), [(float(n), 100 * value) for n, value in enumerate(running, 1)])
        for depth, running in result.curves.items()
    ]
    names = [_said(f"side.{name}", lang) for name in ("won", "drawn", "lost")]
    return {
        "score": plots.scores(_said(f"plot.{kind}-score", lang), bars, lang),
        "results": plots.shares(_said(f"plot.{kind}-results", lang), results, names),
        "running": curves(_said(f"plot.{kind}-running", lang), _said("plot.game", lang), lines, zero=50.0),
    }


def _work_pictures(result: Result, lang: str | None) -> dict[str, str]:
    methods = list(dict.fromkeys(row["method"] for row in result.rows))
    across = _said("plot.depth", lang)
    found = {}
    for name in ("nodes", "seconds"):
        lines = [
            plots.Line(
                method_name(result, method, lang),
                [(row["depth"], row[name]) for row in result.rows if row["method"] == method],
            )
            for method in methods
        ]
        found[name] = plots.growth(_said(f"plot.{name}", lang), across, _said(f"plot.{name}-up", lang), lines)
    if result.question.kind == "depth":
        method = methods[-1]
        rows = [row for row in result.rows if row["method"] == method]
        spikes = [
            plots.Line(_said(f"head.{which}", lang), [(row["depth"], row[key]) for row in rows])
            for which, key in (("median", "median_seconds"), ("longest", "longest_seconds"))
        ]
        name = _said("plot.spikes", lang, method=method_name(result, method, lang))
        found["spikes"] = plots.growth(name, across, _said("plot.seconds-up", lang), spikes)
    return found


# -- the page ------------------------------------------------------------------------------------------------------


def html(result: Result, command: str, lang: str | None = None) -> str:
    """Everything in one file: no script, nothing fetched from anywhere."""
    asked = result.question
    settings = {
        "rules": asked.rules,
        "evaluation": asked.evaluation or "",
        "games": str(asked.games),
        "depths": ", ".join(map(str, asked.depths)) or _said("page.as-deep", lang),
        "plies": str(asked.plies) if asked.kind in ("adaptive", "first-move") else "-",
        "seed": str(asked.seed),
        "program": f"awale {awale.__version__}, Python {platform.python_version()}, {platform.machine()}",
    }
    if asked.kind in ("depth", "ordering"):
        settings["positions"] = settings.pop("games")
    facts = {_said(f"page.{key}", lang): value for key, value in settings.items()}
    answers = "".join(f"<p>{escape(line)}</p>" for line in answer(result, lang))
    body = [
        f"<h1>{escape(title(result, lang))}</h1>",
        f"<p>{escape(_said(f'question.{asked.kind}', lang))}</p>",
        f'<h2>{escape(_said("page.answer", lang))}</h2><div class="answer">{answers}</div>',
        f"<h2>{escape(_said('page.numbers', lang))}</h2>",
        html_table(*table(result, lang)),
        "".join(f"<figure>{picture}</figure>" for picture in pictures(result, lang).values()),
        f"<h2>{escape(_said('page.how', lang))}</h2><p>{escape(_said(f'method-of.{asked.kind}', lang))}</p>",
        f"{html_facts(facts)}<p>{escape(_said('page.again', lang))} <code>{escape(command)}</code></p>",
    ]
    return page(title(result, lang), _STYLE, body, lang)


def save(result: Result, folder: str | Path, command: str, lang: str | None = None) -> list[Path]:
    """The page, the plots and the numbers as files."""
    files = {f"{name}.svg": picture for name, picture in pictures(result, lang).items()}
    files["page.html"] = html(result, command, lang)
    files["results.json"] = json.dumps({**result.as_data(), "command": command}, ensure_ascii=False, indent=2) + "\n"
    return write_files(folder, files)
