"""What the pages show is what happens: their examples run, their links lead somewhere, their tables miss nothing.

How the blocks of a page are run is told in page_examples.py. Docstrings of the package are run by pytest itself
(`--doctest-modules` over src/awale).
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from awale.rules import description, names
from awale.rules.description import OPTIONS
from tests.page_examples import RUN, Lie, Reader, blocks, has_examples

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*(ROOT / "docs").glob("**/*.md"), *ROOT.glob("*.md")])
NEEDED = ("index.md", "rules.md", "game.md", "village-rules.md", "notation.md")


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


WITH_EXAMPLES = [page for page in PAGES if has_examples(page)]


def test_the_pages_of_the_foundation_are_there_and_show_examples() -> None:
    shown = {page.name for page in WITH_EXAMPLES}
    assert {"index.md", "rules.md", "game.md", "village-rules.md", "notation.md", "README.md"} <= shown
    assert set(NEEDED) <= {page.name for page in PAGES}


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=name_of)
def test_examples_of_a_page_run(page: Path, tmp_path: Path) -> None:
    Reader(page, tmp_path).read()


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_command_hides_in_a_block_that_nobody_reads(page: Path) -> None:
    for block in blocks(page):
        if block.language not in RUN:
            hidden = re.search(r"^(?:\$ )?awale (?!:).*|^>>> .*", block.text, re.MULTILINE)
            assert hidden is None, f"{name_of(page)}, line {block.line}: mark it console, bash, sh or python"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_lines_of_a_page_are_wrapped(page: Path) -> None:
    """Tables, pictures and blocks apart: at 120 characters, as in the code."""
    text = re.sub(r"^ *```.*?^ *```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    assert [line for line in text.splitlines() if len(line) > 120 and not line.startswith(("|", "!["))] == []


FRENCH = sorted((ROOT / "docs" / "fr").rglob("*.md"))


@pytest.mark.parametrize("page", FRENCH, ids=name_of)
def test_a_french_page_runs_the_examples_of_its_twin(page: Path) -> None:
    twin = ROOT / "docs" / page.relative_to(ROOT / "docs" / "fr")
    assert [block.language for block in blocks(page)] == [block.language for block in blocks(twin)]


@pytest.mark.parametrize("page", FRENCH, ids=name_of)
def test_french_pages_have_french_typography(page: Path) -> None:
    """Narrow no-break spaces before signs and inside quotation marks and large numbers; decimal commas."""
    text = re.sub(r"^ *```.*?^ *```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"`[^`]*`|\]\([^)]*\)|<[^>]*>|\{#[^}]*\}|^    .*$|^\|[-:| ]+\|$", "", text, flags=re.MULTILINE)
    text = re.sub(r"(?<!\*)\*[^*]+\*(?!\*)", "", text)  # titles in other languages
    wrong = r'(?<!\u202f)[;!?%»](?=\s|$)|(?<!\u202f):(?=\s|$)|«(?!\u202f)|["\u00a0’]|\d \d{3}\b|\d,\d{3},|\d\.\d\d? %'
    assert re.findall(rf".{{0,30}}(?:{wrong}).{{0,10}}", text) == []


@pytest.mark.parametrize(
    "lie",
    [
        "```python\n>>> 1 + 1\n3\n```",
        "```python\nimport nothing_of_that_name\n```",
        "```console\n$ echo one\ntwo\n```",
        "```console\n$ awale rules show chess\n```",
        "```console\n$ awale show --moves A\nNorth ... wins\n```",
        "```bash\nfalse\ntrue\n```",
        "```sh\nawale show --no-such-option\n```",
        "```sh\nLANG=C awale tables build > out  # without its seeds\n```",
    ],
)
def test_an_example_that_lies_is_caught(lie: str, tmp_path: Path) -> None:
    page = ROOT / "docs" / "of-this-name-there-is-none.md"
    reader = Reader(page, tmp_path)
    reader.page = tmp_path / "page.md"
    reader.page.write_text(lie + "\n", encoding="utf-8")
    with pytest.raises((Lie, ImportError)):
        reader.read()


def test_examples_follow_each_other(tmp_path: Path) -> None:
    page = """```toml title="small.toml"
base = "abapa"
pits = 3
```

```python
import awale
game = awale.Game(awale.Rules.from_toml("small.toml"))
```

```python
>>> game.rules.pits
3
```

```console
$ awale show --rules small.toml --json | head -2
{
  "rules": "...",
$ awale show --moves Z
awale: ...
```
"""
    reader = Reader(ROOT / "docs" / "none.md", tmp_path)
    reader.page = tmp_path / "page.md"
    reader.page.write_text(page, encoding="utf-8")
    reader.read()


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
