"""Products of single elements in the integer reading: their accumulator, and the range of the result.

THEOREM: a product is monotone in each factor, in a direction that the other one decides, so its extremes are
among those of the ends of the factors. An accumulator that holds these, or that saturates, keeps order, and
so does requantization. One that wraps does not keep it: the result may then be anything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from interp.backends import NUMPY, Array
from interp.engine.facts import facts
from interp.engine.in_integers import integers
from interp.engine.stored import storage_range
from interp.questions.proving.elementwise import elementwise
from interp.questions.proving.judgement import ANY_ORDER, PROVED, UNKNOWN, Judgement, fits
from interp.questions.proving.ranges import Range, type_range
from interp.theory.ranges import exact_bracket, extremes
from interp.theory.sums import Ends, ends_of
from spec.ir import Op

MULTIPLY = "stablehlo.multiply"
SATURATES = "events do not tell a product that saturates from a result that does"


def judge_products(
    ctx: Any, op: Op, operands: Sequence[Range], function: Callable[..., Array]
) -> tuple[Judgement, Range]:
    """Judge the accumulator of products of quantized numbers, and return the range of their results."""
    held = ctx.reading.accumulator
    limits, ends = storage_range(held.type), _exact_products(op, operands)
    proved = fits(ends, limits)
    result = elementwise(op, operands, function) if proved or held.saturates else type_range(op.result.type)
    why = "" if proved or not held.saturates else SATURATES
    return Judgement(op, held.type, PROVED if proved else UNKNOWN, ANY_ORDER, why, ends, limits, ends), result


def _exact_products(op: Op, operands: Sequence[Range]) -> Ends:
    """Return the least and the greatest product of `q - zero_point` for each element."""
    factors = [
        _whole(value.type.quantized_element_type, x) for value, x in zip(op.operands, operands, strict=True)
    ]
    return ends_of(*extremes(facts(op), exact_bracket(np.multiply), factors))


def _whole(type: Any, x: Range) -> Ends:
    ends = x.ends if type.is_per_tensor else x.full
    return Ends(*(np.asarray(integers(NUMPY, end, type)).astype(object) for end in ends))
