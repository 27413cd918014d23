"""Whether a select_and_scatter selects the same elements in every schedule."""

from __future__ import annotations

import numpy as np

from interp.engine.stored import dequantized
from interp.reductions.recorded import Reduction

ORDERED = {"GE", "GT", "LE", "LT"}
SELECTED = "another schedule may select other elements"


def selects_alike(reduction: Reduction) -> bool:
    """Whether every schedule of this run selects the same: the leaves of a scatter are those of any schedule.

    ASSUMPTION: `select` is one comparison by an order, and no element of the operand is NaN, which is in no
    order. Then it takes the first or the last of the greatest, or of the least. True of other reductions.
    """
    if reduction.op.name != "stablehlo.select_and_scatter":
        return True
    select = reduction.op.regions[0]
    compare = select.ops[0]
    ordered = (
        len(select.ops) == 2
        and compare.name == "stablehlo.compare"
        and compare["comparison_direction"] in ORDERED
        and {*compare.operands} == {*select.arguments}
    )
    type, operand = reduction.op.operands[0].type.element_type, reduction.operands[0]
    return ordered and not bool(np.isnan(dequantized(operand, type)).any())
