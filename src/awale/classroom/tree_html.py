"""A search tree as one HTML file: the site's own modules and styles put inside, nothing fetched from anywhere."""

from __future__ import annotations

import json
import re
from html import escape
from importlib.resources import files
from typing import Any

from awale import i18n
from awale.classroom import tree_words as words
from awale.classroom.tree import Tree, as_dict

MODULES = (
    "svg.js",
    "fill.js",
    "searchtree-layout.js",
    "searchtree-words.js",
    "searchtree-draw.js",
    "searchtree.js",
    "searchtree-file.js",
)
"""In the order of their imports: put one after the other they make one module."""
STYLES = ("app.css", "searchtree.css")
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
)


def viewer_texts(lang: str) -> dict[str, str]:
    """Every text that a drawn tree may say, in one language."""
    told = {key: texts[lang] for key, texts in i18n.section("tree").items()}
    kept = {key: text for key, text in told.items() if key.split(".")[0] in ("view", "evaluation", "method")}
    endings = {key: texts[lang] for key, texts in i18n.section("core").items() if key.startswith("ending.")}
    return kept | endings


def data_block(value: Any) -> str:
    """JSON that cannot end the element it stands in."""
    written = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return written.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def tree_page(tree: Tree, *, lang: str | None = None) -> str:
    """The page: opens in `lang`, speaks both languages."""
    lang = lang or i18n.language()
    data = {"tree": as_dict(tree), "texts": {name: viewer_texts(name) for name in i18n.LANGUAGES}}
    title = escape(words.title(tree, lang))
    return f"""<!doctype html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<title>{title}</title>
<style>
{"".join(map(_static, STYLES))}</style>
</head>
<body class="tree-file">
<header class="top"><h1 class="brand" id="file-title">{title}</h1>
<div class="switches"><button id="file-language" type="button"></button>
<button id="file-theme" type="button"></button></div>
</header>
<main id="main"><div id="search-tree"></div></main>
<script type="application/json" id="tree-data">{data_block(data)}</script>
<script type="module">
{_script()}</script>
</body>
</html>
"""


def _static(name: str) -> str:
    return files("awale").joinpath("web", "static", name).read_text(encoding="utf-8")


def _script() -> str:
    """The modules as one: what they import from each other stands in the same scope then."""
    joined = "".join(map(_static, MODULES))
    joined = re.sub(r"^import [^;]*;\n", "", joined, flags=re.MULTILINE)
    joined = re.sub(r"^export (?=function|class|const|async)", "", joined, flags=re.MULTILINE)
    return joined.replace("</script", "<\\/script")
