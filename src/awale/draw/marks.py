"""What the drawings say beside the seeds: the last move, and whose turn it is."""

from __future__ import annotations

from dataclasses import dataclass, field

from awale import i18n
from awale.game import Game
from awale.rules import reference
from awale.rules.moves import Move


@dataclass(frozen=True, slots=True)
class LastMove:
    """Where the last move started, where its last seed fell, and what was taken from which pit."""

    move: Move
    player: int
    end: int
    taken: dict[int, int] = field(default_factory=dict)

    @property
    def origin(self) -> int:
        return self.move.pit

    @property
    def total(self) -> int:
        return sum(self.taken.values())


def last_move(game: Game) -> LastMove | None:
    """Return the last move of a game; None if nothing was played yet."""
    if not game.moves:
        return None
    move, before = game.moves[-1], game.history[-2]
    done = reference.step(game.rules, before, move)
    return LastMove(move, before.turn, done.sown.last, dict(done.captured))


def state_sentence(game: Game, lang: str | None = None) -> str:
    """Return whose turn it is, or how the game ended."""
    outcome = game.outcome()
    if outcome is not None:
        return outcome.sentence(lang, coloured=game.rules.coloured)
    return i18n.text("draw.to-move", lang, player=game.player_name(game.turn, lang))
