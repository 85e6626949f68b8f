"""What the move under the cursor would do, and what a move that is shown does: marks on the board, and sentences."""

from __future__ import annotations

from rich.style import Style
from rich.text import Text

from awale import i18n
from awale.draw.marks import last_move
from awale.game import Game, Trace
from awale.i18n import text
from awale.rules import moves as move_texts
from awale.tui.board import View
from awale.tui.move_entry import MoveEntry, moves_of
from awale.tui.player_line import QUIET
from awale.tui.sowing_frames import Frame


def board(game: Game, entry: MoveEntry, trace: Trace | None, *, flip: bool, asked: bool) -> View:
    """Return the board of a game; `asked`: with what a person needs to choose a move."""
    mark = last_move(game)
    return View(
        game.rules,
        game.board,
        flip,
        cursor=entry.cursor if asked else None,
        legal=frozenset(move.pit for move in game.legal_moves) if asked else frozenset(),
        played=None if mark is None else mark.origin,
        marks=_marks(game, entry, trace),
    )


def _marks(game: Game, entry: MoveEntry, trace: Trace | None) -> dict[int, str]:
    """Return the marks of a move that is previewed."""
    if trace is None or trace.period or (game.rules.coloured and entry.choice is None):
        return {}
    found = dict.fromkeys(trace.landings, "+") if trace.lap_count == 1 else {}
    found[trace.last] = "◎"
    if not trace.spared:
        found |= dict.fromkeys((pit for pit, _ in trace.captures), "×")
    return found


def line(game: Game, entry: MoveEntry, trace: Trace | None) -> Text:
    """Return what is being entered, or what the move that is previewed would do."""
    if entry.choice is not None:
        shown = Text(text("tui.say.colour", pit=move_texts.write(game.rules, entry.choice.pit)) + " ")
        for number, move in enumerate(entry.choice.moves):
            style = Style(reverse=number == entry.choice.at, bold=True, meta={"@click": f"screen.colour({number})"})
            shown.append(f" {move} ", style).append(" ")
        return shown
    if entry.typed:
        return Text(text("tui.say.typed", typed=entry.typed.upper()))
    return Text() if trace is None else Text(_sentence(game, trace), QUIET)


def sowing(game: Game, trace: Trace, frame: Frame) -> Text:
    """Return what is being sown or captured, in three lines."""
    plays = text("tui.say.plays", player=game.player_name(trace.mover), move=trace.move)
    if not frame.lap:
        second = text("tui.say.takes", seeds=frame.taken)
    elif trace.lap_count > 1:
        second = text("tui.say.lap", lap=frame.lap, laps=i18n.number(trace.lap_count), hand=frame.hand)
    else:
        second = text("tui.say.hand", hand=frame.hand)
    return Text("\n").join([Text(plays, Style(bold=True)), Text(second), Text(text("tui.say.skip"), QUIET)])


def _sentence(game: Game, trace: Trace) -> str:
    rules, move = game.rules, trace.move
    colours = moves_of(game, move.pit)
    if len(colours) > 1:
        pit = move_texts.write(rules, move.pit)
        return text("tui.say.colours", pit=pit, moves=", ".join(map(str, colours)))
    if trace.period:
        return text("play.say.endless", move=move, period=i18n.number(trace.period))
    seeds, laps, end = len(trace.laps[0].landings), trace.lap_count, move_texts.write(rules, trace.last)
    key = "preview-laps" if laps > 1 else "preview" if seeds > 1 else "preview-one"
    sentence = text(f"tui.say.{key}", move=move, seeds=seeds, laps=i18n.number(laps), end=end)
    if trace.spared:
        return f"{sentence} {text('play.say.spared', move=move)}"
    return sentence + (text("tui.say.preview-takes", seeds=trace.taken) if trace.taken else "")
