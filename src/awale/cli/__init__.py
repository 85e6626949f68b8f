"""The command line. Data goes to standard output, messages to standard error; bad input is one line there and exit code
2."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Sequence

INTERRUPTED = 130
BAD_INPUT = 2


def _replace(error: UnicodeError) -> tuple[str, int]:
    """Encode a no-break space that the terminal lacks as a space, any other character as a question mark."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    return "".join(" " if character.isspace() else "?" for character in missing), error.end


codecs.register_error("awale", _replace)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `awale` with these arguments (the process's own by default) and return the exit code."""
    from awale import i18n
    from awale.cli import localisation

    _open_missing_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="awale")
    try:
        # Help texts are made with the commands, so the language must be set first.
        language, rest = localisation.take_language(sys.argv[1:] if arguments is None else arguments)
        i18n.set_language(language)
        code = _run(rest)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader closed the pipe: exit silently.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:
        sentence = localisation.explain(error)
        if sentence is None:
            raise
        print(f"awale: {sentence}", file=sys.stderr)
        return BAD_INPUT


def _open_missing_streams() -> None:
    """Send output to nowhere where the caller closed it, so that no file that is opened later takes its place."""
    if sys.stdout is None or sys.stderr is None or sys.stdin is None:
        while (opened := os.open(os.devnull, os.O_RDWR)) < 3:
            pass
        os.close(opened)
        sys.stdin = sys.stdin or os.fdopen(0, closefd=False)
        sys.stdout = sys.stdout or os.fdopen(1, "w", closefd=False)
        sys.stderr = sys.stderr or os.fdopen(2, "w", closefd=False)


def _run(arguments: list[str]) -> int:
    import typer

    from awale.cli.app import build

    command = typer.main.get_command(build())
    try:
        code = command.main(args=arguments or ["--help"], prog_name="awale", standalone_mode=False)
    except SystemExit as stop:
        code = stop.code
    except Exception as error:
        if type(error).__name__ != "NoArgsIsHelpError":
            raise
        # A group without a command shows its help, not an error.
        print(error)
        code = 0
    return code if isinstance(code, int) else 0
