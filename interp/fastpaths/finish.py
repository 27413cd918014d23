"""From the combined leaves of a closed form to the accumulator: `Form.finish`, by what combined them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from interp.backends import Array, Namespace
from interp.engine.quant import to_destination_type, wrap
from spec.types import ElementType

if TYPE_CHECKING:
    from interp.fastpaths.order_free import Form


def _of_sum(xp: Namespace, form: Form, total: Array, init: Array) -> Array:
    accumulation, (n, inits) = form.reduction.accumulation, form.reduction[-2:]
    if isinstance(accumulation, ElementType):
        return wrap(xp, total + init * xp.asarray(inits, xp.int64).astype(total.dtype), accumulation)
    zero_point = accumulation.zero_point
    constant = n * (form.shift - zero_point) + zero_point - inits * zero_point
    rest = (inits * init.astype(xp.int64) + constant).astype(init.dtype)
    return total.astype(init.dtype) + rest  # the sum fits: modulo 2^w is enough on the way


def _of_product(xp: Namespace, form: Form, total: Array, init: Array) -> Array:
    accumulation = form.reduction.accumulation
    assert isinstance(accumulation, ElementType)
    power = xp.asarray(1, total.dtype)
    for bit in f"{form.reduction.inits:b}":
        power = power * power * (init if bit == "1" else xp.asarray(1, total.dtype))
    return wrap(xp, total * power, accumulation)


def _of_bits(xp: Namespace, form: Form, total: Array, init: Array) -> Array:
    """A sign was extended into all of the container."""
    accumulation, inits = form.reduction.accumulation, form.reduction.inits
    assert isinstance(accumulation, ElementType)
    if inits % 2 or form.combine != "bitwise_xor":
        total = getattr(xp, form.combine)(total, init)
    return total if accumulation.kind == "boolean" else wrap(xp, total, accumulation)


def _of_chosen(xp: Namespace, form: Form, total: Array, init: Array) -> Array:
    if not form.is_shift:
        total = to_destination_type(xp, total, form.reduction.source, form.reduction.accumulation)
    elif form.shift or total.dtype != init.dtype:
        total = total.astype(init.dtype) + xp.asarray(form.shift, xp.int64).astype(init.dtype)
    return getattr(xp, form.combine)(total, xp.full_like(total, init))  # NumPy is slower with a scalar


FINISH: dict[str, Callable[..., Array]] = {
    "add": _of_sum,
    "multiply": _of_product,
    "maximum": _of_chosen,
    "minimum": _of_chosen,
    "bitwise_and": _of_bits,
    "bitwise_or": _of_bits,
    "bitwise_xor": _of_bits,
}
