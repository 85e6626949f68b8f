"""Rules, positions and moves as the page receives them: plain JSON, sentences in every language."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import islice
from typing import Any

from awale.game import Game, Outcome
from awale.i18n import LANGUAGES, text
from awale.notation import variants
from awale.rules import Rules, positions, reference
from awale.rules import moves as move_texts
from awale.rules.moves import Move
from awale.rules.reference import Position
from awale.rules.refusals import player_key
from awale.store.games import rules_options

MAX_LAPS = 150
"""Laps of a relay that are sent to be animated; a longer sowing jumps to its end."""

Json = dict[str, Any]


def in_all(sentence: Callable[[str], str]) -> dict[str, str]:
    """A sentence in every language: people at one board need not read the same."""
    return {lang: sentence(lang) for lang in LANGUAGES}


def rules(rules: Rules) -> Json:
    """A rule system: what a board needs to draw itself, and what a person reads."""
    return {
        "name": rules.name,
        "spec": variants.to_tags(rules).get("Rules", rules.name),
        "title": dict(rules.title) or dict.fromkeys(LANGUAGES, rules.name),
        "description": dict(rules.description),
        "source": rules.source,
        "village": rules_options(rules) is not None,
        "pits": rules.pits,
        "holes": rules.holes,
        "seeds": rules.seeds,
        "total": rules.total,
        "coloured": rules.coloured,
        "relay": rules.sowing == "relay",
        "owners": [rules.owner(pit) for pit in range(rules.holes)],
        "labels": [move_texts.write(rules, pit) for pit in range(rules.holes)],
        "start": positions.write(rules, reference.start(rules)),
        "sides": [in_all(partial(text, f"core.{player_key(rules, player)}")) for player in (0, 1)],
    }


def position(state: Position) -> Json:
    """A position, drawn but not thought about."""
    return {"board": state.board, "scores": state.scores, "turn": state.turn, "ply": state.ply}


def view(game: Game) -> Json:
    """Where a game stands: the position, each legal move with what it does, why the other pits may not be played."""
    return {
        **position(game.state),
        "position": game.position,
        "over": game.over,
        "outcome": outcome(game, game.outcome()),
        "legal": [] if game.over else _legal(game),
        "refusals": {} if game.over else _refusals(game),
    }


def _legal(game: Game) -> list[Json]:
    return [
        {
            "move": str(move),
            "pit": move.pit,
            "colour": move.colour,
            "last": step.sown.last,
            "laps": step.sown.laps,
            "captures": step.captured,
            "taken": step.taken,
            "spared": step.spared,
            "endless": step.sown.period,
        }
        for move in game.legal_moves
        for step in (reference.step(game.rules, game.state, move),)
    ]


def _refusals(game: Game) -> dict[str, dict[str, str]]:
    """A sentence for every pit of the mover's that may not be played at all."""
    playable = {move.pit for move in game.legal_moves}
    found: dict[str, dict[str, str]] = {}
    for pit in range(game.rules.holes):
        if pit in playable or game.rules.owner(pit) != game.turn:
            continue
        refusal = game.refusal(move_texts.make(game.rules, pit))
        if refusal is not None:
            found[str(pit)] = in_all(refusal.sentence)
    return found


def outcome(game: Game, ended: Outcome | None) -> Json | None:
    if ended is None:
        return None
    coloured = game.rules.coloured
    sentences = in_all(lambda lang: ended.sentence(lang, coloured=coloured))
    return {"winner": ended.winner, "scores": ended.scores, "reason": ended.reason, "text": sentences}


def trace(game: Game, move: Move | str) -> Json:
    """What an animation needs to show a move that is about to be played in `game`."""
    played = game.copy()
    return played_trace(game, played, played.push(move))


def played_trace(before: Game, after: Game, move: Move) -> Json:
    """The same for a move played already: `before` and `after` it."""
    done = reference.step(before.rules, before.state, move)
    laps = islice(reference.laps(before.board, done.sown), MAX_LAPS)
    mover = before.turn
    gained = [after.scores[side] - before.scores[side] for side in (0, 1)]
    gained[mover] -= done.taken
    return {
        "move": str(move),
        "mover": mover,
        "pit": move.pit,
        "colour": move.colour,
        "laps": [{"pit": lap.pit, "landings": lap.landings, "colours": lap.colours} for lap in laps],
        "lapCount": done.sown.laps,
        "captures": done.captured,
        "taken": done.taken,
        "spared": done.spared,
        "period": done.sown.period,
        "board": done.board,
        "swept": gained,
        "passed": not after.over and after.turn == mover,
    }


def record(game: Game) -> list[Json]:
    """The moves of a game with who played each, what it took, and the position after it."""
    listed: list[Json] = []
    history = game.history
    for index, move in enumerate(game.moves):
        before, after = history[index], history[index + 1]
        taken = reference.step(game.rules, before, move).taken
        listed.append({"move": str(move), "mover": before.turn, "taken": taken, "after": position(after)})
    return listed
