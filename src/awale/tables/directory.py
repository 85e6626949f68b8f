"""The directory that compiled probes read: see `awale.kernels.endgame`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from awale.kernels import endgame
from awale.kernels.endgame import TableSet
from awale.tables.codes import codes
from awale.tables.index import block_starts, rank_table, widths

if TYPE_CHECKING:
    from awale.tables.table import Tables


class Directory:
    """The words, and the arrays they refer to."""

    def __init__(self, tables: Tables) -> None:
        pits = tables.rules.pits
        layers = tables.seeds + 1
        self._mapped: list[Any] = []
        self._words = np.zeros(endgame.LAYERS + endgame.LAYER * layers, np.int64)
        self._codes = np.array([codes(seeds, tables.cycles) for seeds in range(layers)], np.int16)
        self._words[: len(widths(pits))] = widths(pits)
        self._words[endgame.RANK : endgame.LAYERS] = np.array(rank_table(pits), np.int64).reshape(-1)
        for seeds in range(layers):
            words = self._words[endgame.LAYERS + endgame.LAYER * seeds :][: endgame.LAYER]
            words[0] = self._address(tables.layer_bytes(seeds))
            words[1] = self._codes[seeds].ctypes.data
            if tables.cycles == "counted":
                words[2] = self._address(tables.layer_bytes(seeds, "plies"))
            words[endgame.BLOCKS : endgame.BLOCKS + seeds + 1] = block_starts(pits, seeds)[:-1]
        self.table_set = TableSet(self._words.ctypes.data, layers, int(tables.cycles == "counted"))

    def _address(self, section: memoryview) -> int:
        array = np.frombuffer(section, np.uint8)
        self._mapped.append(array)
        address: int = array.ctypes.data
        return address
