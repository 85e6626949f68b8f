"""`awale rules` and `awale show`."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

import awale
from awale.draw import board_svg, board_text
from awale.rules import moves, presets


def test_list(awale_: Callable) -> None:
    said = awale_("rules", "list")
    assert [line.split()[0] for line in said.out.splitlines()] == list(presets.names())
    assert "Trois couleurs" in awale_("rules", "list", "--lang", "fr").out


def test_list_as_json(awale_: Callable) -> None:
    data = json.loads(awale_("rules", "list", "--json").out)
    assert [item["name"] for item in data] == list(presets.names())
    abapa = next(item for item in data if item["name"] == "abapa")
    assert abapa["options"]["grand_slam"] == "takes-nothing"
    assert abapa["win_score"] == 25
    assert abapa["pit_names"] == list("ABCDEFabcdef")
    assert "oware" in abapa["aliases"]
    assert set(abapa["title"]) == {"en", "fr"}


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("name", [*presets.names(), "ghana:pits=1,few_seeds=none,win_at=none", "upsti:move_limit=1"])
def test_show_says_everything(awale_: Callable, name: str, language: str) -> None:
    rules = presets.get(name)
    said = awale_("rules", "show", name, "--lang", language)
    assert said.code == 0
    flat = " ".join(said.out.split())
    assert rules.name in flat
    assert " ".join(rules.description[language].split()) in flat
    assert " ".join(presets.source_text(rules, language).split()) in flat
    for player in (0, 1):
        assert moves.pit_names(rules, player) in flat
    for option in ("sowing", "capture", "no_move"):
        assert f"{option} = {getattr(rules, option)}" in flat
    assert max(map(len, said.out.splitlines())) <= 100
    assert json.loads(awale_("rules", "show", name, "--json").out)["name"] == rules.name


def test_show_an_alias_and_a_village(awale_: Callable, tmp_path: Path) -> None:
    assert awale_("rules", "show", "oware").out.startswith("abapa: ")
    village = tmp_path / "mine.toml"
    village.write_text('base = "abapa"\npits = 5\n', encoding="utf-8")
    assert "2 rows of 5" in awale_("rules", "show", str(village)).out


def test_position_as_text(awale_: Callable) -> None:
    game = awale.Game("ghana4")
    assert awale_("show", "--rules", "ghana4").out == board_text(game) + "\n"
    position = "1-2-3-4-5-6-7-8-0-0-1-2-4-5-N"
    game = awale.Game.from_position(position)
    assert awale_("show", position, "--ascii", "--flip").out == board_text(game, unicode=False, flip=True) + "\n"
    game.push("a")
    assert awale_("show", position, "--moves", "a", "--lang", "fr").out == board_text(game, lang="fr") + "\n"


def test_position_as_picture(awale_: Callable, tmp_path: Path) -> None:
    target = tmp_path / "board.svg"
    said = awale_("show", "startpos", "--rules", "tricolor", "--svg", str(target), "--flip", "--size", "300")
    assert (said.code, said.out, said.err) == (0, "", "")
    assert target.read_text(encoding="utf-8") == board_svg(awale.Game("tricolor"), flip=True, size=300)
    assert awale_("show", "--svg", "-", "--lang", "fr").out == board_svg(awale.Game("abapa"), lang="fr")


def test_position_as_json(awale_: Callable) -> None:
    data = json.loads(awale_("show", "--json", "--moves", "F").out)
    assert data["board"] == [4, 4, 4, 4, 4, 0, 5, 5, 5, 5, 4, 4]
    assert data["turn"] == 1
    assert data["legal_moves"] == list("abcdef")
    assert data["outcome"] is None
    over = json.loads(awale_("show", "0-0-0-0-0-0-0-0-0-0-0-0-30-18-S", "--json").out)
    assert over["outcome"] == {"winner": 0, "scores": [30, 18], "reason": "win"}


def test_the_examples_of_the_documentation_run(
    awale_: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
    examples = [line for line in page.splitlines() if line.startswith("awale show")]
    assert len(examples) >= 4
    monkeypatch.chdir(tmp_path)
    for example in examples:
        assert awale_(*shlex.split(example)[1:]).code == 0, example
    assert len(list(tmp_path.glob("*.svg"))) == len(examples)
