"""sort and map: a region applied to elements."""

from __future__ import annotations

from collections.abc import Callable
from functools import cmp_to_key
from itertools import combinations, combinations_with_replacement
from typing import Any

from cases.exact.evaluate import Array, Index, Program, indices, scalar
from cases.exact.floats import Unknown
from spec.ir import Op


def mapped(p: Program, op: Op, *inputs: Array) -> dict[Index, Any]:
    def computed(i: Index) -> Any:
        args = [
            scalar(v.type.element_type, x.at[i]) for v, x in zip(op.regions[0].arguments, inputs, strict=True)
        ]
        return p.run(op.regions[0], args)[0].item

    return {i: computed(i) for i in indices(op.result.type.shape)}


def sort(p: Program, op: Op, *inputs: Array) -> list[dict[Index, Any]]:
    """Sort by Python's stable sort; raise `Unknown` if the comparator is not a strict weak order."""
    shape, d = inputs[0].type.shape, op["dimension"] % len(inputs[0].type.shape)

    def less(a: Index, b: Index) -> bool:
        both = [x.at[i] for x in inputs for i in (a, b)]
        args = [scalar(v.type.element_type, x) for v, x in zip(op.regions[0].arguments, both, strict=True)]
        return p.run(op.regions[0], args)[0].item

    found: list[dict[Index, Any]] = [{} for _ in inputs]
    for start in indices((*shape[:d], 1, *shape[d + 1 :])):
        line = [(*start[:d], k, *start[d + 1 :]) for k in range(shape[d])]
        ordered = sorted(line, key=cmp_to_key(lambda a, b: less(b, a) - less(a, b)))
        refuse_disorder(ordered, less)
        for x, result in zip(inputs, found, strict=True):
            result.update({i: x.at[j] for i, j in zip(line, ordered, strict=True)})
    return [{i: result[i] for i in indices(shape)} for result in found]


def refuse_disorder(ordered: list[Index], less: Callable[[Index, Index], bool]) -> None:
    """Raise `Unknown` unless the comparator is a strict weak order, by which the items are ordered."""
    if any(less(b, a) for a, b in combinations_with_replacement(ordered, 2)):
        raise Unknown("a comparator that is not a strict weak order")
    for a, b, c in combinations(ordered, 3):
        if (less(a, b) or less(b, c)) != less(a, c):
            raise Unknown("a comparator that is not a strict weak order")
