"""Single-lap games by proof: the values of the tables and of the plain solver, and strategies that can be walked."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from awale import Game, checksums, tables
from awale.cli import main
from awale.errors import RulesError
from awale.kernels import convert
from awale.rules import reference
from awale.search import certificate, proof, single_lap
from awale.search.claims import MARGIN, TABLED, THEIRS, Claim
from awale.search.single_lap import ProvedValues, Prover, Settled, prove_values
from awale.search.solve import Cancelled, Proof
from awale.tables import verify
from awale.tables.board_values import board_values
from tests.tables import oracle

VILLAGE = "casabianca:capture=opposite,feeding=free,starved=passes,no_move=own-side"
WITHOUT_TABLES = ["awari:pits=1,seeds=2", "awari:pits=2,seeds=1", "awari:pits=2,seeds=2", "wikipedia:pits=2,seeds=2"]
WITHOUT_TABLES += ["casabianca:pits=2,seeds=3", "casabianca:pits=1,seeds=1", f"{VILLAGE},pits=2,seeds=2"]
WITHOUT_TABLES += ["wikipedia:pits=3,seeds=1,feeding=free", "awari:pits=3,seeds=1,capture=opposite,no_move=nobody"]


@pytest.mark.parametrize("name", WITHOUT_TABLES)
def test_small_boards_without_tables_agree_with_the_plain_solver(name: str) -> None:
    """Nothing but the search: cycles are everywhere on these boards."""
    game = Game(name)
    values = oracle.solve_even(game.rules, game.rules.total)
    found = prove_values(game)
    assert set(found.value) == {values[game.counts]}
    for move in game.legal_moves:
        after = game.copy()
        after.push(move)
        taken = after.scores[0] - after.scores[1]
        later = 0 if after.over else values[oracle.turned(after.counts)]
        assert set(found.moves[str(move)]) == {taken - later}, move


LAYERS = ["awari:pits=2,seeds=2", "wikipedia:pits=2,seeds=3,few_seeds=2", "casabianca:pits=2,seeds=2"]
# Whoever has no seed may be to move, and what that is worth is not what it is worth elsewhere.
LAYERS += ["awari:pits=2,seeds=2,no_move=nobody", "casabianca:pits=2,seeds=2,feeding=free"]


@pytest.mark.parametrize("name", LAYERS)
def test_every_position_of_a_layer_agrees(name: str) -> None:
    """Also positions that no game reaches, each with a table of its own and with one that remembers the others."""
    rules = Game(name).rules
    seeds = 7
    values = oracle.solve_even(rules, seeds)
    shared = Prover(rules)
    checked = 0
    for board in oracle.boards(rules.holes, seeds):
        start = "-".join(map(str, board)) + "-1-0-S"
        game = Game(shared.plain, start=start)
        if game.over:
            continue
        checked += 1
        value = values[board] + 1
        assert set(prove_values(game, shared, moves=False).value) == {value}, start
        if checked % 10 == 0:
            alone = Prover(rules)
            assert alone.settle(alone.state(game), 1, -value).holds, start
            assert not alone.settle(alone.state(game), 1, 1 - value).holds, start
    assert checked > 50
    assert shared.repetitions > 0


OPEN = ["abapa:pits=1,seeds=2", "abapa:pits=2,seeds=1", "abapa:pits=2,seeds=2", "abapa:pits=3,seeds=1"]
OPEN += ["wikipedia:pits=2,seeds=2,repetition=own-side", "casabianca:pits=2,seeds=2,repetition=own-side,feeding=free"]


@pytest.mark.parametrize("leaves", [0, 6])
@pytest.mark.parametrize("name", OPEN)
def test_where_a_cycle_may_be_worth_anything_two_bounds_are_proved(name: str, leaves: int) -> None:
    game = Game(name)
    bounds = oracle.solve(game.rules, game.rules.total)
    opened = tables.compute(game.rules, min(leaves, game.rules.total - 2))
    found = prove_values(game, Prover(game.rules, opened.table_set))
    assert found.value == bounds[game.counts]
    for move in game.legal_moves:
        after = Game(game.rules.variant(win_at=None))
        after.push(move)
        taken = after.scores[0] - after.scores[1]
        low, high = (0, 0) if after.over else bounds[oracle.turned(after.counts)]
        assert found.moves[str(move)] == (taken - high, taken - low), move
    assert found.complete
    again = ProvedValues.of(game, found.settled)
    assert again.value.least <= found.value.least <= found.value.most <= again.value.most


@pytest.mark.parametrize("name", ["abapa:pits=2,seeds=2", "wikipedia:pits=2,seeds=3,repetition=own-side"])
def test_the_bounds_of_every_position_of_a_layer(name: str) -> None:
    rules = Game(name).rules
    seeds = 7
    bounds = oracle.solve(rules, seeds)
    shared = Prover(rules)
    for board in oracle.boards(rules.holes, seeds):
        game = Game(shared.plain, start="-".join(map(str, board)) + "-1-0-S")
        if game.over:
            continue
        low, high = bounds[board]
        found = ProvedValues.of(Game(rules, start=game.position))
        assert prove_values(game, shared, moves=False, found=found).value == (low + 1, high + 1), board


BOARDS = ["awari:pits=3,seeds=3", "wikipedia:pits=3,seeds=3", "casabianca:pits=4,seeds=2", "awari:pits=4,seeds=2"]


@pytest.mark.parametrize("name", BOARDS)
def test_proof_and_table_agree(name: str, tmp_path: Path) -> None:
    game = Game(name)
    by_table = board_values(tables.compute(game.rules, game.rules.total, dir=tmp_path), game)
    leaves = tables.compute(game.rules, game.rules.total - 6, dir=tmp_path)
    for threads in (1, 2):
        found = prove_values(game, Prover(game.rules, leaves.table_set, threads))
        assert tuple(found.value) == tuple(by_table.value)
        assert list(found.moves.items()) == [(move, tuple(value)) for move, value in by_table.moves.items()]
        assert sum(claim.closed[TABLED - 1] for claim in found.settled) > 0
        assert all(claim.walked > 0 for claim in found.settled)


def test_a_move_that_settles_a_position_on_one_line_only_is_not_stored() -> None:
    """Another move may settle it on every line: the strategy has to play that one."""
    game = Game("awari:pits=5,seeds=1")
    by_table = board_values(tables.compute(game.rules, game.rules.total), game)
    found = prove_values(game, moves=False)
    assert tuple(found.value) == tuple(by_table.value)


def test_a_strategy_reaches_the_tables_by_the_plain_rules(tmp_path: Path) -> None:
    """Replay both strategies of a value with the reference: every line ends in a table entry, an end of the game, too
    few seeds to change anything or a cycle, and that is worth what was claimed."""
    game = Game("awari:pits=3,seeds=3")
    opened = tables.compute(game.rules, 10, dir=tmp_path)
    prover = Prover(game.rules, opened.table_set)
    value = prove_values(game, prover).value.least
    ends = 0

    def follow(
        shown: Proof, position: reference.Position, line: tuple[reference.Position, ...], done: set[Any]
    ) -> None:
        nonlocal ends
        claim, holds = shown.claim, shown.holds
        kept = shown.kept(convert.pack_position(game.rules, position))
        assert kept is not None
        moves = reference.legal_moves(prover.plain, position)
        if kept[0] != certificate.ALL:
            moves = [convert.move_of(game.rules, position.turn, kept[0])]
            assert (position.turn == claim.x) == holds
        for move in moves:
            after = reference.play(prover.plain, position, move)
            state = after.position._replace(ply=0)
            margin = state.scores[0] - state.scores[1]
            left = sum(reference.counts(state.board))
            certain = margin + left < claim.margin or margin - left >= claim.margin
            if after.reason is None and left > 10 and not certain and state not in line:
                if state not in done:
                    follow(shown, state, (*line, state), done)
                continue
            if after.reason is None and left <= 10:
                found = opened.probe(Game(prover.plain, start=state))
                assert found is not None
                margin += found.seeds if state.turn == 0 else -found.seeds
            ends += 1
            assert (margin >= claim.margin) == holds
        done.add(position)

    for margin in (value, value + 1):
        shown = prover.settle(prover.state(game), 0, margin)
        shown.check()
        assert (margin <= value) == shown.holds
        follow(shown, game.state, (game.state,), set())
    assert ends > 100


def test_a_wrong_strategy_does_not_stand_the_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever moves the transposition table suggests, a false claim is not confirmed."""
    for name, leaves in (("awari:pits=3,seeds=3", 10), ("casabianca:pits=3,seeds=2", 0)):
        game = Game(name)
        opened = tables.compute(game.rules, leaves, dir=tmp_path)
        value = board_values(tables.compute(game.rules, game.rules.total, dir=tmp_path), game).value.least
        tried: Counter[tuple[int, int]] = Counter()

        def suggest(found: Proof, missing: Any, tried: Counter[tuple[int, int]] = tried) -> None:
            key = int(proof.first_key(found.claim, missing)), int(missing[THEIRS])
            tried[key] += 1
            proof.store_entry(found.table, *key, *((0, 1) if found.holds else (1, 0)), tried[key] % 3, 1)

        monkeypatch.setattr(Proof, "_fill", suggest)
        for margin, holds in ((value + 1, True), (value + 4, True), (value, False), (value - 4, False)):
            prover = Prover(game.rules, opened.table_set)
            claimed = Proof(
                prover.plain,
                Claim(0, margin, 0, MARGIN),
                prover.state(game),
                tables=opened.table_set,
                entries=1000,
                holds=holds,
            )
            with pytest.raises(AssertionError, match=f"code {certificate.WRONG}"):
                claimed.check()
        # Nor by the end of a game: whoever is to move cannot.
        ended = prover.state(Game(prover.plain, start="0-0-0-1-0-0-3-2-S"))
        with pytest.raises(AssertionError, match=f"code {certificate.WRONG}"):
            Proof(prover.plain, Claim(0, 7, 0, MARGIN), ended, entries=1000, holds=True).check()


def test_what_is_refused() -> None:
    for name in ("upsti", "ghana", "awari:pits=7,seeds=1"):
        with pytest.raises(RulesError):
            prove_values(Game(name))


def test_a_finished_game_and_a_position() -> None:
    assert prove_values(Game("awari", start="0-0-0-0-0-0-0-0-0-0-0-0-30-18-S")).value == (12, 12)
    assert prove_values(Game("awari", start="0-1-0-0-1-0-0-0-0-0-0-1-22-23-S")).value == (2, 2)


def test_what_is_known_while_claims_are_settled() -> None:
    """After every claim the bounds hold, and what was recorded so far gives the same bounds again."""
    game = Game("wikipedia:pits=3,seeds=2")
    final = prove_values(game)
    assert final.value == (8, 8)
    recorded: list[Settled] = []
    known = ProvedValues.of(game)

    def look(claim: Settled) -> None:
        recorded.append(claim)
        assert (known.value, known.moves) == ((again := ProvedValues.of(game, recorded)).value, again.moves)
        assert known.value.least <= 8 <= known.value.most
        for move, bounds in final.moves.items():
            assert known.moves[move].least <= bounds.least <= known.moves[move].most

    prove_values(game, found=known, record=look)
    assert recorded == known.settled
    for half in (recorded[::2], recorded[1::2]):
        rest = prove_values(game, found=ProvedValues.of(game, half))
        assert (rest.value, rest.moves) == (final.value, final.moves)
    assert prove_values(game, found=ProvedValues.of(game, recorded)).settled == recorded


@pytest.mark.parametrize("name", ["awari:pits=3,seeds=2", "casabianca:pits=4,seeds=1", "awari:pits=4,seeds=2"])
def test_the_value_alone_asks_nothing_that_is_known(name: str) -> None:
    """Whether another move also reaches what one does is not asked; nor are its claims forgotten afterwards."""
    game = Game(name)
    known = ProvedValues.of(game)
    before = [known.value.least]

    def look(claim: Settled) -> None:
        assert claim.margin > before[0]
        before[0] = known.value.least

    prove_values(game, moves=False, found=known, record=look)
    assert known.value == prove_values(game).value


@pytest.mark.parametrize("name", ["casabianca:pits=3,seeds=2", "awari:pits=4,seeds=2", "casabianca:pits=4,seeds=1"])
def test_a_claim_that_takes_long_is_put_off_once_the_value_is_known(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(name)
    by_table = board_values(tables.compute(game.rules, game.rules.total), game)
    monkeypatch.setattr(single_lap, "FIRST_SEARCH", 1)
    monkeypatch.setattr(single_lap, "FIRST_LIMIT", 4)
    known = ProvedValues.of(game)
    asked: list[tuple[str, int]] = []
    put_off: list[int] = []
    settle = Prover.settle

    def look(prover: Prover, state: Any, player: int, margin: int, most: int | None = None, **given: Any) -> Proof:
        value_known = known.value.exact
        assert value_known or margin > known.value.least
        done = settle(prover, state, player, margin, most, **given)
        asked.append((known.asked, margin))
        if value_known and most == single_lap.FIRST_LIMIT and done.holds is None:
            put_off.append(len(asked) - 1)
        return done

    monkeypatch.setattr(Prover, "settle", look)
    prove_values(game, found=known)
    assert known.moves == by_table.moves
    move, margin = asked[put_off[0]]
    assert asked[put_off[0] + 1][0] != move
    assert (move, margin) in [(claim.move, claim.margin) for claim in known.settled]


def test_a_walk_ends_although_the_table_forgets_most_moves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two positions of one line may have room for only one of them in the table."""
    game = Game("awari:pits=4,seeds=3")
    opened = tables.compute(game.rules, 10, dir=tmp_path)
    prover = Prover(game.rules, opened.table_set, entries=1000)
    shown = prover.settle(prover.state(game), 0, 0)
    assert shown.holds is False
    fill = Proof._fill

    def count(found: Proof, missing: Any) -> None:
        assert found.refilled <= 100_000, "the walk does not end"
        fill(found, missing)

    monkeypatch.setattr(Proof, "_fill", count)
    begun_with = []
    walk = certificate.walk

    def look(*given: Any) -> int:
        begun_with.append(int(given[7].kept[0]))
        return int(walk(*given))

    monkeypatch.setattr(certificate, "walk", look)
    shown.check()
    assert shown.refilled > 0
    # What counts is one pass that was not interrupted.
    assert begun_with[-1] == 0
    shown.cancel()
    with pytest.raises(Cancelled):
        shown.check()


def test_a_deadline_ends_the_search_and_not_the_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game("awari:pits=4,seeds=3")
    opened = tables.compute(game.rules, 10, dir=tmp_path)
    prover = Prover(game.rules, opened.table_set, entries=1000)
    now, check = [0.0], Proof.check

    def check_later(found: Proof) -> certificate.Strategy:
        now[0] = 2.0
        return check(found)

    monkeypatch.setattr("awale.search.solve.time.monotonic", lambda: now[0])
    monkeypatch.setattr(Proof, "check", check_later)
    shown = prover.settle(prover.state(game), 0, 0, until=1.0, check=True)
    assert shown.holds is False
    assert shown.refilled > 0  # so it had to search again
    assert prover.settle(prover.state(game), 0, -4, until=1.0).holds is None


@pytest.mark.parametrize("as_json", [False, True])
def test_an_interrupted_proof_keeps_what_it_settled(
    as_json: bool, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWALE_CACHE_DIR", str(tmp_path / "cache"))
    command = ["solve", "--rules", "wikipedia:pits=3,seeds=2", "--dir", str(tmp_path), "--method", "proof"]
    command += ["--leaves", "0", *(["--json"] if as_json else [])]
    settle = Prover.settle
    interruptions = [KeyboardInterrupt]

    def interrupt(prover: Prover, state: Any, player: int, margin: int, *given: Any) -> Proof:
        if margin == 2 and interruptions:  # all claims about smaller margins are settled and walked
            raise interruptions.pop()
        return settle(prover, state, player, margin, *given)

    monkeypatch.setattr(Prover, "settle", interrupt)
    assert main(command) == 130
    said = capsys.readouterr()
    assert "run the same command to resume" in said.err
    if as_json:
        partial = json.loads(said.out)
        assert (partial["complete"], partial["claims"]) == (False, 3)
        least, most = partial["value"]
        assert least <= 8 <= most
    else:
        assert "as far as it is proved" in said.out
    (claims,) = (tmp_path / "cache").rglob("claims.jsonl")
    head, first, second, third = claims.read_text().splitlines()
    other = json.dumps(checksums.sealed({"claim": "of another version"}))
    second = second.replace("nodes", "Nodes")
    claims.write_text("\n".join([head, first, second, other, third[:-5]]))  # damaged and cut off, too
    assert main(command) == 0
    said = capsys.readouterr()
    assert "1 claim settled" in said.err
    assert (json.loads(said.out)["value"] == 8) if as_json else ("wins by 8 seeds" in said.out)
    assert not claims.exists()
    assert main([*command, "--fresh"]) == 0
    assert "settled" not in capsys.readouterr().err
    # Where nothing can be kept, nothing is promised.
    (tmp_path / "file").touch()
    monkeypatch.setenv("AWALE_CACHE_DIR", str(tmp_path / "file"))
    interruptions.append(KeyboardInterrupt)
    assert main(command) == 130
    assert "resume" not in capsys.readouterr().err


def test_what_is_proved_for_the_value_is_kept_for_the_moves(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWALE_CACHE_DIR", str(tmp_path / "cache"))
    command = ["solve", "--rules", "awari:pits=3,seeds=3", "--dir", str(tmp_path), "--method", "proof", "--json"]
    assert main([*command, "--value-only"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["value"] == 0
    # The best moves are those that are proved to be worth it, not all that might be.
    assert facts["best"] == [move for move, value in facts["moves"].items() if value == 0]
    assert main(command) == 0
    said = capsys.readouterr()
    assert f"{facts['claims']} claim" in said.err
    assert json.loads(said.out)["best"] == ["A", "B"]
    assert not list((tmp_path / "cache").rglob("claims.jsonl"))


def test_a_resumed_proof_says_what_its_claims_rest_on(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWALE_CACHE_DIR", str(tmp_path / "cache"))
    command = ["solve", "--rules", "awari:pits=3,seeds=2", "--dir", str(tmp_path), "--method", "proof", "--json"]
    assert main([*command, "--value-only", "--leaves", "8"]) == 0
    capsys.readouterr()

    def interrupt(*given: Any) -> int:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(verify, "check_sample", interrupt)
        assert main([*command, "--leaves", "2"]) == 130
    said = capsys.readouterr()
    assert "before anything was proved" not in said.err
    assert json.loads(said.out)["claims"] > 0
    assert main([*command, "--leaves", "2"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["closed"]["table"] > 0
    assert facts["table_seeds"] == 8


def test_claims_about_another_position_prove_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWALE_CACHE_DIR", str(tmp_path / "cache"))
    command = ["solve", "--rules", "casabianca:pits=3,seeds=2", "--dir", str(tmp_path), "--method", "proof", "--json"]
    assert main([*command, "2-2-2-2-2-2-0-0-N", "--value-only"]) == 0
    (other,) = (tmp_path / "cache").rglob("claims.jsonl")
    assert main([*command, "--value-only"]) == 0
    (claims,) = set((tmp_path / "cache").rglob("claims.jsonl")) - {other}
    claims.write_bytes(other.read_bytes())
    capsys.readouterr()
    assert main(command) == 0
    said = capsys.readouterr()
    assert "settled" not in said.err
    assert json.loads(said.out)["value"] == 6


def test_a_proof_does_not_rest_on_wrong_tables(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compute = tables.compute

    def spoilt(*given: Any, **more: Any) -> tables.Tables:
        opened = compute(*given, **more)
        opened._layers[8].codes[:] = opened._layers[8].codes[0]
        return opened

    monkeypatch.setattr(tables, "compute", spoilt)
    command = ["solve", "--rules", "wikipedia:pits=4,seeds=2", "--dir", str(tmp_path), "--leaves", "8"]
    for how in (["--method", "proof"], ["--campaign", str(tmp_path / "journal.jsonl")]):
        assert main([*command, *how]) == 2
        assert "but its moves give" in capsys.readouterr().err


def test_a_board_with_too_many_pits_is_refused_for_its_pits(capsys: pytest.CaptureFixture[str]) -> None:
    """Fewer seeds would not help."""
    assert main(["solve", "--rules", "awari:pits=7"]) == 2
    assert "7 pits per side" in capsys.readouterr().err


def test_an_interruption_before_anything_is_proved_is_said(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*given: Any) -> Proof:
        raise KeyboardInterrupt

    monkeypatch.setattr(Prover, "settle", interrupt)
    assert main(["solve", "--rules", "casabianca:pits=3,seeds=2", "--dir", str(tmp_path), "--method", "proof"]) == 130
    assert "before anything was proved" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "option"),
    [
        ("--rules awari --leaves 5", "--leaves"),
        ("--rules awari --scheduler tcp://127.0.0.1:1", "--scheduler"),
        ("--rules awari --method proof --minutes 3", "--minutes"),
        ("--rules awari --shortest", "--shortest"),
        ("--rules awari --book FILE", "--book"),
        ("--rules awari --campaign FILE --fresh", "--fresh"),
        ("--rules ghana4 --campaign FILE", "--campaign"),
        ("--rules ghana4 --method table", "--method"),
        ("--rules ghana4 --book FILE --each", "--each"),
        ("--results --rules awari", "--rules"),
        ("--results 4-4-4", "POSITION"),
        ("--table --position 4-4-4", "--position"),
    ],
)
def test_options_without_effect_are_refused(
    given: str, option: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = [str(tmp_path / word) if word == "FILE" else word for word in given.split()]
    assert main(["solve", *words]) == 2
    assert f"{option} has no effect with" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_memory_that_is_not_there_is_not_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "--rules", "awari:pits=2", "--method", "proof", "--memory", "999999999"]) == 2
    assert "does not fit" in capsys.readouterr().err


def test_nobody_is_sent_from_one_method_to_the_other(capsys: pytest.CaptureFixture[str]) -> None:
    for rules, hint in (("abapa", True), ("upsti", False), ("awari:seeds=5", True), ("tricolor", False)):
        assert main(["solve", "--rules", rules]) == 2
        assert ("--method proof" in capsys.readouterr().err) == hint, rules


@pytest.mark.parametrize("name", ["wikipedia:pits=3,seeds=3", "abapa:pits=2,seeds=2"])
def test_the_command_gives_the_same_answer_by_both_methods(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    answers = []
    for method in ("table", "proof"):
        command = ["solve", "--rules", name, "--dir", str(tmp_path), "--method", method, "--json"]
        assert main(command) == 0
        answers.append(json.loads(capsys.readouterr().out))
    assert answers[0]["method"] != answers[1]["method"]
    for field in ("rules", "position", "value", "moves", "exact", "winner", "best"):
        assert answers[0][field] == answers[1][field]
    assert answers[1]["strategy"] > 0


def test_bounds_are_said_to_be_bounds(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    command = ["solve", "--rules", "abapa:pits=2,seeds=2", "--dir", str(tmp_path)]
    assert main([*command, "--method", "proof"]) == 0
    assert "a margin from +6 to +8 (bounds only" in capsys.readouterr().out
    assert main([*command, "--campaign", str(tmp_path / "journal")]) == 2
    assert "--method table or proof" in capsys.readouterr().err


def test_what_rounded_tables_do_not_show_is_asked_again_above_smaller_ones(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A claim fails above tables whose bounds are rounded; one that is proved there holds above any."""
    monkeypatch.setenv("AWALE_CACHE_DIR", str(tmp_path / "cache"))
    name = "abapa:pits=3,seeds=3"
    command = ["solve", "--rules", name, "--dir", str(tmp_path), "--method", "proof", "--json", "--leaves"]
    opened = tables.compute(name, 10)
    closest = prove_values(Game(name), Prover(opened.rules, opened.table_set))
    settle = Prover.settle

    def interrupt(prover: Prover, *given: Any) -> Proof:
        if len(known()) > 20:
            raise KeyboardInterrupt
        return settle(prover, *given)

    def known() -> list[str]:
        return [line for path in (tmp_path / "cache").rglob("claims.jsonl") for line in path.read_text().splitlines()]

    with monkeypatch.context() as patch:
        patch.setattr(Prover, "settle", interrupt)
        assert main([*command, "17"]) == 130
        capsys.readouterr()
    assert main([*command, "10"]) == 0
    said = capsys.readouterr()
    assert "claims settled" in said.err
    facts = json.loads(said.out)
    assert facts["value"] == closest.value.as_json()
    assert facts["moves"] == {move: value.as_json() for move, value in closest.moves.items()}


def test_what_the_command_refuses() -> None:
    assert main(["solve", "--rules", "upsti:pits=2", "--method", "proof"]) == 2
    assert main(["solve", "--rules", "awari:pits=2", "--method", "luck"]) == 2


def test_a_search_that_goes_round_in_cycles_says_so(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("awale.search.solve.LEAST_LIMIT", 500_000)
    monkeypatch.setattr("awale.search.solve.VISITS", 10)
    command = ["solve", "--rules", "awari:pits=3,seeds=2,direction=clockwise,capture=opposite", "--dir", str(tmp_path)]
    assert main([*command, "--method", "proof", "--leaves", "0"]) == 2
    assert "goes round in cycles" in capsys.readouterr().err
    assert main(command) == 0
