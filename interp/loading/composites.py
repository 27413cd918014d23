"""Composites that mean quantization, read as such: `quant.fake_quant` of Qwix, LiteRT and `interp.jax`.

The composite becomes `stablehlo.uniform_quantize` and `stablehlo.uniform_dequantize`, or `quant.qcast` and
`quant.dcast` for types with blocks, which give the bits of its decomposition. One whose attributes are not
understood stays, and runs as its decomposition.
"""

from __future__ import annotations

import itertools
import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from interp.loading.attributes import constant, unquote
from spec.errors import InterpError
from spec.ir import Dense, Func, Module, Op, Region, Value, callee_names, nested_ops
from spec.types import QuantizedType, parse_element_type, make_quantized

COMPOSITE, FAKE_QUANT, CONSTANT = "stablehlo.composite", "quant.fake_quant", "stablehlo.constant"
CLAMPS = {"stablehlo.clamp", "stablehlo.maximum", "stablehlo.minimum"}
CONVERSIONS = "stablehlo.uniform_quantize", "stablehlo.uniform_dequantize"
CASTS = "quant.qcast", "quant.dcast"  # for types with blocks, to which StableHLO does not quantize
STORAGE = re.compile(r"u?i(\d+)|u(\d+)")


def as_quantized(module: Module) -> Module:
    """Return the program with its fake quantization as operations; one without is returned unchanged.

    `Module.as_written` of the result is the program as it was.
    """
    types = {id(op): type for op in module.ops() if (type := quantized_type(module, op)) is not None}
    if not types:
        return module
    functions = _reachable_functions({name: _rewrite_function(func, types) for name, func in module.functions.items()})
    return replace(module, functions=functions, composed=(functions, module))


def _reachable_functions(functions: dict[str, Func]) -> dict[str, Func]:
    """Return the functions without the private ones that nothing calls any more."""
    while True:
        calls = {name for func in functions.values() for op in nested_ops(func.body) for name in callee_names(op)}
        kept = {name: f for name, f in functions.items() if f.public or name in calls}
        if len(kept) == len(functions):
            return kept
        functions = kept


def quantized_type(module: Module, op: Op) -> QuantizedType | None:
    """Return the type to which an operation quantizes in between, or None if it is no such composite."""
    if op.name != COMPOSITE or op.attributes.get("name") != FAKE_QUANT or len(op.results) != 1:
        return None
    if not op.operands or op.operands[-1].type != op.result.type:
        return None
    text = repr(op.attributes.get("composite_attributes", ""))
    try:
        type = _own(text) or _qwixs(text, op, module)
    except (InterpError, ValueError):
        return None
    return type if type and type.expressed_type == op.result.type.element_type else None


def _own(text: str) -> QuantizedType | None:
    """Return the type that `interp.jax.fake_quant` wrote."""
    found = re.search(r'quantized_type = ("(?:[^"\\]|\\.)*")', text)
    type = parse_element_type(unquote(found[1])) if found else None
    return type if isinstance(type, QuantizedType) else None


def _qwixs(text: str, op: Op, module: Module) -> QuantizedType | None:
    """Return the type in the attributes that Qwix writes.

    `narrow_range` counts only where the decomposition clamps: Qwix writes it for weights, converts them with
    saturation, and so stores -128 all the same.
    """
    storage = re.search(r'\bdtype = "(\w+)"', text)
    scales, points = (_numbers(text, name) for name in ("scale", "zero_point"))
    axis = re.search(r"\bquantization_dimension = (\d+)", text)
    if not storage or not STORAGE.fullmatch(storage[1]) or not scales or (len(scales) > 1 and not axis):
        return None
    expressed = op.result.type.storage_type
    if expressed.kind != "float" or (points and len(points) != len(scales)):
        return None
    if not all(float(point).is_integer() for point in points):
        return None
    type = make_quantized(
        storage[1],
        expressed.name,
        scales,
        [int(z) for z in points or [0] * len(scales)],
        quantization_dimension=int(axis[1]) if axis else None,
    )
    narrow = "narrow_range = true" in text and _clamps(module, op)
    return replace(type, storage_min=type.storage_min + 1) if narrow else type


def _numbers(text: str, name: str) -> Sequence[float]:
    """Return the numbers of an attribute `name = dense<...>`; none if it is absent or empty."""
    found = re.search(rf"\b{name} = (dense<[^>]*> : tensor<[^>]*>)", text)
    dense = constant(found[1], lambda: b"") if found else None
    if not isinstance(dense, Dense) or dense.type.storage_type.name not in ("f32", "f64", "i64", "i32"):
        return ()
    code = {"f32": "<f", "f64": "<d", "i64": "<q", "i32": "<i"}[dense.type.storage_type.name]
    numbers = [x for (x,) in struct.iter_unpack(code, dense.data)]
    return numbers * (dense.type.size if dense.splat else 1)


def _clamps(module: Module, composite: Op) -> bool:
    """Return whether the decomposition, or a function that it calls, clamps; one may call itself."""
    seen: set[str] = set()
    todo = [*callee_names(composite)]
    while todo:
        name = todo.pop()
        if name in seen or name not in module.functions:
            continue
        seen.add(name)
        for op in nested_ops(module.functions[name].body):
            if op.name in CLAMPS:
                return True
            todo += callee_names(op)
    return False


def _rewrite_function(func: Func, types: dict[int, QuantizedType]) -> Func:
    """Return a function with conversions in place of composites, and without the constants they took."""
    values = [*func.inputs, *(v for op in nested_ops(func.body) for v in (*op.results, *_arguments(op)))]
    names, taken = {v.name for v in values}, set[str]()
    body = _rewrite_region(func.body, types, names, taken)
    read = {v.name for op in nested_ops(body) for v in op.operands}
    ops = tuple(op for op in body.ops if op.name != CONSTANT or op.result.name in read | (names - taken))
    return replace(func, body=replace(body, ops=ops))


def _arguments(op: Op) -> Iterator[Value]:
    return (v for region in op.regions for v in region.arguments)


def _rewrite_region(region: Region, types: dict[int, QuantizedType], names: set[str], taken: set[str]) -> Region:
    """Return a region with conversions; `taken` gets the names of operands that stood for parameters."""
    ops: list[Op] = []
    for op in region.ops:
        if id(op) not in types:
            regions = tuple(_rewrite_region(inner, types, names, taken) for inner in op.regions)
            ops.append(replace(op, regions=regions) if regions else op)
            continue
        taken |= {v.name for v in op.operands[:-1]}
        stem = op.result.name.removeprefix("%").replace("#", "_")
        spellings: Iterator[Any] = (f"%stored{k or ''}.{stem}" for k in itertools.count())
        name = next(name for name in spellings if name not in names)
        names.add(name)
        stored = Value(name, replace(op.result.type, element_type=types[id(op)]))
        to, back = CASTS if types[id(op)].block_sizes is not None else CONVERSIONS
        ops.append(Op(to, op.operands[-1:], (stored,), location=op.location))
        ops.append(Op(back, (stored,), op.results, location=op.location))
    return replace(region, ops=tuple(ops))
