"""Contractions and reductions whose sums are kept along an accumulation, term by term."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from interp.backends import NUMPY, Array, Namespace, State
from interp.engine import additions
from interp.engine.additions import WIDE, Adding, Addition, Hear, Terms, adds_integers, summand_type, summands
from interp.engine.bodies import only_op
from interp.engine.evaluate import Context, Listener, Place
from interp.engine.facts import facts
from interp.engine.float_sums import exponents
from interp.engine.fold import Body, Leaves, Node, fold
from interp.engine.in_integers import store
from interp.engine.leaf_counts import reduce_count, window_count
from interp.engine.prepared import function_of
from interp.engine.quant import convert, quantize, wrap
from interp.engine.storage import is_stored_as_integer
from interp.execute.counted_along import count_by_code
from interp.kernels import OPERATIONS, integer_reading
from interp.kernels.contraction import factor_types, factors, finish, geometry_of, sum_along_tree
from interp.kernels.integer_reading import reads_integers
from interp.kernels.reduce import reduce_along_tree
from interp.recorder.along import adds_as_written
from interp.recorder.products import product_terms
from interp.speed.exact_contraction import accumulation_type, sums_plain_integers
from interp.speed.problem import Geometry
from interp.speed.tree_products import along_under_compiler, sum_by_code
from interp.speed.tree_sums import sum_leaves, sum_under_compiler
from interp.theory.contractions import number_of_products
from spec.accumulation import Accumulation
from spec.errors import Unsupported
from spec.integer_reading import in_integers, sums_blocks
from spec.ir import Op
from spec.op_attributes import expressed_element
from spec.trees import Steps
from spec.types import ElementType, QuantizedType

FAR = float(1 << 62)  # beyond every accumulator that is converted to integers
MOST = 32  # bits of the widest integers of which int64 holds products and their sums
REDUCTIONS = (
    *("stablehlo.reduce", "stablehlo.reduce_window", "stablehlo.select_and_scatter", "stablehlo.scatter"),
    *("stablehlo.all_reduce", "stablehlo.reduce_scatter", "stablehlo.collective_reduce"),
)


def is_contraction(op: Op) -> bool:
    return facts(op).family == "contraction"


def is_sum_of_elements(op: Op) -> bool:
    """Return whether a reduction of one operand, a scatter or a collective adds."""
    return op.name in REDUCTIONS and only_op(op.regions[-1]) == "add"


def is_sum(op: Op) -> bool:
    """Return whether an operation adds, each sum the same known number of leaves."""
    return is_contraction(op) or (is_counted(op) and is_sum_of_elements(op))


def is_counted(op: Op) -> bool:
    """Return whether the number of leaves, from which an order is made, is known: the same for each sum."""
    return is_contraction(op) or op.name in ("stablehlo.reduce", "stablehlo.reduce_window")


def leaves(op: Op) -> int:
    """Return the number of leaves that an operation `is_counted` for adds to each init value."""
    if is_contraction(op):
        return number_of_products(op)
    return (reduce_count(op) if op.name == "stablehlo.reduce" else window_count(op)).positions


def sums_integers(op: Op) -> bool:
    """Return whether an operation sums integers, plain or of quantized numbers, in some reading."""
    if is_contraction(op):
        return sums_plain_integers(op) or in_integers(op)
    return is_sum(op) and is_stored_as_integer(op.regions[0].returns[0].type.element_type)


def add_along(ctx: Context, op: Op, operands: State, adding: Adding, written: Op | None = None) -> State:
    """Return the results of a contraction, or of a reduction by `add`, along an accumulation.

    Listeners hear of the nodes. Results are rounded and saturated in the context's namespace. written: the
    contraction of floats that this quantized one stands for, of which the listeners hear.
    """
    by_blocks = ctx.reading.is_integer and is_contraction(op) and sums_blocks(op)
    for listener in ctx.listeners:
        listener.on_sums(written or op, adding, ctx.reading)
    if not is_contraction(op):
        return _reduce(ctx, op, operands, adding)
    if by_blocks:
        from interp.execute.along_blocks import contract_blocks  # which few programs need

        sums = contract_blocks(ctx, op, operands, adding.accumulation)
    else:
        sums = contract(ctx, op, operands, adding, written or op)
    if sums_as_integers(ctx, op):
        results = store_integers(ctx._replace(listeners=()), op, sums)
    else:
        sums = sums if sums.dtype.kind == "f" else sums.astype(np.float64)
        sums = np.asarray(NUMPY.round_to(sums, accumulation_type(op)))
        results = store_floats(ctx, op, sums)
    for listener in () if written else ctx.listeners:
        listener.on_result(op, 0, sums, results)
    return (results,)


def add_by_code(ctx: Context, op: Op, operands: State, adding: Adding) -> State:
    """Return the results of a contraction, or of a reduction of floats, along one under a compiler."""
    if op.name == "stablehlo.reduce":
        return reduce_along_tree(ctx, op, operands, adding.accumulation)
    geometry = geometry_of(ctx.xp, op)
    sums = sum_along_tree(ctx, op, geometry, factors(ctx, op, *operands)[:2], adding.accumulation)
    if sums is None:
        raise Unsupported(
            f"{op.result.name} along {adding.accumulation!r} is not compiled", COMPILED, op.location
        )
    along = along_under_compiler(adding.accumulation, leaves(op), factor_types(op), accumulation_type(op))
    assert along
    return finish(ctx, op, geometry.result(convert(ctx.xp, sums, along.type, accumulation_type(op))))


def adds_by_code(op: Op, accumulation: Accumulation) -> bool:
    """Return whether the sums of an operation along an accumulation are compiled."""
    if is_contraction(op):
        types = factor_types(op), accumulation_type(op)
        return along_under_compiler(accumulation, leaves(op), *types) is not None
    type = op.regions[-1].returns[0].type.element_type
    adds = op.name == "stablehlo.reduce" and is_sum_of_elements(op)
    return adds and sum_under_compiler(accumulation, leaves(op), type) is not None


COMPILED = "expected nodes of two children in one type of floats, plain or fma; `run` takes all"


def sums_as_integers(ctx: Context, op: Op) -> bool:
    """Return whether the products of a contraction are integers in this run's reading."""
    return reads_integers(ctx, op) or sums_plain_integers(op)


def _hearers(ctx: Context) -> list[Listener]:
    """Return the listeners that hear of nodes."""
    return [listener for listener in ctx.listeners if not isinstance(listener, StepByStep)]


def _hear(ctx: Context, op: Op, columns: Array | None = None) -> Hear | None:
    """Return what tells the listeners of each node."""
    listeners = _hearers(ctx)
    if not listeners:
        return None
    region = max(len(op.regions) - 1, 0)

    def hear(addition: Addition) -> None:
        place = Place(op, region, Node(addition.first, addition.last, None, False), columns)
        for listener in listeners:
            listener.on_addition(place, addition)

    return hear


def contract(ctx: Context, op: Op, operands: State, adding: Adding, written: Op | None = None) -> Array:
    """Return the sums of a contraction, of integers or of floats, in the shape of the result.

    written: the operation at which listeners hear of the nodes.
    """
    geometry, accumulation, ctx = geometry_of(NUMPY, op), adding.accumulation, ctx._replace(xp=NUMPY)
    if sums_as_integers(ctx, op):
        sides = plain_factors(ctx, op, operands)
        types = [WIDE, WIDE]
    else:
        sides = tuple(np.asarray(x) for x in factors(ctx, op, *operands[:2])[:2])
        types = list(factor_types(op))
        if adding.factors:
            sides = tuple(np.asarray(NUMPY.round_to(x.astype(np.float64), adding.factors)) for x in sides)
    declared, hear = _node_type(ctx, op, adding), _hear(ctx, written or op)
    if hear is None:
        sums = sum_by_code(accumulation, geometry, sides, types, declared[0])
    else:
        asked = accumulation, geometry, sides, types, declared[0]
        sums = None if written not in (None, op) else count_by_code(op, asked, _hearers(ctx))
    if sums is not None:
        return np.asarray(geometry.result(sums))
    return sum_products(accumulation, geometry, sides, types, declared, hear)


def sum_products(
    accumulation: Accumulation,
    geometry: Geometry,
    sides: State,
    types: list[ElementType],
    declared: tuple[ElementType, bool],
    hear: Hear | None = None,
) -> Array:
    """Return the sums of products of factors of these types, in the shape of the contraction's result."""
    terms, shape, arrange = product_terms(geometry, sides, types, accumulation)
    init = np.zeros(shape, np.int64 if terms.type.is_integer else np.float64)
    return arrange(additions.sums(accumulation, terms, init, *declared, hear))


def _node_type(ctx: Context, op: Op, adding: Adding) -> tuple[ElementType, bool]:
    """Return the type of the nodes of a contraction that name none, and whether it saturates."""
    if adding.declared:
        return adding.declared, adding.saturates
    if reads_integers(ctx, op):
        return ctx.reading.accumulator.type, ctx.reading.accumulator.saturates
    return accumulation_type(op), False


def plain_factors(ctx: Context, op: Op, operands: State) -> State:
    """Return the integers that are multiplied: `q - zero_point`, or plain ones."""
    types = (*(value.type.storage_type for value in op.operands[:2]), *plain_results(op))
    if any(type.bits > MOST for type in types):
        raise Unsupported("products of integers of more than 32 bits", "expected narrower ones", op.location)
    if not sums_plain_integers(op):
        return integer_reading.factors(ctx, op, *operands[:2])
    return tuple(np.asarray(x).astype(np.int64) for x in operands[:2])


def plain_results(op: Op) -> list[ElementType]:
    """Return the types of results in which sums are kept: a quantized one has its own accumulator."""
    return [value.type.storage_type for value in op.results if not value.type.is_quantized]


def store_floats(ctx: Context, op: Op, sums: Array) -> Array:
    """Return the stored results for sums of floats, rounded to the type of the accumulator."""
    element, type = accumulation_type(op), op.result.type.element_type
    result = np.asarray(convert(NUMPY, sums, element, expressed_element(op.result.type)))
    return np.asarray(quantize(ctx.xp, result, type)) if isinstance(type, QuantizedType) else result


def whole_numbers(x: Array) -> Array:
    """Return sums in int64: floats half to even, infinities as large integers, NaN as 0."""
    if x.dtype.kind != "f":
        return x.astype(np.int64)
    return np.rint(np.clip(np.nan_to_num(x, nan=0.0, posinf=FAR, neginf=-FAR), -FAR, FAR)).astype(np.int64)


def store_integers(ctx: Context, op: Op, sums: Array) -> Array:
    """Return the stored results for sums of integers."""
    type = op.result.type.element_type
    if isinstance(type, ElementType):
        return _as_integers(sums, type)
    return np.asarray(integer_reading.finish(ctx, op, held_numbers(ctx, sums)))


def held_numbers(ctx: Context, sums: Array) -> Array:
    """Return sums as integers that the reading's accumulator holds."""
    type = ctx.reading.accumulator.type
    return np.clip(whole_numbers(sums), type.min_value, type.max_value)


def _as_integers(sums: Array, type: ElementType) -> Array:
    """Return sums in a plain integer type: integers wrap, floats saturate."""
    total = whole_numbers(sums)
    if sums.dtype.kind == "f":
        total = np.clip(total, type.min_value, min(type.max_value, int(FAR)))
    return np.asarray(wrap(NUMPY, total.astype(NUMPY.carrier(type)), type))


class StepByStep(Listener):
    """Listener that keeps fast paths away, since their theorems are about the declared arithmetic."""


def _reduce(ctx: Context, op: Op, operands: State, adding: Adding) -> State:
    """Run the kernel of a reduction, with folds along the accumulation."""
    along = partial(_fold, adding, op, ctx.xp)
    inside = ctx._replace(xp=NUMPY, along=along, listeners=(*ctx.listeners, StepByStep()))
    return function_of(op, NUMPY, OPERATIONS, ctx.reading)[0](inside, op, *operands)


def _fold(
    adding: Adding,
    reduction: Op,
    xp: Namespace,
    ctx: Context,
    op: Op,
    region: int,
    body: Body,
    init: State | None,
    leaves: Leaves,
    columns: Array | None,
) -> tuple[State, Array | None]:
    """Fold leaves along an accumulation where they are those of the reduction; xp stores its results."""
    if op.regions is not reduction.regions:
        return fold(NUMPY, body, init, leaves, ctx.schedule)
    type = op.regions[-1].returns[0].type.element_type
    if region == len(op.regions) - 1 and not adds_as_written(type, adding.accumulation):
        return (_sum(adding, xp, ctx, op, init, leaves, columns),), None
    own = None if adding.accumulation.without_init and leaves.n else init
    tree = adding.accumulation.tree(leaves.n + (own is not None), own is not None)
    state, present = fold(NUMPY, body, own, leaves, Steps(tree))  # type: ignore[arg-type]
    if init is None or present is None:
        return state, present
    return tuple(np.where(present, x, y) for x, y in zip(state, init, strict=True)), None


def _sum(
    adding: Adding,
    xp: Namespace,
    ctx: Context,
    op: Op,
    init: State | None,
    leaves: Leaves,
    columns: Array | None,
) -> Array:
    """Return the sums of leaves in the type of the body, as the listeners hear them."""
    type = op.regions[-1].returns[0].type.element_type
    seed = leaves.at(0)[0] if init is None else init[0]
    hear = lambda chosen: _hear(ctx, op, columns if chosen is None else _columns(columns, chosen))
    total = totals(adding, type, leaves, seed, init is not None, hear)
    return reduced_result(xp, op, total, type, not adds_integers(adding.accumulation))


def totals(
    adding: Adding,
    type: ElementType | QuantizedType,
    leaves: Leaves,
    seed: Array,
    has_init: bool,
    hear: Callable[[Any], Hear | None] = lambda chosen: None,
) -> Array:
    """Return the values of the roots of sums of leaves of a type, and of an init in `seed`.

    Elements with the same leaves are added together; `hear` gives what is told of the nodes of some elements.
    """
    accumulation = adding.accumulation
    if isinstance(type, QuantizedType) and not all(a.type for a in accumulation.arithmetics):
        verdict = f"sums of {type!r} in nodes that name no type, in the accumulation {accumulation!r}"
        raise Unsupported(verdict, "expected a type for each node: in f32, in i16")
    if isinstance(type, ElementType) and type.kind == "complex":
        raise Unsupported(
            f"sums of {type!r} along the accumulation {accumulation!r}", "expected real numbers"
        )
    own = summand_type(type, accumulation)
    enter = lambda x: summands(np.asarray(x), type, accumulation)
    first = enter(seed)
    total, declared = np.zeros(first.shape, np.int64), adding.declared or own
    if leaves.stack_present is None and hear(None) is None:
        found = sum_leaves(accumulation, type, leaves, seed if has_init else None, declared)
        if found is not None:
            return found
    for present, chosen in alike_elements(leaves, first.shape):
        at = lambda i, chosen=chosen: enter(leaves.at(i)[0])[chosen]
        powers = lambda i, normalized, at=at: exponents(at(i).astype(np.float64), own)
        how = declared, adding.saturates, hear(None if present is None else chosen), has_init, present
        found = additions.sums(accumulation, Terms(leaves.n, at, own, powers), first[chosen], *how)
        total = total.astype(np.result_type(total, found))
        total[chosen] = found
    return total


Chosen = Any  # an index into arrays of the result's shape


def alike_elements(leaves: Leaves, shape: tuple[int, ...]) -> Iterator[tuple[Sequence[bool] | None, Chosen]]:
    """Yield which leaves are present, None for all, and the elements of which these are the leaves."""
    if leaves.stack_present is None:
        yield None, ...
        return
    table = np.broadcast_to(leaves.stack_present(), (leaves.n, *shape)).reshape(leaves.n, -1)
    patterns, numbers = np.unique(table, axis=1, return_inverse=True)
    for k, present in enumerate(patterns.T):
        yield present.tolist(), (numbers == k).reshape(shape)


def _columns(columns: Array | None, chosen: Array) -> Array:
    """Return the flat indices of the chosen result elements."""
    return np.flatnonzero(chosen) if columns is None else np.asarray(columns).reshape(-1)[chosen.reshape(-1)]


def reduced_result(
    xp: Namespace, op: Op, total: Array, type: ElementType | QuantizedType, real: bool
) -> Array:
    """Return a sum in the type of the reduction's body."""
    if isinstance(type, QuantizedType):
        if not real:
            return np.asarray(store(xp, whole_numbers(total), type))
        expressed = NUMPY.round_to(total.astype(np.float64), type.expressed_type)
        return np.asarray(quantize(xp, expressed, type))
    if type.is_integer:
        return _as_integers(total, type)
    return np.asarray(NUMPY.round_to(total.astype(np.float64), type))
