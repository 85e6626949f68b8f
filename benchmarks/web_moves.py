"""The server's processor time for a move between two people at one page, in this process, with a SQLite store."""

from __future__ import annotations

import asyncio
import gc
import json
import random
import tempfile
import time

from awale import Game
from benchmarks.measure import Row

GAMES = {"abapa": 20, "casabianca": 300}
"""Rules, and the moves of a game: the cost of a move must not grow with the game."""
TURNS = 5


def quiet_moves(rules: str, plies: int) -> list[str]:
    """Return the moves of a game that captures as little as possible, so that it is long enough."""
    for seed in range(1000):
        chance, game = random.Random(seed), Game(rules)
        while not game.over and len(game.moves) < plies:
            traces = [game.trace(move) for move in game.legal_moves]
            least = min(trace.taken + 100 * (trace.outcome is not None) for trace in traces)
            game.push(chance.choice([t.move for t in traces if t.taken + 100 * (t.outcome is not None) == least]))
        if len(game.moves) >= plies:
            return [str(move) for move in game.moves]
    raise AssertionError(rules)


async def played(rules: str, moves: list[str]) -> float:
    """Return the processor seconds of a move: its message read, played, stored and sent."""
    from awale.match import Match, Seat, TimeControl
    from awale.web import schema
    from awale.web.app import create_app
    from awale.web.live_game import Connection
    from awale.web.settings import Settings

    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(database_url=f"sqlite:///{folder}/web.sqlite", workers=1, warm=False))
        async with app.router.lifespan_context(app):
            match = Match(Game(rules), (Seat("South"), Seat("North")), clock=TimeControl(3600, 3), shared=True)
            live = await app.state.registry.create(match, ({"secret"}, {"secret"}))
            connection = Connection(live.seats_of("secret"))
            live.enter(connection)
            gc.collect()
            before = time.process_time()
            for ply, move in enumerate(moves):
                text = json.dumps({"type": "move", "ply": ply, "move": move})
                await live.act(connection, schema.game_messages.validate_python(json.loads(text), strict=True))
                while not connection.queue.empty():
                    connection.queue.get_nowait()
            return (time.process_time() - before) / len(moves)


def run() -> list[Row]:
    """Measure a short and a long game."""
    found = []
    for rules, plies in GAMES.items():
        moves = quiet_moves(rules, plies)
        best = min(asyncio.run(played(rules, moves)) for _ in range(TURNS))
        found.append(Row(what=f"CPU of a move, a game of {plies} ({rules}), µs", unit="", ours=1e6 * best))
    return found
