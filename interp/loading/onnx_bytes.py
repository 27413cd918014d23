"""Recognition of ONNX models by their first bytes, in the process that starts the reader, without `onnx`."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import NamedTuple


class Onnx(NamedTuple):
    """Options of `load` for a model: the sizes of its symbolic dimensions, and its directory."""

    dims: Mapping[str, int]
    directory: str


def is_onnx(data: bytes, name: str) -> bool:
    """Return whether a file is an ONNX model: it is named so, or begins with a version and a field."""
    starts = re.match(rb"\x08[\x01-\x3f][\x12\x1a\x22\x28\x32\x3a\x42]", data)
    return name.endswith(".onnx") or starts is not None


def options(name: str, dims: Mapping[str, int] | None) -> Onnx:
    """Return what is known of a model that was read from `name`, which has brackets if it is not a path."""
    directory = "" if name.startswith("<") else os.path.dirname(os.path.abspath(name))
    return Onnx(dict(dims or {}), directory)
