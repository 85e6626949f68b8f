"""Live games: a change based on an old version is refused, and one server at a time drives a game."""

from __future__ import annotations

import datetime

import pytest

from awale.store import Game, Store, StoredGame, leases
from awale.store.games import Change, StaleGameError
from awale.store.leases import LeaseError
from awale.store.models import now


def live(store: Store, server: str = "a") -> Game:
    with store.transaction() as session:
        leases.seen(session, server)
        game = store.games.add(session, StoredGame(rules="abapa", key="key"))
        store.games.set_live(session, game, {}, server)
    return game


def change(game: Game, version: int, moves: str) -> Change:
    return Change(
        number=game.id, key=game.key, version=version, reopened=False, moves=moves, scores=(0, 0), winner=None,
        end=None, state={},
    )  # fmt: skip


def moves(store: Store) -> tuple[str, int]:
    with store.transaction() as session:
        game = store.games.by_key(session, "key")
        assert game is not None
        state = store.games.live(session, game)
        assert state is not None
        return game.moves, state.version


def test_a_write_based_on_a_stale_state_is_refused(store: Store) -> None:
    game = live(store)
    with store.transaction() as session:
        store.games.keep(session, [change(game, 0, "F")])
    with pytest.raises(StaleGameError), store.transaction() as session:
        store.games.keep(session, [change(game, 0, "E")])
    assert moves(store) == ("F", 1)
    with store.transaction() as session:
        store.games.keep(session, [change(game, 1, "F f")])
    assert moves(store) == ("F f", 2)


def test_a_game_is_leased_to_one_server(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    game = live(store, "a")
    with store.transaction() as session:
        leases.take(session, "key", "a")
    with pytest.raises(LeaseError, match=r"another server \(a\)"), store.transaction() as session:
        leases.take(session, "key", "b")
    assert moves(store)[1] == 0
    # The first server is not seen for a while: the second takes over, and the first cannot write any more.
    monkeypatch.setattr(leases, "now", lambda: now() + datetime.timedelta(seconds=leases.SECONDS + 1))
    with store.transaction() as session:
        leases.take(session, "key", "b")
    with pytest.raises(StaleGameError), store.transaction() as session:
        store.games.keep(session, [change(game, 0, "F")])


@pytest.mark.parametrize("how", ["release", "stop"])
def test_a_lease_is_given_back(store: Store, how: str) -> None:
    game = live(store, "a")
    with store.transaction() as session:
        if how == "release":
            leases.release(session, "b", [game.id])  # not theirs
            leases.release(session, "a", [game.id])
        else:
            leases.stop(session, "a")
    with store.transaction() as session:
        leases.take(session, "key", "b")
    assert moves(store) == ("", 1)


def test_a_finished_game_needs_no_lease(store: Store) -> None:
    game = live(store, "a")
    with store.transaction() as session:
        stored = store.games.by_key(session, game.key)
        assert stored is not None
        store.games.finish(session, stored, 0, (25, 0), "win")
    with store.transaction() as session:
        leases.take(session, "key", "b")


def test_an_invitation_is_accepted_once(store: Store) -> None:
    game = live(store)
    with store.transaction() as session:
        store.games.invite(session, game, 1, "old")
        store.games.invite(session, game, 1, "new")
    with store.transaction() as session:
        assert store.games.accept(session, game, "old", "x") is None
        assert store.games.accept(session, game, "new", "x") == 1
        assert store.games.accept(session, game, "new", "y") is None
        assert store.games.holders(session, game) == [(1, "x")]
