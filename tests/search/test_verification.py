"""What the engine calls proven is true of the game with its history, and no two proofs contradict each other."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

import pytest

from awale import Game, tables
from awale.rules import get, names
from awale.rules.description import Rules
from awale.search.analysis import Analysis, Value
from awale.search.engine import SearchEngine
from awale.search.limits import Limit
from tests.search.naive_solver import FAR, NaiveSolver, TooLargeError

REPEATING = ("abapa", "awari")


def endgames(rules: Rules, seeds: int, seed: str) -> Iterator[Game]:
    """Random positions with few seeds and close scores, some of them after some moves without a capture."""
    chance = random.Random(seed)
    while rules.coloured:
        game = Game(rules)
        while not game.over and sum(game.counts) > 4 * seeds:
            game.push(chance.choice(game.legal_moves))
        if not game.over:
            yield game
    while True:
        board = [0] * (2 * rules.pits)
        on_board = chance.randint(1, seeds)
        for _ in range(on_board):
            board[chance.randrange(len(board))] += 1
        captured = rules.total - on_board
        south = min(max(0, captured // 2 + chance.randint(-3, 3)), captured)
        position = "-".join(map(str, [*board, south, captured - south, chance.choice("SN")]))
        game = Game(rules, start=position)
        for _ in range(chance.choice((0, 0, 3, 6, 9))):
            quiet = [] if game.over else [move for move in game.legal_moves if game.trace(move).taken == 0]
            if not quiet:
                break
            game.push(chance.choice(quiet))
        if not game.over:
            yield game


def agrees(found: Analysis) -> None:
    """Headline, arrow and pits say the same."""
    best = found.moves[0]
    assert best.move == found.best == found.line[0]
    assert best.value.seeds == found.value.seeds == max(move.value.seeds for move in found.moves)
    for value in (found.value, *(move.value for move in found.moves)):
        assert value.least is not None
        assert value.most is not None
        assert value.least <= value.seeds <= value.most
    if found.value.result is not None and found.value.result > -1:
        assert best.value.most == found.value.most


def check_with_naive(rules: Rules, games: int, seeds: int, nodes: int) -> int:
    """Compare everything that is claimed with the naive solver; return how many games it could solve."""
    engine = SearchEngine(rules, hash_mb=1)
    chance = random.Random(f"{rules}")
    solved = 0
    for game in islice(endgames(rules, seeds, str(rules)), games):
        found = engine.analyse(game, Limit(depth=chance.choice((3, 8, 12))), every_move=chance.random() < 0.3)
        agrees(found)
        try:
            margins = NaiveSolver(rules, nodes).margins(game)
            distances = NaiveSolver(rules, nodes).distances(game)
        except TooLargeError:
            continue
        solved += 1
        shown = (game.position, [str(move) for move in game.moves], found.value, margins)
        assert found.value.least <= max(margins.values()) <= found.value.most, shown  # type: ignore[operator]
        for move in found.moves:
            assert move.value.least <= margins[move.move] <= move.value.most, shown  # type: ignore[operator]
        if found.value.result is not None and found.moves[0].value.result is not None:
            kept = margins[found.best]
            assert (kept > 0) - (kept < 0) == found.value.result, shown
        if found.value.plies is not None:
            assert FAR - abs(max(distances.values())) == found.value.plies, shown
    return solved


@pytest.mark.parametrize("name", REPEATING)
@pytest.mark.parametrize(("pits", "seeds"), [(2, 7), (3, 5), (6, 3)])
def test_claims_are_those_of_a_naive_solver(name: str, pits: int, seeds: int) -> None:
    rules = get(f"{name}:pits={pits},seeds=3")
    assert check_with_naive(rules, games=40, seeds=seeds, nodes=4000) > 15


@pytest.mark.slow
@pytest.mark.parametrize("name", REPEATING)
@pytest.mark.parametrize(("pits", "seeds"), [(2, 12), (3, 8), (4, 7), (6, 5)])
def test_claims_are_those_of_a_naive_solver_in_many_games(name: str, pits: int, seeds: int) -> None:
    rules = get(f"{name}:pits={pits},seeds=3")
    assert check_with_naive(rules, games=1500, seeds=seeds, nodes=100_000) > 300


class Contradiction:
    """Ask the same games in many ways, and compare what is claimed."""

    def __init__(self, name: str, *, seeds: int) -> None:
        self.rules = get(name)
        self.table = None
        if tables.refusal(self.rules) is None:
            tables.build(self.rules, 6)
            self.table = tables.open(self.rules)
        self.seeds = seeds
        self.asked = self.proven = 0

    def engine(self, chance: random.Random) -> SearchEngine:
        table = self.table if chance.random() < 0.5 else None
        return SearchEngine(self.rules, hash_mb=chance.choice((0.001, 0.25, 4)), tables=table)

    def run(self, count: int) -> None:
        chance = random.Random(self.rules.name)
        games = list(islice(endgames(self.rules, self.seeds, self.rules.name), count))
        claims: dict[int, list[Value]] = {number: [] for number in range(count)}
        reused = [self.engine(chance) for _ in range(2)]
        for _ in range(3):
            for number in chance.sample(range(count), count):
                engine = chance.choice(reused) if chance.random() < 0.6 else self.engine(chance)
                limit = Limit(nodes=chance.choice((50, 2000, 20_000)), threads=chance.choice((1, 1, 1, 2)))
                found = engine.analyse(games[number], limit, multi=chance.choice((1, 1, 6)))
                agrees(found)
                claims[number].append(found.value)
                self.asked += 1
                self.proven += found.value.result is not None
        for number, values in claims.items():
            self.check(games[number], values)

    def check(self, game: Game, values: list[Value]) -> None:
        least = max(value.least for value in values if value.least is not None)
        most = min(value.most for value in values if value.most is not None)
        assert least <= most, (game.position, [str(move) for move in game.moves], values)
        assert len({value.plies for value in values} - {None}) <= 1, (game.position, game.moves, values)
        seeds, ahead = sum(game.counts), game.scores[game.turn] - game.scores[1 - game.turn]
        assert ahead - seeds <= least, (game.position, values)
        assert most <= ahead + seeds, (game.position, values)
        fresh = self.rules.repetition == "none" or not game.moves
        known = self.table.probe(game) if self.table is not None and fresh else None
        if known is not None:
            # A goal ends a game early: then only the sign of a table's value counts.
            assert least <= 0 or ahead + known.most > 0, (game.position, values)
            assert most >= 0 or ahead + known.least < 0, (game.position, values)


@pytest.mark.parametrize("name", names())
def test_no_two_claims_contradict_each_other(name: str) -> None:
    asking = Contradiction(name, seeds=10)
    asking.run(30)
    assert asking.proven > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_no_two_claims_contradict_each_other_in_many_games(name: str) -> None:
    asking = Contradiction(name, seeds=14)
    asking.run(2000)
    print(f"{name}: the result of {asking.proven / asking.asked:.1%} is proven")


# -- positions that were once called exact and were not -----------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "margin"), [("0-1-2-0-0-0-0-1-0-2-0-0-22-20-S", 1), ("3-2-1-1-0-0-1-0-0-0-0-1-19-20-N", -1)]
)
def test_one_answer_however_often_it_is_asked(position: str, margin: int) -> None:
    game = Game("abapa", start=position)
    engine = SearchEngine("abapa", hash_mb=4)
    least, most = -48, 48
    for nodes in (1000, 200_000, 1000, 600_000):
        for asked in (engine, SearchEngine("abapa", hash_mb=1)):
            value = asked.analyse(game, Limit(nodes=nodes)).value
            assert value.least is not None
            assert value.most is not None
            least, most = max(least, value.least), min(most, value.most)
            assert least <= most
            assert value.result in (None, margin)


def test_a_forced_draw_stays_one_after_another_position() -> None:
    engine = SearchEngine("abapa")
    engine.analyse(Game("abapa", start="0-0-0-0-0-1-0-0-0-0-0-1-24-22-S"), Limit(depth=12), fixed=False)
    drawn = Game("abapa", start="0-0-0-0-0-0-1-0-0-0-0-1-24-22-N")
    value = engine.analyse(drawn, Limit(depth=12), fixed=False).value
    assert (value.result, value.margin, value.seeds) == (0, 0, 0)


def test_earlier_positions_cut_a_line_that_a_table_knows() -> None:
    rules = get("abapa")
    tables.build(rules, 4)
    game = Game(rules, start="0-0-0-0-0-0-0-1-0-0-0-2-22-23-N", moves="f B b C c A d D e E f")
    for table in (tables.open(rules), None):
        value = SearchEngine(rules, hash_mb=1, tables=table).analyse(game, Limit(depth=14)).value
        assert (value.result, value.margin) == (0, 0)


def test_only_the_sign_of_a_table_is_the_result_of_a_game_with_a_goal() -> None:
    rules = get("awari")
    tables.build(rules, 10)
    game = Game(rules, start="0-0-0-0-1-0-2-2-3-2-0-0-14-24-S")
    values = [
        SearchEngine(rules, hash_mb=1, tables=table).analyse(game, Limit(depth=14)).value
        for table in (tables.open(rules), None)
    ]
    assert [value.result for value in values] == [-1, -1]
    assert [value.plies for value in values] == [6, 6]
    assert max(value.least or -48 for value in values) <= min(value.most or 48 for value in values)


def test_headline_arrow_and_pits_agree() -> None:
    game = Game("abapa", start="3-0-2-0-0-1-1-0-0-4-0-2-17-18-N")
    engine = SearchEngine("abapa", hash_mb=4)
    for nodes in (500, 5000, 50_000, 200_000):
        agrees(engine.analyse(game, Limit(nodes=nodes), every_move=True))


def test_a_reused_engine_answers_as_a_new_one() -> None:
    engine = SearchEngine("abapa", hash_mb=1)
    for game in islice(endgames(get("abapa"), 16, "reused"), 25):
        new = SearchEngine("abapa", hash_mb=1).analyse(game, Limit(depth=7), prove=False)
        again = engine.analyse(game, Limit(depth=7), prove=False)
        assert (again.best, again.value.seeds, again.line) == (new.best, new.value.seeds, new.line)


def test_a_search_of_some_moves_answers_about_those() -> None:
    game = Game("abapa", moves="F f")
    some = game.legal_moves[1:3]
    found = SearchEngine("abapa", hash_mb=1).analyse(game, Limit(depth=5), moves=some, multi=2)
    assert {move.move for move in found.moves} == set(some)
    assert all(move.line[0] == move.move and len(move.line) == 5 for move in found.moves)


def test_proofs_are_loaded_where_they_are_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling them takes a third of the time to the first answer on a new machine."""
    from awale.search import engine, verification

    calls: list[object] = []
    monkeypatch.setattr(engine, "_loaded", set())
    monkeypatch.setattr(verification, "force", lambda *arguments: calls.append(arguments) or verification.NOT)
    searcher = engine.SearchEngine("abapa", hash_mb=1)
    searcher.analyse(Game("abapa"), Limit(depth=3))
    assert not calls
    searcher.analyse(Game("abapa", start="0-0-0-0-1-2-3-0-0-0-0-0-20-22-S"), Limit(depth=1))
    assert calls
