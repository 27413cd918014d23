"""dot_general and convolution: products rounded once, and their sum from 0 under the schedule `left`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import isfinite
from typing import TYPE_CHECKING, Any

from cases.exact import floats
from cases.exact.floats import Unknown
from cases.exact.operations import applied
from spec.ir import Op
from spec.types import ElementType

if TYPE_CHECKING:
    from cases.exact.evaluate import Array, Index, Program


def _product(a: Any, b: Any, source: ElementType, t: ElementType) -> Any:
    if t.kind == "float" and source.kind == "float":
        return floats.multiply(a, b, t.name)
    if t.kind == "float":
        return floats.nearest(Fraction(int(a) * int(b)), 1.0, t.name)
    if t.kind == "complex" or source.kind == t.kind == "boolean" or source.is_integer:
        return applied(NAMED["multiply"], "multiply", [t, t], t, [a, b])
    raise Unknown(f"{source} to {t}")


INEXACT: list[str] = []  # of the sums since it was emptied those in which the order may count
NAMED = {name: Op(f"stablehlo.{name}", (), ()) for name in ("add", "multiply")}


def is_exact(products: Sequence[Any], t: ElementType) -> bool:
    """Return whether all schedules agree: on integers, or exact multiples of one power of two."""
    if t.kind != "float":
        return t.kind != "complex" or all(
            part == int(part) and abs(part) < 2**20 for x in products for part in x
        )
    numbers = [
        Fraction(x) for x in products if isfinite(x)
    ]  # infinities and NaNs absorb them in any schedule
    whole = sum(map(abs, numbers)) * max((x.denominator for x in numbers), default=1)
    return whole <= 2 ** floats.FORMATS[t.name].precision


def rounded(x: Any, t: ElementType) -> Any:
    """Return a number in a float type, or as the integer that it is."""
    if t.kind != "float" and Fraction(x).denominator == 1:
        return int(x)
    if isinstance(x, float) and not isfinite(x):
        return floats.fl(x, t.name)
    return floats.nearest(Fraction(x), x, t.name)


def total_of(products: Sequence[Any], t: ElementType) -> Any:
    if not is_exact(products, t):
        INEXACT.append(t.name)
    total: Any = {"float": 0.0, "complex": (0.0, 0.0), "boolean": False}.get(t.kind, 0)
    for x in products:
        total = applied(NAMED["add"], "add", [t, t], t, [total, x])
    return total


def dot_general(p: Program, op: Op, lhs: Array, rhs: Array) -> dict[Index, Any]:
    from cases.exact.evaluate import indices, number, plain, put

    lb, rb = op["lhs_batching_dimensions"], op["rhs_batching_dimensions"]
    lc, rc = op["lhs_contracting_dimensions"], op["rhs_contracting_dimensions"]
    lf = [d for d in range(len(lhs.type.shape)) if d not in (*lb, *lc)]
    rf = [d for d in range(len(rhs.type.shape)) if d not in (*rb, *rc)]
    source, t = plain(lhs.type), plain(op.result.type)
    left, right = ({i: number(x, i) for i in x.at} for x in (lhs, rhs))
    wanted = t
    if "accumulation_type" in op.attributes:
        source = t = op["accumulation_type"]
        left = {i: rounded(x, op["lhs_precision_type"]) for i, x in left.items()}
        right = {i: rounded(x, op["rhs_precision_type"]) for i, x in right.items()}
    found = {}
    for i in indices(op.result.type.shape):
        batch, a, b = i[: len(lb)], i[len(lb) : len(lb) + len(lf)], i[len(lb) + len(lf) :]
        products = []
        for c in product(*(range(lhs.type.shape[d]) for d in lc)):
            x = dict(zip((*lb, *lc, *lf), (*batch, *c, *a), strict=True))
            y = dict(zip((*rb, *rc, *rf), (*batch, *c, *b), strict=True))
            at_x, at_y = (tuple(v for _, v in sorted(side.items())) for side in (x, y))
            products.append(_product(left[at_x], right[at_y], source, t))
        total = total_of(products, t)
        found[i] = put(total if wanted == t else rounded(total, wanted), op.result.type, i)
    return found


def convolution(p: Program, op: Op, lhs: Array, rhs: Array) -> dict[Index, Any]:
    """Convolve: kernel positions ascending, then features; padding and holes are zero products (E23)."""
    from cases.exact.evaluate import indices, number, plain, put

    source, t = plain(lhs.type), plain(op.result.type)
    left, right = ({i: number(x, i) for i in x.at} for x in (lhs, rhs))
    space, kernel = op["input_spatial_dimensions"], op["kernel_spatial_dimensions"]
    features = rhs.type.shape[op["kernel_input_feature_dimension"]]
    outputs = rhs.type.shape[op["kernel_output_feature_dimension"]]
    batches = op.result.type.shape[op["output_batch_dimension"]]
    zero = total_of((), t)
    found = {}
    for i in indices(op.result.type.shape):
        out, n = i[op["output_feature_dimension"]], i[op["output_batch_dimension"]]
        feature_group = out // (outputs // op["feature_group_count"])
        batch_group = out // (outputs // op["batch_group_count"])
        products = []
        for w in product(*(range(rhs.type.shape[d]) for d in kernel)):
            at = []
            for d, k in enumerate(w):
                size = rhs.type.shape[kernel[d]]
                place = i[op["output_spatial_dimensions"][d]] * op["window_strides"][d]
                tap = (size - 1 - k if op["window_reversal"][d] else k) * op["rhs_dilation"][d]
                at.append(place + tap - op["padding"][d][0])
            real = all(
                a % s == 0 and 0 <= a // s < lhs.type.shape[d]
                for a, s, d in zip(at, op["lhs_dilation"], space, strict=True)
            )
            for f in range(features):
                x = dict(
                    zip(space, (a // s for a, s in zip(at, op["lhs_dilation"], strict=True)), strict=True)
                )
                x[op["input_batch_dimension"]] = n + batch_group * batches
                x[op["input_feature_dimension"]] = f + feature_group * features
                y = dict(zip(kernel, w, strict=True))
                y[op["kernel_input_feature_dimension"]] = f
                y[op["kernel_output_feature_dimension"]] = out
                a, b = (tuple(v for _, v in sorted(side.items())) for side in (x, y))
                products.append(_product(left[a], right[b], source, t) if real else zero)
        found[i] = put(total_of(products, t), op.result.type, i)
    return found
