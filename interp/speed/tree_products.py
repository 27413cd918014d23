"""Contractions along trees of accumulations by machine code: which there is, for which factors."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from interp.backends import Array, State
from interp.backends.dtypes import numpy_dtype
from interp.engine.additions import enter
from interp.engine.float_sums import MOST, exponents, least_exponent
from interp.speed import native_products
from interp.speed.problem import Dot, Geometry, Problem, rounds_as_its_carrier
from interp.speed.tree_tapes import Tape, tape_of
from spec.accumulation import Accumulation
from spec.trees import Arithmetic
from spec.types import ElementType

if TYPE_CHECKING:
    from interp.speed.product_blocks import Grid, Kind

# THEOREM: each lane of a vector adds the products of one sum in the order of the tree, so that only the nodes
# count. A node of two children in a type of `CARRIERS` is one addition of the processor, of factors whose
# product that type's arithmetic rounds once; a product that enters unrounded is its fused multiply-add. In
# f16 and bf16, which f32 carries, the second rounding does no harm to a product or a sum of two
# (`problem`), but it may harm the sum with an unrounded product, so that there is none.

CARRIERS = ("f32", "f64")
NARROW = ("f16", "bf16")
LEAST = 1 << 12  # products, below which the tree is followed node by node


class Along(NamedTuple):
    """Sums along a tree for machine code: their type, the tape, and which nodes flush: all, some or none."""

    type: ElementType
    tape: Tape
    flushes: bool | None
    fuses: bool
    grid: Grid | None = None

    def kind(self, problem_kind: Kind, flushes: bool) -> Kind:
        """Return the kind of sums along a tree, beside one of the same factors in the declared order."""
        return problem_kind._replace(tree=True, flushes=flushes)


def fuses(arithmetic: Arithmetic) -> bool:
    """Return whether a product may enter a node of an arithmetic unrounded."""
    return arithmetic.kind == "fma" and not arithmetic.products


def along_of(
    accumulation: Accumulation, n: int, types: Sequence[ElementType], declared: ElementType
) -> Along | None:
    """Return how machine code adds n products of factors of these types, or None if it does not.

    declared: the type of nodes that name none.
    """
    if n < 1 or (tape := tape_of(accumulation, n, True, fuses)) is None:
        return None
    return along_tape(tape, types, declared)


def along_tape(tape: Tape, types: Sequence[ElementType], declared: ElementType) -> Along | None:
    """Return how machine code adds products along a tape, as `along_of` does."""
    every = tape.arithmetics
    if any(a.kind == "fused" for a in every):
        return _along_grid(tape, types, declared)
    type, *others = {(a.element_type or declared) for a in every}
    has_fma, flags = any(map(fuses, every)), {a.flush for a in every}
    if others or any(map(_is_other, every)) or any(a.products not in ("", type.name) for a in every):
        return None
    if not rounds_as_its_carrier(types, type) or (type.name in NARROW and has_fma):
        return None
    return Along(type, tape, flags.pop() if len(flags) == 1 else None, has_fma)


# THEOREM: a fused node is exact in f64, which holds products of factors of 24 bits, and a sum of what is left
# of them (`additions.refuse` bounds its bits); it then rounds once to f32.


def _along_grid(tape: Tape, types: Sequence[ElementType], declared: ElementType) -> Along | None:
    """Return how machine code adds along a tree with fused nodes of one kind, and plain ones, in f32."""
    fused, *others = (a for a in tape.arithmetics if a.kind == "fused")
    plain = [a for a in tape.arithmetics if a.kind != "fused"]
    modes = {a.rounding for a in plain} or {fused.rounding}
    type, *more = {a.element_type or declared for a in tape.arithmetics}
    narrow = all(s.kind == "float" and s.precision <= 24 and s.name != "f64" for s in types)
    if others or more or len(modes) > 1 or type.name != "f32" or not narrow:
        return None
    if any(a.products or a.flush or a.kind not in ("plain", "fused") for a in tape.arithmetics):
        return None
    if fused.bits + 2 + int(tape.words[4::4].max()).bit_length() > MOST:
        return None
    from interp.speed.product_blocks import Grid

    cuts = (fused.rounding == "toward zero", modes.pop() == "toward zero")
    grid = Grid(fused.bits, fused.nearest, fused.normalized, fused.cut, *cuts)
    return Along(type, tape, False, False, grid)


def _sum_fused(
    geometry: Geometry, problem: Problem, types: Sequence[ElementType], along: Along
) -> Array | None:
    """Return sums with fused nodes, or None where numbers are not finite."""
    from interp.speed.product_blocks import Kind

    assert along.grid
    if not all(np.isfinite(x).all() for x in (problem.left, problem.right)):
        return None
    left, right, tape = problem.left.astype(np.float64), problem.right.astype(np.float64), along.tape
    if not along.grid.normalized:
        axis = 1 if isinstance(problem, Dot) else -2
        left, right = _with_powers(left, types[0], -1), _with_powers(right, types[1], axis)
        tape = tape._replace(order=(2 * tape.order[:, None] + np.arange(2)).ravel())
    own = native_products.kind_of(problem, "f64").own and along.grid.normalized
    kind = Kind("f64", own=own, tree=True, grid=along.grid)
    if not native_products.works(kind):
        return None
    problem = problem._replace(left=left, right=right)
    if geometry.has_holes and along.tape.starts_with_products:
        return None
    return native_products.sums(problem, kind, np.float64, tape=tape).astype(np.float32)


def _with_powers(x: Array, type: ElementType, axis: int) -> Array:
    """Return numbers, each with the power of two of its exponent after it along an axis; 0 for zero."""
    power = np.ldexp(1.0, exponents(x, type))
    pairs = np.stack([x, np.where(x == 0, 0.0, power)], axis=axis if axis == -1 else axis + (axis > 0))
    shape = list(x.shape)
    shape[axis] *= 2
    return pairs.reshape(shape)


def _is_other(arithmetic: Arithmetic) -> bool:
    return arithmetic.kind not in ("plain", "fma") or bool(arithmetic.rounding)


def sum_by_code(
    accumulation: Accumulation,
    geometry: Geometry,
    sides: State,
    types: Sequence[ElementType],
    declared: ElementType,
    counts: bool = False,
) -> Array | None:
    """Return sums of products along an accumulation by machine code, in the shape of the problem, or None.

    sides: factors as numbers of these types, in a carrier. The sums are in the carrier of their type. counts:
    three arrays as in `native_products.sums`, for f32, or for f64 without unrounded products.
    """
    problem = geometry.of(*sides)
    if problem.n * prod(problem.shape) < LEAST or not native_products.is_possible(problem):
        return None
    if (along := along_of(accumulation, problem.n, types, declared)) is None:
        return None
    if counts and (along.grid or (along.type.name != "f32" and (along.fuses or along.type.name != "f64"))):
        return None
    left, right = (enter_as(x, type, accumulation, along.type) for x, type in zip(sides, types, strict=True))
    problem = geometry.of(left, right)
    if along.grid:
        return _sum_fused(geometry, problem, types, along)
    flushes = along.flushes is not False
    if (flushes or (geometry.has_holes and along.fuses)) and along.type.name in CARRIERS:
        is_normal = are_normal(problem.left, problem.right, along.type)
        flushes &= not is_normal
        if not is_normal and geometry.has_holes:
            return None
    if (flushes and (along.flushes is None or geometry.has_holes)) or (
        geometry.has_holes and (along.tape.starts_with_products or not np.isfinite(problem.right).all())
    ):
        return None
    if counts and flushes:
        return None
    kind = along.kind(native_products.kind_of(problem, along.type.name), flushes)._replace(counts=counts)
    if not native_products.works(kind):
        return None
    return native_products.sums(problem, kind, left.dtype, tape=along.tape)


def along_under_compiler(
    accumulation: Accumulation, n: int, types: Sequence[ElementType], declared: ElementType
) -> Along | None:
    """Return `along_of` where a compiler has the sums, too: for all numbers, and without fused nodes."""
    along = None if accumulation.inputs.element_type else along_of(accumulation, n, types, declared)
    return along if along and along.flushes is not None and not along.grid else None


def enter_as(x: Array, source: ElementType, accumulation: Accumulation, type: ElementType) -> Array:
    """Return factors as an accumulation takes them, in the carrier of the type of the sums."""
    dtype = numpy_dtype(type) if type.name in CARRIERS else np.dtype(np.float32)
    if accumulation.inputs.element_type is not None:
        return enter(x.astype(np.float64), source, accumulation).astype(dtype)
    x = np.asarray(x).astype(dtype, copy=False)
    if accumulation.flushes_inputs:
        least = dtype.type(2.0 ** least_exponent(source))
        small = np.abs(x) < least
        x = np.where(small, np.copysign(dtype.type(0), x), x) if small.any() else x
    return x


def are_normal(left: Array, right: Array, type: ElementType) -> bool:
    """Return whether no number that a tree of f32 or f64 sums makes of products is subnormal, or rounds to 0.

    THEOREM: factors of precision p whose product is at least 2^L are multiples of numbers whose product is at
    least 2^(L - 2p). So is every sum of such products, rounded or not, which is zero or at least as large.
    """
    least = [np.min(np.abs(x), where=x != 0, initial=np.inf) for x in (left, right)]
    bound = least_exponent(type) + 2 * type.precision
    return float(least[0]) * float(least[1]) >= 2.0**bound
