"""Refuse literal sentences in errors that users see: they belong in the catalogue, in every language.

    python scripts/check_messages.py [FOLDER]

Checked are the arguments of `AwaleError` and its subclasses, of HTTP and command-line errors, and what is written to
standard error. `text("section.key")` and `message("section.key")` are right; a literal with two words or more is not.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).resolve().parents[1] / "src" / "awale"
ROOT_ERRORS = frozenset(
    {"AwaleError", "HTTPException", "WebSocketException", "BadParameter", "UsageError", "ClickException"}
)
TEXT_KEYWORDS = frozenset({"message", "detail", "reason", "sentence"})


class Finding(NamedTuple):
    path: Path
    line: int
    literal: str


def error_classes(trees: dict[Path, ast.Module]) -> frozenset[str]:
    """Return the names of all classes that derive from one of the errors, directly or not."""
    bases = {
        node.name: {_name(base) for base in node.bases}
        for tree in trees.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    found: set[str] = set(ROOT_ERRORS)
    while more := {name for name, parents in bases.items() if parents & found} - found:
        found |= more
    return frozenset(found)


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def written_out(node: ast.expr) -> str:
    """Return the literal text of an expression, with `{}` for what is computed."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.JoinedStr):
        return "".join(written_out(part) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    if isinstance(node, ast.BinOp):
        return written_out(node.left) + written_out(node.right)
    if isinstance(node, ast.IfExp):
        return max(written_out(node.body), written_out(node.orelse), key=len)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        return written_out(node.func.value)
    return ""


def is_sentence(literal: str) -> bool:
    """Tell whether a literal is prose. Keys of the catalogue have no spaces; a name before a colon is no prose."""
    prose = re.sub(r"^\w+ ?: |\{\}", "", literal)
    return " " in literal.strip() and re.search(r"[^\W\d_]{2,}", prose) is not None


def user_visible(call: ast.Call, errors: frozenset[str]) -> Iterator[ast.expr]:
    """Yield the arguments of a call that users read as an error."""
    name = _name(call.func)
    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    if name in errors:
        yield from call.args
        yield from (value for key, value in keywords.items() if key in TEXT_KEYWORDS)
    elif (
        (name in ("echo", "secho") and "err" in keywords)
        or (name == "print" and "file" in keywords and ast.unparse(keywords["file"]).endswith("stderr"))
        or (name == "write" and ast.unparse(call.func).endswith("stderr.write"))
    ):
        yield from call.args


def check(folder: Path) -> list[Finding]:
    """Return every literal sentence in a user-visible error below a folder."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.py"))}
    errors = error_classes(trees)
    return [
        Finding(path, argument.lineno, literal)
        for path, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for argument in user_visible(node, errors)
        if is_sentence(literal := written_out(argument))
    ]


def main(folder: Path = SOURCE) -> int:
    found = check(folder)
    for path, line, literal in found:
        print(f"{path.relative_to(folder)}:{line}: {literal!r} belongs in src/awale/texts", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:2])))
