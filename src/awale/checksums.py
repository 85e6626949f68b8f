"""Checksums of JSON objects in files that a program reads again: a changed digit must not become a result."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import Any

FIELD = "crc"


def _sum(data: Mapping[str, Any]) -> str:
    return f"{zlib.crc32(json.dumps(data, sort_keys=True, separators=(',', ':')).encode()):08x}"


def sealed(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object with its checksum.

    >>> sealed({"seeds": 48})
    {'seeds': 48, 'crc': 'afed0e22'}
    """
    plain = json.loads(json.dumps(data))
    return {**plain, FIELD: _sum(plain)}


def is_sealed(data: Mapping[str, Any]) -> bool:
    """Return whether an object read from a file has a checksum: those of earlier versions have none."""
    return FIELD in data


def intact(data: Mapping[str, Any]) -> bool:
    """Return whether an object with a checksum is what was written."""
    return data.get(FIELD) == _sum({name: value for name, value in data.items() if name != FIELD})
