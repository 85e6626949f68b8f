"""`PlayerSpec`: one reading of players' names, one text form, and what each reader of a name needs to know."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from awale import i18n
from awale.cli import main
from awale.errors import AwaleError
from awale.players import PlayerError, PlayerSpec, RemotePlayerError, kinds, make
from awale.players.spec import EVALUATIONS, HEURISTICS, PROGRAMS, listed
from awale.rules import names

NAMES = [
    "person", "random", "greedy", "basic", "perfect", "negamax", "negamax:5", "minimax:4,kroo", "alphabeta",
    "alphabeta:6", "report", "report:raw", "report:raw,8", "report:defence,adaptive", "mcts", "mcts:5000",
    "mcts:100ms", "engine", "basic:3", "report:raw,6/15/7/30/8",
    "engine:1", "engine:1.5ms", "engine:100ms", "engine:2s", "engine:86400s", "engine:d12", "engine:threads=2",
    "engine:nodes=20000", "engine:d12,nodes=5000",
    "engine:1s,threads=2,hash=64", "eval:mine.toml", "eval:A,b.PY,4", "eval:mine.py,500ms", "eval:kroo,6", "tuned",
    "eval:mine.toml,adaptive", "eval:mine.toml,adaptive4", "tuned:8", "tuned:adaptive", "tuned:2s", 'uci:"a b"',
    'uci:"A -x",depth=8,movetime=250,option.Hash=64', 'uci:"say \\"x\\" now",depth=3', "uci:'a\\\"b',depth=2",
    'contest:"./P --quick"', 'contest:"p",timeout=0.5',
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_the_text_form_is_canonical(name: str) -> None:
    spec = PlayerSpec.parse(name)
    assert str(spec) == name
    assert PlayerSpec.parse(str(spec)) == spec


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("  ENGINE : 5 ", "engine:5"),
        ("engine:2000ms", "engine:2s"),
        ("Engine:1S, Threads=2", "engine:1s,threads=2"),
        ("MiniMax:4,KROO", "minimax:4,kroo"),
        ("report:RAW,Adaptive", "report:raw,adaptive"),
        ("tuned:d6", "tuned:6"),
        ("eval:Kroo", "eval:kroo"),
        ('eval:"Mine.TOML",d4', "eval:Mine.TOML,4"),
        ("uci:./Engine --Fast", 'uci:"./Engine --Fast"'),
        ("UCI:'x y'", 'uci:"x y"'),
        ("Moi", "person"),
        ("human", "person"),
    ],
)
def test_other_spellings_are_accepted(name: str, canonical: str) -> None:
    assert str(PlayerSpec.parse(name)) == canonical


@pytest.mark.parametrize(
    "name",
    [
        "", "   ", ":", "nobody", "random:3", "person:3", "negamax:0", "negamax:13", "minimax:15", "minimax:,kroo",
        "minimax:3,clever", "alphabeta:-1", "report:best", "report:,6", "report:raw,13", "report:raw,0", "mcts:0",
        "mcts:-5", "mcts:often", "engine:0", "engine:9", "engine:d0", "engine:d65", "engine:0ms", "engine:5,6",
        "engine:5,threads=0", "engine:5,threads=x", "engine:5,hash=0", "engine:99999999s", "eval:", "eval:x.txt",
        "eval:mine.py,13", "eval:mine.toml,65", "eval:mine.toml,0", "tuned:0", "tuned:often", "uci:", 'uci:""',
        'uci:"x",depth=0', 'uci:"x",speed=3', 'uci:"x" y', "contest:", 'contest:"x",timeout=0',
    ],
)  # fmt: skip
def test_wrong_names_get_a_sentence_in_both_languages(name: str) -> None:
    with pytest.raises(PlayerError) as caught:
        PlayerSpec.parse(name)
    english, french = (caught.value.sentence(lang) for lang in i18n.LANGUAGES)
    assert english != french


def test_nobody_is_made_of_a_person() -> None:
    assert PlayerSpec.parse("me").person
    with pytest.raises(PlayerError, match="person"):
        make("person")


def test_too_many_threads_are_refused_where_the_engine_is_made() -> None:
    with pytest.raises(PlayerError, match="cores"):
        make("engine:1,threads=200")


def test_costs_and_processes() -> None:
    read = PlayerSpec.parse
    assert {kind for kind in PROGRAMS if PlayerSpec(kind).instant} == {"random", "greedy"}
    assert {name for name in NAMES if read(name).persistent} == {
        name for name in NAMES if name.startswith(("uci", "contest")) or ".py" in name.lower()
    }


def test_a_depth_for_those_that_name_none() -> None:
    def deeper(name: str) -> str:
        return str(PlayerSpec.parse(name).with_limits(6))

    assert deeper("engine") == "engine:d6"
    assert deeper("engine:threads=2") == "engine:d6,threads=2"
    assert deeper("minimax") == "minimax:6"
    assert deeper('uci:"x y"') == 'uci:"x y",depth=6'
    assert deeper("eval:mine.toml") == "eval:mine.toml,6"
    for name in (
        "engine:3",
        "engine:1s",
        "random",
        "report",
        "mcts",
        "tuned:4",
        'uci:"x",movetime=5',
        "eval:mine.py,2",
    ):
        assert deeper(name) == name
    assert PlayerSpec.parse("engine").with_limits(None) == PlayerSpec.parse("engine")
    with pytest.raises(PlayerError):
        PlayerSpec.parse("minimax").with_limits(40)


def test_a_number_of_positions_for_engines_without_a_limit() -> None:
    def limited(name: str) -> str:
        return str(PlayerSpec.parse(name).with_limits(nodes=700))

    assert limited("engine") == "engine:nodes=700"
    assert limited('uci:"x"') == 'uci:"x",nodes=700'
    assert str(PlayerSpec.parse("engine").with_limits(6, 700)) == "engine:d6,nodes=700"
    for name in ("engine:3", "engine:1s", "minimax", "random", 'uci:"x",nodes=5', "engine:nodes=5"):
        assert limited(name) == name
    with pytest.raises(PlayerError):
        PlayerSpec.parse('uci:"x",nodes=many')


@pytest.mark.parametrize(
    "name",
    [
        "person", "eval:/etc/passwd.toml", "eval:mine.py", "eval:material", 'uci:"sh"', "contest:sh",
        "engine:11s", "engine:d17", "engine:5,threads=2", "engine:5,hash=512", "mcts:99999999", "mcts:1000s",
        "minimax:14", "alphabeta:9", "negamax:12", "tuned:9", "tuned:adaptive60", "report:raw,9",
    ],
)  # fmt: skip
def test_remote_users_may_not_choose(name: str) -> None:
    with pytest.raises(RemotePlayerError) as caught:
        PlayerSpec.parse(name).check_remote_limits()
    assert caught.value.sentence("en") != caught.value.sentence("fr")


def test_remote_limits_can_be_set() -> None:
    for spec in listed(remote=True):
        spec.check_remote_limits()
    PlayerSpec.parse("engine:60s,threads=4").check_remote_limits(max_seconds=60, max_threads=4)


@pytest.mark.parametrize("rules", names())
def test_what_is_listed_can_be_made(rules: str) -> None:
    for spec in listed(rules):
        if spec.file is None and spec.command is None:
            spec.make(rules, 0).close()
    for spec in set(listed()) - set(listed(rules)):
        with pytest.raises(PlayerError):
            spec.make(rules)


@pytest.mark.parametrize("rules", ["abapa", "tricolor"])
def test_supports_agrees_with_the_search(rules: str) -> None:
    for name in [*(f"eval:{name},1" for name in EVALUATIONS), *(f"minimax:1,{name}" for name in HEURISTICS)]:
        spec = PlayerSpec.parse(name)
        if spec.supports(rules):
            spec.make(rules).close()


def test_the_names_known_without_the_search_are_those_of_the_search() -> None:
    from awale.search.linear import BUILT_IN

    assert {*BUILT_IN, "engine", "tuned"} == set(EVALUATIONS)


def test_titles_are_in_both_languages() -> None:
    assert {spec.kind for spec in listed()} == set(PROGRAMS) == set(kinds())
    for spec in (*map(PlayerSpec.parse, NAMES), *listed()):
        for lang in i18n.LANGUAGES:
            assert spec.title(lang)
            assert spec.description(lang)
    spec = PlayerSpec.parse("mcts:5000")
    assert (spec.title("en"), spec.title("fr")) == (
        "Monte Carlo, 5,000 simulations",
        "Monte-Carlo, 5\u202f000 simulations",
    )


def test_reading_a_name_loads_nothing_heavy() -> None:
    code = (
        "import sys; from awale.players.spec import PlayerSpec, listed\n"
        "for rules in ('tricolor', 'ghana', 'abapa'): listed(rules, remote=True)\n"
        "print([name for name in ('numpy', 'numba', 'awale.search.engine') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_command_lists_a_program_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["opponents", "--lang", "fr"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(listed())
    assert any(line.startswith("engine:3 ") and "Moteur, niveau 3" in line for line in lines)
    assert main(["opponents", "--rules", "tricolor", "--json"]) == 0
    found = {program["name"]: program for program in json.loads(capsys.readouterr().out)}
    assert "perfect" not in found
    assert found["tuned"]["remote"]
    assert main(["opponents", "--rules", "chess"]) == 2


@pytest.mark.parametrize("name", ["eval:mine.py", 'uci:"sh"', "tuned:12", "report:raw"])
def test_a_page_gets_only_what_it_may_ask_for(name: str) -> None:
    opponents = pytest.importorskip("awale.web.opponents")
    from awale.rules import get

    assert opponents.checked_player("Engine:2000ms", get("abapa")) == "engine:2s"
    with pytest.raises(AwaleError):
        opponents.checked_player(name, get("abapa"))
    assert [entry["level"] for entry in opponents.opponents()][:8] == list(range(1, 9))


def test_a_schedule_of_the_report_is_its_adaptive_depth_or_any_other() -> None:
    from awale import Game
    from awale.search.tricolor_2025 import ADAPTIVE, depth_for

    spec = PlayerSpec.parse("report:defence,4/50/6")
    assert (spec.schedule, spec.evaluation) == ((4, 50, 6), "defence")
    start, late = Game("tricolor"), Game("tricolor", start=positions_with(captured=60))
    assert (depth_for(start, (4, 50, 6)), depth_for(late, (4, 50, 6))) == (4, 6)
    assert depth_for(late, ADAPTIVE) == depth_for(late, "adaptive") == 8
    for wrong in (
        "report:raw,4/50",
        "report:raw,4/50/6/40/7",
        "report:raw,99/50/6",
        "report:raw,4/0/6",
        "report:raw,4/101/6",
    ):
        with pytest.raises(PlayerError):
            PlayerSpec.parse(wrong)
    with pytest.raises(PlayerError):
        PlayerSpec.parse("report:raw,4/50/12").check_remote_limits()


def positions_with(captured: int) -> object:
    from awale.rules import get, reference

    start = reference.start(get("tricolor"))
    board = tuple((0, 0, 0) if place < captured // 6 else hole for place, hole in enumerate(start.board))
    return start._replace(board=board, scores=(captured // 2, captured // 2))


def test_the_basic_program_has_other_levels_than_four() -> None:
    from awale import Game
    from awale.search.classic import choose_basic

    game = Game("ghana-basic", moves="3")
    for levels in (1, 2, 6):
        assert (
            PlayerSpec.parse(f"basic:{levels}").make("ghana-basic").choose(game).move == choose_basic(game, levels).move
        )
    assert PlayerSpec.parse("basic").make("ghana-basic").choose(game).move == choose_basic(game, 4).move
    with pytest.raises(PlayerError):
        PlayerSpec.parse("basic:9")
