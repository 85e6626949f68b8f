"""The only module that imports Numba: every compiled function of the project is decorated with `jit` from here.

Numba's own cache goes stale when a *called* function in another file changes. So the cache directory is named after a
hash of all sources that hold compiled code. It must be set before Numba is imported. The names within it do not depend
on where the package is installed, so that several virtual environments share it.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cached_property, wraps
from importlib.metadata import version
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

import numpy as np

from awale.paths import cache_dir

COMPILED_PACKAGES = ("kernels", "search", "tables", "loops", "envs", "rules")
"""Packages with compiled code, and the rules, whose constants are compiled in."""
KEPT = 4
"""The number of cache directories of older sources to keep."""
IN_USE = 24 * 3600
"""A directory used within so many seconds may be in use by another process."""
_PACKAGE = Path(__file__).resolve().parent.parent


def sources_hash(package: Path = _PACKAGE) -> str:
    """Return a hash of all sources that hold compiled code."""
    digest = hashlib.sha256()
    for name in COMPILED_PACKAGES:
        for path in sorted((package / name).rglob("*.py")):
            digest.update(str(path.relative_to(package)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def usable_folder(folder: Path) -> Path:
    """Return the directory, created and marked as used; a temporary one where it cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        os.utime(folder)
    except OSError:
        import atexit

        folder = Path(tempfile.mkdtemp(prefix="awale-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def prune(root: Path, kept: int = KEPT, in_use: float = IN_USE) -> None:
    """Remove the caches of older sources, the least recently used first."""
    try:
        folders = sorted((f for f in root.iterdir() if f.is_dir()), key=lambda f: f.stat().st_mtime, reverse=True)
        for folder in folders[kept:]:
            if time.time() - folder.stat().st_mtime > in_use:
                shutil.rmtree(folder, ignore_errors=True)
    except OSError:
        pass  # another process prunes too


def _prepare() -> Path:
    # Numba empties the index of another version of its own.
    folder = cache_dir() / "compiled" / f"{sources_hash()}-{version('numba')}"
    new = not folder.exists()
    usable = usable_folder(folder)
    if new and usable == folder:
        prune(folder.parent)
    return usable


CACHE = _prepare()
os.environ["NUMBA_CACHE_DIR"] = str(CACHE)
# Numba colours the messages of the overloads that do not fit, which nobody sees: a tenth of the time to compile.
os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")

from numba.core import caching, config, event  # noqa: E402
from numba.core.codegen import JITCodeLibrary  # noqa: E402
from numba.core.compiler import CompilerBase, DefaultPassBuilder  # noqa: E402
from numba.core.compiler_machinery import register_pass  # noqa: E402
from numba.core.registry import CPUDispatcher  # noqa: E402
from numba.core.typed_passes import NativeLowering  # noqa: E402
from numba.core.types.misc import unliteral  # noqa: E402

config.CACHE_DIR = str(CACHE)  # in case Numba was imported before


class _Locator:
    """Where Numba caches a function of this package: by its path in the package, not in the file system. The directory
    is named after all sources, so none of them needs to be looked at again."""

    def __init__(self, function: Any, path: Path) -> None:
        self._line = function.__code__.co_firstlineno
        self._folder = CACHE / path.parent

    @classmethod
    def from_function(cls, function: Any, file: str) -> _Locator | None:
        """Return the locator of a function; None for a function of somebody else."""
        path = Path(file).resolve()
        if not path.is_relative_to(_PACKAGE):
            return None
        found = cls(function, path.relative_to(_PACKAGE))
        try:
            found.ensure_cache_path()
        except OSError:
            return None
        return found

    def ensure_cache_path(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return CACHE.name

    def get_disambiguator(self) -> str:
        return str(self._line)


_CacheImpl: Any = getattr(caching, "CacheImpl", None) or caching._CacheImpl
_CacheImpl._locator_classes = [_Locator, *_CacheImpl._locator_classes]

COMPILER_OFF = bool(config.DISABLE_JIT)

F = TypeVar("F", bound=Callable[..., Any])


UNCOUNTED = {"_nrt": False}
"""Options of a hot function that allocates nothing. Numba counts references to arrays in tuples with atomic
instructions at every use; without its runtime (NRT) the engine's search is twice as fast. Functions called from such a
function are compiled the same way."""


class _Cache(caching.FunctionCache):
    """What a full disk does not keep, or cannot be read, is compiled again the next time."""

    def _guard_against_spurious_io_errors(self) -> Any:
        return contextlib.suppress(OSError)


class _PartLibrary(JITCodeLibrary):
    """Code to be linked into other functions, which is neither optimised nor turned into machine code on its own."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class _PartLowering(NativeLowering):
    _name = "awale_part_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = state.flags.no_cpython_wrapper = state.flags.no_cfunc_wrapper = True
        super().run_pass(state)
        key: Any = [].append  # any built-in function of its own: calls in other compiled functions refer to it
        state.targetctx.insert_user_function(key, state.cr.fndesc, [state.library])
        state.reload_init.extend(state.library._reload_init)
        state["cr"] = state.cr._replace(cfunc=key)
        return True


class _PartCompiler(CompilerBase):
    def define_pipelines(self) -> list[Any]:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [(_PartLowering if one is NativeLowering else one, name) for one, name in passes.passes]
        passes.finalize()
        return [passes]


class _Dispatcher(CPUDispatcher):
    """A compiled function. Called from Python it is compiled as a whole; called from a compiled function, as a part of
    that one. Numba would optimise a part on its own, turn it into machine code, wrap it for calls from Python, and do
    so again for every constant it is called with: that took most of the time."""

    def enable_caching(self) -> None:
        self._cache = _Cache(self.py_func)

    @cached_property
    def part(self) -> CPUDispatcher:
        return CPUDispatcher(self.py_func, targetoptions=self.targetoptions, pipeline_class=_PartCompiler)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        plain = {name: unliteral(kind) for name, kind in kws.items()}
        return self.part.get_call_template(tuple(unliteral(kind) for kind in args), plain)

    def get_overload(self, sig: Any) -> Any:
        return self.part.get_overload(sig)

    @property
    def is_compiling(self) -> bool:
        return bool(self._compiling_counter or self.part._compiling_counter)


INLINE = {"forceinline": True, "pipeline_class": _PartCompiler}
"""Options of an overload: the call is inlined, the rest is left to LLVM."""


def jit(function: F | None = None, /, *, cache: bool = True, **options: Any) -> Any:
    """Return a compiled function; the options are Numba's."""
    if function is None:
        return lambda function: jit(function, cache=cache, **options)
    if COMPILER_OFF:
        return function
    dispatcher = _Dispatcher(function, targetoptions={"nopython": True, "nogil": True} | options)
    if cache:
        dispatcher.enable_caching()
    return dispatcher


def class_of(argument: Any) -> Any:
    """Return the class of a NamedTuple, or of the NamedTuples of a Numba type."""
    return getattr(argument, "instance_class", type(argument))


def dispatch(choose: F | None = None, /, **options: Any) -> Any:
    """Return a function whose implementation is what `choose` returns for its arguments, or, in compiled code, for
    their Numba types: the choice is made at compile time, by `class_of` for example.

    A NamedTuple's type is the same in every process, so the caller can be cached (a jitted function passed as an
    argument could not). The options are Numba's, for the implementation in compiled code.
    """
    if choose is None:
        return lambda choose: dispatch(choose, **options)

    @wraps(choose)
    def function(*arguments: Any) -> Any:
        # A NumPy integer would overflow where Python's grows.
        plain = [int(argument) if isinstance(argument, np.integer) else argument for argument in arguments]
        chosen = choose(*plain)
        if chosen is None:
            raise KeyError(class_of(plain[0]))
        return chosen(*plain)

    if not COMPILER_OFF:
        from numba.extending import overload

        # Not strict: the check of parameter names would compare annotations too.
        @overload(function, strict=False, jit_options=INLINE | options)
        def compiled(*types: Any) -> Any:
            chosen = choose(*types)
            if chosen is None or isinstance(chosen, FunctionType):
                return chosen
            names = ", ".join(f"argument{number}" for number in range(len(types)))
            return function_of(f"def impl({names}): return chosen({names})", chosen=chosen)

    return function


def function_of(source: str, **names: Any) -> Any:
    """Return the function `impl` of some generated source, which may use the names."""
    exec(source, names)
    return names["impl"]


class _Announcer(event.Listener):
    """Print once, on standard error, that compiling takes a moment; record the names of what was compiled. Meanwhile
    the garbage collector rests: it would look at the compiler's millions of objects again and again."""

    def __init__(self) -> None:
        self.announced = bool(os.environ.get("AWALE_QUIET"))
        self.compiled: list[str] = []
        self._collecting: list[bool] = []

    def on_start(self, event: Any) -> None:
        self._collecting.append(gc.isenabled())
        gc.disable()
        self.compiled.append(event.data["dispatcher"].py_func.__qualname__)
        if not self.announced:
            self.announced = True
            from awale import i18n

            print(i18n.text("core.compiling"), file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:
        if self._collecting.pop():
            gc.enable()


announcer = _Announcer()
event.register("numba:compile", announcer)
