"""HTML pages that need nothing else, and tables as HTML and as plain text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from awale.i18n import language


def page(title: str, style: str, body: Iterable[str], lang: str | None = None) -> str:
    """Return a page: no script, nothing fetched from anywhere."""
    head = [
        f'<!doctype html><html lang="{lang or language()}"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        f"<title>{escape(title)}</title><style>{style}</style></head><body>",
    ]
    return "\n".join([*head, *body, "</body></html>\n"])


def html_table(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in headings)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def html_facts(facts: Mapping[str, str]) -> str:
    return "<dl>" + "".join(f"<dt>{escape(name)}</dt><dd>{escape(fact)}</dd>" for name, fact in facts.items()) + "</dl>"


def plain_table(rows: Sequence[Sequence[str]], left: int) -> list[str]:
    """Return the lines of a table; all columns but `left` are aligned on the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = (
            cell.ljust(width) if column == left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join(cells).rstrip())
    return lines
