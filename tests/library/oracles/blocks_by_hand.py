"""Operations on blocked types in exact fractions: a table for every element, and rounding by `exact_model`.

A tensor is a dict from indices to numbers: stored integers, or fractions for floats (inf and nan as floats).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from spec.ir import Op
from spec.types import ElementType, QuantizedType, TensorType
from tests.library.oracles.exact_model import Real, combined, finite, fl, is_nan
from tests.library.oracles.products_by_hand import pairs, space

Index = tuple[int, ...]
Numbers = Mapping[Index, Any]


def parameters(type: TensorType, index: Index) -> tuple[Fraction, int]:
    """Return the scale and the zero point of one element."""
    q = type.quantized_element_type
    place: Sequence[int] = ()
    if q.quantization_dimension is not None:
        place = (index[q.quantization_dimension],)
        sizes: Sequence[int] = (len(q.scales),)
    elif q.block_sizes is not None:
        block = dict(q.block_sizes)
        place = [i // block[axis] if axis in block else 0 for axis, i in enumerate(index)]
        sizes = q.parameters_shape
    flat = 0
    for i, n in zip(place, sizes if place else (), strict=True):
        flat = flat * n + i
    scale = fl(Fraction(q.scales[flat]), q.expressed_type)
    assert isinstance(scale, Fraction)
    return scale, q.zero_points[flat]


def real(x: Any, type: TensorType, index: Index) -> Real:
    """Return the number that an element means."""
    if not type.is_quantized:
        return x  # type: ignore[no-any-return]
    T, (scale, zero_point) = type.quantized_element_type.expressed_type, parameters(type, index)
    return combined("*", fl(Fraction(x - zero_point), T), scale, T)


def stored(x: Real, type: TensorType, index: Index) -> Any:
    """Return a number as an element of this type holds it."""
    if not type.is_quantized:
        return x
    q, (scale, zero_point) = type.quantized_element_type, parameters(type, index)
    T = q.expressed_type
    b = combined("+", combined("/", x, scale, T), fl(Fraction(zero_point), T), T)
    if is_nan(b):
        return min(max(0, q.storage_min), q.storage_max)
    if not finite(b):
        return q.storage_max if b > 0 else q.storage_min
    low, high = (fl(Fraction(v), T) for v in (q.storage_min, q.storage_max))
    return min(max(round(Fraction(min(max(b, low), high))), q.storage_min), q.storage_max)


def expressed(type: TensorType) -> ElementType:
    element = type.element_type
    return element.expressed_type if isinstance(element, QuantizedType) else element


FUNCTIONS: dict[str, Callable[..., Real]] = {
    "abs": lambda T, x: abs(x),
    "add": lambda T, x, y: combined("+", x, y, T),
    "maximum": lambda T, x, y: x if is_nan(x) or (not is_nan(y) and x > y) else y,
    "minimum": lambda T, x, y: x if is_nan(x) or (not is_nan(y) and x < y) else y,
    "multiply": lambda T, x, y: combined("*", x, y, T),
    "negate": lambda T, x: -x,
    "subtract": lambda T, x, y: combined("+", x, -y, T),
    "uniform_dequantize": lambda T, x: x,
    "uniform_quantize": lambda T, x: x,
    "clamp": lambda T, low, x, high: min(max(x, low), high),
    "select": lambda T, p, x, y: x if p else y,
}


def evaluate(op: Op, operands: Sequence[Numbers], integers: bool = False, order: str = "left") -> Numbers:
    """Return the result of an operation; integers: of a contraction in the integer reading, in i32."""
    name = op.name.removeprefix("stablehlo.")
    if name in FUNCTIONS:
        return _elementwise(op, operands, FUNCTIONS[name])
    if name in ("dot_general", "convolution"):
        return _contraction(op, operands, integers)
    if name == "reduce":
        return _reduce(op, operands)
    sources = moves(op)
    return {i: operands[sources[i][0]][sources[i][1]] for i in space(op.result.type.shape)}


def _elementwise(op: Op, operands: Sequence[Numbers], function: Callable[..., Real]) -> Numbers:
    type = op.result.type
    found = {}
    for i in space(type.shape):
        places = [i if x.type.rank else () for x in op.operands]
        numbers = [real(x[at], v.type, at) for x, v, at in zip(operands, op.operands, places, strict=True)]
        found[i] = stored(function(expressed(type), *numbers), type, i)
    return found


def _contraction(op: Op, operands: Sequence[Numbers], integers: bool) -> Numbers:
    lhs, rhs = (value.type for value in op.operands)
    T, type, found = expressed(op.result.type), op.result.type, {}
    every = {i: pairs(op, i) for i in space(type.shape)}
    reals: list[Numbers] = []
    if not integers:
        reals = [
            {a: real(x, t, a) for a, x in xs.items()} for xs, t in zip(operands, (lhs, rhs), strict=True)
        ]
    cuts = _cuts(every, lhs, rhs) if integers else set()
    for i, places in every.items():
        if integers:
            found[i] = _by_blocks(op, i, places, operands, cuts)
            continue
        total: Real = Fraction(0)
        for a, b in places:
            if a is not None:
                term = combined("*", reals[0][a], reals[1][b], T)
                total = combined("+", total, term, T)
        found[i] = stored(total, type, i)
    return found


def _cuts(every: Mapping[Index, Any], lhs: TensorType, rhs: TensorType) -> set[int]:
    """Return the leaves at which the pair of scales is another one than before, for any result."""
    cuts = set()
    for places in every.values():
        for side, type in enumerate((lhs, rhs)):
            last = None
            for k, indices in enumerate(places):
                scale = None if indices[side] is None else parameters(type, indices[side])[0]
                if scale is not None:
                    if last is not None and scale != last:
                        cuts.add(k)
                    last = scale
    return cuts


def _wrap(total: int) -> int:
    return (total + 2**31) % 2**32 - 2**31


def _by_blocks(op: Op, i: Index, places: Any, operands: Sequence[Numbers], cuts: set[int]) -> int:
    """Return an integer sum per block, scaled and rounded once, and the sum of these."""
    lhs, rhs, T, type = *(value.type for value in op.operands), expressed(op.result.type), op.result.type
    total, block = Fraction(0), 0
    scales: Any = None
    sums: list[tuple[int, Any]] = []
    for k, (a, b) in enumerate(places):
        if k in cuts:
            sums.append((block, scales))
            block = 0
            scales = None
        if a is not None:
            (s, z), (t, y) = parameters(lhs, a), parameters(rhs, b)
            block = _wrap(block + (operands[0][a] - z) * (operands[1][b] - y))
            scales = s * t
    sums.append((block, scales))
    if not cuts:
        scale, zero_point = parameters(type, i)
        q = type.quantized_element_type
        whole = round(Fraction(block) * (scales or 0) / scale) + zero_point
        return min(max(whole, q.storage_min), q.storage_max)
    for block, scale in sums:
        total = combined("+", total, fl(block * (scale or Fraction(0)), T), T)  # type: ignore[assignment]
    return stored(total, type, i)  # type: ignore[no-any-return]


def _reduce(op: Op, operands: Sequence[Numbers]) -> Numbers:
    (x, init), body = operands, FUNCTIONS[op.regions[0].ops[0].name.removeprefix("stablehlo.")]
    source, own = op.operands[0].type, op.regions[0].returns[0].type
    enter = lambda v, type, i: (
        v if type.element_type == own.element_type else stored(real(v, type, i), own, ())
    )
    found = {}
    for i in space(op.result.type.shape):
        total = enter(init[()], op.operands[1].type, ())
        for k in space([source.shape[d] for d in op["dimensions"]]):
            rest, inner = iter(i), dict(zip(op["dimensions"], k, strict=True))
            at = tuple(inner[d] if d in inner else next(rest) for d in range(source.rank))
            leaf = enter(x[at], source, at)
            total = stored(body(expressed(own), real(total, own, ()), real(leaf, own, ())), own, ())
        found[i] = total
    return found


def moves(op: Op) -> dict[Index, tuple[int, Index]]:
    """Return which operand, and which element of it, each element of the result is."""
    name, shape = op.name.removeprefix("stablehlo."), op.result.type.shape
    own = op.operands[0].type.shape
    if name == "slice":
        step = list(zip(op["start_indices"], op["strides"], strict=True))
        return {i: (0, tuple(s + t * k for k, (s, t) in zip(i, step, strict=True))) for i in space(shape)}
    if name == "transpose":
        return {tuple(j[d] for d in op["permutation"]): (0, j) for j in space(own)}
    if name == "reverse":
        flip = lambda i: tuple(
            n - 1 - k if d in op["dimensions"] else k for d, (k, n) in enumerate(zip(i, own, strict=True))
        )
        return {i: (0, flip(i)) for i in space(shape)}
    if name == "broadcast_in_dim":
        place = lambda i: tuple(
            0 if n == 1 else i[d] for n, d in zip(own, op["broadcast_dimensions"], strict=True)
        )
        return {i: (0, place(i)) for i in space(shape)}
    if name == "reshape":
        return {i: (0, j) for i, j in zip(space(shape), space(own), strict=True)}
    if name == "concatenate":
        d, found, start = op["dimension"], {}, 0
        for k, x in enumerate(op.operands):
            for j in space(x.type.shape):
                found[*j[:d], j[d] + start, *j[d + 1 :]] = k, j
            start += x.type.shape[d]
        return found
    assert name == "pad"
    found = dict.fromkeys(space(shape), (1, ()))
    for j in product(*map(range, own)):
        edges = zip(j, op["edge_padding_low"], op["interior_padding"], strict=True)
        i = tuple(low + k * (hole + 1) for k, low, hole in edges)
        if i in found:
            found[i] = 0, j
    return found
