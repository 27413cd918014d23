"""The runtimes that can be judged, by the name that `interp conformance --impl` takes.

A runtime's own modules import its packages, so they are imported when it is asked for.
"""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from typing import NamedTuple

from interp.apps.runtimes.translation import Runtime
from spec.errors import Unsupported


class Entry(NamedTuple):
    """A runtime that may be installed: its module here, the packages it needs, and how to get them."""

    module: str
    packages: tuple[str, ...]
    command: str


LITERT = Entry("litert_runtime", ("ai_edge_litert", "flatbuffers"), "pip install ai-edge-litert")
RUNTIMES = {
    "onnxruntime": Entry("onnx_runtime", ("onnx", "onnxruntime"), "pip install onnx onnxruntime"),
    "litert": LITERT,
    "litert-reference": LITERT,
    "tosa": Entry("tosa_runtime", ("tosa_reference_model", "tosa_serializer"), "pip install tosa-tools"),
    "torch": Entry("torch_runtime", ("torch",), "pip install torch"),
}


def missing(name: str) -> list[str]:
    """Return the packages that a runtime needs and that are not installed."""
    return [package for package in RUNTIMES[name].packages if find_spec(package) is None]


def require(name: str) -> None:
    """Raise `Unsupported` with the command that installs what is missing, if anything is."""
    if absent := missing(name):
        raise Unsupported(f"{name} needs {' and '.join(absent)}: not installed", RUNTIMES[name].command)


def runtime(name: str) -> Runtime:
    """Return an installed runtime."""
    module = importlib.import_module(f"interp.apps.runtimes.{RUNTIMES[name].module}")
    found: Runtime = module.RUNTIMES[name]
    return found
