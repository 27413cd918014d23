"""Compilers that read StableHLO themselves: IREE, and the plugins of PJRT that a path names.

They run in the child process of `children.py`, which StableHLO's verifier has let the program through.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.util import find_spec

import numpy as np

from interp.apps.runtimes.translation import Reply
from spec.errors import Unsupported
from spec.ir import Module

IREE = ("iree-base-compiler", "iree-base-runtime")
# By default IREE computes f64 in f32, takes no f64 arrays, and compiles for a CPU without conversions of f16.
AS_WRITTEN = (
    "--iree-input-demote-f64-to-f32=false",
    "--iree-input-demote-i64-to-i32=false",
    "--iree-llvmcpu-target-cpu=host",
)
ENDED = re.compile(r"Error code: -(\d+)")  # of iree-compile, by a signal
NARROW = "IREE's arrays in Python have no elements of fewer than 8 bits"


def has_iree() -> bool:
    """Return whether both packages of IREE are installed."""
    return find_spec("iree") is not None and all(map(find_spec, ("iree.compiler", "iree.runtime")))


def require_iree() -> None:
    """Raise `Unsupported` with the command that installs IREE, if it is not there."""
    if not has_iree():
        raise Unsupported("iree is not installed", f"pip install {' '.join(IREE)}")


def iree(text: str, module: Module, args: Sequence[np.ndarray]) -> Reply:
    """Run IREE's compiler for this CPU, and its runtime."""
    import iree.compiler
    import iree.runtime

    types = [*(value.type for value in module.main.inputs), *module.main.results]
    if any(1 < type.storage_type.bits < 8 for type in types):
        return Reply("unsupported", message=NARROW)
    try:
        binary = iree.compiler.compile_str(
            text, input_type="stablehlo", target_backends=["llvm-cpu"], extra_args=AS_WRITTEN
        )
    except iree.compiler.CompilerToolError as error:
        return failure(str(error))
    function = iree.runtime.load_vm_flatbuffer(binary, driver="local-sync")[module.main.name]
    try:
        results = function(*args)
    except NotImplementedError as error:  # collectives, which a single device has not
        return Reply("unsupported", message=str(error))
    results = results if isinstance(results, tuple | list) else (results,)
    return Reply("results", tuple(np.asarray(x) for x in results))


def failure(message: str) -> Reply:
    """Return how `iree-compile` failed: it refused the program with a diagnostic, or it ended by a signal."""
    diagnostics = message.partition("Diagnostics:\n")[2].partition("\n\nInvoked with:")[0].strip()
    if ended := ENDED.search(message):
        return Reply("crashed", message=f"iree-compile: signal {ended[1]}\n{diagnostics}")
    return Reply("unsupported", message=diagnostics)
