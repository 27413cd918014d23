"""StableHLO's reference interpreter in a process of its own, since it may abort."""

from __future__ import annotations

import pickle
import sys

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from interp.loading.reader import load_dialects


def evaluate(text: str, args: list[np.ndarray]) -> list[np.ndarray]:
    with ir.Context() as context:
        load_dialects(context, True)
        module = ir.Module.parse(text)
        function = next(op for op in module.body if op.name.value == "main")
        types = function.type.inputs
        attributes = [attribute(x, type) for x, type in zip(args, types, strict=True)]
        results = stablehlo.eval_module(module, attributes)
        return [array(r) for r in results]


def attribute(x: np.ndarray, type: ir.Type) -> ir.Attribute:
    """A dense attribute of exactly that type."""
    element = ir.RankedTensorType(type).element_type
    if x.dtype == bool:
        return ir.DenseElementsAttr.get(np.packbits(x, bitorder="little"), type=element, shape=x.shape)
    return ir.DenseElementsAttr.get(np.ascontiguousarray(x), type=element, shape=x.shape)


def array(result: ir.Attribute) -> np.ndarray:
    dense = ir.DenseElementsAttr(result)
    return np.array(dense).reshape(ir.RankedTensorType(dense.type).shape)


if __name__ == "__main__":
    while True:
        try:
            text, args = pickle.load(sys.stdin.buffer)
        except EOFError:
            break
        try:
            reply: object = evaluate(text, args)
        except Exception as error:
            reply = f"{type(error).__name__}: {error}"
        pickle.dump(reply, sys.stdout.buffer)
        sys.stdout.buffer.flush()
