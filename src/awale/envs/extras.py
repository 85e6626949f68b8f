"""Optional packages: an error that says how to install one that is missing."""

from __future__ import annotations

from importlib import import_module

from awale import i18n
from awale.errors import AwaleError


class MissingPackageError(AwaleError, ImportError):
    """The library of an environment is not installed."""


def need(package: str, *, module: str | None = None, extra: str | None = None) -> None:
    """Check that a package can be imported; `extra` is the extra of awale that installs it."""
    try:
        import_module(module or package)
    except ImportError:
        kind = "package" if extra is None else "extra"
        sentence = i18n.message(f"envs.missing.{kind}", package=package, extra=extra)
        raise MissingPackageError(sentence) from None
