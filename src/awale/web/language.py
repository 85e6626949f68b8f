"""Languages: the one a page is shown in, and texts sent in all of them."""

from __future__ import annotations

from starlette.requests import HTTPConnection

from awale import i18n
from awale.errors import AwaleError
from awale.i18n import LANGUAGES, Sayable

LANGUAGE_COOKIE = "awale-lang"


def language(request: HTTPConnection) -> str:
    """Return the language named in the address, else the one chosen before, else the browser's preference."""
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


class Translations(dict[str, str]):
    """A text by language: the two players of a game need not read the same one."""

    def sentence(self, lang: str | None = None) -> str:
        """Return the text in a language."""
        return self[lang or i18n.language()]


def translations(said: Sayable) -> Translations:
    """Return a text of the catalogue in every language."""
    return Translations({lang: said.sentence(lang) for lang in LANGUAGES})


class WebError(AwaleError):
    """A request that is refused with an HTTP status of its own."""

    def __init__(self, status: int, said: Sayable) -> None:
        self.status = status
        super().__init__(said)
