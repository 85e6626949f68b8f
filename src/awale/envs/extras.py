"""Packages that not everybody has installed: a sentence that says what to do, instead of a traceback about a module."""

from __future__ import annotations

from importlib import import_module

from awale import i18n
from awale.errors import AwaleError


class MissingPackageError(AwaleError, ImportError):
    """An environment was asked for whose library is not installed."""


def need(package: str, *, module: str | None = None, extra: str | None = None) -> None:
    """Make sure that a package can be imported; `extra` is the one of ours that brings it."""
    try:
        import_module(module or package)
    except ImportError:
        kind = "package" if extra is None else "extra"
        sentence = i18n.message(f"envs.missing.{kind}", package=package, extra=extra)
        raise MissingPackageError(sentence) from None
