"""Names that the core takes from applications, imported on demand; and recognition of models."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from spec.attributes import Dense
from spec.errors import Unsupported
from spec.ir import Module

# What the core takes from the applications: named as text, and imported when somebody asks for it.
#
# An application may be deleted: what needs it then says so, and all else works as before.

# By name, the module that has it.
HOMES = {
    "case_text": "interp.apps.suite.conformance",
    "notebook": "interp.apps.reports.findings",
    "page": "interp.apps.reports.page",
    "read_case": "interp.apps.suite.cases",
    "read_litert": "interp.apps.litert.model",
    "read_onnx": "interp.apps.onnx.loading.model",
    "write_litert": "interp.apps.litert.writing.write",
}


def on_demand(name: str) -> Any:
    """Return what an application has by this name; `Unsupported` if this installation lacks it."""
    try:
        return getattr(import_module(HOMES[name]), name)
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("interp."):
            raise
        app = HOMES[name].split(".")[2]
        raise Unsupported(f"this installation lacks {app}", "reinstall stablehlo-interp") from None


# Recognition of models by their first bytes, in the process that starts the reader, without `onnx`.

KERNELS = "litert", "micro"  # sets of kernels for LiteRT models, by whose bits a program is made


class LiteRT(NamedTuple):
    """Options of `load` for a LiteRT model: the set of kernels whose bits it gives, and unknown sizes."""

    kernels: str
    dims: Mapping[str, int]


class Onnx(NamedTuple):
    """Options of `load` for a model: the sizes of its symbolic dimensions, and its directory."""

    dims: Mapping[str, Any]
    directory: str


class Arguments(NamedTuple):
    """Arguments of a program as far as sizes depend on them: their static types, and some values.

    values: those of arguments, by position, as attributes (`dense<3> : tensor<i64>`). answers: elements of
    values of a model that a `Question` asked for, by the names of these values.
    """

    types: Sequence[str]
    values: Mapping[int, str]
    answers: Sequence[tuple[str, Dense]] = ()


class Question(NamedTuple):
    """A value whose elements decide sizes of a model: the program of the same arguments that gives it.

    name: that of the value. reason: what it is, and on which arguments it depends.
    """

    program: Module
    name: str
    reason: str


def is_litert(data: bytes, name: str) -> bool:
    """Return whether a file is a LiteRT model: a flatbuffer with its identifier, or named so."""
    return data[4:8] == b"TFL3" or name.endswith(".tflite")


def is_onnx(data: bytes, name: str) -> bool:
    """Return whether a file is an ONNX model: it is named so, or begins with a version and a field."""
    starts = re.match(rb"\x08[\x01-\x3f][\x12\x1a\x22\x28\x32\x3a\x42]", data)
    return name.endswith(".onnx") or starts is not None


def options(name: str, dims: Mapping[str, Any] | None) -> Onnx:
    """Return what is known of a model that was read from `name`, which has brackets if it is not a path."""
    directory = "" if name.startswith("<") else os.path.dirname(os.path.abspath(name))
    return Onnx(dict(dims or {}), directory)
