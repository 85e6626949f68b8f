"""Lazily imported command tree.

`awale --help` must be fast, so it takes the commands' names and descriptions from here and from the catalogue; a module
is imported when one of its commands is called.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

import awale
from awale import i18n
from awale.cli import help_examples, localisation
from awale.errors import AwaleError


class CommandModule(NamedTuple):
    """A file of this directory and the commands that its `register(app)` adds."""

    module: str
    commands: tuple[str, ...]


MODULES = (
    CommandModule("play", ("play",)),
    CommandModule("show", ("show",)),
    CommandModule("programs", ("opponents",)),
    CommandModule("rules", ("rules",)),
    CommandModule("serve", ("serve",)),
    CommandModule("convert", ("convert",)),
    CommandModule("analyse", ("analyse",)),
    CommandModule("annotate", ("annotate", "suite")),
    CommandModule("solve", ("solve",)),
    CommandModule("tree", ("tree",)),
    CommandModule("tables", ("tables",)),
    CommandModule("dataset", ("dataset",)),
    CommandModule("loops", ("loops",)),
    CommandModule("arena", ("match", "tournament", "openings")),
    CommandModule("book", ("book",)),
    CommandModule("tune", ("tune",)),
    CommandModule("experiment", ("experiment",)),
    CommandModule("exam", ("exam",)),
    CommandModule("sql", ("sql",)),
    CommandModule("puzzles", ("puzzles",)),
    CommandModule("worksheet", ("worksheet",)),
    CommandModule("protocols", ("uci", "referee", "contest-player", "compliance")),
    CommandModule("explore", ("explore",)),
    CommandModule("store", ("players", "games", "stats", "backup", "restore")),
    CommandModule("reproduce", ("reproduce",)),
    CommandModule("kernels", ("perft", "playouts", "warmup")),
    CommandModule("doctor", ("doctor",)),
)
"""In the order of `awale --help`. A new module is a line here and a text `cli.command.<name>` for each command; missing
modules are left out."""


def modules() -> tuple[CommandModule, ...]:
    """Return the modules that exist."""
    return tuple(module for module in MODULES if importlib.util.find_spec(f"awale.cli.{module.module}"))


class LocalCommand(TyperCommand):
    """A command whose help is in the user's language, headings included."""

    def get_help(self, ctx: Any) -> str:
        return localisation.translate_help(super().get_help(ctx)) + "\n" + _manual(ctx)


class LocalGroup(TyperGroup):
    """A group whose help is in the user's language."""

    def get_help(self, ctx: Any) -> str:
        # The top-level commands are in modules that are not imported here.
        children = () if ctx.parent is None else self.list_commands(ctx)
        return localisation.translate_help(super().get_help(ctx)) + "\n" + _manual(ctx, children)


def _manual(ctx: Any, children: Iterable[str] = ()) -> str:
    """Return the examples and exit codes of a command."""
    path: list[str] = []
    width = ctx.make_formatter().width
    while ctx.parent is not None:
        path.insert(0, ctx.info_name)
        ctx = ctx.parent
    return help_examples.page(path, children, width)


class LazyGroup(LocalGroup):
    """The top-level group: imports the module of a command on demand."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [name for module in modules() for name in module.commands]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self.commands:
            for module in modules():
                if cmd_name in module.commands:
                    self.commands.update(commands_of(module))
        return self.commands.get(cmd_name)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        rows = [(name, i18n.text(f"cli.command.{name}")) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            near = get_close_matches(args[0], self.list_commands(ctx))
            key = "cli.usage.no-command-near" if near else "cli.usage.no-command"
            see = i18n.text("cli.usage.see", command="awale --help")
            raise AwaleError(f"{i18n.text(key, name=args[0][:60], near=', '.join(near))} {see}")
        return super().resolve_command(ctx, args)


def commands_of(module: CommandModule) -> dict[str, Any]:
    """Import a module and return its commands."""
    holder = typer.Typer(rich_markup_mode=None, add_completion=False)
    # A callback makes Typer keep a group with a single command.
    holder.callback()(_nothing)
    importlib.import_module(f"awale.cli.{module.module}").register(holder)
    _localize(holder)
    group = typer.main.get_command(holder)
    assert isinstance(group, TyperGroup)
    _translate_metavars(group)
    return dict(group.commands)


def _translate_metavars(command: Any) -> None:
    """Show the names of values in the user's language: NOM for NAME, where the catalogue has a translation."""
    known = i18n.section("cli")
    for parameter in command.params:
        key = f"metavar.{(parameter.metavar or '').lower()}"
        if key in known and known[key]["en"] == parameter.metavar:
            parameter.metavar = i18n.text(f"cli.{key}")
    for child in getattr(command, "commands", {}).values():
        _translate_metavars(child)


def _localize(app: typer.Typer) -> None:
    for command in app.registered_commands:
        if command.cls in (None, TyperCommand):
            command.cls = LocalCommand
        _normalise_help(command)
    for group in app.registered_groups:
        group.cls = LocalGroup
        if group.typer_instance is not None:
            _normalise_help(group.typer_instance.info)
            _localize(group.typer_instance)


def _normalise_help(info: Any) -> None:
    """Normalise help texts: sentences on a command's page, phrases in a list."""
    said = info.help
    if isinstance(said, str) and said:
        info.help = said[0].upper() + said[1:] + ("" if said.endswith((".", "!", "?")) else ".")
        phrase = said if said.endswith("...") else said.partition(". ")[0].removesuffix(".")
        # Acronyms (OGN, UCI) keep their capitals.
        info.short_help = phrase if phrase[:2].isupper() else phrase[0].lower() + phrase[1:]


def _nothing() -> None:
    pass


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(awale.__version__)
        raise typer.Exit


def build() -> typer.Typer:
    """Return the application, in the current language."""
    app = typer.Typer(
        cls=LazyGroup,
        name="awale",
        help=i18n.text("cli.help"),
        epilog=i18n.text("cli.epilog"),
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["--help", "-h"]},
    )

    @app.callback()
    def top(
        lang: str | None = typer.Option(
            None,
            "--lang",
            metavar="en|fr",
            help=i18n.text("cli.option.lang"),
            autocompletion=lambda: list(i18n.LANGUAGES),
        ),
        version: bool = typer.Option(
            False, "--version", is_eager=True, callback=_show_version, help=i18n.text("cli.option.version")
        ),
    ) -> None:
        # `main` removes --lang before the commands are made; it is declared here for help and completion, and used when
        # the application is called in another way.
        if lang is not None:
            i18n.set_language(localisation.checked_language(lang))

    return app
