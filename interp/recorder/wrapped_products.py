"""Products of plain integers that wrap, since the accumulator of their contraction does not hold them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from interp.backends import NUMPY, Array, State
from interp.engine.evaluate import Place
from interp.engine.fold import Node
from interp.engine.quant import wrap_whole
from interp.kernels.contraction import geometry_of
from interp.kernels.product_fold import product_leaves
from interp.recorder.batch import Batch
from interp.recorder.judgement import Judgement, mask_events
from interp.speed.exact_contraction import accumulation_type
from interp.theory.sums import as_array
from spec.ir import Op
from spec.types import ElementType

WORD = 62  # bits of a product up to which i64 holds it


def wrapped_products(op: Op, operands: State) -> Iterator[tuple[Batch, Judgement]]:
    """Yield, for each product of the sums, where it wraps: as an event at the leaf that it is."""
    element, most = accumulation_type(op), 1
    for value, x in zip(op.operands, operands, strict=True):
        type = value.type.element_type
        if not (isinstance(type, ElementType) and type.is_integer and element.is_integer):
            return
        most *= max(abs(int(x.min(initial=0))), abs(int(x.max(initial=0))))
    if most <= element.max_value:
        return
    wide = [np.asarray(x).astype(np.int64 if most.bit_length() <= WORD else object) for x in operands]
    first, second = (product_leaves(NUMPY, geometry_of(NUMPY, op), side, *wide) for side in (_first, _second))
    for i in range(first.n):
        factors = first.at(i).reshape(first.result), second.at(i).reshape(first.result)
        exact = as_array(factors[0] * factors[1])
        stored = as_array(wrap_whole(exact, element))
        batch = Batch(op, op, factors, stored, Place(op, 0, Node(i + 1, i + 1, None, False)), exact.shape)
        for wrapped in mask_events(
            "wrap", as_array(stored != exact), as_array(exact - stored), partial(_at, exact)
        ):
            yield batch, wrapped


def _first(a: Array, b: Array) -> Array:
    return np.broadcast_arrays(a, b)[0]


def _second(a: Array, b: Array) -> Array:
    return np.broadcast_arrays(a, b)[1]


def _at(x: Array, at: int) -> int:
    return int(x.flat[at])
