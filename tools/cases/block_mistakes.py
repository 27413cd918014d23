"""Known mistakes about scales per block: the oracle with the parameters of other blocks, or without any.

Of a product with scales as operands, the table of scales itself is changed before its meaning runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import patch

from spec.ir import Op
from spec.meaning import notation
from spec.meaning.evaluate import MEANINGS
from spec.meaning.index import Context, Results, Tensor, build
from spec.types import TensorType

Changed = Callable[[], AbstractContextManager[Any]]
Index = Sequence[int]
Elsewhere = Callable[[TensorType, Index], Index]  # the element whose parameters are taken
Scales = Callable[[Tensor, int], Tensor]  # from a table and its dimension of blocks
COMPOSITE = "stablehlo.composite"
SCALED_DOTS = ("interp.block_scaled_dot", "xla.scaled_dot")
scale_at, zero_point_at = notation.scale_at, notation.zero_point_at


def axis_of(type: TensorType) -> tuple[int, int, int]:
    """Return the dimension along which blocks count, their size, and their number.

    It is the last one with several blocks of several elements, or else with several blocks.
    """
    sizes = dict(type.quantized_element_type.block_sizes or ())
    found = [(d, size, type.shape[d] // size) for d, size in sizes.items()]
    several = [x for x in found if x[2] > 1]
    return max(several, key=lambda x: (x[1] > 1, x[0]), default=(0, type.shape[0] if type.shape else 1, 1))


def moved(to: Callable[[int, int, int], int]) -> Elsewhere:
    """Move the coordinate i along blocks of a size, of which there are so many: `to(i, size, count)`."""

    def elsewhere(type: TensorType, index: Index) -> Index:
        d, size, count = axis_of(type)
        return [to(i, size, count) if k == d else i for k, i in enumerate(index)]

    return elsewhere


def next_block(by: int) -> Callable[[int, int, int], int]:
    return lambda i, size, count: (i // size + by) % count * size


def half_as_long(i: int, size: int, count: int) -> int:
    return i if size % 2 else i // (size // 2) % count * size


def twice_as_long(i: int, size: int, count: int) -> int:
    return i // (2 * size) * size


def reading(scale: Elsewhere | None, zero_point: Elsewhere | None, table: Scales | None = None) -> Changed:
    """Take the scale, the zero point, or both from elsewhere, and scales as operands from another table."""

    def at(known: Callable[..., Any], elsewhere: Elsewhere | None) -> Callable[..., Any]:
        def changed(type: TensorType, index: Index) -> Any:
            blocked = type.quantized_element_type.block_sizes is not None
            return known(type, elsewhere(type, index) if elsewhere and blocked else index)

        return changed

    @contextmanager
    def mistaken() -> Iterator[None]:
        with (
            patch.object(notation, "scale_at", at(scale_at, scale)),
            patch.object(notation, "zero_point_at", at(zero_point_at, zero_point)),
            patch.dict(MEANINGS, {COMPOSITE: on_tables(table)} if table else {}),
        ):
            yield

    return mistaken


def without_scales() -> AbstractContextManager[Any]:
    """Take every scale of a block for 1."""

    def one(type: TensorType, index: Index) -> float:
        return scale_at(type, index) if type.quantized_element_type.block_sizes is None else 1.0

    @contextmanager
    def mistaken() -> Iterator[None]:
        table = lambda scales, axis: build(scales.type, lambda i: 1.0)
        with (
            patch.object(notation, "scale_at", one),
            patch.dict(MEANINGS, {COMPOSITE: on_tables(table)}),
        ):
            yield

    return mistaken()


def on_tables(change: Scales) -> Callable[[Op, Sequence[Tensor], Context], Results]:
    """Return the meaning of composites of which those with scales as operands get other tables."""
    meaning = MEANINGS[COMPOSITE]

    def changed(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
        if op["name"] not in SCALED_DOTS:
            return meaning(op, operands, context)
        tables = [change(s, blocks_of(x, s)) for x, s in zip(operands, operands[2:4], strict=False)]
        return meaning(op, [*operands[:2], *tables, *operands[4:]], context)

    return changed


def blocks_of(x: Tensor, scales: Tensor) -> int:
    """Return the dimension along which scales are fewer than elements, or the last one."""
    pairs = enumerate(zip(x.type.shape, scales.type.shape, strict=True))
    return next((d for d, (n, count) in pairs if n != count), x.type.rank - 1)


def rolled(by: int) -> Scales:
    def table(scales: Tensor, axis: int) -> Tensor:
        n = scales.type.shape[axis]
        place = lambda i: type(i)((k + by) % n if d == axis else k for d, k in enumerate(i))
        return build(scales.type, lambda i: scales[place(i)])

    return table


def exchanged() -> AbstractContextManager[Any]:
    """Scale each operand of a scaled product with the table of the other, as far as that has rows."""
    meaning = MEANINGS[COMPOSITE]

    def changed(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
        if op["name"] not in SCALED_DOTS or len(operands) < 4:
            return meaning(op, operands, context)
        lhs, rhs = operands[2:4]
        wrapped = lambda mine, other: build(
            replace(mine.type, element_type=other.type.element_type),
            lambda i: other[type(i)(k % n for k, n in zip(i, other.type.shape, strict=True))],
        )
        if lhs.type.element_type != rhs.type.element_type:
            return meaning(op, operands, context)
        return meaning(op, [*operands[:2], wrapped(lhs, rhs), wrapped(rhs, lhs), *operands[4:]], context)

    return patch.dict(MEANINGS, {COMPOSITE: changed})


BLOCKS: dict[str, Changed] = {
    "scales per block left out": without_scales,
    "scale of the next block": reading(moved(next_block(1)), None, rolled(1)),
    "scale of the block before": reading(moved(next_block(-1)), None, rolled(-1)),
    "zero point of the next block": reading(None, moved(next_block(1))),
    "zero point of the block before": reading(None, moved(next_block(-1))),
    "blocks half as long": reading(moved(half_as_long), moved(half_as_long)),
    "blocks twice as long": reading(moved(twice_as_long), moved(twice_as_long)),
    "scales of the other operand": exchanged,
}
