"""What the arena refuses."""

from awale.errors import AwaleError


class ArenaError(AwaleError):
    """A match that cannot be played as it is described."""
