"""Rule systems as data, and the reference implementation in plain Python that plays any of them."""

from awale.rules.budget import SowingBudget, sowing_budget
from awale.rules.description import Rules
from awale.rules.presets import ALIASES, all_rules, get, load, names, register

__all__ = ["ALIASES", "Rules", "SowingBudget", "all_rules", "get", "load", "names", "register", "sowing_budget"]
