"""Which language a page speaks."""

from __future__ import annotations

from fastapi import Request

from awale.i18n import LANGUAGES

LANGUAGE_COOKIE = "awale-lang"


def language(request: Request) -> str:
    """The one asked for in the address, else the one chosen before, else the browser's own."""
    for wanted in (request.query_params.get("lang"), request.cookies.get(LANGUAGE_COOKIE)):
        if wanted in LANGUAGES:
            return str(wanted)
    best, found = 0.0, "en"
    for part in request.headers.get("accept-language", "")[:200].split(","):
        name, _, weight = part.strip().partition(";q=")
        lang = name[:2].lower()
        try:
            quality = float(weight) if weight else 1.0
        except ValueError:
            continue
        if lang in LANGUAGES and quality > best:
            best, found = quality, lang
    return found
