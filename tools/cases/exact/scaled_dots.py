"""Products of matrices with scales as operands, by XLA's text: scale in the result's type, multiply, and sum.

The composite that stands for `custom_call @__op$block_scaled_dot` is computed from its operands; of another
composite, as of JAX's `xla.scaled_dot`, the decomposition runs, which is its meaning as declared.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from cases.exact.contractions import NAMED, total_of
from cases.exact.floats import Unknown, fl, multiply
from cases.exact.operations import applied
from spec.ir import Op
from spec.types import ElementType

if TYPE_CHECKING:
    from cases.exact.evaluate import Array, Index, Program

BLOCK_SCALED_DOT = "interp.block_scaled_dot"


def composite(p: Program, op: Op, *operands: Array) -> list[dict[Index, Any]]:
    from cases.exact.evaluate import Program as Scope

    if op["name"] == BLOCK_SCALED_DOT:
        return [block_scaled_dot(op, *operands)]
    body = p.module[op["decomposition"].name].body
    return [x.at for x in Scope(p.module, {}).run(body, operands)]


def block_scaled_dot(op: Op, lhs: Array, rhs: Array, *scales: Array) -> dict[Index, Any]:
    """Sum lhs[.., k] * rhs[.., k], both scaled, over the last dimension; a fifth operand scales sums."""
    t: ElementType = op.result.type.element_type
    sides = [scaled(x, scales[k : k + 1], t) for k, x in enumerate((lhs, rhs))]
    found = {}
    for *batch, a, b in product(*map(range, op.result.type.shape)):
        columns = range(lhs.type.shape[-1])
        terms = [multiply(sides[0][*batch, a, k], sides[1][*batch, b, k], t.name) for k in columns]
        found[*batch, a, b] = total_of(terms, t)
    if len(scales) == 3:
        found = {
            i: applied(NAMED["multiply"], "multiply", [t, t], t, [x, scales[2].item])
            for i, x in found.items()
        }
    return found


def scaled(x: Array, scales: Sequence[Array], t: ElementType) -> dict[Index, float]:
    """Return the elements times the scales of their blocks, both rounded to a type before, and after it."""
    if not scales:
        return {i: fl(v, t.name) for i, v in x.at.items()}
    (table,) = scales
    size, rest = divmod(x.type.shape[-1], max(table.type.shape[-1], 1))
    if rest or table.type.shape[:-1] != x.type.shape[:-1]:
        raise Unknown("scales that a block size in the configuration cuts off")
    factor = lambda i: fl(table.at[*i[:-1], i[-1] // size], t.name)
    return {i: multiply(fl(v, t.name), factor(i), t.name) for i, v in x.at.items()}
