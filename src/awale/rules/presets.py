"""The registry of preset rule systems. A new preset is an entry here and its texts in `texts/presets.toml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from awale import i18n
from awale.errors import RulesError
from awale.rules.description import MAY_BE_NONE, Rules, hint, names_a_file

_GHANA: dict[str, Any] = {
    "sowing": "relay",
    "origin": "sown",
    "capture": "opposite",
    "starved": "passes",
    "win_at": "majority",
    "few_seeds": 1,
    "few_rest": "last-mover",
    "endings": ("few", "win", "moves"),
    "notation": "numbers",
}
_TRICOLOR: dict[str, Any] = {
    "pits": 8,
    "seeds": 2,
    "sowing": "colours",
    "capture": "ring-chain",
    "win_at": "majority",
    "few_seeds": 9,
    "move_limit": 400,
    "no_move": "last-mover",
    "notation": "colours",
}


def _preset(name: str, **options: Any) -> Rules:
    """Return rules whose title, description and source are in the catalogue."""
    texts = i18n.section("presets")
    source = texts[f"{name}.source"]["en"]
    return Rules(
        name=name, source=source, title=texts[f"{name}.title"], description=texts[f"{name}.description"], **options
    )


_PRESETS: tuple[Rules, ...] = (
    _preset("ghana", **_GHANA),
    _preset("ghana-basic", endless="ends", **_GHANA),
    _preset("ghana4", pits=2, **_GHANA),
    _preset("parrains", relay_from="own-side", **_GHANA),
    _preset(
        "casabianca",
        grand_slam="illegal",
        feeding="required",
        no_move="nobody",
        notation="letters-north-upper",
    ),
    _preset(
        "upsti",
        grand_slam="illegal",
        feeding="required",
        win_at="majority",
        win_rest="own-side",
        move_limit=100,
        move_limit_rest="own-side",
        few_seeds=3,
        few_rest="own-side",
        no_move="own-side",
        notation="left",
    ),
    _preset(
        "wikipedia",
        grand_slam="takes-nothing",
        feeding="required",
        win_at=26,
        few_seeds=5,
        no_move="to-move",
    ),
    _preset(
        "abapa",
        grand_slam="takes-nothing",
        feeding="required",
        win_at="majority",
        no_move="own-side",
        repetition="own-side",
    ),
    _preset(
        "awari",
        grand_slam="illegal-unless-forced",
        feeding="if-possible",
        win_at="majority",
        no_move="last-mover",
        repetition="nobody",
    ),
    _preset("tricolor", **_TRICOLOR),
    _preset("tricolor-2025", starved="passes", **_TRICOLOR),
)

ALIASES: dict[str, str] = {
    "oware": "abapa",
    "international": "abapa",
    "wiki": "wikipedia",
    "exam": "upsti",
    "relay": "ghana",
    "basic": "ghana-basic",
    "sponsors": "parrains",
    "contest": "tricolor",
    "tricolour": "tricolor",
    "tricolour-2025": "tricolor-2025",
    "romein": "awari",
}

_REGISTRY: dict[str, Rules] = {rules.name: rules for rules in _PRESETS}


def names() -> tuple[str, ...]:
    """Return the presets' names, in the order in which they are listed."""
    return tuple(_REGISTRY)


def all_rules() -> Iterator[Rules]:
    """Yield every preset and registered rule system, in the order of `names()`."""
    yield from _REGISTRY.values()


def _key(name: str) -> str:
    return name.strip().lower().replace("_", "-")


def check_free(name: str) -> None:
    """Refuse a name that is in use or that would be read as a variant."""
    if _key(name) in _REGISTRY or _key(name) in ALIASES:
        raise RulesError(i18n.message("rules.unknown.taken", name=name))
    if any(mark in name for mark in ":,="):
        raise RulesError(i18n.message("rules.unknown.colon", name=name))


def base_of(rules: Rules) -> Rules | None:
    """Return the registered rules that these are named after, as in `ghana:pits=3`."""
    return _REGISTRY.get(_key(rules.name.partition(":")[0]))


def known_by_name(rules: Rules) -> bool:
    """Return whether the name alone leads back to these rules."""
    try:
        return get(rules.name) == rules
    except RulesError:
        return False


def source_text(rules: Rules, lang: str | None = None) -> str:
    """Return where rules were read, in a language if it is known in several: a village's file has only one.

    >>> source_text(get("ghana-basic"), "fr")
    'le programme en BASIC imprimé avec le même article'
    """
    known = [i18n.message(f"presets.{preset.name}.source") for preset in _PRESETS]
    known += [i18n.message("rules.file.source", base=base) for base in _REGISTRY]
    return next((said.sentence(lang) for said in known if said.sentence("en") == rules.source), rules.source)


def register(rules: Rules, *aliases: str) -> Rules:
    """Register a rule system under its name and aliases."""
    for name in (rules.name, *aliases):
        check_free(name)
    _REGISTRY[_key(rules.name)] = rules
    ALIASES.update({_key(alias): _key(rules.name) for alias in aliases})
    return rules


def get(name: str | Rules) -> Rules:
    """Return a rule system by name, alias or variant (`ghana:pits=3,seeds=2`). Never opens a file: see `load`.

    >>> get("oware").name
    'abapa'
    >>> get("ghana:pits=2").holes
    4
    """
    if isinstance(name, Rules):
        return name
    if not isinstance(name, str):
        raise RulesError(i18n.message("rules.unknown.kind", value=repr(name)[:80]))
    if names_a_file(name):
        raise RulesError(i18n.message("rules.unknown.file", name=name.strip()[:60]))
    base, _, options = name.partition(":")
    key = ALIASES.get(_key(base), _key(base))
    if key not in _REGISTRY:
        near = hint(key, _REGISTRY, ALIASES)
        raise RulesError(i18n.message("rules.unknown.rules", name=base.strip()[:60], hint=near))
    rules = _REGISTRY[key]
    return rules.variant(**_read_options(options)) if options.strip() else rules


def load(name: str | Rules) -> Rules:
    """Return rules as `get` does, or read a village-rules file by its path (`mine.toml`).

    Only for names that the user typed: one from a game file or the network must not choose which file is read.
    """
    return Rules.from_toml(name.strip()) if isinstance(name, str) and names_a_file(name) else get(name)


def _read_options(text: str) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for part in text.split(","):
        name, equals, value = part.partition("=")
        name, value = name.strip(), value.strip()
        if not equals or not name or not value:
            raise RulesError(i18n.message("rules.spec.not-an-option", part=part.strip()[:60]))
        if name in options:
            raise RulesError(i18n.message("rules.spec.twice", name=name[:60]))
        options[name] = _read_value(name, value)
    return options


def _read_value(name: str, value: str) -> Any:
    if name == "capture_counts":
        return tuple(_number(part) for part in value.split("+"))
    if name == "endings":
        return tuple(value.split("+"))
    if value.lower() == "none" and name in MAY_BE_NONE:
        return None
    return _number(value)


def _number(text: str) -> Any:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text
