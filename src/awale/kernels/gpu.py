"""NVIDIA GPUs through numba-cuda (extra `awale[cuda]`), for the packages with kernels of their own."""

from __future__ import annotations

import importlib
import os
from typing import Any

import numpy as np

from awale.errors import AwaleError
from awale.i18n import message

SIMULATED = os.environ.get("NUMBA_ENABLE_CUDASIM") == "1"
"""Whether Numba's simulator takes the place of a GPU: slow, for tests."""


def numba_cuda() -> Any:
    """Return numba's CUDA module."""
    # numba-cuda needs these names when it is loaded, and recent NumPy has removed them.
    for old, new in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
        if not hasattr(np, old):
            setattr(np, old, getattr(np, new))
    from numba import config, cuda

    config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # small work is no mistake
    return cuda


def device_function(function: Any) -> Any:
    """Return a compiled function as a kernel can call it: the simulator runs Python."""
    return getattr(function, "py_func", function) if SIMULATED else function


def load(module: str, error: type[AwaleError] = AwaleError) -> Any:
    """Return a module of kernels, whose `cuda` is `numba_cuda()`; raise `error` if no GPU can be used."""
    try:
        found = importlib.import_module(module)
        available = found.cuda.is_available()
    except Exception as problem:  # whatever a driver or its package raises
        raise error(message("kernels.gpu.missing", reason=problem)) from problem
    if not available:
        raise error(message("kernels.gpu.missing", reason=message("kernels.gpu.no-card")))
    return found
