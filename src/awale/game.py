"""`Game`: the object people hold. Push and pop moves, ask what is legal and why not, see how it ended."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from awale import i18n
from awale.errors import AmbiguousMoveError, GameStateError, IllegalMoveError, InvalidMoveError, MoveError
from awale.rules import moves as move_texts
from awale.rules import positions, presets, reference
from awale.rules.description import Rules
from awale.rules.moves import Move
from awale.rules.reference import Board, Lap, Position, Settled, Step
from awale.rules.refusals import Refusal, player_key, why_illegal

Reason = Literal["win", "moves", "few", "repetition", "no-move", "endless", "agreement", "resignation"]


class Outcome(NamedTuple):
    """How a game ended: the winner (None for a draw), the final scores, and the reason."""

    winner: int | None
    scores: tuple[int, int]
    reason: Reason

    def sentence(self, lang: str | None = None, *, coloured: bool = False) -> str:
        """For a person, in a language of the catalogue."""
        reason = i18n.text(f"core.ending.{self.reason}", lang)
        scores = f"{self.scores[0]}-{self.scores[1]}"
        if self.winner is None:
            return i18n.text("core.result.draw", lang, scores=scores, reason=reason)
        key = "player-coloured" if coloured else "player"
        player = i18n.text(f"core.{key}.{self.winner}", lang)
        return i18n.text("core.result.win", lang, player=player, scores=scores, reason=reason)


@dataclass(frozen=True, slots=True)
class Trace:
    """What an animation needs to show a move."""

    move: Move
    laps: tuple[Lap, ...]
    """Each handful: where it was lifted and the landing pit of every seed, in order."""
    lap_count: int
    """All the laps of the sowing; more than `laps` holds for an endless one."""
    captures: tuple[tuple[int, int], ...]
    """Pits emptied by the capture, in order, and the seeds taken from each."""
    spared: bool
    """The capture would have taken everything and so takes nothing."""
    period: int | None
    """Laps after which an endless sowing is back at its start."""
    board: Board
    """The board after the capture, before any sweep at the end of the game."""
    swept: tuple[int, int]
    """What South and North take of the rest when this move ends the game."""
    passed: bool
    """The opponent has nothing to play and passes: the mover plays again."""
    outcome: Outcome | None
    """How the game ends by this move, if it does."""

    @property
    def landings(self) -> tuple[int, ...]:
        """The landing pit of every seed, all laps together."""
        return tuple(pit for lap in self.laps for pit in lap.landings)

    @property
    def taken(self) -> int:
        return sum(seeds for _, seeds in self.captures)


class Game:
    """A game of awalé under any rules.

    >>> game = Game("abapa")
    >>> game.push("F")
    Move(pit=5, colour=None, text='F')
    >>> game.board
    (4, 4, 4, 4, 4, 0, 5, 5, 5, 5, 4, 4)
    >>> str(game.pop()), game.ply
    ('F', 0)
    """

    __slots__ = ("_closed", "_legal", "_moves", "_offer", "_settled", "rules")

    rules: Rules

    def __init__(
        self,
        rules: str | Rules = "abapa",
        *,
        start: str | Position | None = None,
        moves: str | Iterable[Move | str] = (),
        ended: str | None = None,
    ) -> None:
        """`rules`: a preset's name, an alias, a variant such as `ghana:pits=3`, or a Rules. `start`: another position.
        `moves`: moves to play, a list or a text. `ended`: `agreement`, `resignation-0` or `resignation-1`."""
        self.rules = presets.get(rules)
        if start is None:
            position = reference.start(self.rules)
        elif isinstance(start, Position):
            position = positions.read(self.rules, positions.write(self.rules, start))
        else:
            position = positions.read(self.rules, start)
        self._settled: list[Settled] = [reference.settle(self.rules, position)]
        self._moves: list[Move] = []
        self._legal: dict[Move, Step] | None = None
        self._offer: int | None = None
        self._closed: tuple[Reason, int | None] | None = None
        for move in _split_moves(self.rules, moves) if isinstance(moves, str) else moves:
            self.push(move)
        if ended is not None:
            self._close_as(ended)

    @classmethod
    def from_position(cls, text: str, rules: str | Rules = "abapa") -> Game:
        """A game that starts from a position string.

        >>> Game.from_position("0-0-0-0-0-1-0-0-0-0-0-2-22-23-S", rules="abapa").legal_moves
        (Move(pit=5, colour=None, text='F'),)
        """
        return cls(rules, start=text)

    # -- where the game stands -----------------------------------------------------------------------------------

    @property
    def state(self) -> Position:
        """Board, scores, turn and ply together."""
        return self._settled[-1].position

    @property
    def board(self) -> Board:
        """The counts, pit 0 first; in the three-colour game (red, blue, transparent) a hole."""
        return self.state.board

    @property
    def counts(self) -> tuple[int, ...]:
        """The seeds in each pit, colours together."""
        return reference.counts(self.board)

    @property
    def scores(self) -> tuple[int, int]:
        """Captured seeds (South, North); the final ones once the game is over."""
        return self.state.scores

    @property
    def turn(self) -> int:
        """Whose move it is: 0 (South, J1) or 1 (North, J2)."""
        return self.state.turn

    @property
    def ply(self) -> int:
        """Moves played, those before the start position included where it says so."""
        return self.state.ply

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves played in this game."""
        return tuple(self._moves)

    @property
    def start(self) -> Position:
        """Where this game began."""
        return self._settled[0].position

    @property
    def position(self) -> str:
        """The position as text."""
        return positions.write(self.rules, self.state)

    @property
    def history(self) -> tuple[Position, ...]:
        """All positions of the game, the start first, the present one last."""
        return tuple(settled.position for settled in self._settled)

    @property
    def over(self) -> bool:
        return self._closed is not None or self._settled[-1].reason is not None

    def outcome(self) -> Outcome | None:
        """None while the game goes on."""
        south, north = self.scores
        winner = None if south == north else int(north > south)
        if self._closed is not None:
            reason, loser = self._closed
            return Outcome(winner if loser is None else 1 - loser, self.scores, reason)
        ended = self._settled[-1].reason
        return None if ended is None else Outcome(winner, self.scores, ended)  # type: ignore[arg-type]

    # -- moves ---------------------------------------------------------------------------------------------------

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """In pit order; in the three-colour game R, B, TR, TB within a hole."""
        return () if self.over else tuple(self._legal_steps())

    def _legal_steps(self) -> dict[Move, Step]:
        if self._legal is None:
            self._legal = reference.legal_steps(self.rules, self.state)
        return self._legal

    def parse(self, text: str) -> Move:
        """The legal move that a text names; raises one of the three move errors."""
        move = self._understand(text)
        if isinstance(move, MoveError):
            raise move
        refusal = self.refusal(move)
        if refusal is not None:
            raise IllegalMoveError(refusal.sentence())
        return move

    def _understand(self, text: str) -> Move | MoveError:
        """The move a text names, legal or not, or the error that says why it names none."""
        pits = move_texts.pit_names(self.rules, self.turn)
        if self.rules.coloured:
            pits += " + R, B, TR, TB"
        shown = str(text).strip()[:40]
        reading = move_texts.read(self.rules, text, self.turn) if isinstance(text, str) else None
        if reading is None:
            return InvalidMoveError(Refusal("unreadable", {"text": shown, "pits": pits}).sentence())
        if reading.pit >= self.rules.holes or reading.pit < 0:
            return InvalidMoveError(Refusal("no-pit", {"move": shown, "pits": pits}).sentence())
        if self.rules.coloured and reading.colour is None:
            fitting = [move for move in self.legal_moves if move.pit == reading.pit]
            if len(fitting) > 1:
                choices = ", ".join(map(str, fitting))
                return AmbiguousMoveError(Refusal("ambiguous", {"text": shown, "choices": choices}).sentence())
            if fitting:
                return fitting[0]
        return move_texts.make(self.rules, reading.pit, reading.colour)

    def refusal(self, move: Move | str) -> Refusal | None:
        """Why a move may not be played, as a code with its values; None if it may."""
        if self.over:
            return Refusal("over", {})
        if isinstance(move, str):
            move = self.parse(move)
        if move in self._legal_steps():
            return None
        return why_illegal(self.rules, self.state, move)

    def why_illegal(self, move: Move | str, lang: str | None = None) -> str | None:
        """A sentence for every move that is refused; None for a legal one.

        >>> Game.from_position("0-4-4-4-4-4-4-4-4-4-4-4-4-0-S").why_illegal("A")
        'pit A is empty'
        """
        before = i18n.language()
        if lang is not None:
            i18n.set_language(lang)
        try:
            if self.over:
                return Refusal("over", {}).sentence()
            understood = self._understand(move) if isinstance(move, str) else move
            if isinstance(understood, MoveError):
                return str(understood)
            refusal = self.refusal(understood)
            return None if refusal is None else refusal.sentence()
        finally:
            i18n.set_language(before)

    def push(self, move: Move | str) -> Move:
        """Play a move. Text that is no move, or no legal one, raises and changes nothing."""
        if self.over:
            raise IllegalMoveError(Refusal("over", {}).sentence())
        if isinstance(move, str):
            move = self.parse(move)
        done = self._legal_steps().get(move)
        if done is None:
            refusal = why_illegal(self.rules, self.state, move)
            assert refusal is not None
            raise IllegalMoveError(refusal.sentence())
        mover = self.turn
        self._settled.append(self._play(done))
        self._moves.append(move_texts.make(self.rules, move.pit, move.colour))
        self._legal = None
        if self._offer is not None and self._offer != mover:
            self._offer = None
        return self._moves[-1]

    def _play(self, done: Step) -> Settled:
        if done.sown.period is not None:
            return Settled(self.state._replace(ply=self.ply + 1), "endless")
        earlier = (settled.position for settled in reversed(self._settled))
        return reference.settle(self.rules, reference.after(self.rules, self.state, done), earlier)

    def pop(self) -> Move:
        """Take back the last move (and a resignation or agreement after it)."""
        if not self._moves:
            raise GameStateError("there is no move to take back")
        self._settled.pop()
        self._legal = None
        self._offer = None
        self._closed = None
        return self._moves.pop()

    def trace(self, move: Move | str) -> Trace:
        """Everything that happens when a legal move is played, without playing it."""
        if isinstance(move, str):
            move = self.parse(move)
        if self.over:
            raise IllegalMoveError(Refusal("over", {}).sentence())
        refusal = self.refusal(move)
        if refusal is not None and refusal.code != "endless":
            raise IllegalMoveError(refusal.sentence())
        laps: list[Lap] = []
        done = reference.step(self.rules, self.state, move, laps)
        trial = self.copy()
        settled = self._settled[-1]
        if refusal is None:
            trial.push(move)
            settled = trial._settled[-1]
        return Trace(
            move=move_texts.make(self.rules, move.pit, move.colour),
            laps=tuple(laps),
            lap_count=done.sown.laps,
            captures=done.captured,
            spared=done.spared,
            period=done.sown.period,
            board=done.board,
            swept=settled.swept if refusal is None else (0, 0),
            passed=settled.passed and refusal is None,
            outcome=trial.outcome(),
        )

    # -- agreeing and giving up ----------------------------------------------------------------------------------

    @property
    def end_offer(self) -> int | None:
        """Who offers to stop, while the other has not answered by word or move."""
        return self._offer

    def offer_end(self, player: int | None = None) -> None:
        """Offer to stop, each keeping what he has captured. By default the player to move offers."""
        self._still_on()
        self._offer = self.turn if player is None else _player(player)

    def accept_end(self) -> Outcome:
        """Accept the offer: the game is over."""
        self._still_on()
        if self._offer is None:
            raise GameStateError("nobody has offered to stop")
        self._offer = None
        self._closed = ("agreement", None)
        return self._outcome_now()

    def decline_end(self) -> None:
        """Refuse the offer: the game goes on."""
        if self._offer is None:
            raise GameStateError("nobody has offered to stop")
        self._offer = None

    def resign(self, player: int | None = None) -> Outcome:
        """Give up. By default the player to move does."""
        self._still_on()
        self._offer = None
        self._closed = ("resignation", self.turn if player is None else _player(player))
        return self._outcome_now()

    def _outcome_now(self) -> Outcome:
        outcome = self.outcome()
        assert outcome is not None
        return outcome

    def _still_on(self) -> None:
        if self.over:
            raise GameStateError(Refusal("over", {}).sentence())

    @property
    def ended(self) -> str | None:
        """`agreement`, `resignation-0` or `resignation-1` when the players ended the game themselves."""
        if self._closed is None:
            return None
        reason, loser = self._closed
        return reason if loser is None else f"{reason}-{loser}"

    def _close_as(self, ended: str) -> None:
        self._still_on()
        match = re.fullmatch(r"agreement|resignation-([01])", ended)
        if match is None:
            raise GameStateError(f"'{ended[:40]}' must be agreement, resignation-0 or resignation-1")
        self._closed = ("resignation", int(match[1])) if match[1] else ("agreement", None)

    # -- as a Python object --------------------------------------------------------------------------------------

    def copy(self) -> Game:
        """An independent game, cheaply: positions are shared, they never change."""
        twin = Game.__new__(Game)
        twin.rules = self.rules
        twin._settled = self._settled.copy()
        twin._moves = self._moves.copy()
        twin._legal = self._legal
        twin._offer = self._offer
        twin._closed = self._closed
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Game:
        return self.copy()

    def _identity(self) -> tuple[object, ...]:
        return (self.rules, self.start, tuple(self._moves), self._closed, self._offer)

    def __eq__(self, other: object) -> bool:
        return self._identity() == other._identity() if isinstance(other, Game) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._identity())

    def __getstate__(self) -> dict[str, object]:
        return {
            "rules": self.rules,
            "settled": self._settled,
            "moves": self._moves,
            "offer": self._offer,
            "closed": self._closed,
        }

    def __setstate__(self, state: dict[str, object]) -> None:
        self.rules = state["rules"]  # type: ignore[assignment]
        self._settled = state["settled"]  # type: ignore[assignment]
        self._moves = state["moves"]  # type: ignore[assignment]
        self._offer = state["offer"]  # type: ignore[assignment]
        self._closed = state["closed"]  # type: ignore[assignment]
        self._legal = None

    def __repr__(self) -> str:
        parts = [repr(_rules_name(self.rules))]
        if self.start != reference.settle(self.rules, reference.start(self.rules)).position:
            parts.append(f"start={positions.write(self.rules, self.start)!r}")
        if self._moves:
            parts.append(f"moves={' '.join(map(str, self._moves))!r}")
        if self.ended:
            parts.append(f"ended={self.ended!r}")
        return f"Game({', '.join(parts)})"

    def __str__(self) -> str:
        from awale.draw.text import board_text

        return board_text(self)

    def _repr_svg_(self) -> str:
        from awale.draw.svg import board_svg

        return board_svg(self)

    def player_name(self, player: int, lang: str | None = None) -> str:
        """South and North, or J1 and J2, in a language of the catalogue."""
        return i18n.text(f"core.{player_key(self.rules, player)}", lang)


def _player(player: int) -> int:
    if player not in (0, 1):
        raise GameStateError(f"a player is 0 or 1, not {player!r}")
    return player


def _rules_name(rules: Rules) -> str | Rules:
    """The name if it leads back to these rules, else the rules themselves: a repr must round-trip."""
    try:
        return rules.name if presets.get(rules.name) == rules else rules
    except ValueError:
        return rules


def _split_moves(rules: Rules, text: str) -> Iterator[str]:
    """Moves in a line, separated by spaces or commas; letters also unseparated, as engines write them (`FfEaCe`)."""
    for word in re.split(r"[\s,]+", text.strip()):
        if rules.notation.startswith("letters") and word.isalpha():
            yield from word
        elif word:
            yield word
