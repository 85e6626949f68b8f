"""The catalogue of texts: every sentence shown to users, in every language, by key.

`texts/<section>.toml` holds a section; each entry gives the same sentence in all languages side by side, so that a
missing translation is seen where it is missing. `text("core.over", "fr")` reads entry `over` of section `core`.

`{laps}` is filled in with a value; `{laps:lap|laps}` with the form that fits the number, singular before plural.
"""

from __future__ import annotations

import errno
import os
import string
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

LANGUAGES = ("en", "fr")
# Read as plain files: importlib.resources takes longer to load than the texts themselves.
_FOLDER = os.path.join(os.path.dirname(__file__), "texts")
_current = "en"


def language() -> str:
    """Return the default language: English in the library; user interfaces set it once, when they start.

    It holds for the whole process: a server passes each reader's language explicitly.
    """
    return _current


def set_language(name: str) -> None:
    """Set the default language."""
    global _current
    _current = _known(name)


def _known(name: str | None) -> str:
    if name is None:
        return _current
    if name not in LANGUAGES:
        raise ValueError(f"no texts in '{name}': there are {', '.join(LANGUAGES)}")
    return name


def from_locale(environ: Mapping[str, str] = os.environ) -> str:
    """Return the language that the environment selects (`AWALE_LANG`, then the usual locale variables)."""
    for variable in ("AWALE_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = environ.get(variable, "")
        if value:
            return "fr" if value.lower().startswith("fr") else "en"
    return "en"


@cache
def section(name: str) -> dict[str, dict[str, str]]:
    """Return all entries of a section: key -> language -> sentence. Nested tables become dotted keys."""
    entries: dict[str, dict[str, str]] = {}

    def walk(prefix: str, table: Mapping[str, object]) -> None:
        for key, value in table.items():
            if not isinstance(value, Mapping):
                raise ValueError(f"texts/{name}.toml: '{prefix}{key}' must give a text for each language")
            if all(isinstance(v, str) for v in value.values()) and set(value) & set(LANGUAGES):
                entries[prefix + key] = {k: str(v) for k, v in value.items()}
            else:
                walk(f"{prefix}{key}.", value)

    with open(os.path.join(_FOLDER, f"{name}.toml"), "rb") as file:
        walk("", tomllib.load(file))
    return entries


def sections() -> tuple[str, ...]:
    """Return the names of all sections."""
    return tuple(sorted(name[:-5] for name in os.listdir(_FOLDER) if name.endswith(".toml")))


def is_singular(count: str, lang: str) -> bool:
    """Tell whether a noun after this count is singular. In French, everything below two is: 0 graine, 1,5 graine."""
    if lang != "fr":
        return count == "1"
    try:
        return abs(float(count.replace(",", ".").replace("\N{NARROW NO-BREAK SPACE}", ""))) < 2
    except ValueError:
        return False


class _Formatter(string.Formatter):
    """Choose between the two forms of `{count:one|many}`, and write decimals as the language does."""

    def __init__(self, lang: str) -> None:
        self._lang = lang

    def format_field(self, value: Any, format_spec: str) -> str:
        one, bar, many = format_spec.partition("|")
        if isinstance(value, float):
            value, format_spec = decimal(value, "" if bar else format_spec, self._lang), ""
        if bar:
            return one if is_singular(str(value), self._lang) else many
        return str(super().format_field(value, format_spec))


def text(key: str, lang: str | None = None, /, **values: object) -> str:
    """Return the sentence for `section.key`, with its `{placeholders}` filled in.

    >>> text("loops.period.ends", laps=1, last="C"), text("loops.period.ends", laps=2, last="C")
    ('the sowing ends after 1 lap, in pit C', 'the sowing ends after 2 laps, in pit C')
    """
    head, _, rest = key.partition(".")
    language = _known(lang)
    sentence = section(head)[rest][language]
    if not values:
        return sentence
    return _Formatter(language).vformat(sentence, (), values)


def _space(lang: str | None) -> str:
    """Return the space that a language has in large numbers and before some signs."""
    return "\N{NARROW NO-BREAK SPACE}" if _known(lang) == "fr" else ""


def number(value: int, lang: str | None = None) -> str:
    """Return a whole number with the language's thousands separator."""
    return f"{value:,}".replace(",", _space(lang) or ",")


def decimal(value: float, spec: str = ".1f", lang: str | None = None) -> str:
    """Return a number with decimals, formatted as `format` does, with the language's decimal mark.

    >>> decimal(1.25, "+.2f"), decimal(1.25, "+.2f", "fr")
    ('+1.25', '+1,25')
    """
    shown = format(value, spec or ".12g")
    return shown.replace(".", ",") if _known(lang) == "fr" else shown


def percent(share: float, digits: int = 1, lang: str | None = None) -> str:
    """Return a share of one in percent."""
    return f"{decimal(100 * share, f'.{digits}f', lang)}{_space(lang) or ' '}%"


def labelled(label: str, value: object, lang: str | None = None) -> str:
    """Return a label, a colon and a value.

    >>> labelled("data", 5), labelled("données", 5, "fr")
    ('data: 5', 'données\u202f: 5')
    """
    return f"{label}{_space(lang)}: {value}"


class Sayable(Protocol):
    """Something with a sentence in every language: errors keep one, so that each reader gets their own."""

    def sentence(self, lang: str | None = None) -> str: ...


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence whose language is chosen later."""

    key: str
    values: Mapping[str, object]

    def sentence(self, lang: str | None = None) -> str:
        said = {k: v.sentence(lang) if hasattr(v, "sentence") else v for k, v in self.values.items()}
        return text(self.key, lang, **said)

    def __str__(self) -> str:
        return self.sentence()


def message(key: str, /, **values: object) -> Message:
    """Return a sentence of the catalogue whose language is chosen later; values may be messages themselves."""
    return Message(key, values)


def system_problem(error: OSError) -> Message | str:
    """Return the complaint of the operating system, in every language if the catalogue knows it."""
    key = f"system.{errno.errorcode.get(error.errno or 0, '')}"
    return message(f"core.{key}") if key in section("core") else error.strerror or str(error)
