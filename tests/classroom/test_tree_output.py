"""`awale tree`: in the terminal, as a picture, as a file, as JSON; and what the pictures hold."""

from __future__ import annotations

import io
import json
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from awale import Game, i18n
from awale.classroom.tree import build_tree
from awale.classroom.tree_examples import EXAMPLES
from awale.classroom.tree_html import MODULES, tree_page, viewer_texts
from awale.classroom.tree_svg import tree_svg
from awale.classroom.tree_text import tree_text
from awale.classroom.tree_words import value_text
from awale.cli import main

STATIC = Path("src/awale/web/static")
CUT = EXAMPLES["four-pits-cut"]


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWALE_LANG", "en")
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    before = i18n.language()
    try:
        return main(("tree", *arguments)), *capsys.readouterr()
    finally:
        i18n.set_language(before)


def test_in_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "--rules", "ghana4", "--depth", "2")
    assert (code, err) == (0, "")
    assert out == (
        "Ghana on four pits · minimax, depth 2\n"
        "Leaves: difference of captured seeds. Values in seeds for South.\n"
        "\n"
        "▲ max  [4 4 / 4 4] 0-0  +5\n"
        "├─ 1 ▼ min  [0 5 / 1 5] 5-0  +5  captures 5\n"
        "│  └─ 3        [7 0 / 1 3] 5-0  +5\n"
        "└─ 2 ▼ min  [5 0 / 5 1] 5-0  −1  captures 5\n"
        "   └─ 4        [1 1 / 3 0] 5-6  −1  captures 6\n"
        "\n"
        "South plays 1: +5.\n"
        "5 of 5 positions visited, plain minimax visits them all.\n"
    )


def test_cuts_in_plain_letters_and_in_french(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--example", "four-pits-cut", "--ascii")
    assert code == 0
    assert out.isascii()
    assert ">= +8  alpha +8 >= beta +6" in out
    assert "9 of 13 positions visited, 31% fewer than plain minimax, 2 branches cut." in out
    _, french, _ = run(capsys, "--example", "four-pits-cut", "--lang", "fr")
    assert "Sud joue 1 : +6." in french
    assert "9 positions visitées sur 13, 31 % de moins que minimax, 2 branches coupées." in french


def test_a_large_tree_is_folded_in_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "--depth", "4")
    assert "more positions (--all shows them)" in out
    assert len(out.splitlines()) < 110
    _, whole, _ = run(capsys, "--depth", "4", "--all")
    assert len(whole.splitlines()) == 1247 + 6


def test_json_svg_and_html(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    picture, page = tmp_path / "tree.svg", tmp_path / "tree.html"
    code, out, err = run(
        capsys, "2-5-3-5-0-1-S", "-r", "ghana4", "--method", "alphabeta", "--eval", "gains", "--json",
        "--svg", str(picture), "--html", str(page),
    )  # fmt: skip
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert (found["visited"], found["minimax"], found["best"], found["value"]) == (9, 13, "1", 600)
    assert ET.parse(picture).getroot().tag.endswith("svg")
    assert "<script" in page.read_text(encoding="utf-8")
    code, out, _ = run(capsys, "-r", "ghana4", "--svg", "-")
    assert out.startswith("<svg")


@pytest.mark.parametrize(
    "wrong",
    [
        ("--depth", "0"),
        ("--depth", "40"),
        ("--depth", "9"),
        ("--method", "guess"),
        ("--eval", "hope"),
        ("--example", "nothing"),
        ("--rules", "chess"),
        ("1-2-3",),
        ("--svg", "/no/such/folder/tree.svg"),
    ],
)
def test_bad_input_is_one_line(capsys: pytest.CaptureFixture[str], wrong: tuple[str, ...]) -> None:
    code, out, err = run(capsys, *wrong)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1, err


# -- what the pictures hold ------------------------------------------------------------------------------------------


def texts(picture: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(picture).iter() if element.tag.endswith("text")]


def test_a_picture_has_every_value_and_every_cut() -> None:
    tree = build_tree(Game(CUT.rules, start=CUT.position), CUT.depth, method=CUT.method, evaluation=CUT.evaluation)
    shown = texts(tree_svg(tree, lang="en"))
    for node in tree.nodes:
        if node.value is not None:
            assert value_text(node.value, "en", bound=node.bound) in shown
    assert {"α +8 ≥ β +6", "α +6 ≥ β −8"} <= set(shown)
    assert [text for text in shown if text in ("max", "min", "leaves")] == ["max", "min", "max", "leaves"]
    assert tree_svg(tree, lang="fr") == tree_svg(tree, lang="fr")
    assert "feuilles" in texts(tree_svg(tree, lang="fr"))


@pytest.mark.parametrize(
    ("rules", "depth"), [("abapa", 3), ("tricolor", 2), ("ghana:pits=12,seeds=2", 1), ("upsti", 2)]
)
def test_any_tree_is_a_picture(rules: str, depth: int) -> None:
    for method in ("minimax", "alphabeta", "negamax"):
        tree = build_tree(Game(rules), depth, method=method)
        assert len(texts(tree_svg(tree))) > 20
        assert tree_text(tree, colour=True).count("\x1b[0m") >= 4


def test_values_as_people_write_them() -> None:
    assert [value_text(value, "en") for value in (0, 100, -50, 1_000_014, -1_000_003, None)] == [
        "0", "+1", "−0.5", "won +14", "lost −3", "?",
    ]  # fmt: skip
    assert value_text(-1_000_003, "fr") == "perdu −3"


def test_a_page_fetches_nothing() -> None:
    page = tree_page(build_tree(Game("ghana4"), 2), lang="fr")
    assert '<html lang="fr">' in page
    addresses = set(re.findall(r"https?://[^\s\"'`)]+", page)) - {"http://www.w3.org/2000/svg"}
    assert addresses == set()
    assert not re.search(r"^\s*(import|export)\b", page, re.MULTILINE)
    assert "default-src 'none'" in page


def test_a_name_cannot_break_out_of_the_page() -> None:
    from awale.rules import get

    rules = get("ghana4").variant(name="x", title={"en": "</script><b>&", "fr": "</script><b>&"})
    page = tree_page(build_tree(Game(rules), 1), lang="en")
    assert page.count("</script>") == 2
    assert "<b>" not in page
    assert "</script><b>" not in tree_svg(build_tree(Game(rules), 1))


def test_every_text_that_the_drawn_tree_asks_for_exists() -> None:
    known = set(viewer_texts("en"))
    asked: set[str] = set()
    for name in MODULES:
        code = (STATIC / name).read_text(encoding="utf-8")
        asked |= set(re.findall(r'\.text\("([\w.-]+)"', code))
        asked |= {f"view.{key}" for key in re.findall(r'\bcalled\("([\w-]+)"', code)}
    assert len(asked) > 30
    assert asked - known == set()
    built = "enter-max enter-min enter-own leaf leaf-none rise-first rise-larger rise-smaller rise-kept"
    built += " sum-first sum-better sum-kept"
    assert {f"view.say.{key}" for key in built.split()} <= known
