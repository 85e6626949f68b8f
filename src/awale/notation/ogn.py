"""Oware Game Notation, read: files of any number of games, one in memory at a time.

The reader forgives what is clear (ends of line, missing tags and results, either case, unseparated moves, several
spellings of a result) and otherwise reports the line and column of the error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache

from awale import i18n
from awale.errors import AwaleError, MoveError, NotationError, SowingError
from awale.game import Game
from awale.notation import replay, variants
from awale.notation.records import (
    BARE,
    MAX_DEPTH,
    MAX_TAG_VALUE,
    UNFINISHED,
    GameRecord,
    PlayedMove,
    Variation,
    clean,
    clean_value,
    known_tag,
    read_ended,
    settled_result,
    taken_fits,
    winner_of,
    written_result,
    wrong_capture,
)
from awale.notation.sources import Source, lines
from awale.rules import positions, reference
from awale.rules.description import Notation, Rules
from awale.rules.moves import Move
from awale.rules.presets import get

MAX_GAME = 8_000_000
"""Characters of one game; a game of 100,000 commented moves is shorter."""

_MOVES: dict[str, str] = {
    "letters": r"[A-La-l]",
    "letters-north-upper": r"[A-La-l]",
    "numbers": r"[0-9]{1,3}(?![0-9])",
    "left": r"[0-9]{1,3}(?![0-9])",
    "colours": r"[0-9]{1,3}(?![0-9])(?:[Tt]?[RBrb])?",
}
_NUMBERED: dict[str, str] = {
    # Letters cannot be taken for numbers, so there the dot may be missing.
    notation: r"[0-9]{1,9}(?:\s*\.[.\s…]*)?(?![0-9])" if "letters" in notation else r"[0-9]{1,9}\s*\.[.\s…]*"
    for notation in _MOVES
}
_COMMON = r"""
  (?P<half>1/2\s*[-–]\s*1/2|½\s*[-–]\s*½|1/2(?![-–])|½)
| (?P<result>[0-9]{1,3}[ \t]*[-–][ \t]*[0-9]{1,3}(?![0-9.])|\*)
| (?P<number>NUMBER)
| (?P<move>(MOVE)(?:(\+)([0-9]{0,3}))?([!?]{0,4}))
| (?P<comment>[{;])
| (?P<open>\()
| (?P<close>\))
| (?P<mark>[!?]{1,4}|\$[0-9]{1,4}(?![0-9]))
| (?P<pass>--|[Pp]ass[e]?\b)
| (?P<tag>\[)
| (?P<dots>\.\.[.]*|…)
| (?P<bad>\S)
"""


@cache
def _tokens(notation: Notation) -> re.Pattern[str]:
    text = _COMMON.replace("NUMBER", _NUMBERED[notation]).replace("MOVE", _MOVES[notation])
    return re.compile(text, re.VERBOSE)


_TAG = re.compile(r'\[\s*(\w[\w-]{0,63})\s*"([^"\\]*(?:\\.[^"\\]*)*)"\s*\]')
# Quotes forgotten within the value, or around it: clear as long as the line ends with the tag.
_LOOSE_TAG = re.compile(r'\[\s*(\w[\w-]{0,63})\s*(?:"(.*)"|(?<=\s)([^"\[\]{}();]+))\s*\]\s*$')
_ESCAPED = re.compile(r'\\(["\\])')
_SIDE = {"south": 0, "north": 1, "j1": 0, "j2": 1, "sud": 0, "nord": 1}


def read_ogn(
    source: Source,
    *,
    rules: str | Rules = "abapa",
    name: str = "",
    on_error: Callable[[NotationError], object] | None = None,
) -> Iterator[GameRecord]:
    """Yield the games of an OGN file.

    `source` is a text, a `Path`, an open file or lines. `rules` are those of games without a `Variant` tag. `name` is
    what errors call the source. A game that cannot be read raises `NotationError`; with `on_error` that is called
    instead, and reading continues at the next tags.

    >>> [record.result for record in read_ogn("1. F f 2. E e *  1. A a")]
    ['*', '*']
    """
    return _Reader(get(rules), name).records(source, on_error)


@dataclass(slots=True)
class _Line:
    """A line of moves being read: the game itself, or a variation within it."""

    spot: replay.Spot
    line: int
    column: int
    moves: list[PlayedMove] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)


class _Reader:
    """Reads line by line. It is before the moves (`player` is None), among them, or just behind them (`closed`)."""

    def __init__(self, rules: Rules, name: str) -> None:
        self.default_rules = rules
        self.name = name
        self.number = 0
        self.text = ""
        self.done: list[GameRecord] = []
        self.forget()

    def forget(self) -> None:
        """Reset the reader for a new game."""
        self.tags: dict[str, str] = {}
        self.places: dict[str, tuple[int, int]] = {}
        self.said: list[str] = []  # comments outside the moves, before or behind them
        self.size = 0
        self.blank_after_tags = False
        self.player: replay.Replay | None = None
        self.stack: list[_Line] = []
        self.closed: GameRecord | None = None
        # A comment that goes on over lines: what there is of it, where it goes, and the brace that opened it.
        self.note: list[str] = []
        self.note_into: list[str] | None = None
        self.brace: tuple[int, int] | None = None

    def fail(self, key: str, line: int, column: int, **values: object) -> NotationError:
        return self.error(i18n.message(f"notation.{key}", **values), line, column)

    def error(self, problem: str | i18n.Sayable, line: int, column: int) -> NotationError:
        return NotationError(problem, line=line, column=column, source=self.name)

    # -- lines ---------------------------------------------------------------------------------------------------

    def records(self, source: Source, on_error: Callable[[NotationError], object] | None) -> Iterator[GameRecord]:
        skipping = False
        moves_seen = False
        for line in lines(source, self.name):
            self.number += 1
            is_tag = line.lstrip().startswith("[")
            if skipping:
                # The next game begins with the first tag after the moves of the bad one.
                moves_seen = moves_seen or not (is_tag or line.isspace())
                skipping = not (is_tag and moves_seen)
            while not skipping:
                try:
                    self.feed(line)
                    break
                except NotationError as error:
                    yield from self.given()
                    if on_error is None:
                        raise
                    moves_seen = self.player is not None or not is_tag
                    # The tags of the next game may reveal that a game is bad: they are read again.
                    skipping = not (is_tag and error.line is not None and error.line < self.number)
                    self.forget()
                    on_error(error)
            yield from self.given()
        try:
            self.end()
        except NotationError as error:
            if on_error is None:
                raise
            on_error(error)
        yield from self.given()

    def given(self) -> Iterator[GameRecord]:
        yield from self.done
        self.done.clear()

    def feed(self, line: str) -> None:
        """Read a line; games that end in it are put in `done`."""
        self.text = line
        self.size += len(line)
        if self.size > MAX_GAME:
            raise self.fail("long-game", self.number, 1, limit=i18n.number(MAX_GAME))
        place = 0
        if self.brace is not None:
            place = self.comment_on(0)
            if self.brace is not None:
                return
        else:
            if self.note_into is not None and not line.lstrip().startswith(";"):
                self.end_comment()
            if line.startswith("%"):  # the escape of PGN: not for us
                return
            if self.player is None and line.isspace():
                self.emit()
                self.blank_after_tags = bool(self.tags)
                return
        end = len(line)
        while place < end:
            try:
                place = self.feed_head(place) if self.player is None else self.feed_moves(place)
            except SowingError as error:
                raise NotationError(error.said or str(error), line=self.number, source=self.name) from None

    def feed_head(self, place: int) -> int:
        """Read tags and comments outside the moves. Return where the moves begin, or the end of the line."""
        line = self.text
        while place < len(line):
            here = line[place]
            if here.isspace():
                place += 1
            elif here in "{;":
                place = self.comment(place, self.said)
            else:
                self.emit()
                if here != "[":
                    self.begin()
                    return place
                place = self.read_tag(place)
        return place

    def end(self) -> None:
        """Finish the last game at the end of the source."""
        if self.brace is not None:
            raise self.fail("open-comment", *self.brace)
        self.end_comment()
        self.number += 1
        if self.player is None and self.closed is None and self.tags:
            self.begin()
        if self.player is not None:
            self.finish(None, 1)
        self.emit()

    def emit(self) -> None:
        """Release the finished game: no comment can follow it any more."""
        if self.closed is not None:
            size = len(self.text)
            self.done.append(self.closed)
            self.forget()
            self.size = size

    # -- comments ------------------------------------------------------------------------------------------------

    def comment(self, place: int, into: list[str]) -> int:
        """Start a comment. Return where reading continues."""
        if self.text[place] == ";":
            if self.note_into is None:
                self.note_into = into
            said = self.text[place + 1 :].rstrip("\n")
            self.note.append(said[1:] if said.startswith(" ") else said)
            return len(self.text)
        self.end_comment()
        self.note_into = into
        self.brace = self.number, place + 1
        return self.comment_on(place + 1)

    def comment_on(self, place: int) -> int:
        """Read on within braces."""
        close = self.text.find("}", place)
        if close < 0:
            self.note.append(self.text[place:])
            return len(self.text)
        self.note.append(self.text[place:close])
        self.brace = None
        self.end_comment("")
        return close + 1

    def end_comment(self, joint: str = "\n") -> None:
        if self.note_into is not None:
            said = clean(joint.join(self.note))
            if said:
                self.note_into.append(said)
            self.note_into = None
            self.note.clear()

    # -- tags ----------------------------------------------------------------------------------------------------

    def read_tag(self, place: int) -> int:
        match = _TAG.match(self.text, place) or _LOOSE_TAG.match(self.text, place)
        if match is None:
            raise self.fail("bad-tag", self.number, place + 1, text=_shown(self.text[place:]))
        strict = match.re is _TAG
        value = match[2] if strict or match[2] is not None else match[3].strip()
        if len(value) > MAX_TAG_VALUE:
            limit = i18n.number(MAX_TAG_VALUE)
            raise self.fail("tag-long", self.number, place + 1, name=match[1], limit=limit)
        if "\\" in value:
            value = _ESCAPED.sub(r"\1", value)
        name = known_tag(match[1])
        if name in self.tags:
            if not self.blank_after_tags:
                raise self.fail("tag-twice", self.number, place + 1, name=name)
            # Tags, an empty line, the same tags: a game without moves came before.
            self.begin()
            self.finish(None, 1)
            self.emit()
        self.tags[name] = clean_value(value)
        self.places[name] = self.number, match.start(2 if match[2] is not None else 3) + 1
        self.blank_after_tags = False
        return match.end()

    def begin(self) -> None:
        """Find the rules and the start after the last tag."""
        tags = self.tags
        variant = tags.pop("Variant", "?")
        naming = [tags.pop(tag, None) for tag in ("Rules", "RulesSource", "RulesVersion")]
        place = self.places.get("Rules" if naming[0] is not None else "Variant", (self.number, 1))
        try:
            if variant in ("", "?") and naming[0] is None:
                rules = self.default_rules
            else:
                rules = variants.from_tags(variant, *naming)
            start = None
            if "FEN" in tags:
                place = self.places["FEN"]
                start = positions.read(rules, tags.pop("FEN"))
            player = replay.for_rules(rules)
            spot = player.start(start)
        except AwaleError as error:
            raise self.error(error.said or str(error), *place) from None
        self.player = player
        self.find_tokens = _tokens(rules.notation).finditer
        self.start = None if start == reference.start(rules) else start
        self.stack = [_Line(spot, self.number, 1, comments=self.said)]
        self.said = []

    # -- moves ---------------------------------------------------------------------------------------------------

    def feed_moves(self, place: int) -> int:
        """Read moves up to the end of the line, of the game, or to a comment. Returns where reading goes on."""
        player = self.player
        assert player is not None
        play, names = player.play, player.moves
        line = self.stack[-1]
        spot, moves = line.spot, line.moves
        for match in self.find_tokens(self.text, place):
            kind = match.lastgroup
            if kind == "move":
                text, plus, taken, marks = match.group(5, 6, 7, 8)
                move = names[spot.turn].get(text)
                after = None if move is None else play(spot, move)
                if after is None or move is None:
                    move, after = self.unusual(spot, text, match.start() + 1)
                if plus and not taken_fits(after, spot.turn, taken):
                    raise self.error(wrong_capture(text, after, taken), self.number, match.start() + 1)
                played = PlayedMove(move, after.taken)
                if marks:
                    played.marks.append(marks)
                moves.append(played)
                line.spot = spot = after
            elif kind == "number" or kind == "dots":
                continue
            else:
                return self.other(match, line)
        return len(self.text)

    def unusual(self, spot: replay.Spot, text: str, column: int) -> tuple[Move, replay.Spot]:
        """Read a move that the table of usual spellings does not hold, or raise what is wrong with it."""
        assert self.player is not None
        try:
            return self.player.push(spot, text)
        except MoveError as error:
            raise self.error(error.said or str(error), self.number, column) from None

    def other(self, token: re.Match[str], line: _Line) -> int:
        """Read a token that is neither a move nor its number. Return where reading continues."""
        kind, text, column = token.lastgroup, token.group(), token.start() + 1
        match kind:
            case "comment":
                return self.comment(token.start(), line.moves[-1].comments if line.moves else line.comments)
            case "mark":
                if not line.moves:
                    raise self.fail("lonely-mark", self.number, column, mark=text)
                line.moves[-1].marks.append(text)
            case "open":
                self.open(line, column)
            case "close":
                self.close(column)
            case "half" | "result":
                if len(self.stack) == 1:  # in a variation it repeats what its moves show
                    self.finish(_result(kind, text), column)
            case "pass":
                if not line.spot.passed:
                    raise self.fail("no-pass", self.number, column)
            case "tag":
                self.finish(None, column)
                return token.start()
            case _:
                raise self.fail("unreadable", self.number, column, text=_shown(self.text[token.start() :]))
        return token.end()

    def open(self, line: _Line, column: int) -> None:
        before = line.spot.parent
        if before is None or not line.moves:
            raise self.fail("lonely-variation", self.number, column)
        if len(self.stack) > MAX_DEPTH:
            raise self.fail("too-deep", self.number, column, limit=MAX_DEPTH)
        self.stack.append(_Line(before, self.number, column))

    def close(self, column: int) -> None:
        if len(self.stack) == 1:
            raise self.fail("stray-close", self.number, column)
        ended = self.stack.pop()
        replaced = self.stack[-1].moves[-1]
        if ended.moves:
            replaced.variations.append(Variation(ended.moves, ended.comments))
        else:
            replaced.comments += ended.comments

    # -- the end of a game ---------------------------------------------------------------------------------------

    def finish(self, stated: str | None, column: int) -> None:
        """Close the game. `stated` is the result behind its moves."""
        if len(self.stack) > 1:
            raise self.fail("open-variation", self.stack[-1].line, self.stack[-1].column)
        assert self.player is not None
        self.end_comment()
        line, tags = self.stack[0], self.tags
        record = GameRecord(self.player.rules, self.start, tags, line.moves, line.comments)
        result = self.agreed_result(stated, column)
        if "Termination" in tags and line.spot.reason is None:
            record.ended = read_ended(tags["Termination"], result)
            if record.ended is not None:
                del tags["Termination"]
        offer = _SIDE.get(tags.pop("Offer", "").lower())
        if record.ended is None and line.spot.reason is None:
            record.offer = offer
        record.outcome = line.spot.outcome(record.ended)
        record.result = written_result(record.outcome) if result == UNFINISHED and record.outcome else result
        self.closed = record
        self.said = line.moves[-1].comments if line.moves else line.comments
        self.player = None
        self.stack = []

    def agreed_result(self, stated: str | None, column: int) -> str:
        """Return the result from the tag, the end of the moves and the rules; refuse a contradiction."""
        tag = self.tags.pop("Result", None)
        place = self.number, column
        result = stated or UNFINISHED
        if tag is not None and tag.strip() not in ("", "?", UNFINISHED):
            read = _RESULT.fullmatch(tag.strip())
            if read is None:
                raise self.fail("bad-result", *self.places["Result"], text=_shown(tag))
            tagged = _result(read.lastgroup, read.group())
            if result == UNFINISHED:
                result, place = tagged, self.places["Result"]
            elif result != tagged:
                if winner_of(result) != winner_of(tagged) or not {result, tagged} & BARE:
                    raise self.fail("two-results", *place, tag=tagged, moves=result)
                result = tagged if result in BARE else result
        try:
            return settled_result(result, self.stack[0].spot)
        except NotationError as error:
            raise self.error(error.problem, *place) from None


_RESULT = re.compile(r"(?P<half>1/2\s*[-–]\s*1/2|½\s*[-–]\s*½|1/2|½)|(?P<result>[0-9]{1,3}\s*[-–]\s*[0-9]{1,3})")


def _result(kind: str | None, text: str) -> str:
    if kind == "half":
        return "1/2-1/2"
    if text == UNFINISHED:
        return text
    south, north = re.split(r"\s*[-–]\s*", text)
    return f"{int(south)}-{int(north)}"


def _shown(text: str) -> str:
    """Return a piece of the input for an error message: short, on one line."""
    word = text.split(maxsplit=1)[0] if text.split(maxsplit=1) else text
    return word[:20].encode("unicode_escape").decode() if not word[:20].isprintable() else word[:20]


def from_ogn(text: str, *, rules: str | Rules = "abapa") -> Game:
    """Return the first game of an OGN text, ready to play on.

    >>> from_ogn("1. F f 2. E").turn
    1
    """
    for record in read_ogn(text, rules=rules):
        return record.game()
    raise NotationError(i18n.message("notation.no-game"), line=1, column=1)
