"""Keys of stored games and studies."""

from __future__ import annotations

import secrets


def new_key() -> str:
    """Return a new key for URLs and command lines: 72 random bits. None begins with a hyphen, as an option does."""
    while (key := secrets.token_urlsafe(9)).startswith("-"):
        pass
    return key
