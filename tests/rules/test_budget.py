"""Relays beyond the sowing budget are refused, whoever asks; the presets' boards are followed to the end."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import partial

import pytest

from awale import Game
from awale.cli import main
from awale.errors import NotationError, RulesError, SowingError
from awale.notation import from_data, read_ogn
from awale.protocols.uci_server import UciServer
from awale.rules import SowingBudget, budget, get, positions, reference, sowing_budget

RULES = "ghana:pits=10"
LONG = "2-5-4-3-2-3-4-1-5-4-3-4-3-5-1-3-2-3-4-3-0-0-S"
"""Its first pit sows for minutes."""
ENDLESS = "1-6-3-11-1-0-6-0-4-1-2-11-0-2-N"
"""Under `ghana`; pit 11 comes back after 50,636 laps."""


def ogn() -> None:
    list(read_ogn(io.StringIO(f'[Variant "{RULES}"]\n[FEN "{LONG}"]\n\n1. 1 *\n')))


def json() -> None:
    from_data({"version": 1, "rules": RULES, "start": LONG, "moves": ["1"]})


@pytest.mark.parametrize("read", [partial(Game, RULES, start=LONG), ogn, json])
def test_the_library_refuses_what_takes_minutes(read: Callable[[], object]) -> None:
    with pytest.raises((SowingError, NotationError), match=r"more than 500,000 laps.*AWALE_MAX_LAPS"):
        read()


def test_the_command_line_refuses_it_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "--rules", RULES, "--position", LONG]) == 2
    said = capsys.readouterr().err
    assert "AWALE_MAX_LAPS=N" in said
    assert said.count("\n") == 1


def test_the_uci_server_refuses_it_and_goes_on() -> None:
    said: list[str] = []
    server = UciServer(said.append)
    for line in (f"setoption name UCI_Variant value {RULES}", f"position fen {LONG}", "isready"):
        server.hear(line)
    assert any("AWALE_MAX_LAPS" in line for line in said)
    assert said[-1] == "readyok"


def test_a_move_into_such_a_position_is_refused_and_nothing_is_played() -> None:
    rules = get("ghana:pits=10,endless=ends")
    game = Game(rules, start=LONG)
    with pytest.raises(SowingError):
        game.push("1")
    assert (game.moves, game.position) == ((), LONG)


def test_the_longest_period_of_the_presets_boards_is_found() -> None:
    assert Game("ghana", start="41-0-1-0-1-0-2-1-0-1-0-1-0-0-S").trace("1").period == 37_063_020


def test_the_variable_allows_more_or_less(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWALE_MAX_LAPS", "2000")
    reference._relay.cache_clear()
    with pytest.raises(SowingError, match="2,000"):
        Game("ghana", start=ENDLESS)
    monkeypatch.setenv("AWALE_MAX_LAPS", "60000")
    assert Game("ghana", start=ENDLESS).trace("12").period is None
    monkeypatch.setenv("AWALE_MAX_LAPS", "many")
    reference._relay.cache_clear()
    with pytest.raises(RulesError, match="AWALE_MAX_LAPS"):
        Game("ghana", start=ENDLESS)


def test_what_is_known_already_counts_as_if_it_were_followed_now() -> None:
    assert Game("ghana", start=ENDLESS).trace("11").period == 50_636
    with sowing_budget(2000), pytest.raises(SowingError):
        Game("ghana", start=ENDLESS)


def test_the_moves_of_a_position_share_its_budget() -> None:
    position = positions.read(get("ghana"), ENDLESS)
    sown = [reference.sow(get("ghana"), position.board, move) for move in reference.candidates(get("ghana"), position)]
    longest = max(one.walked for one in sown)
    assert longest > 2000
    with sowing_budget(longest), pytest.raises(SowingError):
        reference.legal_moves(get("ghana"), position)


def test_a_total_is_for_everything_in_the_block() -> None:
    reference._relay.cache_clear()
    allowed = SowingBudget(100_000, 60_000)
    with sowing_budget(allowed):
        Game("ghana", start=ENDLESS)
        reference._relay.cache_clear()
        with pytest.raises(SowingError):
            for _ in range(20):
                Game("ghana", start=ENDLESS)
                reference._relay.cache_clear()
    assert budget.current() is not allowed
