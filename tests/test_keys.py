"""Keys can be typed as an argument of a command."""

from __future__ import annotations

import pytest

from awale import keys


def test_no_key_looks_like_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["-wAbCdEfGhIj", "--bCdEfGhIjK", "w-bCdEfGhIjK"])
    monkeypatch.setattr("secrets.token_urlsafe", lambda size: next(drawn))
    assert keys.new_key() == "w-bCdEfGhIjK"
