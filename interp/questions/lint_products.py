"""Suspicious products of plain integers: their sums, or they themselves, can be beyond the result's type."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import prod

import numpy as np

from interp.engine.facts import facts
from interp.questions.constants import constant
from interp.recorder.grids import factor_range
from interp.speed.exact_contraction import accumulation_type, sums_plain_integers
from interp.theory.contracted_bounds import extreme_sums, most_products
from interp.theory.factor_ranges import Factor, constant_factor, bounded_factor
from spec.ir import Op, Value
from spec.types import ElementType

Definitions = Mapping[str, Op]
NARROW = 16  # bits of integers that are hardly meant to wrap, as those of hashes and random numbers are


def contraction_overflow(op: Op, definitions: Definitions) -> str:
    """Return evidence that sums of a contraction can be beyond its type; constants are as they are."""
    if facts(op).family != "contraction" or not op.result.type.size or not sums_plain_integers(op):
        return ""
    lhs, rhs = (_factor(value, definitions) for value in op.operands)
    reached = extreme_sums(op, lhs, rhs).hull
    what = f"sums of {most_products(op)} products of {_text(lhs)} and {_text(rhs)}"
    return _beyond(what, accumulation_type(op), *map(int, reached))


def wrapping(op: Op, definitions: Definitions) -> str:
    """Return evidence that a product of narrow integers can be beyond its type, like `contraction_overflow`."""
    type = op.result.type.element_type if op.name == "stablehlo.multiply" else None
    if not isinstance(type, ElementType) or not type.is_integer or type.bits > NARROW:
        return ""
    if not op.result.type.size:
        return ""
    factors = [_factor(value, definitions) for value in op.operands]
    found = list(map(prod, product(*map(_ends, factors))))
    return _beyond(f"products of {' and '.join(map(_text, factors))}", type, min(found), max(found))


def _beyond(what: str, type: ElementType, least: int, greatest: int) -> str:
    if type.min_value <= least and greatest <= type.max_value:
        return ""
    ends = f"from {type.min_value:,} to {type.max_value:,}"
    return f"{what} reach from {least:,} to {greatest:,}; {type!r} goes {ends}"


def _factor(value: Value, definitions: Definitions) -> Factor:
    known = constant(value, definitions)
    return (
        bounded_factor(factor_range(value.type.element_type), value.type.shape)
        if known is None
        else constant_factor(known)
    )


def _ends(factor: Factor) -> tuple[int, int]:
    return int(np.min(factor.least)), int(np.max(factor.greatest))


def _text(factor: Factor) -> str:
    return "..".join(map(str, _ends(factor)))
