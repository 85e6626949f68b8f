"""What the pages show is what happens: their examples run, their links lead somewhere, their tables miss nothing.

Docstrings of the package are run by pytest itself (`--doctest-modules` over src/awale).
"""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from awale.rules import description, names
from awale.rules.description import OPTIONS

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*(ROOT / "docs").glob("**/*.md"), *ROOT.glob("*.md")])
NEEDED = ("index.md", "rules.md", "game.md", "village-rules.md", "notation.md")


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def examples(page: Path) -> str:
    """All blocks of a page that show a Python session, one after the other, their lines where they stand."""
    kept, inside = [], False
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.lstrip().startswith("```"):
            inside = not inside and line.strip() == "```python"
            kept.append("")
        else:
            kept.append(line if inside else "")
    text = "\n".join(kept) + "\n"
    return text if ">>> " in text else ""


SESSIONS = [page for page in PAGES if examples(page)]


def test_the_pages_of_the_foundation_are_there_and_show_examples() -> None:
    shown = {page.name for page in SESSIONS}
    assert {"index.md", "rules.md", "game.md", "village-rules.md"} <= shown
    assert set(NEEDED) <= {page.name for page in PAGES}


@pytest.mark.parametrize("page", SESSIONS, ids=name_of)
def test_examples_of_a_page_run(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    test = doctest.DocTestParser().get_doctest(examples(page), {}, name_of(page), str(page), 0)
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=said.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(said)


def test_an_example_that_lies_is_caught() -> None:
    test = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "lie", None, 0)
    runner = doctest.DocTestRunner()
    runner.run(test, out=lambda said: None)
    assert runner.summarize(verbose=False).failed == 1


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if "://" not in target and not target.startswith("mailto:"):
            assert (page.parent / target).exists(), f"{name_of(page)} points at {target}, which is not there"


def test_the_page_of_rules_has_every_preset() -> None:
    text = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    for name in names():
        assert re.search(rf"^\| `{re.escape(name)}` \|", text, re.MULTILINE), name


def test_the_page_of_village_rules_has_every_option_and_every_choice() -> None:
    text = (ROOT / "docs" / "village-rules.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*)$", text, re.MULTILINE))
    assert set(rows) == set(OPTIONS) - {"name", "source", "title", "description"}
    for option, choices in description._CHOICES.items():
        if "as `win_rest`" not in rows[option]:
            for choice in choices:
                assert f'`"{choice}"`' in rows[option], f"{option} = {choice}"


def test_refusals_shown_on_the_page_of_village_rules_are_real() -> None:
    from awale import Rules, RulesError

    text = (ROOT / "docs" / "village-rules.md").read_text(encoding="utf-8")
    shown = re.findall(r"^mine\.toml: (.*)$", text, re.MULTILINE)
    written = ["pits = 'three'", "grandslam = 'allowed'", "win_at = 20", "starved = 'passes'"]
    assert len(shown) == len(written)
    for line, sentence in zip(written, shown, strict=True):
        with pytest.raises(RulesError) as refused:
            Rules.from_toml_text(f'base = "abapa"\n{line}')
        assert str(refused.value) == sentence
