"""A whole game as one moving SVG picture: the seeds glide from pit to pit, move after move.

No script: the picture moves wherever SVG is shown, in a browser or in a document.
"""

from __future__ import annotations

from awale import i18n
from awale.draw import paint
from awale.draw.board import PIT
from awale.draw.paint import element, number, write
from awale.draw.seeds import Heap, in_box, in_circle
from awale.draw.svg import SEED, STORE_SEED, Rows
from awale.errors import AwaleError
from awale.game import Game
from awale.rules.reference import Position, counts

GLIDE = 0.4
"""The part of a move's time in which seeds move."""
MAX_MOVES = 500
Spot = tuple[float, float, float]
"""A seed's place and radius."""


def animated_svg(
    game: Game, *, seconds: float = 1.2, flip: bool = False, lang: str | None = None, size: int | None = None
) -> str:
    """Return a game as an SVG picture that plays it, move after move, and begins again.

    `seconds` is the time for each move; `flip`, `lang` and `size` as in `board_svg`.

    >>> picture = animated_svg(Game("abapa", moves="F f E"))
    >>> picture.count("<circle"), picture.count("<script")
    (72, 0)
    """
    if game.rules.coloured:
        raise AwaleError(i18n.message("draw.animation-coloured"))
    if not game.moves or len(game.moves) > MAX_MOVES:
        raise AwaleError(i18n.message("draw.animation-moves", limit=MAX_MOVES))
    board = Rows(game, flip=flip, mark=None, lang=lang, arrows=(), fill={}, colours={})
    course = _course(board, game.history)
    body = [*board.empty(), *_numbers(board, game, seconds), *_names(board, game, seconds)]
    body += [_seed(spots, seconds, dark=seed % 3 == 0) for seed, spots in enumerate(course)]
    title = f"{game.rules.name}: {' '.join(map(str, game.moves))}"
    return paint.picture(*board.size, size, title, game.position, body)


def _course(board: Rows, history: tuple[Position, ...]) -> list[list[Spot]]:
    """Return the places of every seed, position by position. A seed that need not move stays."""
    heaps: list[list[int]] = []
    seeds: list[list[Spot]] = []
    for position in history:
        wanted = [*counts(position.board), *position.scores]
        if not heaps:
            for count in wanted:
                heaps.append(list(range(len(seeds), len(seeds) + count)))
                seeds += [[] for _ in range(count)]
        lifted = [seed for heap, count in zip(heaps, wanted, strict=True) for seed in heap[count:]]
        heaps = [heap[:count] for heap, count in zip(heaps, wanted, strict=True)]
        for heap, count in zip(heaps, wanted, strict=True):
            while len(heap) < count:
                heap.append(lifted.pop(0))
        for place, heap in enumerate(heaps):
            for seed, spot in zip(heap, _spots(board, place, len(heap)), strict=True):
                seeds[seed].append(spot)
    return seeds


def _spots(board: Rows, place: int, count: int) -> list[Spot]:
    """Return where the seeds of a pit lie, or after the pits those of a store."""
    holes = board.rules.holes
    heap: Heap
    if place < holes:
        (x, y), heap = board.place(place).pit, in_circle(count, PIT - 5, SEED)
    else:
        x, y, width, height = board.store_room(place - holes)
        heap = in_box(count, width, height, STORE_SEED)
    return [(x + seed.x, y + seed.y, heap.radius) for seed in heap.seeds]


def _times(moves: int) -> str:
    """Return the key times: each position stands for a while, then glides into the next."""
    each = 1 / (moves + 1)
    times = [0.0]
    for move in range(moves):
        times += [(move + 1 - GLIDE / 2) * each, (move + 1 + GLIDE / 2) * each]
    return ";".join(f"{time:.4f}" for time in [*times, 1.0])


def _animate(attribute: str, values: list[str], seconds: float) -> str:
    """Let an attribute take a value for every position; nothing if it never changes."""
    if len(set(values)) == 1:
        return ""
    doubled = ";".join(value for value in values for _ in (0, 1))
    moves = len(values) - 1
    return element(
        "animate", attributeName=attribute, values=doubled, keyTimes=_times(moves), dur=f"{seconds * (moves + 1):g}s",
        repeatCount="indefinite",
    )  # fmt: skip


def _seed(spots: list[Spot], seconds: float, *, dark: bool) -> str:
    x, y, radius = spots[0]
    fill = "url(#awale-dark)" if dark else "url(#awale-seed)"
    drawn = element("circle", cx=x, cy=y, r=radius, fill=fill, stroke="#33291a", stroke_width=0.8)
    moved = "".join(
        _animate(name, [number(spot[part]) for spot in spots], seconds) for part, name in enumerate(("cx", "cy", "r"))
    )
    return drawn.removesuffix("/>") + (f">{moved}</circle>" if moved else "/>")


def _shown(drawn: str, positions: list[bool], seconds: float) -> str:
    """Show an element in some positions only."""
    moves = len(positions) - 1
    times = ";".join(f"{position / (moves + 1):.4f}" for position in range(moves + 1))
    values = ";".join("inline" if shown else "none" for shown in positions)
    shown = element(
        "animate", attributeName="display", values=values, keyTimes=times, dur=f"{seconds * (moves + 1):g}s",
        repeatCount="indefinite", calcMode="discrete",
    )  # fmt: skip
    state = "inline" if positions[0] else "none"
    return drawn.replace("<text ", f'<text display="{state}" ', 1).replace("</text>", f"{shown}</text>")


def _numbers(board: Rows, game: Game, seconds: float) -> list[str]:
    """Write the number of every pit and store, as it is in each position."""
    drawn = []
    for place in range(game.rules.holes + 2):
        course = [(*counts(position.board), *position.scores)[place] for position in game.history]
        x, y = board.number_place(place)
        for value in sorted(set(course)):
            text = write(str(value), x, y, 20, board.colours["numbers"], bold=True)
            drawn.append(_shown(text, [value == one for one in course], seconds) if len(set(course)) > 1 else text)
    return drawn


def _names(board: Rows, game: Game, seconds: float) -> list[str]:
    """Write the moves, each while it is played."""
    width, height = board.size
    drawn = []
    for ply, move in enumerate(game.moves):
        text = write(f"{ply + 1}. {move}", width / 2, height / 2, 17, board.colours["numbers"], bold=True)
        drawn.append(_shown(text, [position == ply + 1 for position in range(len(game.moves) + 1)], seconds))
    return drawn
