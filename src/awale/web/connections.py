"""Limits on connections, before there is a request: how many, how long the headers may take, how large they may be."""

from __future__ import annotations

import asyncio
import ipaddress
from collections import Counter
from functools import lru_cache
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from awale.web.settings import Settings

HEADER_BYTES = 64 * 1024
FILES = 200
"""File descriptors for anything but connections: the database, engine processes, modules."""


@lru_cache(maxsize=4096)
def within(address: str, networks: tuple[str, ...]) -> bool:
    """Return whether an address is one of these, or belongs to one of these networks."""
    try:
        found = ipaddress.ip_address(address)
        return any(found in ipaddress.ip_network(network, strict=False) for network in networks)
    except ValueError:
        return address in networks


def most_connections(wished: int) -> int:
    """Return how many connections this process can hold; raise its limit of open files as far as needed."""
    try:
        import resource
    except ModuleNotFoundError:  # Windows
        return wished
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wished + FILES
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return wished if soft == resource.RLIM_INFINITY else max(1, min(wished, soft - FILES))


class ConnectionLimits:
    """Count the connections of each address."""

    def __init__(self, settings: Settings) -> None:
        self.header_seconds = settings.header_seconds
        self._most, self._each = most_connections(settings.connections), settings.connections_each
        self._proxies = settings.proxies
        self._open: Counter[str] = Counter()
        self.total = 0
        self.refused = 0

    def enter(self, address: str) -> bool:
        """Count a connection; False if there are too many. Those of a proxy are limited in total only."""
        self._open[address] += 1
        self.total += 1
        each = self._open[address] > self._each and not within(address, self._proxies)
        if each or self.total > self._most:
            self.refused += 1
            return False
        return True

    def leave(self, address: str) -> None:
        self.total -= 1
        self._open[address] -= 1
        if self._open[address] <= 0:
            del self._open[address]


def protocols(limits: ConnectionLimits) -> tuple[type[asyncio.Protocol], type[asyncio.Protocol]]:
    """Return uvicorn's protocols for HTTP and WebSockets, within limits."""

    class LimitedHttp(HttpToolsProtocol):
        _timer: asyncio.TimerHandle | None = None
        _counted = False
        _size = 0

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._counted = True
            self._wait_for_headers()
            if not limits.enter(_address(self.client)):
                transport.abort()

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            self._leave()

        def on_message_begin(self) -> None:
            super().on_message_begin()
            self._size = 0
            self._wait_for_headers()

        def on_header(self, name: bytes, value: bytes) -> None:
            super().on_header(name, value)
            self._size += len(name) + len(value)
            if self._size > HEADER_BYTES:
                self.transport.abort()

        def on_headers_complete(self) -> None:
            self._stop_waiting()
            super().on_headers_complete()

        def handle_websocket_upgrade(self) -> None:
            self._leave()  # the other protocol counts it from now on
            super().handle_websocket_upgrade()

        def _wait_for_headers(self) -> None:
            self._stop_waiting()
            self._timer = self.loop.call_later(limits.header_seconds, self.transport.abort)

        def _stop_waiting(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

        def _leave(self) -> None:
            self._stop_waiting()
            if self._counted:
                self._counted = False
                limits.leave(_address(self.client))

    class LimitedWebSocket(WebSocketsSansIOProtocol):
        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            limits.enter(_address(self.client))

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            limits.leave(_address(self.client))

    return LimitedHttp, LimitedWebSocket


def _address(client: tuple[str, int] | None) -> str:
    return client[0] if client else "unknown"
