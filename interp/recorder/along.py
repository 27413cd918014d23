"""Sums along an accumulation as recorded reductions: the numbers that they add, and their nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from interp.backends import Array
from interp.engine import additions
from interp.engine.additions import WIDE, Adding, Addition, Terms, adds_integers, summand_type, summands
from interp.engine.bodies import body_of
from interp.engine.float_sums import exponents
from interp.engine.quant import Type, round_parameters
from interp.engine.storage import is_stored_as_integer
from interp.kernels.contraction import factor_types
from interp.recorder.folded import Along, Folded
from interp.recorder.leaves import Part
from interp.recorder.products import DOT, NO_FACTOR, Products, as_sum, product_terms, zero
from interp.speed.exact_contraction import accumulation_type
from spec.accumulation import Accumulation
from spec.accumulator import Reading
from spec.errors import Malformed
from spec.schedule import Schedule, parse
from spec.types import ELEMENT_TYPES, QuantizedType, TensorType, make_quantized


def as_schedule(accumulation: Accumulation) -> Schedule | None:
    """Return the schedule of the specification that an accumulation is, or None."""
    try:
        schedule = parse(repr(accumulation))
    except Malformed:
        return None
    return schedule if Accumulation.of(schedule) == accumulation else None


def adds_as_written(type: Type, accumulation: Accumulation) -> bool:
    """Return whether the nodes of a sum are its quantized body, as they say nothing but the order."""
    return isinstance(type, QuantizedType) and accumulation.is_plain


def sum_elements(found: Folded, adding: Adding, reading: Reading) -> Folded:
    """Return a reduction as the sum along an accumulation of the numbers that enter it.

    Quantized elements enter as the integers `q - zero_point`, in steps of their scale, or as floats.
    """
    (type,), accumulation = found.types, adding.accumulation
    enter = lambda x: summands(np.asarray(x), type, accumulation)
    own = summand_type(type, accumulation)
    kind: Type = own
    if isinstance(type, QuantizedType) and own == WIDE:
        kind = make_quantized("i64", "f64", round_parameters(type).scales[0])
    adding = adding._replace(declared=adding.declared or own)
    op = replace(found.op, regions=(*found.op.regions[:-1], body_of("stablehlo.add", TensorType((), kind))))
    parts = lambda: tuple(Part(part.flat(enter), part.columns) for part in found.parts)
    return replace(
        found,
        op=op,
        init=tuple(map(enter, found.init)),
        leaves=parts,
        accumulators=(),
        as_written=found.written,
        along=Along(adding, found, reading),
    )


def sum_products(found: Folded, adding: Adding, reading: Reading, own: Products) -> Folded:
    """Return a contraction as the sum along an accumulation of its products, of integers or unrounded."""
    if not is_stored_as_integer(own.type):
        if adds_integers(adding.accumulation) and own.integers:
            own = own.integers
        else:
            own = replace(own, type=ELEMENT_TYPES["f64"], multiply=_multiply)
    kind = WIDE if is_stored_as_integer(own.type) else own.type
    adding = adding._replace(declared=adding.declared or accumulation_type(own.op))
    return replace(
        found,
        op=as_sum(own.op, own.type, kind),
        init=(zero(kind),),
        leaves=lambda: (own.part,),
        accumulators=(),
        products=own,
        along=Along(adding, found, reading),
    )


@np.errstate(all="ignore")
def _multiply(a: Array, b: Array) -> Array:
    return np.asarray(a, np.float64) * np.asarray(b, np.float64)


def element_additions(
    reduction: Folded, index: tuple[int, ...], values: Sequence[float], present: Sequence[bool]
) -> list[Addition]:
    """Return the nodes of one result element, from the numbers of its leaves, the init first."""
    assert reduction.along
    if reduction.by_blocks:
        return [*reduction.by_blocks.element(index).across]
    adding, heard = reduction.along.adding, list[Addition]()
    has_init, (init, *rest) = not reduction.has_own_inits, values
    terms, start = _products(reduction, index), np.zeros((1, 1, 1))
    if terms is None:
        start = np.asarray([init], np.float64 if isinstance(init, float) else np.int64)
        terms = _elements(reduction, rest if has_init else values, start)
    elif terms.type.is_integer:
        start = start.astype(np.int64)
    here = None if all(present) else (present[1:] if has_init else present)
    with np.errstate(all="ignore"):
        known = adding.declared, adding.saturates, heard.append, has_init, here
        additions.sums(adding.accumulation, terms, start, *known)  # type: ignore[arg-type]
    return heard


def _elements(reduction: Folded, values: Sequence[float], like: Array) -> Terms:
    """Return known elements as terms."""
    assert reduction.along
    declared = reduction.along.declared.types[0]
    own = summand_type(declared, reduction.along.adding.accumulation)
    rows = np.asarray(values, like.dtype).reshape(-1, 1)
    rows = rows if len(rows) else np.zeros((1, 1), like.dtype)
    powers = lambda i, normalized: exponents(rows[i].astype(np.float64), own)
    return Terms(len(values), rows.__getitem__, own, powers)


def _products(reduction: Folded, index: tuple[int, ...]) -> Terms | None:
    """Return the products of one result element as terms."""
    if (products := reduction.products) is None:
        return None
    assert reduction.along
    flat = int(np.ravel_multi_index(index, reduction.shape)) if index else 0
    left, right = (places.reshape(-1) for places in products.places(np.array([flat])))
    lhs, rhs = (x.reshape(-1)[at] for x, at in zip(products.numbers, (left, right), strict=True))
    lhs, rhs = (np.where(left == NO_FACTOR, np.zeros_like(x), x) for x in (lhs, rhs))
    whole = is_stored_as_integer(products.type)
    types = [WIDE, WIDE] if whole else list(factor_types(products.op))
    accumulation = reduction.along.adding.accumulation
    terms, _, _ = product_terms(DOT, (lhs[None, None], rhs[None, :, None]), types, accumulation)
    return terms
