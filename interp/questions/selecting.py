"""Proof that a select_and_scatter selects the same elements under every schedule."""

from __future__ import annotations

import numpy as np

from interp.engine.bodies import selects_by_order
from interp.engine.leaf_counts import SCATTER
from interp.engine.stored import to_reals
from interp.recorder.recorded import Reduction

SELECTED = "another schedule may select other elements"


def selects_alike(reduction: Reduction) -> bool:
    """Return whether every schedule of this run selects the same elements to scatter to.

    ASSUMPTION: `select` is one ordering comparison, and no element of the operand is NaN, which has no order.
    Then it takes the first or the last of the greatest, or of the least. Other reductions give True.
    """
    if reduction.op.name != SCATTER:
        return True
    real = to_reals(reduction.operands[0], reduction.op.operands[0].type.element_type)
    return selects_by_order(reduction.op) and not bool(np.isnan(real).any())
