"""Commands within comments, as chess programs write them: arrows drawn on the board, and questions to the reader.

`[%draw 6-9,3]` draws an arrow from the sixth pit to the ninth and a circle round the third, pits being counted from 1
round the board, from South's left. `[%quiz]` asks the reader for the next move. What is not understood stays text.

>>> split("Feed or starve? [%draw 6-9,3] [%quiz]")
Annotation(text='Feed or starve?', shapes=((5, 8), (2, 2)), quiz=True)
>>> join(split("Feed or starve? [%draw 6-9,3] [%quiz]"))
'Feed or starve? [%draw 6-9,3] [%quiz]'
"""

from __future__ import annotations

import re
from typing import NamedTuple

_COMMAND = re.compile(r"\s*\[%(?:(quiz)|draw ([0-9]{1,3}(?:-[0-9]{1,3})?(?:,[0-9]{1,3}(?:-[0-9]{1,3})?)*))\]")


class Annotation(NamedTuple):
    """A comment: what it says, the arrows and circles drawn with it, and whether it asks for the next move."""

    text: str
    shapes: tuple[tuple[int, int], ...] = ()
    """Pits, counted from 0; a circle where both are the same."""
    quiz: bool = False


def split(comment: str) -> Annotation:
    """Return the parts of a comment."""
    shapes: list[tuple[int, int]] = []
    quiz = False
    for command in _COMMAND.finditer(comment):
        quiz = quiz or command[1] is not None
        for shape in (command[2] or "").split(",") if command[2] else ():
            start, _, end = shape.partition("-")
            shapes.append((int(start) - 1, int(end or start) - 1))
    return Annotation(_COMMAND.sub("", comment).strip(), tuple(shapes), quiz)


def join(annotation: Annotation) -> str:
    """Return the comment of an annotation."""
    parts = [annotation.text] if annotation.text else []
    if annotation.shapes:
        pairs = (f"{a + 1}" if a == b else f"{a + 1}-{b + 1}" for a, b in annotation.shapes)
        parts.append(f"[%draw {','.join(pairs)}]")
    if annotation.quiz:
        parts.append("[%quiz]")
    return " ".join(parts)
