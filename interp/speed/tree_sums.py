"""Sums of elements along trees of accumulations, by the machine code of products: each is multiplied by one.

THEOREM: x * 1 is x in every type of floats, rounded or not, so that a sum of elements is that of products
with one, and all theorems of `tree_products` hold. A plain node rounds the elements that enter it to its
type; they may as well be rounded before. An init is one more element, at each of its places in the tree; +0
is the zero from which sums of products start.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

import numpy as np

from interp.backends import NUMPY, Array
from interp.engine.additions import summand_type
from interp.engine.fold import Leaves
from interp.engine.quant import Type, dequantize
from interp.speed import native_products
from interp.speed.problem import Convolution, Dot, Problem, rounds_as_its_carrier
from interp.speed.tree_products import CARRIERS, LEAST, NARROW, Along, along_tape, are_normal, enter_as, fuses
from interp.speed.tree_tapes import tape_of
from spec.accumulation import Accumulation
from spec.types import ElementType, QuantizedType

MEMORY = 1 << 28  # bytes of elements in the order of a tape
WIDTH = 128  # bytes of a row of these
NEAR = 1 << 21  # bytes of rows that are transposed into one array
FEW = 8  # rows that are transposed at once


def sum_leaves(
    accumulation: Accumulation, type: Type, leaves: Leaves, init: Array | None, declared: ElementType
) -> Array | None:
    """Return sums, in f64, of leaves of a type and of an init along an accumulation, or None.

    leaves: all are present. declared: the type of nodes that name none.
    """
    own, n = summand_type(type, accumulation), leaves.n
    if own.kind != "float" or not n or n * WIDTH > MEMORY:
        return None
    first = leaves.at(0)[0]
    size = n * first.size
    if size < LEAST or (not leaves.in_memory and size * first.itemsize > MEMORY):
        return None
    start = None if init is None or accumulation.without_init else _real(init[None], type)
    starts_at_zero = start is None or not (start.any() or np.signbit(start).any())
    tape = tape_of(accumulation, n, start is not None, fuses, starts_at_zero)
    nodes = [*{a.element_type or declared for a in tape.arithmetics}] if tape else []
    if tape is None or len(nodes) > 1:
        return None
    rounds = not rounds_as_its_carrier([own], nodes[0])
    along = along_tape(tape, nodes if rounds else [own], declared)
    if along is None or along.grid or (rounds and along.fuses):
        return None
    numbers = _arrange(_real(leaves.stack()[0], type))
    if start is not None and not starts_at_zero:
        numbers = np.concatenate([np.reshape(start, (len(numbers), 1, -1)), numbers], axis=1)
    found = _sum(_enter(numbers, own, accumulation, along, rounds), along)
    return None if found is None else found.reshape(first.shape).astype(np.float64)


def sum_under_compiler(accumulation: Accumulation, n: int, type: Type) -> Along | None:
    """Return how a compiler adds n elements of a type, after an init if there is one, or None.

    THEOREM: it adds with any init; so the init is an element, and numbers of all sizes are.
    """
    if not isinstance(type, ElementType) or type.kind != "float" or accumulation.inputs.element_type:
        return None
    has_init = not accumulation.without_init
    if not n or not (tape := tape_of(accumulation, n, has_init, fuses, False)):
        return None
    along = along_tape(tape, [type], type)
    return along if along and along.flushes is not None and not along.grid else None


def _real(x: Array, type: Type) -> Array:
    """Return elements as numbers."""
    return np.asarray(dequantize(NUMPY, x, type) if isinstance(type, QuantizedType) else x)


def _arrange(x: Array) -> Array:
    """Return elements [n, ...] of sums as [a, n, c], without a copy where they lie so in memory."""
    for d in range(x.ndim):
        y = np.moveaxis(x, 0, d)
        if y.flags.c_contiguous:
            return y.reshape(prod(y.shape[:d]), len(x), -1)
    return x.reshape(1, len(x), -1)


def _enter(x: Array, own: ElementType, accumulation: Accumulation, along: Along, rounds: bool) -> Array:
    """Return numbers as the nodes take them, in the carrier of the nodes' type.

    The code rounds products in f32 to a narrower type itself, but it knows one NaN only.
    """
    x = enter_as(x, own, accumulation, own if rounds else along.type)
    if rounds and not (x.dtype == np.float32 and along.type.name in NARROW and not np.isnan(x).any()):
        return np.asarray(NUMPY.round_to(x, along.type))
    return x


def _sum(x: Array, along: Along) -> Array | None:
    """Return the sums of numbers [a, n, c]."""
    flushes = along.flushes is not False
    if flushes and along.type.name in CARRIERS:
        flushes = not are_normal(np.ones(1), x, along.type)
    if flushes and along.flushes is None:
        return None
    lanes, tape, found = 64 // x.itemsize, along.tape, list[Array]()
    for part in _columns_of(x[:, :, 0], lanes) if _are_rows(x, lanes) else [x]:
        problem = _problem(part, len(tape.order), lanes)
        kind = along.kind(native_products.kind_of(problem, along.type.name), flushes)
        kind = kind._replace(ones=kind.own)
        if not (native_products.is_possible(problem) and native_products.works(kind)):
            return None
        found.append(native_products.sums(problem, kind, x.dtype, tape=tape).reshape(-1))
    return np.concatenate(found)[: x.size // x.shape[1]]


def _problem(x: Array, terms: int, lanes: int) -> Problem:
    """Return sums of numbers [a, n, c] as sums of products with one, of which `terms` are taken.

    Where c is divided by about the columns of a block, the numbers are left factors of windows [n, 1] of
    channels, each of which has its own, so that they stay where they are; else they are right factors.
    """
    a, n, c = x.shape
    width = next((size for size in range(2 * lanes, lanes, -1) if c % size == 0), 0)
    if width:
        ones = np.broadcast_to(x.dtype.type(1), (n, 1, 1, width))
        return Convolution(x.reshape(a, n, -1, width), ones, (1, 1), (1, 1), (False, False), width, 1)
    ones = np.ones((1, 1, terms), x.dtype)
    return Dot(ones, x[:, :, 0].T[None] if c == 1 else np.moveaxis(x, 1, 0).reshape(1, n, -1))


def _are_rows(x: Array, lanes: int) -> bool:
    """Return whether numbers [a, n, c] are rows, as many as make columns worthwhile."""
    return x.shape[2] == 1 and x.shape[0] >= lanes


def _columns_of(rows: Array, lanes: int) -> Iterator[Array]:
    """Yield rows [a, n] as the columns of a few blocks, [blocks, n, 2 * lanes]; zeros fill the last one.

    The blocks are in one array. A few rows at a time are transposed: those that are a power of two apart
    share few sets of a cache.
    """
    (a, n), width = rows.shape, 2 * lanes
    most = max(1, min(NEAR // (n * width * rows.itemsize), -(-a // width)))
    columns = np.empty((most, n, width), rows.dtype)
    for first in range(0, a, most * width):
        part = rows[first : first + most * width]
        whole, rest = divmod(len(part), width)
        blocks = part[: whole * width].reshape(whole, width // FEW, FEW, n)
        for k in range(width // FEW):
            columns[:whole, :, k * FEW : (k + 1) * FEW] = blocks[:, k].swapaxes(1, 2)
        if rest:
            columns[whole] = 0
            columns[whole, :, :rest] = part[-rest:].T
        yield columns[: whole + (rest > 0)]
