"""A whole game as one moving SVG picture: the seeds glide from pit to pit, move after move.

No script: the picture moves wherever SVG is shown, in a browser or in a document.
"""

from __future__ import annotations

from awale import i18n
from awale.draw import paint
from awale.draw.board import BoardPicture
from awale.draw.paint import element, number, write
from awale.draw.ring import Ring
from awale.draw.seeds import Heap, Point, Seed
from awale.draw.svg import Rows
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
    if not game.moves or len(game.moves) > MAX_MOVES:
        raise AwaleError(i18n.message("draw.animation-moves", limit=MAX_MOVES))
    kind = Ring if game.rules.coloured else Rows
    board = kind(game, flip=flip, mark=None, lang=lang, arrows=(), fill={}, colours={})
    course = _course(board, game.history)
    body = [*board.empty(), *_numbers(board, game, seconds), *_names(board, game, seconds)]
    body += [_seed(seed, seconds, dark=place % 3 == 0) for place, seed in enumerate(course)]
    title = f"{game.rules.name}: {' '.join(map(str, game.moves))}"
    return paint.picture(*board.size, size, title, game.position, body)


class _Seed:
    """A seed and its places, position by position."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.spots: list[Spot] = []


def _course(board: BoardPicture, history: tuple[Position, ...]) -> list[_Seed]:
    """Return every seed with its places. A seed that need not move stays; one that was captured keeps its colour."""
    holes = board.rules.holes
    seeds: list[_Seed] = []
    pits: list[dict[str, list[_Seed]]] = [{} for _ in range(holes)]
    stores: tuple[list[_Seed], list[_Seed]] = ([], [])
    for position in history:
        drawn = [{kind: (heap, away) for kind, heap, away in board.heaps(pit, position.board)} for pit in range(holes)]
        wanted = [{kind: len(heap.seeds) for kind, (heap, _) in heaps.items()} for heaps in drawn]
        lifted: list[_Seed] = []
        for pit, counts_now in zip(pits, wanted, strict=True):
            for kind, heap in pit.items():
                lifted += heap[counts_now.get(kind, 0) :]
                del heap[counts_now.get(kind, 0) :]

        def take(kind: str | None, lifted: list[_Seed] = lifted) -> _Seed:
            for place, seed in enumerate(lifted):
                if kind in (None, seed.kind):
                    return lifted.pop(place)
            seeds.append(_Seed(kind or ""))  # the first position: nothing was anywhere before
            return seeds[-1]

        for place, counts_now in enumerate(wanted):
            centre = board.place(place).pit
            for kind, count in counts_now.items():
                heap = pits[place].setdefault(kind, [])
                heap += [take(kind) for _ in range(count - len(heap))]
                _lay(heap, *drawn[place][kind], centre)
        for player, store in enumerate(stores):
            store += [take(None) for _ in range(position.scores[player] - len(store))]
            _lay(store, *board.store_heap(player, len(store)), (0.0, 0.0))
    return seeds


def _lay(seeds: list[_Seed], heap: Heap, away: Point, centre: Point) -> None:
    """Give every seed of a heap its place."""
    for seed, spot in zip(seeds, heap.seeds, strict=True):
        seed.spots.append((centre[0] + away[0] + spot.x, centre[1] + away[1] + spot.y, heap.radius))


def _times(moves: int) -> str:
    """Return the key times: each position stands for a while, then glides into the next."""
    each = 1 / (moves + 1)
    times = [0.0]
    for move in range(moves):
        times += [(move + 1 - GLIDE / 2) * each, (move + 1 + GLIDE / 2) * each]
    return ";".join(f"{time:.4f}" for time in [*times, 1.0])


def _animate(kind: str, values: list[str], seconds: float) -> str:
    """Let a transformation take a value for every position; nothing if it never changes."""
    if len(set(values)) == 1:
        return ""
    doubled = ";".join(value for value in values for _ in (0, 1))
    moves = len(values) - 1
    return element(
        "animateTransform", attributeName="transform", type=kind, values=doubled, keyTimes=_times(moves),
        dur=f"{seconds * (moves + 1):g}s", repeatCount="indefinite",
    )  # fmt: skip


def _seed(seed: _Seed, seconds: float, *, dark: bool) -> str:
    """Draw a seed of radius 1, enlarged and moved to its places."""
    places = [f"{number(x)} {number(y)}" for x, y, _ in seed.spots]
    sizes = [number(radius) for _, _, radius in seed.spots]
    shape = paint.seeds(Heap(1.0, (Seed(0.0, 0.0, dark),)), 0.0, 0.0, seed.kind)[0]
    return (
        f'<g transform="translate({places[0]})">{_animate("translate", places, seconds)}'
        f'<g transform="scale({sizes[0]})">{_animate("scale", sizes, seconds)}{shape}</g></g>'
    )


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


def _numbers(board: BoardPicture, game: Game, seconds: float) -> list[str]:
    """Write the number of every pit and store, as it is in each position."""
    drawn = []
    for place in range(game.rules.holes + 2):
        course = [(*counts(position.board), *position.scores)[place] for position in game.history]
        x, y = board.place(place).number if place < game.rules.holes else board.store_number(place - game.rules.holes)
        for value in sorted(set(course)):
            text = write(str(value), x, y, 20, board.colours["numbers"], bold=True)
            drawn.append(_shown(text, [value == one for one in course], seconds) if len(set(course)) > 1 else text)
    return drawn


def _names(board: BoardPicture, game: Game, seconds: float) -> list[str]:
    """Write the moves, each while it is played."""
    drawn = []
    for ply, move in enumerate(game.moves):
        text = write(f"{ply + 1}. {move}", *board.caption, 17, board.colours["numbers"], bold=True)
        drawn.append(_shown(text, [position == ply + 1 for position in range(len(game.moves) + 1)], seconds))
    return drawn
