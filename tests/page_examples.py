"""Run what a page shows, from top to bottom, as its reader would: in one folder and one Python session.

| a block | is |
|---|---|
| `python` with `>>>` | typed in, and its answers compared |
| `python` without | run |
| `console` | commands after `$ `, run; what stands below a command must be what it prints |
| `bash` | a script that must end well |
| `sh` | for readers only (hours, or somebody's answers): every `awale ...` must still be a valid command line |
| anything with `title="FILE"` | written to that file |

`...` stands for anything, as in doctest. A command's answer is its standard output; if it fails, its complaint too.
"""

from __future__ import annotations

import contextlib
import doctest
import gc
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from awale import i18n
from tests.cli.parsing import own_words, parse

ROOT = Path(__file__).resolve().parent.parent
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
RUN = {"python", "console", "bash", "sh"}
TIMEOUT = 120


class Block(NamedTuple):
    """A fenced block of a page."""

    language: str
    title: str | None
    text: str
    line: int


class Lie(AssertionError):
    """A page shows something else than what happens."""


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page."""
    inside: list[str] | None = None
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        fence = re.match(r"^\s*```(.*)$", line)
        if not fence:
            if inside is not None:
                inside.append(line)
        elif inside is None:
            inside, start = [], number
            words = fence[1].strip().split(maxsplit=1)
            title = re.search(r'title="([^"]*)"', fence[1])
            language = words[0] if words else ""
        else:
            yield Block(language, title[1] if title else None, textwrap.dedent("\n".join(inside)) + "\n", start)
            inside = None
    assert inside is None, f"{page}: a block that nobody closes"


def has_examples(page: Path) -> bool:
    return any(block.language in RUN for block in blocks(page))


def commands(text: str) -> list[tuple[str, str]]:
    """The commands of a console and what is printed below each."""
    found: list[tuple[str, str]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], ""))
        elif found and found[-1][0].endswith("\\"):
            found[-1] = (found[-1][0][:-1] + line.strip(), "")
        elif found:
            found[-1] = (found[-1][0], found[-1][1] + line + "\n")
    return found


class Reader:
    """Somebody who reads a page with a terminal beside it."""

    def __init__(self, page: Path, folder: Path) -> None:
        self.page, self.folder = page, folder
        self.names: dict[str, Any] = {"__name__": "__main__"}
        shutil.copytree(ROOT / "examples", folder / "examples")
        # The small tables that the engine has made in the background are the same for all pages: made once.
        shared = Path(os.environ["AWALE_DATA_DIR"]) / "of-the-pages"
        shared.mkdir(parents=True, exist_ok=True)
        (folder / "data").mkdir()
        (folder / "data" / "tables").symlink_to(shared, target_is_directory=True)
        (folder / "bin").mkdir()
        program = folder / "bin" / "awale"
        program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m awale "$@"\n')
        program.chmod(0o755)
        french = "fr" in page.relative_to(ROOT).parts
        self.environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("LC_")},
            "AWALE_DATA_DIR": str(folder / "data"),
            "AWALE_LANG": "fr" if french else "en",
            "AWALE_QUIET": "1",
            "COLUMNS": "80",
            "NO_COLOR": "1",
            "PATH": os.pathsep.join([str(folder / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]]),
            "PYTHONIOENCODING": "utf-8",
            "PYTHONPATH": str(folder),
        }

    def read(self) -> None:
        end_background_work()
        before, path = i18n.language(), list(sys.path)
        kept = dict(os.environ)
        os.environ.clear()
        os.environ.update(self.environment)
        sys.path.insert(0, str(self.folder))
        try:
            with contextlib.chdir(self.folder):
                for block in blocks(self.page):
                    self._do(block)
        finally:
            end_background_work()
            os.environ.clear()
            os.environ.update(kept)
            sys.path[:] = path
            i18n.set_language(before)

    def _do(self, block: Block) -> None:
        where = f"{self.page.name}, line {block.line}"
        if block.title is not None:
            target = self.folder / block.title
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            self._python(block, where)
        elif block.language == "console":
            for command, shown in commands(block.text):
                self._console(command, shown, where)
        elif block.language == "bash":
            code, out, err = self._shell("set -e\n" + block.text)
            if code:
                raise Lie(f"{where}: ends with {code}\n{out}{err}")
        elif block.language == "sh":
            for line in re.sub(r"\\\n\s*", " ", block.text).splitlines():
                if re.match(r"(\w+=\S+ )*awale\b", line.strip()):
                    check_command(line.strip(), where)

    def _python(self, block: Block, where: str) -> None:
        i18n.set_language("en")
        if ">>> " not in block.text:
            # A real file: what is compiled is kept beside one, and worker processes look for it.
            script = self.folder / f"line_{block.line}.py"
            script.write_text("\n" * block.line + block.text, encoding="utf-8")
            code = compile(script.read_text(encoding="utf-8"), str(script), "exec")
            with contextlib.redirect_stdout(io.StringIO()):
                exec(code, self.names)
            return
        test = doctest.DocTestParser().get_doctest(block.text, self.names, where, str(self.page), block.line)
        said: list[str] = []
        runner = doctest.DocTestRunner(optionflags=FLAGS)
        runner.run(test, out=said.append, clear_globs=False)
        self.names = test.globs
        if runner.summarize(verbose=False).failed:
            raise Lie("".join(said))

    def _console(self, command: str, shown: str, where: str) -> None:
        simple = re.match(r"awale\b", command) and not re.search(r"[|<>&;$*`]", command)
        code, out, err = self._awale(shlex.split(command, comments=True)[1:]) if simple else self._shell(command)
        got = out + err if code else out
        if code and not shown:
            raise Lie(f"{where}: '{command}' ends with {code}\n{got}")
        if shown and not same(shown, got):
            raise Lie(f"{where}: '{command}' prints\n{got}\nand not\n{shown}")

    def _awale(self, words: list[str]) -> tuple[int, str, str]:
        """In this process: a hundred commands in a second instead of ten."""
        from awale.cli import main

        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(words)
        return code, *(stream.buffer.getvalue().decode() for stream in (out, err))  # type: ignore[attr-defined]

    def _shell(self, script: str) -> tuple[int, str, str]:
        done = subprocess.run(
            ["bash", "-c", script], cwd=self.folder, capture_output=True, text=True, timeout=TIMEOUT, encoding="utf-8"
        )
        return done.returncode, done.stdout, done.stderr


def end_background_work() -> None:
    """Small tables in the making would be in the next page's way; so would output diverted by something left behind."""
    for thread in threading.enumerate():
        if thread.name.startswith("tables of "):
            thread.join()
    gc.collect()
    gc.freeze()  # the next collection need not look at compiled code again, which would take seconds


def same(shown: str, got: str) -> bool:
    """Whether an answer is the one shown, but for spaces at the ends of lines and at the end."""

    def tidy(text: str) -> str:
        return "\n".join(line.rstrip() for line in text.strip("\n").splitlines()) + "\n"

    return doctest.OutputChecker().check_output(tidy(shown), tidy(got), doctest.ELLIPSIS)


def check_command(line: str, where: str) -> None:
    """A command line that only readers run must still be one."""
    try:
        parse(own_words(line))
    except Exception as error:
        raise Lie(f"{where}: '{line}': {error}") from error
