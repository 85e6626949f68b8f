"""The files of `static/`, under an address that changes with their content, so that browsers keep them for good."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from starlette.responses import Response
from starlette.staticfiles import StaticFiles

STATIC = Path(str(files("awale.web"))) / "static"


@cache
def version() -> str:
    """Return a hash of every static file."""
    digest = hashlib.sha256()
    for path in sorted(STATIC.rglob("*")):
        if path.is_file():
            digest.update(path.relative_to(STATIC).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


def root() -> str:
    """Return the address of the current static files; modules import each other relative to it."""
    return f"/static/{version()}"


class VersionedFiles(StaticFiles):
    """Static files that never change under their address."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(*args, **kwargs)
        response.headers["cache-control"] = "public, max-age=31536000, immutable"
        return response
