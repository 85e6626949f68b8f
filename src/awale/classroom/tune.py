"""`awale tune`: weights for named features, fitted to self-play, and a match that says how strong they are.

Each round plays games with the weights of the round before it (the first with captured seeds alone), from random
openings and now and then with a random move. Some positions are kept with the value that a deeper search gives them;
least squares finds the weights that come nearest to those values at first sight. A tenth of the games is held out and
says how near. Then the evaluation plays a match from openings that no game of the training started from.

All of it is kept in a work file, a line for each game: stopped at any moment, the same command goes
on. A game depends on the settings, the round and its number alone, so however often it was stopped and however many
threads played, the weights are the same.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from awale import i18n
from awale.classroom.fitting import Fit, Sample, default_features, fit
from awale.errors import AwaleError
from awale.game import Game
from awale.json_lines import JsonLines
from awale.kernels.convert import pack_position, pack_rules, unpack_position
from awale.players import evaluation_files
from awale.rules import load, positions, reference
from awale.rules.description import Rules
from awale.search import core
from awale.search.engine import SearchEngine, new_transposition_table
from awale.search.linear import Weighing, names_for
from awale.search.selfplay import collect_game
from awale.search.states import FIELDS
from awale.search.tableprobe import NO_TABLES

FORM = "awale-tune-1"
ROOM = 400
"""Positions kept of one game, at most."""
FARTHEST = 25.0
"""A value farther from even says nothing about the board."""
HELD_OUT = 10
"""Every tenth game."""


class TuneError(AwaleError):
    """A tuning that cannot be done."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What decides the weights."""

    rules: str
    features: tuple[str, ...] = ()
    """All that the rules have if empty."""
    games: int = 200
    """All rounds together."""
    rounds: int = 2
    play_depth: int = 4
    label_depth: int = 6
    seed: int = 1
    tapered: bool = True
    sided: bool = True

    def checked(self) -> tuple[Settings, Rules]:
        """With every default filled in, and the rules themselves."""
        rules = load(self.rules)
        known = names_for(rules)
        features = self.features or default_features(rules)
        for name in features:
            if name not in known:
                raise TuneError(
                    i18n.message("tune.bad.feature", feature=name[:40], rules=rules.name, known=", ".join(known))
                )
        if not set(features) - {"captured"}:
            raise TuneError(i18n.message("tune.bad.no-feature"))
        if not 1 <= self.rounds <= 20 or not 2 * self.rounds <= self.games <= 1_000_000:
            raise TuneError(i18n.message("tune.bad.games", least=2 * self.rounds))
        if not (1 <= self.play_depth <= 20 and 1 <= self.label_depth <= 20):
            raise TuneError(i18n.message("tune.bad.depth"))
        ordered = ("captured", *(name for name in known if name in features and name != "captured"))
        changed = {**asdict(self), "features": ordered, "rules": rules.name}
        return Settings(**changed), rules


@dataclass(frozen=True, slots=True)
class Step:
    """How far it is: self-play of a round, or games of the match."""

    stage: str
    round: int
    done: int
    total: int
    positions: int = 0


@dataclass(slots=True)
class Tuned:
    """What came out."""

    settings: Settings
    weighing: Weighing
    fits: list[Fit]
    positions: int
    made: dict[str, Any] = field(default_factory=dict)

    def text(self, description: str = "") -> str:
        """The evaluation file."""
        return evaluation_files.write(self.weighing, rules=self.settings.rules, description=description, made=self.made)


@dataclass(frozen=True, slots=True)
class _Game:
    """One game of self-play as the work file has it."""

    round: int
    number: int
    margin: int
    kept: tuple[tuple[str, int], ...]


class WorkFile(JsonLines):
    """Games finished so far."""

    def __init__(self, path: Path, settings: Settings, *, fresh: bool) -> None:
        def refusal(what: str) -> TuneError:
            key = "work" if what == "form" else "other-work"
            return TuneError(i18n.message(f"tune.bad.{key}", file=path, what=what))

        super().__init__(path, {"form": FORM, **asdict(settings)}, refusal, fresh=fresh)
        self.games: dict[tuple[int, int], _Game] = {}
        for entry in self.entries:
            kept = tuple((str(text), int(value)) for text, value in entry["kept"])
            game = _Game(entry["round"], entry["number"], entry["margin"], kept)
            self.games[game.round, game.number] = game

    def add(self, game: _Game) -> None:
        self.games[game.round, game.number] = game
        self.append(asdict(game))


class _Player:
    """One thread's memory for self-play."""

    def __init__(self, rules: Rules, weights: NDArray[np.int64], settings: Settings) -> None:
        self.rules, self.settings = rules, settings
        self.weights = weights
        self.k = pack_rules(rules)
        self.start = pack_position(rules, reference.start(rules))
        self.setup = SearchEngine(rules, hash_mb=1)._setup(Game(rules), fixed=True)
        self.tt = new_transposition_table(8)
        self.rows = np.zeros((ROOM, FIELDS), np.int64)
        self.labels = np.zeros(ROOM, np.int64)

    def play(self, round_: int, number: int) -> _Game:
        """Nothing is left from the game before, so that a game is the same whoever plays it."""
        chance = random.Random(f"{self.settings.seed}/{round_}/{number}").getrandbits(62) | 1
        self.tt[:] = 0
        control = np.zeros(core.CONTROL, np.int64)
        control[core.NODE_LIMIT] = 1 << 60
        scratch = core.new_scratch(np.zeros((0, 2), np.int64))
        context = core.Context(self.k, self.setup, self.weights, NO_TABLES, self.tt, scratch, control)
        depths = self.settings.play_depth, self.settings.label_depth
        random_state = np.array([chance], np.int64)
        kept, _, margin = collect_game(context, self.start, random_state, *depths, self.rows, self.labels, 0, 1)
        family = type(self.start)
        found = []
        for row in range(kept):
            state = family(*(int(word) for word in self.rows[row, : len(family._fields)]))
            text = positions.write(self.rules, unpack_position(self.rules, state))
            found.append((text, int(self.labels[row])))
        return _Game(round_, number, int(margin), tuple(found))


Tell = Callable[[Step], object]


def tune(
    settings: Settings, work: str | os.PathLike[str], *, threads: int = 1, fresh: bool = False, tell: Tell | None = None
) -> Tuned:
    """Fit weights; the games are kept in the file `work`, and taken from it if they are there."""
    settings, rules = settings.checked()
    file = WorkFile(Path(work), settings, fresh=fresh)
    weighing = Weighing.of(captured=1)
    fits = []
    for round_ in range(1, settings.rounds + 1):
        for step in _round(settings, rules, weighing, round_, threads, file):
            if tell is not None:
                tell(step)
        samples, held = _samples(rules, file, round_)
        if not samples:
            raise TuneError(i18n.message("tune.bad.no-positions"))
        found = fit(rules, samples, held, settings.features, tapered=settings.tapered, sided=settings.sided)
        fits.append(found)
        weighing = found.weighing
    return Tuned(settings, weighing, fits, sum(len(game.kept) for game in file.games.values()))


def games_of_round(settings: Settings, round_: int) -> int:
    """The games of a round: the last round, whose weights stay, gets half of them."""
    if settings.rounds == 1:
        return settings.games
    earlier = settings.games // 2 // (settings.rounds - 1)
    return earlier if round_ < settings.rounds else settings.games - earlier * (settings.rounds - 1)


def _round(
    settings: Settings, rules: Rules, weighing: Weighing, round_: int, threads: int, file: WorkFile
) -> Iterator[Step]:
    total = games_of_round(settings, round_)
    waiting = [number for number in range(total) if (round_, number) not in file.games]

    def step() -> Step:
        mine = [game for game in file.games.values() if game.round == round_]
        return Step("play", round_, len(mine), total, sum(len(game.kept) for game in file.games.values()))

    yield step()
    if not waiting:
        return
    players = [_Player(rules, weighing.array(rules), settings) for _ in range(max(1, threads))]
    with ThreadPoolExecutor(len(players), thread_name_prefix="awale-tune") as pool:
        running: dict[Future[_Game], _Player] = {}
        try:
            while waiting or running:
                while waiting and players:
                    player = players.pop()
                    running[pool.submit(player.play, round_, waiting.pop(0))] = player
                done, _ = wait(running, timeout=0.5, return_when=FIRST_COMPLETED)
                for future in done:
                    players.append(running.pop(future))
                    file.add(future.result())
                    yield step()
        finally:
            for future in running:
                future.cancel()


def _samples(rules: Rules, file: WorkFile, round_: int) -> tuple[list[Sample], list[Sample]]:
    """The positions of a round's games to learn from, and those held out."""
    learnt: list[Sample] = []
    held: list[Sample] = []
    for _, game in sorted(file.games.items()):
        if game.round == round_:
            into = held if game.number % HELD_OUT == 0 else learnt
            for text, label in game.kept:
                value = max(-FARTHEST, min(FARTHEST, label / 100))
                into.append(Sample(positions.read(rules, text), value))
    return learnt, held


def digest(data: bytes) -> str:
    """A short name for some data."""
    return hashlib.sha256(data).hexdigest()[:12]


def work_file(out: Path, settings: Settings) -> Path:
    """The work file beside a result. Its name has the settings: what another tuning left behind is in nobody's way."""
    return out.with_name(f"{out.name}.{digest(json.dumps(asdict(settings)).encode())}.work")


# -- how strong it is ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Strength:
    """A match of the new evaluation from openings that it was not trained on."""

    against: str
    depth: int
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    interval: tuple[float, float]
    """The 95% credible interval of the score."""
    elo: tuple[float, float, float]
    """The difference in Elo with its 95% credible interval."""

    def as_data(self) -> dict[str, Any]:
        interval, elo = [round(bound, 4) for bound in self.interval], [round(value, 1) for value in self.elo]
        return {**asdict(self), "score": round(self.score, 4), "interval": interval, "elo": elo}


def opponent_for(rules: Rules, depth: int) -> str:
    """Whom an evaluation meets when nobody is named: somebody who looks as far. (The report's player looks 6 moves
    ahead and no other number.)"""
    if rules.coloured:
        return "report:corrected,6" if depth == 6 else f"eval:corrected,{depth}"
    return f"eval:material,{depth}"


def strength(
    name: str,
    against: str,
    rules: Rules,
    *,
    games: int,
    depth: int,
    seed: int,
    concurrency: int | None = None,
    journal: Path | None = None,
    watch: Callable[[int, int, float], object] | None = None,
) -> Strength:
    """Play the match between two players. Stopped, it goes on with its journal; done, the journal is removed."""
    from awale.arena import MatchPlan, play_match

    # Openings are drawn from the seed: another one than the training's.
    plan = MatchPlan(name, against, rules=rules, games=games, seed=seed + 1_000_003)

    def told(standings: Any, played: Any) -> None:
        if watch is not None:
            result = standings()
            watch(len(result.games), plan.total, result.tallies[0].score)

    result = play_match(plan, concurrency=concurrency, watch=told, journal=journal, resume=journal is not None)
    if journal is not None:
        journal.unlink(missing_ok=True)
    tally, found = result.tallies[0], result.estimate
    counts = (tally.games, tally.wins, tally.draws, tally.losses)
    return Strength(against, depth, *counts, tally.score, found.score_interval, (found.elo, found.low, found.high))
