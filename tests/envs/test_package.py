"""What importing brings, and what is said where a library is missing."""

from __future__ import annotations

import subprocess
import sys

import pytest

SENTENCES = {
    "gymnasium": ("gymnasium", "the package gymnasium is required: pip install 'awale[rl]'"),
    "pettingzoo": ("pettingzoo", "the package pettingzoo is required: pip install 'awale[rl]'"),
    "openspiel": ("pyspiel", "the package open_spiel is required: pip install open_spiel"),
}


def run(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize("module", SENTENCES)
def test_a_missing_library_is_named_with_its_cure(module: str) -> None:
    package, sentence = SENTENCES[module]
    program = f"""
import sys
sys.modules[{package!r}] = None
from awale import AwaleError
try:
    import awale.envs.{module}
except ImportError as error:
    assert isinstance(error, AwaleError)
    print(error)
"""
    assert run(program) == sentence


def test_the_batch_needs_no_library() -> None:
    program = """
import sys
for name in ("gymnasium", "pettingzoo", "pyspiel"):
    sys.modules[name] = None
from awale.envs.batch import BatchEnv
print(BatchEnv(2, "ghana4").reset()[0].shape)
"""
    assert run(program) == "(2, 7)"


def test_awale_alone_does_not_load_the_environments() -> None:
    assert run("import sys, awale; print('awale.envs' in sys.modules)") == "False"
    assert run("import sys, awale.envs; print('numba' in sys.modules)") == "False"


def test_the_environment_is_known_once_the_package_is_imported() -> None:
    program = """
import gymnasium
print(gymnasium.make("awale.envs:awale/Awale-v0", rules="ghana4").unwrapped.rules.name)
"""
    assert run(program) == "ghana4"


def test_after_warming_up_nothing_is_left_to_compile() -> None:
    """In the cache that all tests share: compiled once, found ever after, whatever the options of the rules."""
    run("from awale.envs import warmup; [job() for _, job in warmup.warmup_jobs()]")
    program = """
from awale.envs.batch import BatchEnv
from awale.kernels import jit
for name in ("awari", "ghana-basic", "tricolor-2025", "abapa:pits=9,seeds=2", "ghana:pits=8,seeds=2"):
    env = BatchEnv(5, name, reward="margin", auto_reset=False)
    env.reset(seed=3)
    env.step(env.sample())
print(jit.announcer.compiled)
"""
    assert run(program) == "[]"
