"""`Game`: play and take back moves, ask which are legal and why others are not, see how the game ended."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Literal, NamedTuple, Self, TypeAlias, cast, get_args

from awale import i18n
from awale.errors import AmbiguousMoveError, GameStateError, IllegalMoveError, InvalidMoveError, MoveError
from awale.rules import moves as move_texts
from awale.rules import positions, presets, reference
from awale.rules.description import Rules
from awale.rules.moves import Move
from awale.rules.positions import Status
from awale.rules.reference import Board, Lap, Position, RuleEnding, Settled, Step
from awale.rules.refusals import Refusal, player_key, why_illegal

if TYPE_CHECKING:
    from random import Random

Forfeit: TypeAlias = Literal["resignation", "time", "illegal", "crash"]
"""How a player loses other than by the rules: gives up, oversteps the time, plays an illegal move, or fails."""
Reason: TypeAlias = RuleEnding | Forfeit | Literal["agreement", "length"]

ENDED = ("agreement", "length", *(f"{reason}-{loser}" for reason in get_args(Forfeit) for loser in (0, 1)))
"""Every value of `Game.ended`: the endings that the moves alone do not show."""


def read_ended(ended: str) -> tuple[Reason, int | None]:
    """Return the reason and the loser (None if the score decides) of a value of `Game.ended`.

    >>> read_ended("time-1"), read_ended("agreement")
    (('time', 1), ('agreement', None))
    """
    if ended not in ENDED:
        raise GameStateError(i18n.message("core.state.no-such-end", ended=ended[:40], known=", ".join(ENDED)))
    reason, _, loser = ended.partition("-")
    return cast(Reason, reason), int(loser) if loser else None


TRACE_LAPS = 1000
"""The default number of laps in a trace; some sowings take millions."""


class Outcome(NamedTuple):
    """How a game ended: the winner (None for a draw), the final scores, and the reason."""

    winner: int | None
    scores: tuple[int, int]
    reason: Reason

    def sentence(self, lang: str | None = None, *, coloured: bool = False) -> str:
        """Return the outcome as a sentence, in a language of the catalogue."""
        reason = i18n.text(f"core.ending.{self.reason}", lang)
        scores = f"{self.scores[0]}-{self.scores[1]}"
        if self.winner is None:
            return i18n.text("core.result.draw", lang, scores=scores, reason=reason)
        key = "player-coloured" if coloured else "player"
        player = i18n.text(f"core.{key}.{self.winner}", lang)
        return i18n.text("core.result.win", lang, player=player, scores=scores, reason=reason)


@dataclass(frozen=True, slots=True)
class Trace:
    """What a move does, in the order an animation shows it."""

    move: Move
    mover: int
    """Who plays it: 0 (South, J1) or 1 (North, J2)."""
    laps: tuple[Lap, ...]
    """The first laps, each with the pit it was lifted from and the landing pit of every seed, in order."""
    lap_count: int
    """All the laps of the sowing; for an endless one its period. `laps` may hold fewer."""
    last: int
    """The landing pit of the very last seed."""
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
        """The landing pit of every seed, all `laps` together."""
        return tuple(pit for lap in self.laps for pit in lap.landings)

    @property
    def taken(self) -> int:
        """How many seeds the move captures in all."""
        return sum(seeds for _, seeds in self.captures)


class _Refused(NamedTuple):
    """A move that cannot be played: the error to raise, and why."""

    kind: type[MoveError]
    refusal: Refusal

    def error(self) -> MoveError:
        return self.kind(self.refusal)


_OVER = Refusal("over", {})


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

    __slots__ = ("_closed", "_moves", "_offer", "_offers_before", "_settled", "_start", "rules")

    rules: Rules

    def __init__(
        self,
        rules: str | Rules = "abapa",
        *,
        start: str | Position | None = None,
        moves: str | Iterable[Move | str] = (),
        ended: str | None = None,
        offer: int | None = None,
    ) -> None:
        """Start a game and play the given moves.

        `rules`: a preset's name, an alias, a variant such as `ghana:pits=3`, or a Rules. `start`: another position.
        `moves`: moves to play, a list or a text. `ended`: `agreement`, or how a player lost, as in `time-1`.
        `offer`: the player whose offer to stop has not been answered.
        """
        self.rules = presets.get(rules)
        self._start = _start_position(self.rules, start)
        self._settled: list[Settled] = [reference.settle(self.rules, self._start)]
        self._moves: list[Move] = []
        self._offer: int | None = None
        self._offers_before: list[int | None] = []
        self._closed: tuple[Reason, int | None] | None = None
        for move in _split_moves(self.rules, moves) if isinstance(moves, str) else moves:
            self.push(move)
        if ended is not None:
            self._still_on()
            self._close(*read_ended(ended))
        if offer is not None:
            self.offer_end(offer)

    @classmethod
    def from_position(cls, text: str, rules: str | Rules = "abapa") -> Game:
        """Return a game that starts from a position string.

        >>> Game.from_position("0-0-0-0-0-1-0-0-0-0-0-2-22-23-S", rules="abapa").legal_moves
        (Move(pit=5, colour=None, text='F'),)
        """
        return cls(rules, start=text)

    # -- the position --------------------------------------------------------------------------------------------

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
        """Moves played, including those before the start position where it counts them."""
        return self.state.ply

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves played in this game."""
        return tuple(self._moves)

    @property
    def start(self) -> Position:
        """Where this game began, as it was given: `history[0]` is the same with a pass or a sweep made, if any."""
        return self._start

    @property
    def position(self) -> str:
        """The position as text."""
        return positions.write(self.rules, self.state)

    @property
    def history(self) -> tuple[Position, ...]:
        """All positions of the game, the start first, the present one last."""
        return tuple(settled.position for settled in self._settled)

    def earlier(self) -> Iterator[Position]:
        """Yield the positions before the present one, the latest first."""
        return (settled.position for settled in islice(reversed(self._settled), 1, None))

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._closed is not None or self._settled[-1].reason is not None

    def outcome(self) -> Outcome | None:
        """Return how the game ended; None while it goes on."""
        if self._closed is None:
            return _outcome_of(self._settled[-1])
        reason, loser = self._closed
        return Outcome(_leader(self.scores) if loser is None else 1 - loser, self.scores, reason)

    def result(self) -> str:
        """Return `1-0` if South (J1) won, `0-1`, `1/2-1/2`, or `*` while the game goes on."""
        outcome = self.outcome()
        if outcome is None:
            return "*"
        return "1/2-1/2" if outcome.winner is None else ("1-0", "0-1")[outcome.winner]

    @property
    def key(self) -> Position:
        """The position as a hashable transposition key: what may follow depends on nothing else but repetition.

        The number of moves counts only where the rules limit it. Games under different rules need one table each.

        >>> game = Game("abapa", moves="F f")
        >>> game.key == Game.from_position(game.position).key
        True
        """
        return positions.key(self.rules, self.state)

    def repetitions(self) -> int:
        """Return how often the position (board and player to move) occurred before, since the last capture.

        >>> game = Game("casabianca", start="0-0-0-0-0-1-0-0-0-0-0-1-22-24-S", moves="fFaAbBcCdDeE")
        >>> game.repetitions()
        1
        """
        now, seen = self.state, 0
        for old in self.earlier():
            if old.scores != now.scores:
                break
            seen += old.board == now.board and old.turn == now.turn
        return seen

    def status(self) -> Status:
        """Return what is wrong with the position this game started from: legal moves keep a valid one valid.

        Such positions can be played all the same; one that cannot be is refused when the game is created.

        >>> Game.from_position("4-4-4-4-4-4-4-4-4-4-4-4-1-0-S").status()
        <Status.TOO_MANY_SEEDS: 2>
        """
        return positions.status(self.rules, self._start)

    def is_valid(self) -> bool:
        """Whether a game from the usual start could meet the position this game started from."""
        return not self.status()

    # -- moves ---------------------------------------------------------------------------------------------------

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """In pit order; in the three-colour game R, B, TR, TB within a hole."""
        return () if self._closed is not None else self._settled[-1].legal

    def parse(self, move: Move | str) -> Move:
        """Return the legal move that a text names, as the rules write it; raise one of the three move errors."""
        named = self._named(move)
        refused = self._refused(named)
        if refused is not None:
            raise refused.error()
        assert isinstance(named, Move)
        return named

    def _named(self, move: Move | str) -> Move | _Refused:
        """Return the move a text names, legal or not, or why it names none."""
        rules = self.rules
        if isinstance(move, Move):
            return move_texts.table(rules).get((move.pit, move.colour), move)
        shown = str(move).strip()[:40]
        reading = move_texts.read(rules, move, self.turn) if isinstance(move, str) else None
        if reading is None or not 0 <= reading.pit < rules.holes:
            pits = move_texts.pit_names(rules, self.turn) + (" + R, B, TR, TB" if rules.coloured else "")
            code, name = ("unreadable", "text") if reading is None else ("no-pit", "move")
            return _Refused(InvalidMoveError, Refusal(code, {name: shown, "pits": pits}))
        if rules.coloured and reading.colour is None:
            fitting = [legal for legal in self.legal_moves if legal.pit == reading.pit]
            if len(fitting) > 1:
                choices = ", ".join(map(str, fitting))
                return _Refused(AmbiguousMoveError, Refusal("ambiguous", {"text": shown, "choices": choices}))
            if fitting:
                return fitting[0]
        return move_texts.make(rules, reading.pit, reading.colour)

    def _refused(self, named: Move | _Refused) -> _Refused | None:
        if self.over:
            return _Refused(IllegalMoveError, _OVER)
        if isinstance(named, _Refused):
            return named
        if named in self.legal_moves:
            return None
        refusal = why_illegal(self.rules, self.state, named)
        assert refusal is not None
        return _Refused(IllegalMoveError, refusal)

    def refusal(self, move: Move | str) -> Refusal | None:
        """Return why a move is illegal, as a code with its values; None if it is legal.

        >>> Game("ghana").refusal("7").code
        'not-yours'
        """
        refused = self._refused(self._named(move))
        return None if refused is None else refused.refusal

    def why_illegal(self, move: Move | str, lang: str | None = None) -> str | None:
        """Return why a move is illegal, as a sentence; None if it is legal.

        >>> game = Game.from_position("0-4-4-4-4-4-4-4-4-4-4-4-4-0-S")
        >>> game.why_illegal("A"), game.why_illegal("A", lang="fr"), game.why_illegal("B")
        ('pit A is empty', 'la case A est vide', None)
        """
        refusal = self.refusal(move)
        return None if refusal is None else refusal.sentence(lang)

    def push(self, move: Move | str) -> Move:
        """Play a move and return it. Text that is no move, or no legal one, raises and changes nothing."""
        played = self.parse(move)
        self._append(played, self._settle(self._step(played)))
        return played

    def play(self, move: Move | str, *, laps: int = TRACE_LAPS) -> Trace:
        """Play a move as `push` does and return what it did, of a relay at most the first `laps` laps.

        >>> game = Game("ghana")
        >>> game.play("3").taken, game.scores
        (6, (6, 0))
        """
        played = self.parse(move)
        done = self._step(played)
        settled = self._settle(done)
        trace = self._trace(played, done, settled, laps)
        self._append(played, settled)
        return trace

    def trace(self, move: Move | str, *, laps: int = TRACE_LAPS) -> Trace:
        """Return what `play` would, without playing. An endless sowing that the rules forbid can be traced too.

        >>> trace = Game("ghana").trace("3")
        >>> [lap.landings[-1] + 1 for lap in trace.laps], trace.captures
        ([7, 12, 5, 11, 5], ((7, 6),))
        """
        named = self._named(move)
        refused = self._refused(named)
        if refused is not None and refused.refusal.code != "endless":
            raise refused.error()
        assert isinstance(named, Move)
        done = self._step(named)
        settled = self._settle(done) if refused is None else Settled(self.state, None)
        return self._trace(named, done, settled, laps)

    def _step(self, move: Move) -> Step:
        return reference.step(self.rules, self.state, move)

    def _settle(self, done: Step) -> Settled:
        return reference.settle_step(self.rules, self.state, done, self.earlier())

    def _trace(self, move: Move, done: Step, settled: Settled, laps: int) -> Trace:
        return Trace(
            move=move,
            mover=self.turn,
            laps=tuple(islice(reference.laps(self.board, done.sown), laps)),
            lap_count=done.sown.laps,
            last=done.sown.last,
            captures=done.captured,
            spared=done.spared,
            period=done.sown.period,
            board=done.board,
            swept=settled.swept,
            passed=settled.passed,
            outcome=_outcome_of(settled),
        )

    def _append(self, move: Move, settled: Settled) -> None:
        mover = self.turn
        self._settled.append(settled)
        self._moves.append(move)
        self._offers_before.append(self._offer)
        if self.over or self._offer != mover:
            # A move declines the other player's offer.
            self._offer = None

    def peek(self) -> Move:
        """Return the last move."""
        if not self._moves:
            raise GameStateError(i18n.message("core.state.no-move"))
        return self._moves[-1]

    def pop(self) -> Move:
        """Take back the last move (and a resignation, an agreement or a loss on time after it) and return it."""
        self.peek()
        self._settled.pop()
        self._offer = self._offers_before.pop()
        self._closed = None
        return self._moves.pop()

    # -- agreements, resignations, time --------------------------------------------------------------------------

    @property
    def end_offer(self) -> int | None:
        """The player who has offered to stop and has no answer yet; a move declines the offer."""
        return self._offer

    def offer_end(self, player: int | None = None) -> None:
        """Offer to stop, both players keeping what they have captured. By default the player to move offers."""
        self._still_on()
        player = self.turn if player is None else _player(player)
        if self._offer == 1 - player:
            raise GameStateError(i18n.message("core.state.offer-stands"))
        self._offer = player

    def accept_end(self) -> Outcome:
        """Accept the offer: the game is over."""
        self._still_on()
        if self._offer is None:
            raise GameStateError(i18n.message("core.state.no-offer"))
        return self._close("agreement", None)

    def decline_end(self) -> None:
        """Refuse the offer: the game goes on."""
        if self._offer is None:
            raise GameStateError(i18n.message("core.state.no-offer"))
        self._offer = None

    def resign(self, player: int | None = None) -> Outcome:
        """Give up. By default the player to move does."""
        return self.forfeit(player, "resignation")

    def lose_on_time(self, player: int | None = None) -> Outcome:
        """End the game because a player's time is up (by default that of the player to move)."""
        return self.forfeit(player, "time")

    def forfeit(self, player: int | None, reason: Forfeit) -> Outcome:
        """End the game as lost by a player, whatever was captured. By default the player to move loses."""
        self._still_on()
        return self._close(reason, self.turn if player is None else _player(player))

    def stop_at_length(self) -> Outcome:
        """End a game that is too long: each player keeps what they have captured."""
        self._still_on()
        return self._close("length", None)

    def _close(self, reason: Reason, loser: int | None) -> Outcome:
        self._offer = None
        self._closed = (reason, loser)
        outcome = self.outcome()
        assert outcome is not None
        return outcome

    def _still_on(self) -> None:
        if self.over:
            raise GameStateError(_OVER)

    @property
    def ended(self) -> str | None:
        """One of `ENDED`, such as `agreement` or `time-1`, where something other than the rules ended the game."""
        if self._closed is None:
            return None
        reason, loser = self._closed
        return reason if loser is None else f"{reason}-{loser}"

    def reopen(self) -> None:
        """Undo an ending that the moves alone do not show (agreement, forfeit, length); the moves stay."""
        self._closed = None

    # -- other games from this one -------------------------------------------------------------------------------

    def root(self) -> Self:
        """Return a game at the start of this one, nothing played."""
        return type(self)(self.rules, start=self._start)

    def mirror(self) -> Self:
        """Return the same game with the players swapped: board, scores, moves, end and offer.

        Unlike python-chess's, it keeps the history. In the three-colour ring every hole moves on by one, so that
        mirroring twice gives an equivalent game, rotated by two holes.

        >>> Game("abapa", moves="F").mirror()
        Game('abapa', start='4-4-4-4-4-4-4-4-4-4-4-4-0-0-N', moves='f')
        """
        rules = self.rules
        played = [move_texts.make(rules, positions.mirror_pit(rules, move.pit), move.colour) for move in self._moves]
        twin = type(self)(rules, start=positions.mirror(rules, self._start), moves=played)
        twin._offers_before = [_other(player) for player in self._offers_before]
        twin._offer = _other(self._offer)
        twin._closed = None if self._closed is None else (self._closed[0], _other(self._closed[1]))
        return twin

    # -- as a Python object --------------------------------------------------------------------------------------

    def copy(self) -> Self:
        """Return an independent game. Cheap: positions are immutable and shared."""
        twin = type(self).__new__(type(self))
        twin.rules = self.rules
        twin._start = self._start
        twin._settled = self._settled.copy()
        twin._moves = self._moves.copy()
        twin._offer = self._offer
        twin._offers_before = self._offers_before.copy()
        twin._closed = self._closed
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def _identity(self) -> tuple[object, ...]:
        return (self.rules, self._start, tuple(self._moves), self._closed, self._offer)

    def __eq__(self, other: object) -> bool:
        return self._identity() == other._identity() if isinstance(other, Game) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._identity())

    def __repr__(self) -> str:
        # A repr must round-trip.
        parts = [repr(self.rules.name if presets.known_by_name(self.rules) else self.rules)]
        if self._start != reference.start(self.rules):
            parts.append(f"start={positions.write(self.rules, self._start)!r}")
        if self._moves:
            parts.append(f"moves={' '.join(map(str, self._moves))!r}")
        if self.ended:
            parts.append(f"ended={self.ended!r}")
        if self._offer is not None:
            parts.append(f"offer={self._offer}")
        return f"Game({', '.join(parts)})"

    def __str__(self) -> str:
        from awale.draw.text import board_text

        return board_text(self)

    def _repr_svg_(self) -> str:
        from awale.draw.svg import board_svg

        return board_svg(self)

    def player_name(self, player: int, lang: str | None = None) -> str:
        """Return South or North, or J1 or J2, in a language of the catalogue."""
        return i18n.text(f"core.{player_key(self.rules, player)}", lang)


def random_game(rules: str | Rules, plies: int, chance: Random) -> Game:
    """Return a game of so many random moves, or one that ended before."""
    game = Game(rules)
    for _ in range(plies):
        if game.over:
            break
        game.push(chance.choice(game.legal_moves))
    return game


def _start_position(rules: Rules, start: str | Position | None) -> Position:
    if start is None:
        return reference.start(rules)
    if isinstance(start, Position):
        start = positions.write(rules, start)
    return positions.read(rules, start)


def _leader(scores: tuple[int, int]) -> int | None:
    south, north = scores
    return None if south == north else int(north > south)


def _outcome_of(settled: Settled) -> Outcome | None:
    scores = settled.position.scores
    return None if settled.reason is None else Outcome(_leader(scores), scores, settled.reason)


def _other(player: int | None) -> int | None:
    return None if player is None else 1 - player


def _player(player: int) -> int:
    if player not in (0, 1):
        raise GameStateError(i18n.message("core.state.no-such-player", player=repr(player)[:40]))
    return player


def _split_moves(rules: Rules, text: str) -> Iterator[str]:
    """Yield moves separated by spaces or commas; letters may also follow each other, as engines write (`FfEaCe`)."""
    for word in re.split(r"[\s,]+", text.strip()):
        if rules.notation.startswith("letters") and word.isalpha():
            yield from word
        elif word:
            yield word
