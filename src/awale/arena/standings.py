"""The standings of a match or a tournament, from the games alone: the same in any order of games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, astuple, dataclass, field
from typing import Any

from awale.arena import statistics
from awale.arena.games import Played
from awale.arena.schedule import MatchPlan, Tournament
from awale.arena.statistics import Estimate, Llr, Ranked


@dataclass(slots=True)
class Tally:
    """One player's results, seeds and time."""

    name: str
    wins: int = 0
    draws: int = 0
    losses: int = 0
    seeds: int = 0
    seeds_against: int = 0
    seconds: float = 0.0
    moves: int = 0
    longest: float = 0.0
    overruns: int = 0
    overrun: float = 0.0
    nodes: int = 0
    as_first: list[int] = field(default_factory=lambda: [0, 0, 0])
    """Wins, draws and losses when playing first."""
    faults: dict[str, int] = field(default_factory=dict)
    """Games lost by time, illegal moves or crashes."""

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def score(self) -> float:
        return self.points / self.games if self.games else 0.5

    def add(self, played: Played, side: int) -> None:
        result = 1 if played.winner is None else 0 if played.winner == side else 2
        self.wins += result == 0
        self.draws += result == 1
        self.losses += result == 2
        if side == 0:
            self.as_first[result] += 1
        self.seeds += played.scores[side]
        self.seeds_against += played.scores[1 - side]
        self.seconds += played.seconds[side]
        self.moves += played.chosen[side]
        self.longest = max(self.longest, played.longest[side])
        self.overruns += played.overruns[side]
        self.overrun = max(self.overrun, played.overrun[side])
        self.nodes += played.nodes[side]
        if result == 2 and played.reason in ("time", "illegal", "crash"):
            self.faults[played.reason] = self.faults.get(played.reason, 0) + 1

    def as_data(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "games": self.games,
            "points": self.points,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "as_first": dict(zip(("wins", "draws", "losses"), self.as_first, strict=True)),
            "seeds": self.seeds,
            "seeds_against": self.seeds_against,
            "time": {
                "seconds": round(self.seconds, 3),
                "moves": self.moves,
                "per_move": round(self.seconds / self.moves, 6) if self.moves else 0.0,
                "longest": round(self.longest, 6),
                "overruns": self.overruns,
                "worst_overrun": round(self.overrun, 6),
            },
            "nodes": self.nodes,
            "faults": dict(sorted(self.faults.items())),
        }


class TournamentResult:
    """The standings of a tournament after some of its games."""

    def __init__(self, plan: Tournament, played: Iterable[Played]) -> None:
        self.plan = plan
        self.games = sorted(played, key=lambda game: game.number)
        self.tallies = [Tally(name) for name in plan.players]
        size = len(plan.players)
        self.scores = [[0.0] * size for _ in range(size)]
        """`scores[a][b]`: the points of a against b."""
        self.met = [[0] * size for _ in range(size)]
        """`met[a][b]`: their games."""
        for game in self.games:
            for side, seat in enumerate(game.seats):
                other = game.seats[1 - side]
                self.tallies[seat].add(game, side)
                self.scores[seat][other] += game.score(side)
                self.met[seat][other] += 1
        self.ratings: list[Ranked] = statistics.ratings(self.scores)

    @property
    def complete(self) -> bool:
        """Return whether every game has been played."""
        return len(self.games) == self.plan.total

    @property
    def order(self) -> list[int]:
        """Return the players, the best first: by rating, which in a gauntlet is fairer than points."""
        return sorted(
            range(len(self.tallies)),
            key=lambda i: (-round(self.ratings[i].elo, 6), -self.tallies[i].points, -self.tallies[i].seeds, i),
        )

    def sonneborn_berger(self, player: int) -> float:
        """Return the points of those beaten, and half of those drawn with, weighted by the score against each."""
        return sum(
            self.scores[player][other] / self.met[player][other] * self.tallies[other].points
            for other in range(len(self.tallies))
            if self.met[player][other]
        )

    def as_data(self) -> dict[str, Any]:
        """Return the standings for JSON; only times differ between runs of the same games."""
        table = []
        for rank, player in enumerate(self.order, 1):
            rating = self.ratings[player]
            row = {"rank": rank, **self.tallies[player].as_data()}
            row["elo"], row["elo_error"] = round(rating.elo, 1), round(rating.error, 1)
            row["sonneborn_berger"] = round(self.sonneborn_berger(player), 3)
            table.append(row)
        return {
            **_head(self.plan, self.games),
            "standings": table,
            "cross_table": {
                name: {
                    other: {"points": self.scores[a][b], "games": self.met[a][b]}
                    for b, other in enumerate(self.plan.players)
                    if self.met[a][b]
                }
                for a, name in enumerate(self.plan.players)
            },
            "games": [_game_data(game, self.plan) for game in self.games],
        }


class MatchResult(TournamentResult):
    """The result of a match, for the first player."""

    plan: MatchPlan

    def __init__(self, plan: MatchPlan, played: Iterable[Played]) -> None:
        super().__init__(plan, played)
        first = self.tallies[0]
        self.wins, self.draws, self.losses = first.wins, first.draws, first.losses
        self.pentanomial = pentanomial(self.games)
        """Pairs of games by the first player's points: 0, a half, 1, one and a half, 2."""
        self.estimate: Estimate = statistics.estimate(self.pentanomial, unpaired(self.games))
        test = plan.sprt
        self.sprt: Llr | None = None
        if test is not None:
            self.sprt = statistics.sprt(self.pentanomial, *astuple(test))

    @property
    def complete(self) -> bool:
        """Return whether every game has been played, or the test is decided."""
        return super().complete or (self.sprt is not None and self.sprt.verdict is not None)

    def as_data(self) -> dict[str, Any]:
        """Return the result for JSON."""
        found = self.estimate
        test = self.plan.sprt
        data: dict[str, Any] = {
            **_head(self.plan, self.games),
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "score": round(self.tallies[0].score, 6),
            "elo": round(found.elo, 2),
            "elo_low": round(found.low, 2),
            "elo_high": round(found.high, 2),
            "los": round(found.los, 6),
            "pentanomial": list(self.pentanomial),
            "sprt": None,
            "results": [tally.as_data() for tally in self.tallies],
            "games": [_game_data(game, self.plan) for game in self.games],
        }
        if test is not None and self.sprt is not None:
            ratio = {name: round(value, 4) for name, value in self.sprt._asdict().items()}
            data["sprt"] = {**asdict(test), **ratio, "verdict": self.sprt.verdict}
        return data


def pentanomial(games: Iterable[Played], first: int = 0) -> tuple[int, int, int, int, int]:
    """Return the counts of complete pairs by a player's points."""
    counts = Counter(round(2 * sum(points)) for points in _points(games, first) if len(points) == 2)
    return counts[0], counts[1], counts[2], counts[3], counts[4]


def unpaired(games: Iterable[Played], first: int = 0) -> tuple[int, int, int]:
    """Return the games that a player lost, drew and won of pairs whose other game has not been played."""
    counts = Counter(round(2 * sum(points)) for points in _points(games, first) if len(points) == 1)
    return counts[0], counts[1], counts[2]


def _points(games: Iterable[Played], first: int) -> Iterable[list[float]]:
    pairs: dict[int, list[float]] = {}
    for game in games:
        pairs.setdefault(game.pair, []).append(game.score(game.seats.index(first)))
    return pairs.values()


class Decision:
    """After how many pairs a match's SPRT decides, if it does.

    Pairs count in order of number, not of finishing: the verdict does not depend on the speed of workers.
    """

    def __init__(self, plan: Tournament) -> None:
        self._test = plan.sprt
        self._pairs = plan.total // 2
        self._counts = [0] * 5
        self._next = 0
        self.after: int | None = None
        """The number of pairs; None while it is not decided, or without a test."""

    def look(self, done: Mapping[int, Played]) -> bool:
        """Count the pairs complete by now; return whether the test is decided."""
        test = self._test
        while test is not None and self.after is None and self._next < self._pairs:
            first, second = done.get(2 * self._next), done.get(2 * self._next + 1)
            if first is None or second is None:
                break
            points = sum(game.score(game.seats.index(0)) for game in (first, second))
            self._counts[round(2 * points)] += 1
            self._next += 1
            if statistics.sprt(self._counts, *astuple(test)).verdict is not None:
                self.after = self._next
        return self.after is not None


def _head(plan: Tournament, games: list[Played]) -> dict[str, Any]:
    return {
        "rules": plan.rule_system.name,
        "players": list(plan.players),
        "openings": plan.openings,
        "control": str(plan.control or ""),
        "seed": plan.seed,
        "planned": plan.total,
        "played": len(games),
    }


def _game_data(game: Played, plan: Tournament) -> dict[str, Any]:
    south, north = (plan.players[seat] for seat in game.seats)
    data = game.as_data()
    del data["seats"]
    return {"number": game.number, "pair": game.pair, "south": south, "north": north, **data}
