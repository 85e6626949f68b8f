"""Who sits at the board: a person, or one of `awale.players` by name."""

from __future__ import annotations

from dataclasses import dataclass

from awale import i18n, players
from awale.errors import AwaleError
from awale.game import Game
from awale.players import Player, stopping
from awale.rules import Rules
from awale.rules.moves import Move

PERSON = "person"
_PERSON_WORDS = frozenset({PERSON, "human", "me", "personne", "humain", "moi"})
_INSTANT = frozenset({"random", "greedy"})
ADVISER = "engine:1s"


@dataclass(slots=True)
class Seat:
    """One side of the board."""

    name: str
    player: Player | None = None
    """What chooses the moves; None for a person."""

    @property
    def person(self) -> bool:
        return self.player is None

    @property
    def instant(self) -> bool:
        """Whether it answers at once, so that nobody need be told to wait."""
        return self.name in _INSTANT

    def accepts_end(self, game: Game) -> bool:
        """Return a computer's answer to an offer to stop."""
        return self.player is not None and self.player.accepts_end(game)

    def close(self) -> None:
        if self.player is not None:
            self.player.close()


def names() -> tuple[str, ...]:
    """Everybody who can be named; what may follow a colon is left out."""
    return (PERSON, *players.kinds())


def seat(name: str, rules: Rules, seed: int | None = None) -> Seat:
    """A seat by the name that the command line gives."""
    kind, colon, rest = name.strip().partition(":")
    # The command of an outside program and the name of a file are written as they are; for the others case does not
    # matter.
    wanted = kind.lower() + colon + (rest if kind.lower() in ("uci", "contest", "eval") else rest.lower())
    if wanted in _PERSON_WORDS:
        return Seat(PERSON)
    if wanted.partition(":")[0].strip() not in players.kinds():
        raise AwaleError(i18n.text("play.bad.who", name=name[:60], known=", ".join(names())))
    return Seat(wanted, players.make(wanted, rules, seed))


def adviser(rules: Rules) -> Player:
    """Whoever plays best here."""
    return players.make(ADVISER, rules)


def advice(game: Game) -> Move:
    """A good move."""
    asked = adviser(game.rules)
    try:
        return asked.choose(game.copy()).move
    finally:
        asked.close()


def offers_to_stop(game: Game) -> bool:
    """Return whether a computer whose turn it is offers to stop."""
    return stopping.offers_stop(game, game.turn)
