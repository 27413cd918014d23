"""The three reductions under the schedule `left`: init first, then the elements in ascending index order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from cases.exact.quantization import scalar_at, to_destination_type
from spec.ir import Op

if TYPE_CHECKING:
    from cases.exact.evaluate import Array, Index, Program


def _types(op: Op, region: int) -> list[Any]:
    return [v.type.element_type for v in op.regions[region].arguments]


def _folded(p: Program, op: Op, region: int, leaves: Sequence[tuple]) -> tuple:
    from cases.exact.evaluate import body

    f = body(p, op.regions[region], ())
    total = leaves[0]
    for leaf in leaves[1:]:
        total = f(total, leaf)
    return total


def finished(op: Op, totals: dict[Index, tuple]) -> list[dict[Index, Any]]:
    """Convert accumulators to the types of the results (E7, E14)."""
    returned = [v.type.element_type for v in op.regions[-1].returns]
    return [
        {i: to_destination_type(t[k], returned[k], r.type.element_type) for i, t in totals.items()}
        for k, r in enumerate(op.results)
    ]


def _converted(x: Array, type: Any) -> dict[Index, Any]:
    """Return leaves in the body's type; each one is dequantized with the parameters of its own block."""
    return {i: to_destination_type(v, scalar_at(x.type, i), type) for i, v in x.at.items()}


def reduce(p: Program, op: Op, *operands: Array) -> list[dict[Index, Any]]:
    from cases.exact.evaluate import indices

    n, types = len(operands) // 2, _types(op, 0)
    inputs = [_converted(x, t) for x, t in zip(operands[:n], types, strict=False)]
    init = tuple(_converted(x, t)[()] for x, t in zip(operands[n:], types[n:], strict=True))
    shape, dimensions = operands[0].type.shape, op["dimensions"]
    groups: dict[Index, list[tuple]] = {i: [init] for i in indices(op.results[0].type.shape)}
    for i in indices(shape):  # ascending, so that each group's elements are
        kept = tuple(k for d, k in enumerate(i) if d not in dimensions)
        groups[kept].append(tuple(x[i] for x in inputs))
    return finished(op, {i: _folded(p, op, 0, leaves) for i, leaves in groups.items()})


def reduce_window(p: Program, op: Op, *operands: Array) -> list[dict[Index, Any]]:
    """Reduce windows; in padding and holes a window meets the init value (E10)."""
    from cases.exact.evaluate import indices

    n, types = len(operands) // 2, _types(op, 0)
    inputs = [_converted(x, t) for x, t in zip(operands[:n], types, strict=False)]
    init = tuple(_converted(x, t)[()] for x, t in zip(operands[n:], types[n:], strict=True))
    # Padding is of init values before conversion: from the type of the init value.
    totals = {}
    for j in indices(op.results[0].type.shape):
        leaves = [init]
        for w in indices(op["window_dimensions"]):
            places = [
                k * stride + digit * dilation - low
                for k, stride, digit, dilation, (low, _) in zip(
                    j, op["window_strides"], w, op["window_dilations"], op["padding"], strict=True
                )
            ]
            whole = all(k % b == 0 for k, b in zip(places, op["base_dilations"], strict=True))
            at = tuple(k // b for k, b in zip(places, op["base_dilations"], strict=True))
            leaves.append(tuple(x[at] for x in inputs) if whole and at in inputs[0] else init)
        totals[j] = _folded(p, op, 0, leaves)
    return finished(op, totals)


def select_and_scatter(p: Program, op: Op, operand: Array, source: Array, init: Array) -> Any:
    """Add each source at the position that survives `select`; an empty window scatters nothing (E8)."""
    from cases.exact.evaluate import body, indices

    types, chooses = _types(op, 1), body(p, op.regions[0], ())
    sources = _converted(source, types[0])
    start = _converted(init, types[1])[()]
    leaves: dict[Index, list[tuple]] = {i: [(start,)] for i in operand.at}
    for j in indices(source.type.shape):
        survivor = None
        for w in product(*map(range, op["window_dimensions"])):
            at = tuple(
                k * stride + digit - low
                for k, stride, digit, (low, _) in zip(j, op["window_strides"], w, op["padding"], strict=True)
            )
            if at not in operand.at:
                continue
            if survivor is None or not chooses((operand.at[survivor],), (operand.at[at],))[0]:
                survivor = at
        if survivor is not None:
            leaves[survivor].append((sources[j],))
    return finished(op, {i: _folded(p, op, 1, found) for i, found in leaves.items()})
