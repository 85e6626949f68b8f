"""Checks of every request (size, rate, host, origin) and headers of every response."""

from __future__ import annotations

import hashlib
import logging
import re
import secrets
from collections import OrderedDict
from time import monotonic
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
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


def readable_secret(text: str | None) -> str | None:
    """Return a text that has the form of a secret, or None."""
    return text if text and re.fullmatch(r"[A-Za-z0-9_-]{16,64}", text) else None


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


def host_allowed(settings: Settings, headers: Headers) -> bool:
    hosts = settings.hosts
    if not hosts:
        return True
    return _host_name(headers.get("host", "")) in hosts


def _host_name(host: str) -> str:
    return host[: host.find("]") + 1] if host.startswith("[") else host.partition(":")[0].lower()


def origin_allowed(settings: Settings, headers: Headers) -> bool:
    """Return whether a request comes from an own page, an allowed one, or a program (which sends no Origin)."""
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site") in (None, "same-origin", "none")
    if origin in settings.allowed_origins:
        return True
    try:
        return origin != "null" and urlsplit(origin).netloc.lower() == headers.get("host", "").lower()
    except ValueError:
        return False


class Guard:
    """ASGI middleware: refuses bad requests and adds headers to every response."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings
        self._requests = Buckets(settings.requests_a_second, 4 * settings.requests_a_second)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        status = 0
        head = scope["method"] == "HEAD"
        if head:  # answered as GET is, without the body
            scope = {**scope, "method": "GET"}

        async def answer(part: ASGIMessage) -> None:
            nonlocal status
            if part["type"] == "http.response.start":
                status = part["status"]
                _add_headers(MutableHeaders(scope=part), scope["path"])
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
        method = "HEAD" if head else scope["method"]
        log.info("%s %s %s %s", address(scope), method, masked(scope["path"]), status)

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, Message] | None:
        if not host_allowed(self.settings, headers):
            return 421, message("web.error.host")
        if not self._requests.take(address(scope)):
            return 429, message("web.error.requests")
        if scope["method"] not in ("GET", "HEAD", "OPTIONS") and not origin_allowed(self.settings, headers):
            return 403, message("web.error.origin")
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length) > self.settings.body_limit:
            return 413, message("web.error.body", limit=self.settings.body_limit)
        return None

    async def _limited(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count the bytes of a body, whose length may be missing or false."""
        seen, limit = 0, self.settings.body_limit

        async def counted() -> ASGIMessage:
            nonlocal seen
            part = await receive()
            if part["type"] == "http.request":
                seen += len(part.get("body", b""))
                if seen > limit:
                    said = message("web.error.body", limit=limit)
                    raise HTTPException(413, said.sentence(language(Request(scope))))
            return part

        await self.app(scope, counted, send)


def _add_headers(headers: MutableHeaders, path: str) -> None:
    headers["content-security-policy"] = POLICY
    headers["x-content-type-options"] = "nosniff"
    headers["referrer-policy"] = "no-referrer"
    headers["x-frame-options"] = "DENY"
    headers["cross-origin-opener-policy"] = "same-origin"
    headers["cross-origin-resource-policy"] = "same-origin"
    headers["permissions-policy"] = "camera=(), microphone=(), geolocation=()"
    if "cache-control" not in headers:
        headers["cache-control"] = "no-cache" if path.startswith("/static/") else "no-store"
