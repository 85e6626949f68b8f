"""What every request passes before anything else: sizes, rates, hosts, origins; and the headers of every answer."""

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
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from awale.web.settings import Settings

log = logging.getLogger("awale.web.access")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
COOKIE = "awale"
"""One secret a browser; its hash is what seats are held by."""


def new_secret() -> str:
    return secrets.token_urlsafe(24)


def hashed(secret: str) -> str:
    """What the store keeps of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def readable_secret(text: str | None) -> str | None:
    """A secret that could be one of ours, or None: nothing else is looked up."""
    return text if text and re.fullmatch(r"[A-Za-z0-9_-]{16,64}", text) else None


class Bucket:
    """So many a second, with bursts."""

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
    """A bucket an address; the addresses longest unseen are forgotten."""

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
    """A path as it may be logged: the secret of a seat's link is none of the log's business."""
    return re.sub(r"(/seat/)[^/]+", r"\1***", path)


def host_allowed(settings: Settings, headers: Headers) -> bool:
    hosts = settings.hosts
    if not hosts:
        return True
    return _host_name(headers.get("host", "")) in hosts


def _host_name(host: str) -> str:
    return host[: host.find("]") + 1] if host.startswith("[") else host.partition(":")[0].lower()


def origin_allowed(settings: Settings, headers: Headers) -> bool:
    """Own pages, named others, and programs that are no browser (which send no Origin)."""
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
    """ASGI middleware: refuses early, adds headers late."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings
        self._requests = Buckets(settings.requests_a_second, 4 * settings.requests_a_second)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        status = 0

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _add_headers(MutableHeaders(scope=message), scope["path"])
            await send(message)

        refusal = self._refusal(scope, headers)
        if refusal is not None:
            code, sentence = refusal
            await JSONResponse({"detail": sentence}, status_code=code)(scope, receive, answer)
        else:
            await self._limited(scope, receive, answer)
        log.info("%s %s %s %s", address(scope), scope["method"], masked(scope["path"]), status)

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        if not host_allowed(self.settings, headers):
            return 421, "this server does not answer to that name"
        if not self._requests.take(address(scope)):
            return 429, "too many requests; wait a moment"
        if scope["method"] not in ("GET", "HEAD", "OPTIONS") and not origin_allowed(self.settings, headers):
            return 403, "requests from pages of other sites are not answered"
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length) > self.settings.body_limit:
            return 413, f"a request may hold {self.settings.body_limit} bytes at most"
        return None

    async def _limited(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Without a length, or with a false one: count what really comes."""
        seen, limit = 0, self.settings.body_limit

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            if message["type"] == "http.request":
                seen += len(message.get("body", b""))
                if seen > limit:
                    raise HTTPException(413, f"a request may hold {limit} bytes at most")
            return message

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
