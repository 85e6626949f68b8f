#!/usr/bin/env python3
"""Writes the golden files of every preset: how many move sequences there are, and one game told move by move.

    .venv/bin/python scripts/golden.py            all presets
    .venv/bin/python scripts/golden.py ghana      some presets

`tests/data/perft/<preset>.json` and `tests/data/playthroughs/<preset>.txt` are kept in git; the tests make them anew
and compare. When a rule changes on purpose, raise the preset's `version`, run this, and read the difference before you
commit it: every line of it is a change that players will see.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from awale import Game, Move, Rules
from awale.rules import get, names, reference
from awale.rules.moves import make

DATA = Path(__file__).resolve().parent.parent / "tests" / "data"
COMMAND = "scripts/golden.py"
LANGUAGES = ("en", "fr")

# A second or two of plain Python a preset; a relay that never ends may take a second by itself.
PERFT_LEAVES = {"lap": 40_000, "relay": 12_000, "tricolor": 40_000}
PERFT_AFTER = (0, 20, 45)  # from the start, from the middle and from late in a game
PLAYTHROUGH_PLIES = 160  # a longer game is stopped by agreement, which is shown too


def perft_path(name: str) -> Path:
    return DATA / "perft" / f"{name}.json"


def playthrough_path(name: str) -> Path:
    return DATA / "playthroughs" / f"{name}.txt"


class Chooser:
    """A tiny generator of our own: Python's may change from one version to the next, golden files may not."""

    def __init__(self, name: str) -> None:
        self.state = sum((place + 1) * ord(letter) for place, letter in enumerate(name))

    def pick(self, moves: tuple[Move, ...]) -> Move:
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return moves[(self.state >> 33) % len(moves)]


# -- perft ---------------------------------------------------------------------------------------------------------


def perft_text(rules: Rules) -> str:
    """From a few positions of one game: the number of sequences of 1, 2, 3 ... moves, while they stay few enough."""
    game, chooser = Game(rules), Chooser(rules.name)
    entries = []
    for ply in PERFT_AFTER:
        while game.ply < ply and not game.over:
            game.push(chooser.pick(game.legal_moves))
        if not game.over:
            entries.append({"position": game.position, "perft": list(_perfts(game))})
    whole = {"rules": rules.name, "version": rules.version, "positions": entries}
    return json.dumps(whole, indent=1) + "\n"


def _perfts(game: Game) -> Iterator[int]:
    depth, leaves, growth = 0, 1, 1
    while depth < 12 and 0 < leaves * growth <= PERFT_LEAVES[game.rules.family]:
        depth += 1
        before, leaves = leaves, reference.perft(game.rules, game.state, depth)
        growth = -(-leaves // before)
        yield leaves


# -- playthroughs --------------------------------------------------------------------------------------------------


def playthrough_text(rules: Rules) -> str:
    return "\n".join(_playthrough(rules)) + "\n"


def _playthrough(rules: Rules) -> Iterator[str]:
    yield f"rules {rules.name}, version {rules.version}"
    for option, value in rules.options().items():
        yield f"  {option} = {value!r}"
    game, chooser = Game(rules), Chooser(rules.name)
    while not game.over and len(game.moves) < PLAYTHROUGH_PLIES:
        yield from _state(game)
        move = chooser.pick(game.legal_moves)
        yield from _event(game, move)
        game.push(move)
    if not game.over:
        yield from _state(game)
        game.offer_end()
        yield f"{game.player_name(game.turn)} offers to stop, accepted"
        game.accept_end()
    yield ""
    yield from _position(game)
    outcome = game.outcome()
    assert outcome is not None
    yield f"over: winner {outcome.winner}, scores {outcome.scores}, reason {outcome.reason}"
    for lang in LANGUAGES:
        yield f"  {lang}: {outcome.sentence(lang, coloured=rules.coloured)}"
    for lang in LANGUAGES:
        yield f"  {lang}: {game.why_illegal('1', lang)}"
    yield repr(game)


def _position(game: Game) -> Iterator[str]:
    yield f"ply {game.ply}: {game.player_name(game.turn)} to move"
    yield f"board {' '.join(str(hole).replace(' ', '') for hole in game.board)}"
    yield f"scores {game.scores[0]}-{game.scores[1]}"
    yield f"position {game.position}"


def _state(game: Game) -> Iterator[str]:
    yield ""
    yield from _position(game)
    yield f"legal {' '.join(map(str, game.legal_moves))}"
    yield from _refusals(game)


def _refusals(game: Game) -> Iterator[str]:
    """One refused move of every kind that this position offers."""
    colours = ("r", "b", "tr", "tb") if game.rules.coloured else (None,)
    told = set()
    # That the other side's pits are refused is worth saying twice, not at every move.
    for pit in range(game.rules.holes) if game.ply < 2 else game.rules.own_pits(game.turn):
        for colour in colours:
            refusal = game.refusal(make(game.rules, pit, colour))
            if refusal is not None and refusal.code not in told:
                told.add(refusal.code)
                yield f"refused pit {pit}{f' {colour}' if colour else ''}: {refusal.sentence('en')}"
                yield f"  fr: {refusal.sentence('fr')}"


def _event(game: Game, move: Move) -> Iterator[str]:
    trace = game.trace(move)
    yield f"> {move}"
    if trace.period is not None:
        yield f"  endless, back at its start after {trace.period} laps"
    else:
        for lap in trace.laps:
            seeds = f" ({lap.colours})" if lap.colours else ""
            yield f"  from {lap.pit} to {' '.join(map(str, lap.landings))}{seeds}"
    if trace.captures:
        yield f"  takes {trace.taken}: {', '.join(f'{seeds} from {pit}' for pit, seeds in trace.captures)}"
    if trace.spared:
        yield "  would take everything, so takes nothing"
    if trace.passed:
        yield "  the opponent passes"
    if any(trace.swept):
        yield f"  the rest: {trace.swept[0]} and {trace.swept[1]}"


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    same = path.exists() and path.read_text(encoding="utf-8") == text
    path.write_text(text, encoding="utf-8")
    print(f"{'same   ' if same else 'written'} {path.relative_to(DATA.parent.parent)}", file=sys.stderr)


def main(chosen: list[str]) -> None:
    for name in chosen or names():
        rules = get(name)
        write(perft_path(rules.name), perft_text(rules))
        write(playthrough_path(rules.name), playthrough_text(rules))


if __name__ == "__main__":
    main(sys.argv[1:])
