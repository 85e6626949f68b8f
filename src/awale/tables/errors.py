"""What goes wrong with tables, as sentences for a person."""

from __future__ import annotations

from awale.errors import AwaleError


class TablesError(AwaleError):
    """Tables that cannot be built, found or used."""


class DamagedTableError(TablesError):
    """A table file that is cut short, altered or not ours; it is never used."""


class BusyError(TablesError):
    """Another process is building there."""


class NotEnoughRoomError(TablesError):
    """Too little memory or disk for what was asked."""
