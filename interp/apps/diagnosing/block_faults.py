"""Faults about scales per block: the parameters of another block, of the other operand, or none at all.

The blocks of a tensor are counted along one dimension: the last along which there are several of several
elements, or else the last with several. Neighbours along other dimensions are faults with names of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from math import gcd
from typing import NamedTuple

from interp.engine.memo import once
from spec.ir import Op, Value
from spec.parameter_tables import Parameter, Table, summed_dimensions, table
from spec.quantized import QuantizedType
from spec.types import TensorType

Index = tuple[int, ...]
OTHER, OPERANDS = "scales of the other operand", ("first operand", "second operand")


class Fault(NamedTuple):
    """A fault of every blocked value of an operation, or of the one that `side` names.

    move: the first element of the block whose parameters are taken, from an element's coordinate, the size
    and the number of blocks. scales, points: whether these are taken. cut: into how many parts a block is
    cut. least: the number of blocks from which on no other fault is the same. is_other: the scales are those
    of the other operand. d: the dimension of the blocks, None: the main one.
    """

    sentence: str
    move: Callable[[int, int, int], int] | None
    scales: bool = True
    points: bool = False
    cut: int = 1
    least: int = 2
    is_other: bool = False
    d: int | None = None
    side: str = ""

    @property
    def leaves_out(self) -> bool:
        """Return whether every scale is taken for 1."""
        return self.move is None and not self.is_other


def _next(by: int) -> Callable[[int, int, int], int]:
    return lambda i, size, count: (i // size + by) % count * size


KINDS: dict[str, Fault] = {
    "scales per block left out": Fault("every scale of a block is taken for 1", None),
    "scale of the next block": Fault("a block has the scale of the one after it", _next(1)),
    "scale of the block before": Fault("a block has the scale of the one before it", _next(-1), least=3),
    OTHER: Fault("elements are scaled by the scales of the other operand", None, is_other=True),
    "blocks half as long": Fault(
        "scales are taken for those of blocks of half the size, and again from the first when all are used",
        lambda i, size, count: i // (size // 2) % count * size,
        points=True,
        cut=2,
    ),
    "blocks half as long, then the last": Fault(
        "scales are taken for those of blocks of half the size, and the last one for all that follow",
        lambda i, size, count: min(i // (size // 2), count - 1) * size,
        points=True,
        cut=2,
    ),
    "blocks twice as long": Fault(
        "scales are taken for those of blocks of twice the size",
        lambda i, size, count: i // (2 * size) * size,
        points=True,
    ),
    "zero point of the next block": Fault(
        "a block has the zero point of the one after it", _next(1), False, True
    ),
    "zero point of the block before": Fault(
        "a block has the zero point of the one before it", _next(-1), False, True, least=3
    ),
}
ALONG = [name for name, fault in KINDS.items() if "next" in name or "before" in name]


def _all_faults() -> dict[str, Fault]:
    """Return all faults by name: of every dimension of neighbours, and of every value of an operation."""
    found = dict(KINDS)
    for name in ALONG:
        for d in range(4):
            along = f"{KINDS[name].sentence}, along dimension {d}"
            found[f"{name}, dimension {d}"] = KINDS[name]._replace(d=d, sentence=along)
    sides = (*OPERANDS, "result")
    return found | {
        f"{name}, {side}": fault._replace(side=side, sentence=f"{fault.sentence} ({side})")
        for name, fault in found.items()
        for side in sides
    }


FAULTS = _all_faults()


def main_dimension(sizes: Sequence[int], counts: Sequence[int]) -> int | None:
    """Return the dimension along which blocks are counted, or None if there is one block."""
    several = [d for d, count in enumerate(counts) if count > 1]
    return max(several, key=lambda d: (sizes[d] > 1, d), default=None)


def dimension_of(fault: Fault, main: int | None, counts: Sequence[int]) -> int | None:
    """Return the dimension along which a fault moves, or None if it moves nothing here."""
    if fault.d is None:
        return main
    return fault.d if fault.d != main and fault.d < len(counts) and counts[fault.d] > 1 else None


# Faults of operations whose types have blocks.


def may_have(name: str, op: Op) -> bool:
    """Return whether a fault changes parameters of an operation, and no other name means the same change."""
    side = FAULTS[name].side
    kind = name.removesuffix(f", {side}")
    changed = [side for side in (*OPERANDS, "result") if _new_type(op, kind, side) is not None]
    return side in changed if side and len(changed) > 1 else not side and bool(changed)


def with_fault(op: Op, name: str) -> Op:
    """Return the operation on types with the parameters that a fault gives them."""

    def of(values: tuple[Value, ...], sides: Sequence[str]) -> tuple[Value, ...]:
        new = (_new_type(op, name, side) for side in sides[: len(values)])
        types = [type or v.type for type, v in zip(new, values, strict=False)]
        return (*map(lambda v, type: replace(v, type=type), values, types), *values[len(types) :])

    return replace(op, operands=of(op.operands, OPERANDS), results=of(op.results, ("result",)))


@once
def _new_type(op: Op, name: str, side: str) -> TensorType | None:
    """Return the type that one value of an operation has with a fault, or None if it stays as it is."""
    fault = FAULTS[name]
    values = op.results if side == "result" else op.operands[OPERANDS.index(side) :]
    if not values or fault.side not in ("", side) or not _has_table(values[0].type):
        return None
    type = values[0].type
    own = table(type)
    if fault.is_other:
        return _with_other_scales(op, side, type)
    if fault.leaves_out:
        return _retable(type, own.sizes, lambda i: (1.0, own.at(i)[1])) if _has_blocks(type) else None
    main = main_dimension(own.sizes, own.counts) if _has_blocks(type) else None
    d = dimension_of(fault, main, own.counts) if main is not None else None
    if d is None or own.sizes[d] % fault.cut or own.counts[d] < fault.least:
        return None
    move, size, count = fault.move, own.sizes[d], own.counts[d]
    assert move is not None

    def at(i: Index) -> Parameter:
        (scale, point), (moved, points) = own.at(i), own.at((*i[:d], move(i[d], size, count), *i[d + 1 :]))
        return moved if fault.scales else scale, points if fault.points else point

    sizes = [n // fault.cut if k == d else n for k, n in enumerate(own.sizes)]
    return _retable(type, sizes, at)


def _has_table(type: TensorType) -> bool:
    element = type.element_type
    return isinstance(element, QuantizedType) and type.size > 0


def _has_blocks(type: TensorType) -> bool:
    return _has_table(type) and type.quantized_element_type.block_sizes is not None


def _retable(type: TensorType, sizes: Sequence[int], at: Callable[[Index], Parameter]) -> TensorType | None:
    """Return the type with other parameters in blocks of these sizes, or None if no element's change."""
    own, element = table(type), type.quantized_element_type
    counts = tuple(n // size for n, size in zip(type.shape, sizes, strict=True))
    starts = [tuple(k * n for k, n in zip(i, sizes, strict=True)) for i in product(*map(range, counts))]
    scales, points = zip(*map(at, starts), strict=True)
    if all(own.at(i) == pair for i, pair in zip(starts, zip(scales, points, strict=True), strict=True)):
        return None
    blocks = tuple(enumerate(sizes))
    new = replace(
        element,
        scales=scales,
        zero_points=points,
        quantization_dimension=None,
        block_sizes=blocks,
        parameters_shape=counts,
    )
    return replace(type, element_type=new)


def _with_other_scales(op: Op, side: str, type: TensorType) -> TensorType | None:
    """Return the type of an operand with the scales of the other one, whose rows are counted again."""
    if side not in OPERANDS or len(op.operands) < 2 or not _has_table(op.operands[1].type):
        return None
    k = OPERANDS.index(side)
    other = op.operands[1 - k].type
    places = _places(op, k)
    if places is None or not _has_table(other) or not (_has_blocks(type) or _has_blocks(other)):
        return None
    own, theirs = table(type), table(other)

    def at(i: Index) -> Parameter:
        there = [0 if j is None else i[j] % n for j, n in zip(places, other.shape, strict=True)]
        return theirs.at(there)[0], own.at(i)[1]

    return _retable(type, [_common(d, places, own, theirs) for d in range(type.rank)], at)


def _common(d: int, places: Sequence[int | None], own: Table, theirs: Table) -> int:
    """Return a size of blocks along dimension d in which neither table changes."""
    whole = own.sizes[d] * own.counts[d]
    there = [k for k, place in enumerate(places) if place == d]
    if not there or theirs.counts[there[0]] == 1:
        return own.sizes[d]
    return gcd(own.sizes[d], theirs.sizes[there[0]], whole)


def _places(op: Op, k: int) -> list[int | None] | None:
    """Return, for each dimension of the other operand, that of operand k with which it runs along."""
    rank, count = op.operands[1 - k].type.rank, op.operands[k].type.rank
    if op.name != "stablehlo.dot_general":
        same = op.operands[k].type.shape == op.operands[1 - k].type.shape and not op.regions
        return list(range(rank)) if same else None
    names = "lhs_batching_dimensions", "rhs_batching_dimensions"
    mine = (*op[names[k]], *summed_dimensions(op, k))
    other = (*op[names[1 - k]], *summed_dimensions(op, 1 - k))
    found = dict(zip(other, mine, strict=True))
    free = [d for d in range(count) if d not in mine]
    rest = [d for d in range(rank) if d not in other]
    return [found.get(d) if d in found else _nth(free, rest.index(d)) for d in range(rank)]


def _nth(dimensions: Sequence[int], k: int) -> int | None:
    return dimensions[k] if k < len(dimensions) else None
