"""A match or a tournament as data, and the games that follow from it deterministically."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import asdict, astuple, dataclass, field
from itertools import combinations, cycle, islice
from pathlib import Path
from typing import Any

from awale import i18n, players
from awale.arena import openings as opening_room
from awale.arena.adjudication import Adjudication, read_settings
from awale.arena.errors import ArenaError
from awale.arena.games import MAX_PLIES, Job
from awale.arena.openings import Opening
from awale.match import TimeControl
from awale.players import Player
from awale.rules import load, presets
from awale.rules.description import Rules

MAX_GAMES = 1_000_000
MAX_PLAYERS = 200
RANDOM_PLIES = 4
"""The random moves of an opening, for rules without balanced ones."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential probability ratio test of two hypotheses: A is `elo0` better than B, or `elo1`."""

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (-1000 < self.elo0 < self.elo1 < 1000 and 0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ArenaError(i18n.message("arena.bad.sprt-values"))

    @classmethod
    def read(cls, text: str) -> Sprt:
        """Parse a test as on the command line: `elo0=0 elo1=10 alpha=0.05 beta=0.05`, each of them optional.

        >>> Sprt.read("elo0=-5 elo1=5").elo0
        -5.0
        """
        return cls(**read_settings(text, "sprt", r"(elo0|elo1|alpha|beta)=(-?[0-9]{1,4}(?:\.[0-9]{1,6})?)"))


@dataclass(slots=True)
class Tournament:
    """A round robin, or (`gauntlet`) the first player against all others.

    Players are given by name, or as objects with a method `choose`, which play in this process.
    """

    players: tuple[str, ...]
    rules: str | Rules = "abapa"
    games: int = 2
    """Per pairing; an opening is played twice, sides swapped."""
    control: TimeControl | None = None
    openings: str = opening_room.BALANCED
    """`balanced` for those of the package (random ones for rules of which it has none), `plies=N` for random moves, or
    a file."""
    gauntlet: bool = False
    seed: int = 1
    max_plies: int = MAX_PLIES
    adjudication: Adjudication | None = None
    second_control: TimeControl | None = None
    """The time control of the second player of a match, where it is another."""
    sprt: Sprt | None = None
    """The test that may stop a match early; a tournament has none."""
    objects: dict[str, Player] = field(init=False, default_factory=dict, repr=False)
    """The players given as objects, by name."""

    def __post_init__(self) -> None:
        self.rules = load(self.rules)
        self.players = tuple(
            player.strip() if isinstance(player, str) else self._own(player) for player in self.players
        )
        if not 2 <= len(self.players) <= MAX_PLAYERS:
            raise ArenaError(i18n.message("arena.bad.players", most=MAX_PLAYERS))
        if not 1 <= self.games <= MAX_GAMES:
            raise ArenaError(i18n.message("arena.bad.games", most=i18n.number(MAX_GAMES)))
        if self.openings == opening_room.BALANCED and not opening_room.shipped(self.rule_system):
            self.openings = f"plies={RANDOM_PLIES}"
        _plies(self.openings)

    def _own(self, player: Player) -> str:
        """Note a player given as an object, and return the name."""
        name = f"{player.name} {len(self.objects) + 1}" if player.name in self.objects else player.name
        self.objects[name] = player
        return name

    @property
    def rule_system(self) -> Rules:
        """Return the rules by their name."""
        return presets.get(self.rules)

    @property
    def pairings(self) -> list[tuple[int, int]]:
        """Return the pairings."""
        if self.gauntlet:
            return [(0, other) for other in range(1, len(self.players))]
        return list(combinations(range(len(self.players)), 2))

    @property
    def total(self) -> int:
        """Return the number of games."""
        return self.games * len(self.pairings)

    def signature(self) -> dict[str, object]:
        """Return what identifies this match: the journal of another one cannot be continued."""
        rules = self.rule_system
        options = json.dumps(rules.options(), sort_keys=True, default=list)
        opening = self.openings
        if _plies(opening) is None:
            file = opening_room.shipped_file(rules) if opening == opening_room.BALANCED else Path(opening)
            opening = hashlib.sha256(file.read_bytes()).hexdigest()
        # A custom evaluation may change under the same name.
        named = [name for name in self.players if name not in self.objects]
        read = {name: players.PlayerSpec.parse(name).fingerprint() for name in named}
        return {
            "players": list(self.players),
            **({"files": used} if (used := {name: print_ for name, print_ in read.items() if print_}) else {}),
            "rules": rules.name,
            "options": hashlib.sha256(options.encode()).hexdigest(),
            "games": self.games,
            "control": None if self.control is None else [str(self.control), self.control.margin],
            "openings": opening,
            "gauntlet": self.gauntlet,
            "seed": self.seed,
            "max_plies": self.max_plies,
            **({} if self.adjudication is None else {"adjudication": asdict(self.adjudication)}),
            **({} if self.second_control is None else {"second_control": str(self.second_control)}),
        }

    def openings_text(self, lang: str | None = None) -> str:
        """Return where the games start, for people."""
        plies = _plies(self.openings)
        if plies is not None:
            return i18n.text("arena.table.from-random", lang, plies=plies)
        kind = "balanced" if self.openings == opening_room.BALANCED else "file"
        return i18n.text(f"arena.table.from-{kind}", lang, file=self.openings)

    def jobs(self) -> Iterator[Job]:
        """Yield all games in order, round after round, so that partial results cover all players."""
        number = pair = 0
        for turn, opening in enumerate(islice(self._openings(), (self.games + 1) // 2)):
            for a, b in self.pairings:
                # The first player alternates between rounds, so that an odd number of games favours nobody.
                seats = (a, b) if turn % 2 == 0 else (b, a)
                for ordered in (seats, seats[::-1])[: self.games - 2 * turn]:
                    yield self._job(number, pair, ordered, opening)
                    number += 1
                pair += 1

    def _job(self, number: int, pair: int, seats: tuple[int, int], opening: Opening) -> Job:
        south, north = (self.players[seat] for seat in seats)
        return Job(
            number=number,
            pair=pair,
            seats=seats,
            names=(south, north),
            rules=self.rule_system,
            start=opening.start,
            opening=opening.moves,
            seed=self.seed,
            control=self._control(seats[0]),
            north_control=self._control(seats[1]),
            adjudication=self.adjudication,
            max_plies=self.max_plies,
            objects=(self.objects.get(south), self.objects.get(north)),
        )

    def _control(self, player: int) -> TimeControl | None:
        return self.second_control if player == 1 and self.second_control is not None else self.control

    def _openings(self) -> Iterator[Opening]:
        rules, plies = self.rule_system, _plies(self.openings)
        if plies is not None:
            return opening_room.drawn(rules, plies, self.seed)
        if self.openings == opening_room.BALANCED:
            return opening_room.in_turn(opening_room.shipped(rules), rules, self.seed)
        return cycle(opening_room.from_file(self.openings, rules))


def _plies(text: str) -> int | None:
    """Return the N of `plies=N`; None for the name of a file."""
    found = re.fullmatch(r"\s*plies\s*=(.*)", text)
    if found is None:
        return None
    plies = found[1].strip()
    if not re.fullmatch(r"[0-9]{1,3}", plies) or int(plies) > opening_room.MAX_PLIES:
        raise ArenaError(i18n.message("arena.bad.plies", most=opening_room.MAX_PLIES, plies=plies[:20]))
    return int(plies)


class MatchPlan(Tournament):
    """Two players, an even number of games."""

    def __init__(
        self,
        first: str | Player,
        second: str | Player,
        rules: str | Rules = "abapa",
        games: int = 100,
        *,
        control: TimeControl | None = None,
        openings: str = opening_room.BALANCED,
        sprt: Sprt | None = None,
        seed: int = 1,
        max_plies: int = MAX_PLIES,
        adjudication: Adjudication | None = None,
        second_control: TimeControl | None = None,
    ) -> None:
        if second_control is not None and control is None:
            raise ArenaError(i18n.message("arena.bad.one-clock"))
        entrants: Any = (first, second)
        settings = (control, openings, False, seed, max_plies, adjudication, second_control, sprt)
        super().__init__(entrants, rules, games + games % 2, *settings)

    def signature(self) -> dict[str, object]:
        return {**super().signature(), "sprt": None if self.sprt is None else list(astuple(self.sprt))}
