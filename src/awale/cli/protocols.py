"""`awale uci`, `referee`, `contest-player`, `compliance`: protocols for other programs."""

from __future__ import annotations

from pathlib import Path

import typer

from awale.cli import common
from awale.errors import AwaleError
from awale.i18n import text


def register(app: typer.Typer) -> None:
    option, uci_option = common.options("protocols.option"), common.options("protocols.uci.option")
    rules_by_name = common.rules_option()
    as_json = common.json_option()
    in_time = option(2.0, "--timeout", metavar="S", min=0.01)

    @app.command("uci", help=text("cli.command.uci"))
    def uci(
        rules: str = rules_by_name,
        hash_mb: int = uci_option(32, "--hash", metavar="MB", min=1, max=4096),
        threads: int = uci_option(1, "--threads", "-t", metavar="N", min=1, max=256),
    ) -> None:
        from awale.protocols import uci_server

        uci_server.run(rules, hash_mb, threads)

    @app.command("referee", help=text("cli.command.referee"))
    def referee(
        first: str = typer.Argument(metavar='"CMD A"', help=text("protocols.option.first")),
        second: str = typer.Argument(metavar='"CMD B"', help=text("protocols.option.second")),
        timeout: float = in_time,
        ogn: str | None = option(None, "--ogn", metavar="FILE"),
        verbose: bool = option(False, "--verbose", "-v"),
        json: bool = as_json,
    ) -> None:
        from awale.arena.results import reason_text
        from awale.notation import write_ogn
        from awale.protocols import referee
        from awale.protocols.external_process import split_command

        for command in (first, second):
            split_command(command)

        def hear(player: int, way: str, line: str) -> None:
            typer.echo(f"J{player + 1} {way} {line[:200]}", err=True)

        result = referee.referee(first, second, timeout=timeout, hear=hear if verbose else None)
        if ogn:
            write_ogn([result.record()], Path(ogn))
        if json:
            common.print_json(result.as_data())
            return
        game = result.game
        scores = f"{game.scores[0]}-{game.scores[1]}"
        reason = reason_text(result.reason)
        if result.disqualified is not None:
            name = game.player_name(result.disqualified)
            typer.echo(text("protocols.referee.out", player=name, sentence=result.sentence), err=True)
        for note in result.notes:
            typer.echo(note, err=True)
        if result.winner is None:
            typer.echo(text("protocols.referee.drawn", scores=scores, reason=reason))
        else:
            name = game.player_name(result.winner)
            typer.echo(text("protocols.referee.won", player=name, scores=scores, reason=reason))

    @app.command("contest-player", help=text("cli.command.contest-player"))
    def contest_player(
        player: str = option("", "--player", metavar="WHO"),
        timeout: float = in_time,
    ) -> None:
        from awale.protocols import contest

        raise typer.Exit(contest.run(player, timeout))

    @app.command("compliance", help=text("cli.command.compliance"))
    def compliance(
        uci_command: str | None = option(None, "--uci", metavar="CMD"),
        contest: str | None = option(None, "--contest", metavar="CMD"),
        rules: str = rules_by_name,
        timeout: float | None = option(None, "--timeout", key="answer-timeout", metavar="S", min=0.01),
        seed: int = option(1, "--seed", metavar="N"),
        json: bool = as_json,
    ) -> None:
        from awale.protocols import compliance
        from awale.protocols.external_process import split_command
        from awale.rules import load

        if (uci_command is None) == (contest is None):
            raise AwaleError(text("protocols.compliance.one"))
        split_command(uci_command or contest or "")
        if uci_command is not None:
            findings = compliance.check_uci(uci_command, load(rules), timeout=timeout, seed=seed)
        else:
            findings = compliance.check_contest(contest or "", timeout=timeout or 2.0, seed=seed)
        failed = sum(not finding.good for finding in findings)
        if json:
            common.print_json(
                {
                    "command": uci_command or contest,
                    "passed": not failed,
                    "checks": [
                        {"check": f.check, "what": f.sentence(), "good": f.good, "detail": f.detail} for f in findings
                    ],
                }
            )
        else:
            for finding in findings:
                mark = text(f"protocols.compliance.{'good' if finding.good else 'bad'}")
                typer.echo(f"{mark:>6}  {finding.sentence()}" + (f": {finding.detail}" if finding.detail else ""))
            key = "failed" if failed else "passed"
            typer.echo(text(f"protocols.compliance.{key}", failed=failed, count=len(findings)), err=True)
        if failed:
            raise typer.Exit(1)
