"""Examples in docstrings stand there as they are typed, without a fence: the site needs one to show them as code."""

from __future__ import annotations

from typing import Any

import griffe


def fenced(text: str) -> str:
    """The same text with its doctest examples between fences.

    An example begins at a line with `>>>` and ends at an empty line, as in doctest.
    """
    lines: list[str] = []
    inside = False
    for line in text.splitlines():
        if not inside and line.lstrip().startswith(">>> "):
            indent = line[: len(line) - len(line.lstrip())]
            lines += ["", f"{indent}```pycon"]
            inside = True
        elif inside and not line.strip():
            lines.append(f"{indent}```")
            inside = False
        lines.append(line)
    if inside:
        lines.append(f"{indent}```")
    return "\n".join(lines)


class FencedExamples(griffe.Extension):
    """Applied to everything that is read."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)
