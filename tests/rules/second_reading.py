"""A second reading of the rules, kept apart from the library on purpose.

This file was written from the text of the rules alone. It shares nothing with ``awale.rules``: no import, no
option, no way of storing things (pits are a plain list here, a move is a plain ``(pit, colour)`` pair, every
preset is a branch in the code). Two people who misread a sentence rarely misread it the same way, so a thousand
random games played alike by both are worth more than any number of examples.

Speed and generality are not sought. To change a rule, read the text again and change this file by hand.
"""

from __future__ import annotations

ONE_LAP = ("casabianca", "upsti", "wikipedia", "abapa", "awari")
RELAY = ("ghana", "ghana-basic", "ghana4", "parrains")
TRICOLOR = ("tricolor", "tricolor-2025")
PRESETS = ONE_LAP + RELAY + TRICOLOR

RED, BLUE, TRANSPARENT = 0, 1, 2

Key = tuple[int, str | None]  # (pit counted from 0, None or "r", "b", "tr", "tb")


class SecondReading:
    """One game of one preset, from the first move to the last."""

    def __init__(self, preset: str) -> None:
        if preset not in PRESETS:
            raise ValueError(f"no second reading of {preset!r}")
        self.preset = preset
        self.scores = [0, 0]
        self.turn = 0
        self.moves_played = 0
        self.over = False
        self._found: list[Key] | None = None  # the legal moves, once somebody asked
        if preset in TRICOLOR:
            self.pits = 16
            self.holes = [[2, 2, 2] for _ in range(16)]
        else:
            self.pits = 4 if preset == "ghana4" else 12
            self.board = [4] * self.pits
        self.total = 96 if preset in TRICOLOR else 4 * self.pits
        # Boards seen with the player to move, since the last capture ("abapa" and "awari" only look at it).
        self.seen = {self._position()}

    # --- what can be compared with the library -------------------------------------------------------------

    @property
    def position_board(self) -> tuple[int, ...] | tuple[tuple[int, ...], ...]:
        if self.preset in TRICOLOR:
            return tuple(tuple(hole) for hole in self.holes)
        return tuple(self.board)

    @property
    def winner(self) -> int | None:
        if self.scores[0] == self.scores[1]:
            return None
        return 0 if self.scores[0] > self.scores[1] else 1

    def legal(self) -> list[Key]:
        """Every move of the player to move, in pit order; none once the game is over."""
        if self.over:
            return []
        if self._found is None:
            self._found = self._moves_of(self.turn)
        return self._found

    def play(self, key: Key) -> None:
        self._found = None
        if self.preset in TRICOLOR:
            self._play_tricolor(key)
        elif self.preset in RELAY:
            self._play_relay(key[0])
        else:
            self._play_one_lap(key[0])

    # --- shared by the one-colour games --------------------------------------------------------------------

    def _position(self) -> tuple[object, int]:
        return (self.position_board, self.turn)

    def _side(self, player: int) -> range:
        half = self.pits // 2
        return range(half) if player == 0 else range(half, self.pits)

    def _seeds_of(self, player: int, board: list[int]) -> int:
        return sum(board[pit] for pit in self._side(player))

    def _moves_of(self, player: int) -> list[Key]:
        if self.preset in TRICOLOR:
            return self._tricolor_moves(player)
        filled = [pit for pit in self._side(player) if self.board[pit] > 0]
        if self.preset == "ghana-basic":
            chosen = filled
        elif self.preset in RELAY:
            chosen = [pit for pit in filled if self._relay(pit) is not None]
        else:
            chosen = self._one_lap_moves(player, filled)
        return [(pit, None) for pit in chosen]

    def _each_takes_his_side(self) -> None:
        for player in (0, 1):
            self.scores[player] += self._seeds_of(player, self.board)
            for pit in self._side(player):
                self.board[pit] = 0

    def _takes_the_rest(self, player: int) -> None:
        self.scores[player] += sum(self.board)
        self.board = [0] * self.pits

    # --- one lap, 2-3 chain --------------------------------------------------------------------------------

    def _lap(self, player: int, pit: int) -> tuple[list[int], int, bool]:
        """The board after sowing and the chain, the seeds taken, and whether the opponent is left with none."""
        board = list(self.board)
        in_hand = board[pit]
        board[pit] = 0
        at = pit
        while in_hand > 0:
            at = (at + 1) % self.pits
            if at == pit:
                continue
            board[at] += 1
            in_hand -= 1
        sown = list(board)
        taken = 0
        theirs = self._side(1 - player)
        while at in theirs and board[at] in (2, 3):
            taken += board[at]
            board[at] = 0
            at -= 1
        starved = self._seeds_of(1 - player, board) == 0
        if starved and taken > 0 and self.preset in ("wikipedia", "abapa"):
            # Grand slam: the move stands, nothing is taken.
            return sown, 0, False
        return board, taken, starved

    def _one_lap_moves(self, player: int, filled: list[int]) -> list[int]:
        kind = [pit for pit in filled if not self._lap(player, pit)[2]]
        if self.preset == "awari" and not kind:
            return filled
        return kind

    def _play_one_lap(self, pit: int) -> None:
        mover = self.turn
        self.board, taken, _ = self._lap(mover, pit)
        self.scores[mover] += taken
        self.moves_played += 1
        self.turn = 1 - mover
        if taken:
            self.seen = set()
        repeated = self._position() in self.seen
        self.seen.add(self._position())
        best = max(self.scores)
        left = sum(self.board)
        stuck = not self.legal()

        if self.preset == "casabianca":
            self.over = stuck
        elif self.preset == "upsti":
            if best >= 25 or self.moves_played >= 100 or left <= 3 or stuck:
                self.over = True
                self._each_takes_his_side()
        elif self.preset == "wikipedia":
            if best >= 26 or left <= 5:
                self.over = True
            elif stuck:
                self.over = True
                self._takes_the_rest(self.turn)
        elif self.preset == "abapa":
            if best >= 25:
                self.over = True
            elif repeated or stuck:
                self.over = True
                self._each_takes_his_side()
        elif self.preset == "awari":
            if best > self.total // 2 or repeated:
                self.over = True
            elif stuck:
                self.over = True
                self._takes_the_rest(mover)

    # --- relay ---------------------------------------------------------------------------------------------

    def _relay(self, pit: int) -> tuple[list[int], int] | None:
        """The board where the sowing stops, and the pit of the last seed; None if it never stops."""
        board = list(self.board)
        at = pit
        while True:
            in_hand = board[at]
            board[at] = 0
            for _ in range(in_hand):
                at = (at + 1) % self.pits
                board[at] += 1
            if board[at] == 1:
                return board, at
            if self.preset == "parrains" and at not in self._side(self.turn):
                # "si il finit sur une case adverse, c'est au tour de l'autre"
                return board, at
            if at == pit and board == self.board:
                return None

    def _play_relay(self, pit: int) -> None:
        mover = self.turn
        self.moves_played += 1
        stopped = self._relay(pit)
        if stopped is None:  # only "ghana-basic" lets it happen
            self.over = True
            return
        self.board, last = stopped
        if last in self._side(mover):
            facing = self.pits - 1 - last
            self.scores[mover] += self.board[facing]
            self.board[facing] = 0
        if sum(self.board) == 1:
            self._takes_the_rest(mover)
            self.over = True
            return
        if max(self.scores) > self.total // 2:
            self.over = True
            return
        if self._seeds_of(1 - mover, self.board) > 0:
            self.turn = 1 - mover
        self.over = not self.legal()

    # --- three colours -------------------------------------------------------------------------------------

    def _owner(self, pit: int) -> int:
        return pit % 2  # hole 1 is pit 0: odd holes are player 0's

    def _tricolor_moves(self, player: int) -> list[Key]:
        found: list[Key] = []
        for pit, (red, blue, transparent) in enumerate(self.holes):
            if self._owner(pit) != player:
                continue
            if red:
                found.append((pit, "r"))
            if blue:
                found.append((pit, "b"))
            if transparent:
                found.append((pit, "tr"))
                found.append((pit, "tb"))
        return found

    def _play_tricolor(self, key: Key) -> None:
        pit, how = key
        mover = self.turn
        assert how is not None
        colour = RED if how.endswith("r") else BLUE
        hand = []
        if how.startswith("t"):
            hand += [TRANSPARENT] * self.holes[pit][TRANSPARENT]
            self.holes[pit][TRANSPARENT] = 0
        hand += [colour] * self.holes[pit][colour]
        self.holes[pit][colour] = 0
        at = pit
        for seed in hand:
            at = (at + 1) % 16
            while at == pit or (colour == BLUE and self._owner(at) == mover):
                at = (at + 1) % 16
            self.holes[at][seed] += 1
        while sum(self.holes[at]) in (2, 3):
            self.scores[mover] += sum(self.holes[at])
            self.holes[at] = [0, 0, 0]
            at = (at - 1) % 16
        self.moves_played += 1

        left = sum(sum(hole) for hole in self.holes)
        if max(self.scores) >= 49 or left < 10 or self.moves_played >= 400:
            self.over = True
        elif self._tricolor_moves(1 - mover):
            self.turn = 1 - mover
        elif self.preset == "tricolor":
            self.scores[mover] += left
            self.holes = [[0, 0, 0] for _ in range(16)]
            self.over = True
