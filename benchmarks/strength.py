"""Matches at equal terms from paired openings: the engine against OpenSpiel's MCTS and against the report's player."""

from __future__ import annotations

import random
from collections.abc import Callable

from awale import Game
from awale.players import make
from awale.rules.moves import Move
from benchmarks.measure import Row

OPENINGS = 50
OPENING_PLIES = 4
SIMULATIONS = 20_000
Chooser = Callable[[Game], Move]


def opening(rules: str, number: int) -> Game:
    """A random opening; the same number gives the same one."""
    chance = random.Random(number)
    game = Game(rules)
    while len(game.moves) < OPENING_PLIES:
        game.push(chance.choice(game.legal_moves))
    return game


def match(rules: str, ours: Chooser, theirs: Chooser, openings: int = OPENINGS) -> float:
    """Our share of the points, each opening played from both sides."""
    points = 0.0
    for number in range(2 * openings):
        game = opening(rules, number // 2)
        side = number % 2
        while not game.over and len(game.moves) < 500:
            game.push((ours if game.turn == side else theirs)(game))
        outcome = game.outcome()
        winner = None if outcome is None else outcome.winner
        points += 0.5 if winner is None else float(winner == side)
    return points / (2 * openings)


def open_spiel_mcts(seed: int) -> Chooser:
    """OpenSpiel's C++ MCTS with random rollouts."""
    import pyspiel

    spiel = pyspiel.load_game("oware")
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed)
    bot = pyspiel.MCTSBot(spiel, evaluator, 2.0, SIMULATIONS, 1000, True, seed, False)

    def choose(game: Game) -> Move:
        state = spiel.new_initial_state()
        for move in game.moves:
            state.apply_action(move.pit % 6)
        action = bot.step(state)
        return next(move for move in game.legal_moves if move.pit % 6 == action % 6)

    return choose


def run() -> list[Row]:
    abapa, tricolor = make("engine:100ms", "abapa"), make("engine:100ms", "tricolor")
    report = make("report:corrected,adaptive", "tricolor")
    spiel = match("abapa", lambda game: abapa.choose(game).move, open_spiel_mcts(1))
    contest = match("tricolor", lambda game: tricolor.choose(game).move, lambda game: report.choose(game).move)
    return [
        Row(f"% against OpenSpiel's MCTS of {SIMULATIONS} simulations", "", 100 * spiel, at_least=98),
        Row("% against report:corrected,adaptive, tricolor", "", 100 * contest, at_least=95),
    ]
