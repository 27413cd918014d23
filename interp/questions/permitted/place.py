"""The place of each result element on the ladder from exact to wrong, by the bound on every accumulation.

`within`: some schedule of the specification gives it. `outside the specification`: none does, but another
accumulation, which is printed. `wrong`: no accumulation of the family of `any_order` gives it. `unknown`:
none of this is known.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from interp.backends import NUMPY, Array
from interp.questions.permitted.enclosure import Enclosure
from interp.questions.permitted.reproduction import Program
from interp.questions.permitted.results import Results, number
from spec.types import TensorType

WITHIN, OUTSIDE, WRONG, NOT_KNOWN = PLACES = ("within", "outside the specification", "wrong", "unknown")


def refutations(program: Program, places: Sequence[int], any_inits: bool) -> dict[int, str]:
    """Return, for each element that no accumulation of the family gives, the bound and the family."""
    if not places:
        return {}
    module, func = program.module, program.module[program.function]
    carriers = [NUMPY.decode(x, v.type.storage_type) for x, v in zip(program.args, func.inputs, strict=True)]
    walk = Enclosure(module, any_inits)
    spans, given = walk.result_spans(func, carriers), Results(program.given)
    found = {}
    for place in places:
        k, at = given.at(place)
        span, type = spans[k], func.results[k]
        if span is not None:
            ends = (np.broadcast_to(end, type.shape).reshape(-1)[at] for end in span)
            x = number(given[place], type.storage_type)
            if reason := _outside(type, x, *ends):
                found[place] = f"{reason} in {family(walk.types)}"
    return found


def family(types: Sequence[str]) -> str:
    """Return the name of the family whose sums are made in these types."""
    if not types:
        return "any order"
    return f"any order, plain or fma, of nodes in {' and '.join(types)} or wider"


def _outside(type: TensorType, x: float, low: Array, high: Array) -> str:
    """Return how far an element lies outside of its span, or "" if it does not."""
    ends = low.item(), high.item()
    if type.storage_type.kind == "float" and not np.isfinite(ends).all():
        return ""
    if ends[0] <= x <= ends[1]:  # false for NaN
        return ""
    if type.storage_type.kind != "float" or ends[0] == ends[1] or not np.isfinite(x):
        what = repr(ends[0]) if ends[0] == ends[1] else f"[{ends[0]!r}, {ends[1]!r}]"
        return f"only {what} is possible"
    middle = ends[0] / 2 + ends[1] / 2
    return f"{abs(x - middle):.2g} off where {ends[1] / 2 - ends[0] / 2:.2g} is possible"
