"""`GameRecord`: a game as a file keeps it, with who played, comments and variations; from and to `Game`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from awale import i18n
from awale.errors import MoveError, NotationError, SowingError
from awale.game import Game, Outcome
from awale.game import read_ended as _reason_and_loser
from awale.notation import replay, variants
from awale.notation.sources import mend
from awale.rules import positions, reference
from awale.rules.description import Rules
from awale.rules.moves import Move
from awale.rules.presets import get
from awale.rules.reference import Position

MAX_DEPTH = 64
"""Variations within variations; deeper is no analysis but an attack on the reader."""
ROSTER = ("Event", "Site", "Date", "Round", "South", "North")
"""The tags everybody writes, in the order of the files; `Variant` comes first and `Result` last."""
RESERVED = frozenset({"Variant", "Rules", "RulesSource", "RulesVersion", "FEN", "Result", "Offer"})
"""Tags that say what the record's own fields say: written by themselves, never found in `tags`."""
UNFINISHED = "*"
BARE_RESULTS = {0: "1-0", 1: "0-1", None: "1/2-1/2"}
BARE = frozenset(BARE_RESULTS.values())
"""Results that may say no more than who won."""
RESULT = re.compile(r"\*|[0-9]{1,3}-[0-9]{1,3}|1/2-1/2")
MARK = re.compile(r"[!?]{1,4}|\$[0-9]{1,4}")
_KNOWN_TAGS = {name.lower(): name for name in (*RESERVED, *ROSTER, "Termination")}
_TAG_NAME = re.compile(r"\w[\w-]{0,63}")
MAX_TAG_VALUE = 20_000


@dataclass(slots=True)
class PlayedMove:
    """A move in a record, with its comments, marks and variations."""

    move: Move
    taken: int = 0
    """The seeds that the move captures; what is swept up at the end of the game is not counted."""
    comments: list[str] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    """`!`, `?`, `!?` and the like, or a numbered mark such as `$10`."""
    variations: list[Variation] = field(default_factory=list)
    """What could have been played instead of this move."""

    def __str__(self) -> str:
        return f"{self.move}+{self.taken}" if self.taken else str(self.move)


@dataclass(slots=True)
class Variation:
    """A line of moves that was not played."""

    moves: list[PlayedMove] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    """Said before its first move."""


@dataclass(slots=True)
class GameRecord:
    """A game on paper. The readers check every move; a record changed by hand is checked by `check`."""

    rules: Rules = field(default_factory=lambda: get("abapa"))
    start: Position | None = None
    """None for the usual start."""
    tags: dict[str, str] = field(default_factory=dict)
    """`Event`, `South`, `North` and any others, except the tags in `RESERVED`."""
    moves: list[PlayedMove] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    """Said before the first move."""
    result: str = UNFINISHED
    """Seeds as in `26-22`, `*` while unfinished; `1-0`, `0-1`, `1/2-1/2` where a file gives no scores."""
    outcome: Outcome | None = None
    """How the game ended, by the rules or by the players' word; None if the moves alone leave it open."""
    ended: str | None = None
    """`agreement`, `resignation-0`, `time-1`... where not the rules ended it, as in `Game`."""
    offer: int | None = None
    """Who offers to stop, in an unfinished game."""

    @classmethod
    def from_game(cls, game: Game, tags: Mapping[str, str] | None = None) -> GameRecord:
        """Return a record of a game.

        >>> GameRecord.from_game(Game("abapa", moves="F f"), {"South": "Awa"}).result
        '*'
        """
        start = None if game.start == reference.start(game.rules) else game.start
        record = cls(rules=game.rules, start=start, tags=check_tags(tags or {}))
        record.moves = [PlayedMove(move) for move in game.moves]
        record.ended, record.offer = game.ended, game.end_offer
        record.check()
        return record

    def game(self) -> Game:
        """Return the game of the main line, ready to play on."""
        game = Game(self.rules, start=self.start, moves=[played.move for played in self.moves], ended=self.ended)
        if self.offer is not None and not game.over:
            game.offer_end(self.offer)
        return game

    def check(self) -> None:
        """Play through everything: refuses what is not legal, and sets captures, outcome and result right.

        A result that the rules do not decide (`1-0` of an unfinished game) is left as it is.
        """
        player = replay.for_rules(self.rules)
        spot = player.start(self.start)
        waiting: list[tuple[list[PlayedMove], replay.Spot, int, str]] = [(self.moves, spot, 0, "")]
        last = spot
        while waiting:
            line, spot, depth, path = waiting.pop()
            if depth > MAX_DEPTH:
                raise NotationError(i18n.message("notation.too-deep", limit=MAX_DEPTH))
            for index, played in enumerate(line):
                where = f"{path}moves[{index}]"
                before = spot
                try:
                    played.move, spot = player.push_move(before, played.move)
                except (MoveError, SowingError) as error:
                    raise at_entry(where, error.said or str(error)) from None
                played.taken = spot.taken
                for number, variation in enumerate(played.variations):
                    waiting.append((variation.moves, before, depth + 1, f"{where}.variations[{number}]."))
            if line is self.moves:
                last = spot
        if last.reason is not None and (self.ended is not None or self.offer is not None):
            raise NotationError(i18n.message("notation.ended-over"))
        self.outcome = last.outcome(self.ended)
        if self.outcome is not None and (last.reason is not None or self.result == UNFINISHED):
            self.result = written_result(self.outcome)

    def __iter__(self) -> Iterator[Move]:
        """Yield the moves of the main line."""
        return (played.move for played in self.moves)


def at_entry(path: str, problem: str | i18n.Sayable) -> NotationError:
    """Return an error about data without lines: it names the entry."""
    return NotationError(i18n.message("notation.json.at", path=path, problem=problem))


def seeds(scores: tuple[int, int]) -> str:
    """Return a result as files write it."""
    return f"{scores[0]}-{scores[1]}"


def written_result(outcome: Outcome) -> str:
    """Return the result of a finished game: the seeds, or who won where the seeds do not say so (a forfeit)."""
    result = seeds(outcome.scores)
    return result if winner_of(result) == outcome.winner else BARE_RESULTS[outcome.winner]


def winner_of(result: str) -> int | str | None:
    """Return the winner by a result: 0, 1, None for a draw; `*` if it is open."""
    if result == UNFINISHED:
        return UNFINISHED
    if result == "1/2-1/2":
        return None
    south, _, north = result.partition("-")
    return None if int(south) == int(north) else int(int(north) > int(south))


def settled_result(stated: str, spot: replay.Spot) -> str:
    """Return the result of a game at `spot`: by the rules if they ended it, else the stated one."""
    if spot.reason is None or stated == UNFINISHED:
        return stated
    true = seeds(spot.scores)
    if stated != true and not (stated in BARE and winner_of(stated) == winner_of(true)):
        raise NotationError(i18n.message("notation.wrong-result", said=stated, true=true))
    return true


def taken_fits(after: replay.Spot, mover: int, said: str) -> bool:
    """Whether a capture is the stated one. Some programs add what the mover takes of the rest to the last move."""
    if not said:
        return after.taken > 0
    return int(said) in (after.taken, after.taken + after.swept[mover])


def wrong_capture(move: str, after: replay.Spot, said: str) -> i18n.Message:
    """Return the message about a capture that differs from the stated one."""
    if not after.taken:
        return i18n.message("notation.takes-nothing", move=move)
    return i18n.message("notation.wrong-capture", move=move, taken=after.taken, said=said)


def clean(text: str) -> str:
    """Return a comment as files can hold it: `\\n` as line end, no spaces around, only what UTF-8 can encode."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = text.strip()
    return text if text.isascii() else mend(text).strip()


def clean_value(text: str) -> str:
    """Return a tag's value as files can hold it: one line."""
    if not text.isprintable():
        text = mend(re.sub(r"[\x00-\x1f\x7f]+", " ", text))
    return text


def known_tag(name: str) -> str:
    """Return a tag's name in its usual case; unknown names stay as they are."""
    return _KNOWN_TAGS.get(name.lower(), name)


def check_tags(tags: Mapping[str, str]) -> dict[str, str]:
    """Return tags for a record; refuse names that cannot be written and those that the record writes itself."""
    found: dict[str, str] = {}
    for name, value in tags.items():
        if not isinstance(name, str) or not _TAG_NAME.fullmatch(name):
            raise NotationError(i18n.message("notation.tag-name", name=str(name)[:60]))
        name = known_tag(name)
        if name in RESERVED:
            raise NotationError(i18n.message("notation.tag-reserved", name=name))
        if name in found:
            raise NotationError(i18n.message("notation.tag-twice", name=name))
        if not isinstance(value, str):
            raise NotationError(i18n.message("notation.tag-value", name=name))
        if len(value) > MAX_TAG_VALUE:
            raise NotationError(i18n.message("notation.tag-long", name=name, limit=i18n.number(MAX_TAG_VALUE)))
        found[name] = clean_value(value)
    return found


def tags_of(record: GameRecord, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return all tags of a record in the order of files."""
    own = check_tags({**record.tags, **(more or {})})
    naming = variants.to_tags(record.rules)
    written = {"Variant": clean_value(naming["Variant"])}
    written |= {name: own.pop(name) for name in ROSTER if name in own}
    written["Result"] = record.result
    written |= {name: clean_value(value) for name, value in naming.items() if name != "Variant"}
    if record.start is not None:
        written["FEN"] = positions.write(record.rules, record.start)
    if record.ended is not None:
        own["Termination"] = write_ended(record.ended)
    if record.offer is not None:
        written["Offer"] = SIDES[record.offer]
    return written | own


SIDES = ("South", "North")


_LOSES = {"resignation": "resigns", "time": "loses on time", "illegal": "plays an illegal move", "crash": "fails"}


def write_ended(ended: str) -> str:
    """Return the tag `Termination` for a game that something other than the rules ended."""
    reason, loser = _reason_and_loser(ended)
    return reason if loser is None else f"{SIDES[loser]} {_LOSES[reason]}"


def read_ended(text: str, result: str) -> str | None:
    """Return the agreement, resignation or loss on time that a tag `Termination` states; else None.

    A resignation that names nobody is the loser's, where the result names one. Of time only plain words are heard:
    what arenas and other programs say about it is theirs.
    """
    words = text.casefold()
    if re.search(r"\bagree|\baccord\b", words):
        return "agreement"
    if words.strip() == "length":
        return "length"
    if found := re.fullmatch(
        r"(south|sud|j1|north|nord|j2) (.+)", words.strip().replace("perd au temps", "loses on time")
    ):
        fault = next((reason for reason, said in _LOSES.items() if found[2] == said), None)
        if fault is not None:
            return f"{fault}-{int(found[1] not in ('south', 'sud', 'j1'))}"
    if "resign" not in words:
        return None
    south = re.search(r"\b(south|sud|j1)\b", words)
    north = re.search(r"\b(north|nord|j2)\b", words)
    if bool(south) != bool(north):
        return "resignation-0" if south else "resignation-1"
    if result in ("1-0", "0-1"):
        return "resignation-1" if result == "1-0" else "resignation-0"
    return None
