"""Writes a conformance case (`cases.py`): a program below its inputs and what it gives."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from interp.suite.conformance import by_schedule
from spec.constant_text import dense_text
from spec.ir import Dense, Module
from spec.types import TensorType

ORDERS = ("balanced", "blocks(32)")


def case_of(
    module: Module,
    args: Sequence[np.ndarray],
    clause: str,
    why: Sequence[str],
    more: Sequence[str] = (),
    mode: str = "strict",
) -> str:
    """The case's text. `why`: lines before the arguments, `more`: lines after the results."""
    types, args = module.main.results, tuple(args)
    orders = {order: by_schedule(module, args, order, mode) for order in ("left", *ORDERS)}
    expect = dense(orders["left"], types)
    lines = [
        f"clause: {clause}",
        *(["mode: mlir"] if mode == "mlir" else []),
        *(["dialect: rfc"] if module.dialect == "rfc" else []),
        *why,
        "derivation: interp.run in the order `left`",
        *(f"args: {text}" for text in dense(args, [value.type for value in module.main.inputs])),
        *(f"expect: {text}" for text in expect),
    ]
    for order in ORDERS:
        if (texts := dense(orders[order], types)) != expect:
            lines.append(f"permitted ({order}): {'; '.join(texts)}")
    return "".join(f"// {line}\n" for line in (*lines, *more)) + repr(module) + "\n"


def dense(arrays: Sequence[np.ndarray], types: Sequence[TensorType]) -> list[str]:
    """Stored elements as constants of the storage type."""
    return [
        dense_text(Dense(TensorType(type.shape, type.storage_type), np.ascontiguousarray(x).tobytes()))
        for x, type in zip(arrays, types, strict=True)
    ]
