"""The chart of the lead, move by move, in characters."""

from __future__ import annotations

from collections.abc import Sequence

from rich.style import Style
from rich.text import Text

POINT = Style(bold=True, color="bright_yellow")
HERE = Style(bold=True, reverse=True)
AXIS = Style(dim=True)


def curve(values: Sequence[float | None], at: int, width: int, height: int) -> Text:
    """Return the chart of South's lead after every move, None where it is unknown; `at` is the move shown.

    A game longer than the width is drawn with several moves in a column (the last of them counts).
    """
    columns = max(1, min(width, len(values)))
    most = max([4.0, *(abs(value) for value in values if value is not None)])
    middle = (height - 1) / 2
    grid = [[" "] * columns for _ in range(height)]
    axis = round(middle)
    grid[axis] = ["─"] * columns
    here = at * columns // max(1, len(values))
    for column in range(columns):
        first, after = column * len(values) // columns, (column + 1) * len(values) // columns
        known = [value for value in values[first : max(after, first + 1)] if value is not None]
        if known:
            row = round(middle - middle * known[-1] / most)
            low, high = sorted((row, axis))
            for between in range(low, high + 1):
                grid[between][column] = "│"
            grid[row][column] = "●"
    labels = {0: f"{most:+.0f}", axis: "0", height - 1: f"{-most:+.0f}"}
    drawn = Text(no_wrap=True, overflow="crop")
    for number, row_cells in enumerate(grid):
        drawn.append(f"{labels.get(number, ''):>4} ", AXIS)
        for column, cell in enumerate(row_cells):
            style = HERE if column == here else POINT if cell == "●" else AXIS
            drawn.append(cell, style)
        drawn.append("\n" if number < height - 1 else "")
    return drawn
