"""Players' names with a setting filled in."""

from __future__ import annotations


def with_depth(name: str, depth: int | None) -> str:
    """A player that searches by depth and names none gets this one; all others stay as they are.

    >>> with_depth("engine", 6), with_depth("engine:3", 6), with_depth("random", 6), with_depth("eval:mine.toml", 6)
    ('engine:d6', 'engine:3', 'random', 'eval:mine.toml,6')
    """
    name = name.strip()
    if depth is None:
        return name
    kind, _, argument = name.partition(":")
    kind = kind.strip().lower()
    if kind == "uci" and "depth=" not in argument:
        command = argument if argument.startswith('"') else f'"{argument}"'
        return f"{kind}:{command},depth={depth}"
    if kind == "eval":
        from awale.players.custom_evaluation import split

        return name if split(argument)[1] else f"{name},{depth}"
    if argument:
        return name
    return {"engine": f"engine:d{depth}"}.get(kind, f"{kind}:{depth}") if kind in _BY_DEPTH else name


_BY_DEPTH = frozenset({"engine", "negamax", "minimax", "alphabeta", "tuned"})
