"""The compiled probe under the tables' own name. It lives in `awale.kernels.endgame`, below the search and the tables,
because those two rooms do not know each other."""

from awale.kernels.endgame import NO_TABLES, NOT_FOUND, TableSet, bounds, probe, probe_within

__all__ = ["NOT_FOUND", "NO_TABLES", "TableSet", "bounds", "probe", "probe_within"]
