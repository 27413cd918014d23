"""Text of a conformance case (`cases.py`): comments with its inputs and results, and the program."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from interp.apps.suite.conformance import by_schedule
from spec.constant_text import dense_text
from spec.ir import Dense, Module
from spec.types import TensorType

OTHERS = ("balanced", "blocks(32)")


def case_text(
    module: Module,
    args: Sequence[np.ndarray],
    clause: str,
    why: Sequence[str],
    more: Sequence[str] = (),
    mode: str = "strict",
) -> str:
    """Return the text of a case; `why` are lines before the arguments, `more` lines after the results."""
    types, args = module.main.results, tuple(args)
    given = {tree: by_schedule(module, args, tree, mode) for tree in ("left", *OTHERS)}
    expect = dense(given["left"], types)
    lines = [
        f"clause: {clause}",
        *(["mode: mlir"] if mode == "mlir" else []),
        *(["dialect: rfc"] if module.dialect == "rfc" else []),
        *why,
        "derivation: interp.run under the schedule `left`",
        *(f"args: {text}" for text in dense(args, [value.type for value in module.main.inputs])),
        *(f"expect: {text}" for text in expect),
    ]
    for tree in OTHERS:
        if (texts := dense(given[tree], types)) != expect:
            lines.append(f"permitted ({tree}): {'; '.join(texts)}")
    return "".join(f"// {line}\n" for line in (*lines, *more)) + repr(module) + "\n"


def dense(arrays: Sequence[np.ndarray], types: Sequence[TensorType]) -> list[str]:
    """Return stored elements as MLIR constants of the storage type."""
    return [
        dense_text(Dense(TensorType(type.shape, type.storage_type), np.ascontiguousarray(x).tobytes()))
        for x, type in zip(arrays, types, strict=True)
    ]
