"""Spans of sums, and of other folds: what every accumulation of the family of `any_order` may give.

The exact sums are computed in f64 by the operation's own kernel, and moved outward by a bound on its errors.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from interp.backends import NUMPY, Array
from interp.engine.bodies import body_ops, run_in
from interp.engine.evaluate import Context
from interp.engine.leaf_counts import leaves_of
from interp.engine.storage import identity, storage_range
from interp.kernels.contraction import geometry_of
from interp.questions.permitted.any_order import bound, covers, likely_bound, up
from interp.questions.permitted.spans import clear, is_float, nothing, round_ends, round_span
from interp.speed.exact_contraction import accumulation_type
from interp.speed.problem import Dot
from interp.theory.contractions import number_of_products
from interp.theory.quantized_arithmetic import addition_is_integer
from interp.theory.sums import Ends
from spec.ir import Op
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType

F64 = ELEMENT_TYPES["f64"]
MOST = 1 << 30  # leaves, far below those at which f64's errors matter
WHOLE = {"stablehlo.maximum", "stablehlo.minimum", "stablehlo.and", "stablehlo.or"}


class Exact(NamedTuple):
    """Ends of exact sums, computed in f64, the leaves' magnitudes added up, and the number of those not 0.

    `n` is the number of leaves, zeros included: a leaf meets at most n + 1 roundings in f64. `sums` bounds
    the magnitudes of the exact sums, up to the errors of f64; None for those of the ends.
    """

    least: Array
    greatest: Array
    magnitudes: Array
    counts: Array
    n: int
    sums: Array | None = None


def total(type: ElementType, x: Exact, products: bool = False, risk: float | None = None) -> Ends:
    """Return the span of sums in a type. f64's sums err by gamma(n + 1) P, and each product by 2^-1075.

    risk: the probability with which a sum may lie outside, by the premise of `any_order`; None for never.
    """
    if x.n > MOST:
        return Ends(np.full_like(x.least, -np.inf), np.full_like(x.least, np.inf))
    wide, least = (x.n + 2) * 2.0**-53 * (1 + 2.0**-20), x.n * 2.0**-1074
    with np.errstate(all="ignore"):
        size = up(x.magnitudes * (1 + 2 * wide) + least)
        several = np.asarray(x.counts > 1 - int(products))
        slack = np.asarray(np.where(several, up(size * wide) + least, 0.0))
        if risk is None:
            error = bound(type, size, x.counts, products)
        else:
            sums = np.maximum(np.abs(x.least), np.abs(x.greatest)) if x.sums is None else x.sums
            error = likely_bound(type, size, up(sums + slack), x.counts, risk, products)
        error = np.asarray(np.where(slack > 0, up(error + slack), error))
        ends = np.nextafter(x.least - error, -np.inf), up(x.greatest + error)
        low, high = (np.where(error > 0, end, own) for end, own in zip(ends, x[:2], strict=True))
    return clear(Ends(low, high))


def reduction_spans(
    ctx: Context, op: Op, operands: list[Ends], any_inits: bool, risk: float | None = None
) -> list[Ends | None]:
    """Return the spans of a reduce or reduce_window, operand by operand."""
    half, combining = len(op.results), body_ops(ctx.module, op.regions[0])
    return [
        _reduction_span(ctx, op, k, combine, operands[k], operands[half + k], any_inits, risk)
        for k, combine in enumerate(combining)
    ]


def _reduction_span(
    ctx: Context,
    op: Op,
    k: int,
    combine: Op | None,
    x: Ends,
    init: Ends,
    any_inits: bool,
    risk: float | None,
) -> Ends | None:
    unknown, body = nothing(op.results[k].type), op.regions[0].arguments[k].type
    types = [op.operands[j].type for j in (k, len(op.results) + k)]
    if combine is None or any(isinstance(t.element_type, QuantizedType) for t in (*types, body)):
        return unknown
    single = replace(op, results=(op.results[k],))
    if is_float(body) and all(map(is_float, types)) and is_float(op.results[k].type):
        element, name = body.storage_type, combine.name
        leaf, first = (_to_body(element, t.storage_type, v) for t, v in zip(types, (x, init), strict=True))
        found = _floats(ctx, single, name, element, leaf, first, any_inits, risk)
        result = op.results[k].type.storage_type
        land = round_ends if result == element else round_span
        return land(result, found) if found else unknown
    if body.storage_type.kind != "float" and all(t.element_type == body.element_type for t in types):
        return _integers(ctx, op, k, combine, x, init) or unknown
    return unknown


def _to_body(body: ElementType, type: ElementType, x: Ends) -> Ends:
    """Return leaves as a body takes them; an identity that is infinite stays so."""
    if body == type:
        return x
    infinite = (x.least == x.greatest) & np.isinf(x.least)
    return Ends(*(np.where(infinite, own, end) for own, end in zip(x, round_span(body, x), strict=True)))


def _floats(
    ctx: Context,
    op: Op,
    name: str,
    element: ElementType,
    x: Ends,
    init: Ends,
    any_inits: bool,
    risk: float | None,
) -> Ends | None:
    n, zero = leaves_of(op), np.zeros(())
    if name == "stablehlo.add" and covers(element):
        starts = bool(np.any(init.least) or np.any(init.greatest))
        if starts and (any_inits or not init.finite.all() or op.name == "stablehlo.reduce_window"):
            return None  # any number of inits gives any sum; the init pads windows
        first = init if starts else Ends(zero, zero)
        low, high = (run_in(ctx, op, ends, F64, name) for ends in zip(x, first, strict=True))
        sizes, counts = (run_in(ctx, op, (f(x), f(first)), F64, name) for f in (lambda x: x.magnitude, _ones))
        return total(element, Exact(low, high, sizes, counts, n + 1), risk=risk)
    if name in ("stablehlo.maximum", "stablehlo.minimum"):
        worst = np.inf if name.endswith("minimum") else -np.inf
        padding = [np.full((), worst) if np.all(end == worst) else end for end in init]
        if not all(np.isfinite(end).all() or np.all(end == worst) for end in padding):
            return None
        ends = [run_in(ctx, op, (end, first), F64, name) for end, first in zip(x, padding, strict=True)]
        numbers = run_in(ctx, op, (x.finite.astype(np.float64), np.ones(())), F64, "stablehlo.minimum")
        return clear(Ends(*(np.where(numbers == 1, end, np.nan) for end in ends)))
    return None


def _ones(x: Ends) -> Array:
    """Return 1 for each element that may be other than 0."""
    return np.asarray((x.least != 0) | (x.greatest != 0), np.float64)


def _integers(ctx: Context, op: Op, k: int, combine: Op, x: Ends, init: Ends) -> Ends | None:
    """Return the one result of known integers where no accumulator can overflow, in any order or width."""
    if not (np.array_equal(*x) and np.array_equal(*init)):
        return None
    if combine.name == "stablehlo.add" and np.all(init.least == identity(combine)):
        sizes = run_in(ctx, op, (magnitude(x.least), np.zeros(())), F64, combine.name)
        if sizes.size and sizes.max() * (1 + 2.0**-20) > op.results[k].type.storage_type.max_value:
            return None
    elif combine.name not in WHOLE:
        return None
    if op.results[k].type.element_type != combine.result.type.element_type:
        return None
    found = run_in(ctx, op, (x.least, init.least), combine.result.type.storage_type, combine.name)
    return Ends(found, found)


def magnitude(x: Array) -> Array:
    """Return magnitudes in f64; of the least integer, too."""
    return np.asarray(np.abs(np.asarray(x).astype(np.float64)))


def quantized_sum(ctx: Context, op: Op, type: QuantizedType, x: Ends, init: Ends) -> Ends | None:
    """Return the span of a sum of known quantized elements of a type in which addition is integer addition.

    THEOREM. Let every node clamp the integer sum of its two children to [m, M] or to a wider range, m <= 0 <=
    M, with identity 0; the last, to [m, M]. Let s be the exact sum, p the sum of its positive leaves, and q
    that of the negative ones. Then every tree over any permutation of the leaves gives a number from
    max(m, min(s, M + q)) to min(M, max(s, m + p)). Proof by induction: a node is at most max(s, m + p) of its
    own leaves. For two children, s + s' is the sum, and s + m + p', m + p + s' and m + p + m + p' are at most
    m + p + p', since s <= p and m <= 0; clamping from below gives m <= m + p. Likewise from above.
    """
    if not (type.is_per_tensor and np.array_equal(*x) and np.array_equal(*init)):
        return None
    (least, most), n = storage_range(type), leaves_of(op)
    if np.any(init.least != type.zero_point) or n * 2.0**type.storage_type.bits > 2.0**52:
        return None
    m = np.asarray(x.least).astype(np.float64) - type.zero_point
    parts = np.maximum(m, 0), np.minimum(m, 0)
    ups, downs = (run_in(ctx, op, (part, np.zeros(())), F64, "stablehlo.add") for part in parts)
    low, high = least - type.zero_point, most - type.zero_point
    if not low <= 0 <= high:
        return None
    wide = np.array([2 * least - type.zero_point], object), np.array([2 * most - type.zero_point], object)
    near = tuple(
        np.array([int(f(end) + type.zero_point)], object) for f, end in ((np.min, downs), (np.max, ups))
    )
    if not addition_is_integer(type, *wide).all():
        inside = low <= downs.min(initial=0) and ups.max(initial=0) <= high
        if not (inside and addition_is_integer(type, *near).all()):
            return None
    s = ups + downs
    ends = np.maximum(low, np.minimum(s, high + downs)), np.minimum(high, np.maximum(s, low + ups))
    dtype = np.asarray(x.least).dtype
    return Ends(*((end + type.zero_point).astype(dtype) for end in ends))


def contraction_span(ctx: Context, op: Op, x: Ends, y: Ends, risk: float | None = None) -> Ends | None:
    """Return the span of a contraction's sums, in its accumulation type; operands as reals in f64.

    A product of intervals is within |a| r' + r |b| + r r' of the product of their midpoints.
    """
    element, n = accumulation_type(op), number_of_products(op)
    if not covers(element):
        return None
    (a, r), (b, t) = (_middle(v) for v in (x, y))
    points = not (r.any() or t.any())
    sums = lambda a, b: _add_products(ctx, op, np.asarray(a, np.float64), np.asarray(b, np.float64))
    sizes = (np.abs(a), np.abs(b)) if points else (up(np.abs(a) + r), up(np.abs(b) + t))
    middle, size = sums(a, b), sums(*sizes)
    radius = np.zeros(size.shape) if points else sums(np.abs(a), t) + sums(r, np.abs(b) + t)
    radius = radius if points else up(radius * (1 + (n + 4) * 2.0**-52)) + n * 2.0**-1070
    if points and a.all() and b.all():
        ones = np.full(size.shape, float(n))
    else:
        ones = sums(np.abs(a) + r != 0, np.abs(b) + t != 0)
    found = total(element, Exact(middle, middle, size, ones, n, up(np.abs(middle) + radius)), True, risk)
    known = np.ones(size.shape, bool)
    if not (x.finite.all() and y.finite.all()):
        sides = (~x.finite, np.ones(b.shape)), (np.ones(a.shape), ~y.finite)
        known = sum(sums(*pair) for pair in sides) == 0
    low, high = found
    if not points:
        low, high = np.nextafter(low - radius, -np.inf), up(high + radius)
    return clear(Ends(np.where(known, low, -np.inf), np.where(known, high, np.inf)))


def _add_products(ctx: Context, op: Op, a: Array, b: Array) -> Array:
    """Return sums of products in f64, in any order, plain or fma: `total` bounds their errors in all."""
    geometry = geometry_of(NUMPY, op)
    rows = geometry.of(a, b)
    if not isinstance(rows, Dot) or rows.shape[1:] != (1, 1):
        return np.asarray(run_in(ctx, op, (a, b), F64))
    found = np.einsum("bk,bk->b", rows.left[:, 0], rows.right[:, :, 0])
    return np.asarray(geometry.result(found.reshape(rows.shape)))


def _middle(x: Ends) -> tuple[Array, Array]:
    """Return f64 midpoints and radii that hold a span; 0 where nothing is known."""
    if x.least is x.greatest and np.isfinite(x.least).all():
        return np.asarray(x.least, np.float64), np.broadcast_to(0.0, x.least.shape)
    low, high = (np.where(x.finite, end, 0.0) for end in x)
    middle = np.where(low == high, low, low / 2 + high / 2)
    radius = np.where(low == high, 0.0, up(np.maximum(high - middle, middle - low)))
    return middle, radius


def whole_products(ctx: Context, op: Op, x: Ends, y: Ends) -> Ends | None:
    """Return the one result of a contraction of known integers, where no accumulator can overflow."""
    if not (np.array_equal(*x) and np.array_equal(*y)):
        return None
    sizes = run_in(ctx, op, (magnitude(x.least), magnitude(y.least)), F64)
    if sizes.size and sizes.max() * (1 + 2.0**-20) > op.result.type.storage_type.max_value:
        return None
    found = run_in(ctx, op, (x.least, y.least))
    return Ends(found, found)


def scatter_span(ctx: Context, op: Op, operands: list[Ends], risk: float | None = None) -> Ends | None:
    """Return the span of a scatter that adds floats: an element's own value, and its updates."""
    (combine,) = body_ops(ctx.module, op.regions[0]) if len(op.results) == 1 else (None,)
    types = {op.operands[k].type.element_type for k in (0, 2)} | {
        op.regions[0].arguments[0].type.element_type
    }
    element = op.operands[0].type.storage_type
    if combine is None or combine.name != "stablehlo.add" or len(types) != 1 or not covers(element):
        return None
    x, index, updates = operands
    if not (np.array_equal(*index) and is_float(op.operands[0].type)):
        return None
    run = lambda a, b: run_in(ctx, op, (a, index.least, b), F64, combine.name)
    counts = run(np.ones(x.least.shape), np.ones(updates.least.shape))
    low, high = run(x.least, updates.least), run(x.greatest, updates.greatest)
    sizes, nonzero = run(x.magnitude, updates.magnitude), run(_ones(x), _ones(updates))
    return total(element, Exact(low, high, sizes, nonzero, int(counts.max(initial=1))), risk=risk)
