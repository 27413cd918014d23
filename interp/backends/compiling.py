"""Compilation by numba, kept on disk: the same code is compiled once, for all processes that come after.

A file is named by everything that the machine code depends on: the text of the function and of what it
calls, types, the versions of Python, NumPy and numba, and the name and features of the processor. Where a
folder cannot be written, or a file not be read, code is compiled again.
"""

from __future__ import annotations

import hashlib
import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.cpu import CPUTargetOptions
from numba.core.options import TargetOptions
from numba.core.serialize import dumps

from interp.backends.machine_code import folder, read_code, write_code

OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "noalias": True,
    "no_cfunc_wrapper": True,  # for callers from C, of whom there are none
}
INNER = {**OPTIONS, "no_cpython_wrapper": True}  # of functions that only compiled code calls
VERSIONS = numba.__version__, llvmlite.__version__, np.__version__, sys.version

CPUTargetOptions.noalias = TargetOptions.Mapping("noalias")  # or LLVM would compare all pairs of arrays


def jit_cached(function: Callable[..., Any], text: str) -> Any:
    """Return a function for numba to compile when it is called; `text` tells it from others of its name.

    No product is fused with a sum, and nothing is assumed of NaN and infinities. Arrays must not overlap.
    """
    jit: Any = numba.njit
    dispatcher = jit(**OPTIONS)(function)
    if folder():
        with suppress(OSError):  # the text of a module cannot be read
            dispatcher._cache = _Kept(dispatcher.py_func, digest(text))
    return dispatcher


def jit_inner(function: Callable[..., Any]) -> Any:
    """Return a function that only compiled code may call; it is kept in the file of its caller.

    It has no wrapper to compile; called by Python, it would end the process.
    """
    jit: Any = numba.njit
    return jit(**INNER)(function)


@cache
def digest(text: str) -> str:
    """Return a name for code and everything around it that its machine code depends on."""
    around = (Path(__file__), Path(__file__).with_name("scalar_functions.py"))
    parts = [text, *(path.read_text(encoding="utf-8") for path in around), *VERSIONS]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


class _Files:
    """Compiled code of one function, a file for each of its types; a damaged file counts as none."""

    def __init__(self, digest: str) -> None:
        self.digest = digest

    def path(self, key: Any) -> Path:
        """Return the file for numba's key: types, processor and bytecode."""
        known = folder()
        assert known
        return known / f"{hashlib.sha256((self.digest + repr(key)).encode()).hexdigest()}.bin"

    def load(self, key: Any) -> Any:
        code = read_code(self.path(key))
        if code is None:
            return None
        try:
            return pickle.loads(code)
        except Exception:  # of whatever numba rebuilds; it can be compiled again
            return None

    def save(self, key: Any, data: Any) -> None:
        write_code(self.path(key), dumps(data))


class _Kept(FunctionCache):
    """Numba's cache of a function, on our files."""

    def __init__(self, function: Callable[..., Any], digest: str) -> None:
        self._name, self._py_func, self._impl = repr(function), function, _Results()
        self._cache_path, files = str(folder()), _Files(digest)
        self._cache_file: Any = files
        self.enable()

    def save_overload(self, sig: Any, data: Any) -> None:
        if not (data.lifted or data.library.has_dynamic_globals):
            with suppress(OSError):
                self._cache_file.save(self._index_key(sig, data.codegen), self._impl.reduce(data))


class _Results(CompileResultCacheImpl):
    """Compiled code as something to pickle; it looks for no source file."""

    def __init__(self) -> None:
        pass
