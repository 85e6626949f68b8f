"""The two trees of the documents that this project grew from, as far as their words say them (the pictures are lost).

`four-pits`: the four-pit board of the Ghanaian game at three levels: the first pit promises nothing, the second one
seed, so the second is played. `question-18`: the examination's Alice may play 2, 4 or 5; 4 takes eight seeds and the
others none (questions 1 and 2), and yet at this depth she does best to play 5.
"""

from __future__ import annotations

from typing import NamedTuple

from awale import i18n
from awale.classroom.tree import TreeError


class Example(NamedTuple):
    rules: str
    position: str
    depth: int
    method: str
    evaluation: str


EXAMPLES: dict[str, Example] = {
    "four-pits": Example("ghana4", "2-6-3-0-2-3-S", 3, "minimax", "gains"),
    "four-pits-cut": Example("ghana4", "2-5-3-5-0-1-S", 3, "alphabeta", "gains"),
    "question-18": Example("upsti", "0-0-1-0-5-6-0-2-1-2-0-15-8-8-S", 2, "negamax", "gains"),
}


def example(name: str) -> Example:
    if name not in EXAMPLES:
        raise TreeError(i18n.message("tree.refused.example", name=name[:40], known=", ".join(EXAMPLES)))
    return EXAMPLES[name]
