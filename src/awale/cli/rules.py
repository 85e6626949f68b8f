"""`awale rules`: the available rule systems and their descriptions."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import typer

from awale import i18n
from awale.cli import common
from awale.i18n import labelled, text

if TYPE_CHECKING:
    from awale.rules import Rules


def register(app: typer.Typer) -> None:
    group = common.group(app, "rules")
    as_json = common.json_option()

    @group.command("list", help=text("cli.command.rules-list"))
    def list_rules(json: bool = as_json) -> None:
        from awale.rules import presets

        everything = list(presets.all_rules())
        if json:
            common.print_json([facts(rules) for rules in everything])
            return
        common.print_columns([(rules.name, _in_language(rules.title)) for rules in everything])

    @group.command("show", help=text("cli.command.rules-show"))
    def show(
        name: str = typer.Argument(
            ..., metavar="RULES", help=text("cli.option.rules"), autocompletion=common.complete_rules
        ),
        json: bool = as_json,
    ) -> None:
        from awale.rules import presets

        rules = presets.load(name)
        if json:
            common.print_json(facts(rules))
        else:
            typer.echo(page(rules))


def _in_language(texts: Any) -> str:
    return str(texts.get(i18n.language()) or texts.get("en") or next(iter(texts.values()), ""))


def facts(rules: Rules) -> dict[str, Any]:
    """Return everything about a rule system as data."""
    from awale.rules import moves, presets

    return {
        "name": rules.name,
        "aliases": sorted(alias for alias, name in presets.ALIASES.items() if name == rules.name),
        "version": rules.version,
        "source": rules.source,
        "title": dict(rules.title),
        "description": dict(rules.description),
        "options": rules.options(),
        "holes": rules.holes,
        "total": rules.total,
        "win_score": rules.win_score,
        "pit_names": [moves.write(rules, pit) for pit in range(rules.holes)],
    }


def page(rules: Rules) -> str:
    """Return everything about a rule system as text."""
    from awale.rules import presets

    known = facts(rules)
    title = labelled(rules.name, _in_language(rules.title)) if rules.title else rules.name
    blocks = [common.wrap(title)]
    if rules.description:
        blocks.append(common.wrap(_in_language(rules.description)))
    lines = [
        (text("options.page.board"), _board(rules)),
        (text("options.page.moves"), _moves(rules)),
    ]
    if known["aliases"]:
        lines.append((text("options.page.aliases"), ", ".join(known["aliases"])))
    lines.append((text("options.page.source"), presets.source_text(rules) or "-"))
    lines.append((text("options.page.version"), str(rules.version)))
    width = max(len(name) for name, _ in lines)
    blocks.append("\n".join(_hanging(name.ljust(width), value) for name, value in lines))
    blocks.append(text("options.page.options", name=rules.name.partition(":")[0]) + "\n" + "\n".join(_options(rules)))
    return "\n\n".join(blocks)


def _hanging(name: str, value: str) -> str:
    """Return a name and its description as a hanging paragraph."""
    folded = common.wrap(value, 80, " " * (len(name) + 2))
    return name + folded[len(name) :]


def _board(rules: Rules) -> str:
    key = "options.page.board-coloured" if rules.coloured else "options.page.board-rows"
    return text(key, pits=rules.pits, holes=rules.holes, seeds=rules.seeds, total=rules.total)


def _moves(rules: Rules) -> str:
    from awale.rules import moves

    south, north = moves.pit_names(rules, 0), moves.pit_names(rules, 1)
    hand = text(f"options.hand.{rules.direction}")
    return text(f"options.notation.{rules.notation}", south=south, north=north, hand=hand)


def _options(rules: Rules) -> list[str]:
    """Return every relevant option of these rules: its name and value as in a file of village rules, and the meaning of
    the value."""
    lines: list[str] = []
    for field in dataclasses.fields(rules):
        name, value = field.name, getattr(rules, field.name)
        if name in rules.options() and name not in ("notation", "pits", "seeds") and _matters(rules, name):
            lines.append(_hanging(f"  {name} = {_written(value)}".ljust(32), _meaning(rules, name, value)))
    return lines


def _matters(rules: Rules, name: str) -> bool:
    relay, coloured = rules.sowing == "relay", rules.coloured
    silent = {
        "capture_counts": rules.capture == "opposite",
        "grand_slam": relay or coloured,
        "feeding": relay or coloured,
        "endless": not relay or rules.relay_from == "own-side",
        "relay_from": not relay,
        "win_rest": rules.win_at is None,
        "few_rest": rules.few_seeds is None,
        "move_limit_rest": rules.move_limit is None,
        "endings": sum(x is not None for x in (rules.win_at, rules.few_seeds, rules.move_limit)) < 2,
    }
    return not silent.get(name, False)


def _written(value: object) -> str:
    if isinstance(value, tuple):
        return "+".join(str(item) for item in value)
    return "none" if value is None else str(value)


def _meaning(rules: Rules, name: str, value: object) -> str:
    if name.endswith("_rest") or name == "no_move":
        return text(f"options.{name}", rest=text(f"options.rest.{value}"))
    if name == "endings":
        order = {"win": rules.win_at, "moves": rules.move_limit, "few": rules.few_seeds}
        shown = [text(f"options.ending.{item}") for item in rules.endings if order[item] is not None]
        return text("options.endings", order=", ".join(shown))
    if name in ("win_at", "few_seeds", "move_limit"):
        number = {"win_at": rules.win_score, "few_seeds": rules.few_seeds, "move_limit": rules.move_limit}[name]
        key = "none" if number is None else "number"
        return text(f"options.{name}.{key}", number=number)
    if name == "capture_counts":
        *first, last = map(str, rules.capture_counts)
        counts = text("options.or", first=", ".join(first), last=last) if first else last
        return text("options.capture_counts", counts=counts)
    return text(f"options.{name}.{value}")
