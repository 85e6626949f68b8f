"""`lines:"COMMAND"`: programs that are sent positions and answer with moves; the Java skeleton plays a game."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from awale import Game
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


def test_its_name() -> None:
    spec = PlayerSpec.parse('lines:"java Player",timeout=5')
    assert str(spec) == 'lines:"java Player",timeout=5'
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
