"""Fast paths as values: the facts that select one, and how it computes the accumulator."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from interp.backends import Array, Namespace
from interp.engine.quant import Type, to_destination_type, wrap
from interp.engine.stored import Range
from spec.types import ElementType, QuantizedType


class Reduction(NamedTuple):
    """Facts that select a fast path: the body's only operation (else ""), types, and counts."""

    operation: str
    source: Type
    init: Type
    accumulation: Type
    n: int
    inits: int

    @property
    def types(self) -> tuple[Type, Type, Type]:
        return self.source, self.init, self.accumulation

    @property
    def plain(self) -> list[ElementType]:
        """The types that are not quantized."""
        return [type for type in self.types if isinstance(type, ElementType)]

    @property
    def quantized_types(self) -> list[QuantizedType]:
        """The types that are quantized per tensor and stored as integers."""
        quantized = [type for type in self.types if isinstance(type, QuantizedType)]
        return [type for type in quantized if type.is_per_tensor and type.storage_type.is_integer]


class Plain(NamedTuple):
    """The absence of a fast path, with its reason."""

    why: str


class Form(NamedTuple):
    """A fast path; the docstring of `order_free.py` explains the fields."""

    theorem: str
    why: str
    reduction: Reduction
    combine: str
    dtype: np.dtype
    shift: int = 0  # from stored leaves to leaves of the accumulation type, where conversion is a shift
    within: Range | None = None
    is_shift: bool = True

    def finish(self, xp: Namespace, total: Array, init: Array) -> Array:
        """Return the accumulator in the shape of `total`, which may be the 0-d array of a Python integer."""
        return FINISH[self.combine](xp, self, total, init)


def _finish_sum(xp: Namespace, form: Form, total: Array, init: Array) -> Array:
    accumulation, (n, inits) = form.reduction.accumulation, form.reduction[-2:]
    if isinstance(accumulation, ElementType):
        return wrap(xp, total + init * xp.asarray(inits, xp.int64).astype(total.dtype), accumulation)
    zero_point = accumulation.zero_point
    constant = n * (form.shift - zero_point) + zero_point - inits * zero_point
    rest = (inits * init.astype(xp.int64) + constant).astype(init.dtype)
    return total.astype(init.dtype) + rest  # the sum fits: modulo 2^w is enough on the way


def _finish_product(xp: Namespace, form: Form, total: Array, init: Array) -> Array:
    accumulation = form.reduction.accumulation
    assert isinstance(accumulation, ElementType)
    power = xp.asarray(1, total.dtype)
    for bit in f"{form.reduction.inits:b}":
        power = power * power * (init if bit == "1" else xp.asarray(1, total.dtype))
    return wrap(xp, total * power, accumulation)


def _finish_bits(xp: Namespace, form: Form, total: Array, init: Array) -> Array:
    """Return the accumulator of a bitwise fold; `total` is sign-extended to its container first."""
    accumulation, inits = form.reduction.accumulation, form.reduction.inits
    assert isinstance(accumulation, ElementType)
    if inits % 2 or form.combine != "bitwise_xor":
        total = getattr(xp, form.combine)(total, init)
    return total if accumulation.kind == "boolean" else wrap(xp, total, accumulation)


def _finish_extremum(xp: Namespace, form: Form, total: Array, init: Array) -> Array:
    if not form.is_shift:
        total = to_destination_type(xp, total, form.reduction.source, form.reduction.accumulation)
    elif form.shift or total.dtype != init.dtype:
        total = total.astype(init.dtype) + xp.asarray(form.shift, xp.int64).astype(init.dtype)
    return getattr(xp, form.combine)(total, xp.full_like(total, init))  # NumPy is slower with a scalar


FINISH: dict[str, Callable[..., Array]] = {
    "add": _finish_sum,
    "multiply": _finish_product,
    "maximum": _finish_extremum,
    "minimum": _finish_extremum,
    "bitwise_and": _finish_bits,
    "bitwise_or": _finish_bits,
    "bitwise_xor": _finish_bits,
}
