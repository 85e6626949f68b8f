"""Puzzles in words: the task, hints, what a wrong move costs, why the solution is right. All of it says only what was
proven or what the moves do on the board."""

from __future__ import annotations

from collections.abc import Sequence

from awale.bounds import Bounds
from awale.game import Game
from awale.i18n import text
from awale.rules.moves import Move
from awale.training.puzzle import Puzzle


def theme_name(theme: str, lang: str | None = None) -> str:
    """Return a theme's name."""
    return text(f"puzzles.theme.{theme}", lang)


def goal_sentence(puzzle: Puzzle, lang: str | None = None) -> str:
    """Return what the solver has to do.

    >>> from awale.training import puzzles
    >>> goal_sentence(puzzles("casabianca")[0]).split()[1]
    'to'
    """
    game = puzzle.game()
    return text(f"puzzles.goal.{puzzle.goal}", lang, player=game.player_name(game.turn, lang), gain=puzzle.gain)


def hint_sentence(puzzle: Puzzle, move: Move | None, lang: str | None = None) -> str:
    """Return the first hint, the kind of the solution; or the second, the move."""
    if move is not None:
        return text("puzzles.hint.move", lang, move=move)
    if not puzzle.themes:
        return text("puzzles.hint.none", lang)
    return text("puzzles.hint.themes", lang, themes=", ".join(theme_name(theme, lang) for theme in puzzle.themes))


def wrong_sentence(
    game: Game, move: Move, refutation: Sequence[Move], value: Bounds, best: Bounds, lang: str | None = None
) -> str:
    """Return what a wrong move in a position leads to, and the answer to it."""
    if best.least > 0 >= value.most:
        said = "draws" if value.least == 0 else "loses" if value.most < 0 else "no-win"
    elif best.least <= 0 and value.most < 0 <= best.least:
        said = "loses"
    else:
        said = "costs"
    sentence = text(f"puzzles.wrong.{said}", lang, move=move, seeds=best.least - value.most)
    if refutation:
        line = " ".join(map(str, refutation))
        sentence += " " + text("puzzles.wrong.answer", lang, line=line)
    return sentence


def explanation(puzzle: Puzzle, lang: str | None = None) -> tuple[str, ...]:
    """Return why the line is the solution: what each move does, and what every other move leads to."""
    game = puzzle.game()
    side = game.turn
    sentences = []
    decisions = iter(puzzle.decisions)
    for written in puzzle.line:
        if game.turn != side:
            reply = game.push(written)
            sentences.append(text("puzzles.explain.reply", lang, move=reply))
            continue
        decision = next(decisions)
        move = game.parse(written)
        best = decision.values[written]
        sentences.append(_claim(puzzle, game, move, best, len(decision.values), lang))
        for other, refutation in decision.refutations.items():
            after = game.copy()
            wrong = after.push(other)
            line = [after.push(step) for step in refutation]
            sentences.append(wrong_sentence(game, wrong, line, decision.values[other], best, lang))
        game.push(move)
    if (outcome := game.outcome()) is not None:
        sentences.append(outcome.sentence(lang, coloured=game.rules.coloured))
    sentences.append(text(f"puzzles.explain.{puzzle.source}", lang))
    return tuple(sentences)


def _claim(puzzle: Puzzle, game: Game, move: Move, best: Bounds, moves: int, lang: str | None) -> str:
    """Return what the solution does and reaches."""
    trace = game.trace(move, laps=1)
    if trace.taken:
        does = text("puzzles.explain.takes", lang, move=move, seeds=trace.taken, pits=len(trace.captures))
    elif trace.spared:
        does = text("puzzles.explain.spared", lang, move=move)
    else:
        does = text("puzzles.explain.quiet", lang, move=move)
    if moves == 1:
        return f"{does} {text('puzzles.explain.forced', lang)}"
    key = puzzle.goal
    if key == "gain":
        reached = text("puzzles.explain.gain", lang, margin=f"{best.least:+d}")
    elif key == "win" and best.exact:
        reached = text("puzzles.explain.win-by", lang, margin=best.least)
    else:
        reached = text(f"puzzles.explain.{key}", lang)
    return f"{does} {reached}"
