"""Machine code for blocks of sums along a tree, which is a tape of instructions that the code reads."""

from __future__ import annotations

from itertools import product
from typing import Any

from interp.backends.machine_code import Function, Int
from interp.speed.product_blocks import BYTES, VECTORS, Kind, factors
from interp.speed.product_grids import FusedSums
from interp.speed.product_sums import Key, PlainSums
from interp.speed.tree_tapes import INSTRUCTION, ZERO

# Each lane of a vector is a sum of its own, so that every order of its products takes the same time. The sum
# that is being added stays in registers; those that wait for it lie on a stack, in the nearest cache.


def block_along(
    f: Function,
    kind: Kind,
    lefts: list[Int],
    weights: Int,
    offsets: Int,
    tape: tuple[Int, Int],
    there: list[Any],
) -> dict[Key, Any]:
    """Return the sums of rows whose first left factors are at `lefts`, added as a tape says.

    weights: rows of `kind.width` right factors, in the order of the tape. offsets: where the left ones are,
    in bytes. tape: its address, and that of the stack.
    """
    (instructions, stack), keys = tape, list(product(range(len(lefts)), range(VECTORS)))
    next_leaf, top = f.variable(f.number(0).value), f.variable(stack.value)
    of = lambda place: Int(f.builder, f.builder.load(place))

    def move(place: Any, by: Int | int) -> None:
        f.builder.store((of(place) + by).value, place)

    def terms(leaf: Int) -> dict[Key, tuple[Any, Any]]:
        row, moved = weights + leaf * (kind.width * kind.size), f.word(offsets, leaf)
        w = [f.load(row + v * BYTES, kind.vector, BYTES) for v in range(VECTORS)]
        x = [factors(f, kind, left + moved, there) for left in lefts]
        return {(i, v): (x[i][v], w[v]) for i, v in keys}

    sums = (FusedSums if kind.grid else PlainSums)(f, kind, keys, terms)

    def start(instruction: Int) -> None:
        for place, key in enumerate(keys):
            f.store(sums.load(key), of(top) + place * BYTES, BYTES)
        move(top, len(keys) * BYTES)
        with f.builder.if_else(f.word(instruction).is_("==", ZERO)) as (is_zero, is_product):
            with is_zero:
                sums.clear()
            with is_product:
                sums.start(of(next_leaf))
                move(next_leaf, 1)

    with f.loop(f.word(instructions, 1)) as k:
        instruction = instructions + 16 + k * (8 * INSTRUCTION)
        with f.builder.if_then(f.word(instruction).is_("!=", 0)):
            start(instruction)
        for word, add in ((1, sums.add_leaves), (2, sums.add_unrounded)):
            count = f.word(instruction, word)
            add(of(next_leaf), count)
            move(next_leaf, count)
        with f.loop(f.word(instruction, 3)):
            move(top, -len(keys) * BYTES)
            for place, key in enumerate(keys):
                sums.add(key, f.load(of(top) + place * BYTES, kind.vector, BYTES))
    return {key: sums.load(key) for key in keys}
