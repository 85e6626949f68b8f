"""The application: what is started, what is mounted, how refusals are answered."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator
from importlib.resources import files
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from sqlalchemy import text
from starlette.staticfiles import StaticFiles

from awale import __version__
from awale.errors import AwaleError
from awale.store import Store, StoreError
from awale.web import api, pages, sockets, store_pages, tree_pages
from awale.web.batch_writer import BatchWriter
from awale.web.engine_pool import BusyError, Pool, ThinkingFailed
from awale.web.game_registry import GameRegistry
from awale.web.security import Buckets, Guard
from awale.web.settings import Settings

STATIC = Path(str(files("awale.web"))) / "static"


def create_app(settings: Settings | None = None) -> FastAPI:
    """The application for uvicorn; database and engine processes start with it."""
    settings = settings or Settings()

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        store = await asyncio.to_thread(Store, settings.database_url)
        writer = BatchWriter(store)
        pool = Pool(
            settings.workers, limit=settings.queue_limit, limit_each=settings.queue_limit_each, warm=settings.warm
        )
        await pool.start()
        registry = GameRegistry(store, writer, pool, idle_seconds=settings.idle_seconds)
        app.state.store, app.state.pool, app.state.registry = store, pool, registry
        sweeper = asyncio.create_task(_sweep(registry))
        try:
            yield
        finally:
            sweeper.cancel()
            registry.close()
            await pool.close()
            await asyncio.to_thread(writer.close)
            store.close()

    app = FastAPI(
        title="awale",
        version=__version__,
        description="Awalé under every rule system: rules, positions, games, analysis.",
        lifespan=lifespan,
        docs_url=None,  # FastAPI's page loads its scripts from elsewhere; ours is in pages.py
        redoc_url=None,
    )
    app.state.settings = settings
    app.state.sockets = Counter()
    app.state.new_games = Buckets(settings.new_games_a_minute / 60, settings.new_games_a_minute)
    app.add_middleware(Guard, settings=settings)
    app.include_router(api.router)
    app.include_router(sockets.router)
    app.include_router(pages.router)
    app.include_router(store_pages.router)
    app.include_router(tree_pages.router)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")

    @app.exception_handler(AwaleError)
    async def refuse(request: Request, error: AwaleError) -> JSONResponse:
        busy = isinstance(error, BusyError | ThinkingFailed | StoreError)
        return JSONResponse({"detail": str(error)}, status_code=503 if busy else 400)

    @app.get("/healthz", tags=["server"])
    async def alive() -> dict[str, str]:
        """The server answers."""
        return {"status": "ok", "version": __version__}

    @app.get("/readyz", tags=["server"], responses={503: {"description": "Not yet, or no longer."}})
    async def ready(request: Request) -> JSONResponse:
        """The database answers and an engine process is warm."""

        def ask() -> bool:
            try:
                with request.app.state.store.transaction() as session:
                    session.execute(text("SELECT 1"))
            except StoreError:
                return False
            return True

        stored, thinking = await asyncio.to_thread(ask), bool(request.app.state.pool.ready)
        return JSONResponse(
            {"database": stored, "engine": thinking, "games": len(request.app.state.registry.games)},
            status_code=200 if stored and thinking else 503,
        )

    return app


async def _sweep(registry: GameRegistry) -> None:
    while True:
        await asyncio.sleep(min(30.0, registry.idle_seconds))
        registry.sweep()
