"""Start the server from the command line: find a free port, print the address, open the page."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import logging
import os
import socket
import sys
import webbrowser

import uvicorn

from awale.i18n import text
from awale.store import Store, StoreError
from awale.web import logs
from awale.web.app import create_app
from awale.web.connections import ConnectionLimits, protocols
from awale.web.settings import Settings

TRIES = 20
"""Ports tried when the chosen one is taken."""


def run(settings: Settings, *, open_page: bool = False, log: bool = False) -> int:
    """Serve until stopped. Return the exit status."""
    try:
        Store(settings.database_url).close()  # report a bad database now, in one line
        listener = listen(settings.host, settings.port, tries=1 if settings.port_named else TRIES)
    except (StoreError, OSError) as error:
        print(f"awale: {error}", file=sys.stderr)
        return 2
    port = listener.getsockname()[1]
    settings = dataclasses.replace(settings, port=port)
    shown = "localhost" if settings.host in ("127.0.0.1", "0.0.0.0", "::", "::1") else settings.host
    address = f"http://{shown}:{port}/"
    logs.set_up(logging.INFO if log else logging.WARNING)
    server = uvicorn.Server(configuration(settings))

    async def serve() -> None:
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        while not server.started and not serving.done():
            await asyncio.sleep(0.02)
        if server.started:
            print(text("web.cli.serving", address=address), file=sys.stderr, flush=True)
            if open_page:
                _open(address)
        await serving

    # The writer thread shares the interpreter lock with the event loop: switch sooner.
    sys.setswitchinterval(0.001)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve())
    return 0 if server.started else 1


def configuration(settings: Settings) -> uvicorn.Config:
    """Return how uvicorn serves the application."""
    app = create_app(settings)
    app.state.connections = ConnectionLimits(settings)
    http, websocket = protocols(app.state.connections)
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,  # awale.web.access logs instead, secrets masked
        http=http,
        ws=websocket,
        ws_max_size=settings.message_limit * 4,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        ws_per_message_deflate=False,  # compressing messages of 2 KB costs more than playing the move
        timeout_graceful_shutdown=3,
        server_header=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
    )


def _open(address: str) -> None:
    """Open the page, if there is a display."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    with contextlib.suppress(webbrowser.Error):
        webbrowser.open(address)


def listen(host: str, port: int, tries: int = TRIES) -> socket.socket:
    """Return a listening socket at this port, or at one of the next `tries - 1` if it is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    last: OSError | None = None
    for candidate in range(port, min(port + tries, 65536)) if port else (0,):
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
    problem = last.strerror if last else ""
    key = "web.cli.port-taken" if tries == 1 else "web.cli.no-port"
    raise OSError(text(key, port=port, host=host, problem=problem))
