"""Boards solved by a table in memory: the values of the plain-Python solver, nothing written, and what is shipped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from awale import Game, tables
from awale.bounds import bounds_of
from awale.cli import main
from awale.search.single_lap import ProvedValues, Prover, Settled, prove_values
from awale.tables import TablesError
from awale.tables.board_values import (
    BOARD_RULES,
    BOARDS,
    Bounds,
    all_shipped,
    board_values,
    shipped,
    solve_boards,
)
from tests.tables import oracle

SMALL = [
    f"{rules}:pits={pits},seeds={seeds}" for rules in BOARD_RULES for pits, seeds in ((1, 2), (1, 4), (2, 1), (2, 2))
]
SMALL += ["awari:pits=3,seeds=1", "casabianca:pits=2,seeds=3"]


@pytest.mark.parametrize("name", SMALL)
def test_a_board_has_the_values_of_the_plain_solver(name: str, tmp_path: Path) -> None:
    game = Game(name)
    found = board_values(tables.compute(game.rules, game.rules.total, dir=tmp_path), game)
    if name.startswith("abapa"):
        known: dict[oracle.Counts, tuple[int, int]] = oracle.solve(game.rules, game.rules.total)
        least, most = known[game.counts]
        # Each byte of a layer stands for two bounds, rounded outwards from eleven seeds on.
        assert found.value.least <= least <= most <= found.value.most
        assert game.rules.total > 10 or found.value == (least, most)
    else:
        values = oracle.solve_even(game.rules, game.rules.total)
        assert found.value == Bounds(values[game.counts], values[game.counts])
        for move in game.legal_moves:
            after = game.copy()
            after.push(move)
            taken = after.scores[0] - after.scores[1]
            later = 0 if after.over else values[oracle.turned(after.counts)]
            assert found.moves[str(move)] == Bounds(taken - later, taken - later), move
    assert list(tmp_path.iterdir()) == []


def test_captured_seeds_count(tmp_path: Path) -> None:
    opened = tables.compute("awari", 3, dir=tmp_path)
    start = "0-1-0-0-1-0-0-0-0-0-0-1-22-23-S"
    assert board_values(opened, Game("awari", start=start)).value == Bounds(2, 2)
    with pytest.raises(TablesError):
        board_values(opened, Game("awari"))


def test_a_table_in_memory_starts_from_the_files(tmp_path: Path) -> None:
    tables.build("awari", 4, dir=tmp_path)
    steps = []
    opened = tables.compute("awari", 6, dir=tmp_path, progress=lambda status: steps.append((status.layer, status.step)))
    assert (4, "read") in steps
    assert (4, "solve") not in steps
    assert opened.folder is None
    assert bytes(opened.layer_bytes(4)) == bytes(tables.open("awari", tmp_path).layer_bytes(4))
    assert tables.compute("awari", 4, dir=tmp_path).folder is not None
    with pytest.raises(TablesError):
        opened.path(3)
    with pytest.raises(TablesError):
        opened.header(3)


def test_a_goal_below_half_is_refused(tmp_path: Path) -> None:
    game = Game("wikipedia", start="-".join(["5"] * 12) + "-0-0-S")
    with pytest.raises(TablesError, match="goal"):
        board_values(tables.compute("wikipedia", 1, dir=tmp_path), game)


@pytest.mark.parametrize("rules", BOARD_RULES)
def test_the_shipped_boards_can_be_computed_again(rules: str) -> None:
    boards = [(pits, seeds) for pits, seeds in BOARDS if 2 * pits * seeds <= 12]
    for entry in solve_boards(rules, boards):
        game = Game(f"{rules}:pits={entry['pits']},seeds={entry['seeds']}")
        found = shipped(game.rules)
        assert found is not None
        if rules == "abapa":  # closer bounds are shipped
            assert all(_contains(entry["moves"][move], value) for move, value in found.moves.items())
            assert _contains(entry["value"], found.value)
        else:
            assert found.value.as_json() == entry["value"]
            assert {move: value.as_json() for move, value in found.moves.items()} == entry["moves"]


def _contains(known: int | list[int], value: Bounds) -> bool:
    least, most = bounds_of(known)
    return least <= value.least <= value.most <= most


def test_the_shipped_bounds_are_the_closest() -> None:
    """Above tables of up to ten seeds a proof finds the closest bounds that hold however a cycle is scored."""
    checked = 0
    for entry in all_shipped():
        game = Game(f"{entry['rules']}:pits={entry['pits']},seeds={entry['seeds']}")
        if "proof" in entry and game.rules.total <= 16:
            leaves = tables.compute(game.rules, min(10, game.rules.total))
            proved = prove_values(game, Prover(game.rules, leaves.table_set))
            assert proved.value.as_json() == entry["value"]
            assert {move: value.as_json() for move, value in proved.moves.items()} == entry["moves"]
            checked += 1
    assert checked > 10


def test_shipped_values_follow_from_their_moves() -> None:
    for entry in all_shipped():
        found = shipped(Game(f"{entry['rules']}:pits={entry['pits']},seeds={entry['seeds']}").rules)
        assert found is not None
        if found.moves:
            assert found.value.most == max(value.most for value in found.moves.values())
            assert found.value.least >= max(value.least for value in found.moves.values())
        if entry["rules"] != "abapa" and "claims" not in entry:
            assert found.value.exact


def test_the_full_board_follows_from_its_claims() -> None:
    """What is shipped about 2x6 with four seeds is what the settled claims say; `awari` is known to be a draw."""
    full = {entry["rules"]: entry for entry in all_shipped() if "claims" in entry}
    assert list(full) == ["awari", "wikipedia", "casabianca"]
    for name, entry in full.items():
        found = shipped(Game(name).rules)
        assert found is not None
        proved = ProvedValues.of(Game(name), [Settled(**claim) for claim in entry["claims"]])
        assert tuple(found.value) == tuple(proved.value)
        assert list(found.moves.items()) == [(move, tuple(value)) for move, value in proved.moves.items()]
    assert [entry["value"] for entry in full.values()] == [0, 0, 0]


def test_one_bound_is_shown_where_the_other_says_nothing() -> None:
    shown = [Bounds(*bounds).within(48) for bounds in ((-48, -1), (0, 48), (-48, 48), (-3, 2), (5, 5), (48, 48))]
    assert [text.replace("\N{NO-BREAK SPACE}", " ") for text in shown] == [
        "≤ -1",
        "≥ 0",
        "-48..+48",
        "-3..+2",
        "+5",
        "+48",
    ]
    assert shipped(Game("awari:pits=2,seeds=2,no_move=nobody").rules) is None


def test_a_board_too_large_for_a_table_is_answered_from_the_results(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "--rules", "wikipedia", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["value"], facts["best"], facts["method"]) == (0, ["F"], "results")
    assert main(["solve", "--rules", "casabianca"]) == 0
    said = capsys.readouterr()
    assert "a draw with best play" in said.out
    assert "shipped" in said.err
    # Neither another position nor other rules.
    assert main(["solve", "5-4-4-4-4-3-4-4-4-4-4-4-0-0-S", "--rules", "awari"]) == 2
    assert main(["solve", "--rules", "abapa"]) == 2


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["solve", "--rules", "awari:pits=3,seeds=2", "--json", "--dir", str(tmp_path)]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["value"], facts["winner"], facts["best"], facts["exact"]) == (3, 0, ["B"], True)
    assert facts["moves"] == {"A": -2, "B": 3, "C": 0}
    assert main(["solve", "--rules", "abapa:pits=2,seeds=2", "--json", "--dir", str(tmp_path)]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["value"], facts["winner"], facts["exact"]) == ([6, 8], 0, False)
    # A move limit belongs to the position: here the value holds within the moves that are left.
    assert main(["solve", "--rules", "upsti:pits=2,seeds=2", "--json", "--dir", str(tmp_path)]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == 6
    assert main(["solve", "--rules", "upsti:pits=2,seeds=2,move_limit=2", "--json", "--dir", str(tmp_path)]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == [-2, 8]
    assert main(["solve", "--rules", "awari:pits=2", "--shortest"]) == 2
    assert main(["solve", "--rules", "awari:pits=7,seeds=1"]) == 2
    capsys.readouterr()
    assert main(["solve", "--results"]) == 0
    printed = capsys.readouterr().out
    assert "| 2x3 | 2 | **+3**" in printed
    docs = Path(__file__).parents[2] / "docs"
    assert printed.strip() in (docs / "single-lap.md").read_text()
    assert main(["--lang", "fr", "solve", "--results"]) == 0
    printed = capsys.readouterr().out.replace("\N{NO-BREAK SPACE}", "\N{NARROW NO-BREAK SPACE}")
    assert printed.strip() in (docs / "fr" / "single-lap.md").read_text()


def test_the_command_computes_a_damaged_layer_in_memory(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    command = ["solve", "--rules", "awari:pits=3,seeds=2", "--json", "--dir", str(tmp_path)]
    tables.build("awari:pits=3,seeds=2", 12, dir=tmp_path, threads=1)
    (path,) = tmp_path.rglob("layer-09.awt")
    data = bytearray(path.read_bytes())
    data[-100] ^= 1
    path.write_bytes(data)
    for method in (["table"], ["proof", "--leaves", "10"]):
        assert main([*command, "--method", *method]) == 0
        said = capsys.readouterr()
        assert json.loads(said.out)["value"] == 3
        assert said.err.count("layer-09.awt: damaged") == 1


@pytest.mark.parametrize(("language", "word"), [("en", "interrupted"), ("fr", "interrompu")])
def test_an_interrupted_table_says_what_would_resume(
    language: str, word: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(tables, "compute", interrupt)
    command = ["solve", "--rules", "awari:pits=3,seeds=2", "--dir", str(tmp_path), "--lang", language]
    assert main(command) == 130
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(word)
    assert f"awale tables build --rules awari:pits=3,seeds=2 --seeds 12 --dir {tmp_path}" in line


def test_a_position_solved_by_itself() -> None:
    """A move is worth what the position after it is worth, by table as by proof, and one of them is the best."""
    game = Game("awari:pits=3,seeds=2", start="1-1-5-1-4-0-0-0-S")
    opened = tables.compute(game.rules, 12)
    found = board_values(opened, game, alone=True)
    assert (found.value, found.moves) == ((2, 2), {"A": (-2, -2), "B": (2, 2), "C": (0, 0)})
    proved = prove_values(game)
    assert (proved.value, proved.moves) == (found.value, found.moves)
