"""The pages of the rule systems: a few sentences, and examples on a live board.

The sentences are in `texts/lessons.toml`; the positions are here, where tests compare them with the sentences.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from awale.game import Game
from awale.i18n import section, text
from awale.rules import Rules, reference
from awale.rules.moves import make
from awale.rules.presets import source_text
from awale.web import schema


class Example(NamedTuple):
    """A position, with a move to show or without; the text is `lessons.<key>`."""

    key: str
    rules: str
    position: str
    move: str | None = None


# The pictures of Casabianca's seven examples are lost: these positions fit the text.
CASABIANCA = (
    Example("casabianca-1", "casabianca", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "d"),
    Example("casabianca-2", "casabianca", "1-0-3-2-15-1-5-4-3-6-3-2-0-3-S", "e"),
    Example("casabianca-3", "casabianca", "2-4-0-5-1-3-6-4-2-0-7-1-6-7-S", "d"),
    Example("casabianca-4", "casabianca", "3-0-2-6-1-4-5-0-2-1-6-2-8-8-S", "d"),
    Example("casabianca-5", "casabianca", "1-0-2-0-3-16-0-0-0-0-0-0-13-13-S", "f"),
    Example("casabianca-6", "casabianca", "0-0-0-3-0-2-1-0-0-0-0-0-21-21-S", "f"),
    Example("casabianca-7", "casabianca", "0-0-0-0-0-2-1-1-0-0-0-0-22-22-S"),
)
GHANA = (
    Example("ghana-first", "ghana", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "3"),
    Example("ghana-loop4", "ghana4", "1-2-0-2-0-0-S"),
    Example("ghana-loop", "ghana", "1-6-3-11-1-0-6-0-4-1-2-11-0-2-N"),
)
TRICOLOR = (
    Example(
        "tricolor-ring",
        "tricolor",
        "2.0.0-0.0.0-0.0.0-0.0.0-3.1.1-0.0.0-2.2.0-1.0.0-0.0.0-0.1.0-0.0.0-0.0.0-2.2.0-2.2.0-0.2.0-2.0.0-36-35-N",
        "14B",
    ),
    Example(
        "tricolor-blue",
        "tricolor",
        "1.0.0-2.0.0-0.1.0-0.2.0-1.0.0-0.0.0-4.0.0-0.4.0-0.0.0-2.2.0-0.0.0-1.1.0-3.1.0-0.4.0-2.0.0-1.3.0-30-31-N",
        "16B",
    ),
    Example(
        "tricolor-red",
        "tricolor",
        "1.0.0-2.0.0-0.1.0-0.2.0-1.0.0-0.0.0-4.0.0-0.4.0-0.0.0-2.2.0-0.0.0-1.1.0-3.1.0-0.4.0-2.0.0-1.3.0-30-31-N",
        "16R",
    ),
)
SLAM = Example("slam", "abapa", "1-0-0-0-3-2-1-1-0-0-0-0-20-20-S", "F")
UPSTI = Example("upsti-feed", "upsti", "0-0-0-0-1-3-0-0-0-0-0-0-22-22-S", "5")

EXAMPLES: dict[str, tuple[Example, ...]] = {
    "ghana": GHANA,
    "ghana-basic": (GHANA[0], GHANA[2]._replace(rules="ghana-basic", key="basic-loop", move="11")),
    "ghana4": (GHANA[1],),
    "parrains": (
        Example("parrains-on", "parrains", GHANA[0].position, "2"),
        Example("parrains-stop", "parrains", GHANA[0].position, "3"),
        Example("parrains-take", "parrains", "3-1-0-0-2-4-5-3-6-2-4-1-9-8-S", "1"),
    ),
    "casabianca": CASABIANCA,
    "upsti": (CASABIANCA[3]._replace(rules="upsti", key="upsti-chain", move="3"), UPSTI),
    "wikipedia": (SLAM._replace(rules="wikipedia"),),
    "abapa": (SLAM, CASABIANCA[4]._replace(rules="abapa", key="abapa-house", move="F")),
    "awari": (SLAM._replace(rules="awari", key="awari-slam", move="A"),),
    "tricolor": TRICOLOR,
    "tricolor-2025": TRICOLOR[:1],
}
"""Examples by preset. Rules that are none of these show their start only."""


def _endless(game: Game, pit: int) -> bool:
    """Return whether the sowing of a pit never ends."""
    if game.rules.sowing != "relay" or not game.state.board[pit]:
        return False
    return reference.sow(game.rules, game.state.board, make(game.rules, pit)).period is not None


@lru_cache(maxsize=64)
def lesson(rules: Rules, lang: str) -> dict[str, Any]:
    """Return the page of a rule system in one language."""
    texts = section("lessons")
    examples = []
    for example in EXAMPLES.get(rules.name, ()):
        game = Game.from_position(example.position, rules=example.rules)
        view, start = schema.View.of_game(game), game.copy()
        trace = None if example.move is None else schema.Trace.of(game.play(example.move, laps=schema.MAX_LAPS))
        examples.append(
            {
                "key": example.key,
                "text": texts[example.key][lang],
                "rules": schema.Rules.of(game.rules),
                "position": example.position,
                "view": view,
                "move": example.move,
                "trace": trace,
                "endless": next((pit for pit in game.rules.own_pits(view.turn) if _endless(start, pit)), None),
                "after": None if trace is None else schema.View.of_game(game),
            }
        )
    board = "tricolor-board" if rules.coloured else "board"
    played = "relay-own" if rules.relay_from == "own-side" else rules.family
    way = text(f"lessons.{rules.direction}", lang)
    paragraphs = [text(f"lessons.{key}", lang, way=way) for key in (board, played)]
    return {"examples": examples, "paragraphs": paragraphs, "source": source_text(rules, lang)}
