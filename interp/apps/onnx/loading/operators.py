"""The table of operators: a function for each, by domain and name."""

from __future__ import annotations

from interp.apps.onnx.loading import (
    attention_operators,
    block_weights,
    constants,
    contractions,
    elementwise,
    fused_operators,
    integer_operators,
    movement,
    normalization,
    quantized,
    recurrent,
    reductions,
    resizing,
    sequences,
    subgraphs,
)
from interp.apps.onnx.loading.node import Build

FAMILIES = (
    constants,
    contractions,
    elementwise,
    movement,
    normalization,
    quantized,
    integer_operators,  # after `quantized`: what it has of the same name keeps more quantized types
    recurrent,
    reductions,
    resizing,
    sequences,
    subgraphs,
)
STANDARD = {name: build for family in FAMILIES for name, build in family.TABLE.items()}
MICROSOFT_FAMILIES = (
    attention_operators,
    block_weights,
    fused_operators,
    integer_operators,
    quantized,
)
MICROSOFT = {name: build for family in MICROSOFT_FAMILIES for name, build in family.MICROSOFT.items()}
TABLE: dict[tuple[str, str], Build] = {
    **{("", name): build for name, build in STANDARD.items()},
    **{("com.microsoft", name): build for name, build in MICROSOFT.items()},
}


def key(node: object) -> tuple[str, str]:
    """Return the domain and the name of a node's operator; the default domain has two spellings."""
    domain, name = str(getattr(node, "domain", "")), str(getattr(node, "op_type", ""))
    return ("" if domain == "ai.onnx" else domain, name)
