"""sort: by integer ranks if the comparator orders by keys, else by a network of comparisons.

With the network every comparator has exactly one result, which `spec.meaning.control` defines. A strict weak
order is sorted stably, whatever `is_stable` says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from interp.backends import Array, Namespace, State
from interp.engine.evaluate import Context
from interp.engine.quant import complex_parts, dequantize
from interp.speed.comparators import Key, key_function, keys_of
from spec.ir import Op
from spec.types import ElementType, QuantizedType


def sort(ctx: Context, op: Op, *inputs: Array) -> State:
    """`results_together[result_slice] = sort(inputs_together[result_slice], comparator_together)`."""
    xp, (comparator,) = ctx.xp, op.regions
    ctx = ctx._replace(listeners=())  # how often, and on what, a comparator is called is not specified
    columns = tuple(xp.moveaxis(x, op["dimension"], -1) for x in inputs)
    if columns[0].shape[-1] < 2 or not columns[0].size:
        return inputs
    network = lambda: _by_network(ctx, op, columns)
    if keys_of(comparator) is None or not ctx.is_elementwise(comparator):
        results = network()
    elif (ordered := _by_value(xp, op, columns)) is not None:
        results = (ordered,)
    else:
        ranks, unordered = _ranks(ctx, op, columns)
        by_keys = lambda: _by_ranks(xp, op, columns, ranks)
        results = xp.switch(unordered.astype(xp.int32), [by_keys, network])
    return tuple(xp.moveaxis(x, -1, op["dimension"]) for x in results)


def _by_value(xp: Namespace, op: Op, columns: State) -> Array | None:
    """Return the only operand sorted by its own values, or None if these do not decide alone."""
    (x, *others), (key, *less) = columns, keys_of(op.regions[0]) or ()
    type = op.operands[0].type.element_type
    plain = isinstance(type, ElementType) and type.kind != "complex" and key.plain
    if others or less or not plain or xp.known_values(x) is None:
        return None
    ordered = xp.sort(x, axis=-1)
    if _is_float(x) and (xp.isnan(ordered[..., -1]).any() or ((ordered == 0) & xp.signbit(ordered)).any()):
        return None
    return xp.flip(ordered, -1) if key.descending else ordered


def _by_ranks(xp: Namespace, op: Op, columns: State, ranks: Sequence[Array]) -> State:
    """Return the columns sorted lexicographically by their ranks, stably."""
    order = None
    for rank in reversed(ranks):
        if order is None:
            order = xp.stable_order(rank)
        else:
            order = xp.take_along_axis(order, xp.stable_order(xp.take_along_axis(rank, order, -1)), -1)
    return tuple(xp.take_along_axis(x, order, -1) for x in columns)


def _ranks(ctx: Context, op: Op, columns: State) -> tuple[list[Array], Array]:
    """Return integer ranks for each key, and whether a key that is not in total order is NaN."""
    xp, (comparator,) = ctx.xp, op.regions
    keys = keys_of(comparator) or ()
    both_sides = [x for x in columns for _ in range(2)]
    found = ctx.elements(key_function(comparator), tuple(both_sides), batched=True)
    ranks, unordered = [], xp.asarray(False)
    for key, x in zip(keys, found, strict=True):
        for part in _parts(ctx, key, x):
            if not key.total and _is_float(part):
                unordered = unordered | xp.isnan(part).any()
            rank = _rank(xp, part, key.total)
            ranks.append(~rank if key.descending else rank)
    return ranks, unordered


def _parts(ctx: Context, key: Key, x: Array) -> Iterator[Array]:
    """Yield the real arrays of a key; a complex key is its real part followed by its imaginary part."""
    xp = ctx.xp
    type = key.value.type.element_type
    if isinstance(type, QuantizedType):  # of one scale and zero point: integers are ordered as stored
        yield x if ctx.reading.is_integer else dequantize(xp, x, type)
    elif type.kind == "complex":
        yield from complex_parts(xp, x, type)
    else:
        yield x


def _is_float(x: Array) -> bool:
    return x.dtype.kind == "f"


def _rank(xp: Namespace, x: Array, total: bool) -> Array:
    """Return integers in the order of x; for floats, their bits with the magnitude inverted if negative.

    In total order -0 is before 0, and a NaN beyond all numbers of its sign; else zeros are equal.
    """
    if x.dtype.kind == "b":
        return x.astype(xp.int8)
    if not _is_float(x):
        return x
    magnitude = xp.where(xp.isnan(x), xp.nan, xp.abs(x)).astype(x.dtype)
    bits = xp.bits_of(magnitude, xp.int32 if x.dtype.itemsize == 4 else xp.int64)
    return xp.where(xp.signbit(x), ~bits if total else -bits, bits)


def _by_network(ctx: Context, op: Op, columns: State) -> State:
    """Return the columns after the exchanges of `_rounds`; the pairs of one round are exchanged at once."""
    xp, (comparator,) = ctx.xp, op.regions
    n, batched = columns[0].shape[-1], ctx.is_elementwise(comparator)
    rounds, place = xp.asarray(list(_rounds(n))), xp.arange(n)

    def less(lhs: State, rhs: State) -> Array:
        pairs = tuple(x for pair in zip(lhs, rhs, strict=True) for x in pair)
        (result,) = ctx.elements(comparator, pairs, batched)
        return result

    def exchange(i: Any, state: State) -> State:
        """Keep an item or take its partner's, so that the one that precedes goes to the lower place."""
        distance, bit, wanted = rounds[i]
        low = (place & bit == wanted) & (place + distance < n)
        high = (place >= distance) & ((place - distance) & bit == wanted)
        partner = xp.where(low, place + distance, xp.where(high, place - distance, place))
        others = tuple(xp.take(x, partner, axis=-1) for x in state)
        (*own, first), (*their, second) = state, others
        before, after = less(tuple(own), tuple(their)), less(tuple(their), tuple(own))
        precedes = xp.where(before == after, first < second, before)
        keeps = (precedes == low) | ~(low | high)
        return tuple(xp.where(keeps, x, y) for x, y in zip(state, others, strict=True))

    start = *columns, xp.broadcast_to(place, columns[0].shape)
    # In fused rounds every element would be computed anew for each of its readers, round after round.
    *results, _ = xp.fori_loop(0, len(rounds), exchange, start, unrolled=0)
    return tuple(results)


def _rounds(n: int) -> Iterator[tuple[int, int, int]]:
    """Yield (d, p, r) for each round of Batcher's merge exchange: it compares i and i + d if i & p = r."""
    top = 1 << (n - 1).bit_length() - 1
    p = top
    while p:
        yield p, p, 0
        q = top
        while q != p:
            yield q - p, p, p
            q //= 2
        p //= 2


KERNELS: dict[str, Callable[..., Any]] = {"stablehlo.sort": sort}
