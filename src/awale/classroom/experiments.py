"""The comparisons of the three-colour report, for any rules and any evaluation.

- `depth`: positions looked at and time, by depth, for minimax, alpha-beta and a search with everything;
- `ordering`: what each improvement of alpha-beta saves (`awale.search.ablation`);
- `adaptive`: a fixed depth against one that grows as the board empties, from paired openings;
- `first-move`: the same player on both sides from many openings: is the first player favoured?

Each result says what was asked, holds its numbers as data, and can be stopped and taken up again: what is finished
lies in files of the folder that the experiment is given.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import accumulate, count, islice
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Literal

from awale import i18n
from awale.arena import openings as opening_room
from awale.arena import statistics
from awale.arena.games import Job, Played
from awale.arena.openings import Opening
from awale.arena.run import play_match, play_tournament
from awale.arena.schedule import MatchPlan, Tournament
from awale.arena.standings import Tally
from awale.errors import AwaleError
from awale.game import Game, random_game
from awale.json_lines import JsonLines
from awale.players import PlayerSpec, custom_evaluation
from awale.rules import load
from awale.rules.description import Rules

Kind = Literal["depth", "ordering", "adaptive", "first-move"]
KINDS: tuple[Kind, ...] = ("depth", "ordering", "adaptive", "first-move")
DEPTH_METHODS = ("minimax", "alphabeta", "deepening")
MOST_NODES = 4_000_000
"""A method is taken a level deeper while that is expected to cost no more positions than this, all samples together."""
MOST_PYTHON_NODES = 20_000
DEEPEST = 24
FORM = "awale-experiment-1"


class ExperimentError(AwaleError):
    """An experiment that cannot be made."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked. Numbers left at None get a default that answers within a minute or so."""

    kind: Kind
    rules: str
    evaluation: str | None = None
    games: int | None = None
    """Games, or positions for `depth` and `ordering`."""
    depths: tuple[int, ...] = ()
    seed: int = 1
    plies: int = 4

    def checked(self) -> tuple[Question, Rules]:
        """With every default filled in, and the rules."""
        rules = load(self.rules)
        evaluation = self.evaluation or ("corrected" if rules.coloured else "engine")
        python = evaluation.lower().endswith(".py")
        if python and self.kind == "ordering":
            raise ExperimentError(i18n.message("experiment.bad.python-ordering"))
        # A wrong evaluation is told before anything is played.
        PlayerSpec.parse(f"eval:{evaluation},1").make(rules).close()
        games = self.games or {"depth": 12, "ordering": 12, "adaptive": 40, "first-move": 100}[self.kind]
        if not 1 <= games <= 100_000:
            raise ExperimentError(i18n.message("experiment.bad.games"))
        defaults: dict[str, tuple[int, ...]] = {"adaptive": (3,), "first-move": (1, 2) if python else (2, 4)}
        depths = self.depths or defaults.get(self.kind, ())
        if any(not 1 <= depth <= DEEPEST for depth in depths):
            raise ExperimentError(i18n.message("experiment.bad.depth", most=DEEPEST))
        if self.plies % 2 or not 0 <= self.plies <= opening_room.MAX_PLIES:
            raise ExperimentError(i18n.message("experiment.bad.plies", most=opening_room.MAX_PLIES))
        return Question(self.kind, rules.name, evaluation, games, depths, self.seed, self.plies), rules

    @property
    def python(self) -> bool:
        return (self.evaluation or "").lower().endswith(".py")

    def as_data(self) -> dict[str, Any]:
        return json.loads(json.dumps(asdict(self)))  # type: ignore[no-any-return]


@dataclass(slots=True)
class Result:
    """What an experiment found: rows of numbers, and a few about the whole."""

    question: Question
    rows: list[dict[str, Any]] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)
    curves: dict[str, list[float]] = field(default_factory=dict)
    """Running scores, for the plots."""

    def as_data(self) -> dict[str, Any]:
        asked = self.question.as_data()
        return {"experiment": asked.pop("kind"), **asked, "results": self.rows, **self.facts}


Tell = Callable[[str, int, int], object]
"""Told what is being done, how much of it is done, and of how much."""


def run(
    question: Question,
    *,
    folder: str | Path | None = None,
    fresh: bool = False,
    concurrency: int | None = None,
    tell: Tell | None = None,
) -> Result:
    """Make an experiment. With a folder, what an earlier run of the same one left there is not done again."""
    asked, rules = question.checked()
    place = None if folder is None else Path(folder)
    if place is not None:
        _claim(place, asked, fresh)
    told: Tell = tell or (lambda what, done, total: None)
    if asked.kind in ("depth", "ordering"):
        return _measure(asked, rules, place, told)
    if asked.kind == "adaptive":
        return _adaptive(asked, rules, place, concurrency, told)
    return _first_move(asked, rules, place, concurrency, told)


def _claim(folder: Path, asked: Question, fresh: bool) -> None:
    """A folder belongs to one experiment: what lies there of another one is refused, or thrown away."""
    folder.mkdir(parents=True, exist_ok=True)
    head = folder / "question.json"
    mine = {"form": FORM, **asked.as_data()}
    if asked.evaluation is not None and Path(asked.evaluation).suffix:
        mine["file"] = PlayerSpec.parse(f"eval:{asked.evaluation}").fingerprint()
    if head.exists() and not fresh:
        try:
            found = json.loads(head.read_text(encoding="utf-8"))
        except ValueError:
            found = None
        if found != mine:
            raise ExperimentError(i18n.message("experiment.bad.folder", folder=folder))
        return
    for left in list(folder.glob("*.jsonl")):
        left.unlink()
    head.write_text(json.dumps(mine, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


# -- nodes and time ------------------------------------------------------------------------------------------------


def sample(rules: Rules, count: int, seed: int) -> list[Game]:
    """Different positions from all stages of random games, none of them over or with a single move."""
    chance = random.Random(f"experiment/{seed}")
    found: dict[object, Game] = {}
    for attempt in range(50 * count):
        game = random_game(rules, chance.randrange(2, 40), chance)
        # On the smallest boards hardly anything is left to choose from: any position will do then.
        if not game.over and (len(game.legal_moves) > 1 or attempt > 25 * count):
            found.setdefault((game.board, game.turn), game)
        if len(found) == count:
            break
    if not found:
        raise ExperimentError(i18n.message("experiment.bad.no-position", rules=rules.name))
    return list(found.values())


def _measure(asked: Question, rules: Rules, folder: Path | None, tell: Tell) -> Result:
    assert asked.evaluation is not None
    assert asked.games is not None
    games = sample(rules, asked.games, asked.seed)
    log = None if folder is None else JsonLines(folder / "measurements.jsonl")
    done = {} if log is None else {(entry["method"], entry["depth"], entry["position"]): entry for entry in log.entries}
    deepest = max(asked.depths) if asked.depths else DEEPEST
    search: Callable[[Game, str, int], dict[str, Any]]
    if asked.python:
        methods: Sequence[str] = ("python",)
        search = _python_search(asked.evaluation, rules)
        most = MOST_PYTHON_NODES
    else:
        from awale.search.ablation import METHODS, AblationSearch

        ablation = AblationSearch(rules, custom_evaluation.weights_of(asked.evaluation, rules))
        for method in METHODS:  # compile before any clock runs
            ablation.run(games[0], method, 1)

        def search(game: Game, method: str, depth: int) -> dict[str, Any]:
            work = ablation.run(game, method, depth)
            assert work is not None
            return {name: getattr(work, name) for name in ("nodes", "leaves", "cuts", "hits", "seconds", "value")}

        methods = DEPTH_METHODS if asked.kind == "depth" else tuple(METHODS)
        most = MOST_NODES
    result = Result(asked)
    for method in methods:
        before = 0
        for depth in range(1, deepest + 1):
            found = []
            for index, game in enumerate(games):
                entry = done.get((method, depth, index))
                if entry is None:
                    entry = {"method": method, "depth": depth, "position": index, **search(game, method, depth)}
                    if log is not None:
                        log.append(entry)
                found.append(entry)
                tell(f"{method} {depth}", index + 1, len(games))
            nodes = sum(entry["nodes"] for entry in found)
            result.rows.append(_row(method, depth, found, before))
            growth = nodes / before if before else nodes / len(games)
            # Every position solved to its end: deeper is the same.
            if nodes * max(growth, 1.5) > most or nodes == before:
                break
            before = nodes
    _savings(result)
    return result


def _python_search(evaluation: str, rules: Rules) -> Callable[[Game, str, int], dict[str, Any]]:
    import time

    def search(game: Game, method: str, depth: int) -> dict[str, Any]:
        player = PlayerSpec.parse(f"eval:{evaluation},{depth}").make(rules)
        try:
            began = time.perf_counter()
            choice = player.choose(game)
            seconds = time.perf_counter() - began
            return {"nodes": choice.nodes or 0, "seconds": seconds, "value": choice.value}
        finally:
            player.close()

    return search


def _row(method: str, depth: int, found: list[dict[str, Any]], before: int) -> dict[str, Any]:
    nodes = [entry["nodes"] for entry in found]
    seconds = sorted(entry["seconds"] for entry in found)
    whole = sum(seconds)
    return {
        "method": method,
        "depth": depth,
        "positions": len(found),
        "nodes": round(sum(nodes) / len(nodes), 1),
        "most_nodes": max(nodes),
        "seconds": round(whole / len(seconds), 6),
        "median_seconds": round(seconds[len(seconds) // 2], 6),
        "longest_seconds": round(seconds[-1], 6),
        "growth": round(sum(nodes) / before, 2) if before else None,
        "nodes_a_second": round(sum(nodes) / whole) if whole > 0 else None,
    }


def _savings(result: Result) -> None:
    """At the deepest level that all methods reached (and that alpha-beta reached), what each needs of the others."""
    methods = list(dict.fromkeys(row["method"] for row in result.rows))
    by = {(row["method"], row["depth"]): row for row in result.rows}
    deepest = {method: max(depth for name, depth in by if name == method) for method in methods}
    for row in result.rows:
        for base in ("minimax", "alphabeta"):
            against = by.get((base, row["depth"]))
            row[f"of_{base}"] = round(row["nodes"] / against["nodes"], 5) if against else None
    result.facts["deepest"] = deepest
    result.facts["common_depth"] = min(deepest.values())
    if "alphabeta" in deepest:
        result.facts["alphabeta_depth"] = deepest["alphabeta"]


# -- games ---------------------------------------------------------------------------------------------------------


def wilson(score: float, games: int) -> tuple[float, float]:
    """Where a score lies with 95 % certainty (Wilson's interval; a draw is half a win, which only narrows it).

    >>> [round(bound, 3) for bound in wilson(0.75, 100)]
    [0.657, 0.825]
    """
    if not games:
        return 0.0, 1.0
    z = statistics.NINETY_FIVE
    centre = (score + z * z / (2 * games)) / (1 + z * z / games)
    half = z * math.sqrt(score * (1 - score) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return max(0.0, centre - half), min(1.0, centre + half)


def sign_test(wins: int, losses: int) -> float:
    """How likely tossing a coin is at least this far from even, either way.

    >>> round(sign_test(9, 1), 4)
    0.0215
    """
    decided = wins + losses
    if not decided:
        return 1.0
    far = max(wins, losses)
    tail = sum(math.comb(decided, n) for n in range(far, decided + 1)) / 2**decided
    return float(min(1.0, 2 * tail))


def verdict(low: float, high: float) -> str:
    """What a 95 % interval of a score says."""
    return "more" if low > 0.5 else "less" if high < 0.5 else "open"


class FirstMove(Tournament):
    """One player on both sides, a game from each opening, the usual start first."""

    __slots__ = ("_starts",)

    _starts: list[Opening]

    def __init__(self, name: str, rules: Rules, games: int, plies: int, seed: int) -> None:
        self._starts = [Opening()]
        seen: set[object] = {_key(Game(rules))}
        for opening in islice(opening_room.drawn(rules, plies, seed), games):
            key = _key(opening.game(rules))
            if key in seen:
                break  # this board has no more of them
            seen.add(key)
            self._starts.append(opening)
        super().__init__((name, name), rules, len(self._starts), seed=seed, openings=f"plies={plies}")

    @property
    def openings_found(self) -> int:
        return len(self._starts) - 1

    def signature(self) -> dict[str, object]:
        return {**super().signature(), "first-move": True}

    def jobs(self) -> Iterator[Job]:
        return (self._job(number, number, (0, 1), opening) for number, opening in enumerate(self._starts))


def _key(game: Game) -> object:
    return game.board, game.turn, game.scores


def _first_move(asked: Question, rules: Rules, folder: Path | None, concurrency: int | None, tell: Tell) -> Result:
    assert asked.games is not None
    result = Result(asked)
    for depth in asked.depths:
        plan = FirstMove(f"eval:{asked.evaluation},{depth}", rules, asked.games, asked.plies, asked.seed)
        if not plan.openings_found:
            raise ExperimentError(i18n.message("experiment.bad.no-opening", rules=rules.name, plies=asked.plies))
        found = play_tournament(plan, **_options(f"first-move {depth}", depth, plan.total, folder, concurrency, tell))
        _refuse_faults(found.games)
        games = [game for game in found.games if game.number > 0]
        usual = found.games[0]
        told = {"winner": usual.winner, "scores": list(usual.scores), "moves": len(usual.moves)}
        result.rows.append({"depth": depth, **_tally(games), "from_start": told})
        result.curves[str(depth)] = _running_mean(game.score(0) for game in games)
    result.facts["verdict"] = result.rows[-1]["verdict"]
    return result


def _tally(games: list[Played]) -> dict[str, Any]:
    """The first player's games."""
    count = len(games)
    tally = Tally("")
    for game in games:
        tally.add(game, 0)
    margins = [game.scores[0] - game.scores[1] for game in games]
    error = statistics.NINETY_FIVE * (stdev(margins) if count > 1 else 0.0) / math.sqrt(count)
    return {
        **_scored(tally, *wilson(tally.score, count)),
        "chance": round(sign_test(tally.wins, tally.losses), 6),
        "margin": round(fmean(margins), 3),
        "margin_error": round(error, 3),
        "moves": round(sum(len(game.moves) for game in games) / count, 1),
        "seconds_a_move": round(
            sum(sum(game.seconds) for game in games) / max(1, sum(sum(game.chosen) for game in games)), 6
        ),
    }


def _scored(tally: Tally, low: float, high: float) -> dict[str, Any]:
    return {
        "games": tally.games,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "score": round(tally.score, 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "verdict": verdict(low, high),
    }


def _options(
    name: str, depth: int, total: int, folder: Path | None, concurrency: int | None, tell: Tell
) -> dict[str, Any]:
    """Return how the games of a depth are played: continued where their journal ends, each one told."""
    played = count(1)
    journal = None if folder is None else folder / f"games-{depth}.jsonl"

    def watch(standings: Any, game: Played) -> None:
        tell(name, next(played), total)

    return {"concurrency": concurrency, "journal": journal, "resume": journal is not None, "watch": watch}


def _running_mean(scores: Iterable[float]) -> list[float]:
    return [total / games for games, total in enumerate(accumulate(scores), 1)]


def _refuse_faults(games: Sequence[Played]) -> None:
    """A game that a player lost by breaking off says nothing about the game of awalé."""
    for game in games:
        if game.reason in ("crash", "illegal", "time"):
            raise ExperimentError(i18n.message("experiment.bad.fault", number=game.number + 1, problem=game.fault))


def _adaptive(asked: Question, rules: Rules, folder: Path | None, concurrency: int | None, tell: Tell) -> Result:
    assert asked.evaluation is not None
    assert asked.games is not None
    result = Result(asked)
    for depth in asked.depths:
        names = (f"eval:{asked.evaluation},adaptive{depth}", f"eval:{asked.evaluation},{depth}")
        plan = MatchPlan(*names, rules=rules, games=asked.games, seed=asked.seed, openings=f"plies={asked.plies}")
        found = play_match(plan, **_options(f"adaptive {depth}", depth, plan.total, folder, concurrency, tell))
        _refuse_faults(found.games)
        row = {"depth": depth, **_scored(found.tallies[0], *found.estimate.score_interval)}
        row["elo"] = [round(value, 1) for value in found.estimate[:3]]
        for side, tally in zip(("adaptive", "fixed"), found.tallies, strict=True):
            row[side] = {
                "seconds_a_move": round(tally.seconds / max(1, tally.moves), 6),
                "longest_seconds": round(tally.longest, 6),
                "nodes_a_move": round(tally.nodes / max(1, tally.moves), 1),
                "wins_as_first": tally.as_first[0],
                "seeds": round(tally.seeds / max(1, tally.games), 2),
            }
        result.rows.append(row)
        result.curves[str(depth)] = _running_mean(game.score(game.seats.index(0)) for game in found.games)
    result.facts["verdict"] = result.rows[-1]["verdict"]
    return result
