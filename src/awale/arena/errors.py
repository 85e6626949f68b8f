"""Errors of the arena."""

from awale.errors import AwaleError


class ArenaError(AwaleError):
    """Raised for a match that cannot be played as described."""
