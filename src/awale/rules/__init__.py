"""Every rule system as data, and the plain-Python reference that plays any of them."""

from awale.rules.description import Rules
from awale.rules.presets import ALIASES, all_rules, get, load, names, register

__all__ = ["ALIASES", "Rules", "all_rules", "get", "load", "names", "register"]
