"""The JSON API and the pages, asked by a client that is no browser."""

from __future__ import annotations

import datetime
import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from awale import Game
from awale.rules import names
from awale.store import Store, games
from awale.store.models import now
from awale.tables.board_values import BOARD_RULES
from awale.web.app import create_app
from tests.waiting import until
from tests.web.conftest import ORIGIN, follow, new_game, settings


def post(client: TestClient, path: str, body: Any, **headers: str) -> Any:
    return client.post(path, json=body, headers={**ORIGIN, **headers})


def test_rules_are_all_there(client: TestClient) -> None:
    listed = client.get("/api/rules").json()
    assert [rules["name"] for rules in listed] == list(names())
    for rules in listed:
        assert rules["title"]["fr"]
        assert rules["description"]["en"]
        assert len(rules["labels"]) == len(rules["owners"]) == rules["holes"]
    assert client.get("/api/rules/oware").json()["name"] == "abapa"
    assert client.get("/api/rules/ghana:pits=3").json()["holes"] == 6
    assert client.get("/api/rules/none").status_code == 404


@pytest.mark.parametrize("rules", names())
def test_a_position_is_described_as_the_game_says(client: TestClient, rules: str) -> None:
    game = Game(rules)
    for _ in range(6):
        sent = {"rules": rules, "moves": " ".join(map(str, game.moves))}
        view = post(client, "/api/position", sent).json()["view"]
        assert view["position"] == game.position
        assert [move["move"] for move in view["legal"]] == [str(move) for move in game.legal_moves]
        for move in view["legal"]:
            trace = game.trace(move["move"])
            assert (move["last"], move["taken"]) == (trace.landings[-1], trace.taken)
        if game.over:
            break
        chosen = game.legal_moves[game.ply % len(game.legal_moves)]
        shown = post(client, "/api/trace", {**sent, "move": str(chosen)}).json()
        trace = game.trace(chosen)
        assert [tuple(lap["landings"]) for lap in shown["trace"]["laps"]] == [lap.landings for lap in trace.laps]
        game.push(chosen)
        assert shown["view"]["position"] == game.position


def test_refusals_come_in_both_languages(client: TestClient) -> None:
    position = "1-6-3-11-1-0-6-0-4-1-2-11-0-2-N"
    view = post(client, "/api/position", {"rules": "ghana", "start": position}).json()["view"]
    assert "50,636" in view["refusals"]["10"]["en"]
    assert "50\u202f636" in view["refusals"]["10"]["fr"]
    starved = "0-0-0-3-0-2-1-0-0-0-0-0-21-21-S"
    view = post(client, "/api/position", {"rules": "casabianca", "start": starved}).json()["view"]
    assert "leave the opponent nothing" in view["refusals"]["3"]["en"]


@pytest.mark.parametrize(
    "body",
    [
        {"rules": "none"},
        {"rules": "/etc/passwd.toml"},
        {"village": 'base = "/etc/hostname.toml"'},
        {"village": "base = 3"},
        {"village": "[" * 19_000},
        {"village": 'base = "abapa"\npits = 999999999'},
        {"start": "nonsense"},
        {"start": "999-0-0-0-0-0-0-0-0-0-0-0-0-0-S"},
        {"moves": "Z"},
        {"moves": "F f F"},
        {"moves": "F f " * 1500},
    ],
)
def test_nonsense_is_refused_with_a_sentence(client: TestClient, body: dict[str, Any]) -> None:
    answer = post(client, "/api/position", body)
    assert answer.status_code == 400
    assert len(answer.json()["detail"]) > 10


@pytest.mark.parametrize(
    ("path", "body", "sentence"),
    [
        ("/api/position", {"rules": "x.toml"}, "aucun fichier n'est lu ici"),
        ("/api/position", {"village": "["}, "n'est pas un fichier TOML"),
        ("/api/position", {"moves": "F f " * 1500}, "2000 au plus"),
        ("/api/ogn/read", {"text": ""}, "ne contient aucune partie"),
        ("/api/games", {"clock": "soon"}, "n'est pas une cadence"),
        ("/api/analyse", {"start": "0-0-0-0-0-0-0-0-0-0-0-0-24-24-S"}, "rien à analyser"),
    ],
)
def test_errors_are_in_the_readers_language(client: TestClient, path: str, body: Any, sentence: str) -> None:
    answer = post(client, path, body, **{"accept-language": "fr"})
    assert answer.status_code == 400
    assert sentence in answer.json()["detail"]


def test_every_status_is_explained_in_french(client: TestClient) -> None:
    french = {"accept-language": "fr"}
    assert "n'existe pas" in client.get("/api/games/nosuchgame", headers=french).json()["detail"]
    assert "autre site" in post(client, "/api/position", {}, origin="http://evil.example", **french).json()["detail"]
    assert "sous ce nom" in client.get("/rules", headers={"host": "evil.example", **french}).json()["detail"]
    large = client.post("/api/ogn/read", content=b"x" * 300_000, headers={**ORIGIN, **french})
    assert "octets" in large.json()["detail"]


@pytest.mark.parametrize(
    "body", [{"rules": 3}, {"unknown": 1}, [], "x", {"start": "4" * 5000}, {"moves": "F" * 50_000}]
)
def test_what_has_another_shape_is_refused(client: TestClient, body: Any) -> None:
    assert post(client, "/api/position", body).status_code == 422


def test_a_relay_that_runs_for_ages_is_refused_in_time(client: TestClient) -> None:
    """A village's board on which a sowing would be followed for longer than anybody lives."""
    heavy = "-".join(["15", "14", "13"] * 4) + "-0-0-S"
    village = 'base = "ghana"\npits = 6\nseeds = 14'
    for asked in ({"rules": "ghana"}, {"village": village}):
        answer = post(client, "/api/position", {**asked, "start": heavy})
        assert answer.status_code == 400
        assert "too long" in answer.json()["detail"]
        assert post(client, "/api/games", {**asked, "start": heavy, "north": {"who": "me"}}).status_code == 400


def test_village_rules_are_played(client: TestClient) -> None:
    village = 'base = "casabianca"\nname = "Korhogo"\npits = 5\n'
    made = new_game(client, village=village, north={"who": "me"})
    game = client.get(f"/api/games/{made['key']}").json()
    assert (game["rules"]["name"], game["rules"]["holes"], game["rules"]["village"]) == ("Korhogo", 10, True)
    # The specification names them for the analysis board, which has no file to paste.
    again = post(client, "/api/position", {"rules": game["rules"]["spec"]}).json()
    assert again["rules"]["holes"] == 10


def test_only_harmless_players_may_be_asked_for(client: TestClient) -> None:
    for name in (
        "uci:sh -c true",
        "contest:/bin/sh",
        "",
        "nobody",
        "engine:99",
        "engine:9999s",
        "mcts:9999999999",
        "x" * 90,
    ):
        body = {"south": {"who": "me"}, "north": {"who": "computer", "name": name}}
        assert post(client, "/api/games", body).status_code in (400, 503), name


def test_game_files_go_out_and_come_in(client: TestClient) -> None:
    text = '[Variant "abapa"]\n[South "Ada"]\n\n1. F f { good } 2. E (2. A a) e *\n'
    (game,) = post(client, "/api/ogn/read", {"text": text}).json()
    assert game["tags"]["South"] == "Ada"
    assert [move["move"] for move in game["line"]] == ["F", "f", "E", "e"]
    assert game["line"][1]["comment"] == "good"
    assert [move["move"] for move in game["line"][2]["variations"][0]] == ["A", "a"]
    written = post(client, "/api/ogn/write", {"rules": "abapa", "line": _bare(game["line"]), "tags": game["tags"]})
    assert written.status_code == 200, written.text
    (again,) = post(client, "/api/ogn/read", {"text": written.text}).json()
    assert _bare(again["line"]) == _bare(game["line"])
    assert post(client, "/api/ogn/read", {"text": "1. Z"}).status_code == 400
    assert post(client, "/api/ogn/read", {"text": ""}).status_code == 400


def _bare(line: list[dict[str, Any]]) -> list[dict[str, Any]]:
    kept = ("move", "comment", "mark")
    return [{**{k: m[k] for k in kept}, "variations": [_bare(v) for v in m["variations"]]} for m in line]


def test_a_game_is_saved_as_ogn(client: TestClient) -> None:
    made = new_game(client, moves="F f", north={"who": "me"})
    answer = client.get(f"/api/games/{made['key']}/ogn")
    assert "1. F f" in answer.text
    assert "attachment" in answer.headers["content-disposition"]


def test_my_games_are_mine(client: TestClient) -> None:
    made = new_game(client, north={"who": "me"})
    assert [game["key"] for game in client.get("/api/games").json()] == [made["key"]]
    client.cookies.clear()
    assert client.get("/api/games").json() == []


def test_a_seat_is_taken_by_its_link_only(client: TestClient) -> None:
    made = new_game(client, north={"who": "friend"})
    key, link = made["key"], made["links"][1]
    assert made["links"][0] is None
    assert client.get(f"/api/games/{key}").json()["you"] == [0]
    # Opening one's own invitation does not hand over both sides.
    assert follow(client, link).status_code == 204
    assert client.get(f"/api/games/{key}").json()["you"] == [0]
    client.cookies.clear()
    assert follow(client, f"/game/{key}/seat/{'x' * 32}").status_code == 410
    assert client.get(f"/api/games/{key}").json()["you"] == []
    assert client.get(link).status_code == 200  # a look at the link uses nothing up
    answer = follow(client, link)
    assert "httponly" in answer.headers["set-cookie"].lower()
    assert client.get(f"/api/games/{key}").json()["you"] == [1]
    assert follow(client, link).status_code == 204  # the same browser again
    client.cookies.clear()
    refused = follow(client, link)
    assert (refused.status_code, client.get(f"/api/games/{key}").json()["you"]) == (410, [])
    assert "has been used" in refused.json()["detail"]


def test_an_invitation_can_be_replaced_and_expires(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    made = new_game(client, north={"who": "friend"})
    key, old = made["key"], made["links"][1]
    new = post(client, f"/api/games/{key}/invitation", {"seat": 1}).json()["link"]
    assert post(client, f"/api/games/{key}/invitation", {"seat": 0}).status_code == 403
    south = dict(client.cookies)
    client.cookies.clear()
    assert post(client, f"/api/games/{key}/invitation", {"seat": 1}).status_code == 403
    assert follow(client, old).status_code == 410
    with monkeypatch.context() as later:
        later.setattr(games, "now", lambda: now() + datetime.timedelta(days=8))
        assert follow(client, new).status_code == 410
    assert follow(client, new).status_code == 204
    client.cookies.clear()
    client.cookies.update(south)
    assert post(client, f"/api/games/{key}/invitation", {"seat": 1}).status_code == 409


def test_a_typed_name_is_nobody_in_the_store(client: TestClient) -> None:
    store: Store = client.app.state.store  # type: ignore[attr-defined]
    with store.transaction() as session:
        known = store.players.person(session, "Ada", "Lovelace").id
    made = new_game(client, south={"who": "me", "name": "Ada Lovelace"}, north={"who": "computer", "name": "greedy"})
    typed = new_game(client, south={"who": "me", "name": "engine:3"}, north={"who": "friend"})
    with store.transaction() as session:
        row = store.games.by_key(session, made["key"])
        other = store.games.by_key(session, typed["key"])
        assert row is not None
        assert other is not None
        assert (row.south_id, store.games.names(row)) == (None, ("Ada Lovelace", "greedy"))
        assert known not in (row.south_id, row.north_id)
        assert (other.south_id, store.games.names(other)) == (None, ("engine:3", ""))
    assert client.get("/api/games").json()[1]["south"] == "Ada Lovelace"


def test_pages_open_in_the_browsers_language(client: TestClient) -> None:
    for path in ("/", "/analysis", "/rules", "/games", "/docs", *(f"/rules/{name}" for name in names())):
        french = client.get(path, headers={"accept-language": "de,fr;q=0.8,en;q=0.5"})
        assert french.status_code == 200, path
        assert '<html lang="fr">' in french.text
        assert '<html lang="en">' in client.get(path, headers={"accept-language": "de"}).text
    chosen = client.get("/?lang=fr")
    assert '<html lang="fr">' in chosen.text
    assert '<html lang="fr">' in client.get("/").text
    assert client.get("/game/none").status_code == 404
    assert client.get("/rules/none").status_code == 404


def test_rules_with_solved_boards_lead_to_them(client: TestClient) -> None:
    assert 'href="/solved"' in client.get("/rules").text
    assert {name for name in names() if 'href="/solved"' in client.get(f"/rules/{name}").text} == set(BOARD_RULES)
    assert 'href="/solved"' in client.get("/rules/awari:pits=3,seeds=2").text


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_front_page_leads_to_the_five_documents(client: TestClient, lang: str) -> None:
    page = client.get("/", params={"lang": lang}).text
    for rules in ("ghana", "casabianca", "upsti", "wikipedia", "tricolor"):
        assert f'href="/rules/{rules}"' in page
        assert client.get(f"/rules/{rules}", params={"lang": lang}).status_code == 200


def test_the_reports_players_are_offered(client: TestClient) -> None:
    names = {player["name"] for player in client.get("/api/players").json()}
    assert {"report:raw", "report:defence", "report:corrected"} <= names


def test_pages_hold_nothing_that_runs_inline_and_no_other_host(client: TestClient) -> None:
    for path in ("/", "/analysis", "/rules/tricolor", "/docs"):
        answer = client.get(path)
        policy = answer.headers["content-security-policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        for script in re.findall(r"<script([^>]*)>", answer.text):
            assert 'type="application/json"' in script or 'src="/static/' in script
        assert not re.search(r'(?:src|href)="(?:https?:)?//', answer.text)
        assert " style=" not in answer.text
        assert not re.search(r" on[a-z]+=", re.sub(r"<script.*?</script>", "", answer.text, flags=re.S))
    for module in Path("src/awale/web/static").glob("*.js"):
        assert not re.search(r"https?://(?!www\.w3\.org)", module.read_text()), module


def test_data_in_a_page_cannot_end_its_script(client: TestClient) -> None:
    answer = client.get("/?rules=" + "</script><script>alert(1)</script>")
    assert "<script>alert" not in answer.text


def test_other_sites_may_not_write(client: TestClient) -> None:
    body = {"rules": "abapa"}
    for origin in ("http://evil.example", "null", "http://localhost.evil.example", "http://["):
        assert post(client, "/api/position", body, origin=origin).status_code == 403, origin
    assert client.post("/api/position", json=body).status_code == 200  # a program, not a page
    assert client.post("/api/position", json=body, headers={"sec-fetch-site": "cross-site"}).status_code == 403


def test_other_names_are_not_answered(client: TestClient) -> None:
    assert client.get("/rules", headers={"host": "evil.example"}).status_code == 421
    assert client.get("/rules", headers={"host": "localhost:1234"}).status_code == 200


def test_large_bodies_are_refused(client: TestClient) -> None:
    assert client.post("/api/ogn/read", content=b"x" * 300_000, headers=ORIGIN).status_code == 413

    def drip() -> Any:
        for _ in range(300):
            yield b"x" * 1000

    assert client.post("/api/ogn/read", content=drip(), headers=ORIGIN).status_code == 413


def test_floods_are_slowed_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("awale.web.security.monotonic", lambda: 0.0)
    few = settings(tmp_path, requests_a_second=5, new_games_a_minute=3)
    with TestClient(create_app(few), base_url="http://localhost") as client:
        made = [post(client, "/api/games", {"north": {"who": "me"}}).status_code for _ in range(5)]
        assert made == [201, 201, 201, 429, 429]
        assert 429 in [client.get("/healthz").status_code for _ in range(40)]


def test_no_secret_is_logged(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    made = new_game(client, north={"who": "friend"})
    with caplog.at_level("INFO"):
        client.get(made["links"][1])
    secret = made["links"][1].rsplit("/", 1)[1]
    assert "/seat/***" in caplog.text
    logged = [record.getMessage() for record in caplog.records if record.name.startswith("awale")]
    assert not any(secret in line for line in logged)


def wait_until_ready(client: TestClient) -> dict[str, Any]:
    until(lambda: client.get("/readyz").status_code == 200)
    return dict(client.get("/readyz").json())


def test_health(client: TestClient) -> None:
    assert client.get("/healthz").json()["status"] == "ok"
    assert wait_until_ready(client) == {"database": True, "threads": True, "engine": True, "games": 0}


def test_analysis_over_http(client: TestClient) -> None:
    body = {"rules": "abapa", "start": "0-0-0-0-0-1-0-0-0-0-0-2-22-23-S", "seconds": 0.1}
    wait_until_ready(client)
    found = post(client, "/api/analyse", body).json()
    assert found["line"][0] == "F"
    assert found["path"][0] == [5, 6]
    assert post(client, "/api/analyse", {"rules": "abapa", "seconds": 10, "depth": 3}).json()["depth"] == 3
    assert post(client, "/api/analyse", {"rules": "abapa", "seconds": 10, "nodes": 3000}).json()["nodes"] < 100_000
    assert post(client, "/api/analyse", {"rules": "abapa", "nodes": 0}).status_code == 422
    over = {"rules": "abapa", "start": "0-0-0-0-0-0-0-0-0-0-0-0-24-24-S"}
    assert post(client, "/api/analyse", over).status_code == 400


def test_pages_that_are_not_there_are_pages(client: TestClient) -> None:
    for path in ("/no/such/page", "/players/abc", "/game/a b", "/rules/" + "x" * 300):
        answer = client.get(path)
        assert answer.status_code == 404, path
        assert answer.headers["content-type"].startswith("text/html"), path
        assert "Not found" in answer.text
    assert client.get("/api/none").json() == {"detail": "Not Found"}
    assert client.get("/static/none.js").headers["content-type"] == "application/json"


def test_head_is_get_without_a_body(client: TestClient) -> None:
    for path in ("/", "/analysis", "/api/rules", "/no/such/page"):
        whole, head = client.get(path), client.head(path)
        assert (head.status_code, head.content) == (whole.status_code, b"")
        assert head.headers["content-type"] == whole.headers["content-type"]


def test_static_files_are_kept_for_good_and_compressed(client: TestClient) -> None:
    page = client.get("/")
    assert page.headers["content-encoding"] == "gzip"
    (module,) = re.findall(r'src="(/static/[0-9a-f]+/play.js)"', page.text)
    answer = client.get(module)
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-encoding"] == "gzip"


def test_games_as_json_are_read(client: TestClient) -> None:
    one = '{"format":"awale-game","version":1,"rules":"ghana","moves":["3"]}'
    for text in (one, f"[{one}]", f" {one}\n{one}\n"):
        found = post(client, "/api/ogn/read", {"text": text}).json()
        assert [found[0]["rules"]["name"], found[0]["line"][0]["move"]] == ["ghana", "3"]
    assert post(client, "/api/ogn/read", {"text": "{"}).status_code == 400


def test_a_sowing_is_followed_however_long(client: TestClient) -> None:
    short = {"rules": "ghana4", "start": "1-2-0-2-0-0-S", "pit": 1}
    found = post(client, "/api/sowing", short).json()
    assert (found["period"], found["lapCount"], len(found["states"]), len(found["laps"])) == (8, 8, 9, 8)
    assert found["states"][0]["board"] == found["states"][8]["board"] == [1, 2, 0, 2]
    long = {"rules": "ghana", "start": "1-6-3-11-1-0-6-0-4-1-2-11-0-2-N", "pit": 10}
    found = post(client, "/api/sowing", {**long, "lap": 50_600, "step": 30}).json()
    assert [state["lap"] for state in found["states"]] == [50_600, 50_630, 50_636]
    assert found["states"][-1]["board"] == [1, 6, 3, 11, 1, 0, 6, 0, 4, 1, 2, 11]
    for wrong in ({"pit": 2}, {"pit": 9}, {"rules": "abapa", "start": None}):
        assert post(client, "/api/sowing", {**short, **wrong}).status_code == 400


def test_pictures_of_a_position_and_of_a_game(client: TestClient) -> None:
    still = client.get("/api/picture.svg?rules=ghana&moves=3")
    assert still.headers["content-type"] == "image/svg+xml"
    assert "<animate" not in still.text
    assert "<animate" in client.get("/api/picture.svg?moves=F+f&animated=true").text
    for wrong in ("moves=Z", "rules=nonsense", "animated=true", "start=1"):
        assert client.get(f"/api/picture.svg?{wrong}").status_code == 400


@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        ("/api/games", {"village": "pits = 3"}, "doit nommer les règles"),
        ("/api/games", {"north": {"who": "computer", "name": "nobody"}}, "aucun joueur"),
        ("/api/games", {"clock": "abc"}, "n'est pas une cadence"),
        ("/api/games", {"start": "1-2"}, "éléments au lieu de"),
        ("/api/ogn/read", {"text": "1. Z"}, "n'est ni un coup"),
        ("/api/ogn/read", {"text": "{"}, "ce n'est pas du JSON"),
    ],
)
def test_french_readers_get_french_errors(client: TestClient, path: str, body: dict[str, Any], said: str) -> None:
    answer = client.post(path, json=body, headers={**ORIGIN, "accept-language": "fr"})
    assert answer.status_code == 400
    assert said in answer.json()["detail"]
