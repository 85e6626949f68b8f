"""Programs run in processes of their own, on a copy of the package: nobody's edit can come between two of them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import awale


def copy_package(folder: Path) -> Path:
    """Copy the sources into a folder; returns the package's own folder there."""
    package = folder / "source" / "awale"
    shutil.copytree(Path(awale.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    return package


def run(program: str, package: Path, cache: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program with a copy of the package and a cache for compiled code."""
    inherited = {key: value for key, value in os.environ.items() if key not in ("AWALE_QUIET", "AWALE_LANG")}
    places = {"PYTHONPATH": str(package.parent), "AWALE_CACHE_DIR": str(cache)}
    return subprocess.run(
        [sys.executable, "-c", program],
        env=inherited | places | environment,
        capture_output=True,
        text=True,
        check=True,
    )
