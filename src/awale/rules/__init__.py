"""Rule systems as data, and the reference implementation in plain Python that plays any of them."""

from awale.rules.description import Rules
from awale.rules.presets import ALIASES, all_rules, get, load, names, register

__all__ = ["ALIASES", "Rules", "all_rules", "get", "load", "names", "register"]
