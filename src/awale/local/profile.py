"""The name of the person who plays at this terminal, asked once and kept."""

from __future__ import annotations

from awale.paths import data_dir, replacing


def own_name() -> str | None:
    """Return the name that was kept: empty for somebody who gave none, None for somebody who was never asked."""
    try:
        return clean((data_dir() / "name").read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return None


def keep_name(name: str) -> None:
    """Keep a name, which may be empty."""
    file = data_dir() / "name"
    file.parent.mkdir(parents=True, exist_ok=True)
    with replacing(file) as growing:
        growing.write_text(clean(name) + "\n", encoding="utf-8")


def clean(name: str) -> str:
    """Return a name as the store can keep it. A colon would make it the name of a program."""
    return " ".join("".join(c if c.isprintable() and c != ":" else " " for c in name).split())[:100]
