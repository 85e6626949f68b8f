"""A game as JSON, in one form (described in `docs/notation.md`); many games are one JSON object a line."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import IO, Any

from awale import i18n
from awale.errors import AwaleError, MoveError, NotationError, SowingError
from awale.game import ENDED, Game, Outcome
from awale.notation import replay, variants
from awale.notation.records import (
    MARK,
    MAX_DEPTH,
    RESULT,
    UNFINISHED,
    GameRecord,
    PlayedMove,
    Variation,
    at_entry,
    check_tags,
    clean,
    settled_result,
    taken_fits,
    written_result,
    wrong_capture,
)
from awale.notation.sources import Source, lines, write_texts
from awale.rules import positions, reference

FORMAT = "awale-game"
VERSION = 1
MAX_DOCUMENT = 64_000_000
"""Characters of a file that is not one game a line, and so must be held whole."""
_MOVE = re.compile(r"([0-9]{1,3}[A-Za-z]{0,2}|[A-Za-z])(?:(\+)([0-9]{0,3}))?([!?]{0,4})")


# -- writing -------------------------------------------------------------------------------------------------------


def to_data(game: GameRecord | Game, **tags: str) -> dict[str, Any]:
    """Return a game as plain dictionaries and lists, ready for `json.dumps`."""
    record = GameRecord.from_game(game) if isinstance(game, Game) else game
    if not RESULT.fullmatch(record.result):
        raise NotationError(i18n.message("notation.bad-result", text=record.result[:20]))
    data: dict[str, Any] = {"format": FORMAT, "version": VERSION, "rules": variants.to_json(record.rules)}
    if record.start is not None:
        data["start"] = positions.write(record.rules, record.start)
    if shown := check_tags({**record.tags, **tags}):
        data["tags"] = shown
    if comments := _comments(record.comments):
        data["comments"] = comments
    data["moves"] = _moves_data(record.moves, 0)
    data["result"] = record.result
    end = {"outcome": _outcome_data(record.outcome), "ended": record.ended, "offer": record.offer}
    return data | {name: value for name, value in end.items() if value is not None}


def _comments(comments: Iterable[str]) -> list[str]:
    return [said for comment in comments if (said := clean(comment))]


def _moves_data(moves: list[PlayedMove], depth: int) -> list[Any]:
    if depth > MAX_DEPTH:
        raise NotationError(i18n.message("notation.too-deep", limit=MAX_DEPTH))
    return [_move_data(played, depth) for played in moves]


def _move_data(played: PlayedMove, depth: int) -> str | dict[str, Any]:
    if not (played.comments or played.marks or played.variations):
        return str(played)
    data: dict[str, Any] = {"move": str(played.move)}
    if played.taken:
        data["takes"] = played.taken
    if played.marks:
        data["marks"] = played.marks
    if comments := _comments(played.comments):
        data["comments"] = comments
    if played.variations:
        data["variations"] = [_variation_data(variation, depth + 1) for variation in played.variations]
    return data


def _variation_data(variation: Variation, depth: int) -> dict[str, Any]:
    comments = _comments(variation.comments)
    data: dict[str, Any] = {"comments": comments} if comments else {}
    return {**data, "moves": _moves_data(variation.moves, depth)}


def to_json(game: GameRecord | Game, **tags: str) -> str:
    """Return a game as one line of JSON, without the end of line.

    >>> to_json(Game("abapa", moves="Ff"), South="Awa")
    '{"format":"awale-game","version":1,"rules":"abapa","tags":{"South":"Awa"},"moves":["F","f"],"result":"*"}'
    """
    return json.dumps(to_data(game, **tags), ensure_ascii=False, separators=(",", ":"))


def write_json(records: Iterable[GameRecord | Game], file: str | os.PathLike[str] | IO[str]) -> int:
    """Write games to a file (a path, or an open text file), one a line. Return how many."""
    return write_texts((to_json(record) + "\n" for record in records), file)


# -- reading text --------------------------------------------------------------------------------------------------


def read_json(
    source: Source, *, name: str = "", on_error: Callable[[NotationError], object] | None = None
) -> Iterator[GameRecord]:
    """Yield the games of a JSON file; `source`, `name` and `on_error` as in `read_ogn`.

    One game a line streams. A single object spread over lines, or an array, is read too, if it is not too large.
    """

    def tell(error: NotationError) -> None:
        if on_error is None:
            raise error
        on_error(error)

    for data, line, column in _values(source, name, tell):
        for item in data if isinstance(data, list) else (data,):
            try:
                record = from_data(item)
            except NotationError as error:
                tell(NotationError(error.problem, line=line, column=column, source=name))
            else:
                yield record


def _values(source: Source, name: str, tell: Callable[[NotationError], None]) -> Iterator[tuple[object, int, int]]:
    """Yield the JSON values of a source and where each begins."""
    found = enumerate(lines(source, name), 1)
    first = True
    for number, line in found:
        if line.isspace():
            continue
        try:
            data = json.loads(line)
        except (ValueError, RecursionError) as error:
            if first and not isinstance(error, RecursionError):
                yield from _whole(line, number, found, name)
                return
            tell(_json_error(error, number, name))
        else:
            yield data, number, 1 + len(line) - len(line.lstrip())
        first = False


def _whole(head: str, number: int, rest: Iterator[tuple[int, str]], name: str) -> Iterator[tuple[object, int, int]]:
    """Yield the values of a document that does not have one on each line."""
    parts, size = [head], len(head)
    for _, line in rest:
        parts.append(line)
        size += len(line)
        if size > MAX_DOCUMENT:
            message = i18n.message("notation.long-json", limit=i18n.number(MAX_DOCUMENT))
            raise NotationError(message, line=number, column=1, source=name)
    text = "".join(parts)
    decoder = json.JSONDecoder()
    place = _skip(text, 0)
    while place < len(text):
        try:
            data, after = decoder.raw_decode(text, place)
        except (ValueError, RecursionError) as error:
            raise _json_error(error, number, name) from None
        line_start = text.rfind("\n", 0, place) + 1
        yield data, number + text.count("\n", 0, place), place - line_start + 1
        place = _skip(text, after)


def _skip(text: str, place: int) -> int:
    while place < len(text) and text[place] in " \t\r\n":
        place += 1
    return place


def _json_error(error: Exception, number: int, name: str) -> NotationError:
    if isinstance(error, json.JSONDecodeError):
        message = i18n.message("notation.bad-json", reason=error.msg)
        return NotationError(message, line=number + error.lineno - 1, column=error.colno, source=name)
    message = i18n.message("notation.too-deep", limit=MAX_DEPTH)
    if not isinstance(error, RecursionError):  # a number of thousands of digits
        message = i18n.message("notation.bad-json", reason=str(error)[:80])
    return NotationError(message, line=number, column=1, source=name)


def from_json(text: str) -> Game:
    """Return the first game of a JSON text, ready to play on.

    >>> from_json(to_json(Game("abapa", moves="Ff"))).ply
    2
    """
    for record in read_json(text):
        return record.game()
    raise NotationError(i18n.message("notation.no-game"), line=1, column=1)


# -- reading data --------------------------------------------------------------------------------------------------


def _bad(path: str, key: str, **values: object) -> NotationError:
    return at_entry(path, i18n.message(f"notation.json.{key}", **values))


def _typed(data: Mapping[str, Any], key: str, kind: type, default: Any, path: str = "") -> Any:
    value = data.get(key, default)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise _bad(path + key, f"must-be-{kind.__name__}")
    return value


def _only(data: Mapping[str, Any], known: frozenset[str], path: str) -> None:
    for key in data:
        if key not in known:
            raise _bad(f"{path}{key[:60]}", "unknown")


def _texts(data: Mapping[str, Any], key: str, path: str = "") -> list[str]:
    values = _typed(data, key, list, [], path)
    for index, value in enumerate(values):
        if not isinstance(value, str):
            raise _bad(f"{path}{key}[{index}]", "must-be-str")
    return values  # type: ignore[no-any-return]


_GAME_KEYS = frozenset(
    ("format", "version", "rules", "start", "tags", "comments", "moves", "result", "outcome", "ended", "offer")
)
_MOVE_KEYS = frozenset(("move", "takes", "marks", "comments", "variations"))
_LINE_KEYS = frozenset(("comments", "moves"))


def from_data(data: object) -> GameRecord:
    """Return a record from the output of `json.loads`; every move is checked. A `NotationError` names the entry."""
    if not isinstance(data, Mapping):
        raise NotationError(i18n.message("notation.json.must-be-dict"))
    if data.get("format", FORMAT) != FORMAT:
        raise _bad("format", "other-format", known=FORMAT)
    version = _typed(data, "version", int, VERSION)
    if version != VERSION:
        raise _bad("version", "other-version", version=str(version)[:20], known=VERSION)
    _only(data, _GAME_KEYS, "")
    place = "rules"
    try:
        rules = variants.from_json(data.get("rules", "abapa"))
        place = "start"
        start = positions.read(rules, _typed(data, "start", str, "")) if "start" in data else None
        player = replay.for_rules(rules)
        spot = player.start(start)
        tags = check_tags(_typed(data, "tags", dict, {}))
    except NotationError:
        raise
    except AwaleError as error:
        raise at_entry(place, error.said or str(error)) from None
    if start == reference.start(rules):
        start = None
    record = GameRecord(rules, start, tags, comments=_comments(_texts(data, "comments")))
    spot = _read_moves(player, spot, _typed(data, "moves", list, []), record.moves, "", 0)
    _read_end(data, record, spot)
    return record


def _read_moves(
    player: replay.Replay, spot: replay.Spot, data: list[Any], into: list[PlayedMove], path: str, depth: int
) -> replay.Spot:
    if depth > MAX_DEPTH:
        raise NotationError(i18n.message("notation.too-deep", limit=MAX_DEPTH))
    for index, entry in enumerate(data):
        where = f"{path}moves[{index}]"
        if isinstance(entry, str):
            played, after = _read_move(player, spot, entry, None, where)
        else:
            detail: Mapping[str, Any] = entry if isinstance(entry, Mapping) else {"move": entry}
            _only(detail, _MOVE_KEYS, f"{where}.")
            takes = str(_typed(detail, "takes", int, 0, f"{where}.")) if "takes" in detail else None
            played, after = _read_move(player, spot, _typed(detail, "move", str, "", f"{where}."), takes, where)
            _read_remarks(player, spot, detail, played, where, depth)
        into.append(played)
        spot = after
    return spot


def _read_move(
    player: replay.Replay, spot: replay.Spot, text: str, takes: str | None, where: str
) -> tuple[PlayedMove, replay.Spot]:
    """Read a move as in `C+2!`, or as in `C` with its capture in another entry."""
    match = _MOVE.fullmatch(text)
    if match is None:
        raise _bad(where, "no-move")
    name, plus, said, marks = match.groups()
    try:
        move, after = player.push(spot, name)
    except (MoveError, SowingError) as error:
        raise at_entry(where, error.said or str(error)) from None
    if takes is not None:
        plus, said = "+", takes
    if plus and not taken_fits(after, spot.turn, said):
        raise at_entry(where, wrong_capture(name, after, said))
    return PlayedMove(move, after.taken, marks=[marks] if marks else []), after


def _read_remarks(
    player: replay.Replay, spot: replay.Spot, detail: Mapping[str, Any], played: PlayedMove, where: str, depth: int
) -> None:
    """Read comments, marks and variations of a move; `spot` is where it was played."""
    for mark in _texts(detail, "marks", f"{where}."):
        if not MARK.fullmatch(mark):
            raise at_entry(where, i18n.message("notation.bad-mark", mark=mark[:20]))
        played.marks.append(mark)
    played.comments = _comments(_texts(detail, "comments", f"{where}."))
    for number, line in enumerate(_typed(detail, "variations", list, [], f"{where}.")):
        there = f"{where}.variations[{number}]"
        if not isinstance(line, Mapping):
            raise _bad(there, "must-be-dict")
        _only(line, _LINE_KEYS, f"{there}.")
        variation = Variation(comments=_comments(_texts(line, "comments", f"{there}.")))
        moves = _typed(line, "moves", list, [], f"{there}.")
        _read_moves(player, spot, moves, variation.moves, f"{there}.", depth + 1)
        if variation.moves:
            played.variations.append(variation)
        else:
            played.comments += variation.comments


def _read_end(data: Mapping[str, Any], record: GameRecord, spot: replay.Spot) -> None:
    """Read how the game ended; it must not contradict the moves."""
    ended, offer = data.get("ended"), data.get("offer")
    if ended is not None and ended not in ENDED:
        raise _bad("ended", "not-one-of", choices=", ".join(ENDED))
    if offer is not None and (offer not in (0, 1) or isinstance(offer, bool)):
        raise _bad("offer", "not-one-of", choices="0, 1")
    if (ended is not None and offer is not None) or (spot.reason and not ended is offer is None):
        raise at_entry("ended", i18n.message("notation.ended-over"))
    record.ended, record.offer = ended, offer
    stated = _typed(data, "result", str, UNFINISHED)
    if not RESULT.fullmatch(stated):
        raise at_entry("result", i18n.message("notation.bad-result", text=stated[:20]))
    try:
        record.result = settled_result(stated, spot)
    except NotationError as error:
        raise at_entry("result", error.problem) from None
    record.outcome = spot.outcome(ended)
    if record.outcome is not None and record.result == UNFINISHED:
        record.result = written_result(record.outcome)
    said = data.get("outcome")
    if said is not None and said != _outcome_data(record.outcome):
        raise _bad("outcome", "wrong-outcome", true=json.dumps(_outcome_data(record.outcome)))


def _outcome_data(outcome: Outcome | None) -> dict[str, Any] | None:
    return None if outcome is None else {**outcome._asdict(), "scores": list(outcome.scores)}
