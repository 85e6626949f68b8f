"""Our engine as others talk to it."""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from awale.errors import AwaleError
from awale.game import Game
from awale.players.book import lookup
from awale.protocols.uci_client import read_info
from awale.protocols.uci_server import UciServer, _read_go, _seconds
from tests.waiting import GUARD


class Talk:
    """A conversation with the engine in this process."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self._new: queue.Queue[str] = queue.Queue()
        self.engine = UciServer(self._hear)

    def _hear(self, line: str) -> None:
        self.heard.append(line)
        self._new.put(line)

    def say(self, *lines: str) -> None:
        for line in lines:
            self.engine.hear(line)

    def until(self, word: str, seconds: float = GUARD) -> str:
        deadline = time.monotonic() + seconds
        while True:
            line = self._new.get(timeout=max(0.01, deadline - time.monotonic()))
            if line.startswith(word):
                return line

    def quiet(self, word: str, seconds: float) -> bool:
        try:
            self.until(word, seconds)
        except queue.Empty:
            return True
        return False


@pytest.fixture
def talk() -> Iterator[Talk]:
    held = Talk()
    yield held
    held.engine.halt()


def test_introduction(talk: Talk) -> None:
    talk.say("uci")
    assert talk.heard[0].startswith("id name awale")
    assert talk.heard[-1] == "uciok"
    variants = next(line for line in talk.heard if "UCI_Variant" in line)
    assert " var abapa" in variants
    assert " var tricolor" in variants


@pytest.mark.parametrize("moves", ["", " moves FfEa", " moves F f E a"])
def test_a_move_to_a_depth(talk: Talk, moves: str) -> None:
    talk.say("isready", f"position startpos{moves}", "go depth 4")
    best = talk.until("bestmove").split()
    game = Game("abapa", moves=moves.removeprefix(" moves "))
    assert game.parse(best[1]) in game.legal_moves
    assert best[2] == "ponder"
    last = [line for line in talk.heard if line.startswith("info depth")][-1]
    value, nodes, line, _ = read_info(game, last)
    assert value is not None
    assert nodes
    assert str(line[0]) == best[1]


@pytest.mark.parametrize("rules", ["ghana", "tricolor"])
def test_other_rules(talk: Talk, rules: str) -> None:
    talk.say(f"setoption name UCI_Variant value {rules}", "isready", "position startpos", "go depth 2")
    assert Game(rules).parse(talk.until("bestmove").split()[1])


def test_position_by_fen_and_the_end_of_the_game(talk: Talk) -> None:
    talk.say("position fen 0-0-0-0-0-1-0-0-0-0-0-2-22-23-S", "go movetime 100")
    assert talk.until("bestmove").split()[1] == "F"
    talk.say("position fen 0-0-0-0-0-0-0-0-0-0-0-0-24-24-S", "go movetime 100")
    assert talk.until("bestmove") == "bestmove 0000"


def test_infinite_thinks_until_stop(talk: Talk) -> None:
    # Known to the end at once, and still no answer before stop.
    talk.say("position fen 0-0-0-0-0-1-0-0-0-0-0-2-22-23-S", "go infinite")
    assert talk.quiet("bestmove", 0.5)
    talk.say("isready")
    talk.until("readyok")
    talk.say("stop")
    assert talk.until("bestmove").split()[1] == "F"
    assert talk.quiet("bestmove", 0.2)


def test_ponder_waits_for_the_hit(talk: Talk) -> None:
    talk.say("isready", "position startpos moves F", "go ponder wtime 3000 btime 3000")
    assert talk.quiet("bestmove", 0.5)
    talk.say("ponderhit")
    assert talk.until("bestmove")
    talk.say("go ponder depth 2", "stop")
    assert talk.until("bestmove")


def test_a_new_command_ends_the_search(talk: Talk) -> None:
    talk.say("isready", "position startpos", "go infinite", "position startpos moves F")
    assert talk.until("bestmove")
    talk.say("go infinite", "ucinewgame")
    assert talk.until("bestmove")


def test_nonsense_is_lived_through(talk: Talk) -> None:
    talk.say("", "what", "position", "position startpos moves ZZ", "go depth 2")
    assert talk.until("bestmove") == "bestmove 0000"
    assert any(line.startswith("info string") for line in talk.heard)
    talk.say(
        "setoption", "setoption name Wings value 2", "setoption name Hash value lots", "setoption name Hash value 1"
    )
    talk.say("position fen 1-2-3", "position startpos", "go depth x movetime -5 depth 2", "joho isready")
    assert talk.until("bestmove").split()[1] != "0000"
    assert talk.engine.hear("quit") is False


@pytest.mark.parametrize("words", ["go depth", "go depth x", "go foo", "go searchmoves Z9", "go movetime soon"])
def test_a_go_that_means_nothing_is_answered(talk: Talk, words: str) -> None:
    talk.say("position startpos", words)
    assert talk.until("bestmove") == "bestmove 0000"
    assert any(line.startswith("info string go does not understand") for line in talk.heard)


def test_an_unknown_command_is_named(talk: Talk) -> None:
    talk.say("analyse please")
    assert talk.heard == ["info string unknown command 'analyse'"]


@pytest.mark.parametrize("count", ["0", "257", "-1", "two"])
def test_thread_counts_are_checked(talk: Talk, count: str) -> None:
    talk.say(f"setoption name Threads value {count}")
    assert talk.heard == ["info string Threads must be a whole number from 1 to 256"]
    with pytest.raises(AwaleError, match="Threads"):
        UciServer(print, threads=0)


def test_several_variations_of_full_length(talk: Talk) -> None:
    talk.say("setoption name MultiPV value 3", "position startpos moves FfE", "go depth 6")
    talk.until("bestmove")
    last = [line for line in talk.heard if line.startswith("info depth 6 ")][-3:]
    assert [line.split()[6] for line in last] == ["1", "2", "3"]
    game = Game("abapa", moves="FfE")
    assert all(len(read_info(game, line)[2]) == 6 for line in last)
    assert all(name in last[0].split() for name in ("seldepth", "hashfull", "tbhits", "nps"))
    values = [read_info(game, line)[0] for line in last]
    assert values == sorted(values, reverse=True)  # type: ignore[type-var]


def test_the_opening_book_is_played_by_the_clock_alone(talk: Talk) -> None:
    entry = lookup(Game("abapa"))
    assert entry is not None
    talk.say("uci", "position startpos")
    assert "option name OwnBook type check default true" in talk.heard
    for words in ("movetime 50", "wtime 5000 btime 5000"):
        talk.say(f"go {words}")
        assert talk.until("bestmove").split()[1] == str(entry.best)
        assert talk.heard[-2] == f"info string book, depth {entry.depth}"
        assert read_info(Game("abapa"), talk.heard[-3])[0] == entry.value
    searched = ["depth 2", "nodes 500", "movetime 10 searchmoves A B"]
    for words in (*searched, "movetime 10"):
        talk.heard.clear()
        talk.say("setoption name OwnBook value true" if words in searched else "setoption name OwnBook value false")
        talk.say(f"go {words}")
        talk.until("bestmove")
        assert not any("book" in line for line in talk.heard)


def test_a_position_outside_the_book_is_searched(talk: Talk) -> None:
    talk.say("position fen 0-0-0-0-0-1-0-0-0-0-0-2-22-23-S", "go movetime 20")
    talk.until("bestmove")
    assert not any("book" in line for line in talk.heard)


@pytest.mark.parametrize("value", ["yes", "1"])
def test_a_switch_is_on_or_off(talk: Talk, value: str) -> None:
    talk.say(f"setoption name OwnBook value {value}")
    assert talk.heard == ["info string OwnBook must be true or false"]


def test_some_moves_alone(talk: Talk) -> None:
    talk.say("position startpos", "go searchmoves A B depth 4")
    assert talk.until("bestmove").split()[1] in ("A", "B")


def test_a_win_in_so_many_moves(talk: Talk) -> None:
    talk.say("position fen 0-0-0-0-0-1-1-0-0-0-0-3-22-19-S", "go mate 1")
    assert talk.until("bestmove").split()[1] == "F"
    assert "info string proven result win margin 5 moves 1" in talk.heard


def test_an_engine_that_is_asked_again_says_the_same(talk: Talk) -> None:
    """A table of cycles' values once made a forced draw a loss."""
    talk.say("position fen 0-0-0-0-0-1-0-0-0-0-0-1-24-22-S", "go depth 12")
    talk.until("bestmove")
    talk.say("position fen 0-0-0-0-0-0-1-0-0-0-0-1-24-22-N", "go depth 12")
    talk.until("bestmove")
    last = [line for line in talk.heard if line.startswith("info depth")][-1]
    assert " score cp 0 " in last
    assert "info string proven result draw margin 0" in talk.heard


def test_time_from_the_clock() -> None:
    limits, _, _ = _read_go(["wtime", "60000", "btime", "1000", "winc", "0", "binc", "100"])
    south, north = _seconds(limits, 0), _seconds(limits, 1)
    assert south is not None
    assert north is not None
    assert 1 < south < 5
    assert 0.05 < north < 0.5
    assert _seconds(_read_go(["wtime", "10000", "btime", "10000", "movestogo", "1"])[0], 0) <= 8
    assert _seconds(_read_go(["movetime", "500"])[0], 0) <= 0.5
    assert _seconds({}, 0) is None


def test_as_a_process() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "awale", "uci"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    timer = threading.Timer(GUARD, process.kill)
    timer.start()
    try:
        process.stdin.write("uci\nisready\nposition startpos moves FfE\ngo depth 3\n")
        process.stdin.flush()
        lines = []
        for line in process.stdout:
            lines.append(line.strip())
            if line.startswith("bestmove"):
                break
        process.stdin.write("quit\n")
        process.stdin.flush()
        assert process.wait(20) == 0
    finally:
        timer.cancel()
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()
    assert {"uciok", "readyok"} <= set(lines)
    Game("abapa", moves="FfE").parse(lines[-1].split()[1])
