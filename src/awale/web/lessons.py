"""What a page of rules tells: a few sentences, and examples to see on a live board."""

from __future__ import annotations

from typing import Any

from awale.rules import Rules


def lesson(rules: Rules, lang: str) -> dict[str, Any]:
    """The page of a rule system in one language."""
    return {"examples": [], "paragraphs": [rules.description.get(lang, "")]}
