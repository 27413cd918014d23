"""Machine code for blocks of sums along a tree, which is a tape of instructions that the code reads."""

from __future__ import annotations

from itertools import product
from typing import Any

from llvmlite import ir

from interp.backends.machine_code import Function, Int
from interp.speed.product_blocks import BYTES, VECTORS, Kind, factors
from interp.speed.tree_tapes import INSTRUCTION, ZERO

# Each lane of a vector is a sum of its own, so that every order of its products takes the same time. The sum
# that is being added stays in registers; those that wait for it lie on a stack, in the nearest cache.

Sums = dict[tuple[int, int], Any]  # a vector by (row, vector)


def block_along(
    f: Function,
    kind: Kind,
    lefts: list[Int],
    weights: Int,
    offsets: Int,
    tape: tuple[Int, Int],
    there: list[Any],
) -> Sums:
    """Return the sums of rows whose first left factors are at `lefts`, added as a tape says.

    weights: rows of `kind.width` right factors, in the order of the tape. offsets: where the left ones are,
    in bytes. tape: its address, and that of the stack.
    """
    (instructions, stack), keys = tape, list(product(range(len(lefts)), range(VECTORS)))
    zero = ir.Constant(kind.vector, None)
    kept = {key: f.variable(zero) for key in keys}
    next_leaf, top = f.variable(f.number(0).value), f.variable(stack.value)
    of = lambda place: Int(f.builder, f.builder.load(place))

    def move(place: Any, by: Int | int) -> None:
        f.builder.store((of(place) + by).value, place)

    def terms(leaf: Int) -> dict[tuple[int, int], tuple[Any, Any]]:
        row, moved = weights + leaf * (kind.width * kind.size), f.word(offsets, leaf)
        w = [f.load(row + v * BYTES, kind.vector, BYTES) for v in range(VECTORS)]
        x = [factors(f, kind, left + moved, there) for left in lefts]
        return {(i, v): (x[i][v], w[v]) for i, v in keys}

    def start(instruction: Int) -> None:
        for place, key in enumerate(keys):
            f.store(f.builder.load(kept[key]), of(top) + place * BYTES, BYTES)
        move(top, len(keys) * BYTES)
        with f.builder.if_else(f.word(instruction).is_("==", ZERO)) as (is_zero, is_product):
            with is_zero:
                for key in keys:
                    f.builder.store(zero, kept[key])
            with is_product:
                for key, (x, w) in terms(of(next_leaf)).items():
                    f.builder.store(kind.multiply(f, x, w), kept[key])
                move(next_leaf, 1)

    def add_leaves(count: Int, adding: Kind) -> None:
        with f.loop(count) as k:
            for key, (x, w) in terms(of(next_leaf) + k).items():
                f.builder.store(adding.add(f, f.builder.load(kept[key]), x, w), kept[key])
        move(next_leaf, count)

    with f.loop(f.word(instructions, 1)) as k:
        instruction = instructions + 16 + k * (8 * INSTRUCTION)
        with f.builder.if_then(f.word(instruction).is_("!=", 0)):
            start(instruction)
        add_leaves(f.word(instruction, 1), kind)
        if kind.name in ("f32", "f64"):
            add_leaves(f.word(instruction, 2), kind._replace(fused=True))
        with f.loop(f.word(instruction, 3)):
            move(top, -len(keys) * BYTES)
            for place, key in enumerate(keys):
                waiting = f.load(of(top) + place * BYTES, kind.vector, BYTES)
                f.builder.store(kind.settle(f, f.builder.fadd(waiting, f.builder.load(kept[key]))), kept[key])
    return {key: f.builder.load(kept[key]) for key in keys}
