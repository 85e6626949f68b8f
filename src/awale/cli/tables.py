"""`awale tables`: build endgame tables, list them, check them, remove them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from awale.cli import common
from awale.cli.progress import ProgressLine, if_interrupted
from awale.i18n import decimal, number, percent, text

if TYPE_CHECKING:
    from awale.game import Game
    from awale.rules import Rules
    from awale.tables import Tables
    from awale.tables.build import Made, Plan, Status

FAILED = 1


def register(app: typer.Typer) -> None:
    group = common.group(app, "tables", "tables.help.group")
    option = common.options("tables.option")
    rules_by_name = common.rules_option()
    as_json = common.json_option()
    folder = option(None, "--dir", metavar="FOLDER")

    @group.command("build", help=text("tables.help.build"))
    def build(
        rules: str = rules_by_name,
        seeds: int = option(..., "--seeds", "-s", metavar="N", min=0),
        threads: int = option(None, "--threads", "-t", metavar="N", min=1),
        device: str = option("cpu", "--device", metavar="cpu|cuda"),
        dir: Path = folder,
        json: bool = as_json,
    ) -> None:
        _report(build_shown(_rules(rules), seeds, dir, threads, device), json)

    @group.command("list", help=text("tables.help.list"))
    def list_tables(dir: Path = folder, json: bool = as_json) -> None:
        _list(dir, json)

    @group.command("info", help=text("tables.help.info"))
    def info(rules: str = rules_by_name, dir: Path = folder, json: bool = as_json) -> None:
        _info(_rules(rules), dir, json)

    @group.command("probe", help=text("tables.help.probe"))
    def probe(
        position: str = common.position_argument("tables.option.position"),
        by_name: str | None = common.position_option(),
        rules: str = rules_by_name,
        dir: Path = folder,
        json: bool = as_json,
    ) -> None:
        _probe(common.game(rules, position, by_name), dir, json)

    @group.command("verify", help=text("tables.help.verify"))
    def verify(
        rules: str = rules_by_name,
        seeds: int = option(None, "--seeds", "-s", key="up-to", metavar="N", min=0),
        sample: int = option(1000, "--sample", metavar="N", min=0),
        threads: int = option(None, "--threads", "-t", metavar="N", min=1),
        dir: Path = folder,
        json: bool = as_json,
    ) -> None:
        _verify(rules, seeds, sample, threads, dir, json)

    @group.command("remove", help=text("tables.help.remove"))
    def remove(
        rules: str = rules_by_name,
        above: int = option(None, "--above", metavar="N", min=0),
        dir: Path = folder,
    ) -> None:
        _remove(_rules(rules), above, dir)


def _rules(name: str) -> Rules:
    from awale.rules import presets

    return presets.load(name)


def _probe(game: Game, dir: Path | None, json: bool) -> None:
    from awale.bounds import signed
    from awale.errors import AwaleError
    from awale.tables import Value, open

    rules = game.rules
    tables = open(rules, dir)
    for sentence in tables.refused:
        _say(sentence)
    value = tables.probe(game)
    if value is None:
        seeds = sum(game.counts)
        raise AwaleError(text("tables.probe.too-many", seeds=seeds, most=tables.seeds, rules=rules.name))
    moves = tables.probe_moves(game)
    if json:
        facts = {str(move): None if found is None else found._asdict() for move, found in moves.items()}
        common.print_json({"rules": rules.name, "position": game.position, "value": value._asdict(), "moves": facts})
        return

    def shown(found: Value | None) -> str:
        if found is None:
            return "?"
        how = text("tables.probe.between", least=signed(found.least), most=signed(found.most))
        return f"{signed(found.seeds)} ({text('tables.probe.exact') if found.exact else how})"

    typer.echo(text("tables.probe.value", player=game.player_name(game.turn), value=shown(value)))
    for move, found in moves.items():
        typer.echo(f"{move!s:>5}  {shown(found)}")


def _say(sentence: str) -> None:
    typer.echo(sentence, err=True)


# -- building ------------------------------------------------------------------------------------------------------


def build_shown(rules: Rules, seeds: int, dir: Path | None, threads: int | None = None, device: str = "cpu") -> Made:
    """Build tables, with what that needs and its progress on standard error."""
    from awale.tables import build, plan
    from awale.tables.resources import format_size

    wanted = plan(rules, seeds, dir=dir, device=device)
    if wanted.missing:
        _say(
            text(
                "tables.build.needs",
                layers=len(wanted.missing),
                positions=number(wanted.positions),
                memory=format_size(wanted.memory),
                disk=format_size(wanted.disk),
                path=wanted.folder,
            )
        )
        if wanted.card:
            _say(text("tables.build.card", card=format_size(wanted.card)))
    display = _Display(wanted)
    with if_interrupted("tables.build.interrupted"), display:
        return build(rules, seeds, dir=dir, threads=threads, device=device, progress=display.show, warn=display.warn)


def build_command(rules: str, seeds: int, dir: Path | None, device: str = "cpu") -> str:
    """Return the command line that builds tables."""
    import shlex

    options = {"--rules": rules, "--seeds": seeds, "--dir": dir, "--device": None if device == "cpu" else device}
    given = (str(word) for option in options.items() if option[1] is not None for word in option)
    return shlex.join(["awale", "tables", "build", *given])


class _Display:
    """A bar on standard error in a terminal; otherwise a line for each finished layer."""

    def __init__(self, wanted: Plan) -> None:
        self.left = ""
        self.bar: Any = None
        if sys.stderr.isatty() and wanted.missing:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn

            columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[facts]}"))
            self.bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self.task = self.bar.add_task("", total=1.0, facts="")

    def __enter__(self) -> _Display:
        if self.bar is not None:
            self.bar.start()
        return self

    def __exit__(self, *failure: object) -> None:
        if self.bar is not None:
            self.bar.stop()

    def warn(self, sentence: str) -> None:
        if self.bar is not None:
            self.bar.console.print(sentence, markup=False, highlight=False)
        else:
            _say(sentence)

    def show(self, status: Status) -> None:
        rate, done = number(round(status.rate / 1e6)), f"{100 * status.done:.0f}"
        left = 0.0 if status.done >= 1 else status.seconds_left
        if left is not None:
            self.left = "" if left < 1 else text("tables.build.left", left=_duration(left))
        facts = {"percent": done, "left": self.left}
        if self.bar is not None:
            shown = text("tables.build.facts", rate=rate, **facts) if status.step == "solve" else ""
            step = text(f"tables.step.{status.step}", seeds=status.layer)
            self.bar.update(self.task, description=step, completed=status.done, facts=shown)
        elif status.step == "write":
            _say(text("tables.build.layer", seeds=status.layer, sweeps=status.sweeps, **facts))


def _duration(seconds: float) -> str:
    hours, rest = divmod(round(seconds), 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


def _report(made: Made, json: bool) -> None:
    if json:
        layers = [
            {"seeds": seeds, "seconds": round(seconds, 3), "sweeps": sweeps, "looked_at": visited}
            for seeds, (seconds, sweeps, visited) in made.layers.items()
        ]
        facts = {"rules": made.plan.rules.name, "seeds": made.plan.seeds, "folder": str(made.plan.folder)}
        common.print_json(facts | {"seconds": round(made.seconds, 3), "layers": layers})
    elif made.layers:
        _say(text("tables.build.done", layers=len(made.layers), seconds=decimal(made.seconds), path=made.plan.folder))
    else:
        _say(text("tables.build.nothing", seeds=made.plan.seeds, path=made.plan.folder))


def _list(dir: Path | None, json: bool) -> None:
    from awale.tables.folders import all_folders, tables_root

    root = tables_root(dir)
    found = [_folder_facts(folder) for folder in all_folders(root)]
    if json:
        common.print_json(found)
    elif not found:
        _say(text("tables.list.none", path=root))
    else:
        from awale.tables.resources import format_size

        width = max(len(facts["rules"]) for facts in found)
        for facts in found:
            size = format_size(facts["bytes"])
            typer.echo(f"{facts['rules']:{width}}  {facts['seeds']:>2}  {size:>9}  {facts['folder']}")
            for sentence in facts["refused"]:
                _say(sentence)


def _folder_facts(folder: Path) -> dict[str, Any]:
    """Return what a directory holds, from the headers alone."""
    from awale.tables import DamagedTableError, layer_file

    names: list[str] = []
    refused: list[str] = []
    size = 0
    top = -1
    for seeds, path in layer_file.layers_in(folder):
        size += path.stat().st_size
        try:
            header = layer_file.read_header(path)
        except DamagedTableError as error:
            refused.append(str(error))
            continue
        names.append(header.rules)
        top = seeds if seeds == top + 1 else top
    name = names[0] if names else folder.name
    return {"rules": name, "seeds": top, "bytes": size, "folder": str(folder), "refused": refused}


def _info(rules: Rules, dir: Path | None, json: bool) -> None:
    from awale import tables
    from awale.tables.resources import format_size

    opened = tables.open(rules, dir)
    for sentence in opened.refused:
        _say(sentence)
    layers = [_layer_facts(opened, seeds) for seeds in range(opened.seeds + 1)]
    if json:
        facts = {"rules": opened.rules.name, "seeds": opened.seeds, "folder": str(opened.folder)}
        common.print_json(facts | {"cycles": opened.cycles, "layers": layers})
        return
    total = sum(opened.header(seeds).file_size for seeds in range(opened.seeds + 1))
    typer.echo(
        text("tables.info.head", rules=rules.name, seeds=opened.seeds, size=format_size(total), path=opened.folder)
    )
    typer.echo(text(f"tables.info.{opened.cycles}"))
    typer.echo(text("tables.info.columns"))
    for layer in layers:
        size = layer["positions"]
        shares = (layer[name] for name in ("exact", "won", "even", "lost"))
        columns = "  ".join(f"{percent(share / size, 2):>8}" for share in shares)
        typer.echo(f"{layer['seeds']:>3}  {number(size):>14}  {columns}")


def _layer_facts(opened: Tables, seeds: int) -> dict[str, Any]:
    from awale.tables.index import layer_size
    from awale.tables.verify import histogram

    counts = {value: n for value, n in histogram(opened, seeds).items() if value is not None}
    return {
        "seeds": seeds,
        "positions": layer_size(opened.rules.pits, seeds),
        "exact": sum(counts.values()),
        "won": sum(n for value, n in counts.items() if value > 0),
        "even": counts.get(0, 0),
        "lost": sum(n for value, n in counts.items() if value < 0),
        "values": counts,
    }


def _verify(name: str, seeds: int | None, sample: int, threads: int | None, dir: Path | None, json: bool) -> None:
    from awale.tables.verify import verify

    rules = _rules(name)
    with ProgressLine(10.0) as line:

        def show(done: float) -> None:
            line.tell("tables.verify.progress", percent=f"{100 * done:.0f}")

        verdict = verify(rules, seeds, dir=dir, sample=sample, threads=threads, progress=show)
    counts = {"layers": verdict.layers, "histograms": verdict.histograms, "sample": verdict.sample}
    if json:
        common.print_json({"rules": rules.name, **counts, "problems": verdict.problems})
    else:
        typer.echo(text("tables.verify.layers", right=verdict.layers, layers=verdict.files))
        if verdict.published:
            typer.echo(text("tables.verify.histograms", right=verdict.histograms, layers=verdict.published))
        if verdict.sample:
            typer.echo(text("tables.verify.sample", positions=number(verdict.sample), seeds=verdict.tables.seeds))
        for sentence in verdict.problems:
            _say(sentence)
        if verdict.rebuild is not None:
            _say(text("tables.verify.repair", command=build_command(name, verdict.rebuild, dir)))
    if verdict.problems:
        raise typer.Exit(FAILED)


def _remove(rules: Rules, above: int | None, dir: Path | None) -> None:
    from awale.tables.folders import building, folder_for, tables_root
    from awale.tables.layer_file import remove_layers

    folder = folder_for(rules, tables_root(dir))
    if not folder.is_dir():
        _say(text("tables.list.none", path=folder))
        return
    with building(folder):
        removed = remove_layers(folder, -1 if above is None else above)
    _say(text("tables.remove.done", layers=removed, path=folder))
