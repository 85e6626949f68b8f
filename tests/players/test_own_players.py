"""`player:FILE.py`: a class or function of one's own, wherever a player is named, in a process of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from awale.arena import MatchPlan, play_match
from awale.arena.errors import ArenaError
from awale.cli import main
from awale.game import Game
from awale.match import Match, play_out
from awale.players import BasePlayer, Choice, PlayerClock, PlayerError, PlayerFault, PlayerSpec, make

MINE = """
from dataclasses import dataclass

from awale.players import BasePlayer, Choice


class Greedy(BasePlayer):
    name = "my greedy"

    def choose(self, game, clock=None):
        return Choice(max(game.legal_moves, key=lambda move: game.trace(move).taken), value=1.5)


@dataclass
class Counting:
    games: int = 0
    left: float | None = None

    def new_game(self):
        self.games += 1

    def choose(self, game, clock):
        print("thinking aloud")
        return game.legal_moves[min(self.games, len(game.legal_moves)) - 1]


def rightmost(game):
    return str(game.legal_moves[-1])
"""


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AWALE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("LANG", "C.UTF-8")
    file = tmp_path / "mine.py"
    file.write_text(MINE)
    return file


@pytest.mark.parametrize("text", ["player:mine.py", "player:mine.py,Greedy", 'player:"my, own.py",Greedy'])
def test_names(text: str) -> None:
    spec = PlayerSpec.parse(text)
    assert PlayerSpec.parse(str(spec)) == spec
    assert spec.persistent
    assert not spec.remote_allowed


@pytest.mark.parametrize("text", ["player:", "player:mine", "player:mine.toml", "player:mine.py,not a name"])
def test_bad_names(text: str) -> None:
    with pytest.raises(PlayerError, match=r"player:mine\.py,Cautious"):
        PlayerSpec.parse(text)


def test_a_class_and_a_function_choose(mine: Path) -> None:
    game = Game("abapa")
    with make(f"player:{mine},Greedy") as player:
        choice = player.choose(game, PlayerClock(left=60))
        assert (str(choice.move), choice.value) == ("A", 1.5)
    with make(f"player:{mine},rightmost") as player:
        assert str(player.choose(game).move) == "F"
    with make(f"player:{mine},Counting") as player:
        for letter in "ABC":
            player.new_game()
            assert str(player.choose(game).move) == letter


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("class A:\n    def choose(self, game): pass\nclass B(A): pass", r"several players \(A, B\).*player:.*,A"),
        ("def help_me(game): pass", "no class with a method choose.*defines help_me"),
        ("class A:\n    def __init__(self): 1 / 0\n    def choose(self, game): pass", "line 2.*ZeroDivisionError"),
        ("def choose(): pass", "choose must take"),
        ("def choose(game:", "syntax error"),
    ],
)
def test_bad_files(mine: Path, source: str, said: str) -> None:
    mine.write_text(source)
    with pytest.raises(PlayerFault, match=said):
        make(f"player:{mine}")


@pytest.mark.parametrize(
    ("source", "kind", "said"),
    [
        ("def choose(game): return 7", "crash", "choose returned 7, which is not a move"),
        ("def choose(game): return 'Z'", "illegal", "'Z'"),
        ("def choose(game): return {}['move']", "crash", "line 1: choose raised KeyError"),
        ("def choose(game):\n    while True: pass", "time", "line 2: choose is too slow"),
        ("import os\ndef choose(game): os._exit(3)", "crash", "process ended"),
        ("def choose(game): return bytearray(1 << 40)", "crash", "choose raised MemoryError"),
    ],
)
def test_bad_choices(mine: Path, source: str, kind: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("awale.players.custom_evaluation.GRACE_SECONDS", 0.2)
    mine.write_text(source)
    with make(f"player:{mine}") as player:
        with pytest.raises(PlayerFault, match=said) as raised:
            player.choose(Game("abapa"), PlayerClock(move=0.3))
        assert raised.value.kind == kind


def test_own_players_in_a_match_at_the_command_line(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [f"player:{mine},Greedy", f"player:{mine},rightmost"]
    assert main(["match", *names, "--games", "4", "--concurrency", "2", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["players"] == names
    assert result["played"] == 4
    assert [row["faults"] for row in result["results"]] == [{}, {}]
    mine.write_text("def choose(")
    assert main(["match", f"player:{mine}", "greedy", "--games", "2"]) == 2
    assert "syntax error" in capsys.readouterr().err


class Leftmost(BasePlayer):
    name = "leftmost"

    def __init__(self) -> None:
        self.games = 0

    def new_game(self) -> None:
        self.games += 1

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        return Choice(game.legal_moves[0])


def test_player_objects_in_a_match() -> None:
    player = Leftmost()
    result = play_match(MatchPlan(player, "greedy", games=4))
    assert result.plan.players == ("leftmost", "greedy")
    assert player.games == len(result.games) == 4
    assert play_match(MatchPlan(Leftmost(), Leftmost(), games=2)).plan.players == ("leftmost", "leftmost 2")
    with pytest.raises(ArenaError, match=r"player:FILE\.py"):
        play_match(MatchPlan(player, "greedy", games=4), concurrency=2)


def test_player_objects_take_seats() -> None:
    match = Match(Game("abapa"), (Leftmost(), make("greedy")), max_plies=300)
    assert [seat.name for seat in match.seats] == ["leftmost", "greedy"]
    assert play_out(match).outcome is not None


def test_a_tree_with_an_evaluation_of_ones_own(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine.write_text("def evaluate(game): return game.scores[game.turn] - game.scores[1 - game.turn]")
    position = "0-0-0-0-2-1-1-0-0-1-0-2-20-21-S"
    for method in ("minimax", "alphabeta", "negamax"):
        values = []
        for evaluation in (str(mine), "material"):
            assert main(["tree", position, "--depth", "3", "--method", method, "--eval", evaluation, "--json"]) == 0
            values.append([node["value"] for node in json.loads(capsys.readouterr().out)["nodes"]])
        assert values[0] == values[1]
    assert main(["tree", position, "--eval", str(mine)]) == 0
    assert str(mine) in capsys.readouterr().out
    mine.write_text("def evaluate(game): return 'much'")
    assert main(["tree", position, "--eval", str(mine)]) == 2
