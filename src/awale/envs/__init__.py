"""Reinforcement-learning environments: the same games behind the interfaces of the common libraries.

| module | what | needs |
|---|---|---|
| `awale.envs.gymnasium` | one learner against any player, also `gymnasium.make("awale/Awale-v0")` | `awale[rl]` |
| `awale.envs.vector` | many such games at once, also `gymnasium.make_vec("awale/Awale-v0")` | `awale[rl]` |
| `awale.envs.pettingzoo` | both seats, agents taking turns (AEC) | `awale[rl]` |
| `awale.envs.batch` | thousands of games at once, in NumPy arrays | nothing more |
| `awale.envs.cuda_batch` | the same on an NVIDIA GPU | `awale[cuda]` |
| `awale.envs.baseline` | a small trained agent to compare one's own with | nothing more |
| `awale.envs.openspiel` | the OpenSpiel game `python_awale` | `open_spiel` |
| `awale.envs.dataset` | positions with exact values as Parquet files | `awale[dataset]` |

All of them take every rule system (a preset's name, a variant such as `ghana:pits=3`, village rules as a `Rules`), show
the board the same way and number the moves the same way: see `awale.envs.encoding`. Importing this package makes the
environment known to Gymnasium where Gymnasium is installed.
"""

from importlib.util import find_spec

GYMNASIUM_ID = "awale/Awale-v0"


def _register() -> None:
    from gymnasium.envs.registration import register, registry

    if GYMNASIUM_ID not in registry:
        register(
            id=GYMNASIUM_ID,
            entry_point="awale.envs.gymnasium:AwaleEnv",
            vector_entry_point="awale.envs.vector:AwaleVectorEnv",
        )


if find_spec("gymnasium") is not None:
    _register()
