"""Constants of a program: their arrays, and those of operations on constants alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from interp.backends.dtypes import numpy_dtype
from interp.engine.facts import facts
from interp.execute.run import run
from spec.ir import Func, Module, Op, Region, Value

BROADCAST = "stablehlo.broadcast_in_dim"
CONSTANTS = ("stablehlo.constant", "arith.constant")
FOLDED = 1 << 20  # elements of a constant that is computed here


def array_of(op: Op) -> np.ndarray:
    """Return the stored numbers of a constant, a view that repeats where it is a splat."""
    dense, type = op["value"], op.result.type
    stored = np.frombuffer(dense.data, numpy_dtype(type.storage_type))
    return np.broadcast_to(stored.reshape(() if dense.splat else type.shape), type.shape)


def folds(op: Op) -> bool:
    """Return whether an operation on constants is computed here."""
    if not op.operands or op.regions or op.name == "stablehlo.custom_call":
        return False
    if facts(op).family not in ("elementwise", "structure", "conversion"):
        return False
    small = all(v.type.size <= FOLDED and not v.type.is_quantized for v in op.results)
    return op.name == BROADCAST or small


def fold_operation(op: Op, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return the results of an operation on constants; a broadcast is a view."""
    if op.name == BROADCAST:
        return [broadcast(arrays[0], op)]
    return [x.storage for x in run_operation(op, arrays)]


def broadcast(array: np.ndarray, op: Op) -> np.ndarray:
    """Return a view of an array that repeats along the dimensions of a broadcast."""
    shape = op.result.type.shape
    placed = [1] * len(shape)
    for d, n in zip(op["broadcast_dimensions"], array.shape, strict=True):
        placed[d] = n
    return np.broadcast_to(array.reshape(placed), shape)


def run_operation(op: Op, arrays: Sequence[np.ndarray]) -> Sequence[Any]:
    """Return the results of one operation, run on constants."""
    arguments = tuple(Value(f"%arg{k}", v.type) for k, v in enumerate(op.operands))
    last = Op("func.return", op.results, ())
    body = Region(arguments, (replace(op, operands=arguments), last))
    return run(Module({"main": Func("main", body, tuple(v.type for v in op.results))}), *arrays)


def constants_of(region: Region) -> dict[str, np.ndarray]:
    """Return the arrays of the values of a block that depend on constants alone."""
    found: dict[str, np.ndarray] = {}
    for op in region.ops:
        if op.name in CONSTANTS and not op.result.type.is_quantized:
            found[op.result.name] = array_of(op)
        elif folds(op) and all(v.name in found for v in op.operands):
            results = fold_operation(op, [found[v.name] for v in op.operands])
            found |= {v.name: x for v, x in zip(op.results, results, strict=True)}
    return found
