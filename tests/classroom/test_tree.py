"""Search trees: the values, choices and counts of the players whose search they show, and nothing that is not so."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from typing import Any

import pytest

from awale import Game
from awale.classroom import tree as trees
from awale.classroom import tree_words
from awale.classroom.tree import TreeError, as_dict, build_tree, unfolded
from awale.classroom.tree_examples import EXAMPLES
from awale.classroom.tree_layout import children_seen, lay_out
from awale.errors import AwaleError
from awale.rules import names
from awale.search import classic

ONE_COLOUR = ("material", "mobility", "kroo", "defence", "mixed")
BOARDS = [*names(), "ghana:pits=7", "abapa:pits=8,seeds=2", "ghana:pits=3", "upsti:pits=3", "ghana-basic:pits=2"]


def random_games(rules: str, count: int, seed: int = 7) -> list[Game]:
    """Positions of random games, the late ones with their endings included."""
    chance = random.Random(f"{rules} {seed}")
    found = []
    for _ in range(count):
        game = Game(rules)
        for _ in range(chance.randrange(70)):
            if game.over:
                break
            game.push(chance.choice(game.legal_moves))
        if game.over:
            game.pop()
        found.append(game)
    return found


def told(found: Any) -> tuple[Any, ...]:
    return found.move, found.value, found.visited, found.cut


def shown(tree: trees.Tree) -> tuple[Any, ...]:
    return tree.best, tree.value, tree.visited, tree.cut


@pytest.mark.parametrize("rules", BOARDS)
def test_the_players_own_values(rules: str) -> None:
    for place, game in enumerate(random_games(rules, 4)):
        depth = 2 if game.rules.coloured else 1 + place % 4
        for evaluation in ("material",) if game.rules.coloured else ONE_COLOUR:
            plain = build_tree(game, depth, evaluation=evaluation)
            assert shown(plain) == told(classic.choose_minimax(game, depth, evaluation)), (game, depth, evaluation)
            pruned = build_tree(game, depth, method="alphabeta", evaluation=evaluation)
            assert shown(pruned) == told(classic.choose_alphabeta(game, depth, evaluation)), (game, depth, evaluation)
            assert pruned.minimax_nodes == plain.visited == len(plain.nodes)
        assert shown(build_tree(game, depth, method="negamax")) == told(classic.choose_negamax(game, depth)), (
            game,
            depth,
        )


@pytest.mark.parametrize("rules", ["ghana", "abapa", "upsti", "tricolor"])
def test_a_bound_bounds(rules: str) -> None:
    """What alpha-beta says of a position holds for its true value."""
    some_bound = 0
    for game in random_games(rules, 4, seed=11):
        depth = 2 if game.rules.coloured else 4
        whole, pruned = build_tree(game, depth), build_tree(game, depth, method="alphabeta")
        for true, node in zip(whole.nodes, pruned.nodes, strict=True):
            if node.value is None:
                continue
            assert true.value is not None
            if node.bound == "exact":
                assert node.value == true.value
            elif node.bound == "at-least":
                assert node.value <= true.value
            else:
                assert node.value >= true.value
            some_bound += node.bound != "exact"
            if node.cut:
                assert node.cut[0] >= node.cut[1]
    assert some_bound


def test_negamax_with_a_heuristic_is_minimax_from_the_mover() -> None:
    for game in random_games("ghana", 6):
        plain, own = (build_tree(game, 3, method=method, evaluation="mixed") for method in ("minimax", "negamax"))
        for one, other in zip(plain.nodes, own.nodes, strict=True):
            assert one.value is not None
            assert other.value == (one.value if one.turn == plain.player else -one.value)


def test_gains_are_seeds_since_the_root() -> None:
    for game in random_games("abapa", 6):
        plain, own = (build_tree(game, 3, method=method, evaluation="gains") for method in ("minimax", "negamax"))
        assert plain.value == own.value
        ahead = game.scores[game.turn] - game.scores[1 - game.turn]
        if not any(node.end for node in plain.nodes):
            assert plain.value == build_tree(game, 3).value - 100 * ahead


def test_every_step_leads_to_the_next_value() -> None:
    """Replaying the steps gives the values, and every position is looked at once."""
    for method in trees.METHODS:
        tree = build_tree(Game("ghana", moves="3 9"), 3, method=method)
        value: dict[int, int | None] = {}
        entered: list[int] = []
        for step in tree.steps:
            if step.do in ("enter", "leaf"):
                entered.append(step.node)
            if step.do == "leaf":
                value[step.node] = step.value
            if step.do == "rise":
                parent = tree.nodes[step.node].parent
                assert parent is not None
                before = value.get(parent)
                largest = tree.is_max(tree.nodes[parent])
                assert step.offered is not None
                assert step.better == (before is None or (step.offered > before if largest else step.offered < before))
                value[parent] = step.offered if step.better else before
                assert value[parent] == step.value
        assert len(entered) == len(set(entered)) == tree.visited
        assert all(value[index] == tree.nodes[index].value for index in entered)
        assert tree.steps[-1].do == "done"


# -- the documents' trees --------------------------------------------------------------------------------------------


def example(name: str) -> trees.Tree:
    wanted = EXAMPLES[name]
    game = Game(wanted.rules, start=wanted.position)
    return build_tree(game, wanted.depth, method=wanted.method, evaluation=wanted.evaluation)


def test_the_four_pit_tree_says_what_the_pupils_wrote() -> None:
    """The first pit promises nothing, the second one seed: the second is played. Three levels of two moves each."""
    tree = example("four-pits")
    assert len(tree.nodes) == 15
    assert [tree.nodes[child].value for child in tree.root.children] == [0, 100]
    assert str(tree.best) == "2"
    assert not any(node.passed for node in tree.nodes)


def test_the_cut_tree_has_both_kinds_of_cut() -> None:
    tree = example("four-pits-cut")
    assert (tree.visited, tree.minimax_nodes, tree.cut) == (9, 13, 2)
    assert {tree.is_max(node) for node in tree.nodes if node.cut} == {True, False}


def test_question_18_fits_questions_1_and_2() -> None:
    """Alice may play 2, 4 and 5; 4 takes the 3, 2 and 3 of pits 9, 8 and 7; and still 5 is best at this depth."""
    tree = example("question-18")
    children = [tree.nodes[child] for child in tree.root.children]
    assert [str(child.move) for child in children] == ["2", "4", "5"]
    assert [child.taken for child in children] == [(), ((9, 3), (8, 2), (7, 3)), ()]
    assert str(tree.best) == "5"
    worth = [100 * child.gain - (child.value or 0) for child in children]
    assert worth == [-900, -100, 0]


# -- folding, laying out ---------------------------------------------------------------------------------------------


def test_a_large_tree_is_folded_round_its_best_line() -> None:
    tree = build_tree(Game("abapa"), 4, method="alphabeta")
    folded = unfolded(tree, 40)
    seen = [0]
    for index in seen:
        seen += children_seen(tree, index, folded)
    assert len(seen) <= 60
    assert set(tree.line) <= set(seen)
    assert not folded.cuts
    assert any(index < 0 for index in seen)
    whole = unfolded(tree, None)
    everything = [0]
    for index in everything:
        everything += children_seen(tree, index, whole)
    assert sorted(everything) == list(range(len(tree.nodes)))


@pytest.mark.parametrize("across", [False, True])
@pytest.mark.parametrize("outline", [False, True])
@pytest.mark.parametrize("rules", ["ghana4", "abapa", "tricolor"])
def test_no_two_boards_overlap(rules: str, across: bool, outline: bool) -> None:
    from awale.classroom.tree_layout import STUB, Sizes

    tree = build_tree(Game(rules), 2, method="alphabeta")
    layout = lay_out(tree, unfolded(tree, 60), across=across, outline=outline)
    sizes = Sizes.of(tree)
    boxes = []
    for index, (x, y) in layout.corners.items():
        wide, high = STUB if index < 0 else (sizes.board_width, sizes.height)
        assert 0 <= x <= layout.width - wide
        assert 0 <= y <= layout.height - high
        boxes.append((x, y, x + wide, y + high))
    for place, one in enumerate(boxes):
        for other in boxes[:place]:
            apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
            assert apart, (one, other)


# -- refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "word"),
    [
        ({"depth": 0}, "depth"),
        ({"depth": 13}, "depth"),
        ({"depth": 2, "method": "mcts"}, "minimax, alphabeta, negamax"),
        ({"depth": 2, "evaluation": "hope"}, "gains, material"),
        ({"depth": 12}, "more than 20000 positions"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_a_sentence(asked: dict[str, Any], word: str) -> None:
    with pytest.raises(AwaleError, match=word):
        build_tree(Game("abapa"), **asked)


def test_other_refusals() -> None:
    with pytest.raises(AwaleError, match="three-colour"):
        build_tree(Game("tricolor"), 1, evaluation="kroo")
    over = Game("abapa", start="0-0-0-0-0-0-0-0-0-0-0-0-25-23-S")
    assert over.over
    with pytest.raises(TreeError, match="over"):
        build_tree(over, 2)
    with pytest.raises(TreeError, match="seconds") as slow:
        build_tree(Game("abapa"), 5, seconds=0.0)
    assert "profondeur" in slow.value.sentence("fr")
    with pytest.raises(TreeError) as large:
        build_tree(Game("abapa"), 3, most_nodes=100)
    assert "at depth 2 it has 43" in str(large.value)


def test_the_answer_is_plain_json() -> None:
    tree = build_tree(Game("tricolor"), 1)
    answer = json.loads(json.dumps(as_dict(tree)))
    assert answer["nodes"][0]["board"][0] == [2, 2, 2]
    assert answer["steps"][-1] == {"do": "done", "node": 0, "value": answer["value"]}
    assert answer["visited"] == len(answer["nodes"]) == 33


def test_a_tree_needs_no_compiler() -> None:
    code = "import sys, awale.classroom.tree_html, awale.classroom.tree_svg\n"
    code += "assert not {'numba', 'numpy', 'fastapi'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_reports_evaluations_value_the_leaves_of_the_three_colour_tree() -> None:
    from awale.search import tricolor_2025

    for name in ("raw", "defence", "corrected"):
        tree = build_tree(Game("tricolor"), 1, evaluation=name)
        for leaf in (tree.nodes[child] for child in tree.root.children):
            game = Game("tricolor", moves=str(leaf.move))
            assert leaf.value == round(10_000 * tricolor_2025.evaluate(game, name))
        assert "the 2025 report's" in tree_words.about(tree, "en")
        assert "Values for J1" in tree_words.about(tree, "en")
    assert "threatened pits" in tree_words.about(build_tree(Game("abapa"), 1, evaluation="defence"), "en")
    with pytest.raises(AwaleError, match="three-colour"):
        build_tree(Game("abapa"), 1, evaluation="corrected")
