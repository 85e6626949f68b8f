"""The opening book: the files of the package, making one, and who plays by it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from awale import Game
from awale.cli import main
from awale.players import book, make
from awale.rules import get, load

SMALL = ["--positions", "5", "--nodes", "2000"]


@pytest.mark.parametrize("rules", sorted(file.stem for file in book.SHIPPED.iterdir()))
def test_the_books_of_the_package_fit_their_rules(rules: str) -> None:
    system = get(rules)
    lines = (book.SHIPPED / f"{rules}.txt").read_text().splitlines()[1:]
    assert len(lines) == (96 if rules == "ghana4" else book.POSITIONS)
    for line in lines:
        game = Game(system, start=line.partition(" ")[0])
        entry = book.lookup(game)
        assert entry is not None
        assert {one.move for one in entry.moves} == set(game.legal_moves)
        values = [one.value for one in entry.moves]
        assert values == sorted(values, reverse=True)
        assert entry.depth >= 1
    assert book.lookup(Game(system)) is not None


def test_an_interrupted_book_ends_as_without_a_break(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole, cut = tmp_path / "whole.txt", tmp_path / "cut.txt"
    assert main(["book", "make", *SMALL, "--out", str(whole)]) == 0
    text = whole.read_text()
    assert text.count("\n") == 6
    cut.write_text(text[: len(text) * 2 // 3])
    assert main(["book", "make", *SMALL, "--out", str(cut)]) == 0
    assert cut.read_text() == text
    assert main(["book", "make", "--positions", "6", "--nodes", "2000", "--out", str(cut)]) == 2
    assert "first line" in capsys.readouterr().err


def test_a_book_of_this_machine_comes_before_that_of_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWALE_DATA_DIR", str(tmp_path))
    rules = get("abapa")
    before = book.lookup(Game(rules))
    assert before is not None
    assert before.depth > 10
    book.make(rules, book.user_file(rules), positions=1, nodes=200)
    after = book.lookup(Game(rules))
    assert after is not None
    assert after.depth < 10
    assert book.lookup(Game(rules, moves="F")) is None


def test_other_rules_under_the_same_name_have_no_book(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('name = "mine"\nbase = "abapa"\nseeds = 3\n')
    assert book.lookup(Game(load(str(file)))) is None
    assert book.user_file(replace(get("abapa"), seeds=3)) != book.user_file(get("abapa"))


def test_strong_players_play_the_best_move_and_weak_ones_vary() -> None:
    game = Game("abapa")
    entry = book.lookup(game)
    assert entry is not None
    for name in ("engine:8", "engine:10ms"):
        choice = make(name, "abapa").choose(game)
        assert (choice.move, choice.nodes, choice.info["book"]) == (entry.best, 0, entry.depth)
    weak = {make("engine:1", "abapa", seed).choose(game).move for seed in range(40)}
    assert len(weak) > 1
    assert weak <= {one.move for one in entry.near(2.0)}
    assert "book" not in make("engine:d2", "abapa").choose(game).info
    assert "book" not in make("engine:nodes=100", "abapa").choose(game).info


def test_the_command_and_the_analysis_show_the_book(capsys: pytest.CaptureFixture[str]) -> None:
    entry = book.lookup(Game("abapa"))
    assert entry is not None
    assert main(["book", "show"]) == 0
    said = f"book, depth {entry.depth}: {entry.best} "
    assert capsys.readouterr().out.startswith(said)
    assert main(["analyse", "--depth", "2"]) == 0
    assert said in capsys.readouterr().out
    assert main(["analyse", "--depth", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["book"] == entry.as_json()
    assert main(["book", "show", "0-0-0-0-0-1-0-0-0-0-0-1-24-22-S"]) == 0
    assert capsys.readouterr().out == "not in the opening book\n"
