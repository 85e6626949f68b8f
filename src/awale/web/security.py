"""Checks of every request (size, rate, host, origin) and headers of every response."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
import secrets
from collections import Counter, OrderedDict
from time import monotonic

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as ASGIMessage

from awale.i18n import Message, message
from awale.web.language import language
from awale.web.settings import Settings

log = logging.getLogger("awale.web.access")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "worker-src 'self'; "
    "font-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
COOKIE = "awale"
"""One secret per browser; seats are held by its hash."""


def new_secret() -> str:
    return secrets.token_urlsafe(24)


def hashed(secret: str) -> str:
    """Return the hash of a secret, which is what the store keeps."""
    return hashlib.sha256(secret.encode()).hexdigest()


def own_secret(connection: HTTPConnection) -> str | None:
    """Return the secret of a browser's cookie, if there is one that has the form of a secret."""
    text = connection.cookies.get(COOKIE)
    return text if text and re.fullmatch(r"[A-Za-z0-9_-]{16,64}", text) else None


def own_hash(connection: HTTPConnection) -> str | None:
    """Return the hash of a browser's secret."""
    secret = own_secret(connection)
    return hashed(secret) if secret else None


class Bucket:
    """A token bucket: so many per second, with bursts."""

    __slots__ = ("_at", "_burst", "_left", "_rate")

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._left, self._at = burst, monotonic()

    def take(self) -> bool:
        now = monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Buckets:
    """A bucket per address; the least recent addresses are dropped."""

    def __init__(self, rate: float, burst: float, *, remembered: int = 10_000) -> None:
        self._rate, self._burst, self._remembered = rate, burst, remembered
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str) -> bool:
        bucket = self._buckets.pop(address, None) or Bucket(self._rate, self._burst)
        self._buckets[address] = bucket
        if len(self._buckets) > self._remembered:
            self._buckets.popitem(last=False)
        return bucket.take()


def address(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else "unknown"


def masked(path: str) -> str:
    """Return a path for the log, without the secret of a seat's link."""
    return re.sub(r"(/seat/)[^/]+", r"\1***", path)


_HOST = re.compile(r"(\[[0-9a-f:.]{2,45}\]|[a-z0-9_](?:[a-z0-9._-]{0,252}))(?::([0-9]{1,5}))?")
_ORIGIN = re.compile(r"(https?)://(.+)")
_PORTS = {"http": "80", "https": "443"}
OPERATIONS = frozenset({"/healthz", "/readyz", "/metrics"})
"""For the programs that watch the server, which know it by its address and not by its name."""


def read_host(text: str) -> tuple[str, str | None] | None:
    """Return the name and the port of a Host header; None if it is not one.

    >>> read_host("localhost:8000"), read_host("127.0.0.1:8301@evil")
    (('localhost', '8000'), None)
    """
    found = _HOST.fullmatch(text.lower())
    return None if found is None else (found[1].rstrip("."), found[2])


def host_allowed(settings: Settings, headers: Headers) -> bool:
    host = read_host(headers.get("host", ""))
    return host is not None and (not settings.hosts or host[0] in settings.hosts)


def origin_allowed(settings: Settings, headers: Headers, scheme: str) -> bool:
    """Return whether a request comes from an own page, an allowed one, or a program (which sends no Origin).

    `scheme`: that of the request, as its connection or a trusted proxy says.
    """
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site") in (None, "same-origin", "none")
    if origin in settings.allowed_origins:
        return True
    own = "https" if settings.secure_cookies or scheme in ("https", "wss") else "http"
    found, host = _ORIGIN.fullmatch(origin.lower()), read_host(headers.get("host", ""))
    if found is None or host is None or found[1] != own:
        return False
    there = read_host(found[2])
    return there is not None and (there[0], there[1] or _PORTS[own]) == (host[0], host[1] or _PORTS[own])


class Guard:
    """ASGI middleware: refuses bad requests and adds headers to every response."""

    def __init__(self, app: ASGIApp, settings: Settings, answers: Counter[int]) -> None:
        """`answers`: responses by status, counted here."""
        self.app, self.settings, self.answers = app, settings, answers
        self._requests = Buckets(settings.requests_a_second, 4 * settings.requests_a_second)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        status, began = 0, monotonic()
        head = scope["method"] == "HEAD"
        if head:  # answered as GET is, without the body
            scope = {**scope, "method": "GET"}

        async def answer(part: ASGIMessage) -> None:
            nonlocal status
            if part["type"] == "http.response.start":
                status = part["status"]
                self._add_headers(MutableHeaders(scope=part), scope["path"])
            elif head:
                part = {**part, "body": b""}
            await send(part)

        refusal = self._refusal(scope, headers)
        if refusal is not None:
            code, said = refusal
            detail = said.sentence(language(Request(scope)))
            await JSONResponse({"detail": detail}, status_code=code)(scope, receive, answer)
        else:
            await self._limited(scope, receive, answer)
        self.answers[status] += 1
        if log.isEnabledFor(logging.INFO):
            values = {"address": address(scope), "status": status, "ms": round(1000 * (monotonic() - began), 1)}
            log.info("%s %s", "HEAD" if head else scope["method"], masked(scope["path"]), extra={"values": values})

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, Message] | None:
        if scope["path"] not in OPERATIONS and not host_allowed(self.settings, headers):
            return 421, message("web.error.host")
        if not self._requests.take(address(scope)):
            return 429, message("web.error.requests")
        if scope["method"] not in ("GET", "HEAD", "OPTIONS") and not origin_allowed(
            self.settings, headers, scope["scheme"]
        ):
            return 403, message("web.error.origin")
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length) > self.settings.body_limit:
            return 413, message("web.error.body", limit=self.settings.body_limit)
        return None

    async def _limited(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count the bytes of a body, whose length may be missing or false, and the time it takes."""
        seen, limit, complete = 0, self.settings.body_limit, False
        deadline = asyncio.get_running_loop().time() + self.settings.body_seconds

        async def counted() -> ASGIMessage:
            nonlocal seen, complete
            if complete:  # from now on this waits for the client to leave
                return await receive()
            try:
                async with asyncio.timeout_at(deadline):
                    part = await receive()
            except TimeoutError:
                raise HTTPException(408) from None
            if part["type"] == "http.request":
                complete = not part.get("more_body", False)
                seen += len(part.get("body", b""))
                if seen > limit:
                    said = message("web.error.body", limit=limit)
                    raise HTTPException(413, said.sentence(language(Request(scope))))
            return part

        await self.app(scope, counted, send)

    def _add_headers(self, headers: MutableHeaders, path: str) -> None:
        if self.settings.secure_cookies:
            headers["strict-transport-security"] = "max-age=31536000"
        headers["content-security-policy"] = POLICY
        headers["x-content-type-options"] = "nosniff"
        headers["referrer-policy"] = "no-referrer"
        headers["x-frame-options"] = "DENY"
        headers["cross-origin-opener-policy"] = "same-origin"
        headers["cross-origin-resource-policy"] = "same-origin"
        headers["permissions-policy"] = "camera=(), microphone=(), geolocation=()"
        if "cache-control" not in headers:
            headers["cache-control"] = "no-cache" if path.startswith("/static/") else "no-store"
