"""The file that pupils start from, and the same file solved."""

from __future__ import annotations

import ast
import inspect
import re

from awale.classroom.exam import solution
from awale.i18n import text

GIVEN = ("initialisation", "affiche")
"""What the examination hands out."""


def _source() -> ast.Module:
    return ast.parse(inspect.getsource(solution))


FUNCTIONS: dict[str, tuple[str, ...]] = {
    node.name: tuple(argument.arg for argument in node.args.args)
    for node in _source().body
    if isinstance(node, ast.FunctionDef) and node.name not in GIVEN
}
"""The functions to write, in the order of the questions, with their parameters."""


def template(lang: str | None = None) -> str:
    """Return the file to fill in: the functions that are given, and for each other one its task."""
    return _write(lang, solved=False)


def solved_template(lang: str | None = None) -> str:
    """Return the same file with every function written."""
    return _write(lang, solved=True)


def _write(lang: str | None, *, solved: bool) -> str:
    parts = [f'"""{_fold(text("exam.template.heading", lang), 0)}\n"""']
    for node in _source().body:
        if not isinstance(node, ast.FunctionDef):
            continue
        for argument in node.args.args:
            argument.annotation = None
        node.returns = None
        task = ast.Expr(ast.Constant(_fold(text(f"exam.task.{node.name}", lang), 4)))
        written = solved or node.name in GIVEN
        node.body = [task, *(node.body if written else ast.parse("raise NotImplementedError").body)]
        parts.append(ast.unparse(ast.fix_missing_locations(node)))
    return "\n\n\n".join(parts) + "\n"


def _fold(paragraphs: str, indent: int) -> str:
    import textwrap

    prefix = " " * indent
    folded = [textwrap.fill(one, 100, subsequent_indent=prefix) for one in re.split(r"\n\s*\n", paragraphs.strip())]
    return f"\n\n{prefix}".join(folded)
