"""The board as a picture (`board_svg`), as one that plays a game (`animated_svg`), and as text (`board_text`).

Nothing here depends on the rules of play: a game comes in, a drawing of its position goes out.
"""

from awale.draw.animation import animated_svg
from awale.draw.svg import board_svg
from awale.draw.text import board_text

__all__ = ["animated_svg", "board_svg", "board_text"]
