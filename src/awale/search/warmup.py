"""What `awale warmup` compiles for the search: the engine, the textbook searches and Monte Carlo, for each family."""

from __future__ import annotations

from functools import partial

from awale.game import Game
from awale.kernels.warmup import BOARDS, Job
from awale.search import classic, mcts, tricolor_2025
from awale.search.engine import SearchEngine
from awale.search.limits import Limit
from awale.search.linear import BUILT_IN


def warmup_jobs() -> list[Job]:
    jobs: list[Job] = []
    for name in BOARDS:
        game = Game(name)
        jobs.append((f"engine: {name}", partial(_engine, game)))
        jobs.append((f"own evaluation: {name}", partial(_own, game)))
        jobs.append((f"minimax: {name}", partial(_classic, game)))
        jobs.append((f"monte carlo: {name}", partial(mcts.search, game, simulations=10)))
    jobs.append(("report's player", partial(tricolor_2025.choose, Game("tricolor"), depth=3)))
    return jobs


def _engine(game: Game) -> None:
    engine = SearchEngine(game.rules, hash_mb=1)
    engine.load()
    engine.analyse(game, Limit(depth=2))


def _own(game: Game) -> None:
    SearchEngine(game.rules, hash_mb=1, weights=BUILT_IN["material"].array(game.rules)).analyse(game, Limit(depth=2))


def _classic(game: Game) -> None:
    classic.choose_minimax(game, 2)
    classic.choose_alphabeta(game, 2)
    classic.choose_negamax(game, 2)
    classic.choose_basic(game)
