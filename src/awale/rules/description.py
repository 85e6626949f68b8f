"""What a variant is: one frozen description, every option of it data.

Nothing here plays. `reference.py` reads these options and plays by them; the compiled kernels read the same ones.
"""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from awale.errors import RulesError

Sowing = Literal["lap", "relay", "colours"]
Origin = Literal["skipped", "sown"]
Capture = Literal["chain", "ring-chain", "opposite"]
GrandSlam = Literal["allowed", "takes-nothing", "illegal", "illegal-unless-forced"]
Feeding = Literal["free", "required", "if-possible"]
Starved = Literal["ends", "passes"]
Endless = Literal["illegal", "ends"]
Rest = Literal["nobody", "own-side", "to-move", "last-mover"]
Repetition = Literal["none", "nobody", "own-side"]
Notation = Literal["letters", "letters-north-upper", "numbers", "left", "colours"]
Ending = Literal["win", "moves", "few"]
Family = Literal["lap", "relay", "tricolor"]

MAX_PITS = 12
MAX_TRICOLOR_PITS = 8
MAX_SEEDS = 240


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """A rule system. Two descriptions with equal fields are the same game.

    The board is a ring of `2 * pits` pits. In the one-colour games South owns the first half and North the second;
    in the three-colour game (`sowing="colours"`) player 0 owns every other hole, starting with the first.
    """

    name: str
    """The registry's name, or whatever a village-rules file calls itself."""
    version: int = 1
    """Changes whenever the behaviour does: stored tables and caches are keyed by it."""
    source: str = ""
    """Where the rules were read."""
    title: Mapping[str, str] = field(default_factory=dict, compare=False)
    """A short title by language."""
    description: Mapping[str, str] = field(default_factory=dict, compare=False)
    """One paragraph by language."""

    pits: int = 6
    """Pits on each side."""
    seeds: int = 4
    """Seeds in each pit at the start (of each colour, in the three-colour game)."""

    sowing: Sowing = "lap"
    """`lap`: sow once. `relay`: lift again from every pit that was not empty. `colours`: one colour of a hole at a time."""
    origin: Origin = "skipped"
    """Whether a sowing that comes round drops a seed in the pit it started from."""
    capture: Capture = "chain"
    """`chain`: backwards through the opponent's pits. `ring-chain`: backwards through any. `opposite`: the pit opposite
    one's own pit that was empty."""
    capture_counts: tuple[int, ...] = (2, 3)
    """The contents that a chain takes."""
    grand_slam: GrandSlam = "allowed"
    """A move whose capture would leave the opponent, who had seeds, without any."""
    feeding: Feeding = "free"
    """When the opponent has no seed: `required`: only moves that give him one are legal; `if-possible`: the same, but any
    move will do when none does; `free`: no such duty."""
    starved: Starved = "ends"
    """A player without a seed at his turn: the game ends as `no_move` says, or he passes (a pass is not a move)."""
    endless: Endless = "illegal"
    """A relay that never stops: refused, or playable and then the end of the game."""

    endings: tuple[Ending, ...] = ("win", "moves", "few")
    """In which order the endings below are looked at after a move; repetition and having no move come after them."""
    win_at: int | Literal["majority"] | None = None
    """Captured seeds that end the game; `majority` is one more than half."""
    win_rest: Rest = "nobody"
    """Who takes what is left on the board then."""
    few_seeds: int | None = None
    """So many seeds on the board, or fewer, end the game."""
    few_rest: Rest = "nobody"
    move_limit: int | None = None
    """So many moves end the game."""
    move_limit_rest: Rest = "nobody"
    repetition: Repetition = "none"
    """`none`: never looked at. Otherwise the first return of a position (board and player to move) since the last
    capture ends the game, and this says who takes what is left."""
    no_move: Rest = "nobody"
    """Who takes what is left when the player to move has no legal move."""

    notation: Notation = "letters"
    """How moves are written."""

    def __post_init__(self) -> None:
        _check(self)

    def __hash__(self) -> int:
        return hash((self.name, self.version, self.pits, self.seeds, self.sowing, self.win_at, self.few_seeds))

    # -- facts that follow from the options ------------------------------------------------------------------------

    @property
    def family(self) -> Family:
        """Which of the three kernels plays it."""
        return "tricolor" if self.sowing == "colours" else self.sowing

    @property
    def coloured(self) -> bool:
        return self.sowing == "colours"

    @property
    def holes(self) -> int:
        """All pits of the ring."""
        return 2 * self.pits

    @property
    def total(self) -> int:
        """All seeds of the game."""
        return self.holes * self.seeds * (3 if self.coloured else 1)

    @property
    def win_score(self) -> int | None:
        """`win_at` as a number for the standard start."""
        return self.win_score_for(self.total)

    def win_score_for(self, total: int) -> int | None:
        """`win_at` as a number when `total` seeds are in the game (another start may hold fewer)."""
        return total // 2 + 1 if self.win_at == "majority" else self.win_at

    def owner(self, pit: int) -> int:
        """Who owns a pit: 0 (South, J1) or 1 (North, J2)."""
        return pit % 2 if self.coloured else pit // self.pits

    def own_pits(self, player: int) -> range:
        """A player's pits, from his left in the one-colour games."""
        if self.coloured:
            return range(player, self.holes, 2)
        return range(player * self.pits, (player + 1) * self.pits)

    def opposite(self, pit: int) -> int:
        return self.holes - 1 - pit

    # -- other rules from these ------------------------------------------------------------------------------------

    def variant(self, **options: Any) -> Rules:
        """The same rules with some options changed; refuses what does not exist or makes no sense.

        >>> from awale.rules import get
        >>> get("ghana").variant(pits=3).name
        'ghana:pits=3'
        """
        for name in options:
            if name not in OPTIONS:
                known = ", ".join(sorted(OPTIONS))
                raise RulesError(f"unknown option '{name}': the options are {known}")
        changed = {k: v for k, v in options.items() if getattr(self, k) != v}
        if not changed:
            return self
        if "capture_counts" in changed and isinstance(changed["capture_counts"], list):
            changed["capture_counts"] = tuple(changed["capture_counts"])
        if "endings" in changed and isinstance(changed["endings"], list):
            changed["endings"] = tuple(changed["endings"])
        name = options.get("name")
        if name is None:
            name = f"{self.name}{',' if ':' in self.name else ':'}" + ",".join(
                f"{k}={_as_text(v)}" for k, v in changed.items() if k not in _LABELS
            )
        return dataclasses.replace(self, **{**changed, "name": name.rstrip(":,")})

    @classmethod
    def from_toml(cls, path: str | Path) -> Rules:
        """Read a village-rules file: a base preset and the options that differ (see `examples/`)."""
        path = Path(path)
        try:
            if path.stat().st_size > MAX_VILLAGE_FILE:
                raise RulesError(f"{path}: larger than {MAX_VILLAGE_FILE} bytes, which no rules file needs")
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise RulesError(f"{path}: cannot be read ({error.strerror or error})") from None
        except UnicodeDecodeError:
            raise RulesError(f"{path}: not a text file in UTF-8") from None
        try:
            return cls.from_toml_text(text, default_name=path.stem)
        except RulesError as error:
            raise RulesError(f"{path}: {error}") from None

    @classmethod
    def from_toml_text(cls, text: str, *, default_name: str = "village") -> Rules:
        """The same from the text itself, as the web page receives it."""
        from awale.rules.presets import get

        if len(text) > MAX_VILLAGE_FILE:
            raise RulesError(f"larger than {MAX_VILLAGE_FILE} characters, which no rules file needs")
        try:
            data = tomllib.loads(text)
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise RulesError(f"not a TOML file: {error}") from None
        base_name = data.pop("base", None)
        if not isinstance(base_name, str):
            raise RulesError('the file must name a preset to start from, as in: base = "abapa"')
        base = get(base_name)
        options: dict[str, Any] = {}
        for name, value in data.items():
            if name in ("title", "description"):
                value = {"en": value, "fr": value} if isinstance(value, str) else value
            options[name] = value
        options.setdefault("name", default_name)
        options.setdefault("source", f"village rules based on {base.name}")
        return base.variant(**options)

    def options(self) -> dict[str, Any]:
        """The options that make the game what it is, without names and texts: what a table or cache is keyed by."""
        return {name: getattr(self, name) for name in OPTIONS if name not in _LABELS}


_LABELS = frozenset({"name", "source", "title", "description"})
MAX_VILLAGE_FILE = 20_000
OPTIONS: dict[str, Any] = {f.name: f.type for f in dataclasses.fields(Rules) if f.name != "version"}
_CHOICES: dict[str, tuple[Any, ...]] = {
    "sowing": get_args(Sowing),
    "origin": get_args(Origin),
    "capture": get_args(Capture),
    "grand_slam": get_args(GrandSlam),
    "feeding": get_args(Feeding),
    "starved": get_args(Starved),
    "endless": get_args(Endless),
    "win_rest": get_args(Rest),
    "few_rest": get_args(Rest),
    "move_limit_rest": get_args(Rest),
    "no_move": get_args(Rest),
    "repetition": get_args(Repetition),
    "notation": get_args(Notation),
}


def _as_text(value: Any) -> str:
    if value is None:
        return "none"
    return "+".join(str(v) for v in value) if isinstance(value, tuple) else str(value)


def _check(rules: Rules) -> None:
    """Refuse, with a sentence that names the option, whatever is wrong or contradicts itself."""
    _check_types(rules)
    _check_sizes(rules)
    _check_sense(rules)


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _check_types(r: Rules) -> None:
    for name in ("name", "source"):
        if not isinstance(getattr(r, name), str):
            raise RulesError(f"{name}: must be a text, not {getattr(r, name)!r}")
    if not r.name.strip() or len(r.name) > 200 or any(c in r.name for c in '\r\n"]'):
        raise RulesError("name: must be one line of 1 to 200 characters, without quotes and brackets")
    for name in ("title", "description"):
        texts = getattr(r, name)
        if not isinstance(texts, Mapping) or not all(isinstance(x, str) for kv in texts.items() for x in kv):
            raise RulesError(f"{name}: must be a text, or texts by language, not {texts!r}")
    for name, choices in _CHOICES.items():
        value = getattr(r, name)
        if value not in choices or not isinstance(value, str):
            raise RulesError(f"{name}: must be one of {', '.join(choices)}, not {value!r}")
    for name in ("version", "pits", "seeds"):
        if not _whole(getattr(r, name)):
            raise RulesError(f"{name}: must be a whole number, not {getattr(r, name)!r}")
    for name in ("few_seeds", "move_limit"):
        value = getattr(r, name)
        if value is not None and not _whole(value):
            raise RulesError(f"{name}: must be a whole number, not {value!r}")
    if r.win_at is not None and r.win_at != "majority" and not _whole(r.win_at):
        raise RulesError(f"win_at: must be a whole number or 'majority', not {r.win_at!r}")
    if not isinstance(r.capture_counts, tuple) or not all(_whole(c) for c in r.capture_counts):
        raise RulesError(f"capture_counts: must be a list of whole numbers, not {r.capture_counts!r}")
    if not isinstance(r.endings, tuple) or sorted(map(str, r.endings)) != sorted(get_args(Ending)):
        raise RulesError(f"endings: must name win, moves and few once each, in some order, not {r.endings!r}")


def _check_sizes(r: Rules) -> None:
    most = MAX_TRICOLOR_PITS if r.coloured else MAX_PITS
    if not 1 <= r.pits <= most:
        raise RulesError(f"pits: must be from 1 to {most} a side with this sowing, not {r.pits}")
    if r.seeds < 1:
        raise RulesError(f"seeds: must be at least 1 a pit, not {r.seeds}")
    if r.total > MAX_SEEDS:
        raise RulesError(f"seeds: {r.holes} pits of {r.seeds} make {r.total} seeds; at most {MAX_SEEDS} are possible")
    if not r.capture_counts or not all(1 <= c <= 60 for c in r.capture_counts):
        raise RulesError("capture_counts: must hold at least one number, each from 1 to 60")
    if len(set(r.capture_counts)) != len(r.capture_counts):
        raise RulesError("capture_counts: names a number twice")
    if r.few_seeds is not None and not 0 <= r.few_seeds < r.total:
        raise RulesError(f"few_seeds: must be from 0 to {r.total - 1}, or the game is over before it starts")
    if r.move_limit is not None and not 1 <= r.move_limit <= 100_000:
        raise RulesError("move_limit: must be from 1 to 100000")
    if isinstance(r.win_at, int):
        if 2 * r.win_at <= r.total:
            raise RulesError(f"win_at: {r.win_at} is not more than half of {r.total} seeds, so both could reach it")
        if r.win_at > r.total:
            raise RulesError(
                f"win_at: {r.win_at} can never be reached with {r.total} seeds; at most {r.total}, or 'majority'"
            )


def _check_sense(r: Rules) -> None:
    if r.coloured:
        needed = {
            "capture": "ring-chain",
            "notation": "colours",
            "origin": "skipped",
            "grand_slam": "allowed",
            "feeding": "free",
        }
        for name, value in needed.items():
            if getattr(r, name) != value:
                raise RulesError(f"{name}: sowing by colours goes with {name} = '{value}', not '{getattr(r, name)}'")
    else:
        if r.capture == "ring-chain":
            raise RulesError("capture: 'ring-chain' belongs to sowing by colours; use 'chain' or 'opposite'")
        if r.notation == "colours":
            raise RulesError("notation: 'colours' belongs to sowing by colours")
    if r.sowing == "relay":
        if r.capture != "opposite":
            raise RulesError("capture: a relay stops in a pit that was empty, so only 'opposite' can take anything")
        if r.origin != "sown":
            raise RulesError("origin: a relay sows the origin like any pit; 'skipped' goes with one lap")
        if r.grand_slam != "allowed" or r.feeding != "free":
            name = "grand_slam" if r.grand_slam != "allowed" else "feeding"
            raise RulesError(
                f"{name}: a relay game knows no duty to feed; use grand_slam = 'allowed', feeding = 'free'"
            )
    elif r.endless != "illegal":
        raise RulesError("endless: only a relay can be endless; leave it out")
    if r.feeding != "free" and r.starved == "passes":
        raise RulesError("starved: a player who must be fed never passes; use feeding = 'free' or starved = 'ends'")
    if r.repetition != "none" and r.sowing != "lap":
        raise RulesError("repetition: looked at in one-lap games only")
    if "to-move" in (r.win_rest, r.few_rest, r.move_limit_rest):
        raise RulesError("win_rest, few_rest, move_limit_rest: 'to-move' is for no_move alone; use 'last-mover'")
