"""The calls that a pupil's function is tried with, from simple to subtle, each with the situation that it shows.

Positions come from random games under the examination's rules and from random boards for the situations that games
show too rarely; the same seed gives the same calls.
"""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from typing import Any, cast

from awale.classroom.exam import solution
from awale.classroom.exam.solution import Jeu
from awale.game import Game

ANY = object()
"""In place of an expected argument: whatever the function leaves there is right."""
NAMES = ("Alice", "Bob")


@dataclass(frozen=True, slots=True)
class Case:
    """A call, what it should return, and what it should leave of its arguments."""

    function: str
    kind: str
    """The situation, a key of the catalogue: `exam.kind.<function>.<kind>`."""
    arguments: list[Any]
    expected: list[Any]
    """Every right answer."""
    after: list[Any] = field(default_factory=list)
    spoil: bool = False
    """Change the answer before the arguments are looked at: nothing of them may be shared."""
    scripted: bool = False
    """Let the file's `NegaAwale` be one that answers at once."""


def cases(function: str, count: int = 240, seed: int = 1) -> list[Case]:
    """Return the calls for a function: as many of each situation as of the others, where there are enough."""
    kinds, kind_of = _SITUATIONS[function]
    share = max(1, count // len(kinds))
    found: dict[str, list[list[Any]]] = {kind: [] for kind in kinds}
    seen: set[str] = set()
    for arguments in _calls(function, random.Random(f"{seed} {function}")):
        kind = kind_of(*arguments)
        if kind in found and len(found[kind]) < share and (key := repr(arguments)) not in seen:
            seen.add(key)
            found[kind].append(arguments)
        if all(len(those) >= share for those in found.values()):
            break
    return [_case(function, kind, arguments) for kind in kinds for arguments in found[kind]]


def kinds(function: str) -> tuple[str, ...]:
    """Return the situations of a function, from simple to subtle."""
    return _SITUATIONS[function][0]


def _case(function: str, kind: str, arguments: list[Any]) -> Case:
    after = deepcopy(arguments)
    if function == "awale_jcj_IA":
        return Case(function, kind, arguments, [_scripted_winner(*arguments)], after, scripted=True)
    with redirect_stdout(io.StringIO()):
        expected = [getattr(solution, function)(*after)]
    if function == "NegaAwale":
        expected = _best_answers(*deepcopy(arguments))
    if function == "gagnant":  # adding the last seeds to the scores, or to other variables, is the pupil's choice
        after = [ANY]
    return Case(function, kind, arguments, expected, after, spoil=function == "copie")


def _best_answers(jeu: Jeu, profondeur_max: int, profondeur: int) -> list[int]:
    """Return every best pit at the top, where the order of the pits is the pupil's choice; below, the value."""
    found = solution.NegaAwale(jeu, profondeur_max, profondeur)
    if profondeur > 0 or not solution.tour_suivant(jeu) or profondeur == profondeur_max:
        return [found]
    values = {}
    for case in solution.cases_possibles(jeu):
        taken, after = solution.gain(jeu, case)
        values[case] = taken - solution.NegaAwale(after, profondeur_max, 1)
    return [case for case, value in values.items() if value == max(values.values())]


def _scripted_winner(first: str, second: str) -> str:
    jeu = solution.initialisation(first, second)
    while solution.tour_jeu(jeu, solution.cases_possibles(jeu)[0]):
        pass
    return solution.gagnant(jeu)


# -- positions ------------------------------------------------------------------------------------------------------


@cache
def _played(seed: int = 1, games: int = 40) -> tuple[tuple[tuple[int, ...], tuple[int, int], int], ...]:
    """Return board, scores and moves played of the positions of some random games, the mover's pits first."""
    chance = random.Random(seed)
    found = []
    for _ in range(games):
        game = Game("upsti")
        while not game.over:
            turn = game.turn * game.rules.pits
            board = tuple(cast(int, game.board[(turn + pit) % 12]) for pit in range(12))
            found.append((board, game.scores, len(game.moves)))
            game.push(chance.choice(game.legal_moves))
    return tuple(found)


def _positions(chance: random.Random) -> Iterator[Jeu]:
    """Yield games in progress, without end: three from games, then some with a random board."""
    while True:
        for _ in range(3):
            played, scores, plies = chance.choice(_played())
            yield _game(list(played), list(scores), plies)
        for most, width in ((3, 12), (4, 3), (30, 2)):
            board = [0] * 12
            for pit in chance.sample(range(12), chance.randint(1, width)):
                board[pit] = chance.randint(1, most)
            yield _random_game(board, chance)
        # A move that takes all the opponent's seeds.
        case, last = chance.randrange(6), chance.randrange(6, 12)
        own = [chance.randint(0, 3) if pit != case else last - case for pit in range(6)]
        yield _random_game(own + [chance.randint(1, 2) if pit <= last else 0 for pit in range(6, 12)], chance)


def _random_game(board: list[int], chance: random.Random) -> Jeu:
    rest = max(0, 48 - sum(board))
    first = chance.randint(0, rest)
    return _game(board, [min(first, 24), min(rest - first, 24)], chance.randint(0, 99))


def _game(board: list[int], scores: list[int], plies: int) -> Jeu:
    return {"joueur1": NAMES[0], "joueur2": NAMES[1], "score": scores, "n": plies, "plateau": board}


def _calls(function: str, chance: random.Random, most: int = 40_000) -> Iterator[list[Any]]:
    """Yield arguments for a function."""
    positions = _positions(chance)
    if function == "awale_jcj_IA":
        yield [*NAMES]
        yield ["Awa", "Kofi"]
        return
    for _ in range(most if function != "NegaAwale" else 4_000):
        jeu = next(positions)
        board = jeu["plateau"]
        if function in ("tour_joueur1", "tourner_plateau", "copie", "cases_possibles"):
            yield [jeu]
        elif function == "tour_suivant":
            jeu["n"] = chance.choice([jeu["n"], jeu["n"], 99, 100, 101])
            jeu["score"] = chance.choice([jeu["score"], [24, 10], [25, 3], [7, 26], [0, 25]])
            yield [jeu]
        elif function == "gagnant":
            jeu["score"] = chance.choice([jeu["score"], _even(board, jeu["n"])])
            yield [jeu]
        elif function == "deplacer_graines":
            case = chance.randrange(6)
            board[case] = chance.choice([board[case], 11, 12, 13, chance.randint(1, 28)])
            yield [board, case]
        elif function == "ramasser_graines":
            for pit in chance.sample(range(4, 12), 4):
                board[pit] = chance.randint(2, 3)
            yield [board, chance.randrange(12)]
        elif function == "case_ramassable":
            case = chance.randrange(12)
            board[case] = chance.randrange(6)
            yield [board, case]
        elif function == "test_famine":
            yield [board, chance.randrange(6)]
        elif function == "test_case":
            yield [board, chance.choice([*range(12), *range(6)])]
        elif function == "tour_jeu":
            jeu["n"] = chance.choice([jeu["n"], jeu["n"], 99])
            yield [jeu, chance.randrange(6)]
        elif function == "gain":
            yield [jeu, chance.randrange(6)]
        elif function == "max_vals":
            low, high = chance.choice([(-9, -1), (-5, 5), (0, 1)])
            pits = sorted(chance.sample(range(6), chance.randint(1, 6)))
            yield [[[pit, chance.randint(low, high)] for pit in pits], chance.randrange(3)]
        else:
            deepest = chance.choice([1, 1, 2, 2, 3])
            yield [jeu, deepest, chance.choice([0, 0, 1, deepest])]


def _even(board: list[int], plies: int) -> list[int]:
    """Return scores with which the game ends in a draw."""
    mine, theirs = sum(board[:6]), sum(board[6:])
    scores = [max(0, theirs - mine), max(0, mine - theirs)]
    return scores if plies % 2 == 0 else scores[::-1]


# -- situations -----------------------------------------------------------------------------------------------------


def _kind_of_sowing(board: list[int], case: int) -> str:
    seeds = board[case]
    if seeds == 0:
        return ""
    if seeds >= 12:
        return "lap" if seeds < 23 else "laps"
    return "own" if case + seeds < 6 else "across" if case + seeds < 12 else "round"


def _kind_of_pit(board: list[int], case: int) -> str:
    seeds = board[case]
    if case < 6:
        return "own"
    return "take" if seeds in (2, 3) else "few" if seeds < 2 else "many"


def _kind_of_harvest(board: list[int], case: int) -> str:
    if case < 6:
        return "own"
    after = board.copy()
    if solution.ramasser_graines(after, case) == 0:
        return "none"
    taken = [pit for pit in range(12) if after[pit] != board[pit]]
    if min(taken) == 6 and board[5] in (2, 3):
        return "border"
    return "one" if len(taken) == 1 else "chain"


def _kind_of_famine(board: list[int], case: int) -> str:
    if board[case] == 0:
        return "empty"
    if solution.test_famine(board, case):
        return "feeds"
    sown = board.copy()
    solution.deplacer_graines(sown, case)
    return "unfed" if sum(sown[6:]) == 0 else "slam"


def _kind_of_list(jeu: Jeu) -> str:
    full = [case for case in range(6) if jeu["plateau"][case]]
    found = solution.cases_possibles(jeu)
    if not found:
        return "none"
    return "famine" if found != full else "all" if len(full) == 6 else "empty"


def _kind_of_end(jeu: Jeu) -> str:
    ends = [
        max(jeu["score"]) >= 25,
        jeu["n"] >= 100,
        sum(jeu["plateau"]) <= 3,
        not solution.cases_possibles(jeu),
    ]
    if not any(ends):
        return "goes-on"
    return ("score", "moves", "few", "blocked")[ends.index(True)] if sum(ends) == 1 else ""


def _kind_of_turn(jeu: Jeu, case: int) -> str:
    gain = _kind_of_gain(jeu, case)
    if not gain:
        return "refused"
    return gain if solution.tour_suivant(solution.gain(jeu, case)[1]) else "last"


def _kind_of_gain(jeu: Jeu, case: int) -> str:
    if not solution.test_case(jeu["plateau"], case):
        return ""
    taken, _ = solution.gain(jeu, case)
    return f"takes-{1 if solution.tour_joueur1(jeu) else 2}" if taken else "plain"


def _kind_of_winner(jeu: Jeu) -> str:
    winner = solution.gagnant(deepcopy(jeu))
    if winner == "egalite":
        return "draw"
    return ("first" if solution.tour_joueur1(jeu) else "second") + f"-{1 + NAMES.index(winner)}"


def _kind_of_maximum(pairs: list[list[int]], depth: int) -> str:
    best = max(value for _, value in pairs)
    if depth > 0:
        return "below-negative" if best <= 0 else "below"
    if sum(value == best for _, value in pairs) > 1:
        return "tie"
    return "negative" if best <= 0 else "top"


def _kind_of_search(jeu: Jeu, deepest: int, depth: int) -> str:
    if not solution.tour_suivant(jeu):
        return "over" if depth else ""
    if depth == deepest:
        return "horizon"
    if depth > 0:
        return "below"
    return "one" if deepest == 1 else "two" if deepest == 2 else "three"


_SITUATIONS: dict[str, tuple[tuple[str, ...], Callable[..., str]]] = {
    "tour_joueur1": (("even", "odd"), lambda jeu: "even" if jeu["n"] % 2 == 0 else "odd"),
    "tourner_plateau": (("turn",), lambda jeu: "turn"),
    "copie": (("copy",), lambda jeu: "copy"),
    "deplacer_graines": (("own", "across", "round", "lap", "laps"), _kind_of_sowing),
    "case_ramassable": (("take", "few", "many", "own"), _kind_of_pit),
    "ramasser_graines": (("none", "own", "one", "chain", "border"), _kind_of_harvest),
    "test_famine": (("feeds", "empty", "unfed", "slam"), _kind_of_famine),
    "test_case": (
        ("feeds", "empty", "other", "unfed", "slam"),
        lambda board, case: "other" if case > 5 else _kind_of_famine(board, case),
    ),
    "cases_possibles": (("all", "empty", "famine", "none"), _kind_of_list),
    "tour_suivant": (("goes-on", "score", "moves", "few", "blocked"), _kind_of_end),
    "tour_jeu": (("plain", "takes-1", "takes-2", "refused", "last"), _kind_of_turn),
    "gagnant": (("first-1", "first-2", "second-1", "second-2", "draw"), _kind_of_winner),
    "gain": (("plain", "takes-1", "takes-2"), _kind_of_gain),
    "max_vals": (("top", "negative", "tie", "below", "below-negative"), _kind_of_maximum),
    "NegaAwale": (("horizon", "over", "one", "two", "three", "below"), _kind_of_search),
    "awale_jcj_IA": (("game",), lambda first, second: "game"),
}
"""The situations of each function, from simple to subtle, and the one that a call shows."""
