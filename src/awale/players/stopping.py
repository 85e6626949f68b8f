"""When a computer agrees to stop, and when it offers to.

An offer to stop ends the game with each side keeping what it has captured. Under `casabianca`, where nothing else ends
a cycle, games end that way; under all rules it would be a weapon if a computer accepted whenever it *expects* no gain:
take the first seeds, offer, and win. So a computer accepts only what is certain:

- **the result is settled**: one side leads by more than all the seeds on the board;
- **play goes round**: nothing in the rules ends a cycle, and the position has occurred for the third time since the
  last capture, or no sequence of moves leads to a capture or to the end of the game;
- **continuing is proven to gain nothing**: an endgame table or a search for proofs shows that the side
  that is asked gets no better result (win, draw or loss) by playing on than by stopping now.

It offers, when it is to move, only where nothing in the rules ends a cycle, where play goes round or, after some moves
without a capture, where the final scores are proven to be those on the board. A refused offer costs nothing.

A proof is about the position alone: earlier positions are left out of the search unless the rules look at them,
otherwise an opponent who repeats a position would make the search believe that nothing else can happen.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from awale.game import Game
from awale.rules import reference
from awale.rules.description import Rules

if TYPE_CHECKING:
    from awale.players.engine import Engine
    from awale.search.analysis import Value

PROOF_NODES = 500_000
"""A bound in positions, not in time: the answer does not depend on the machine or on what has to be compiled first."""
FROZEN_SEEDS, FROZEN_POSITIONS = 6, 3000
"""With more seeds a capture is practically always in reach: the reachable positions are not enumerated."""
OFFER_SEEDS, OFFER_QUIET_PLIES = 12, 6
"""An offer is considered with at most so many seeds on the board, after so many plies without a capture."""

Analyse = Callable[[Game], "Value"]
_lock = threading.Lock()


def asked_side(game: Game) -> int:
    """Return the side that an offer to stop is put to: the opponent of who offers, else the player to move."""
    return game.turn if game.end_offer is None else 1 - game.end_offer


def accepts_stop(game: Game, side: int, analyse: Analyse | None = None) -> bool:
    """Return whether a computer playing `side` accepts to stop now. `analyse` proves values; the engine by default."""
    if game.over or result_settled(game) or goes_round(game):
        return True
    lying = sum(game.counts)
    if 2 * lying > lying + sum(game.scores):
        return False  # nothing is proven so quickly with so many seeds
    lead = game.scores[side] - game.scores[1 - side]
    result = _prove(game, analyse).pov(side).result
    return result is not None and result <= (lead > 0) - (lead < 0)


def offers_stop(game: Game, side: int, analyse: Analyse | None = None) -> bool:
    """Return whether a computer playing `side` offers to stop before its move."""
    if game.over or game.turn != side or not endless(game.rules):
        return False
    if goes_round(game):
        return True
    past = game.history[-1 - OFFER_QUIET_PLIES :]
    quiet = len(past) > OFFER_QUIET_PLIES and past[0].scores == game.scores
    if not quiet or sum(game.counts) > OFFER_SEEDS:
        return False
    return _prove(game, analyse).pov(side).margin == game.scores[side] - game.scores[1 - side]


def endless(rules: Rules) -> bool:
    """Return whether nothing in the rules ends a cycle."""
    return rules.repetition == "none" and rules.move_limit is None


def result_settled(game: Game) -> bool:
    """Return whether one side leads by more than all the seeds on the board."""
    return abs(game.scores[0] - game.scores[1]) > sum(game.counts)


def no_progress(game: Game) -> bool:
    """Return whether nothing in the rules ends a cycle and the position occurs for the third time since a capture."""
    return endless(game.rules) and game.repetitions() >= 2


def goes_round(game: Game) -> bool:
    """Return whether a game that nothing else ends makes no progress, or no capture is in reach."""
    return no_progress(game) or (endless(game.rules) and _frozen(game))


def _frozen(game: Game) -> bool:
    """Return whether no sequence of moves leads to a capture or to the end of the game."""
    if sum(game.counts) > FROZEN_SEEDS:
        return False
    rules, scores = game.rules, game.scores
    seen = {(game.board, game.turn)}
    waiting = [(game.state, game.legal_moves)]
    while waiting:
        position, legal = waiting.pop()
        for move in legal:
            after = reference.play(rules, position, move, ())
            if after.reason is not None or after.position.scores != scores:
                return False
            key = (after.position.board, after.position.turn)
            if key not in seen:
                seen.add(key)
                waiting.append((after.position, after.legal))
        if len(seen) > FROZEN_POSITIONS:
            return False
    return True


def _prove(game: Game, analyse: Analyse | None) -> Value:
    position = Game(game.rules, start=game.state) if endless(game.rules) else game
    return (analyse or _search)(position)


def _search(game: Game) -> Value:
    from awale.search.limits import Limit
    from awale.tables import ensure_small

    with _lock:
        engine = _engine(game.rules)
        if endless(game.rules) and sum(game.counts) <= OFFER_SEEDS and engine.tables is None:
            # Where cycles never end, a table proves at once what a search cannot: that nobody can do better.
            engine.tables = ensure_small(game.rules, OFFER_SEEDS, wait=True)
        engine.clear()  # one answer, whatever was asked before
        return engine.analyse(game, Limit(nodes=PROOF_NODES)).value


@lru_cache(maxsize=4)
def _engine(rules: Rules) -> Engine:
    from awale.players.engine import Engine

    return Engine(rules, hash_mb=4)
