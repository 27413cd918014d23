"""Fast paths whose result depends on no schedule: a cheaper computation that gives every bit of a fold.

`order_free(reduction)` decides by types alone. It returns a `Form`, or a `Plain` with the reason why there
is none. A form works on the stored leaves as they are *before* conversion to the accumulation type:

    total = the leaves, in `form.dtype`, combined by `form.combine` in any schedule and grouping
    accumulator = form.finish(xp, total, init)   # init: converted, a carrier of the accumulation type

`form.combine` is a function of the namespace: add, multiply, maximum, minimum, bitwise_and, bitwise_or,
bitwise_xor; in `form.dtype` it either wraps as it must or cannot overflow. If `form.within` is given, data
decide and not types: the form holds if every node of the tree, as an unclamped integer, lies in that range.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from interp.backends import NUMPY, Array, Namespace
from interp.engine.bodies import only_op
from interp.engine.facts import facts_of
from interp.engine.memo import once
from interp.engine.quant import Type, to_destination_type, wrap
from interp.engine.storage import Range, storage_range
from interp.theory.quantized_arithmetic import (
    conversion_shift,
    converted_range,
    exact_range,
    keeps_order,
    requantizes_to_itself,
)
from spec.ir import Op
from spec.schedule import Schedule
from spec.types import ElementType, QuantizedType

# Fast paths as values: the facts that select one, and how it computes the accumulator.


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


@once
def reduction_of(op: Op, region: int, schedule: Schedule, n: int, first: int = 0) -> Reduction | Plain:
    """Return the facts about the fold of the n leaves of operand `first`, whose init is the next operand."""
    body = op.regions[region]
    if len(body.arguments) != 2:
        return Plain(f"its body combines {len(body.arguments) // 2} operands")
    if schedule.name in ("windows", "tree"):
        return Plain(f"the schedule {schedule.name} may repeat the init value")
    inits = 1
    if schedule.name == "blocks":
        assert isinstance(schedule.argument, int)
        inits = -(-n // schedule.argument)
    source, init = (op.operands[k].type.element_type for k in (first, first + 1))
    accumulation = body.arguments[0].type.element_type
    return Reduction(only_op(body), source, init, accumulation, n, inits)


@once
def init_shift(op: Op) -> int | None:
    """Return the constant offset that converting init, the last operand, adds; None if it is not constant."""
    init, accumulation = op.operands[-1].type.element_type, op.regions[-1].arguments[0].type.element_type
    if not isinstance(init, QuantizedType) or not isinstance(accumulation, QuantizedType):
        return None
    plain = init.is_per_tensor and init.storage_type.is_integer and accumulation.storage_type.is_integer
    return conversion_shift(init, accumulation) if plain and accumulation.is_per_tensor else None


@cache
def order_free(reduction: Reduction) -> Form | Plain:
    """Return the form of this reduction under any schedule."""
    if reduction.n == 0:
        return Plain("it has no leaves")
    if len(reduction.plain) == 3 and all(type.kind in COMBINE for type in reduction.plain):
        return wrapping(reduction)
    if len(reduction.quantized_types) < 3:
        return Plain("its types are neither all integers nor all quantized per tensor")
    if reduction.operation == "add":
        return integer_addition(reduction)
    if facts_of(reduction.operation).chooses:
        return extremum(reduction)
    return Plain(f"no theorem about {reduction.operation or 'a body of several ops'} of quantized elements")


# Plain integers and booleans.

COMBINE = {
    "signed": {"add": "add", "multiply": "multiply", "maximum": "maximum", "minimum": "minimum"}
    | {"and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor"},
    "boolean": dict.fromkeys(("add", "maximum", "or"), "bitwise_or")
    | dict.fromkeys(("multiply", "minimum", "and"), "bitwise_and")
    | {"xor": "bitwise_xor"},
}
COMBINE["unsigned"] = COMBINE["signed"]


def wrapping(reduction: Reduction) -> Form | Plain:
    """Return the form of an integer fold, or why there is none.

    THEOREM: folds of integer `add`, `multiply`, `and`, `or`, `xor` on w bits depend on no schedule and no
    conversion. Two's complement of w bits is the ring of integers modulo 2^w, whose addition and
    multiplication are associative and commutative, as the bitwise operations are; conversion extends a sign
    or zeros and drops high bits, which commutes with reduction modulo 2^w. The same is true of `maximum` and
    `minimum`
    where conversion keeps values: where the range of the leaves' type is part of the accumulation type's.
    """
    source, _, accumulation = reduction.plain
    kinds = {type.kind for type in reduction.plain}
    combine = COMBINE[accumulation.kind].get(reduction.operation)
    if combine is None or ("boolean" in kinds and len(kinds) > 1):
        return Plain(f"no theorem about {reduction.operation or 'a body of several ops'} of {accumulation!r}")
    carried = accumulation
    if combine in ("maximum", "minimum"):
        if source.min_value < accumulation.min_value or source.max_value > accumulation.max_value:
            return Plain(f"conversion from {source!r} to {accumulation!r} may wrap")
        theorem, why, carried = "exact", "integers are ordered", source
    elif combine in ("add", "multiply"):
        theorem, why = "wrapping", f"{accumulation!r} is a ring modulo 2^{accumulation.bits}"
    else:
        theorem, why = "bitwise", "every bit is combined for itself"
    return Form(f"{theorem} {reduction.operation}", why, reduction, combine, NUMPY.carrier(carried))


# Quantized elements.


def integer_addition(reduction: Reduction) -> Form | Plain:
    """Return the form of a quantized `add`, or why there is none.

    THEOREM: with equal parameters it is `a + b - zero_point` while no node leaves a range. Assumptions:
    leaves enter the accumulation type by a shift (`conversion_shift`); every node, as an unclamped integer,
    lies in `exact_range`. Then a tree over leaves q_i and k inits has at its root
    `zero_point + sum(q_i + shift - zero_point) + k * (init - zero_point)`, an integer sum that is the same in
    any schedule. The types suffice if n leaves of the largest magnitude stay in range; else `within` is the
    range in which the data must stay.
    """
    source, _, accumulation = reduction.quantized_types
    within, shift = exact_range(accumulation), conversion_shift(source, accumulation)
    if shift is None:
        return Plain(f"conversion from {source!r} to {accumulation!r} is not a shift")
    if within is None:
        return Plain(f"no bound makes add on {accumulation!r} integer addition")
    zero_point = accumulation.zero_point
    if not (within[0] <= source.storage_min + shift and source.storage_max + shift <= within[1]):
        return Plain(f"a leaf may be outside of {[*within]}, the bound of integer addition")
    least, greatest = node_range(reduction, shift)
    proven = within[0] <= least + zero_point and greatest + zero_point <= within[1]
    why = f"nodes lie in [{least + zero_point}, {greatest + zero_point}] by type"
    why += f", {'in' if proven else 'not in'} [{within[0]}, {within[1]}]"
    dtype = smallest_integer(reduction.n, source.storage_min, source.storage_max)
    return Form("integer addition", why, reduction, "add", dtype, shift, None if proven else within)


def node_range(reduction: Reduction, shift: int) -> Range:
    """Return the least and the greatest sum of any leaves and inits, minus the zero point for each."""
    source, init_type, accumulation = reduction.quantized_types
    offset = shift - accumulation.zero_point
    init = [bound - accumulation.zero_point for bound in converted_range(init_type, accumulation)]
    return (
        reduction.n * min(source.storage_min + offset, 0) + reduction.inits * min(init[0], 0),
        reduction.n * max(source.storage_max + offset, 0) + reduction.inits * max(init[1], 0),
    )


def extremum(reduction: Reduction) -> Form | Plain:
    """Return the form of a quantized `maximum` or `minimum`, or why there is none.

    THEOREM: it returns one of two stored numbers if requantizing leaves each of them unchanged. Assumptions:
    on the set V of converted leaves and inits, `quantize(dequantize(q)) = q`, and dequantize is finite.
    Dequantize never decreases, so `maximum(dequantize(a), dequantize(b)) = dequantize(max(a, b))`, and a node
    is max(a, b), again in V. Conversion never decreases either, so that the greatest stored leaf may be
    chosen before conversion. All of V is tried for storage of up to 16 bits; beyond, `exact_range` is a range
    in which quantize undoes dequantize.
    """
    source, init, accumulation = reduction.quantized_types
    for type in (source, init):
        if not (keeps_order(type, accumulation) and requantizes_to_itself(type, accumulation)):
            return Plain(f"requantizing in {accumulation!r} may change what {type!r} becomes there")
    why = f"requantizing in {accumulation!r} keeps every leaf and init"
    name = f"{reduction.operation} of storage"
    dtype, shift = NUMPY.carrier(source.storage_type), conversion_shift(source, accumulation)
    return Form(name, why, reduction, reduction.operation, dtype, shift or 0, is_shift=shift is not None)


def smallest_integer(n: int, least: int, greatest: int) -> np.dtype:
    """Return the smallest signed integer dtype that holds any sum of up to n numbers in [least, greatest]."""
    reached = max(-n * least, n * greatest + 1)
    return np.dtype(next(f"int{bits}" for bits in (8, 16, 32, 64) if reached <= 2 ** (bits - 1)))


# Fast paths that also prove that no node of the fold they replace has an event.


def without_events(form: Form, kinds: frozenset[str]) -> Form | None:
    """Return the form, restricted so that no node has an event of these kinds; None if that is impossible.

    Leaves, the init value and the result are checked separately.

    THEOREM: there is no event where
    - `maximum`, `minimum` and the bitwise operations choose or combine bits: nothing overflows;
    - plain `add`: all leaves and inits together stay in the type's range, so that every partial sum does;
    - quantized `add`: every node lies in `form.within`, where it is integer addition and nothing clamps.
    A quantized node q is also read as `q - zero_point`, which must not wrap (erratum E1).
    """
    reduction = form.reduction
    if isinstance(reduction.accumulation, ElementType):
        return form if not facts_of(reduction.operation).wraps or _never_wraps(reduction) else None
    return _readable(form, reduction.accumulation) if "erratum" in kinds else form


def _never_wraps(reduction: Reduction) -> bool:
    source, init, accumulation = reduction.plain
    if reduction.operation == "multiply" or not accumulation.is_integer:
        return not accumulation.is_integer
    numbers, inits = (source.min_value, source.max_value), (init.min_value, init.max_value)
    least = reduction.n * min(numbers[0], 0) + reduction.inits * min(inits[0], 0)
    most = reduction.n * max(numbers[1], 0) + reduction.inits * max(inits[1], 0)
    return accumulation.min_value <= least and most <= accumulation.max_value


def _readable(form: Form, type: QuantizedType) -> Form | None:
    zero_point, storage = type.zero_point, type.storage_type
    if zero_point == 0:
        return form
    reduction = form.reduction
    low, high = storage.min_value + zero_point, storage.max_value + zero_point
    kinds = [converted_range(t, type) for t in reduction.quantized_types[:2]]
    if not all(low <= least and most <= high for least, most in kinds):
        return None
    if reduction.operation != "add":
        return form
    least, most = (bound + zero_point for bound in node_range(reduction, form.shift))
    if form.within is None and low <= least and most <= high:
        return form
    within = form.within or storage_range(type)
    return form._replace(within=(max(low, within[0]), min(high, within[1])))
