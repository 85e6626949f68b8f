"""What the site needs besides its pages: the commands from the program itself, links out of docs/, two languages."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = "<!-- every command -->"
NAMES = {"en": "English", "fr": "Français"}
HOME = {"en": "index.md", "fr": "fr/index.md"}


def language_of(path: str) -> str:
    return "fr" if path.startswith("fr/") else "en"


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


def on_page_context(context: dict[str, Any], page: Page, config: MkDocsConfig, nav: Any) -> dict[str, Any]:
    """A French page has French labels; every page leads to its twin in the other language, or to the first page."""
    own = language_of(page.file.src_uri)
    other = "en" if own == "fr" else "fr"
    config.theme["language"] = own
    bare = page.file.src_uri.removeprefix("fr/")
    by_path = {file.src_uri: file for file in context["pages"]}
    twin = by_path.get(bare if other == "en" else f"fr/{bare}") or by_path[HOME[other]]
    # Not a list: Material would then look for a map of each language's site, which does not exist.
    config.extra["alternate"] = SimpleNamespace(lang=other, name=NAMES[other], link=twin.url)
    return context
