"""Fast paths that also prove that no node of the fold they replace has an event."""

from __future__ import annotations

from interp.engine.facts import facts_of
from interp.engine.stored import storage_range
from interp.speed.form import Form, Reduction
from interp.speed.order_free import node_range
from interp.theory.conversion import converted_range
from spec.types import ElementType, QuantizedType


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
