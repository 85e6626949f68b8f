"""`awale serve`: the board in the browser."""

from __future__ import annotations

import typer

from awale.i18n import text


def register(app: typer.Typer) -> None:
    @app.command(help=text("web.cli.help"))
    def serve(
        host: str = typer.Option("127.0.0.1", metavar="ADDRESS", help=text("web.cli.host")),
        port: int | None = typer.Option(
            None, metavar="N", min=0, max=65535, help=text("web.cli.port"), show_default=False
        ),
        open_page: bool = typer.Option(False, "--open", help=text("web.cli.open")),
        database: str = typer.Option("", metavar="URL", help=text("web.cli.database"), show_default=False),
        workers: int = typer.Option(0, metavar="N", min=0, max=64, help=text("web.cli.workers"), show_default=False),
        allow_host: list[str] = typer.Option([], metavar="NAME", help=text("web.cli.allow-host")),
        allow_origin: list[str] = typer.Option([], metavar="URL", help=text("web.cli.allow-origin")),
        trust_proxy: list[str] = typer.Option([], metavar="ADDRESS", help=text("web.cli.trust-proxy")),
        secure: bool = typer.Option(False, "--secure", help=text("web.cli.secure")),
        warm: bool = typer.Option(True, help=text("web.cli.warm")),
        log: bool = typer.Option(False, "--log", help=text("web.cli.log")),
    ) -> None:
        import dataclasses
        import sys

        try:
            from awale.web.launch import run
            from awale.web.settings import Settings
        except ModuleNotFoundError as error:
            print(text("web.cli.missing", module=error.name), file=sys.stderr)
            raise typer.Exit(2) from None
        settings = Settings(
            host=host,
            port=8000 if port is None else port,
            port_named=bool(port),
            database_url=database or None,
            allowed_hosts=tuple(allow_host),
            allowed_origins=tuple(allow_origin),
            secure_cookies=secure,
            trusted_proxies=tuple(trust_proxy),
            warm=warm,
        )
        if workers:
            settings = dataclasses.replace(settings, workers=workers)
        raise typer.Exit(run(settings, open_page=open_page, log=log))
