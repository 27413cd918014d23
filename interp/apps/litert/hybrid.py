"""Dynamic range quantization: floats that are quantized while the model runs, each row by its own range."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from interp.apps.litert.node import F32, F64, I32
from interp.loading.build import Folds
from spec.ir import Value
from spec.types import TensorType


class Rows(NamedTuple):
    """Rows as integers `q - zero_point` of i32, and the scale of each row, one number each."""

    differences: Value
    scale: Value


def quantize_rows(b: Folds, x: Value, dimensions: Sequence[int]) -> Rows:
    """Return floats quantized to i8; the range of a row is that along some dimensions, and has 0 in it.

    The scale is the range / 255, in f64 and then f32. The zero point is rounded from the end of the range
    that has the smaller error.
    """
    zero = b.full(0.0, TensorType((), F32))
    low = b.reduce(x, zero, "minimum", tuple(dimensions))
    high = b.reduce(x, zero, "maximum", tuple(dimensions))
    is_flat = b.compare("EQ", low, high)
    range_ = b.binary("subtract", high, low)
    wide = b.binary_scalar("divide", b.convert(range_, F64), 255.0)
    scale64 = b.select(is_flat, b.full(1.0, F64), wide)
    minimum, maximum = (b.convert(v, F64) for v in (low, high))
    from_low = b.binary("subtract", b.full(-128.0, F64), b.binary("divide", minimum, scale64))
    from_high = b.binary("subtract", b.full(127.0, F64), b.binary("divide", maximum, scale64))
    errors = [
        b.binary("add", b.full(end, F64), b.unary("abs", b.binary("divide", v, scale64)))
        for end, v in ((128.0, minimum), (127.0, maximum))
    ]
    point = b.select(b.compare("LT", *errors), from_low, from_high)
    point = b.clamp(-128.0, b.unary("round_nearest_afz", point), 127.0)
    point = b.select(is_flat, b.full(0.0, F64), point)
    scale = b.convert(scale64, F32)
    kept = [d for d in range(x.type.rank) if d not in tuple(dimensions)]
    spread = lambda v: b.place(v, x.type.shape, kept)
    inverse = b.binary("divide", b.full(1.0, F32), scale)
    steps = b.unary("round_nearest_afz", b.binary("multiply", x, spread(inverse)))
    whole = b.convert(b.clamp(-1e6, steps, 1e6), I32)
    moved = b.binary("add", whole, spread(b.convert(point, I32)))
    q = b.clamp(-128, moved, 127)
    return Rows(b.binary("subtract", q, spread(b.convert(point, I32))), scale)
