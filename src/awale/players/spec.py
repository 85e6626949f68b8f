"""`PlayerSpec`: the one description of a player, read from names such as `engine:5` or `uci:"COMMAND",depth=8`.

Reading and checking a name loads nothing heavy; `make` does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from awale import i18n
from awale.cores import cores
from awale.errors import PlayerError
from awale.rules import get
from awale.rules.description import Rules
from awale.search.heuristics import HEURISTICS

if TYPE_CHECKING:
    from awale.players.base import Player

Kind = Literal[
    "person",
    "random",
    "greedy",
    "basic",
    "negamax",
    "minimax",
    "alphabeta",
    "report",
    "mcts",
    "engine",
    "perfect",
    "eval",
    "player",
    "tuned",
    "uci",
    "contest",
    "lines",
]
PROGRAMS: tuple[Kind, ...] = get_args(Kind)[1:]
PERSON_NAMES = frozenset({"person", "human", "me", "personne", "humain", "moi"})
LEVELS = range(1, 9)
EVALUATIONS = (*HEURISTICS, "corrected", "engine", "tuned")
"""What `eval:` knows without a file."""
REPORT_EVALUATIONS = ("raw", "defence", "corrected")
MAX_DEPTH: Mapping[str, int] = {"basic": 8, "negamax": 12, "minimax": 14, "alphabeta": 14, "report": 12, "uci": 64}
MAX_ENGINE_DEPTH, MAX_PYTHON_DEPTH = 64, 12
DEFAULT_DEPTH = {"basic": 4, "negamax": 5, "minimax": 4, "alphabeta": 6, "report": 6, "eval": 6, "tuned": 6}
DEFAULT_LEVEL, DEFAULT_SIMULATIONS = 5, 5000
MAX_SECONDS = 86_400.0
MAX_HASH = 4096
MAX_NODES = 999_999_999
_OF_USERS = ("eval", "player", "uci", "contest", "lines")
"""Those that read a file or run a command: its case matters, and remote users may not choose it."""
_TIME = re.compile(r"([0-9]{1,7}(?:\.[0-9]{1,6})?)\s*(ms|s)")


class RemotePlayerError(PlayerError):
    """A player that remote users may not choose, or not with these limits."""


@dataclass(frozen=True, slots=True)
class PlayerSpec:
    """A player by kind and options; None stands for the kind's default.

    >>> spec = PlayerSpec.parse("Engine:2000ms,threads=2")
    >>> spec.seconds, spec.threads, str(spec)
    (2.0, 2, 'engine:2s,threads=2')
    >>> PlayerSpec.parse("moi").person
    True
    """

    kind: Kind
    level: int | None = None
    seconds: float | None = None
    depth: int | None = None
    nodes: int | None = None
    """Positions searched for a move."""
    adaptive: bool = False
    """The depth grows as the board empties, as in the 2025 report."""
    schedule: tuple[int, ...] | None = None
    """The depths of a report player and the percentages of captured seeds between them: `(6, 15, 7, 30, 8)`."""
    simulations: int | None = None
    heuristic: str | None = None
    evaluation: str | None = None
    threads: int | None = None
    hash_mb: int | None = None
    file: str | None = None
    member: str | None = None
    """The class or function of a Python file that is the player; None for the only one."""
    command: str | None = None
    timeout: float | None = None
    """Seconds per move of a contest program, or of one that is sent lines."""
    restart: bool = False
    """Whether an external program is started anew for every game; otherwise it is only after a failure."""
    options: tuple[tuple[str, str], ...] = ()
    """Options that a UCI engine is sent, by name."""

    @classmethod
    def parse(cls, text: str) -> PlayerSpec:
        """Read a player's name. Case matters only in files and commands."""
        if not isinstance(text, str) or not text.strip():
            raise _bad("empty")
        kind, _, argument = text.strip().partition(":")
        kind = kind.strip().lower()
        argument = argument.strip()
        if kind in PERSON_NAMES:
            kind = "person"
        elif kind not in _READERS:
            raise _bad("unknown", name=kind[:40], known=", ".join(PROGRAMS))
        if kind not in _OF_USERS:
            argument = argument.lower()
        return cls(cast(Kind, kind), **_READERS[kind](kind, argument))

    def __str__(self) -> str:
        argument = self._argument()
        return f"{self.kind}:{argument}" if argument else self.kind

    def _argument(self) -> str:
        """Return what follows the colon in the canonical text."""
        limit = self._limit()
        if self.kind == "eval":
            return _join_file(self.file or self.evaluation or "", limit)
        if self.kind == "player":
            return ",".join(filter(None, (self.file, self.member)))
        if self.kind in ("uci", "contest", "lines"):
            return _join_command(self.command or "", self._settings())
        return ",".join(
            part for part in (self.evaluation or "", limit, self.heuristic or "", *self._settings()) if part
        )

    def _limit(self) -> str:
        if self.seconds is not None and self.kind != "uci":
            return write_seconds(self.seconds)
        if self.schedule is not None:
            return "/".join(map(str, self.schedule))
        if self.adaptive:
            return "adaptive" if self.depth is None else f"adaptive{self.depth}"
        if self.depth is not None:
            return f"d{self.depth}" if self.kind == "engine" else str(self.depth)
        number = self.level if self.level is not None else self.simulations
        return "" if number is None else str(number)

    def _settings(self) -> list[str]:
        settings: dict[str, object] = {}
        if self.kind == "uci":
            settings = {"depth": self.depth}
            if self.seconds is not None:
                settings["movetime"] = f"{1000 * self.seconds:.3f}".rstrip("0").rstrip(".")
        settings |= {"nodes": self.nodes, "threads": self.threads, "hash": self.hash_mb}
        settings["timeout"] = None if self.timeout is None else f"{self.timeout:.6f}".rstrip("0").rstrip(".")
        settings["restart"] = "on" if self.restart else None
        settings |= {f"option.{name}": value for name, value in self.options}
        return [f"{name}={value}" for name, value in settings.items() if value is not None]

    # -- facts -------------------------------------------------------------------------------------------------------

    @property
    def person(self) -> bool:
        return self.kind == "person"

    @property
    def python_file(self) -> bool:
        """Whether it is made of a Python file, which runs in a process of its own."""
        return self.file is not None and self.file.lower().endswith(".py")

    @property
    def persistent(self) -> bool:
        """Whether the player has a process that may stay from game to game: starting it takes longer than a move."""
        return self.kind in ("uci", "contest", "lines") or self.python_file

    @property
    def instant(self) -> bool:
        """Whether a move takes no noticeable time."""
        return self.kind in ("random", "greedy")

    @property
    def remote_allowed(self) -> bool:
        """Whether remote users may choose it."""
        return self.kind not in ("person", *_OF_USERS)

    def check_remote_limits(
        self,
        *,
        max_seconds: float = 10.0,
        max_depth: int = 8,
        max_engine_depth: int = 16,
        max_simulations: int = 200_000,
        max_nodes: int = 5_000_000,
        max_threads: int = 1,
        max_hash_mb: int = 32,
    ) -> None:
        """Raise `RemotePlayerError` unless remote users may choose this player."""
        if not self.remote_allowed:
            known = ", ".join(kind for kind in PROGRAMS if PlayerSpec(kind).remote_allowed)
            raise _bad("not-remote", RemotePlayerError, name=str(self)[:40], known=known)
        depth_limit = max_engine_depth if self.kind == "engine" else max_depth
        for key, value, most in (
            ("seconds", self.seconds, max_seconds),
            ("depth", max(self.schedule[::2]) if self.schedule else self.depth, depth_limit),
            ("simulations", self.simulations, max_simulations),
            ("nodes", self.nodes, max_nodes),
            ("threads", self.threads, max_threads),
            ("hash", self.hash_mb, max_hash_mb),
        ):
            if value is not None and value > most:
                raise _bad(f"remote-{key}", RemotePlayerError, most=f"{most:g}" if key == "seconds" else int(most))

    def check(self, rules: str | Rules) -> None:
        """Raise `PlayerError` unless this player plays these rules."""
        rules = get(rules)
        if self.kind == "report" and not rules.coloured:
            raise _bad("report-rules", rules=rules.name)
        if rules.coloured and self.heuristic not in (None, "material"):
            raise _bad("heuristic-rules", heuristic=self.heuristic)
        if not rules.coloured and (self.kind == "tuned" or self.evaluation == "tuned"):
            raise PlayerError(i18n.message("evaluations.tuned.rules", rules=rules.name))
        if not rules.coloured and self.kind == "eval" and self.evaluation == "corrected":
            raise _bad("evaluation-rules", evaluation=self.evaluation, rules=rules.name)
        if self.kind == "contest" and rules.name != "tricolor":
            raise PlayerError(i18n.message("protocols.contest.rules", rules=rules.name))
        if self.kind == "perfect" and rules.family != "lap":
            from awale.errors import RulesError
            from awale.search.limits import check_rules

            try:
                check_rules(rules)
            except RulesError as error:
                raise _bad("perfect-rules", problem=error) from None

    def supports(self, rules: str | Rules) -> bool:
        """Return whether this player plays these rules, as far as that is known without starting it."""
        try:
            self.check(rules)
        except PlayerError:
            return False
        return True

    def title(self, lang: str | None = None) -> str:
        """Return a short title for people.

        >>> PlayerSpec.parse("engine:d12").title("en"), PlayerSpec.parse("engine:3").title("fr")
        ('Engine, depth 12', 'Moteur, niveau 3')
        """
        details = [self.heuristic or self.evaluation or self.file or self.command, self.member]
        if self.seconds is not None:
            details.append(i18n.text("players.title.seconds", lang, time=write_seconds(self.seconds)))
        if self.adaptive:
            details.append(i18n.text("players.title.adaptive", lang))
        elif self.schedule is not None or self.depth is not None:
            details.append(i18n.text("players.title.depth", lang, depth=self._limit().removeprefix("d")))
        if self.level is not None:
            details.append(i18n.text("players.title.level", lang, level=self.level))
        if self.simulations is not None:
            number = i18n.number(self.simulations, lang)
            details.append(i18n.text("players.title.simulations", lang, simulations=number))
        if self.nodes is not None:
            details.append(i18n.text("players.title.nodes", lang, nodes=i18n.number(self.nodes, lang)))
        if self.threads is not None:
            details.append(i18n.text("players.title.threads", lang, threads=self.threads))
        return ", ".join([i18n.text(f"players.kind.{self.kind}", lang), *filter(None, details)])

    def description(self, lang: str | None = None) -> str:
        """Return a sentence about how this kind of player chooses a move."""
        return i18n.text(f"players.about.{self.kind}", lang)

    def with_limits(self, depth: int | None = None, nodes: int | None = None) -> PlayerSpec:
        """Return the spec with those of these limits that its kind has, if it names no limit; else the same.

        >>> [str(PlayerSpec.parse(name).with_limits(6)) for name in ("engine", "engine:3", "random", "eval:mine.toml")]
        ['engine:d6', 'engine:3', 'random', 'eval:mine.toml,6']
        >>> str(PlayerSpec.parse("engine").with_limits(nodes=5000))
        'engine:nodes=5000'
        """
        by_nodes = self.kind in ("engine", "uci")
        by_depth = by_nodes or self.kind in ("negamax", "minimax", "alphabeta", "eval", "tuned")
        limited = self._limit() or self.nodes is not None or (self.kind == "uci" and self.seconds is not None)
        if limited or not by_depth:
            return self
        return PlayerSpec.parse(str(replace(self, depth=depth, nodes=nodes if by_nodes else None)))

    def fingerprint(self) -> str | None:
        """Return something that changes with the file the player reads; None for players that read none."""
        if self.file is None:
            return None
        import hashlib

        from awale.players.evaluation_files import contents

        return hashlib.sha256(contents(Path(self.file).expanduser())).hexdigest()[:16]

    def make(self, rules: str | Rules, seed: int | None = None) -> Player:
        """Return the player. The same seed gives the same player."""
        rules = get(rules)
        self.check(rules)
        return _make(self, rules, seed)


def _bad(key: str, kind: type[PlayerError] = PlayerError, /, **values: object) -> PlayerError:
    return kind(i18n.message(f"players.bad.{key}", **values))


def listed(rules: str | Rules | None = None, *, remote: bool = False) -> tuple[PlayerSpec, ...]:
    """Return every program that can play, with usual settings; only those for `rules`, or for remote users."""
    names = [f"engine:{level}" for level in LEVELS]
    names += ["engine:1s", "engine:d12", "random", "greedy", "negamax:5", "minimax:4", "alphabeta:6", "mcts:500ms"]
    names += ["basic", "perfect", *(f"report:{name}" for name in REPORT_EVALUATIONS), "tuned"]
    names += ["eval:FILE.toml", "eval:FILE.py", "player:FILE.py"]
    names += [f'{kind}:"COMMAND"' for kind in ("uci", "contest", "lines")]
    found = (PlayerSpec.parse(name) for name in names)
    return tuple(spec for spec in found if (not remote or spec.remote_allowed) and (not rules or spec.supports(rules)))


# -- reading what follows the colon ------------------------------------------------------------------------------------


def read_seconds(text: str) -> float | None:
    """Return the seconds of `100ms`, `2s` or `1.5s`; None if the text is no time."""
    match = _TIME.fullmatch(text.strip())
    if match is None:
        return None
    seconds = round(float(match[1]) / (1000 if match[2] == "ms" else 1), 6)
    if not 0.001 <= seconds <= MAX_SECONDS:
        raise _bad("time", time=text[:40])
    return seconds


def write_seconds(seconds: float) -> str:
    """Return a time as `read_seconds` reads it."""
    number, unit = (1000 * seconds, "ms") if seconds < 1 else (seconds, "s")
    return f"{number:.6f}".rstrip("0").rstrip(".") + unit


def _number(text: str, most: int) -> int | None:
    """Return a whole number from 1 to `most`; None for anything else."""
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) and 1 <= int(text) <= most else None


def _read_nothing(kind: str, argument: str) -> dict[str, Any]:
    if argument:
        raise _bad("argument", kind=kind, argument=argument[:40])
    return {}


def _read_depth(kind: str, text: str) -> dict[str, Any]:
    if not text:
        return {}
    depth = _number(text.strip(), MAX_DEPTH[kind])
    if depth is None:
        raise _bad("depth", kind=kind, text=text[:40], most=MAX_DEPTH[kind])
    return {"depth": depth}


def _read_heuristic(kind: str, argument: str) -> dict[str, Any]:
    depth, comma, heuristic = argument.partition(",")
    heuristic = heuristic.strip()
    if comma and heuristic and heuristic not in HEURISTICS:
        raise _bad("heuristic", heuristic=heuristic[:40], known=", ".join(HEURISTICS))
    if argument and not depth.strip():
        raise _bad("depth", kind=kind, text=argument[:40], most=MAX_DEPTH[kind])
    return {**_read_depth(kind, depth.strip()), "heuristic": heuristic or None}


def _read_report(kind: str, argument: str) -> dict[str, Any]:
    evaluation, _, depth = (part.strip() for part in argument.partition(","))
    if argument and evaluation not in REPORT_EVALUATIONS:
        raise _bad("report", argument=argument[:40], most=MAX_DEPTH[kind])
    values: dict[str, Any] = {"evaluation": evaluation or None}
    if depth == "adaptive":
        return {**values, "adaptive": True}
    if re.fullmatch(r"[0-9]{1,3}(/[0-9]{1,3}){2,40}", depth):
        schedule = tuple(map(int, depth.split("/")))
        percents = schedule[1::2]
        rising = list(percents) == sorted(set(percents)) and percents[0] > 0 and percents[-1] <= 100
        if len(schedule) % 2 and rising and all(1 <= levels <= MAX_DEPTH[kind] for levels in schedule[::2]):
            return {**values, "schedule": schedule}
    if depth and _number(depth, MAX_DEPTH[kind]) is None:
        raise _bad("report", argument=argument[:40], most=MAX_DEPTH[kind])
    return {**values, **_read_depth(kind, depth)}


def _read_mcts(kind: str, argument: str) -> dict[str, Any]:
    if not argument:
        return {}
    seconds = read_seconds(argument)
    simulations = None if seconds is not None else _number(argument, 99_999_999)
    if seconds is None and simulations is None:
        raise _bad("mcts", argument=argument[:40])
    return {"seconds": seconds, "simulations": simulations}


def _read_engine(kind: str, argument: str) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for place, part in enumerate(part.strip() for part in argument.split(",") if part.strip()):
        name, equals, value = (word.strip() for word in part.partition("="))
        if equals:
            most = {"threads": 256, "hash": MAX_HASH, "nodes": MAX_NODES}.get(name)
            number = None if most is None else _number(value, most)
            if number is None:
                raise _bad("engine-setting", text=part[:40], most=MAX_HASH)
            values["hash_mb" if name == "hash" else name] = number
        elif place:
            raise _bad("engine-setting", text=part[:40], most=MAX_HASH)
        elif (seconds := read_seconds(part)) is not None:
            values["seconds"] = seconds
        elif re.fullmatch(r"d[0-9]{1,3}", part):
            values["depth"] = _number(part[1:], MAX_ENGINE_DEPTH)
            if values["depth"] is None:
                raise _bad("engine-depth", text=part, most=MAX_ENGINE_DEPTH)
        elif _number(part, LEVELS[-1]) is not None:
            values["level"] = int(part)
        else:
            raise _bad("engine", text=part[:40])
    if "nodes" in values and "level" in values:
        raise _bad("engine-setting", text=f"nodes={values['nodes']}", most=MAX_HASH)
    return values


_LIMIT = re.compile(r"(?:d|(adaptive))?([0-9]{1,3})|adaptive|" + _TIME.pattern)


def _read_limit(name: str, text: str, most: int) -> dict[str, Any]:
    """Read a depth, `adaptive` with or without the depth it begins with, or a time."""
    if not text:
        return {}
    match = _LIMIT.fullmatch(text)
    if match is not None and (seconds := read_seconds(text)) is not None:
        return {"seconds": seconds}
    if match is not None and text == "adaptive":
        return {"adaptive": True}
    depth = None if match is None else _number(match[2], most)
    if match is None or depth is None:
        raise PlayerError(i18n.message("evaluations.bad.limit", name=name[:200], most=most))
    return {"depth": depth, "adaptive": match[1] is not None}


def _read_tuned(kind: str, argument: str) -> dict[str, Any]:
    if argument and not _LIMIT.fullmatch(argument):
        raise PlayerError(i18n.message("evaluations.tuned.limit", argument=argument[:40], most=MAX_ENGINE_DEPTH))
    return _read_limit("tuned", argument, MAX_ENGINE_DEPTH)


def split_file(argument: str) -> tuple[str, str]:
    """Return the file and the limit of `FILE[,LIMIT]`; the file's name may hold commas.

    >>> split_file("mine.toml,6"), split_file("a,b.py"), split_file('"mine.py",500ms')
    (('mine.toml', '6'), ('a,b.py', ''), ('mine.py', '500ms'))
    """
    file, comma, limit = argument.rpartition(",")
    if not comma or not (_LIMIT.fullmatch(limit.strip()) or re.search(r"\.(py|toml)[\"']?\s*$", file, re.IGNORECASE)):
        file, limit = argument, ""
    file = file.strip()
    if len(file) > 1 and file[0] == file[-1] and file[0] in "\"'":
        file = file[1:-1]
    return file, limit.strip()


def _join_file(file: str, limit: str) -> str:
    suffix = f",{limit}" if limit else ""
    candidates = (f"{quote}{file}{quote}{suffix}" for quote in ("", '"', "'"))
    return next((text for text in candidates if split_file(text) == (file, limit)), f'"{file}"{suffix}')


def _read_eval(kind: str, argument: str) -> dict[str, Any]:
    file, limit = split_file(argument)
    if not file:
        raise PlayerError(i18n.message("evaluations.bad.no-file"))
    suffix = Path(file).suffix.lower()
    named = not suffix and file.lower() in EVALUATIONS
    if not named and suffix not in (".py", ".toml"):
        raise PlayerError(i18n.message("evaluations.bad.ending", file=file[:200]))
    most = MAX_PYTHON_DEPTH if suffix == ".py" else MAX_ENGINE_DEPTH
    values = _read_limit(f"eval:{file}", limit.lower(), most)
    return {**values, "evaluation": file.lower()} if named else {**values, "file": file}


def _read_player(kind: str, argument: str) -> dict[str, Any]:
    """Read `FILE.py` or `FILE.py,NAME`."""
    found = re.fullmatch(r"(?P<quote>[\"']?)(?P<file>.+\.py)(?P=quote)(?:\s*,\s*(?P<member>[^\W\d]\w*))?", argument)
    if found is None:
        raise _bad("player", argument=argument[:200])
    return {"file": found["file"], "member": found["member"]}


def split_settings(argument: str, known: tuple[str, ...]) -> tuple[str, dict[str, str]]:
    """Return a command in quotes and the settings after it, as in `"engine --fast",depth=6`. Without quotes it is all
    command."""
    argument = argument.strip()
    found = re.fullmatch(r"\"((?:[^\"\\]|\\.)*)\"(.*)|'([^']*)'(.*)", argument, re.DOTALL)
    if found is None:
        return argument, {}
    command = found[3] if found[1] is None else found[1].replace('\\"', '"')
    settings: dict[str, str] = {}
    rest = (found[4] if found[1] is None else found[2]).strip()
    if rest and not rest.startswith(","):
        raise _setting(rest, known)
    for word in filter(None, (part.strip() for part in rest.split(","))):
        name, equals, value = word.partition("=")
        option = name.startswith("option.") and "option." in known
        if not equals or not (option or name in known) or not value:
            raise _setting(word, known)
        settings[name] = value
    return command, settings


def _setting(text: str, known: tuple[str, ...]) -> PlayerError:
    return PlayerError(i18n.message("protocols.outside.settings", text=text[:60], known=", ".join(known)))


def _join_command(command: str, settings: list[str]) -> str:
    suffix = "".join(f",{setting}" for setting in settings)
    escaped = command.replace('"', '\\"')
    candidates = [f'"{escaped}"{suffix}', f"'{command}'{suffix}", command]
    known = tuple(setting.partition("=")[0] for setting in settings)
    for text in candidates:
        try:
            if split_settings(text, known)[0] == command:
                return text
        except PlayerError:
            continue
    return candidates[0]


def _positive(name: str, text: str | None, most: float) -> float | None:
    if text is None:
        return None
    if not re.fullmatch(r"[0-9]{1,8}(\.[0-9]{1,6})?", text) or not 0 < float(text) <= most:
        raise PlayerError(i18n.message("protocols.outside.number", name=name, text=text[:40], most=f"{most:g}"))
    return float(text)


def _switch(name: str, text: str | None) -> bool:
    if text not in (None, "on", "off"):
        raise PlayerError(i18n.message("protocols.outside.switch", name=name, text=text[:40]))
    return text == "on"


def _read_uci(kind: str, argument: str) -> dict[str, Any]:
    command, settings = split_settings(argument, ("depth", "movetime", "nodes", "restart", "option."))
    depth = _positive("depth", settings.get("depth"), MAX_DEPTH[kind])
    nodes = _positive("nodes", settings.get("nodes"), 99_999_999)
    millis = _positive("movetime", settings.get("movetime"), 1000 * MAX_SECONDS)
    return {
        "command": _command(command),
        "depth": None if depth is None else max(1, int(depth)),
        "nodes": None if nodes is None else max(1, int(nodes)),
        "seconds": None if millis is None else round(millis / 1000, 6),
        "restart": _switch("restart", settings.get("restart")),
        "options": tuple((name[7:], value) for name, value in settings.items() if name.startswith("option.")),
    }


def _read_contest(kind: str, argument: str) -> dict[str, Any]:
    command, settings = split_settings(argument, ("timeout", "restart"))
    return {
        "command": _command(command),
        "timeout": _positive("timeout", settings.get("timeout"), 3600),
        "restart": _switch("restart", settings.get("restart")),
    }


def _command(command: str) -> str:
    if not command.strip():
        raise PlayerError(i18n.message("protocols.program.no-command"))
    return command


_READERS: dict[str, Callable[[str, str], dict[str, Any]]] = {
    "person": _read_nothing,
    "random": _read_nothing,
    "greedy": _read_nothing,
    "basic": _read_depth,
    "negamax": _read_depth,
    "minimax": _read_heuristic,
    "alphabeta": _read_heuristic,
    "report": _read_report,
    "mcts": _read_mcts,
    "engine": _read_engine,
    "perfect": _read_nothing,
    "eval": _read_eval,
    "player": _read_player,
    "tuned": _read_tuned,
    "uci": _read_uci,
    "contest": _read_contest,
    "lines": _read_contest,
}


# -- making ------------------------------------------------------------------------------------------------------------


def max_threads() -> int:
    """Return the most search threads that make sense on this machine."""
    return max(8, 2 * cores())


def _make(spec: PlayerSpec, rules: Rules, seed: int | None) -> Player:
    match spec.kind:
        case "random" | "greedy":
            from awale.players.simple import GreedyPlayer, RandomPlayer

            return RandomPlayer(seed) if spec.kind == "random" else GreedyPlayer()
        case "basic" | "negamax" | "minimax" | "alphabeta":
            from awale.players.historical import HistoricalPlayer

            return HistoricalPlayer(spec, rules)
        case "report":
            from awale.players.tricolor_2025 import ReportPlayer

            return ReportPlayer(spec, rules)
        case "mcts" | "engine":
            from awale.players.engine_player import EnginePlayer, MctsPlayer

            if spec.threads is not None and spec.threads > max_threads():
                raise _bad("threads", threads=spec.threads, most=max_threads(), cores=cores())
            return (MctsPlayer if spec.kind == "mcts" else EnginePlayer)(spec, rules, seed)
        case "perfect":
            from awale.players.perfect import PerfectPlayer
            from awale.players.perfect_lap import PerfectLapPlayer

            return PerfectLapPlayer(rules) if rules.family == "lap" else PerfectPlayer(rules)
        case "eval" | "tuned" | "player":
            from awale.players.custom_evaluation import PythonEvaluation, PythonPlayer, WeighingPlayer

            if spec.kind == "player":
                return PythonPlayer(spec, rules)
            return PythonEvaluation(spec, rules) if spec.python_file else WeighingPlayer(spec, rules)
        case "uci" | "contest" | "lines":
            from awale.players.external import ContestPlayer, LinePlayer, UciPlayer

            if spec.kind == "uci":
                return UciPlayer(spec, rules)
            return ContestPlayer(spec) if spec.kind == "contest" else LinePlayer(spec)
    raise _bad("person", name=str(spec))
