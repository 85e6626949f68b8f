"""The application: startup and shutdown, routes, error responses."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Awaitable

from fastapi import FastAPI, Request, Response
from fastapi.exception_handlers import http_exception_handler, request_validation_exception_handler
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles

from awale import __version__
from awale.errors import AwaleError
from awale.store import Store, StoreError, leases
from awale.store.leases import LeaseError
from awale.web import (
    api,
    metrics,
    pages,
    schema,
    sockets,
    static_files,
    store_pages,
    studies,
    training_pages,
    tree_pages,
)
from awale.web.batch_writer import BatchWriter
from awale.web.connections import within
from awale.web.engine_pool import BusyError, JobFailed, Pool, WorkerLost
from awale.web.game_registry import GameRegistry
from awale.web.language import WebError, language
from awale.web.request_pool import RequestPool
from awale.web.security import Buckets, Guard, address
from awale.web.settings import Settings

READY_SECONDS = 5.0
PRIVATE = ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "::1", "fc00::/7", "testclient")
UNAVAILABLE = (BusyError, WorkerLost, JobFailed, StoreError, LeaseError)


def create_app(settings: Settings | None = None) -> FastAPI:
    """Return the application for uvicorn; database and engine processes start with it."""
    settings = settings or Settings()

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        store = await asyncio.to_thread(Store, settings.database_url)
        writer = BatchWriter(store)
        pool = Pool(
            settings.workers, limit=settings.queue_limit, limit_each=settings.queue_limit_each, warm=settings.warm
        )
        await pool.start()
        threads = {"requests": RequestPool(), "slow_requests": RequestPool(2), "game_threads": RequestPool()}
        registry = GameRegistry(
            store,
            writer,
            pool,
            threads=threads["game_threads"],
            idle_seconds=settings.idle_seconds,
            most_games=settings.live_games,
            most_plies=settings.live_plies,
            server=settings.lease_name,
        )
        await registry.extend_leases()
        app.state.store, app.state.pool, app.state.registry = store, pool, registry
        app.state.requests, app.state.slow_requests = threads["requests"], threads["slow_requests"]
        chores = [asyncio.create_task(_sweep(registry)), asyncio.create_task(_extend_leases(registry))]
        try:
            yield
        finally:
            for chore in chores:
                chore.cancel()
            await registry.close()
            for one in threads.values():
                one.close()
            await pool.close()
            await asyncio.to_thread(writer.close)
            store.close()

    app = FastAPI(
        title="awale",
        version=__version__,
        description="Awalé under every rule system: rules, positions, games, analysis.",
        lifespan=lifespan,
        docs_url=None,  # FastAPI's page loads scripts from another host; ours is in pages.py
        redoc_url=None,
        generate_unique_id_function=lambda route: route.name,  # also the key of its description in texts/api.toml
    )
    app.state.settings = settings
    app.state.sockets = Counter()
    app.state.answers = Counter()
    app.state.handshakes = Buckets(settings.handshakes_a_second, settings.sockets_each)
    app.state.new_games = Buckets(settings.new_games_a_minute / 60, settings.new_games_a_minute)
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=6)
    app.add_middleware(Guard, settings=settings, answers=app.state.answers)
    app.include_router(api.router)
    app.include_router(studies.api)
    app.include_router(studies.router)
    app.include_router(sockets.router)
    app.include_router(pages.router)
    app.include_router(store_pages.router)
    app.include_router(training_pages.router)
    app.include_router(tree_pages.router)
    app.mount(static_files.root(), static_files.VersionedFiles(directory=static_files.STATIC), name="versioned")
    app.mount("/static", StaticFiles(directory=static_files.STATIC), name="static")

    @app.exception_handler(RequestValidationError)
    async def unreadable(request: Request, error: RequestValidationError) -> Response:
        if pages.for_people(request):
            return pages.missing(request)
        return await request_validation_exception_handler(request, error)

    @app.exception_handler(HTTPException)
    async def failed(request: Request, error: HTTPException) -> Response:
        if error.status_code == 404 and pages.for_people(request):
            return pages.missing(request)
        return await http_exception_handler(request, error)

    @app.exception_handler(AwaleError)
    async def refuse(request: Request, error: AwaleError) -> JSONResponse:
        status = error.status if isinstance(error, WebError) else 503 if isinstance(error, UNAVAILABLE) else 400
        return JSONResponse({"detail": error.sentence(language(request))}, status_code=status)

    @app.get("/healthz", tags=["server"])
    async def alive() -> schema.Health:
        """The server is running."""
        return schema.Health(version=__version__)

    @app.get("/readyz", tags=["server"], responses={503: {"description": "Not ready."}})
    async def ready(request: Request, response: Response) -> schema.Readiness:
        """The database stores, the threads of requests are not stuck, and an engine process is warm."""
        state = request.app.state
        readiness = schema.Readiness(
            database=await _done(state.registry.extend_leases()),
            threads=await _done(state.requests.run("readyz", lambda: None)),
            engine=state.pool.ready,
            games=len(state.registry.games),
        )
        response.status_code = 200 if readiness.database and readiness.threads and readiness.engine else 503
        return readiness

    @app.get("/metrics", tags=["server"], response_class=PlainTextResponse)
    async def show_metrics(request: Request) -> PlainTextResponse:
        """Numbers for Prometheus, shown to private addresses only."""
        if not within(address(request.scope), PRIVATE):
            return PlainTextResponse("", status_code=404)
        return PlainTextResponse(metrics.write(request.app.state), media_type=metrics.KIND)

    return app


async def _done(work: Awaitable[None]) -> bool:
    """Return whether work succeeds within a few seconds."""
    try:
        async with asyncio.timeout(READY_SECONDS):
            await work
    except (AwaleError, TimeoutError):
        return False
    return True


async def _extend_leases(registry: GameRegistry) -> None:
    while True:
        await asyncio.sleep(leases.SECONDS / 4)
        with contextlib.suppress(AwaleError):  # the log has it
            await registry.extend_leases()


async def _sweep(registry: GameRegistry) -> None:
    while True:
        await asyncio.sleep(min(30.0, registry.idle_seconds))
        registry.sweep()
