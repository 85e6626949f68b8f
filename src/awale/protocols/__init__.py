"""UCI client and server, the three-colour contest's protocol, its referee, and checks of somebody's program."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from awale.protocols.uci_client import AsyncUciEngine, UciEngine

__all__ = ["AsyncUciEngine", "UciEngine"]


def __getattr__(name: str) -> object:
    """Import the client when it is first asked for: servers must answer at once and do without asyncio."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from awale.protocols import uci_client

    return getattr(uci_client, name)
