"""The table of operators: a function for each, by domain and name."""

from __future__ import annotations

from interp.reading.onnx import (
    constants,
    contractions,
    elementwise,
    movement,
    normalization,
    quantized,
    reductions,
    resizing,
)
from interp.reading.onnx.node import Build

FAMILIES = (constants, contractions, elementwise, movement, normalization, quantized, reductions, resizing)
TABLE: dict[tuple[str, str], Build] = {
    ("", name): build for family in FAMILIES for name, build in family.TABLE.items()
}


def key(node: object) -> tuple[str, str]:
    """Return the domain and the name of a node's operator; the default domain has two spellings."""
    domain, name = str(getattr(node, "domain", "")), str(getattr(node, "op_type", ""))
    return ("" if domain == "ai.onnx" else domain, name)
