"""What the site needs besides its pages: the commands from the program itself, links out of docs/, two languages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = "<!-- every command -->"
NAMES = {"en": "English", "fr": "Français"}
SHARED = "reference/"
navigations: dict[str, Navigation] = {}


# -- links out of docs/ -----------------------------------------------------------------------------------------------


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Files beside docs/ that pages point at (examples, notebooks) come along."""
    for path in outside(files):
        files.append(File.generated(config, f"files/{path}", abs_src_path=str(ROOT / path)))
    return files


def outside(files: Files) -> list[str]:
    found: set[str] = set()
    for file in files.documentation_pages():
        folder = (ROOT / "docs" / file.src_uri).parent
        for target in re.findall(r"\]\(((?:\.\./)+[^)#\s]+)", file.content_string):
            path = (folder / target).resolve()
            if path.is_file() and path.suffix != ".md" and not path.is_relative_to(ROOT / "docs"):
                found.add(path.relative_to(ROOT).as_posix())
    return sorted(found)


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    folder = (ROOT / "docs" / page.file.src_uri).parent
    up = "../" * page.file.src_uri.count("/")

    def within(link: re.Match[str]) -> str:
        path = (folder / link[2]).resolve()
        if path.is_relative_to(ROOT / "docs"):
            return link[0]
        if path.is_file() and path.suffix != ".md":
            return f"{link[1]}({up}files/{path.relative_to(ROOT).as_posix()})"
        return link[1][1:-1]  # a folder, or a page for developers: its name says enough here

    markdown = re.sub(r"(\[[^\]]*\])\(((?:\.\./)+[^)#\s]+)\)", within, markdown)
    if COMMANDS in markdown:
        markdown = markdown.replace(COMMANDS, every_command(language_of(page.file.src_uri)))
    return markdown


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Read from a disk, a folder is a list of files: its first page must be named."""
    return re.sub(r'href="(\.|\.\.(?:/\.\.)*)/?"', lambda link: f'href="{link[1]}/index.html"', output)


# -- the command line -------------------------------------------------------------------------------------------------


def every_command(language: str) -> str:
    """The help of every command as a chapter, in a language."""
    from awale import i18n
    from awale.cli import help_examples
    from awale.cli.app import commands_of, modules

    before = i18n.language()
    i18n.set_language(language)
    lines: list[str] = []

    def chapter(path: tuple[str, ...], command: Any) -> None:
        lines.extend([f"{'#' * (1 + len(path))} awale {' '.join(path)}", "", command.help or "", ""])
        children = getattr(command, "commands", {})
        if not children:
            lines.extend(_options(command))
            lines.extend(["```sh"])
            for example in help_examples.examples(path):
                lines.extend([f"# {example.words}", example.command])
            lines.extend(["```", ""])
            codes = dict(help_examples.exit_codes(path))
            if help_examples.NO in codes:
                lines.extend([i18n.text("cli.heading.exit-codes") + f" 1, {codes[help_examples.NO]}.", ""])
        for name, child in children.items():
            chapter((*path, name), child)

    try:
        for module in modules():
            for name, command in commands_of(module).items():
                chapter((name,), command)
    finally:
        i18n.set_language(before)
    return "\n".join(lines)


def _options(command: Any) -> list[str]:
    rows = ["| | |", "|---|---|"]
    for option in command.params:
        if option.name == "help" or getattr(option, "hidden", False):
            continue
        names = [name for name in (*option.opts, *option.secondary_opts) if name.startswith("-")]
        metavar = option.metavar or ("" if getattr(option, "is_flag", False) else option.name.upper())
        shown = f"{', '.join(sorted(names, key=len))} {metavar}".strip() if names else metavar
        default = option.default
        said = _cell(getattr(option, "help", "") or "")
        if default not in (None, "", False, [], ()) and not getattr(option, "is_flag", False) and option.show_default:
            said += f" (`{_cell(str(getattr(default, 'value', default)))}`)"
        rows.append(f"| `{_cell(shown)}` | {said} |")
    return [*rows, ""] if len(rows) > 2 else []


def _cell(text: str) -> str:
    return re.sub(r"[ \n]+", " ", text).replace("|", "\\|")


# -- two languages ----------------------------------------------------------------------------------------------------


def language_of(path: str) -> str:
    return "fr" if path.startswith("fr/") else "en"


def twin(path: str) -> str:
    """Return the page that says the same in the other language. Both share the Python reference, but for its index."""
    if language_of(path) == "fr":
        return path.removeprefix("fr/")
    return f"fr/{SHARED}index.md" if path.startswith(SHARED) else f"fr/{path}"


def without_twin(paths: Iterable[str]) -> list[str]:
    """Return the pages that are missing for a site in two languages."""
    known = set(paths)
    return sorted({twin(path) for path in known} - known)


def on_nav(nav: Navigation, config: MkDocsConfig, files: Files) -> Navigation:
    """Split the navigation by language: a French reader sees French tabs, and the last English page leads nowhere."""
    missing = without_twin(page.file.src_uri for page in nav.pages)
    if missing:
        raise PluginError(f"not in the navigation, but their twins are: {', '.join(missing)}")
    french = next(item for item in nav.items if item.is_section and item.title == NAMES["fr"])
    for item in french.children:
        item.parent = None
    trees = {"en": [item for item in nav.items if item is not french], "fr": french.children}
    for language, items in trees.items():
        pages = [page for page in nav.pages if language_of(page.file.src_uri) == language]
        for page, before, after in zip(pages, [None, *pages], [*pages[1:], None], strict=False):
            page.previous_page, page.next_page = before, after
        navigations[language] = Navigation(items, pages)
        navigations[language].homepage = pages[0]
    return nav


def on_page_context(context: dict[str, Any], page: Page, config: MkDocsConfig, nav: Navigation) -> dict[str, Any]:
    """A page has the labels and the navigation of its language, and leads to its twin in the other one."""
    own = language_of(page.file.src_uri)
    other = "en" if own == "fr" else "fr"
    config.theme["language"] = own
    context["nav"] = navigations[own]
    by_path = {file.src_uri: file for file in context["pages"]}
    # Not a list: Material would then look for a map of each language's site, which does not exist.
    link = by_path[twin(page.file.src_uri)].url
    config.extra["alternate"] = SimpleNamespace(lang=other, name=NAMES[other], link=link)
    return context


def on_template_context(context: dict[str, Any], template_name: str, config: MkDocsConfig) -> dict[str, Any]:
    return context | {"nav": navigations["en"]}
