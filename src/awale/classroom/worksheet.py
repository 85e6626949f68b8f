"""A worksheet to print: positions with questions, and a page of answers. The same seed gives the same sheet."""

from __future__ import annotations

import html
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, cast, get_args

from awale.classroom.tree import Node, Tree, build_tree
from awale.draw.page import page as html_page
from awale.errors import AwaleError
from awale.game import Game, random_game
from awale.i18n import language, message, text
from awale.rules import moves, presets
from awale.rules.description import Rules
from awale.rules.moves import Move
from awale.rules.reference import Position

Kind = Literal["sow", "capture", "legal", "tree"]
KINDS: tuple[Kind, ...] = get_args(Kind)
MOST = 40
"""The most questions of a sheet."""
MOST_LAPS = 3
"""Relay sowings with more laps are no exercise for paper."""
MOST_LEAVES = 9
_TRIES = 4_000


class WorksheetError(AwaleError):
    """A worksheet that cannot be made."""


@dataclass(frozen=True, slots=True)
class Question:
    """A position with something to find out about it."""

    kind: Kind
    game: Game
    move: Move | None = None
    tree: Tree | None = None


def questions(rules: str | Rules = "abapa", count: int = 8, seed: int = 1) -> list[Question]:
    """Return the questions of a sheet, the kinds in turn."""
    rules = presets.get(rules)
    if rules.coloured:
        raise WorksheetError(message("worksheet.refused.coloured", rules=rules.name))
    if not 1 <= count <= MOST:
        raise WorksheetError(message("worksheet.refused.count", most=MOST, count=count))
    chance = random.Random(f"{seed} {rules.name}")
    found: list[Question] = []
    seen: set[str] = set()
    for kind in (KINDS[number % len(KINDS)] for number in range(count)):
        spare: Question | None = None
        for position in _positions(rules, chance):
            game = Game(rules, start=position)
            if game.over or game.position in seen:
                continue
            question = _MAKERS[kind](game, chance)
            if question is not None and _telling(question):
                break
            spare = spare or question
        else:
            question = spare
        if question is None:
            raise WorksheetError(message("worksheet.refused.none", rules=rules.name))
        seen.add(question.game.position)
        found.append(question)
    return found


# -- positions and questions ----------------------------------------------------------------------------------------


def _positions(rules: Rules, chance: random.Random) -> Iterator[Position]:
    """Yield positions with South to move: from random games, and thinned ones as at the end of a game."""
    for number in range(_TRIES):
        game = random_game(rules, chance.randint(4, 30), chance)
        if game.over or game.turn != 0:
            continue
        state = game.state
        if number % 2:
            kept = [seeds if chance.random() < 0.4 else 0 for seeds in cast("tuple[int, ...]", state.board)]
            gone = rules.total - sum(kept) - sum(state.scores)
            south, north = state.scores[0] + gone // 2, state.scores[1] + gone - gone // 2
            state = state._replace(board=tuple(kept), scores=(south, north))
        yield state._replace(ply=0)


def _fair(game: Game) -> list[Move]:
    return [move for move in game.legal_moves if game.trace(move, laps=0).lap_count <= MOST_LAPS]


def _sow(game: Game, chance: random.Random) -> Question | None:
    return Question("sow", game, chance.choice(fair)) if (fair := _fair(game)) else None


def _capture(game: Game, chance: random.Random) -> Question | None:
    best = max(_fair(game), key=lambda move: game.trace(move, laps=0).taken, default=None)
    return None if best is None else Question("capture", game, best)


def _tree(game: Game, chance: random.Random) -> Question | None:
    if not 2 <= len(game.legal_moves) <= 3:
        return None
    tree = build_tree(game, 2, evaluation="gains")
    leaves = sum(not node.children for node in tree.nodes)
    return Question("tree", game, tree.best, tree) if 4 <= leaves <= MOST_LEAVES else None


_MAKERS: dict[Kind, Callable[[Game, random.Random], Question | None]] = {
    "sow": _sow,
    "capture": _capture,
    "legal": lambda game, chance: Question("legal", game),
    "tree": _tree,
}


def _telling(question: Question) -> bool:
    """Return whether a question has something to find: a long sowing, a capture, a forbidden pit, different leaves."""
    game = question.game
    board = cast("tuple[int, ...]", game.board)
    if question.kind == "sow":
        assert question.move is not None
        return board[question.move.pit] >= min(6, game.rules.pits)
    if question.kind == "capture":
        assert question.move is not None
        return game.trace(question.move, laps=0).taken > 3
    if question.kind == "legal":
        own = [pit for pit in range(game.rules.pits) if board[pit]]
        return 0 < len(game.legal_moves) < len(own) or (game.rules.family == "relay" and len(own) < game.rules.pits)
    assert question.tree is not None
    return len({node.value for node in question.tree.nodes}) > 2


# -- the sheet ------------------------------------------------------------------------------------------------------

_STYLE = """
@page { size: A4; margin: 14mm 16mm }
* { box-sizing: border-box }
body { font: 11pt/1.35 Georgia, "DejaVu Serif", serif; color: #000; background: #fff; max-width: 178mm; margin: 0 auto }
h1 { font-size: 17pt; margin: 0 0 2mm } .about { margin: 0 0 4mm } .name { float: right; font-size: 10pt }
ol { padding-left: 7mm; margin: 0 } ol > li { break-inside: avoid; margin-bottom: 6mm }
li > p { margin: 0 0 2mm }
.boards { display: flex; gap: 6mm; align-items: center; flex-wrap: wrap }
table.board { border-collapse: collapse; font-size: 11pt; text-align: center }
table.board td { width: 8.5mm; height: 8.5mm; border: 0.3mm solid #000 }
table.board th { font-weight: normal; font-size: 8.5pt; color: #333; padding: 0.3mm }
table.board td.store { border: none; min-width: 10mm; width: auto; font-size: 9pt; padding: 0 1mm }
.line { border-bottom: 0.2mm solid #000; display: inline-block; min-width: 80mm; height: 6mm }
.answers { break-before: page } .answers ol > li { margin-bottom: 4mm }
.answers table.board td { width: 7.5mm; height: 6mm; font-size: 10pt }
svg { display: block; max-width: 100%; margin-top: 2mm } svg text { font: 9.5pt Georgia, "DejaVu Serif", serif }
@media screen { body { padding: 10mm; } .answers { border-top: 0.3mm dashed #888; margin-top: 10mm; padding-top: 6mm } }
"""


def page(rules: str | Rules = "abapa", count: int = 8, seed: int = 1, lang: str | None = None) -> str:
    """Return the sheet as a page that needs nothing else, ready to print on A4."""
    rules = presets.get(rules)
    lang = lang or language()
    asked = questions(rules, count, seed)
    title = text("worksheet.title", lang, rules=rules.title.get(lang) or rules.name)
    command = f"awale worksheet --rules {rules.name} --questions {count} --seed {seed}"
    parts = [
        f'<p class="name">{html.escape(text("worksheet.name", lang))}</p><h1>{html.escape(title)}</h1>',
        f'<p class="about">{html.escape(text(f"worksheet.about.{rules.direction}", lang))}</p><ol>',
        *(f"<li>{_asked(question, lang)}</li>" for question in asked),
        f'</ol><section class="answers"><h1>{html.escape(text("worksheet.answers", lang))}</h1>',
        f'<p class="about"><code>{html.escape(command)}</code></p><ol>',
        *(f"<li>{_answered(question, lang)}</li>" for question in asked),
        "</ol></section>",
    ]
    return html_page(title, _STYLE, parts, lang)


def _asked(question: Question, lang: str) -> str:
    game = question.game
    sentence = text(f"worksheet.ask.{question.kind}", lang, player=game.player_name(0, lang), move=question.move)
    boards = _board(game, game.state, lang)
    if question.kind == "sow":
        boards += _board(game, None, lang)
    below = '<p><span class="line"></span></p>' if question.kind in ("capture", "legal") else ""
    if question.tree is not None:
        below = tree_svg(question.tree, lang, solved=False)
    return f'<p>{html.escape(sentence)}</p><div class="boards">{boards}</div>{below}'


def _answered(question: Question, lang: str) -> str:
    game = question.game
    if question.kind == "legal":
        legal = ", ".join(map(str, game.legal_moves))
        lines = [text("worksheet.answer.legal", lang, moves=legal)]
        for pit in range(game.rules.pits):
            why = game.why_illegal(moves.make(game.rules, pit), lang)
            if why and cast("tuple[int, ...]", game.board)[pit]:
                lines.append(why[:1].upper() + why[1:] + ".")
        return "".join(f"<p>{html.escape(line)}</p>" for line in lines)
    assert question.move is not None
    if question.tree is not None:
        root = question.tree.root
        player = game.player_name(0, lang)
        said = text("worksheet.answer.tree", lang, player=player, move=question.move, value=_value(root))
        return f"<p>{html.escape(said)}</p>{tree_svg(question.tree, lang, solved=True)}"
    trace = game.trace(question.move)
    after = game.state._replace(board=trace.board, scores=(game.scores[0] + trace.taken, game.scores[1]))
    if trace.taken:
        pits = ", ".join(moves.pit_for(game.rules, pit, 0) for pit, _ in trace.captures)
        said = text("worksheet.answer.taken", lang, move=question.move, seeds=trace.taken, pits=pits)
    else:
        said = text("worksheet.answer.nothing", lang, move=question.move)
    return f'<p>{html.escape(said)}</p><div class="boards">{_board(game, after, lang)}</div>'


def _board(game: Game, shown: Position | None, lang: str) -> str:
    """Return a board as a table; without a position, one to fill in."""
    rules = game.rules
    upper, lower = rules.rows()

    def names(pits: list[int]) -> str:
        return "<tr><th></th>" + "".join(f"<th>{moves.pit_for(rules, pit, 0)}</th>" for pit in pits) + "<th></th></tr>"

    def cells(pits: list[int]) -> str:
        board = None if shown is None else cast("tuple[int, ...]", shown.board)
        return "".join(f"<td>{'' if board is None else board[pit] or ''}</td>" for pit in pits)

    def store(player: int) -> str:
        seeds = "" if shown is None else f" {shown.scores[player]}"
        return f'<td class="store" rowspan="2">{html.escape(game.player_name(player, lang))}{seeds}</td>'

    return (
        f'<table class="board">{names(upper)}<tr>{store(1)}{cells(upper)}{store(0)}</tr>'
        f"<tr>{cells(lower)}</tr>{names(lower)}</table>"
    )


# -- trees ----------------------------------------------------------------------------------------------------------

_STEP, _LEVEL, _RADIUS, _MARGIN = 62.0, 70.0, 15.0, 24.0


def _value(node: Node) -> str:
    seeds = round((node.value or 0) / 100)
    return f"+{seeds}" if seeds > 0 else str(seeds).replace("-", "−")


def tree_svg(tree: Tree, lang: str, *, solved: bool) -> str:
    """Return a small tree: the leaves have their values, the other nodes are to be filled in unless `solved`."""
    places: dict[int, tuple[float, float]] = {}
    next_x = _MARGIN

    def place(number: int, level: int) -> float:
        nonlocal next_x
        children = tree.nodes[number].children
        if children:
            xs = [place(child, level + 1) for child in children]
            x = (xs[0] + xs[-1]) / 2
        else:
            x, next_x = next_x, next_x + _STEP
        places[number] = (x, _MARGIN + level * _LEVEL)
        return x

    place(0, 0)
    lines, nodes = [], []
    for number, (x, y) in places.items():
        node = tree.nodes[number]
        for child in node.children:
            to_x, to_y = places[child]
            strong = ' stroke-width="2.5"' if solved and child == node.best else ""
            lines.append(f'<line x1="{x:.0f}" y1="{y:.0f}" x2="{to_x:.0f}" y2="{to_y:.0f}" stroke="#000"{strong}/>')
            middle_x, middle_y = (x + to_x) / 2, (y + to_y) / 2
            move = tree.nodes[child].move
            label = "" if move is None else html.escape(moves.pit_for(tree.rules, move.pit, 0))
            lines.append(
                f'<rect x="{middle_x - 7:.0f}" y="{middle_y - 8:.0f}" width="14" height="16" fill="#fff"/>'
                f'<text x="{middle_x:.0f}" y="{middle_y + 4:.0f}" text-anchor="middle">{label}</text>'
            )
        value = _value(node) if solved or not node.children else ""
        nodes.append(
            f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{_RADIUS:.0f}" fill="#fff" stroke="#000"/>'
            f'<text x="{x:.0f}" y="{y + 4:.0f}" text-anchor="middle">{value}</text>'
        )
    width, height = next_x - _STEP + _MARGIN + 60, 2 * _MARGIN + 2 * _LEVEL
    levels = "".join(
        f'<text x="{width - 44:.0f}" y="{_MARGIN + level * _LEVEL + 4:.0f}">{text(f"worksheet.{name}", lang)}</text>'
        for level, name in enumerate(("max", "min"))
    )
    shape = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {shape}>{"".join(lines + nodes)}{levels}</svg>'
