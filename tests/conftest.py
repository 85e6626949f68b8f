"""What every test may count on: Hypothesis profiles, and the outside programs that some tests drive."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from awale import i18n

# Nothing a test keeps (games, tables) may land among the user's own; the workers of a run share one folder.
if "AWALE_DATA_DIR" not in os.environ:
    os.environ["AWALE_DATA_DIR"] = tempfile.mkdtemp(prefix="awale-tests-")
    atexit.register(shutil.rmtree, os.environ["AWALE_DATA_DIR"], ignore_errors=True)

# The programs that tests start leave no process behind that builds tables.
os.environ["AWALE_BUILD_TABLES"] = "0"

# Programs inherit an ignored SIGINT (`nohup`, a background job of a script) and respect it; the tests that interrupt
# programs start them from here, so the usual disposition is restored for the whole run.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A first call may compile a kernel, so no example has a deadline.
_common = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("dev", max_examples=60, **_common)
# The same examples at every run: a red build is always about the change.
settings.register_profile("ci", max_examples=60, derandomize=True, print_blob=True, **_common)
settings.register_profile("thorough", max_examples=2000, print_blob=True, **_common)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev"))


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    """Start in English, whatever language a command of another test has chosen."""
    i18n.set_language("en")
    yield
    i18n.set_language("en")


def find_chromium() -> Path | None:
    """The Chromium of this machine (Playwright's own download is never needed)."""
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        if program := shutil.which(name):
            return Path(program)
    return None


def find_postgres() -> Path | None:
    """The folder of PostgreSQL's server programs; Debian keeps them off the PATH. The newest version wins."""
    folders = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    if folders:
        return max(folders, key=lambda folder: float(folder.parent.name))
    program = shutil.which("initdb")
    return Path(program).parent if program else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    missing = {
        "browser": (find_chromium(), "no Chromium on this machine (apt-get install chromium)"),
        "postgres": (find_postgres(), "no PostgreSQL server on this machine (apt-get install postgresql)"),
    }
    for marker, (found, sentence) in missing.items():
        if found is None:
            for item in items:
                if item.get_closest_marker(marker):
                    item.add_marker(pytest.mark.skip(reason=sentence))


@pytest.fixture(scope="session")
def chromium() -> Path:
    """The browser's program, for tests marked ``browser``."""
    found = find_chromium()
    if found is None:
        pytest.skip("no Chromium on this machine (apt-get install chromium)")
    return found


@pytest.fixture(scope="session")
def postgres_bin() -> Path:
    """The folder with ``initdb`` and ``postgres``, for tests marked ``postgres``."""
    found = find_postgres()
    if found is None:
        pytest.skip("no PostgreSQL server on this machine (apt-get install postgresql)")
    return found
