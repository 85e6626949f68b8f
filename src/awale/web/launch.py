"""Starting the server from a command line: a free port, a sentence, a page that opens."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
import sys
import webbrowser

import uvicorn

from awale.i18n import text
from awale.store import Store, StoreError
from awale.web.app import create_app
from awale.web.settings import Settings

TRIES = 20
"""Ports looked at after the wished one, when that one is taken."""


def run(settings: Settings, *, open_page: bool = False, log: bool = False) -> int:
    """Serve until told to stop. Returns the exit status."""
    try:
        Store(settings.database_url).close()  # better one sentence now than a page full of traceback
        listener = listen(settings.host, settings.port)
    except (StoreError, OSError) as error:
        print(f"awale: {error}", file=sys.stderr)
        return 2
    port = listener.getsockname()[1]
    shown = "localhost" if settings.host in ("127.0.0.1", "0.0.0.0", "::", "::1") else settings.host
    address = f"http://{shown}:{port}/"
    logging.basicConfig(level=logging.INFO if log else logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    config = uvicorn.Config(
        create_app(settings),
        log_config=None,
        access_log=False,  # awale.web.access logs instead, secrets masked
        ws="websockets-sansio",
        ws_max_size=settings.message_limit * 4,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        timeout_graceful_shutdown=3,
        server_header=False,
        proxy_headers=settings.secure_cookies,
    )
    server = uvicorn.Server(config)

    async def serve() -> None:
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        while not server.started and not serving.done():
            await asyncio.sleep(0.02)
        if server.started:
            print(text("web.cli.serving", address=address), file=sys.stderr, flush=True)
            if open_page:
                _open(address)
        await serving

    # The thread that writes to the store shares Python's lock with the one that answers: hand it over sooner.
    sys.setswitchinterval(0.001)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve())
    return 0 if server.started else 1


def _open(address: str) -> None:
    """Open the page, where there is a screen to open it on."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    with contextlib.suppress(webbrowser.Error):
        webbrowser.open(address)


def listen(host: str, port: int) -> socket.socket:
    """A listening socket at this port, or at one of the next if somebody else has it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    last: OSError | None = None
    for candidate in range(port, min(port + TRIES, 65536)) if port else (0,):
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, candidate))
            listener.listen(2048)
        except OSError as error:
            listener.close()
            last = error
            continue
        listener.set_inheritable(True)
        return listener
    raise OSError(f"no free port from {port} on at {host}: {last.strerror if last else ''}")
