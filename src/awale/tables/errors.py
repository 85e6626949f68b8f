"""Errors about tables, with messages for users."""

from __future__ import annotations

from awale.errors import AwaleError


class TablesError(AwaleError):
    """Raised when tables cannot be built, found or used."""


class DamagedTableError(TablesError):
    """Raised for a table file that is truncated, altered or foreign; it is never used."""


class BusyError(TablesError):
    """Raised when another process is building the same tables."""


class InsufficientResourcesError(TablesError):
    """Raised when memory or disk space is insufficient."""
