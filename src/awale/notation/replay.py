"""Playing through recorded games: is each move legal, what does it take, is the game over?

A file of a million games is read by this module, so it takes every short cut that cannot change the answer: a one-lap
move is sown here, from a table of landing pits, and everything unusual (a refused move, a game that ends, relays,
colours) is asked of `awale.rules.reference`. The tests hold it against `Game`, move by move, for every rule system.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from awale.errors import MoveError
from awale.game import Game, Outcome, read_ended
from awale.rules import moves as move_texts
from awale.rules import reference
from awale.rules.description import Rules
from awale.rules.moves import Move
from awale.rules.reference import Board, Position, Settled
from awale.rules.refusals import Refusal


@dataclass(slots=True, eq=False)
class Spot:
    """Where a game stands after a move, with the way back: a variation starts at `parent`, at no cost."""

    board: Board
    scores: tuple[int, int]
    turn: int
    ply: int
    parent: Spot | None = None
    taken: int = 0
    passed: bool = False
    reason: str | None = None
    swept: tuple[int, int] = (0, 0)

    @property
    def position(self) -> Position:
        return Position(self.board, self.scores, self.turn, self.ply)

    def positions_before(self) -> Iterator[Position]:
        """Yield the earlier positions, the latest first."""
        spot = self.parent
        while spot is not None:
            yield spot.position
            spot = spot.parent

    def outcome(self, ended: str | None = None) -> Outcome | None:
        """Return how the game ended, by the rules or by the players (`ended` as in `Game`)."""
        south, north = self.scores
        winner = None if south == north else int(north > south)
        if self.reason is not None:
            return Outcome(winner, self.scores, self.reason)  # type: ignore[arg-type]
        if ended is None:
            return None
        reason, loser = read_ended(ended)
        return Outcome(winner if loser is None else 1 - loser, self.scores, reason)


class Replay:
    """Plays recorded moves by one rule system. Make it with `for_rules`, which keeps the tables."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._table = move_texts.table(rules)
        self.moves = (self._texts(0), self._texts(1))
        """For each player, the move that a text names (either case)."""
        self._own = tuple({move: move for move in table.values()} for table in self.moves)
        self._quick = rules.sowing == "lap" and rules.capture == "chain"
        self._skip = rules.origin == "skipped"
        self._landings: dict[tuple[int, int], tuple[int, ...]] = {}
        # A move that leaves the opponent seeds is legal whatever these options are.
        self._slam_refused = rules.grand_slam in ("illegal", "illegal-unless-forced")
        self._slam_spared = rules.grand_slam == "takes-nothing"
        self._feeds = rules.feeding != "free"
        self._repeats = rules.repetition != "none"
        self._counts = frozenset(rules.capture_counts)
        self._usual: Spot | None = None

    def _texts(self, player: int) -> dict[str, Move]:
        names: dict[str, Move] = {}
        for move in self._table.values():
            if self.rules.owner(move.pit) == player:
                names[move.text.lower()] = names[move.text.upper()] = move
        return names

    # -- starting ------------------------------------------------------------------------------------------------

    def start(self, position: Position | None = None) -> Spot:
        """Return the first spot: the usual start or another one, its endings checked."""
        if position is not None:
            return self._spot(reference.settle(self.rules, position), None, 0)
        if self._usual is None:
            self._usual = self.start(reference.start(self.rules))
        return self._usual

    def _spot(self, settled: Settled, parent: Spot | None, taken: int) -> Spot:
        board, scores, turn, ply = settled.position
        return Spot(board, scores, turn, ply, parent, taken, settled.passed, settled.reason, settled.swept)

    # -- moves ---------------------------------------------------------------------------------------------------

    def read(self, spot: Spot, text: str) -> Move:
        """Return the legal move that a text names; raise the error that `Game` would."""
        return self.moves[spot.turn].get(text) or self._game(spot).parse(text)

    def _game(self, spot: Spot) -> Game:
        return Game(self.rules, start=spot.position)

    def refusal(self, spot: Spot, move: Move | str) -> Refusal:
        """Return why `play` refuses a move."""
        if spot.reason is not None:
            return Refusal("over", {})
        refusal = self._game(spot).refusal(move)
        assert refusal is not None, "Game allows what the replay refuses"
        return refusal

    def push(self, spot: Spot, text: str) -> tuple[Move, Spot]:
        """Read and play a move; raises `MoveError` with a sentence."""
        if spot.reason is not None:
            raise MoveError(self.refusal(spot, text))
        move = self.read(spot, text)
        after = self.play(spot, move)
        if after is None:
            raise MoveError(self.refusal(spot, move))
        return move, after

    def push_move(self, spot: Spot, move: Move) -> tuple[Move, Spot]:
        """Play any `Move`, its text filled in; raises `MoveError` with a sentence."""
        own = self._own[spot.turn].get(move)
        after = None if own is None else self.play(spot, own)
        if own is None or after is None:
            raise MoveError(self.refusal(spot, move))
        return own, after

    def play(self, spot: Spot, move: Move) -> Spot | None:
        """Return the spot after one of the mover's moves; None if it is illegal."""
        if spot.reason is not None:
            return None
        if self._quick:
            return self._play_lap(spot, move)
        position = spot.position
        if not _lifts(position.board, move):
            return None
        done = reference.step(self.rules, position, move)
        if done.sown.period is not None:
            if self.rules.endless == "illegal":
                return None
            return self._spot(Settled(position._replace(ply=position.ply + 1), "endless"), spot, 0)
        unfed = self.rules.sowing == "lap" and not self._fed(done.board, 1 - spot.turn)
        if unfed and move not in reference.legal_moves(self.rules, position):
            return None
        after = reference.after(self.rules, position, done)
        return self._settle(spot, after, done.taken)

    def _play_lap(self, spot: Spot, move: Move) -> Spot | None:
        before = spot.board
        pit = move.pit
        turn = spot.turn
        if not before[pit]:
            return None
        board, taken = self._sow(before, pit, turn)  # type: ignore[arg-type]
        k = self.rules.pits
        if not any(board[k:] if turn == 0 else board[:k]) and move not in reference.legal_moves(
            self.rules, spot.position
        ):
            return None
        south, north = spot.scores
        scores = spot.scores if not taken else (south + taken, north) if turn == 0 else (south, north + taken)
        return self._settle(spot, Position(tuple(board), scores, 1 - turn, spot.ply + 1), taken)

    def _sow(self, before: tuple[int, ...], pit: int, turn: int) -> tuple[list[int], int]:
        """Sow one lap and capture. Return the board and the seeds taken."""
        board = list(before)
        seeds = board[pit]
        landings = self._landings.get((pit, seeds)) or self._walk(pit, seeds)
        board[pit] = 0
        for hole in landings:
            board[hole] += 1
        hole = landings[-1]
        k = self.rules.pits
        low = 0 if turn else k
        if not low <= hole < low + k or board[hole] not in self._counts:
            return board, 0
        sown = board.copy()
        taken = 0
        while hole >= low and board[hole] in self._counts:
            taken += board[hole]
            board[hole] = 0
            hole -= 1
        if self._slam_spared and not any(board[low : low + k]):
            return sown, 0
        return board, taken

    def _walk(self, pit: int, seeds: int) -> tuple[int, ...]:
        ring = [0] * self.rules.holes
        ring[pit] = seeds
        found = tuple(reference.sow_lap(ring, pit, skip_origin=self._skip))
        self._landings[pit, seeds] = found
        return found

    def _fed(self, board: Board, player: int) -> bool:
        return reference.on_side(self.rules, board, player) > 0

    # -- endings -------------------------------------------------------------------------------------------------

    def _settle(self, parent: Spot, after: Position, taken: int) -> Spot:
        """Return the spot after a move. Where an ending is possible, the reference decides."""
        if self._may_end(parent, after):
            earlier = (parent.position, *parent.positions_before()) if self._repeats else ()
            return self._spot(reference.settle(self.rules, after, earlier), parent, taken)
        board, scores, turn, ply = after
        return Spot(board, scores, turn, ply, parent, taken)

    def _may_end(self, parent: Spot, after: Position) -> bool:
        """Whether anything but the next player's move can follow: an ending, or a pass."""
        rules = self.rules
        board, scores, turn, ply = after
        south, north = scores
        if rules.move_limit is not None and ply >= rules.move_limit:
            return True
        if scores != parent.scores:
            seeds = sum(reference.counts(board))
            goal = rules.win_score_for(seeds + south + north)
            if goal is not None and (south >= goal or north >= goal):
                return True
            if rules.few_seeds is not None and seeds <= rules.few_seeds:
                return True
        elif self._repeats:
            spot: Spot | None = parent
            while spot is not None and spot.scores == scores:
                if spot.board == board and spot.turn == turn:
                    return True
                spot = spot.parent
        return not self._can_move(after)

    def _can_move(self, position: Position) -> bool:
        """Whether the player to move certainly has a legal move. False only sends the question to the reference."""
        rules = self.rules
        board, turn = position.board, position.turn
        if rules.coloured:
            return self._fed(board, turn)
        k = rules.pits
        first, last = (k, 2 * k) if turn else (0, k)
        if not any(board[first:last]):
            return False
        if rules.sowing == "relay":
            if rules.endless == "ends":
                return True
            return any(
                board[pit] and reference.sow(rules, board, self._table[pit, None]).period is None
                for pit in range(first, last)
            )
        if not self._quick:
            return False
        opponent_fed = any(board[:k] if turn else board[k:])
        if not (self._slam_refused if opponent_fed else self._feeds):
            return True
        low = 0 if turn else k
        return any(
            board[pit] and any(self._sow(board, pit, turn)[0][low : low + k])  # type: ignore[arg-type]
            for pit in range(last - 1, first - 1, -1)
        )


def _lifts(board: Board, move: Move) -> bool:
    """Whether the move lifts at least one seed."""
    hole = board[move.pit]
    if isinstance(hole, int):
        return hole > 0
    if move.colour is None:
        return False
    return hole["rbt".index(move.colour[0])] > 0


@lru_cache(maxsize=64)
def for_rules(rules: Rules) -> Replay:
    """Return the replay of a rule system; a file of many games creates it once."""
    return Replay(rules)
