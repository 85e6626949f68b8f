"""The set-up files and the checks that `make lint` adds: pins, help, missing npm, literal messages."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from scripts import check_messages

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def canonical(requirement: str) -> str:
    name = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert name, requirement
    return re.sub(r"[-_.]+", "-", name.group()).lower()


def pins() -> list[str]:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    return [line for line in lines if not line.startswith("#")]


def test_constraints_are_exact_pins_and_nothing_else() -> None:
    odd = [line for line in pins() if not re.fullmatch(r"[a-z0-9-]+==[A-Za-z0-9.!+]+", line)]
    assert odd == []


def test_every_dependency_is_pinned() -> None:
    groups = [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]
    wanted = {canonical(requirement) for group in groups for requirement in group} - {"awale"}
    assert wanted - {line.split("==")[0] for line in pins()} == set()


def test_help_names_every_target() -> None:
    phony = re.search(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert phony
    shown = subprocess.run(["make", "-s", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert re.findall(r"^  make (\S+) +\S", shown, re.MULTILINE) == phony.group(1).split()


def test_failures_are_not_run_again() -> None:
    makefile = (ROOT / "Makefile").read_text()
    assert not re.search(r"last-failed|--reruns|\|\| ?true", makefile)


@pytest.mark.parametrize(("skip", "code"), [("", 1), ("1", 0)])
def test_missing_npm_is_an_error_unless_the_check_is_left_out(tmp_path: Path, skip: str, code: int) -> None:
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts" / "check-js.sh", tmp_path / "scripts")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "dirname").symlink_to(str(shutil.which("dirname")))
    environment = {"PATH": str(tmp_path / "bin"), "AWALE_SKIP_JS": skip}
    command = [str(shutil.which("sh")), "scripts/check-js.sh"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    assert "AWALE_SKIP_JS" in done.stderr
    assert ("apt-get install npm" in done.stderr) == (code == 1)


@pytest.mark.parametrize(
    ("code", "caught"),
    [
        ('raise AwaleError("no such game")', ["no such game"]),
        ('raise StoreError(f"no database at {url}: {problem}")', ["no database at {}: {}"]),
        ('raise LateError("the game is %s" % state)', ["the game is %s"]),
        ('raise LateError("no game " + name)', ["no game "]),
        ('error = AwaleError("no such {}".format(name))', ["no such {}"]),
        ('raise AwaleError("too late" if late else "too early")', ["too early"]),
        ('raise errors.AwaleError(message="no such game")', ["no such game"]),
        ('raise HTTPException(404, detail="no such game")', ["no such game"]),
        ('raise typer.BadParameter("must be a number")', ["must be a number"]),
        ('print("no such game", file=sys.stderr)', ["no such game"]),
        ('sys.stderr.write("no such game")', ["no such game"]),
        ('typer.echo(f"no game {name}", err=True)', ["no game {}"]),
        ('raise AwaleError(message("store.no-game"))', []),
        ('raise AwaleError(text("store.no-game", name=name))', []),
        ('raise KeyedError("no-game", name="two words")', []),
        ('raise AwaleError(f"{file}: {problem}")', []),
        ('print(f"awale: {sentence}", file=sys.stderr)', []),
        ('print("no such game")', ["no such game"]),
        ('typer.Option(None, help="a number of games")', ["a number of games"]),
        ('Static("no such game", id="title")', ["no such game"]),
        ('print(f"awale {version}, Python {python}")', []),
        ('typer.Option(None, help=text("arena.option.games"))', []),
        ('raise RuntimeError("cannot happen here")', []),
    ],
)
def test_literal_sentences_are_found(tmp_path: Path, code: str, caught: list[str]) -> None:
    classes = (
        "class StoreError(AwaleError): ...\nclass LateError(store.StoreError): ...\nclass KeyedError(AwaleError): ...\n"
    )
    (tmp_path / "errors.py").write_text(classes)
    (tmp_path / "bad.py").write_text(code)
    assert [finding.literal for finding in check_messages.check(tmp_path)] == caught
    assert check_messages.main(tmp_path) == (1 if caught else 0)


def test_words_in_templates_are_found(tmp_path: Path) -> None:
    page = '<p>{{ t("a") }}</p>\n<script>var words = 1;</script>\n<a title="Home page">&nbsp;·</a>\n<b>Go</b>\n'
    (tmp_path / "page.html").write_text(page)
    found = check_messages.check(tmp_path)
    assert [(finding.line, finding.literal) for finding in found] == [(3, "Home page"), (4, "Go")]


def test_all_installs_every_optional_part_but_the_gpu() -> None:
    extras = PROJECT["optional-dependencies"]
    (everything,) = extras["all"]
    assert set(re.findall(r"\w+", everything)[1:]) == set(extras) - {"all", "docs", "dev", "cuda"}


WORKFLOW = ROOT / ".github" / "workflows" / "ci.yml"


@pytest.mark.parametrize(
    "check",
    [["check-jsonschema", "--builtin-schema", "vendor.github-workflows"], ["zizmor", "--offline", "--no-progress"]],
)
def test_the_workflow_passes_its_linters(check: list[str]) -> None:
    program = Path(sys.executable).with_name(check[0])
    if not program.exists():
        pytest.skip(f"{check[0]} is not installed")
    done = subprocess.run([program, *check[1:], WORKFLOW], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_workflow_tests_every_version_that_is_promised() -> None:
    versions = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    (matrix,) = re.findall(r"python: \[(.*)\]", WORKFLOW.read_text())
    assert re.findall(r"[\d.]+", matrix) == versions


def test_the_source_distribution_has_everything_that_the_tests_read() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a checkout")
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    words = [line.split() for line in (ROOT / "MANIFEST.in").read_text().splitlines() if line and line[0] != "#"]
    whole = {name for command, *names in words if command == "graft" for name in names} | {"src"}
    single = {name for command, *names in words if command == "include" for name in names}
    known = {"LICENSE", "README.md", PROJECT["readme"], "pyproject.toml", "MANIFEST.in", ".gitignore", ".dockerignore"}
    assert [file for file in tracked if file.split("/")[0] not in whole and file not in single | known] == []


def test_the_description_of_the_package_stands_alone() -> None:
    """A package index has neither the other pages nor the pictures; the commands and extras it names exist."""
    text = (ROOT / PROJECT["readme"]).read_text(encoding="utf-8")
    assert not re.search(r"\]\((?!https://)|<img|<a ", text)
    named = {extra for extras in re.findall(r"awale\[([\w,]+)\]", text) for extra in extras.split(",")}
    assert named == set(PROJECT["optional-dependencies"]) - {"docs", "dev"}
