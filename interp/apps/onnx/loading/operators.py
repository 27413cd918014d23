"""The table of operators: a function for each, by domain and name."""

from __future__ import annotations

from interp.apps.onnx.loading import (
    constants,
    contractions,
    detection,
    elementwise,
    integer_operators,
    movement,
    ngrams,
    normalization,
    quantized,
    reductions,
    resizing,
    sampling,
    signal,
)
from interp.apps.onnx.loading.node import Build

FAMILIES = (
    constants,
    contractions,
    detection,
    elementwise,
    movement,
    ngrams,
    normalization,
    quantized,
    integer_operators,  # after `quantized`: what it has of the same name keeps more quantized types
    reductions,
    resizing,
    sampling,
    signal,
)
STANDARD = {name: build for family in FAMILIES for name, build in family.TABLE.items()}
MICROSOFT = integer_operators.MICROSOFT | quantized.MICROSOFT
TABLE: dict[tuple[str, str], Build] = {
    **{("", name): build for name, build in STANDARD.items()},
    **{("com.microsoft", name): build for name, build in MICROSOFT.items()},
}


def key(node: object) -> tuple[str, str]:
    """Return the domain and the name of a node's operator; the default domain has two spellings."""
    domain, name = str(getattr(node, "domain", "")), str(getattr(node, "op_type", ""))
    return ("" if domain == "ai.onnx" else domain, name)
