"""`awale tables`, as somebody types it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from awale.cli import main
from tests.waiting import GUARD

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Call:
    monkeypatch.setenv("AWALE_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("AWALE_LANG", "en")

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(["tables", *arguments])
        return code, *capsys.readouterr()

    return run


def test_a_life_of_a_table(call: Call, tmp_path: Path) -> None:
    code, out, err = call("build", "--rules", "awari", "--seeds", "6", "--threads", "2")
    assert (code, out) == (0, "")
    assert "7 layers, 18,564 positions" in err
    assert "of memory" in err
    assert "layer of 6 seeds" in err
    assert "sweeps; 100 %\n" in err
    assert "0:00 left" not in err
    code, out, err = call("build", "--rules", "awari", "--seeds", "6", "--json")
    assert code == 0
    assert json.loads(out)["layers"] == []
    code, out, _ = call("list")
    assert code == 0
    assert out.startswith("awari   6")
    assert str(tmp_path) in out
    code, out, _ = call("list", "--json")
    assert json.loads(out)[0]["seeds"] == 6
    code, out, _ = call("info", "--rules", "awari", "--json")
    layers = json.loads(out)["layers"]
    assert layers[2] == {
        "seeds": 2,
        "positions": 78,
        "exact": 78,
        "won": 25,
        "even": 13,
        "lost": 40,
        "values": {"-2": 40, "0": 13, "2": 25},
    }
    code, out, _ = call("info", "--rules", "awari")
    assert "every entry is exact" in out
    code, out, err = call("verify", "--rules", "awari", "--seeds", "6", "--threads", "2")
    assert code == 0
    assert "checksums: 7 of 7 layers correct" in out
    assert "published counts: 7 of 7 layers identical" in out
    assert "1,000 positions" in out
    code, _, err = call("remove", "--rules", "awari", "--above", "4")
    assert "2 layers removed" in err
    code, out, err = call("verify", "--rules", "awari", "--seeds", "6")
    assert code == 1
    assert "layer-05.awt: this layer is missing" in err
    assert "awale tables build --rules awari --seeds 6" in err
    call("remove", "--rules", "awari")
    code, out, err = call("list")
    assert (code, out) == (0, "")
    assert "no tables" in err
    assert not list((tmp_path / "tables").iterdir())


def test_info_reads_the_headers_alone(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    call("build", "--rules", "awari", "--seeds", "4")
    monkeypatch.setattr("awale.tables.counting.count_codes", lambda *arguments: pytest.fail("a layer was counted"))
    code, out, _ = call("info", "--rules", "awari", "--json")
    assert code == 0
    assert json.loads(out)["layers"][2]["values"] == {"-2": 40, "0": 13, "2": 25}


def test_verify_says_how_far_it_is(tmp_path: Path) -> None:
    from awale import tables
    from awale.tables.verify import verify

    tables.build("awari", 5, dir=tmp_path)
    parts: list[float] = []
    assert not verify("awari", dir=tmp_path, sample=10, threads=2, progress=parts.append).problems
    assert len(parts) == 6
    assert parts == sorted(parts)
    assert 0 <= parts[0] < parts[-1] < 1


def test_damage_is_told(call: Call, tmp_path: Path) -> None:
    call("build", "--rules", "abapa:pits=3", "--seeds", "5")
    (path,) = (tmp_path / "tables").rglob("layer-04.awt")
    data = bytearray(path.read_bytes())
    data[-1] ^= 255
    path.write_bytes(data)
    code, out, _ = call("verify", "--rules", "abapa:pits=3", "--json")
    assert code == 1
    verdict = json.loads(out)
    assert verdict["layers"] == 5
    assert "layer-04.awt" in verdict["problems"][0]
    code, out, err = call("verify", "--rules", "abapa:pits=3", "--dir", str(tmp_path / "tables"))
    assert code == 1
    assert out.startswith("checksums: 5 of 6 layers correct\n")
    assert "1,000 positions of up to 3 seeds" in out
    damaged, repair = err.splitlines()
    assert "layer-04.awt: damaged" in damaged
    assert repair.endswith(f"awale tables build --rules abapa:pits=3 --seeds 5 --dir {tmp_path / 'tables'}")
    code, _, err = call("probe", "2-1-1-1-0-0-0-0-S", "--rules", "abapa:pits=3")
    assert code == 2
    assert "layer-04.awt: damaged" in err
    code, _, err = call("build", "--rules", "abapa:pits=3", "--seeds", "5")
    assert code == 0
    assert "layer-04.awt: damaged" in err
    assert "1 layer built" in err
    assert call("verify", "--rules", "abapa:pits=3")[0] == 0
    path.write_bytes(b"")
    code, out, err = call("list")
    assert "layer-04.awt" in err


def test_verify_tells_of_a_damaged_lowest_layer(call: Call, tmp_path: Path) -> None:
    call("build", "--rules", "abapa:pits=3", "--seeds", "2")
    (path,) = (tmp_path / "tables").rglob("layer-00.awt")
    path.write_bytes(b"")
    code, _, err = call("verify", "--rules", "abapa:pits=3", "--seeds", "0")
    assert code == 1
    assert "layer-00.awt" in err
    code, out, err = call("verify", "--rules", "abapa:pits=3")
    assert code == 1
    assert out == "checksums: 2 of 3 layers correct\n"
    assert "layer-00.awt" in err
    assert "awale tables build --rules abapa:pits=3 --seeds 2" in err


def test_wrong_values_are_found(call: Call, tmp_path: Path) -> None:
    """A sound file with wrong contents: only the sample can tell."""
    from awale.rules import get
    from awale.tables import layer_file

    for name in ("abapa:pits=2", "ghana4", "upsti:pits=2"):
        call("build", "--rules", name, "--seeds", "5")
        assert call("verify", "--rules", name)[0] == 0
    rules = get("ghana4")
    (path,) = (path for path in (tmp_path / "tables").rglob("layer-05.awt") if "ghana4" in str(path))
    codes = bytearray(path.read_bytes()[layer_file.PAGE :])
    for at in range(len(codes)):
        codes[at] = codes[at] ^ 1
    layer_file.write(path.parent, rules, 5, {"codes": memoryview(codes)})
    code, _, err = call("verify", "--rules", "ghana4")
    assert code == 1
    assert "its moves give" in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["build", "--rules", "tricolor", "--seeds", "5"], "three-colour games"),
        (["build", "--rules", "awari", "--seeds", "99"], "0 to 48"),
        (["build", "--rules", "awari", "--seeds", "two"], "whole number"),
        (["build", "--rules", "nothing", "--seeds", "2"], "nothing"),
        (["build", "--rules", "awari", "--seeds", "2", "--device", "tpu"], "tpu"),
        (["build", "--rules", "awari"], "seeds"),
        (["info", "--rules", "awari"], "no table for awari"),
        (["verify", "--rules", "awari"], "no table for awari"),
    ],
)
def test_bad_input_is_one_line(call: Call, arguments: list[str], words: str) -> None:
    code, out, err = call(*arguments)
    assert code == 2
    assert out == ""
    assert len(err.strip().splitlines()) == 1
    assert words in err


def test_in_french(call: Call) -> None:
    code, _, err = call("build", "--rules", "awari:pits=2", "--seeds", "3", "--lang", "fr")
    assert code == 0
    assert "4 couches, 35 positions" in err
    assert "Mo de mémoire" in err
    code, _, err = call("info", "--rules", "awari", "--lang", "fr")
    assert "il n'y a pas de table" in err


def test_a_bar_on_a_terminal_and_a_way_out(tmp_path: Path) -> None:
    """On a terminal: rate, layer and time left; Ctrl-C ends it with a word and code 130."""
    import sys

    import pexpect

    arguments = ["-m", "awale", "tables", "build", "--rules", "awari", "--seeds", "22", "--dir", str(tmp_path)]
    environment = {"AWALE_LANG": "en", "TERM": "xterm", "COLUMNS": "100", "PYTHONUNBUFFERED": "1"}
    terminal = pexpect.spawn(sys.executable, arguments, env={**os.environ, **environment}, timeout=GUARD)
    terminal.expect(r"solving 1\d seeds.*M/s, about \d+:\d\d.*left")
    terminal.sendintr()
    terminal.expect("interrupted; finished layers are kept")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 130
