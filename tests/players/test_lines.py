"""`lines:"COMMAND"`: programs that are sent positions and answer with moves; the Java skeleton plays a game."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from awale import Game
from awale.arena import MatchPlan, play_match
from awale.arena.workers import InProcess
from awale.errors import PlayerError
from awale.players import PlayerFault, PlayerSpec, make

ROOT = Path(__file__).resolve().parents[2]


def program(tmp_path: Path, body: str) -> str:
    file = tmp_path / "program.py"
    file.write_text(f"import sys\nfor line in sys.stdin:\n    words = line.split()\n{body}", encoding="utf-8")
    return f'lines:"{shlex.quote(sys.executable)} {shlex.quote(str(file))}"'


def test_it_gets_the_position_and_the_moves_and_answers_with_one(tmp_path: Path) -> None:
    body = "    if words[0] == 'quit': break\n    print('# ' + line)\n    print()\n    print(words[-1], flush=True)\n"
    player = make(program(tmp_path, body), "wikipedia")
    game = Game("wikipedia")
    for _ in range(6):
        assert player.choose(game).move == game.legal_moves[-1]
        game.push(game.legal_moves[-1])
    player.close()


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("    print('Z', flush=True)\n", "illegal"),
        ("    sys.exit(3)\n", "crash"),
        ("    pass\n", "time"),
    ],
)
def test_a_faulty_program_is_a_fault_of_its_kind_and_may_be_started_again(body: str, kind: str, tmp_path: Path) -> None:
    player = make(program(tmp_path, body) + ",timeout=1", "abapa")
    for _ in range(2):
        with pytest.raises(PlayerFault) as fault:
            player.choose(Game("abapa"))
        assert fault.value.kind == kind
    player.close()


@pytest.mark.parametrize(("setting", "starts"), [("", 2), (",restart=off", 2), (",restart=on", 4)])
def test_a_match_restarts_a_program_where_that_is_asked(setting: str, starts: int, tmp_path: Path) -> None:
    log = tmp_path / "starts"
    file = tmp_path / "program.py"
    file.write_text(
        f"import sys\nopen({str(log)!r}, 'a').write('x')\nfor line in sys.stdin:\n"
        "    if line.split()[0] == 'quit': break\n    print(line.split()[-1], flush=True)\n"
    )
    program = f'lines:"{shlex.quote(sys.executable)} {shlex.quote(str(file))}"{setting}'
    play_match(MatchPlan(program, "random", rules="wikipedia", games=4), runner=InProcess())
    # A program that stays is kept once for each seat.
    assert len(log.read_text()) == starts


def test_its_name() -> None:
    spec = PlayerSpec.parse('lines:"java Player",timeout=5')
    assert str(spec) == 'lines:"java Player",timeout=5'
    assert str(PlayerSpec.parse('uci:"x",restart=on,depth=3')) == 'uci:"x",depth=3,restart=on'
    assert str(PlayerSpec.parse('uci:"x",restart=off')) == 'uci:"x"'
    with pytest.raises(PlayerError, match="restart: must be on or off, not 'always'"):
        PlayerSpec.parse('uci:"x",restart=always')
    assert spec.persistent
    assert not spec.remote_allowed


def test_the_java_skeleton_plays_a_game(tmp_path: Path) -> None:
    if shutil.which("javac") is None or shutil.which("java") is None:
        pytest.skip("no JDK on this machine (apt-get install default-jdk-headless)")
    subprocess.run(
        ["javac", "-d", str(tmp_path), str(ROOT / "examples" / "java" / "Player.java")], check=True, timeout=300
    )
    java = make(f'lines:"java -cp {shlex.quote(str(tmp_path))} Player",timeout=120', "wikipedia")
    chance = make("random", "wikipedia", seed=1)
    game = Game("wikipedia")
    while not game.over and len(game.moves) < 300:
        player = java if game.turn == 0 else chance
        game.push(player.choose(game).move)
    java.close()
    assert game.over
    assert game.scores[0] > game.scores[1]
