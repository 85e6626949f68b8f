"""What a variant is: one frozen description, every option of it data.

Nothing here plays. `reference.py` reads these options and plays by them; the compiled kernels read the same ones.
"""

from __future__ import annotations

import dataclasses
import difflib
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from awale import i18n
from awale.errors import RulesError

Sowing = Literal["lap", "relay", "colours"]
Origin = Literal["skipped", "sown"]
Capture = Literal["chain", "ring-chain", "opposite"]
GrandSlam = Literal["allowed", "takes-nothing", "illegal", "illegal-unless-forced"]
Feeding = Literal["free", "required", "if-possible"]
RelayFrom = Literal["any-side", "own-side"]
Starved = Literal["ends", "passes"]
Endless = Literal["illegal", "ends"]
Rest = Literal["nobody", "own-side", "last-mover"]
NoMoveRest = Literal["nobody", "own-side", "last-mover", "to-move"]
Repetition = Literal["none", "nobody", "own-side"]
Direction = Literal["counter-clockwise", "clockwise"]
Notation = Literal["letters", "letters-north-upper", "numbers", "left", "colours"]
Ending = Literal["win", "moves", "few"]
Family = Literal["lap", "relay", "tricolor"]

MAX_PITS = 12
MAX_TRICOLOR_PITS = 8
MAX_SEEDS = 240
MAX_CAPTURE_COUNT = 60
MAX_MOVE_LIMIT = 100_000
MAX_NAME = 1000
MAX_VILLAGE_FILE = 20_000
MAX_DOTS = 100
"""In a line of a village-rules file."""


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
    """`lap`: sow once. `relay`: lift again from every pit that was not empty. `colours`: one colour of a hole at a
    time."""
    relay_from: RelayFrom = "any-side"
    """Whose pits a relay is lifted from: those of both sides, or only the mover's own; then a lap that ends on the
    other side ends the move. No sowing is endless then: the seeds it leaves there on its way round are never lifted."""
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
    """When the opponent has no seed: `required`: only moves that give them one are legal; `if-possible`: the same, but
    any move will do when none does; `free`: no such duty."""
    starved: Starved = "ends"
    """The player to move has no seed: the game ends as `no_move` says, or they pass (a pass is not a move)."""
    endless: Endless = "illegal"
    """A relay that never stops: refused, or playable and then the end of the game."""

    endings: tuple[Ending, ...] = ("win", "moves", "few")
    """The order in which the endings below are checked after a move; repetition and no legal move come after them."""
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
    """`none`: not checked. Otherwise the first return of a position (board and player to move) since the last
    capture ends the game, and this says who takes what is left."""
    no_move: NoMoveRest = "nobody"
    """Who takes what is left when the player to move has no legal move: that player (`to-move`), the other
    (`last-mover`), each their own side, or nobody."""

    notation: Notation = "letters"
    """How moves are written."""
    direction: Direction = "counter-clockwise"
    """Which way the board is sown. Pits are numbered and named in the order of sowing, so a clockwise game is the
    mirror image of the usual one, with the same moves and values; only what is drawn differs."""

    def __post_init__(self) -> None:
        """Refuse invalid or contradictory options with a sentence that names the option."""
        _check_types(self)
        _check_sizes(self)
        _check_sense(self)

    def __hash__(self) -> int:
        return hash((self.name, self.version, self.pits, self.seeds, self.sowing, self.win_at, self.few_seeds))

    # -- facts that follow from the options ------------------------------------------------------------------------

    @property
    def family(self) -> Family:
        """Which of the three kernels plays it."""
        return "tricolor" if self.sowing == "colours" else self.sowing

    @property
    def coloured(self) -> bool:
        """Whether seeds have colours, as in the three-colour game."""
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
        """Return `win_at` as a number when `total` seeds are in the game (another start may hold fewer)."""
        return total // 2 + 1 if self.win_at == "majority" else self.win_at

    def owner(self, pit: int) -> int:
        """Return the owner of a pit: 0 (South, J1) or 1 (North, J2)."""
        return pit % 2 if self.coloured else pit // self.pits

    def own_pits(self, player: int) -> range:
        """Return a player's pits, from their left in the one-colour games."""
        if self.coloured:
            return range(player, self.holes, 2)
        return range(player * self.pits, (player + 1) * self.pits)

    def rows(self, flip: bool = False) -> tuple[list[int], list[int]]:
        """Return the pits of the upper and of the lower row as they are drawn, each from left to right.

        South's row is below unless `flip`; the ring of the three-colour game is drawn in two rows where there is no
        room for a ring. Sowing goes counter-clockwise round the two rows, or clockwise where the rules say so.
        """
        first = self.pits if flip else 0
        ring = [(first + place) % self.holes for place in range(self.holes)]
        upper, lower = ring[: self.pits - 1 : -1], ring[: self.pits]
        return (upper, lower) if self.direction == "counter-clockwise" else (upper[::-1], lower[::-1])

    def opposite(self, pit: int) -> int:
        """Return the pit on the other side of the board."""
        return self.holes - 1 - pit

    # -- other rules from these ------------------------------------------------------------------------------------

    def variant(self, **options: Any) -> Rules:
        """Return the same rules with some options changed; refuse unknown options and contradictions.

        A number of seeds that a new board cannot hold (`win_at`, `few_seeds`) moves with the board unless it is given.

        >>> from awale.rules import get
        >>> get("ghana").variant(pits=3).name
        'ghana:pits=3'
        >>> get("wikipedia").variant(seeds=5).win_at
        32
        """
        from awale.rules import presets

        for name in options:
            if name not in OPTIONS:
                raise RulesError(i18n.message("rules.unknown.option", name=name[:60], hint=hint(name, OPTIONS)))
        wanted = {k: tuple(v) if isinstance(v, list) else v for k, v in options.items()}
        # As they are written: 6.0 pits are not 6 pits.
        changed = {k: v for k, v in wanted.items() if repr(getattr(self, k)) != repr(v)}
        if not changed:
            return self
        rules = dataclasses.replace(self, **{**_fitted(self, changed), **wanted})
        base = presets.base_of(self) or self
        differing = spelled_options(base, rules)
        if not differing and not _LABELS & wanted.keys() and rules.source == base.source:
            return base
        labels: dict[str, Any] = {}
        if "name" not in wanted:
            labels["name"] = base.name + ("," if ":" in base.name else ":") * bool(differing) + differing
        else:
            presets.check_free(rules.name)
        if differing:
            for label in ("title", "description"):
                if label not in wanted:
                    labels[label] = _label(label, base, rules if "name" in wanted else None, differing)
        return dataclasses.replace(rules, **labels)

    @classmethod
    def from_toml(cls, path: str | Path) -> Rules:
        """Read a village-rules file: a base preset and the options that differ (see `examples/`)."""
        path = Path(path)
        try:
            return cls.from_toml_text(_read_small_file(path), default_name=path.stem)
        except RulesError as error:
            raise RulesError(i18n.message("rules.file.within", path=path, problem=error.said or str(error))) from None

    @classmethod
    def from_toml_text(cls, text: str, *, default_name: str = "village") -> Rules:
        """Read village rules from the text of a file, as the web server receives it."""
        from awale.rules.presets import get

        if len(text) > MAX_VILLAGE_FILE:
            raise RulesError(i18n.message("rules.file.too-large", limit=MAX_VILLAGE_FILE))
        # Reading a dotted key takes time that grows with the square of its parts.
        if any(line.count(".") > MAX_DOTS for line in text.splitlines()):
            raise RulesError(i18n.message("rules.file.too-deep", limit=MAX_DOTS))
        try:
            options = tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            raise RulesError(i18n.message("rules.file.not-toml", problem=error)) from None
        base_name = options.pop("base", None)
        if not isinstance(base_name, str):
            raise RulesError(i18n.message("rules.file.no-base"))
        base = get(base_name)
        for name in ("title", "description"):
            if options.get(name) in ("", {}):
                del options[name]
            elif name in options:
                options[name] = _in_all_languages(options[name])
        for name in MAY_BE_NONE:
            if options.get(name) == "none":
                options[name] = None
        options.setdefault("name", default_name)
        options.setdefault("source", i18n.text("rules.file.source", "en", base=base.name))
        return base.variant(**options)

    def options(self) -> dict[str, Any]:
        """Return the options that decide how the game is played: the key of tables and caches."""
        return {name: getattr(self, name) for name in OPTIONS if name not in _LABELS}


_LABELS = frozenset({"name", "source", "title", "description"})
OPTIONS: dict[str, Any] = {f.name: f.type for f in dataclasses.fields(Rules) if f.name != "version"}
_CHOICES: dict[str, tuple[Any, ...]] = {
    name: get_args(hint) for name, hint in get_type_hints(Rules).items() if get_origin(hint) is Literal
}
MAY_BE_NONE = ("win_at", "few_seeds", "move_limit")


def _fitted(rules: Rules, changed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that count seeds, adapted to a board that cannot hold as many."""
    pits, seeds, sowing = (changed.get(name, getattr(rules, name)) for name in ("pits", "seeds", "sowing"))
    if not (_whole(pits) and _whole(seeds) and pits > 0 and seeds > 0):
        return {}
    total = 2 * pits * seeds * (3 if sowing == "colours" else 1)
    fitted: dict[str, Any] = {}
    if isinstance(rules.win_at, int) and not total < 2 * rules.win_at <= 2 * total:
        fitted["win_at"] = min(total, total // 2 + rules.win_at - rules.total // 2)
    if rules.few_seeds is not None and rules.few_seeds >= total:
        fitted["few_seeds"] = total - 1
    return fitted


def spelled_options(base: Rules, rules: Rules) -> str:
    """Return how rules differ from others, as `get` reads it: `pits=3,seeds=2`; empty if they play alike."""
    size = {name: getattr(rules, name) for name in ("pits", "seeds", "sowing")}
    expected = {**base.options(), **_fitted(base, size)}
    differing = {name: value for name, value in rules.options().items() if value != expected[name]}
    return ",".join(f"{name}={_as_text(value)}" for name, value in differing.items())


def _as_text(value: Any) -> str:
    if value is None:
        return "none"
    return "+".join(str(v) for v in value) if isinstance(value, tuple) else str(value)


def _label(label: str, base: Rules, village: Rules | None, differing: str) -> dict[str, str]:
    """Return a title or description for rules that have none."""
    if village is not None and label == "title":
        return dict.fromkeys(i18n.LANGUAGES, village.name)
    texts: dict[str, str] = {}
    for lang in i18n.LANGUAGES:
        options = ", ".join(_option_said(option, lang) for option in differing.split(","))
        title = base.title.get(lang, base.name)
        texts[lang] = i18n.text(f"rules.variant.{label}", lang, title=title, base=base.name, options=options)
    return texts


def _option_said(option: str, lang: str) -> str:
    """Return an option such as `pits=3` in words, or as it is."""
    name, _, value = option.partition("=")
    if name in ("pits", "seeds"):
        return i18n.text(f"rules.variant.{name}", lang, n=int(value))
    return i18n.text("rules.variant.clockwise", lang) if option == "direction=clockwise" else option


def _in_all_languages(texts: Any) -> Any:
    """Return a text for every language, another language's where one is missing."""
    if isinstance(texts, str):
        return dict.fromkeys(i18n.LANGUAGES, texts)
    if isinstance(texts, dict):
        return {lang: next(iter(texts.values())) for lang in i18n.LANGUAGES} | texts
    return texts


def _read_small_file(path: Path) -> str:
    try:
        if "\0" in str(path) or (path.exists() and not path.is_file()):
            raise RulesError(i18n.message("rules.file.not-a-file"))
        with path.open("rb") as file:
            content = file.read(MAX_VILLAGE_FILE + 1)
        if len(content) > MAX_VILLAGE_FILE:
            raise RulesError(i18n.message("rules.file.too-large", limit=MAX_VILLAGE_FILE))
        return content.decode("utf-8-sig")  # some editors write a byte-order mark
    except UnicodeDecodeError:
        raise RulesError(i18n.message("rules.file.not-text")) from None
    except OSError as error:
        raise RulesError(i18n.message("rules.file.unreadable", problem=i18n.system_problem(error))) from None


def hint(name: str, known: Iterable[str], other_names: Iterable[str] = ()) -> i18n.Message:
    """Return the most similar known name, or all of them."""
    near = difflib.get_close_matches(name.lower(), [*known, *other_names], n=1, cutoff=0.7)
    if near:
        return i18n.message("rules.unknown.perhaps", near=near[0])
    return i18n.message("rules.unknown.there-are", known=", ".join(known))


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _wrong(key: str, **values: Any) -> RulesError:
    return RulesError(i18n.message(f"rules.{key}", **values))


def _check_types(r: Rules) -> None:
    for name in ("name", "source"):
        if not isinstance(getattr(r, name), str):
            raise _wrong("wrong.text", name=name, value=_shown(getattr(r, name)))
    if not r.name.strip() or len(r.name) > MAX_NAME or any(c in r.name for c in '\r\n"[]') or names_a_file(r.name):
        raise _wrong("wrong.name", limit=MAX_NAME)
    for name in ("title", "description"):
        texts = getattr(r, name)
        if not isinstance(texts, Mapping) or not all(isinstance(x, str) for kv in texts.items() for x in kv):
            raise _wrong("wrong.texts", name=name, value=_shown(texts))
    for name, choices in _CHOICES.items():
        value = getattr(r, name)
        if not isinstance(value, str) or value not in choices:
            raise _wrong("wrong.choice", name=name, choices=", ".join(choices), value=_shown(value))
    for name in ("version", "pits", "seeds", "few_seeds", "move_limit"):
        value = getattr(r, name)
        if not _whole(value) and not (value is None and name in MAY_BE_NONE):
            raise _wrong("wrong.whole", name=name, value=_shown(value))
    if r.version < 1:
        raise _wrong("wrong.version", value=r.version)
    if r.win_at is not None and r.win_at != "majority" and not _whole(r.win_at):
        raise _wrong("wrong.win-at", value=_shown(r.win_at))
    if not isinstance(r.capture_counts, tuple) or not all(_whole(c) for c in r.capture_counts):
        raise _wrong("wrong.counts", value=_shown(r.capture_counts))
    if not isinstance(r.endings, tuple) or sorted(map(str, r.endings)) != sorted(get_args(Ending)):
        raise _wrong("wrong.endings", value=_shown(r.endings))


def _shown(value: object) -> str:
    return repr(value)[:80]


def names_a_file(name: str) -> bool:
    return name.strip().lower().endswith(".toml")


def _check_sizes(r: Rules) -> None:
    most = MAX_TRICOLOR_PITS if r.coloured else MAX_PITS
    if not 1 <= r.pits <= most:
        raise _wrong("size.pits", most=most, value=r.pits)
    if r.seeds < 1:
        raise _wrong("size.seeds", value=r.seeds)
    if r.total > MAX_SEEDS:
        raise _wrong("size.total", holes=r.holes, seeds=r.seeds, total=r.total, most=MAX_SEEDS)
    if not r.capture_counts or not all(1 <= c <= MAX_CAPTURE_COUNT for c in r.capture_counts):
        raise _wrong("size.counts", most=MAX_CAPTURE_COUNT)
    if len(set(r.capture_counts)) != len(r.capture_counts):
        raise _wrong("size.counts-twice")
    if r.few_seeds is not None and not 0 <= r.few_seeds < r.total:
        raise _wrong("size.few", most=r.total - 1)
    if r.move_limit is not None and not 1 <= r.move_limit <= MAX_MOVE_LIMIT:
        raise _wrong("size.moves", most=MAX_MOVE_LIMIT)
    if isinstance(r.win_at, int):
        if 2 * r.win_at <= r.total:
            raise _wrong("size.win-half", value=r.win_at, total=r.total)
        if r.win_at > r.total:
            raise _wrong("size.win-never", value=r.win_at, total=r.total)


_OF_COLOURS = {
    "capture": "ring-chain",
    "notation": "colours",
    "origin": "skipped",
    "grand_slam": "allowed",
    "feeding": "free",
}


def _check_sense(r: Rules) -> None:
    if r.coloured:
        for name, needed in _OF_COLOURS.items():
            if getattr(r, name) != needed:
                raise _wrong("sense.colours", name=name, needed=needed, value=getattr(r, name))
    else:
        for name in ("capture", "notation"):
            if getattr(r, name) == _OF_COLOURS[name]:
                raise _wrong("sense.only-colours", name=name, value=getattr(r, name))
    relay, fed = r.sowing == "relay", "grand_slam" if r.grand_slam != "allowed" else "feeding"
    contradictions = {
        "relay-capture": relay and r.capture != "opposite",
        "relay-origin": relay and r.origin != "sown",
        "relay-feeding": relay and (r.grand_slam != "allowed" or r.feeding != "free"),
        "relay-ends": relay and r.relay_from == "own-side" and r.endless != "illegal",
        "endless": not relay and r.endless != "illegal",
        "relay-from": not relay and r.relay_from != "any-side",
        "opposite-counts": r.capture == "opposite" and r.capture_counts != (2, 3),
        "fed-passes": r.feeding != "free" and r.starved == "passes",
        "repetition": r.repetition != "none" and r.sowing != "lap",
    }
    for key, contradictory in contradictions.items():
        if contradictory:
            raise _wrong(f"sense.{key}", name=fed)
