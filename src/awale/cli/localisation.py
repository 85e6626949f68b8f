"""The user's language, and Typer's own sentences translated into it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from awale import i18n
from awale.errors import AwaleError

EXTRAS = {
    "alembic": "store",
    "dask": "cluster",
    "distributed": "cluster",
    "fastapi": "web",
    "gymnasium": "rl",
    "jinja2": "web",
    "numba-cuda": "cuda",
    "pettingzoo": "rl",
    "psycopg": "store",
    "sqlalchemy": "store",
    "textual": "tui",
    "uvicorn": "web",
    "websockets": "web",
}
"""The extras that install optional packages."""


def checked_language(name: str) -> str:
    """Return a language of the catalogue, by its code or a locale's name."""
    code = re.split(r"[_.\-@]", name.strip().lower())[0]
    if code not in i18n.LANGUAGES:
        raise AwaleError(i18n.text("cli.usage.no-language", name=name[:40], known=", ".join(i18n.LANGUAGES)))
    return code


def take_language(arguments: Sequence[str]) -> tuple[str, list[str]]:
    """Return the language to use, and the arguments without `--lang`, wherever it was."""
    language = i18n.from_locale()
    i18n.set_language(language)
    rest: list[str] = []
    waiting = iter(arguments)
    for argument in waiting:
        if argument == "--":
            rest += [argument, *waiting]
        elif argument == "--lang":
            value = next(waiting, None)
            if value is None:
                raise AwaleError(i18n.text("cli.usage.no-value", option="--lang"))
            language = checked_language(value)
        elif argument.startswith("--lang="):
            language = checked_language(argument.partition("=")[2])
        else:
            rest.append(argument)
    return language, rest


_HELP = (
    (r"^Usage: ", "usage"),
    (r"^Options:$", "options"),
    (r"^Arguments:$", "arguments"),
    (r"^Commands:$", "commands"),
)
_HELP_LINES = (
    ("Show this message and exit.", "show-help"),
    ("Install completion for the current shell.", "install-completion"),
    ("Show completion for the current shell, to copy it or customize the installation.", "show-completion"),
)


def translate_help(text: str) -> str:
    """Translate the headings of Typer's help, which are in English only."""
    for pattern, key in _HELP:
        text = re.sub(pattern, i18n.text(f"cli.heading.{key}"), text, flags=re.MULTILINE)
    # Typer puts required arguments in braces; brackets around the others suffice.
    usage, blank, rest = text.partition("\n\n")
    text = re.sub(r"[{}]", "", usage) + blank + rest
    for sentence, key in _HELP_LINES:
        # The sentence may be wrapped over several lines of the column.
        folded = r"\s+".join(re.escape(word) for word in sentence.split())
        text = re.sub(folded, i18n.text(f"cli.heading.{key}"), text)
    text = text.replace("COMMAND [ARGS]...", i18n.text("cli.heading.subcommand"))
    # Omit the types TEXT and PATH.
    text = re.sub(r" <(?:str|text|path|list\[str\])>", lambda found: " " * len(found[0]), text, flags=re.IGNORECASE)
    text = re.sub(r"\[default:(?=\s)", f"[{i18n.text('cli.heading.default').rstrip()}", text)
    text = re.sub(r";(?=\s+([\d.<=]*x[<>=]|required\]))", i18n.labelled("", "").replace(":", ";").rstrip(), text)
    return re.sub(r"(?<=[\[\s])required\]", f"{i18n.text('cli.heading.required')}]", text)


def explain(error: Exception) -> str | None:
    """Return one line for an error caused by bad input or the machine; None for a bug."""
    import typer

    if isinstance(error, AwaleError):
        return one_line(str(error))
    if isinstance(error, typer.Abort):
        return i18n.text("cli.usage.aborted")
    usage_error = typer.BadParameter.__mro__[1]
    if isinstance(error, usage_error):
        return one_line(_explain_usage(error))
    if isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] in EXTRAS:
        package = (error.name or "").partition(".")[0]
        return i18n.text("cli.usage.no-package", package=package, extra=EXTRAS[package])
    if isinstance(error, OSError):
        what = i18n.system_problem(error)
        return one_line(i18n.labelled(error.filename, what) if error.filename is not None else str(what))
    return None


def one_line(text: str) -> str:
    """Fold a text into one line, keeping the no-break spaces of French punctuation."""
    return re.sub(r"[^\S\u00a0\u202f]+", " ", text).strip()


def _explain_usage(error: Exception) -> str:
    """Return what is wrong with the command line. Classes are compared by name: Typer exports only one of them."""
    kind = type(error).__name__
    context = getattr(error, "ctx", None)
    parameter = getattr(error, "param", None)
    message = str(getattr(error, "message", error)).rstrip(".")
    if kind == "NoSuchOption":
        sentence = i18n.text("cli.usage.no-option", option=getattr(error, "option_name", ""))
        near = getattr(error, "possibilities", None)
        if near:
            sentence += " " + i18n.text("cli.usage.perhaps", near=", ".join(sorted(near)))
    elif kind == "MissingParameter" and parameter is not None:
        sentence = i18n.text("cli.usage.missing", name=_name_of(parameter))
    elif kind == "BadParameter" and parameter is not None:
        sentence = i18n.text("cli.usage.bad-value", name=_name_of(parameter), problem=_problem(message))
    elif kind == "BadOptionUsage":
        sentence = i18n.text("cli.usage.no-value", option=getattr(error, "option_name", ""))
    elif extra := re.search(r"unexpected extra argument(?:s|\(s\))? \((.*)\)", message):
        sentence = i18n.text("cli.usage.extra", arguments=extra[1])
    elif message == "Missing command":
        sentence = i18n.text("cli.usage.no-subcommand")
    elif unknown := re.match(r"No such command '(.*?)'(?:\. Did you mean (.*)\?)?", message):
        key = "cli.usage.no-command-near" if unknown[2] else "cli.usage.no-command"
        sentence = i18n.text(key, name=unknown[1], near=(unknown[2] or "").replace("'", ""))
    else:
        sentence = message
    if context is not None:
        sentence += " " + i18n.text("cli.usage.see", command=f"{context.command_path} --help")
    return sentence


_PROBLEMS = (
    (r"valid integer", "integer"),
    (r"valid number", "number"),
    (r"(?:greater than or equal to|at least|x>=) ?(?P<limit>[-\d.]+)", "at-least"),
    (r"(?:less than or equal to|at most|x<=) ?(?P<limit>[-\d.]+)", "at-most"),
    (r"(?:is not one of|Input should be) (?P<choices>'.*')", "choice"),
)


def _problem(message: str) -> str:
    """Return what is wrong with a value, in our own words where possible."""
    for pattern, key in _PROBLEMS:
        if found := re.search(pattern, message):
            values: dict[str, str] = found.groupdict()
            return i18n.text(f"cli.usage.{key}", **values)
    return message


def _name_of(parameter: object) -> str:
    """Return an option's long name, or an argument's name in the help."""
    options = [str(name) for name in getattr(parameter, "opts", ()) if name.startswith("-")]
    if options:
        return max(options, key=len)
    return str(getattr(parameter, "metavar", None) or getattr(parameter, "name", "")).upper()
