"""Why a move is illegal: a code for programs and a sentence for users."""

from __future__ import annotations

from typing import NamedTuple

from awale import i18n
from awale.rules import moves, reference
from awale.rules.description import Rules
from awale.rules.moves import COLOURS, Move
from awale.rules.reference import Position


class Refusal(NamedTuple):
    """A reason and the values in its sentence."""

    code: str
    values: dict[str, str | int]

    def sentence(self, lang: str | None = None) -> str:
        values: dict[str, object] = dict(self.values)
        for role in ("player", "owner"):
            if role in values:
                values[role] = i18n.text(f"core.{values[role]}", lang)
        if "colour" in values:
            values["colour"] = i18n.text(f"core.colour.{values['colour']}", lang)
        if isinstance(values.get("period"), int):
            values["period"] = i18n.number(int(self.values["period"]), lang)
        return i18n.text(f"core.refusal.{self.code}", lang, **values)


def player_key(rules: Rules, player: int) -> str:
    """Return the catalogue's key of a player's name under these rules."""
    return f"player-coloured.{player}" if rules.coloured else f"player.{player}"


def why_illegal(rules: Rules, position: Position, move: Move) -> Refusal | None:
    """Return why a move is illegal in a position that is not over; None if it is legal."""
    on_board = 0 <= move.pit < rules.holes
    if not on_board or rules.owner(move.pit) != position.turn:
        pits = moves.pit_names(rules, position.turn)
        if not on_board:
            return Refusal("no-pit", {"move": str(move.pit + 1), "pits": pits})
        player, owner = player_key(rules, position.turn), player_key(rules, 1 - position.turn)
        named = str(move.pit + 1) if rules.coloured else moves.write(rules, move.pit)
        return Refusal("not-yours", {"move": named, "owner": owner, "player": player, "pits": pits})
    hole, written = position.board[move.pit], moves.write(rules, move.pit, move.colour)
    if isinstance(hole, int):
        if move.colour is not None:
            return Refusal("no-colours-here", {})
        if hole == 0:
            return Refusal("empty", {"move": written})
    else:
        if sum(hole) == 0:
            return Refusal("empty", {"move": str(move.pit + 1)})
        if move.colour not in COLOURS:
            choices = ", ".join(moves.write(rules, move.pit, c) for c in COLOURS)
            return Refusal("needs-colour", {"hole": move.pit + 1, "choices": choices})
        needed = "t" if move.colour in ("tr", "tb") else move.colour
        if hole["rbt".index(needed)] == 0:
            return Refusal("no-colour", {"hole": move.pit + 1, "colour": needed})
    if move in reference.legal_moves(rules, position):
        return None
    done = reference.step(rules, position, move)
    if done.sown.period is not None:
        return Refusal("endless", {"move": written, "period": done.sown.period})
    fed_before = reference.on_side(rules, position.board, 1 - position.turn) > 0
    return Refusal("starves" if fed_before else "does-not-feed", {"move": written})
