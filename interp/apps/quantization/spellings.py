"""Quantization as training and exporters spell it, as `uniform_quantize` and `uniform_dequantize`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from interp.apps.quantization.constants import CONSTANT, array
from interp.apps.quantization.kernels import (
    DEQUANTIZE,
    QUANTIZE,
    REGION,
    STATS,
    Names,
    definitions,
    in_blocks,
    rebuild,
)
from interp.rewrite.inlining import inline_calls
from spec.ir import Func, Module, Op
from spec.op_attributes import FORMS, attribute_or_default, axis_of, bounds
from spec.types import ELEMENT_TYPES, QuantizedType, TensorType, integer


def with_pairs(module: Module) -> Module:
    """Replace fake quantization that only regions read by `uniform_quantize` and `uniform_dequantize`.

    The grid of numbers is the same. Halves between them go to the even stored number, where fake
    quantization goes to the larger one.
    """
    if not any(op.name in FORMS for op in module.ops()):
        return module
    names, known, readers = Names.of(module), definitions(module), _readers(module)

    def change(op: Op) -> Sequence[Op]:
        if op.name not in FORMS or readers.get(op.results[0].name) != {REGION}:
            return (op,)
        type = fake_type(op, known)
        if type is None:
            return (op,)
        held = TensorType(op.result.type.shape, type)
        value = replace(op.result, name=names.fresh(f"{op.result.name}.stored"), type=held)
        quantize = Op(QUANTIZE, op.operands[:1], (value,), location=op.location)
        return quantize, Op(DEQUANTIZE, (value,), op.results, location=op.location)

    return rebuild(module, change)


def _readers(module: Module) -> dict[str, set[str]]:
    """Return the names of the operations that read each value, behind statistics of it."""
    found: dict[str, set[str]] = {}
    for op in reversed(list(module.ops())):
        names = found.get(op.result.name, set()) if op.name in STATS else {op.name}
        for v in op.operands:
            found.setdefault(v.name, set()).update(names)
    return found


def fake_type(op: Op, known: Mapping[str, Op]) -> QuantizedType | None:
    """Return the type with the grid of a fake quantization, its numbers shifted into signed storage.

    None for gradients, for ranges that are not known, and for such as have only zero.
    """
    ranges = None if FORMS[op.name].gradient else _ranges(op, known)
    if ranges is None or any(low >= high for low, high in ranges):
        return None
    bits, narrow = attribute_or_default(op, "num_bits"), bool(attribute_or_default(op, "narrow_range"))
    half = 2 ** (bits - 1)
    grids = [_grid(low, high, int(narrow), 2 * half - 1) for low, high in ranges]
    if not all(np.isfinite(scale) and scale > 0 for scale, _ in grids):
        return None
    storage = integer(next(size for size in (8, 16, 32) if bits <= size), True)
    scales, points = tuple(s for s, _ in grids), tuple(p - half for _, p in grids)
    least, f32 = narrow - half, ELEMENT_TYPES["f32"]
    return QuantizedType(storage, least, half - 1, f32, scales, points, axis_of(op), spelling=storage.name)


def _ranges(op: Op, known: Mapping[str, Op]) -> list[tuple[float, float]] | None:
    """Return the range of the whole or of each slice, where attributes or constants give it."""
    if not FORMS[op.name].vars:
        return bounds(op)
    constants = [known.get(v.name) for v in op.operands[-2:]]
    if any(c is None or c.name != CONSTANT for c in constants):
        return None
    low, high = (array(c).astype(np.float64).reshape(-1).tolist() for c in constants if c is not None)
    return list(zip(low, high, strict=True))


def _grid(low: float, high: float, least: int, most: int) -> tuple[float, int]:
    """Return the step and the number of zero, in f32 as TensorFlow computes them."""
    with np.errstate(all="ignore"):
        first, steps = np.float32(low), np.float32(most - least)
        scale = (np.float32(high) - first) / steps
        zero = float(np.float32(least) - first / scale)
    return float(scale), least if zero < least else most if not zero <= most else int(zero + 0.5)


# Exporters' quantization as `uniform_quantize` and `uniform_dequantize`: custom calls and casts.

SPELLINGS = {
    "odml_torch.uniform_quantize": "stablehlo.uniform_quantize",
    "odml_torch.uniform_dequantize": "stablehlo.uniform_dequantize",
    "quant.qcast": "stablehlo.uniform_quantize",
    "quant.dcast": "stablehlo.uniform_dequantize",
}


def spell_out(module: Module, entry: Func) -> Module:
    """Return the program without calls, its quantization spelled as StableHLO's own operations.

    Composites become calls: the reader has rewritten those that it knows, and arithmetic is recognized later.
    """
    functions = {name: _decompose(func) for name, func in module.functions.items()}
    flat = inline_calls(replace(module, functions=functions), functions[entry.name])
    main = flat.main
    body = in_blocks(main.body, lambda block: replace(block, ops=tuple(map(spell, block.ops))))
    return replace(flat, functions={**flat.functions, "main": replace(main, body=body)})


def _decompose(func: Func) -> Func:
    """Return a function whose composites are calls."""

    def change(op: Op) -> Op:
        op = replace(op, regions=tuple(replace(r, ops=tuple(map(change, r.ops))) for r in op.regions))
        if op.name != "stablehlo.composite":
            return op
        return replace(op, name="func.call", attributes={"callee": op["decomposition"]})

    return replace(func, body=replace(func.body, ops=tuple(map(change, func.body.ops))))


def spell(op: Op) -> Op:
    """Return the operation, or the one that quantizes as it does; types with blocks have none."""
    name = SPELLINGS.get(op.attributes.get("call_target_name", op.name))
    if name is None:
        return op
    types = [v.type.quantized_element_type for v in (*op.operands, *op.results) if v.type.is_quantized]
    if any(type.block_sizes is not None for type in types):
        return op
    return replace(op, name=name, attributes={})
