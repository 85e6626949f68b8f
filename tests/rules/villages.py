"""Strategies for Hypothesis: any preset, any village rules that make sense, and games played under them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from awale import Game, Rules
from awale.rules import get, names

RESTS = ("nobody", "own-side", "last-mover")
presets = st.sampled_from(names()).map(get)


@st.composite
def _endings(draw: st.DrawFn, total: int) -> dict[str, Any]:
    """Options that every family understands."""
    return {
        "endings": draw(st.permutations(("win", "moves", "few")).map(tuple)),
        "win_at": draw(st.none() | st.just("majority") | st.integers(total // 2 + 1, total)),
        "win_rest": draw(st.sampled_from(RESTS)),
        "few_seeds": draw(st.none() | st.integers(0, min(total - 1, 6))),
        "few_rest": draw(st.sampled_from(RESTS)),
        "move_limit": draw(st.none() | st.integers(1, 60)),
        "move_limit_rest": draw(st.sampled_from(RESTS)),
        "no_move": draw(st.sampled_from((*RESTS, "to-move"))),
    }


@st.composite
def one_lap_villages(draw: st.DrawFn) -> Rules:
    pits, seeds = draw(st.integers(1, 8)), draw(st.integers(1, 6))
    capture = draw(st.sampled_from(("chain", "opposite")))
    feeding = draw(st.sampled_from(("free", "required", "if-possible")))
    options = {
        "pits": pits,
        "seeds": seeds,
        "origin": draw(st.sampled_from(("skipped", "sown"))),
        "capture": capture,
        "capture_counts": draw(st.sampled_from(((2, 3), (3, 2), (2,), (1, 2, 3), (2, 3, 4), (4,))))
        if capture == "chain"
        else (2, 3),
        "grand_slam": draw(st.sampled_from(("allowed", "takes-nothing", "illegal", "illegal-unless-forced"))),
        "feeding": feeding,
        "starved": draw(st.sampled_from(("ends", "passes"))) if feeding == "free" else "ends",
        "repetition": draw(st.sampled_from(("none", "nobody", "own-side"))),
        "notation": draw(st.sampled_from(("letters", "letters-north-upper", "numbers", "left"))),
        **draw(_endings(2 * pits * seeds)),
    }
    return get("abapa").variant(**options)


@st.composite
def relay_villages(draw: st.DrawFn) -> Rules:
    # Small boards: an endless sowing on a large one may take a second to see through.
    pits = draw(st.integers(1, 5))
    seeds = draw(st.integers(1, 4 if pits < 4 else 2))
    relay_from = draw(st.sampled_from(("any-side", "own-side")))
    options = {
        "pits": pits,
        "seeds": seeds,
        "relay_from": relay_from,
        "starved": draw(st.sampled_from(("ends", "passes"))),
        "endless": draw(st.sampled_from(("illegal", "ends"))) if relay_from == "any-side" else "illegal",
        "direction": draw(st.sampled_from(("counter-clockwise", "clockwise"))),
        "notation": draw(st.sampled_from(("letters", "letters-north-upper", "numbers", "left"))),
        **draw(_endings(2 * pits * seeds)),
    }
    return get("ghana").variant(**options)


@st.composite
def coloured_villages(draw: st.DrawFn) -> Rules:
    pits, seeds = draw(st.integers(1, 8)), draw(st.integers(1, 3))
    options = {
        "pits": pits,
        "seeds": seeds,
        "capture_counts": draw(st.sampled_from(((2, 3), (2,), (1, 2), (3, 4)))),
        "starved": draw(st.sampled_from(("ends", "passes"))),
        **draw(_endings(6 * pits * seeds)),
    }
    return get("tricolor").variant(**options)


villages = one_lap_villages() | relay_villages() | coloured_villages()
any_rules = presets | villages
choices = st.lists(st.integers(0, 63), max_size=70)


def play(game: Game, picks: list[int]) -> Game:
    """Play on by numbers, each the place of a move in the list of legal ones, until they run out or the game ends."""
    for pick in picks:
        legal = game.legal_moves
        if not legal:
            break
        game.push(legal[pick % len(legal)])
    return game


@st.composite
def games(draw: st.DrawFn, rules: st.SearchStrategy[Rules] = any_rules) -> Game:
    """A game somewhere between its first move and its end."""
    return play(Game(draw(rules)), draw(choices))
