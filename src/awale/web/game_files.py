"""Game files and lists of games, as the page receives them."""

from __future__ import annotations

import io
import re
from itertools import islice
from typing import Any, Protocol

from awale.errors import AwaleError
from awale.game import Game
from awale.i18n import message
from awale.notation import GameRecord, PlayedMove, Variation, read_json, read_ogn, to_ogn
from awale.rules import Rules, positions, reference
from awale.rules import moves as move_texts
from awale.store import Store
from awale.store import games as stored
from awale.web import request_parsing, schema

Json = dict[str, Any]
MAX_GAMES = 20
MAX_NESTING = 40
"""Variations within variations."""


class SentMove(Protocol):
    move: str
    comment: str
    mark: str
    variations: list[list[Any]]


class SentRecord(Protocol):
    start: str | None
    line: list[Any]
    comment: str
    tags: dict[str, str]


def read(text: str, rules: str) -> list[schema.FileGame]:
    """Return the first games of a text in OGN or JSON."""
    default = request_parsing.read_rules(rules)
    found = []
    data = text.lstrip()[:1] == "{" or re.match(r"\s*\[\s*[{\]]", text) is not None  # OGN's tags are [Name "value"]
    records = read_json(io.StringIO(text)) if data else read_ogn(io.StringIO(text), rules=default)
    for record in islice(records, MAX_GAMES):
        request_parsing.build(record.rules, _start(record), [str(move) for move in record])
        found.append(shown(record))
    if not found:
        raise AwaleError(message("web.error.no-game-in-file"))
    return found


def shown(record: GameRecord) -> schema.FileGame:
    """Return a game of a file as the page receives it."""
    return schema.FileGame(
        rules=schema.Rules.of(record.rules),
        start=_start(record),
        tags=record.tags,
        result=record.result,
        ended=record.ended,
        comment="\n".join(record.comments),
        line=[_move(played) for played in record.moves],
    )


def _start(record: GameRecord) -> str | None:
    return None if record.start is None else positions.write(record.rules, record.start)


def _move(played: PlayedMove, before: list[str] | None = None) -> schema.FileMove:
    """`before`: comments before the move, which begins a variation."""
    return schema.FileMove(
        move=str(played.move),
        taken=played.taken,
        comment="\n".join([*(before or ()), *played.comments]),
        mark="".join(mark for mark in played.marks if not mark.startswith("$"))[:4],
        variations=[
            [_move(inner, None if place else variation.comments) for place, inner in enumerate(variation.moves)]
            for variation in played.variations
        ],
    )


def write(rules: Rules, sent: SentRecord) -> str:
    """Return a tree of moves as OGN; every move of it is checked."""
    made = record(rules, sent)
    made.check()
    return to_ogn(made)


def record(rules: Rules, sent: SentRecord) -> GameRecord:
    """Return a tree of moves as a record, not yet checked as a whole."""
    start = positions.read(rules, sent.start) if sent.start else None
    first = start if start is not None else reference.start(rules)
    made = GameRecord(rules=rules, start=start, tags=dict(sent.tags))
    made.comments = [sent.comment] if sent.comment else []
    game = request_parsing.build(rules, positions.write(rules, first), [])
    made.moves = _line(game, sent.line)
    return made


def _line(game: Game, line: list[SentMove], depth: int = 0) -> list[PlayedMove]:
    if depth > MAX_NESTING:
        raise AwaleError(message("web.error.nesting", limit=MAX_NESTING))
    played: list[PlayedMove] = []
    walk = game.copy()
    for sent in line:
        move = PlayedMove(move_texts.make(walk.rules, (parsed := walk.parse(sent.move)).pit, parsed.colour))
        move.comments = [sent.comment] if sent.comment else []
        move.marks = [sent.mark] if sent.mark and set(sent.mark) <= set("!?") else []
        move.variations = [Variation(_line(walk, variation, depth + 1)) for variation in sent.variations]
        played.append(move)
        walk.push(sent.move)
    return played


def games_of(store: Store, secret_hash: str) -> list[schema.GameSummary]:
    """Return the games in which a secret holds a seat."""
    with store.transaction(read_only=True) as session:
        found = stored.held_by(session, secret_hash)
        return [
            schema.GameSummary(
                key=game.key,
                rules=game.rules,
                south=stored.names(game)[0],
                north=stored.names(game)[1],
                plies=game.plies,
                scores=(game.south_seeds, game.north_seeds),
                winner=game.winner,
                end=game.end,
                started=game.started_at.isoformat(),
            )
            for game in found
        ]
