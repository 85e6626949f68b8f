"""The settings of a server."""

from __future__ import annotations

import socket
from dataclasses import dataclass, field

from awale.cores import cores

LOCAL_PROXIES = ("127.0.0.1", "::1")
LOCAL_HOSTS = ("127.0.0.1", "localhost", "[::1]", "::1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Every limit in one place, with defaults for one machine at home."""

    host: str = "127.0.0.1"
    port: int = 8000
    port_named: bool = False
    """Fail if the port is taken, instead of taking the next one."""
    server_name: str = ""
    """Under which it holds the leases of its games; by default the machine's name and the port."""
    database_url: str | None = None
    """By default `awale.store.default_url()`."""
    allowed_hosts: tuple[str, ...] = ()
    """Names this server answers to, against DNS rebinding. Empty: local names when bound locally, else any name."""
    allowed_origins: tuple[str, ...] = ()
    """Other origins whose pages may use it; its own always may."""
    secure_cookies: bool = False
    """For a server behind a TLS proxy: send cookies over HTTPS only, and tell browsers to use nothing else."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses or networks of proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed."""

    workers: int = field(default_factory=lambda: max(2, min(4, cores())))
    """Engine processes; if there are several, one only chooses moves, and the others analyse too."""
    warm: bool = True
    """Load the engine when the server starts, not when it is first needed."""
    queue_limit: int = 2000
    """Engine jobs that may wait; more are refused."""
    queue_limit_each: int = 50
    """Analyses of one address that may wait."""
    analysis_seconds: float = 60.0
    """The longest live analysis."""

    body_limit: int = 200_000
    """Bytes of a request."""
    message_limit: int = 32_000
    """Bytes of a WebSocket message."""
    requests_a_second: float = 50.0
    """Per address; bursts of four seconds' worth are allowed."""
    messages_a_second: float = 20.0
    """Per WebSocket."""
    sockets_each: int = 300
    """WebSockets per address."""
    handshakes_a_second: float = 20.0
    """New WebSockets per address; bursts of as many as may be open are allowed."""
    connections: int = 4000
    """Open connections in total, as far as the system allows as many open files."""
    connections_each: int = 400
    """Open connections per address; a trusted proxy may have all."""
    header_seconds: float = 10.0
    """For the headers of a request, from the connection or from their first byte."""
    body_seconds: float = 30.0
    """For the body of a request."""
    new_games_a_minute: float = 600.0
    """Per address."""
    watchers: int = 200
    """WebSockets per game."""
    idle_seconds: float = 600.0
    """A game without connections is dropped from memory after this time; the store has it."""
    live_games: int = 5000
    """Games in memory; more are refused while all of them are in use."""
    live_plies: int = 500_000
    """Moves of the games in memory, a kilobyte each; beyond it, games without connections are dropped sooner."""

    @property
    def proxies(self) -> tuple[str, ...]:
        """The proxies to believe: those named, and on this machine if there is a TLS proxy."""
        return (*LOCAL_PROXIES, *self.trusted_proxies) if self.secure_cookies or self.trusted_proxies else ()

    @property
    def lease_name(self) -> str:
        """The name of this server among those that use the same database; the same after a restart."""
        return (self.server_name or f"{socket.gethostname()}:{self.port}")[:100]

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names in a Host header that are answered; empty means any."""
        if self.allowed_hosts:
            return self.allowed_hosts
        return LOCAL_HOSTS if self.host in LOCAL_HOSTS else ()
