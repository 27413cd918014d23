"""Folds of floats under XLA without a loop of its own: ordered sums by machine code, extrema as integers."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

import numpy as np

from interp.backends import Array, Namespace
from interp.backends.dtypes import numpy_dtype
from interp.backends.platforms import on_cpu
from interp.engine.bodies import only_op
from interp.engine.evaluate import Context, constant_operand
from interp.speed import jax_native, native_products
from interp.speed.problem import Dot
from spec.ir import Op
from spec.types import ElementType

FLOATS = "f64", "f32", "f16", "bf16"


def fold_floats(ctx: Context, op: Op, x: Array, init: Array, fold: Callable[[Array], Array]) -> Array | None:
    """Return the fold of a `reduce` of one operand, or None where XLA had better run it as it is written.

    x, init: in carriers. fold: what gives it from leaves [k, ...], where it runs elsewhere.
    """
    types = {value.type.element_type for value in (*op.operands, *op.regions[0].arguments)}
    element, name = next(iter(types)), only_op(op.regions[0])
    if len(types) > 1 or not isinstance(element, ElementType) or element.name not in FLOATS:
        return None
    if len(op.results) > 1 or ctx.listeners or not ctx.xp.native or 0 in x.shape:
        return None
    if name in ("maximum", "minimum"):
        dimensions, stored = tuple(op["dimensions"]), jax_native.f32_storage(ctx.xp, x)
        if element != jax_native.F32 or stored.dtype != np.float32:
            return extremum(ctx.xp, name, x, init, dimensions)
        single = ctx.xp.encode(init, element)
        return ctx.xp.decode(extremum(ctx.xp, name, stored, single, dimensions), element)
    if name == "add" and ctx.schedule.name == "left" and _is_zero(constant_operand(ctx, op, 1)):
        return sum_in_order(ctx.xp, element, x, tuple(sorted(op["dimensions"])), fold)
    return None


def _is_zero(init: Array | None) -> bool:
    """Return whether an init is known, and +0."""
    return init is not None and bool(init == 0) and not np.signbit(init)


def extremum(xp: Namespace, name: str, x: Array, init: Array, dimensions: tuple[int, ...]) -> Array:
    """Return the maximum or minimum of floats and the init.

    THEOREM: `maximum` returns NaN if there is one, else the greater number, +0 being greater than -0. It is
    the greatest in a total order with NaN above all, so neither order nor repeated inits change a bit. The
    bits of floats as integers are in that order, where those of negative ones are inverted but for the sign.
    `minimum` is the same with NaN below all.
    """
    integer = np.dtype(f"int{8 * x.dtype.itemsize}")
    ends = np.iinfo(integer)
    end = ends.max if name == "maximum" else ends.min

    def turn(bits: Array) -> Array:
        return bits ^ ((bits >> (ends.bits - 1)) & integer.type(ends.max))

    def place(x: Array) -> Array:
        bits = xp.lax.bitcast_convert_type(x, integer)
        return xp.where(xp.isnan(x), integer.type(end), turn(bits))

    choose = xp.lax.max if name == "maximum" else xp.lax.min
    # XLA leaves an init out that is combined with one number, so it is combined afterwards.
    neutral = integer.type(ends.min if name == "maximum" else ends.max)
    found = choose(xp.lax.reduce(place(x), neutral, choose, dimensions), place(xp.asarray(init, x.dtype)))
    number = xp.lax.bitcast_convert_type(turn(found), x.dtype)
    return xp.where(found == integer.type(end), x.dtype.type(np.nan), number)


def sum_in_order(
    xp: Namespace,
    element: ElementType,
    x: Array,
    dimensions: tuple[int, ...],
    fold: Callable[[Array], Array],
) -> Array | None:
    """Return sums from the left, beginning with +0, each rounded; None where there is no machine code.

    THEOREM: they are sums of products with 1, which are the leaves themselves.
    """
    kept = tuple(d for d in range(x.ndim) if d not in dimensions)
    shape, n = tuple(x.shape[d] for d in kept), prod(x.shape[d] for d in dimensions)
    stored = element if element.name == "f64" else jax_native.F32
    dtype = numpy_dtype(stored)
    ones = np.ones((1, 1, n), dtype).view(f"int{stored.bits}")
    leaves = lambda x: xp.transpose(x, (*dimensions, *kept)).reshape(n, *shape)
    kind = native_products.kind_of(Dot(ones, ones), element.name)
    if n * prod(shape) < jax_native.MANY or n * prod(shape) >= 2**31 or not jax_native.works(xp, kind):
        return None

    def here(x: Array) -> Array:
        right = x if x.dtype == dtype else jax_native.encode(xp, x, stored)
        sides = Dot(xp.asarray(ones), leaves(right).reshape(1, n, -1))
        lies = right.reshape(1, -1, n) if kept == tuple(range(len(kept))) else None  # by column
        return jax_native.call_handler(xp, kind, sides, native_products.threads(), by_column=lies).reshape(
            shape
        )

    def elsewhere(x: Array) -> Array:
        return xp.encode(fold(leaves(jax_native.to_carrier(xp, x))), stored)

    return xp.decode(on_cpu(shape, dtype, here, elsewhere, jax_native.f32_storage(xp, x)), stored)
