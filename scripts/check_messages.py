"""Refuse literal sentences that users see: they belong in the catalogue, in every language.

    python scripts/check_messages.py [FOLDER]

Checked are the arguments of `AwaleError` and its subclasses, of HTTP and command-line errors, what is printed or shown
in the terminal, the help of commands and options, and the text of the web templates. `text("section.key")` and
`message("section.key")` are right; a literal with two words or more is not, nor is a word in a template.
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
SHOWN = frozenset({"echo", "secho", "print", "Static", "Label", "Text", "notify"})
"""What prints, or shows a text on the full screen."""
HELP_KEYWORDS = frozenset({"help", "epilog", "placeholder", "tooltip"})
OTHERS = frozenset({Path("classroom/exam/solution.py")})
"""The examination's own program: its French words are its authors'."""


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
    prose = re.sub(r"^\w+ ?: |\{\}|\bawal[eé]\b|\bPython\b", "", literal)
    return " " in literal.strip() and re.search(r"[^\W\d_]{2,}", prose) is not None


def user_visible(call: ast.Call, errors: frozenset[str]) -> Iterator[ast.expr]:
    """Yield the arguments of a call that users read."""
    name = _name(call.func)
    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    if name in errors:
        yield from call.args
        yield from (value for key, value in keywords.items() if key in TEXT_KEYWORDS)
    elif name in SHOWN or (name == "write" and ast.unparse(call.func).endswith("stderr.write")):
        yield from call.args
    yield from (value for key, value in keywords.items() if key in HELP_KEYWORDS)


def template_texts(source: str) -> Iterator[tuple[int, str]]:
    """Yield the words of a Jinja template that stand between its tags or in labels, with their line."""
    code = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}|<(script|style).*?</\1>", re.DOTALL)
    bare = code.sub(lambda found: "\n" * found[0].count("\n"), source)
    shown = re.compile(r">([^<>]*)<|(?:aria-label|title|alt|placeholder)=\"([^\"]*)\"")
    for found in shown.finditer(bare):
        words = (found[1] or found[2] or "").strip()
        if re.search(r"[^\W\d_]{2,}", re.sub(r"&\w+;", "", words)):
            yield bare.count("\n", 0, found.start()) + 1, words


def check(folder: Path) -> list[Finding]:
    """Return every literal sentence that users see below a folder."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.py"))}
    errors = error_classes(trees)
    found = [
        Finding(path, argument.lineno, literal)
        for path, tree in trees.items()
        if path.relative_to(folder) not in OTHERS
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for argument in user_visible(node, errors)
        if is_sentence(literal := written_out(argument))
    ]
    for path in sorted(folder.rglob("*.html")):
        found += [Finding(path, line, words) for line, words in template_texts(path.read_text(encoding="utf-8"))]
    return found


def main(folder: Path = SOURCE) -> int:
    found = check(folder)
    for path, line, literal in found:
        print(f"{path.relative_to(folder)}:{line}: {literal!r} belongs in src/awale/texts", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:2])))
