"""Run the notebooks of `notebooks/` and store their outputs.

    python scripts/notebooks.py                  # run all of them and write their outputs into them
    python scripts/notebooks.py 02               # those whose name starts with 02
    python scripts/notebooks.py --check          # write nothing; fail if an output has changed

The outputs are stored so that readers see pictures and tables without running anything. Whatever differs between
machines or runs is removed: times, paths, versions, random cell identifiers.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from traitlets.config import Config

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
TIMEOUT = 300
"""Seconds per cell: the first run on a machine compiles the kernels."""
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def notebooks(prefix: str = "") -> list[Path]:
    return sorted(path for path in FOLDER.glob("*.ipynb") if path.name.startswith(prefix))


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def run(path: Path) -> Any:
    """The notebook with fresh outputs; raises what a cell raised."""
    notebook = read(path)
    with tempfile.TemporaryDirectory() as data:
        # Notebooks must not find, or leave, anything among the user's own tables and games.
        environment = os.environ | {"AWALE_DATA_DIR": data, "AWALE_QUIET": "1"}
        client = NotebookClient(
            notebook,
            timeout=TIMEOUT,
            kernel_name="python3",
            coalesce_streams=True,  # otherwise cut up by chance, wherever the kernel flushed
            resources={"metadata": {"path": str(FOLDER)}},
            config=_private(data),
        )
        client.execute(env=environment)
    return tidy(notebook)


def _private(folder: str) -> Config:
    """Where sockets can be files, the kernel is spoken to through them: no ports, so none that are taken."""
    settings = Config()
    if os.name == "posix":
        settings.KernelManager.transport = "ipc"
        settings.KernelManager.ip = os.path.join(folder, "kernel")
    return settings


def tidy(notebook: Any) -> Any:
    """The same without what changes from run to run."""
    notebook.metadata = nbformat.from_dict(METADATA)
    for number, cell in enumerate(notebook.cells, 1):
        cell.id = f"cell-{number:02d}"
        cell.metadata = nbformat.from_dict({})
        if cell.cell_type == "code":
            cell.outputs = [out for out in cell.outputs if out.get("name") != "stderr"]
            for out in cell.outputs:
                out.pop("metadata", None)
                if out.output_type != "stream":
                    out.metadata = nbformat.from_dict({})
    return notebook


def shown(notebook: Any) -> Iterator[tuple[str, str]]:
    """Each cell's name and what it shows as text; pictures are left to the tests of drawing."""
    for number, cell in enumerate(notebook.cells, 1):
        if cell.cell_type == "code":
            texts = [
                out.text if out.output_type == "stream" else out.data.get("text/plain", "") for out in cell.outputs
            ]
            yield f"cell-{number:02d}", re.sub(r" at 0x[0-9a-f]+", "", "".join(texts))


def write(notebook: Any, path: Path) -> None:
    nbformat.validate(notebook)
    path.write_text(nbformat.writes(notebook).rstrip("\n") + "\n", encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("prefix", nargs="?", default="", help="only notebooks whose name begins so")
    parser.add_argument("--check", action="store_true", help="write nothing, compare")
    chosen = parser.parse_args(arguments)
    found = notebooks(chosen.prefix)
    if not found:
        parser.error(f"no notebook's name begins with {chosen.prefix}")
    changed = 0
    for path in found:
        print(path.name, file=sys.stderr, flush=True)
        fresh = run(path)
        if chosen.check:
            for (cell, before), (_, after) in zip(shown(read(path)), shown(fresh), strict=True):
                if before != after:
                    changed += 1
                    print(f"{path.name} {cell} now shows:\n{after}")
        else:
            write(fresh, path)
    return int(changed > 0)


if __name__ == "__main__":
    sys.exit(main())
