"""The fold of a contraction as specified: its products in sequence, each with one addition."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from interp.backends import Array, Namespace, State, windows
from interp.engine.evaluate import Context, Place
from interp.engine.fold import STACKED, Leaves, Node, fold
from interp.engine.limits import Size, memory, refuse_size
from interp.kernels.elementwise import plain
from interp.speed.problem import Convolution, Dot, Geometry
from spec.ir import Op
from spec.types import ElementType


class Products(NamedTuple):
    """Products to sum: `at(i)` is product i of every sum, `at(slice(None))` are all n, stacked.

    shape: the shape of `at(i)`. result: the shape of the sums.
    """

    n: int
    at: Callable[[Any], Array]
    shape: tuple[int, ...]
    result: tuple[int, ...]


def product_leaves(
    xp: Namespace, geometry: Geometry, multiply: Callable[..., Array], lhs: Array, rhs: Array
) -> Products:
    """Return the products of a contraction; those at padding and dilation holes are zero (E23)."""
    problem = geometry.of(lhs, rhs)
    if isinstance(problem, Dot):
        left, right = xp.moveaxis(problem.left, 2, 0)[..., None], xp.moveaxis(problem.right, 1, 0)[:, :, None]
        return Products(problem.n, lambda i: multiply(left[i], right[i]), problem.shape, problem.shape)
    there = geometry.left(xp.ones(lhs.shape, bool), False) if geometry.has_holes else None
    return _window_products(xp, problem, there, multiply)


def _window_products(
    xp: Namespace, problem: Convolution, there: Array | None, multiply: Callable[..., Array]
) -> Products:
    geometry, groups, outputs = positions(problem), problem.groups, problem.right.shape[-1]
    n, ones = problem.n, [1] * geometry.base.ndim
    base, offset = xp.asarray(geometry.base), xp.asarray(geometry.offset.reshape(n, *ones))
    flat, features = problem.left.reshape(-1), problem.right.reshape(n, *ones[1:], groups, outputs // groups)
    there = None if there is None else there.reshape(-1)

    def products(i: Any) -> Array:
        place = base + offset[i]
        product = multiply(flat[place][..., None], features[i])
        return (
            product if there is None else xp.where(there[place][..., None], product, xp.zeros_like(product))
        )

    return Products(n, products, (*geometry.base.shape, features.shape[-1]), problem.shape)


def positions(problem: Convolution) -> windows.Geometry:
    """Return flat indices into the left factors: bases [batch, *spatial, group], and an offset per leaf."""
    lhs, rhs, result = problem.left.shape, problem.right.shape, problem.sizes
    strides = windows.row_major(lhs)
    of_group = strides[-1] * rhs[-2] if problem.feature_group_count > 1 else strides[0] * result[0]
    steps = [stride * by for stride, by in zip(strides[1:-1], problem.window_strides, strict=True)]
    base = windows.grid([*result, problem.groups], [strides[0], *steps, of_group])
    steps = [stride * by for stride, by in zip(strides[1:-1], problem.rhs_dilation, strict=True)]
    flips = problem.window_reversal
    start = sum(step * (n - 1) for step, n, flip in zip(steps, rhs, flips, strict=False) if flip)
    steps = [-step if flip else step for step, flip in zip(steps, flips, strict=True)]
    offset = windows.grid(rhs[:-1], [*steps, strides[-1]])
    return windows.Geometry(base, offset.ravel() + start)


def fold_products(
    ctx: Context,
    op: Op,
    products: Products,
    element: ElementType,
    add: Callable[..., Array] | None = None,
    block: int | None = None,
) -> Array:
    """Return `fold(add, [0] + products)` by the schedule; `add` is by default that of the element type.

    block: that of `Place`.
    """
    xp, carrier = ctx.xp, ctx.xp.carrier(element)
    add = add or plain(xp, "add", element, element)
    if ctx.schedule.name in STACKED:
        size = Size([products.n, *products.shape], carrier.itemsize)
        refuse_size("a sum that takes all products at once", [size], memory(), op.location)

    def body(a: State, b: State, node: Node) -> State:
        total = (add(*a, *b),)
        for listener in ctx.listeners:
            listener.on_node(Place(op, 0, node, None, block), a, b, total)
        return total

    zero = (xp.zeros(products.shape, carrier),)
    leaves = Leaves(products.n, lambda i: (products.at(i),), lambda: (products.at(slice(None)),))
    for listener in ctx.listeners:
        listener.on_fold(op, 0, zero, leaves, None)
    (total,), _ = fold(xp, body, zero, leaves, ctx.schedule)
    return total.reshape(products.result)
