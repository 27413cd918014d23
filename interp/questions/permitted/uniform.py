"""Programs whose integer reading equals the dequantize reading of the same program in f64."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from interp.engine.quant import in_f64, round_parameters
from interp.engine.retyped import retype_function
from interp.speed.units import FAR_FROM_THE_ENDS
from spec.integer_reading import PRODUCTS, in_integers
from spec.ir import Func, Module, Op, nested_ops
from spec.readings import MOVES
from spec.types import QuantizedType
from spec.verify import callees


def uniform(module: Module, func: Func) -> Module | None:
    """Return the program with the expressed type f64, or None if its results may be others.

    THEOREM: they do not, as in `interp/speed/units.py`, if all scales of a function and its callees are
    equal, and every operation on quantized types is computed with integers in the integer reading and is not
    a product, or moves stored elements, or is a reduction by such a body.
    """
    names = [func.name, *callees(module, func.name)]
    ops = [op for name in names for op in nested_ops(module[name].body)]
    scales = {round_parameters(type).scales for op in ops for type in _quantized_types(op)}
    far = all(FAR_FROM_THE_ENDS[0] < scale < FAR_FROM_THE_ENDS[1] for each in scales for scale in each)
    if len(scales) != 1 or not far or not all(map(_is_uniform, ops)):
        return None
    retyped = lambda f: retype_function(f, in_f64) if f.body.ops else f
    functions = {name: retyped(f) for name, f in module.functions.items()}
    return replace(module, functions=functions)


def _is_uniform(op: Op) -> bool:
    types = [*_quantized_types(op)]
    if any(not type.is_per_tensor or not type.storage_type.is_integer for type in types):
        return False
    moves = op.name in MOVES
    return not types or moves or (in_integers(op) and op.name not in PRODUCTS)


def _quantized_types(op: Op) -> Iterator[QuantizedType]:
    arguments = [value for region in op.regions for value in region.arguments]
    for value in (*op.operands, *op.results, *arguments):
        if isinstance(value.type.element_type, QuantizedType):
            yield value.type.element_type
