"""Nodes that constants determine: their results, computed by the `onnx` package's own reference evaluator.

Exporters compute shapes in the graph (Shape, Gather, Concat, Reshape). With static sizes all of that is known
here, so the program has only its results.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from onnx import AttributeProto, helper

from interp.apps.onnx.loading.tensors import element_of_dtype

SMALL = 1 << 12  # elements of an input, above which a tensor is data and not a shape
# Operators whose results are not much larger than their inputs.
FOLDED = frozenset(
    "Abs Add And Cast CastLike Ceil Clip Concat Div Equal Flatten Floor Gather GatherElements Greater "
    "GreaterOrEqual Identity Less LessOrEqual Max Min Mod Mul Neg Not Or Pow Reciprocal ReduceMax ReduceMin "
    "ReduceProd ReduceSum Reshape Round Sign Slice Split Sqrt Squeeze Sub Sum Transpose Unsqueeze Where "
    "Xor".split()
)


def folds(node: Any, inputs: Sequence[Any]) -> bool:
    """Return whether a node is computed here: all its inputs are known and small."""
    given = [symbol for symbol in inputs if symbol is not None]
    if node.domain not in ("", "ai.onnx") or node.op_type not in FOLDED or not given:
        return False
    if any(a.type in (AttributeProto.GRAPH, AttributeProto.GRAPHS) for a in node.attribute):
        return False
    return all(symbol.is_known and symbol.known().size <= SMALL for symbol in given)


def computed(node: Any, arrays: Sequence[np.ndarray], opsets: Any) -> list[np.ndarray]:
    """Return the results of a node on arrays; whatever the evaluator raises is a ValueError."""
    from onnx.reference import ReferenceEvaluator

    names = [name for name in node.input if name]
    typed = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)
        for name, x in dict(zip(names, arrays, strict=True)).items()
    ]
    outputs = [helper.make_empty_tensor_value_info(name) for name in node.output if name]
    graph = helper.make_graph([node], "node", typed, outputs)
    try:
        evaluator = ReferenceEvaluator(helper.make_model(graph, opset_imports=opsets))
        with np.errstate(all="ignore"):
            results = evaluator.run(None, dict(zip(names, arrays, strict=True)))
    except Exception as error:  # the evaluator checks nothing: any exception of Python or NumPy may come
        raise ValueError(f"{type(error).__name__}: {error}") from None
    return [np.asarray(x) for x in results]


def is_exact(array: np.ndarray) -> bool:
    """Return whether an array has no floats, which the program's own operations are to compute."""
    return element_of_dtype(array.dtype).kind not in ("float", "complex")
