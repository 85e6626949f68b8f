"""The three-colour kernel against the plain-Python reference, move by move."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import pytest

from awale import Game
from awale.errors import RulesError
from awale.kernels import ENDINGS, NO_MOVE, generic, tricolor
from awale.rules import Rules, get, reference
from awale.rules.moves import COLOURS, Move, make
from awale.rules.reference import Position

SMALL = ("tricolor:pits=1,seeds=3", "tricolor:pits=2,seeds=2", "tricolor-2025:pits=3,seeds=1", "tricolor-2025:pits=5")


def bits(word: int) -> list[int]:
    return [bit for bit in range(64) if int(word) >> bit & 1]


def as_move(turn: int, bit: int) -> Move:
    return make(get("tricolor"), 2 * (bit >> 2) + turn, COLOURS[bit & 3])


def check_move(rules: Rules, k: tricolor.TriRules, position: Position, bit: int) -> Position | None:
    """Play one move both ways; the position after it, or None when the game is over."""
    state = tricolor.pack(rules, position)
    done = reference.step(rules, position, as_move(position.turn, bit))
    after = reference.after(rules, position, done)
    settled = reference.settle(rules, after)
    played = tricolor.play(k, state, bit)
    code = generic.ending(k, played, position.turn)
    assert ENDINGS[code] == (settled.reason or "")
    assert tricolor.stopped(k, played, position.turn) == (0 if code == NO_MOVE else code)
    found = tricolor.unpack(rules, played)
    assert (found.board, found.scores, found.ply) == (after.board, after.scores, after.ply)
    if code:
        assert tuple(tricolor.final(k, played, code, position.turn)) == settled.position.scores
        return None
    assert found == settled.position
    assert tricolor.TriState(*map(int, played)) == tricolor.pack(rules, settled.position)
    return settled.position


def check_legal(k: tricolor.TriRules, rules: Rules, position: Position) -> list[int]:
    moves = bits(tricolor.legal(k, tricolor.pack(rules, position)))
    assert [as_move(position.turn, bit) for bit in moves] == reference.candidates(rules, position)
    return moves


def walk(rules: Rules, plies: int, seed: int) -> set[str]:
    """Random games until `plies` moves are played; which endings were met."""
    rng = random.Random(seed)
    k = tricolor.pack_rules(rules)
    met: set[str] = set()
    while plies > 0:
        position: Position | None = reference.start(rules)
        while position is not None:
            bit = rng.choice(check_legal(k, rules, position))
            before, position = position, check_move(rules, k, position, bit)
            plies -= 1
            if position is None:
                met.add(ENDINGS[generic.ending(k, tricolor.play(k, tricolor.pack(rules, before), bit), before.turn)])
            elif position.turn == before.turn:
                met.add("pass")
    return met


@pytest.fixture
def light_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spare the reference the work of playing out every legal move only to learn that there is one: three-colour rules
    know no duty that could forbid a move (`test_no_candidate_is_ever_refused`)."""
    monkeypatch.setattr(reference, "legal_steps", reference.candidates)


def test_no_candidate_is_ever_refused() -> None:
    rng = random.Random(1)
    for _ in range(100):
        rules = random_rules(rng)
        position = random_position(rules, rng)
        assert list(reference.legal_steps(rules, position)) == reference.candidates(rules, position)


@pytest.mark.usefixtures("light_reference")
@pytest.mark.parametrize("name", ["tricolor", "tricolor-2025"])
def test_random_games_agree(name: str) -> None:
    met = walk(get(name), 100_000, seed=len(name))
    assert "few" in met
    assert ("no-move" in met) if name == "tricolor" else ("pass" in met)


@pytest.mark.slow
@pytest.mark.usefixtures("light_reference")
@pytest.mark.parametrize("name", ["tricolor", "tricolor-2025"])
def test_very_many_random_games_agree(name: str) -> None:
    walk(get(name), 1_000_000, seed=2025)


@pytest.mark.parametrize("name", SMALL)
def test_small_rings_agree(name: str) -> None:
    walk(get(name), 2_000, seed=3)


@pytest.mark.parametrize("pits", range(1, 9))
def test_every_ring_agrees_at_its_fullest(pits: int) -> None:
    walk(get("tricolor").variant(pits=pits, seeds=240 // (6 * pits), few_seeds=None), 400, seed=pits)


def random_position(rules: Rules, rng: random.Random) -> Position:
    """Any position at all: crowded, nearly empty, one side starved, scores that no game would reach."""
    board = [[0, 0, 0] for _ in range(rules.holes)]
    holes = [hole for hole in range(rules.holes) if rng.random() < rng.choice([0.2, 0.6, 1.0])] or [0]
    if rng.random() < 0.2:
        holes = [hole for hole in holes if hole % 2 == 0] or [0]
    for _ in range(rng.choice([3, 12, 40, 96, 200])):
        board[rng.choice(holes)][rng.randrange(3)] += 1
    scores = (rng.randrange(21), rng.randrange(20))
    return Position(tuple((r, b, t) for r, b, t in board), scores, rng.randrange(2), rng.randrange(450))


def random_rules(rng: random.Random) -> Rules:
    """Village rules of every kind that the description allows."""
    endings = ["win", "moves", "few"]
    rng.shuffle(endings)
    rests = ["nobody", "own-side", "last-mover"]
    pits = rng.randrange(1, 9)
    base = get("tricolor").variant(pits=pits, seeds=1, few_seeds=None)
    return base.variant(
        name="village",
        starved=rng.choice(["ends", "passes"]),
        capture_counts=tuple(rng.sample([1, 2, 3, 4, 5, 6, 12, 60], rng.randrange(1, 5))),
        endings=tuple(endings),
        win_at=rng.choice([None, "majority", base.total // 2 + 1]),
        win_rest=rng.choice(rests),
        few_seeds=rng.choice([None, 0, base.total // 3]),
        few_rest=rng.choice(rests),
        move_limit=rng.choice([None, 1, 300]),
        move_limit_rest=rng.choice(rests),
        no_move=rng.choice([*rests, "to-move"]),
    )


def check_arbitrary(rules: Rules, count: int, rng: random.Random) -> int:
    """Every move of many arbitrary positions; how many positions had one."""
    k = tricolor.pack_rules(rules)
    alive = 0
    for _ in range(count):
        position = random_position(rules, rng)
        state = tricolor.pack(rules, position)
        assert tricolor.unpack(rules, state) == position
        settled = reference.settle(rules, position)
        if settled.reason is None:
            alive += 1
            for bit in check_legal(k, rules, settled.position):
                check_move(rules, k, settled.position, bit)
        else:
            code = generic.ending(k, state, 1 - position.turn)
            assert ENDINGS[code] == settled.reason
            assert tuple(tricolor.final(k, state, code, 1 - position.turn)) == settled.position.scores
    return alive


@pytest.mark.parametrize("name", ["tricolor", "tricolor-2025"])
def test_arbitrary_positions_agree(name: str) -> None:
    assert check_arbitrary(get(name), 150, random.Random(7)) > 30


def test_arbitrary_village_rules_agree() -> None:
    rng = random.Random(11)
    assert sum(check_arbitrary(random_rules(rng), 4, rng) for _ in range(150)) > 200


def test_a_state_travels_through_python_unchanged() -> None:
    """A hole of 130 seeds sets the highest bit of its word: the state must keep its type and value all the same."""
    rules = get("tricolor")
    k = tricolor.pack_rules(rules)
    board = [(0, 0, 0)] * 16
    board[14] = (130, 0, 3)
    board[15] = (0, 128, 0)
    state = tricolor.pack(rules, Position(tuple(board), (0, 0), 0))
    assert state.red0 < 0
    compiled = len(getattr(tricolor.play, "signatures", ()))
    for bit in (28, 31, 29):
        if int(tricolor.legal(k, state)) >> bit & 1:
            state = tricolor.play(k, state, bit)
    assert hash(state) == hash(tricolor.TriState(*state))
    assert len(getattr(tricolor.play, "signatures", ())) <= max(compiled, 1)


def test_the_reports_examples() -> None:
    """The two captures that the report draws."""
    rules = get("tricolor")
    k = tricolor.pack_rules(rules)

    def play(holes: dict[int, tuple[int, int, int]], move: str) -> Position:
        board = [holes.get(hole, (0, 0, 0)) for hole in range(1, 17)]
        game = Game(rules, start=Position(tuple(board), (0, 0), 1))
        wanted = game.parse(move)
        bit = 4 * (wanted.pit // 2) + COLOURS.index(wanted.colour or "r")
        return tricolor.unpack(rules, tricolor.play(k, tricolor.pack(rules, game.state), bit))

    first = {13: (2, 2, 0), 14: (2, 2, 0), 15: (0, 2, 0), 16: (2, 0, 0), 1: (2, 0, 0)}
    assert play(first, "14B").scores == (0, 10)
    second = {14: (0, 4, 0), 15: (2, 0, 0), 16: (1, 3, 0), 1: (1, 0, 0)}
    second |= {2: (2, 0, 0), 3: (0, 1, 0), 4: (0, 2, 0), 5: (1, 0, 0)}
    assert play(second, "16B").scores == (0, 10)
    assert play(second, "16R").scores == (0, 7)


def test_other_families_are_refused() -> None:
    with pytest.raises(RulesError, match="abapa"):
        tricolor.pack_rules(get("abapa"))


def test_without_the_compiler() -> None:
    """The same checks on small cases, in a process where Numba is off, any warning an error."""
    program = (
        "from awale.kernels.jit import COMPILER_OFF\n"
        "from tests.kernels import test_tricolor as t\n"
        "import random\n"
        "assert COMPILER_OFF\n"
        "for name in ('tricolor', 'tricolor-2025', *t.SMALL):\n"
        "    t.walk(t.get(name), 200, seed=5)\n"
        "rng = random.Random(13)\n"
        "for _ in range(20):\n"
        "    t.check_arbitrary(t.random_rules(rng), 3, rng)\n"
        "t.test_a_state_travels_through_python_unchanged()\n"
        "t.test_the_reports_examples()\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        cwd=os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
