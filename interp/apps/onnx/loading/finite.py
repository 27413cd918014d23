"""Bounds of floats that the graph's own quantized types imply, so that NaN need not be thought of.

THEOREM: an operation on numbers of at most a bound, none of them NaN or infinite, gives no NaN, and numbers
of at most the bound below, if that bound is finite in the type. Rounding adds less than `SLACK` to each sum
or product. A value without a rule, or that depends on an argument, has no bound.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, inf, isfinite, prod

import numpy as np

from interp.backends.dtypes import numpy_dtype
from interp.loading.build import Builder
from spec.ir import Op, Value

SLACK = 1.01
MANY = 1 << 17  # numbers, of which f32 rounds a sum by less than `SLACK`
LARGEST = {"f16": 6e4, "f32": 3e38, "bf16": 3e38, "f64": 1e308}
Rule = Callable[[Op, list[float]], float]


def is_bounded(b: Builder, x: Value) -> bool:
    """Return whether no element of a value of this block can be NaN or infinite."""
    for op in b.ops[b.find("bounded") or 0 :]:
        for v in op.results:
            b.keep(("bound", v.name), _bound(b, op))
    b.keep("bounded", len(b.ops))
    return isfinite(_value_bound(b, x))


def _value_bound(b: Builder, x: Value) -> float:
    found = b.find(("bound", x.name))
    return inf if found is None else found


def _bound(b: Builder, op: Op) -> float:
    """Return a bound of the magnitudes of an operation's result, inf if none is known."""
    rule, element = RULES.get(op.name.partition(".")[2]), op.results[0].type.element_type
    if not rule or len(op.results) > 1 or repr(element) not in LARGEST:
        return inf
    bounds = [_value_bound(b, v) for v in op.operands]
    if op.name == "stablehlo.divide":
        bounds[1] = 1 / _least(b, op.operands[1])
    found = rule(op, bounds)
    return found if found < LARGEST[repr(element)] else inf


def _least(b: Builder, x: Value) -> float:
    """Return the least magnitude of a constant, or a tiny number for any other value."""
    op = b.find(("maker", x.name))
    while op and op.name == "stablehlo.broadcast_in_dim":
        op = b.find(("maker", op.operand.name))
    if not op or op.name != "stablehlo.constant" or x.type.is_quantized:
        return 1e-300
    return max(1e-300, float(np.abs(_numbers(op)).min(initial=inf)) / SLACK)


def _numbers(op: Op) -> np.ndarray:
    return np.frombuffer(op["value"].data, numpy_dtype(op.result.type.storage_type)).astype(np.float64)


def _constant(op: Op, _: list[float]) -> float:
    if op.result.type.is_quantized or op.result.type.storage_type.kind != "float":
        return inf
    array = _numbers(op)
    return float(np.abs(array).max(initial=0)) if np.isfinite(array).all() else inf


def _dequantization(op: Op, _: list[float]) -> float:
    type = op.operand.type.quantized_element_type
    parts = zip(type.scales, type.zero_points, strict=True)
    return SLACK * max(
        s * max(abs(end - z) for end in (type.storage_min, type.storage_max)) for s, z in parts
    )


def _sum(op: Op, bounds: list[float]) -> float:
    return SLACK * sum(bounds)


def _product(op: Op, bounds: list[float]) -> float:
    return SLACK * bounds[0] * bounds[1]


def _largest(op: Op, bounds: list[float]) -> float:
    return max(bounds)


def _select(op: Op, bounds: list[float]) -> float:
    return max(bounds[1:])


def _power_of_e(op: Op, bounds: list[float]) -> float:
    return SLACK * exp(bounds[0]) if bounds[0] < 700 else inf


def _dot(op: Op, bounds: list[float]) -> float:
    count = prod(int(op.operands[0].type.shape[d]) for d in op["lhs_contracting_dimensions"])
    return _fold_bound(op, count, bounds[0] * bounds[1])


def _convolution(op: Op, bounds: list[float]) -> float:
    return _fold_bound(op, prod(op.operands[1].type.shape[1:]), bounds[0] * bounds[1])


def _fold_bound(op: Op, count: int, most: float) -> float:
    """Bound a sum of `count` numbers and a start; a narrow accumulator may round by too much."""
    narrow = op.result.type.storage_type.bits < 32
    return inf if narrow or count > MANY else SLACK * (count + 1) * most


def _reduction(op: Op, bounds: list[float]) -> float:
    """Bound a sum; of a maximum the start may be -inf, which stays only where nothing is folded."""
    x, body = op.operands[0].type.shape, op.regions[0].ops[0].name
    window = list(op.attributes.get("window_dimensions") or (x[d] for d in op["dimensions"]))
    if body == "stablehlo.add":
        return _fold_bound(op, prod(window), max(bounds))
    padding = op.attributes.get("padding", ())
    dilated = any(d != 1 for d in op.attributes.get("window_dilations", ()))
    reached = all(low < n and high < n for n, (low, high) in zip(window, padding, strict=False))
    return bounds[0] if body == "stablehlo.maximum" and 0 not in x and reached and not dilated else inf


def _one(op: Op, bounds: list[float]) -> float:
    return 1.0 if isfinite(bounds[0]) else inf


MOVES = "broadcast_in_dim convert gather reshape reverse slice transpose negate abs".split()
RULES: dict[str, Rule] = {
    **dict.fromkeys(MOVES, lambda op, bounds: SLACK * bounds[0]),
    **dict.fromkeys(("concatenate", "maximum", "minimum", "clamp", "pad"), _largest),
    **dict.fromkeys(("add", "subtract"), _sum),
    **dict.fromkeys(("multiply", "divide"), _product),
    **dict.fromkeys(("logistic", "tanh"), _one),
    **dict.fromkeys(("reduce", "reduce_window"), _reduction),
    "constant": _constant,
    "convolution": _convolution,
    "dot_general": _dot,
    "exponential": _power_of_e,
    "select": _select,
    "uniform_dequantize": _dequantization,
}
