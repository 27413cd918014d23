"""Results of single operations: by the oracle on all small numbers, and by the engine on a vector."""

from __future__ import annotations

from functools import cache
from itertools import product
from math import inf
from typing import Any

import numpy as np

import interp
from interp.backends.dtypes import numpy_dtype
from spec.ir import Op
from spec.meaning.evaluate import evaluate
from spec.meaning.index import Tensor
from spec.rules.verify import verify
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType, TensorType, parse_element_type
from tests.library import builders

Type = ElementType | QuantizedType
Numbers = tuple[Any, ...]
I4, UI4, I1, F32, F64 = (ELEMENT_TYPES[name] for name in ("i4", "ui4", "i1", "f32", "f64"))
Q = "!quant.uniform<i4:f32, 0.5:1>"
Q4 = parse_element_type(Q)
NUMBERS: dict[Type, Numbers] = {
    I4: tuple(range(-8, 8)),
    UI4: tuple(range(16)),
    I1: (False, True),
    Q4: tuple(range(-8, 8)),
    F32: (-inf, -3.0, -1.5, -0.5, 0.0, 0.25, 1.0, 2.0, 100.0, inf),
}
# Operations with attributes, or of other types than their operands: `%x` is a vector of 4, `%y` a scalar.
SAMPLES = {
    "arith.constant": ("i8", "arith.constant dense<7> :", "tensor<4xi8>"),
    "quant.dcast": (Q, '"quant.dcast"(%x) : (tensor<4xT>) ->', "tensor<4xf32>"),
    "quant.qcast": ("f32", '"quant.qcast"(%x) : (tensor<4xT>) ->', f"tensor<4x{Q}>"),
    "quant.scast": (Q, '"quant.scast"(%x) : (tensor<4xT>) ->', "tensor<4xi4>"),
    "quant.coupled_ref": (
        "f32",
        '"quant.coupled_ref"(%x) {coupledKey = "k"} : (tensor<4xT>) ->',
        "tensor<4xf32>",
    ),
    "quant.stats": (
        "f32",
        '"quant.stats"(%x) {layerStats = dense<0.0> : tensor<2xf32>} : (tensor<4xT>) ->',
        "tensor<4xf32>",
    ),
    "quant.stats_ref": ("f32", '"quant.stats_ref"(%x) {statsKey = "k"} : (tensor<4xT>) ->', "tensor<4xf32>"),
    "bitcast_convert": ("i8", "stablehlo.bitcast_convert %x : (tensor<4xT>) ->", "tensor<4x2xi4>"),
    "broadcast_in_dim": (
        "i8",
        "stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<4xT>) ->",
        "tensor<2x4xi8>",
    ),
    "compare": ("i8", "stablehlo.compare LT, %x, %x : (tensor<4xT>, tensor<4xT>) ->", "tensor<4xi1>"),
    "complex": ("f32", "stablehlo.complex %x, %x :", "tensor<4xcomplex<f32>>"),
    "concatenate": (
        "i8",
        "stablehlo.concatenate %x, %x, dim = 0 : (tensor<4xT>, tensor<4xT>) ->",
        "tensor<8xi8>",
    ),
    "constant": ("i8", "stablehlo.constant dense<7> :", "tensor<4xi8>"),
    "convert": ("i8", "stablehlo.convert %x : (tensor<4xT>) ->", "tensor<4xf32>"),
    "iota": ("i8", "stablehlo.iota dim = 0 :", "tensor<4xi8>"),
    "is_finite": ("f32", "stablehlo.is_finite %x : (tensor<4xT>) ->", "tensor<4xi1>"),
    "pad": (
        "i8",
        "stablehlo.pad %x, %y, low = [1], high = [2], interior = [1] : (tensor<4xT>, tensor<T>) ->",
        "tensor<10xi8>",
    ),
    "reduce_precision": ("f32", "stablehlo.reduce_precision %x, format = e3m1 :", "tensor<4xf32>"),
    "reshape": ("i8", "stablehlo.reshape %x : (tensor<4xT>) ->", "tensor<2x2xi8>"),
    "reverse": ("i8", "stablehlo.reverse %x, dims = [0] :", "tensor<4xi8>"),
    "slice": ("i8", "stablehlo.slice %x [1:4:2] : (tensor<4xT>) ->", "tensor<2xi8>"),
    "transpose": ("i8", "stablehlo.transpose %x, dims = [0] : (tensor<4xT>) ->", "tensor<4xi8>"),
    "uniform_dequantize": (Q, "stablehlo.uniform_dequantize %x : (tensor<4xT>) ->", "tensor<4xf32>"),
    "uniform_quantize": ("f32", "stablehlo.uniform_quantize %x : (tensor<4xT>) ->", f"tensor<4x{Q}>"),
}


def operation(name: str, type: Type, count: int, size: int) -> Op:
    """Return an operation on vectors of one type; what it selects by is a boolean."""
    types = [TensorType((size,), I1 if name == "select" and k == 0 else type) for k in range(count)]
    return builders.operation(name, types, TensorType((size,), type))


@cache
def axes_of(name: str, type: Type, numbers: Numbers = ()) -> tuple[Numbers, ...]:
    """Return for each operand the numbers to try, nothing where an operation does not take the type."""
    for count in (1, 2, 3):
        op = operation(name, type, count, 1)
        if not verify(builders.module(op)):
            own = numbers or NUMBERS[type]
            return tuple(own if v.type.element_type == type else NUMBERS[I1] for v in op.operands)
    return ()


@cache
def tabulated(name: str, type: Type, numbers: Numbers = ()) -> np.ndarray | None:
    """Return the oracle's results on all combinations of numbers; None where it does not take the type."""
    axes = axes_of(name, type, numbers)
    if not axes:
        return None
    columns = tuple(zip(*product(*axes), strict=True))
    program = builders.module(operation(name, type, len(axes), len(columns[0])))
    (found,) = evaluate(
        program, [Tensor(v.type, x) for v, x in zip(program.main.inputs, columns, strict=True)]
    )
    table = np.empty(len(columns[0]), object)
    table[:] = found.elements
    return table.reshape([*map(len, axes)])


def tables(name: str, *types: Type, rank: int = 0) -> list[tuple[Type, np.ndarray]]:
    """Return the types that an operation (on `rank` operands) takes, and its results on each."""
    found = ((type, tabulated(name, type)) for type in types)
    return [(type, table) for type, table in found if table is not None and rank in (0, table.ndim)]


def results(name: str, *inputs: np.ndarray) -> list[np.ndarray]:
    """Return what a program of one operation gives on each vector."""
    if name in SAMPLES:
        element, text, result = SAMPLES[name]
        program = interp.load(
            f"func.func @main(%x: tensor<4x{element}>, %y: tensor<{element}>) -> {result} {{\n"
            f"  %0 = {text.replace('xT', f'x{element}').replace('<T', f'<{element}')} {result}\n"
            f"  return %0 : {result}\n}}"
        )
    else:
        type, table = next(iter(tables(name, Q4, F32, I4)))
        program = builders.module(operation(name, type, table.ndim, 4))
    dtypes = [numpy_dtype(v.type.storage_type) for v in program.main.inputs]
    shapes = [v.type.shape for v in program.main.inputs]
    rows = [
        [np.resize(x, shape).astype(dtype) for shape, dtype in zip(shapes, dtypes, strict=True)]
        for x in inputs
    ]
    return [np.asarray(interp.run(program, *args)[0]) for args in rows]
