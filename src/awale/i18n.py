"""The catalogue of texts: every sentence shown to users, in every language, by key.

`texts/<section>.toml` holds a section; each entry gives the same sentence in all languages side by side, so that a
missing translation is easy to see. `text("core.over", "fr")` reads entry `over` of section `core`.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Protocol

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


def text(key: str, lang: str | None = None, /, **values: object) -> str:
    """Return the sentence for `section.key`, with its `{placeholders}` filled in."""
    head, _, rest = key.partition(".")
    sentence = section(head)[rest][_known(lang)]
    return sentence.format(**values) if values else sentence


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
