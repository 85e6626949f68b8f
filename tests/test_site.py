"""The site: it builds without a warning, needs no other host, speaks two languages and misses no command."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
import yaml

from awale import i18n
from tests.cli.parsing import all_commands

ROOT = Path(__file__).resolve().parent.parent
pytest.importorskip("mkdocs", reason="the site is built by MkDocs (pip install 'awale[docs]')")


def build(project: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    # Not --quiet: it would swallow the warnings before --strict counts them.
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=project,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = build(ROOT, folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_a_link_that_leads_nowhere_stops_the_build(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# Here\n\nSee [there](there.md).\n")
    (tmp_path / "mkdocs.yml").write_text("site_name: none\ntheme: {name: material, font: false}\n")
    done = build(tmp_path, tmp_path / "site")
    assert done.returncode == 1
    assert "there.md" in done.stdout + done.stderr


class Fetched(HTMLParser):
    """What a browser fetches by itself when it shows a page, and where its links lead."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.links: list[str] = []
        self.switches: list[str] = []
        self.anchors: set[str] = set()
        self.language = ""
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if tag == "html":
            self.language = found.get("lang", "")
        if "id" in found:
            self.anchors.add(found["id"])
        if tag == "a":
            self.links.append(found.get("href", ""))
            if "awale-language" in found.get("class", ""):
                self.switches.append(found["href"])
        else:
            self.fetched += [found[name] for name in ("src", "href", "data", "poster", "srcset") if name in found]
        self.fetched += re.findall(r"url\(\s*['\"]?([^'\")]+)", found.get("style", ""))


def outside(address: str) -> bool:
    return bool(re.match(r"(?:[a-z][a-z0-9+.-]*:)?//", address.strip(), re.IGNORECASE))


def test_what_is_outside() -> None:
    assert outside("https://example.org/x.js")
    assert outside("//example.org/x.js")
    assert not any(map(outside, ("assets/x.js", "../x.css", "#top", "data:image/svg+xml;x", "")))


def test_reading_it_needs_no_other_host(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 40
    for page in pages:
        assert [address for address in Fetched(page).fetched if outside(address)] == [], page
    for sheet in site.rglob("*.css"):
        found = re.findall(r"(?:url\(|@import)\s*['\"]?([^'\")\s;]+)", sheet.read_text(encoding="utf-8"))
        assert [address for address in found if outside(address)] == [], sheet


def test_links_lead_somewhere_from_the_disk_too(site: Path) -> None:
    parsed = {page.resolve(): Fetched(page) for page in site.rglob("*.html")}
    for page, found in parsed.items():
        if page.name == "404.html":
            continue
        for link in found.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or not link:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            assert target.is_file(), f"{page.relative_to(site)}: {link}"
            if parts.fragment and target in parsed and not parts.fragment.startswith("__"):
                assert unquote(parts.fragment) in parsed[target].anchors, f"{page.relative_to(site)}: {link}"


@pytest.mark.parametrize(("page", "language"), [("commands.html", "en"), ("fr/commands.html", "fr")])
def test_every_command_is_on_the_page_of_commands(site: Path, page: str, language: str) -> None:
    text = (site / page).read_text(encoding="utf-8")
    anchors = Fetched(site / page).anchors
    for path, command in all_commands():
        assert "-".join(("awale", *path)) in anchors
        for option in command.params:
            for name in option.opts:
                if name.startswith("--"):
                    assert name in text, (path, name)
    assert i18n.section("cli")["command.doctor"][language][1:].split(",")[0] in text


def navigation() -> dict[str, Any]:
    """Return the navigation of each language, without titles: nested lists of pages."""

    def pages(item: Any) -> Any:
        if isinstance(item, dict):
            (item,) = item.values()
        return item if isinstance(item, str) else [pages(child) for child in item]

    *english, french = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]
    assert list(french) == ["Français"]
    return {"en": [pages(item) for item in english], "fr": pages(french)}


def flat(items: Any) -> list[str]:
    return [items] if isinstance(items, str) else [page for item in items for page in flat(item)]


def test_both_navigations_have_the_same_pages_in_the_same_places() -> None:
    found = navigation()

    def translated(item: Any) -> Any:
        """The same in French, but for the Python reference, which both languages share."""
        if isinstance(item, str):
            return f"fr/{item}"
        shared = all(path.startswith("reference/") and path != "reference/index.md" for path in flat(item))
        return None if shared else [part for child in item if (part := translated(child)) is not None]

    assert found["fr"] == [translated(item) for item in found["en"]]
    assert set(flat(found["en"]) + flat(found["fr"])) == {
        path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")
    }


def test_every_page_leads_to_its_twin(site: Path) -> None:
    for path in flat(navigation()["en"]):
        shared = path.startswith("reference/")
        twin = "fr/reference/index.md" if shared else f"fr/{path}"
        here, there = ((site / name).with_suffix(".html") for name in (path, twin))
        for page, language, other in ((here, "en", there), (there, "fr", here)):
            found = Fetched(page)
            assert found.language == language, page
            assert len(found.switches) == 1, page
            if not shared or path == "reference/index.md" or language == "en":
                assert (page.parent / found.switches[0]).resolve() == other.resolve(), page


def test_a_reader_sees_one_language_in_the_navigation(site: Path) -> None:
    english, french = Fetched(site / "rules.html"), Fetched(site / "fr" / "rules.html")
    assert not any(link.startswith("fr/") for link in english.links if link not in english.switches)
    outside = {link for link in french.links if link.startswith("../") and not link.startswith("../files/")}
    assert outside == set(french.switches)


def test_a_page_without_its_twin_stops_the_build(tmp_path: Path) -> None:
    (tmp_path / "docs" / "fr").mkdir(parents=True)
    for name in ("index.md", "alone.md", "fr/index.md"):
        (tmp_path / "docs" / name).write_text("# Here\n")
    nav = "nav: [index.md, alone.md, {Français: [fr/index.md]}]"
    hooks = f"hooks: ['{ROOT / 'docs' / '_site' / 'hooks.py'}']"
    (tmp_path / "mkdocs.yml").write_text(f"site_name: none\ntheme: {{name: material, font: false}}\n{hooks}\n{nav}\n")
    done = build(tmp_path, tmp_path / "site")
    assert done.returncode == 1
    assert "fr/alone.md" in done.stdout + done.stderr


def test_the_python_reference_has_the_public_names(site: Path) -> None:
    import awale.notation
    import awale.players
    import awale.rules

    anchors: set[str] = set()
    for page in (site / "reference").glob("*.html"):
        anchors |= Fetched(page).anchors
    for name in awale.__all__:
        if name != "__version__":
            assert any(anchor.split(".")[-1] == name for anchor in anchors), name
    for module in (awale.rules, awale.notation, awale.players):
        for name in filter(lambda name: callable(getattr(module, name)), module.__all__):
            assert any(anchor.split(".")[-1] == name for anchor in anchors), name
    examples = (site / "reference" / "awale.html").read_text(encoding="utf-8")
    assert "language-pycon" in examples
    assert "<blockquote>" not in examples


@pytest.mark.browser
def test_it_can_be_read_and_searched_from_a_disk_on_a_phone(site: Path, chromium: Path) -> None:
    from playwright.sync_api import sync_playwright

    asked: list[str] = []
    troubles: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 390, "height": 800})
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda line: troubles.append(line.text) if line.type == "error" else None)
        for name in ("index", "tutorials/first-game", "reference/awale", "commands", "rules", "fr/index"):
            page.goto((site / f"{name}.html").as_uri())
            wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert wide <= 0, f"{name} is {wide} pixels too wide"
        page.goto((site / "index.html").as_uri())
        page.click("label[for=__search]")
        page.locator("input.md-search__input").press_sequentially("grand slam")
        page.wait_for_selector(".md-search-result__item")
        assert "village-rules" in " ".join(
            link.get_attribute("href") or "" for link in page.locator(".md-search-result__link").all()
        )
        page.goto((site / "tutorials" / "analysing.html").as_uri())
        page.click("a.awale-language")
        assert page.locator("h1").inner_text().startswith("Analyser")
        browser.close()
    assert troubles == []
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:", "about:"))] == []
