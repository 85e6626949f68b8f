"""The notebooks run from top to bottom and show what they say; what is kept of them is fit to be kept."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

from scripts import notebooks

PATHS = notebooks.notebooks()
TWINS = [
    ("01-rules-and-api.ipynb", "01-regles-et-api.fr.ipynb"),
    ("02-minimax-and-alphabeta.ipynb", "02-minimax-et-alphabeta.fr.ipynb"),
    ("03-report-tables.ipynb", "03-tables-du-rapport.fr.ipynb"),
    ("04-endgame-tables.ipynb", "04-tables-de-finales.fr.ipynb"),
]


def name_of(path: Path) -> str:
    return path.stem


def test_there_are_four_in_each_language() -> None:
    assert [english[:2] for english, _ in TWINS] == ["01", "02", "03", "04"]
    assert {path.name for path in PATHS} == {name for twins in TWINS for name in twins}


@pytest.mark.parametrize("path", PATHS, ids=name_of)
def test_a_notebook_shows_what_it_says(path: Path) -> None:
    """If this fails because something was meant to change: python scripts/notebooks.py, and read what is new."""
    kept = dict(notebooks.shown(notebooks.read(path)))
    assert dict(notebooks.shown(notebooks.run(path))) == kept


@pytest.mark.parametrize("path", PATHS, ids=name_of)
def test_nothing_of_the_machine_is_kept(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"/(tmp|home|root|Users|work|usr|var)/|[A-Z]:\\\\", text)
    kept = notebooks.read(path)
    tidied = notebooks.tidy(notebooks.read(path))
    assert json.dumps(tidied, sort_keys=True) == json.dumps(kept, sort_keys=True)
    code = [cell for cell in kept.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert not any(out.output_type == "error" for cell in code for out in cell.outputs)


@pytest.mark.parametrize("path", PATHS, ids=name_of)
def test_pictures_are_kept_and_links_lead_somewhere(path: Path) -> None:
    kept = notebooks.read(path)
    pictures = [out for cell in kept.cells for out in cell.get("outputs", []) if "image/svg+xml" in out.get("data", {})]
    assert pictures
    for cell in kept.cells:
        if cell.cell_type == "markdown":
            for target in re.findall(r"\]\(([^)#\s]+)\)", cell.source):
                assert (path.parent / target).exists(), target


class _WithoutTexts(ast.NodeTransformer):
    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        return ast.Constant("") if isinstance(node.value, str) else node


def code_of(name: str) -> list[str]:
    cells = notebooks.read(notebooks.FOLDER / name).cells
    sources = [cell.source for cell in cells if cell.cell_type == "code"]
    # The French ones begin by choosing the language of the library's sentences.
    language = re.compile(r"^(import awale|awale\.i18n\.set_language.*)(\n|$)", re.MULTILINE)
    sources = [language.sub("", source) for source in sources]
    return [ast.dump(_WithoutTexts().visit(ast.parse(source))) for source in sources]


@pytest.mark.parametrize(("english", "french"), TWINS)
def test_the_french_ones_run_the_same_code(english: str, french: str) -> None:
    assert code_of(english) == code_of(french)


def test_a_notebook_that_lies_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import nbformat

    cell = nbformat.v4.new_code_cell("print(1 + 1)", outputs=[nbformat.v4.new_output("stream", text="3\n")])
    lie = nbformat.v4.new_notebook(cells=[cell])
    monkeypatch.setattr(notebooks, "FOLDER", tmp_path)
    notebooks.write(notebooks.tidy(lie), tmp_path / "lie.ipynb")
    assert notebooks.main(["--check"]) == 1
    assert "cell-01 now shows:\n2" in capsys.readouterr().out
    assert notebooks.main([]) == 0
    assert notebooks.main(["lie", "--check"]) == 0
    with pytest.raises(SystemExit):
        notebooks.main(["truth"])
