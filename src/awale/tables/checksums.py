"""The checksum of a section, computed in pieces on several threads."""

from __future__ import annotations

import zlib
from concurrent.futures import ThreadPoolExecutor

PIECE = 1 << 24


def pieces_of(data: memoryview) -> list[memoryview]:
    return [data[begin : begin + PIECE] for begin in range(0, len(data), PIECE)]


def checksum(data: memoryview, threads: int = 1) -> int:
    """Return the CRC-32 of some bytes."""
    pieces = pieces_of(data)
    if threads == 1:
        crc = 0
        for piece in pieces:
            crc = zlib.crc32(piece, crc)
        return crc
    with ThreadPoolExecutor(threads) as pool:
        crc = 0
        advance = _zeros(PIECE)
        for piece, found in zip(pieces, pool.map(zlib.crc32, pieces), strict=True):
            crc = _times(advance if len(piece) == PIECE else _zeros(len(piece)), crc) ^ found
    return crc


Matrix = list[int]
"""A linear map of the 32 bits of a checksum: what becomes of each."""


def _times(matrix: Matrix, vector: int) -> int:
    found = 0
    for bit in range(32):
        if vector >> bit & 1:
            found ^= matrix[bit]
    return found


def _zeros(size: int) -> Matrix:
    """Return what appending so many zero bytes does to a checksum, apart from the final inversions."""
    step: Matrix = [0xEDB88320, *(1 << bit for bit in range(31))]  # one zero bit
    found: Matrix = [1 << bit for bit in range(32)]
    bits = 8 * size
    while bits:
        if bits & 1:
            found = [_times(step, column) for column in found]
        step = [_times(step, column) for column in step]
        bits >>= 1
    return found
