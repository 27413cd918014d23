"""Simulated quantization: by a range, as TensorFlow computes it, and by the regions of quant."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from interp.backends import Array, Namespace, State
from interp.engine.evaluate import Context
from interp.engine.fold import Leaves, fold
from interp.engine.prepared import Preparation
from interp.engine.quant import dequantize, quantize
from interp.kernels.elementwise import plain
from spec.ir import Op
from spec.op_attributes import FORMS, attribute_or_default, axis_of, bounds
from spec.quant_kinds import Spec
from spec.types import ELEMENT_TYPES, QuantizedType

F32 = ELEMENT_TYPES["f32"]
_NAMES = "add subtract multiply divide floor minimum maximum round_nearest_afz negate".split()


class Grid(NamedTuple):
    """Nudged ranges: the steps of their grids, the reciprocals, the bounds, their zeros; which are empty."""

    scale: Array
    inverse: Array
    least: Array
    most: Array
    zero: Array
    empty: Array


class Arithmetic:
    """The rounding functions of f32 over a namespace, and the ranges of one operation."""

    def __init__(self, xp: Namespace, op: Op, operands: State) -> None:
        self.xp, self.op, self.form = xp, op, FORMS[op.name]
        self.f = {name: plain(xp, name, F32, F32) for name in _NAMES}
        self.inputs, self.axis = operands[self.form.gradient], axis_of(op)
        self.grid = self._grid(*self._ranges(operands))

    def _ranges(self, operands: State) -> tuple[Array, Array]:
        least, most = (
            operands[-2:] if self.form.vars else map(self._numbers, zip(*bounds(self.op), strict=True))
        )
        if self.axis is None:
            return least.reshape(()), most.reshape(())
        sizes = [-1 if d == self.axis else 1 for d in range(self.inputs.ndim)]
        return least.reshape(sizes), most.reshape(sizes)

    def _numbers(self, xs: Any) -> Array:
        return self.xp.asarray(list(xs), self.xp.carrier(F32))

    def _grid(self, least: Array, most: Array) -> Grid:
        """Move ranges such that zero is a whole number of steps."""
        f, xp = self.f, self.xp
        low, high = (
            float(attribute_or_default(self.op, "narrow_range")),
            float(2 ** attribute_or_default(self.op, "num_bits") - 1),
        )
        empty = (least == 0) & (most == 0)
        quant_min, quant_max = (xp.full_like(least, bound) for bound in (low, high))
        steps, width = f["subtract"](quant_max, quant_min), f["subtract"](most, least)
        width = xp.where(empty, xp.ones_like(width), width)
        scale, inverse = f["divide"](width, steps), f["divide"](steps, width)
        from_min = f["subtract"](quant_min, f["divide"](least, scale))
        inside = (from_min >= low) & (from_min <= high)
        zero_point = xp.where(
            inside, f["round_nearest_afz"](xp.where(inside, from_min, quant_min)), quant_max
        )
        zero_point = xp.where(from_min < low, quant_min, zero_point)
        first, last = (
            f["multiply"](f["subtract"](bound, zero_point), scale) for bound in (quant_min, quant_max)
        )
        half = xp.full_like(least, 0.5)
        zero = f["floor"](f["add"](f["multiply"](f["negate"](first), inverse), half))
        return Grid(scale, inverse, first, last, zero, empty)

    def wide(self, x: Array) -> Array:
        return self.xp.broadcast_to(x, self.inputs.shape)


def fake_quant(xp: Namespace, op: Op) -> Callable[..., Array]:
    """`floor((clamp(inputs) - nudged_min) * inverse - zero + 0.5) * scale`; 0 where min = max = 0."""

    def apply(*operands: Array) -> Array:
        known = Arithmetic(xp, op, operands)
        f, wide, grid = known.f, known.wide, known.grid
        clamped = f["maximum"](f["minimum"](known.inputs, wide(grid.most)), wide(grid.least))
        shifted = f["subtract"](clamped, wide(grid.least))
        divides = known.form.divides
        scaled = f["divide" if divides else "multiply"](
            shifted, wide(grid.scale if divides else grid.inverse)
        )
        moved = f["add"](f["subtract"](scaled, wide(grid.zero)), xp.full_like(scaled, 0.5))
        given = f["multiply"](f["floor"](moved), wide(grid.scale))
        return xp.where(wide(grid.empty), xp.zeros_like(given), given)

    return apply


def gradient(ctx: Context, op: Op, *operands: Array) -> State:
    """Pass the gradient inside the range; sum it below into that of min, above into that of max."""
    xp, known = ctx.xp, Arithmetic(ctx.xp, op, operands)
    x, grid, multiply = known.inputs, known.grid, known.f["multiply"]
    inside = ((x >= grid.least) & (x <= grid.most)) | grid.empty
    outside = ((x < grid.least) & ~grid.empty, (x > grid.most) & ~grid.empty)
    carrier = xp.carrier(F32)
    parts = [
        multiply(operands[0], xp.broadcast_to(mask, x.shape).astype(carrier)) for mask in (inside, *outside)
    ]
    sums = [] if len(op.results) == 1 else [_sum(ctx, known, part) for part in parts[1:]]
    return parts[0], *sums


def _sum(ctx: Context, known: Arithmetic, x: Array) -> Array:
    """Fold the elements, or those of each slice, from an init of 0."""
    xp, axis = ctx.xp, known.axis
    kept = () if axis is None else (x.shape[axis],)
    rows = (x if axis is None else xp.moveaxis(x, axis, -1)).reshape(-1, *kept)
    init = (xp.zeros(kept, xp.carrier(F32)),)
    leaves = Leaves(rows.shape[0], lambda i: (rows[i],), lambda: (rows,))
    (total,), _ = fold(xp, lambda a, b, node: (known.f["add"](*a, *b),), init, leaves, ctx.schedule)
    return total


PREPARED: dict[str, Any] = {name: fake_quant for name, form in FORMS.items() if not form.gradient}
KERNELS: dict[str, Any] = {name: gradient for name, form in FORMS.items() if form.gradient}
FOLDING = {name for name, form in FORMS.items() if form.gradient and form.vars}


# The operations that the quant dialect had once: statistics, and regions that simulate quantization.


def identity(xp: Namespace, op: Op) -> Callable[..., Array]:
    """`result = arg`."""
    return lambda arg: arg


def simulate(xp: Namespace, x: Array, spec: Spec) -> Array:
    """Return `dequantize(quantize(x))` for a uniform spec, else x itself."""
    return dequantize(xp, quantize(xp, x, spec), spec) if isinstance(spec, QuantizedType) else x


def region(ctx: Context, op: Op, *inputs: Array) -> State:
    """Return what the body gives for the simulated inputs, simulated itself."""
    (body,) = op.regions
    taken = [simulate(ctx.xp, *pair) for pair in zip(inputs, op["input_specs"], strict=True)]
    given = ctx.run(body, taken)
    return tuple(simulate(ctx.xp, *pair) for pair in zip(given, op["output_specs"], strict=True))


STATISTICS: dict[str, Preparation] = {
    "quant.stats": identity,
    "quant.stats_ref": identity,
    "quant.coupled_ref": identity,
}
REGIONS: dict[str, Callable[..., Any]] = {"quant.region": region}
