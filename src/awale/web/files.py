"""Game files, lists of games, and the programs that a page may play against."""

from __future__ import annotations

import io
import re
from itertools import islice
from typing import Any, Protocol

from awale.errors import AwaleError
from awale.game import Game
from awale.i18n import message
from awale.notation import GameRecord, PlayedMove, Variation, read_ogn, to_ogn
from awale.rules import Rules, positions, reference
from awale.rules import moves as move_texts
from awale.store import Store
from awale.store import games as stored
from awale.web import engine_jobs, request_parsing, schema
from awale.web.engine_pool import Pool

Json = dict[str, Any]
MAX_GAMES = 20
MAX_NESTING = 40
"""Variations within variations."""
LEVELS = range(1, 9)


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
    """Return the first games of an OGN text."""
    default = request_parsing.read_rules(rules)
    found = []
    for record in islice(read_ogn(io.StringIO(text), rules=default), MAX_GAMES):
        request_parsing.build(record.rules, _start(record), [str(move) for move in record])
        found.append(
            schema.FileGame(
                rules=schema.Rules.of(record.rules),
                start=_start(record),
                tags=record.tags,
                result=record.result,
                ended=record.ended,
                comment="\n".join(record.comments),
                line=[_move(played) for played in record.moves],
            )
        )
    if not found:
        raise AwaleError(message("web.error.no-game-in-file"))
    return found


def _start(record: GameRecord) -> str | None:
    return None if record.start is None else positions.write(record.rules, record.start)


def _move(played: PlayedMove) -> schema.FileMove:
    return schema.FileMove(
        move=str(played.move),
        taken=played.taken,
        comment="\n".join(played.comments),
        mark="".join(mark for mark in played.marks if not mark.startswith("$"))[:4],
        variations=[[_move(inner) for inner in variation.moves] for variation in played.variations],
    )


def write(rules: Rules, sent: SentRecord) -> str:
    """Return a tree of moves as OGN; every move of it is checked."""
    start = positions.read(rules, sent.start) if sent.start else None
    if start is not None:
        request_parsing.check_position_cost(rules, start)
    first = start if start is not None else reference.start(rules)
    record = GameRecord(rules=rules, start=start, tags=dict(sent.tags))
    record.comments = [sent.comment] if sent.comment else []
    game = request_parsing.build(rules, positions.write(rules, first), [])
    record.moves = _line(game, sent.line)
    record.check()
    return to_ogn(record)


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
        request_parsing.check_cost(walk, sent.move)
        walk.push(sent.move)
    return played


def opponents() -> list[Json]:
    """Players to choose from, the levels first."""
    levels: list[Json] = [{"name": f"engine:{level}", "level": level} for level in LEVELS]
    return levels + [{"name": name, "level": None} for name in OTHERS]


OTHERS = (
    "random",
    "greedy",
    "negamax:5",
    "minimax:4",
    "alphabeta:6",
    "mcts:500ms",
    "engine:1s",
    "basic",
)
ALLOWED = ("engine", "random", "greedy", "basic", "negamax", "minimax", "alphabeta", "report", "tuned", "mcts")
"""Kinds of players that a page may ask for: never those that start an outside program or read a file."""
KNOWN = frozenset({"random", "greedy", *(f"engine:{level}" for level in LEVELS)})
MOST_SECONDS = 10.0
MOST_SIMULATIONS = 200_000
MOST_DEPTH = 8


async def checked_player(name: str, game: Game, pool: Pool) -> str:
    """A player's name that exists for these rules and may be asked for by a page."""
    name = name.strip()
    kind, _, option = name.partition(":")
    if kind not in ALLOWED or len(name) > 60:
        raise AwaleError(f"no player here is called '{name[:40]}': there are {', '.join(ALLOWED)}")
    if name not in KNOWN:
        _check_patience(kind, option)
        # The engine process checks it: loading the engine here would slow the server down.
        await pool.submit(f"check:{name}", engine_jobs.job("check", game, player=name)).result
    return name


def _check_patience(kind: str, option: str) -> None:
    """A player that thinks for minutes would keep the others waiting."""
    time = re.fullmatch(r"([0-9]{1,9})(ms|s)", option)
    if time and int(time[1]) / (1000 if time[2] == "ms" else 1) > MOST_SECONDS:
        raise AwaleError(f"a player may think for {MOST_SECONDS:g} seconds at most here")
    if kind == "tuned" and re.fullmatch(r"d?[0-9]+", option) and int(option.removeprefix("d")) > MOST_DEPTH:
        raise AwaleError(f"a player may look {MOST_DEPTH} moves ahead at most here")
    if kind == "mcts" and re.fullmatch(r"[0-9]+", option) and (len(option) > 9 or int(option) > MOST_SIMULATIONS):
        raise AwaleError(f"a player may make {MOST_SIMULATIONS} simulations at most here")


def games_of(store: Store, secret_hash: str) -> list[schema.GameSummary]:
    """Return the games in which a secret holds a seat."""
    with store.transaction() as session:
        found = stored.held_by(session, secret_hash)
        return [
            schema.GameSummary(
                key=game.key,
                rules=game.rules,
                south=game.south.name if game.south else "",
                north=game.north.name if game.north else "",
                plies=game.plies,
                scores=(game.south_seeds, game.north_seeds),
                winner=game.winner,
                end=game.end,
                started=game.started_at.isoformat(),
            )
            for game in found
        ]
