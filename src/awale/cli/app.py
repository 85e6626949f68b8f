"""The tree of commands, grown only where somebody sits.

`awale --help` must answer at once, so it reads the commands' names and one line about each from here and from the
catalogue; a module's file is imported when one of its commands is asked for.
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
    """A file of this folder and the commands that its `register(app)` adds."""

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
    CommandModule("solve", ("solve",)),
    CommandModule("tree", ("tree",)),
    CommandModule("tables", ("tables",)),
    CommandModule("loops", ("loops",)),
    CommandModule("arena", ("match", "tournament", "openings")),
    CommandModule("tune", ("tune",)),
    CommandModule("experiment", ("experiment",)),
    CommandModule("protocols", ("uci", "referee", "contest-player", "compliance")),
    CommandModule("store", ("players", "games", "stats", "backup", "restore")),
    CommandModule("reproduce", ("reproduce",)),
    CommandModule("kernels", ("perft", "playouts", "warmup")),
    CommandModule("doctor", ("doctor",)),
)
"""In the order of `awale --help`. A new module is a line here and a text `cli.command.<name>` for each command; one
whose file is not there is left out."""


def modules() -> tuple[CommandModule, ...]:
    """Those that are there."""
    return tuple(module for module in MODULES if importlib.util.find_spec(f"awale.cli.{module.module}"))


class LocalCommand(TyperCommand):
    """A command whose help is in the user's language, headings included."""

    def get_help(self, ctx: Any) -> str:
        return localisation.translate_help(super().get_help(ctx)) + "\n" + _manual(ctx)


class LocalGroup(TyperGroup):
    """The same for a group."""

    def get_help(self, ctx: Any) -> str:
        # The commands of the top are in modules that stay closed here.
        children = () if ctx.parent is None else self.list_commands(ctx)
        return localisation.translate_help(super().get_help(ctx)) + "\n" + _manual(ctx, children)


def _manual(ctx: Any, children: Iterable[str] = ()) -> str:
    """The examples and exit codes of the command that a context stands for."""
    path: list[str] = []
    width = ctx.make_formatter().width
    while ctx.parent is not None:
        path.insert(0, ctx.info_name)
        ctx = ctx.parent
    return help_examples.page(path, children, width)


class Rooms(LocalGroup):
    """The top of the tree: finds a command in its module when it is asked for."""

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
    """Import a module and make its commands."""
    holder = typer.Typer(rich_markup_mode=None, add_completion=False)
    # With a callback it stays a group, even of a single command.
    holder.callback()(_nothing)
    importlib.import_module(f"awale.cli.{module.module}").register(holder)
    _localize(holder)
    group = typer.main.get_command(holder)
    assert isinstance(group, TyperGroup)
    return dict(group.commands)


def _localize(app: typer.Typer) -> None:
    for command in app.registered_commands:
        if command.cls in (None, TyperCommand):
            command.cls = LocalCommand
        _say_alike(command)
    for group in app.registered_groups:
        group.cls = LocalGroup
        if group.typer_instance is not None:
            _say_alike(group.typer_instance.info)
            _localize(group.typer_instance)


def _say_alike(info: Any) -> None:
    """Sentences at the top of a page, phrases in a list, however a module wrote its text."""
    said = info.help
    if isinstance(said, str) and said:
        info.help = said[0].upper() + said[1:] + ("" if said.endswith((".", "!", "?")) else ".")
        phrase = said if said.endswith("...") else said.partition(". ")[0].removesuffix(".")
        # A name (OGN, UCI) keeps its capitals.
        info.short_help = phrase if phrase[:2].isupper() else phrase[0].lower() + phrase[1:]


def _nothing() -> None:
    pass


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(awale.__version__)
        raise typer.Exit


def build() -> typer.Typer:
    """The application, in the language that is set now."""
    app = typer.Typer(
        cls=Rooms,
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
        # `main` takes --lang out before the commands are made; here it is declared for the help and for completion,
        # and heard when the application is called in another way.
        if lang is not None:
            i18n.set_language(localisation.checked_language(lang))

    return app
