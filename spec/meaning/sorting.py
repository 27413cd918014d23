"""sort: slices along a dimension, ordered by a network of comparisons.

The specification determines the result only if the comparator is a strict weak order and the sort is stable.
Here every comparator has one result, whatever `is_stable` says. Of two items a and b, a comes first

- if comparator(a, b) and not comparator(b, a), and second in the opposite case;
- if both or neither hold, and a is before b in the input.

The exchanges of `exchanges(n)` are made one after another. For a strict weak order they sort stably.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count

from spec.ir import Op
from spec.meaning.context import Context, Meaning, Results
from spec.meaning.index import Index, Tensor, build, index_space
from spec.types import TensorType


def sort(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """results_together[result_slice] = sort(inputs_together[result_slice], comparator_together)"""
    (comparator,) = context.bodies
    shape = operands[0].type.shape
    adjusted_dimension = op["dimension"] if op["dimension"] >= 0 else len(shape) + op["dimension"]

    def comparator_together(lhs: Index, rhs: Index) -> bool:
        args = [scalar(x, index) for x in operands for index in (lhs, rhs)]
        return comparator(*args)[0].item

    def precedes(a: Index, b: Index) -> bool:
        less, greater = comparator_together(a, b), comparator_together(b, a)
        return less if less != greater else a < b

    operand_index: dict[Index, Index] = {}
    for result_slice in slices(shape, adjusted_dimension):
        operand_index |= zip(result_slice, in_order(result_slice, precedes), strict=True)
    return tuple(build(x.type, lambda i, x=x: x[operand_index[i]]) for x in operands)  # type: ignore[misc]


def scalar(x: Tensor, index: Index) -> Tensor:
    return Tensor(TensorType((), x.type.element_type), (x[index],))


def slices(shape: Sequence[int], d: int) -> Iterator[list[Index]]:
    """Yield the indices of each slice [ri0, ..., :, ..., riR-1], with : at dimension d."""
    for start in index_space((*shape[:d], 1, *shape[d + 1 :])):
        yield [Index((*start[:d], k, *start[d + 1 :])) for k in range(shape[d])]


def in_order(items: Sequence[Index], precedes: Callable[[Index, Index], bool]) -> list[Index]:
    """Return the items after all exchanges, each of which puts the preceding item at the lower place."""
    items = list(items)
    for low, high in exchanges(len(items)):
        if precedes(items[high], items[low]):
            items[low], items[high] = items[high], items[low]
    return items


def exchanges(n: int) -> Iterator[tuple[int, int]]:
    """Yield the pairs of places of Batcher's merge exchange (Knuth, volume 3, algorithm 5.2.2M), in order."""
    top = next(2**t for t in count() if 2 ** (t + 1) >= n)
    p = top
    while p > 0:
        q, r, d = top, 0, p
        while True:
            yield from ((i, i + d) for i in range(n - d) if i & p == r)
            if q == p:
                break
            d, q, r = q - p, q // 2, p
        p //= 2


SORTING_MEANINGS: dict[str, Meaning] = {"stablehlo.sort": sort}
