"""How a rule system is named in a file so that it is found again: a preset by its name, village rules by what differs.

`Variant` names the rules. When that name alone does not lead back to them, the tag `Rules` says how they differ from a
preset (`abapa:seeds=3,win_at=19`), and `RulesSource` and `RulesVersion` keep what is left.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from awale.errors import RulesError
from awale.i18n import message
from awale.rules import all_rules, get
from awale.rules.description import Rules, spelled_options
from awale.rules.presets import known_by_name

MAX_SPEC = 2000
_TEXTS = ("name", "source", "title", "description")


def named(name: str) -> Rules:
    """Return rules by a name from a file (`rules.get` opens no files: a game must not choose which are read)."""
    if len(name) > MAX_SPEC:
        raise RulesError(message("notation.rules.long", characters=len(name), most=MAX_SPEC))
    return get(name)


@lru_cache(maxsize=256)
def to_tags(rules: Rules) -> dict[str, str]:
    """Return the tags that name these rules; the dictionary is shared and must not be changed."""
    if known_by_name(rules):
        return {"Variant": rules.name}
    base, spec = _spec(rules)
    tags = {"Variant": rules.name, "Rules": spec}
    if rules.source != base.source:
        tags["RulesSource"] = rules.source
    if rules.version != base.version:
        tags["RulesVersion"] = str(rules.version)
    return tags


def _spec(rules: Rules) -> tuple[Rules, str]:
    """Return the most similar preset, and these rules as a variant of it."""
    base, options = min(
        ((preset, spelled_options(preset, rules)) for preset in all_rules()), key=lambda found: len(found[1])
    )
    return base, f"{base.name}:{options}" if options else base.name


@lru_cache(maxsize=256)
def from_tags(variant: str, spec: str | None, source: str | None, version: str | None) -> Rules:
    """Return the rules that the four tags name."""
    if spec is None:
        return named(variant)
    rules = named(spec)
    changes: dict[str, Any] = {"name": variant}
    if source is not None:
        changes["source"] = source
    if version is not None:
        if not (version.isascii() and version.isdigit() and len(version) < 10):
            raise RulesError(message("notation.rules.version", version=version[:20]))
        changes["version"] = int(version)
    return dataclasses.replace(rules, **changes)


@lru_cache(maxsize=256)
def to_json(rules: Rules) -> str | dict[str, Any]:
    """Return a name, or all options, as the JSON form stores them; shared, so it must not be changed."""
    if known_by_name(rules):
        return rules.name
    texts = {"title": dict(rules.title), "description": dict(rules.description)}
    options = {k: list(v) if isinstance(v, tuple) else v for k, v in rules.options().items()}
    kept: dict[str, Any] = {"name": rules.name, "version": rules.version, "source": rules.source}
    return {**kept, **{k: v for k, v in texts.items() if v}, "options": options}


def from_json(data: object) -> Rules:
    """Return rules from the JSON form: a name, or an object with all options."""
    if isinstance(data, str):
        return named(data)
    if not isinstance(data, Mapping):
        raise RulesError(message("notation.rules.form"))
    fields: dict[Any, Any] = dict(data)
    options = fields.pop("options", None)
    if not isinstance(options, Mapping):
        raise RulesError(message("notation.rules.options"))
    known = {f.name for f in dataclasses.fields(Rules)}
    for name in fields:
        if name not in (*_TEXTS, "version"):
            raise RulesError(message("notation.rules.entry", name=str(name)[:60]))
    for name in options:
        if name not in known or name in (*_TEXTS, "version"):
            raise RulesError(message("notation.rules.option", name=str(name)[:60]))
    values: dict[Any, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in options.items()}
    if "name" not in fields:
        raise RulesError(message("notation.rules.no-name"))
    try:
        return Rules(**{**fields, **values})
    except (TypeError, AttributeError) as error:  # a list where a text belongs, and the like
        raise RulesError(str(error)) from None
