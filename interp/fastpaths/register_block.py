"""A block of ordered sums that stays in registers, as instructions on vectors: for numba to compile.

LLVM vectorizes only innermost loops; here that is the loop over leaves, whose order is given. So the vectors,
of neighbouring columns, are written out. No instruction has a fast-math flag, so none is fused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

ROWS = 4  # of a block
BYTES = 64 if binding.get_host_cpu_features().get("avx512f") else 32  # of a vector
INT, BYTE = ir.IntType(32), ir.IntType(8)


def block_of(name: str, vectors: int) -> Any:
    """Return `block(totals, left, right, n)` for sums of a float type: it adds n products to each total.

    Each operand is an address and the bytes from one row to the next; there are `ROWS` rows of totals and of
    left factors, and n of right factors. A row of totals has as many columns as `vectors` vectors have.
    """
    scalar = ir.DoubleType() if name == "f64" else ir.FloatType()
    vector = ir.VectorType(scalar, BYTES // (8 if name == "f64" else 4))
    size, rounded = BYTES // vector.count, ROUNDING.get(name, lambda builder, x: x)

    def typed(context: Any, *operands: Any) -> Any:
        return types.void(*[types.int64] * 7), made

    def made(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        totals, by_total, left, by_left, right, by_right, n = args
        at = lambda base, row, by, offset: builder.add(builder.add(base, builder.mul(row, by)), offset)
        number = lambda k: ir.Constant(ir.IntType(64), k)
        load = lambda place, kind: builder.load(builder.inttoptr(place, kind.as_pointer()), align=size)
        places = {
            (i, v): at(totals, number(i), by_total, number(v * BYTES))
            for i in range(ROWS)
            for v in range(vectors)
        }
        kept = {key: cgutils.alloca_once(builder, vector) for key in places}
        for key, place in places.items():
            builder.store(load(place, vector), kept[key])
        with cgutils.for_range(builder, n) as loop:
            weights = [
                load(at(right, loop.index, by_right, number(v * BYTES)), vector) for v in range(vectors)
            ]
            for i in range(ROWS):
                place = at(left, number(i), by_left, builder.mul(loop.index, number(size)))
                x = _repeated(builder, load(place, scalar), vector)
                for v, w in enumerate(weights):
                    product = rounded(builder, builder.fmul(x, w))
                    total = builder.fadd(builder.load(kept[i, v]), product)
                    builder.store(rounded(builder, total), kept[i, v])
        for key, place in places.items():
            builder.store(builder.load(kept[key]), builder.inttoptr(place, vector.as_pointer()), align=size)
        return context.get_dummy_value()

    def block(
        context: Any, totals: Any, by_total: Any, left: Any, by_left: Any, right: Any, by_right: Any, n: Any
    ) -> Any:
        return typed(context)

    return intrinsic(block)


def _repeated(builder: Any, x: Any, vector: Any) -> Any:
    """Return a vector of equal numbers."""
    first = builder.insert_element(ir.Constant(vector, ir.Undefined), x, ir.Constant(INT, 0))
    zeros = ir.Constant(ir.VectorType(INT, vector.count), [0] * vector.count)
    return builder.shuffle_vector(first, ir.Constant(vector, ir.Undefined), zeros)


def _bits(builder: Any, x: Any) -> tuple[Any, Callable[[int], Any]]:
    """Return the bits of a vector of f32, and a function that makes such a vector of one number."""
    kind = ir.VectorType(INT, x.type.count)
    return builder.bitcast(x, kind), lambda k: ir.Constant(kind, [k] * kind.count)


def _to_bf16(builder: Any, x: Any) -> Any:
    """Round f32 to bf16: see `ordered_numba`."""
    bits, number = _bits(builder, x)
    last = builder.and_(builder.lshr(bits, number(16)), number(1))
    up = builder.add(builder.add(bits, number(0x7FFF)), last)
    return builder.bitcast(builder.and_(up, number(0xFFFF0000)), x.type)


def _to_f16(builder: Any, x: Any) -> Any:
    """Round f32 to f16: see `ordered_numba`."""
    bits, number = _bits(builder, x)
    scale = lambda y, by: builder.fmul(y, ir.Constant(x.type, [by] * x.type.count))
    power = builder.and_(bits, number(0x7F800000))
    for compared, limit in (("<", 0x38800000), (">", 0x47800000)):
        beyond = builder.icmp_unsigned(compared, power, number(limit))
        power = builder.select(beyond, number(limit), power)
    away = scale(builder.bitcast(power, x.type), 3.0 * 2**12)
    return scale(scale(builder.fsub(builder.fadd(x, away), away), 2.0**112), 2.0**-112)


ROUNDING = {"bf16": _to_bf16, "f16": _to_f16}
