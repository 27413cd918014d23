"""The table of operators: a function for each, by domain and name."""

from __future__ import annotations

from interp.apps.onnx.loading import (
    attention_operators,
    block_weights,
    constants,
    contractions,
    contributed,
    conversions,
    detection,
    elementwise,
    fused_operators,
    indexing,
    integer_operators,
    linear_algebra,
    machine_learning,
    movement,
    ngrams,
    normalization,
    ordering,
    pooling,
    quantized,
    recurrent,
    reductions,
    resizing,
    sampling,
    scores,
    sequences,
    signal,
    subgraphs,
    training,
    trees,
)
from interp.apps.onnx.loading.node import Build

FAMILIES = (
    constants,
    contractions,
    conversions,
    detection,
    elementwise,
    indexing,
    linear_algebra,
    movement,
    ngrams,
    normalization,
    ordering,
    pooling,
    quantized,
    integer_operators,  # after `quantized`: what it has of the same name keeps more quantized types
    recurrent,
    reductions,
    resizing,
    sampling,
    signal,
    sequences,
    subgraphs,
)
STANDARD = {name: build for family in FAMILIES for name, build in family.TABLE.items()}
MICROSOFT_FAMILIES = (
    attention_operators,
    block_weights,
    contributed,
    fused_operators,
    integer_operators,
    quantized,
)
MICROSOFT = {name: build for family in MICROSOFT_FAMILIES for name, build in family.MICROSOFT.items()}
DOMAINS: dict[str, dict[str, Build]] = {
    "": STANDARD,
    "ai.onnx.ml": machine_learning.TABLE | scores.TABLE | trees.TABLE,
    "ai.onnx.preview.training": training.TABLE,
    "com.microsoft": MICROSOFT | {"Trilu": STANDARD["Trilu"]},
}
TABLE: dict[tuple[str, str], Build] = {
    (domain, name): build for domain, table in DOMAINS.items() for name, build in table.items()
}


def key(node: object) -> tuple[str, str]:
    """Return the domain and the name of a node's operator; the default domain has two spellings."""
    domain, name = str(getattr(node, "domain", "")), str(getattr(node, "op_type", ""))
    return ("" if domain == "ai.onnx" else domain, name)
