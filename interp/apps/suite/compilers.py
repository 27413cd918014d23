"""Compilers that read StableHLO themselves: IREE, and the plugins of PJRT that a path names.

They run in the child process of `children.py`, where StableHLO's verifier has accepted the program.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from interp.apps.runtimes.translation import Reply
from spec.errors import Malformed, Unsupported
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


def iree_versions() -> str:
    return ", ".join(f"{package} {metadata.version(package)}" for package in IREE)


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


PJRT = "pjrt:"  # before the path of a plugin, a shared library
PLATFORM = "judged"  # the name of its platform in JAX


def require_plugin(name: str) -> None:
    """Raise `Malformed` unless `pjrt:PATH` names a file."""
    if not Path(name.removeprefix(PJRT)).is_file():
        advice = "expected pjrt:PATH with the path of a plugin, such as pjrt_c_api_cpu_plugin.so"
        raise Malformed(f"{name}: there is no such file", advice)


def pjrt(name: str, text: str, module: Module, args: Sequence[np.ndarray]) -> Reply:
    """Compile the text with a plugin of PJRT, and run it on the plugin's first device."""
    import jax
    from jaxlib import _jax, xla_client
    from jaxlib.mlir.dialects import stablehlo

    from interp.engine.tensor import jax_dtype
    from interp.execute.xla import to_container

    device = first_device(os.path.abspath(name.removeprefix(PJRT)))
    try:
        types = [value.type for value in module.main.inputs]
        program = stablehlo.serialize_portable_artifact_str(text, stablehlo.get_current_version())
        options, devices = xla_client.CompileOptions(), _jax.DeviceList((device,))
        executable = device.client.compile_and_load(program, devices, options)
        with jax.enable_x64(True):
            given = [
                jax.device_put(x.astype(jax_dtype(type)), device) for x, type in zip(args, types, strict=True)
            ]
            results = executable.execute_sharded(given).disassemble_into_single_device_arrays()
        found = [to_container(x, type) for (x,), type in zip(results, module.main.results, strict=True)]
        return Reply("results", tuple(found))
    except (jax.errors.JaxRuntimeError, ValueError, Unsupported) as error:
        return Reply("unsupported", message=str(error))


@cache
def first_device(path: str) -> Any:
    """Load a plugin into JAX, which has read no other, and return its first device."""
    os.environ["PJRT_NAMES_AND_LIBRARY_PATHS"] = f"{PLATFORM}:{path}"
    import jax

    return jax.devices(PLATFORM)[0]
