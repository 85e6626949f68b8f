"""The engine as a UCI server, as oware engines speak UCI.

Reading goes on during a search, so `stop` and `isready` are answered at once. Nothing heavy is loaded before
the first `go` or `isready`: `uci` is answered as soon as the process is there.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import awale
from awale import i18n
from awale.errors import AwaleError
from awale.game import Game
from awale.players.base import PlayerClock
from awale.rules import presets
from awale.rules.moves import Move
from awale.search.limits import MAX_DEPTH, Limit

if TYPE_CHECKING:
    from awale.players.engine import Engine
    from awale.search.analysis import Analysis
    from awale.search.engine import Stop

NO_MOVE = "0000"
MAX_LINE = 100_000
MAX_MULTI = 32
_SPINS = {"hash": 4096, "threads": 256, "multipv": MAX_MULTI}
"""Options that are whole numbers from 1 to this."""
_CHECKS = {"ownbook": True, "ponder": False}
"""Options that are on or off, and what they are at first."""
_LIMITS = ("depth", "mate", "movetime", "nodes", "wtime", "btime", "winc", "binc", "movestogo")
_FLAGS = ("infinite", "ponder")


class UciServer:
    """One session. `say` is called with each line to send."""

    def __init__(
        self, say: Callable[[str], object], *, rules: str = "abapa", hash_mb: int = 32, threads: int = 1
    ) -> None:
        self._say_line = say
        self._lock = threading.Lock()
        self._spins = {"hash": hash_mb, "threads": threads, "multipv": 1}
        for name, value in self._spins.items():
            _check_spin(name, str(value))
        self._own_book = _CHECKS["ownbook"]
        self._rules = presets.get(rules)
        self._game: Game | None = Game(self._rules)
        self._engine: Engine | None = None
        self._search: threading.Thread | None = None
        self._stop: Stop | None = None
        self._released = threading.Event()
        """Set when a search without end may answer: `stop`, or a `ponderhit` whose time is over."""
        self._hit: Callable[[], object] | None = None

    def say(self, line: str) -> None:
        with self._lock:
            self._say_line(line)

    # -- commands ----------------------------------------------------------------------------------------------------

    def serve(self, lines: Iterable[str]) -> None:
        """Answer until `quit` or the end of the lines."""
        try:
            for line in lines:
                if not self.hear(line):
                    break
        finally:
            self.halt()

    def hear(self, line: str) -> bool:
        """Answer a line; False after `quit`."""
        words = line[:MAX_LINE].split()
        # UCI: unknown words before a command are skipped.
        unknown = words[:1]
        while words and words[0] not in self._COMMANDS:
            words.pop(0)
        if not words:
            if unknown:
                self.say("info string " + i18n.text("protocols.uci.unknown", word=unknown[0][:40]))
            return True
        if words[0] == "quit":
            return False
        try:
            self._COMMANDS[words[0]](self, words[1:])
        except AwaleError as error:
            self.say(f"info string {' '.join(str(error).split())}")
        return True

    def _uci(self, words: list[str]) -> None:
        self.say(f"id name awale {awale.__version__}")
        self.say("id author the awale developers")
        for name, shown in (("hash", "Hash"), ("threads", "Threads"), ("multipv", "MultiPV")):
            self.say(f"option name {shown} type spin default {self._spins[name]} min 1 max {_SPINS[name]}")
        for name, shown in (("ownbook", "OwnBook"), ("ponder", "Ponder")):
            self.say(f"option name {shown} type check default {str(_CHECKS[name]).lower()}")
        variants = " ".join(f"var {name}" for name in presets.names())
        self.say(f"option name UCI_Variant type combo default {self._rules.name} {variants}")
        self.say("uciok")

    def _isready(self, words: list[str]) -> None:
        if self._search is None or not self._search.is_alive():
            self._load(warm=True)
        self.say("readyok")

    def _setoption(self, words: list[str]) -> None:
        found = re.fullmatch(r"name\s+(.+?)(?:\s+value\s+(.*))?", " ".join(words))
        if found is None:
            raise AwaleError(i18n.message("protocols.uci.setoption"))
        name, value = found[1].lower(), (found[2] or "").strip()
        if name == "uci_variant":
            self.halt()
            self._rules = presets.get(value)
            self._game, self._engine = Game(self._rules), None
        elif name in _SPINS:
            _check_spin(name, value)
            self.halt()
            self._spins[name] = int(value)
            if name != "multipv":
                self._engine = None
        elif name in _CHECKS:
            if value.lower() not in ("true", "false"):
                raise AwaleError(i18n.message("protocols.uci.check", name=found[1]))
            if name == "ownbook":
                self._own_book = value.lower() == "true"
        else:
            raise AwaleError(i18n.message("protocols.uci.no-option", name=found[1][:40]))

    def _ucinewgame(self, words: list[str]) -> None:
        self.halt()
        if self._engine is not None:
            self._engine.clear()
        self._game = Game(self._rules)

    def _position(self, words: list[str]) -> None:
        self.halt()
        # Until it is read there is no position: a `go` must not be answered for the one before.
        self._game = None
        place = words.index("moves") if "moves" in words else len(words)
        head, moves = words[:place], words[place + 1 :]
        if head[:1] == ["startpos"]:
            start = None
        elif head[:1] == ["fen"] and len(head) > 1:
            start = " ".join(head[1:])
        else:
            raise AwaleError(i18n.message("protocols.uci.position"))
        self._game = Game(self._rules, start=start, moves=" ".join(moves))

    def _go(self, words: list[str]) -> None:
        self.halt()
        game = self._game
        if game is None or game.over:
            if game is None:
                self.say("info string " + i18n.text("protocols.uci.no-position"))
            self.say(f"bestmove {NO_MOVE}")
            return
        limits, chosen, unknown = _read_go(words)
        moves: list[Move] | None = None
        try:
            moves = [game.parse(word) for word in chosen] or None
        except AwaleError as error:
            unknown.append(str(error))
        if unknown:
            self.say("info string " + i18n.text("protocols.uci.go", words=" ".join(unknown)[:200]))
            if not limits or (chosen and moves is None):
                self.say(f"bestmove {NO_MOVE}")
                return
        timed = "movetime" in limits or ("wtime" if game.turn == 0 else "btime") in limits
        endless = "infinite" in words or "ponder" in words
        alone = not chosen and self._spins["multipv"] == 1 and not endless
        if self._own_book and timed and alone and self._play_book(game):
            return
        seconds = _seconds(limits, game.turn)
        depth = 2 * limits["mate"] - 1 if "mate" in limits else limits.get("depth")
        if seconds is None and depth is None and "nodes" not in limits:
            endless = True  # a bare `go` means until stop
        from awale.search.engine import Stop

        self._stop = stop = Stop()
        self._released.clear()
        if not endless:
            self._released.set()
        wait = None if endless else seconds
        if "ponder" in words:
            self._hit = lambda: self._time_runs(stop, seconds, depth is None and "nodes" not in limits)
        options: dict[str, Any] = {
            "moves": moves,
            "multi": self._spins["multipv"],
            # One answer to a depth, whatever was asked before; deeper values only where the clock counts.
            "fixed": not endless and wait is None and "nodes" not in limits,
            "prove": "wtime" not in limits and "btime" not in limits,
        }
        nodes = limits.get("nodes")
        limit = Limit(time=wait, depth=None if depth is None else min(depth, MAX_DEPTH), nodes=nodes)
        arguments = (game.copy(), stop, limit, options)
        self._search = threading.Thread(target=self._think, args=arguments, name="awale-uci", daemon=True)
        self._search.start()

    def _play_book(self, game: Game) -> bool:
        """Answer with the best move of the opening book, as players by time do; False where it says nothing."""
        from awale.players.book import lookup

        entry = lookup(game)
        if entry is None:
            return False
        self.say(f"info depth {entry.depth} score cp {round(100 * entry.value)} nodes 0 time 0 pv {entry.best}")
        self.say("info string " + i18n.text("protocols.uci.book", depth=entry.depth))
        self.say(f"bestmove {entry.best}")
        return True

    def _time_runs(self, stop: Stop, seconds: float | None, must: bool) -> None:
        """Start the clock: the pondered move was played."""

        def over() -> None:
            self._released.set()
            stop()

        if seconds is not None:
            timer = threading.Timer(seconds, over)
            timer.daemon = True
            timer.start()
        elif not must:  # else nothing was said about time: still until stop
            self._released.set()

    def _ponderhit(self, words: list[str]) -> None:
        if self._hit is not None:
            hit, self._hit = self._hit, None
            hit()

    def _stop_now(self, words: list[str]) -> None:
        self._released.set()
        if self._stop is not None:
            self._stop()

    _COMMANDS: ClassVar[dict[str, Callable[..., None]]] = {
        "uci": _uci,
        "isready": _isready,
        "setoption": _setoption,
        "ucinewgame": _ucinewgame,
        "position": _position,
        "go": _go,
        "stop": _stop_now,
        "ponderhit": _ponderhit,
        "quit": _stop_now,
    }

    def halt(self) -> None:
        """End the search in progress, and wait for its answer."""
        self._hit = None
        if self._search is not None:
            self._stop_now([])
            self._search.join()
            self._search = None

    # -- thinking ----------------------------------------------------------------------------------------------------

    def _load(self, *, warm: bool = False) -> Engine:
        """Return the engine; with `warm`, compiled, so that `readyok` means ready."""
        if self._engine is None:
            self.say("info string " + i18n.text("protocols.uci.loading"))
            from awale.players.engine import Engine

            self._engine = Engine(self._rules, threads=self._spins["threads"], hash_mb=self._spins["hash"])
            if warm:
                self._engine.load()
        return self._engine

    def _think(self, game: Game, stop: Stop, limit: Limit, options: dict[str, Any]) -> None:
        last: Analysis | None = None
        try:
            engine = self._load()
            for last in engine.updates(game, limit, stop=stop, **options):
                if last.depth:
                    for sentence in _info(game, last, options["multi"], engine.hashfull()):
                        self.say(sentence)
        except Exception as error:  # a bug here must not leave the other side waiting for ever
            self.say(f"info string {type(error).__name__}: {' '.join(str(error).split())}")
        self._released.wait()
        line = last.line if last is not None and last.line else game.legal_moves[:1]
        ponder = f" ponder {line[1]}" if len(line) > 1 else ""
        self.say(f"bestmove {line[0]}{ponder}")


def _check_spin(name: str, value: str) -> None:
    most = _SPINS[name]
    if not value.isascii() or not value.isdigit() or not 1 <= int(value) <= most:
        raise AwaleError(i18n.message("protocols.uci.spin", name=name.capitalize(), most=most))


def _read_go(words: list[str]) -> tuple[dict[str, int], list[str], list[str]]:
    """Return the limits of a `go`, the moves after `searchmoves`, and the words that mean nothing."""
    limits: dict[str, int] = {}
    moves: list[str] = []
    unknown: list[str] = []
    waiting = list(words)
    while waiting:
        word = waiting.pop(0)
        if word in _LIMITS:
            if waiting and re.fullmatch(r"-?[0-9]{1,12}", waiting[0]):
                limits[word] = max(1 if word != "winc" and word != "binc" else 0, int(waiting.pop(0)))
            else:
                unknown.append(word)
        elif word == "searchmoves":
            while waiting and waiting[0] not in (*_LIMITS, *_FLAGS):
                moves.append(waiting.pop(0))
        elif word not in _FLAGS:
            unknown.append(word)
    return limits, moves, unknown


def _seconds(limits: dict[str, int], turn: int) -> float | None:
    """Return how long to search: `movetime`, or a part of the clock. White is South."""
    if "movetime" in limits:
        return PlayerClock(move=limits["movetime"] / 1000).budget()
    left = limits.get("wtime" if turn == 0 else "btime")
    if left is None:
        return None
    increment = limits.get("winc" if turn == 0 else "binc", 0) / 1000
    if "movestogo" in limits:
        share = max(0.0, left / 1000 - 0.05) / (limits["movestogo"] + 1) + 0.8 * increment
        return max(0.001, min(share, left / 1000 * 0.8))
    return PlayerClock(left=left / 1000, increment=increment).budget()


def _info(game: Game, found: Analysis, multi: int, hashfull: int) -> Iterator[str]:
    """Yield a line for each of the best moves, and one with what is proven."""
    joint = "" if game.rules.notation.startswith("letters") else " "
    for number, move in enumerate(found.moves[:multi], 1):
        value, line = (found.value, found.line) if number == 1 else (move.value, move.line)
        relation, seeds = value.shown
        bound = {"≥": " lowerbound", "≤": " upperbound"}.get(relation, "")
        if number > 1 and not line:
            continue
        yield (
            f"info depth {found.depth} seldepth {max(found.depth, len(line))} multipv {number} "
            f"score cp {round(100 * seeds)}{bound} nodes {found.nodes} nps {round(found.rate)} hashfull {hashfull} "
            f"tbhits {found.counters.get('known', 0)} time {round(1000 * found.seconds)} "
            f"pv {joint.join(map(str, line))}"
        )
    value = found.value
    if value.result is not None:
        claims = [f"result {('draw', 'win', 'loss')[value.result]}"]
        claims += [f"margin {value.margin}"] if value.margin is not None else []
        claims += [f"moves {value.plies}"] if value.plies is not None else []
        yield f"info string proven {' '.join(claims)}"


def run(rules: str, hash_mb: int, threads: int) -> None:
    """Speak UCI on standard input and output."""
    server = UciServer(partial(print, flush=True), rules=rules, hash_mb=hash_mb, threads=threads)
    server.serve(iter(lambda: sys.stdin.readline(MAX_LINE), ""))
