"""Endgame tables: the exact value of every position with few seeds.

>>> import awale.tables
>>> awale.tables.refusal(awale.rules.get("tricolor"))
'tricolor: three-colour games have far too many positions for a table'
"""

from awale.tables.background_build import ensure_small
from awale.tables.build import Made, Plan, Status, build, compute, plan
from awale.tables.errors import DamagedTableError, InsufficientResourcesError, TablesError
from awale.tables.support import refusal
from awale.tables.table import Tables, Value, find_tables
from awale.tables.table import open_tables as open

__all__ = [
    "DamagedTableError",
    "InsufficientResourcesError",
    "Made",
    "Plan",
    "Status",
    "Tables",
    "TablesError",
    "Value",
    "build",
    "compute",
    "ensure_small",
    "find_tables",
    "open",
    "plan",
    "refusal",
]
