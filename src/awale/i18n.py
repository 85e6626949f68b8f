"""The catalogue of texts: every sentence shown to users, in every language, by key.

`texts/<section>.toml` holds a section; each entry gives the same sentence in all languages side by side, so that a
missing translation is seen where it is missing. `text("core.over", "fr")` reads entry `over` of section `core`.

`{laps}` is filled in with a value; `{laps:lap|laps}` with the form that fits the number, singular before plural.
"""

from __future__ import annotations

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
SINGULAR = {"en": ("1",), "fr": ("0", "1")}
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


class _Plurals(string.Formatter):
    """Choose between the two forms of `{count:one|many}`."""

    def __init__(self, lang: str) -> None:
        self._singular = SINGULAR[lang]

    def format_field(self, value: Any, format_spec: str) -> str:
        one, bar, many = format_spec.partition("|")
        if not bar:
            return str(super().format_field(value, format_spec))
        return one if str(value) in self._singular else many


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
    return _Plurals(language).vformat(sentence, (), values) if "|" in sentence else sentence.format(**values)


def number(value: int, lang: str | None = None) -> str:
    """Return a whole number with the language's thousands separator."""
    separator = "\N{NARROW NO-BREAK SPACE}" if _known(lang) == "fr" else ","
    return f"{value:,}".replace(",", separator)


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


def message(key: str, /, **values: object) -> Message:
    """Return a sentence of the catalogue whose language is chosen later; values may be messages themselves."""
    return Message(key, values)
