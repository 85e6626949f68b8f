"""The programs that a page may ask for as opponents."""

from __future__ import annotations

from typing import Any

from awale.i18n import LANGUAGES
from awale.players import PlayerSpec
from awale.players.spec import listed
from awale.rules import Rules


def opponents() -> list[dict[str, Any]]:
    """Return the programs to choose from, the levels first, with titles in every language."""
    return [
        {
            "name": str(spec),
            "level": spec.level,
            "title": {lang: spec.title(lang) for lang in LANGUAGES},
            "description": {lang: spec.description(lang) for lang in LANGUAGES},
        }
        for spec in listed(remote=True)
    ]


def checked_player(name: str, rules: Rules) -> str:
    """Return the canonical name of a program that plays these rules and that a page may ask for."""
    spec = PlayerSpec.parse(name)
    spec.check_remote_limits()
    spec.check(rules)
    return str(spec)
