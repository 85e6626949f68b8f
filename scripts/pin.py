"""Resolve the dependencies of every extra and write them to constraints.txt.

A temporary environment makes the result independent of what is installed. Only names and versions are written: no
index, no address, no path. No hashes either: with one in a constraints file, pip refuses to install this project from
its folder, which has none.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The CUDA packages are hundreds of megabytes; they are resolved, not installed.
EXTRAS = "dev,docs,cuda"
HEADER = """\
# Exact versions of everything that pip installs for awale and its extras, so that installations are identical.
# Written by `make constraints`; pyproject.toml has the allowed ranges.
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        report = Path(folder) / "report.json"
        command = [
            *(f"{folder}/bin/python", "-m", "pip", "install", "-qq", "--disable-pip-version-check"),
            *("--dry-run", "--ignore-installed", "--report", str(report), f"{ROOT}[{EXTRAS}]"),
        ]
        subprocess.run(command, check=True, cwd=folder)
        installs = json.loads(report.read_text())["install"]
    pins = {re.sub(r"[-_.]+", "-", item["metadata"]["name"]).lower(): item["metadata"]["version"] for item in installs}
    del pins["awale"]
    lines = [f"{name}=={version}\n" for name, version in sorted(pins.items())]
    (ROOT / "constraints.txt").write_text(HEADER + "".join(lines))
    print(f"{len(lines)} packages pinned in constraints.txt", file=sys.stderr)


if __name__ == "__main__":
    main()
