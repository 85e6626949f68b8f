"""Game files for every rule system: OGN and JSON, read and written one game at a time."""

from awale.notation.jsongame import from_data, from_json, read_json, to_data, to_json, write_json
from awale.notation.ogn import from_ogn, read_ogn
from awale.notation.ogn_writer import to_ogn, write_ogn
from awale.notation.records import GameRecord, PlayedMove, Variation

__all__ = [
    "GameRecord",
    "PlayedMove",
    "Variation",
    "from_data",
    "from_json",
    "from_ogn",
    "read_json",
    "read_ogn",
    "to_data",
    "to_json",
    "to_ogn",
    "write_json",
    "write_ogn",
]
