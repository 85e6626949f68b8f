"""International oware against another program's: OpenSpiel's `oware`, move by move."""

from __future__ import annotations

import random

import pytest

from awale import Game

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed: its oware is not compared with ours")

GAMES = {(6, 4): 2500, (3, 3): 1000, (2, 4): 1000, (8, 2): 500, (4, 6): 500}


def counts(state: object, total: int) -> list[int]:
    """Its board and scores; the observation holds them as shares of all seeds."""
    return [round(share * total) for share in state.observation_tensor(0)]  # type: ignore[attr-defined]


def after_sweep(game: Game) -> list[int]:
    """Our board and scores. At 25 seeds the game is won and ours stay as they are; OpenSpiel then also hands each
    side its own seeds, which changes no result."""
    outcome = game.outcome()
    if outcome is None or outcome.reason != "win":
        return [*game.counts, *game.scores]
    pits = game.rules.pits
    south, north = sum(game.counts[:pits]), sum(game.counts[pits:])
    return [0] * (2 * pits) + [game.scores[0] + south, game.scores[1] + north]


def play_both(game: Game, state: object, chance: random.Random) -> str:
    pits, total = game.rules.pits, game.rules.total
    while True:
        assert counts(state, total) == after_sweep(game), game
        assert state.is_terminal() == game.over, game  # type: ignore[attr-defined]
        outcome = game.outcome()
        if outcome is not None:
            expected = {None: [0, 0], 0: [1, -1], 1: [-1, 1]}[outcome.winner]
            assert state.returns() == expected, game  # type: ignore[attr-defined]
            return outcome.reason
        assert state.current_player() == game.turn, game  # type: ignore[attr-defined]
        legal = [move.pit % pits for move in game.legal_moves]
        assert state.legal_actions() == legal, game  # type: ignore[attr-defined]
        action = chance.choice(legal)
        assert state.action_to_string(action) == str(game.legal_moves[legal.index(action)])  # type: ignore[attr-defined]
        state.apply_action(action)  # type: ignore[attr-defined]
        game.push(game.legal_moves[legal.index(action)])


@pytest.mark.parametrize(("pits", "seeds"), GAMES)
def test_random_games_agree_with_open_spiel(pits: int, seeds: int) -> None:
    chance = random.Random(f"oware {pits} {seeds}")
    parameters = {"num_houses_per_player": pits, "num_seeds_per_house": seeds}
    theirs = pyspiel.load_game("oware", parameters)
    endings = {
        play_both(Game(f"abapa:pits={pits},seeds={seeds}"), theirs.new_initial_state(), chance)
        for _ in range(GAMES[pits, seeds])
    }
    assert {"win", "no-move", "repetition"} >= endings
    assert len(endings) > 1
