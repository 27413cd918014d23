"""The leaves of accumulations by a body, as ends after their conversion to the accumulation type."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from interp.backends import NUMPY, Array
from interp.engine.entering import entering
from interp.engine.in_integers import integers
from interp.engine.leaf_counts import dilation_factors, landing, source_count, window_count
from interp.engine.quant import Type
from interp.engine.stored import to_reals, is_stored_as_integer, storage_range, zero_point
from interp.questions.proving.elementwise import has_numbers
from interp.questions.proving.ranges import Range, widen_along, has_order
from interp.theory.sums import Ends, Leaves, ends_of, exact
from spec.ir import Op
from spec.schedule import Schedule
from spec.types import QuantizedType, TensorType


def leaves_of(ctx: Any, op: Op, k: int, operands: Sequence[Range], type: Type) -> Leaves | None:
    """Return the ends of the leaves of result k as steps or floats; None if one may be NaN or infinite."""
    n, name = len(op.results), op.name.removeprefix("stablehlo.")
    entered = lambda x: _enter(ctx, x, type)
    if name == "reduce":
        x, init = entered(operands[k]), entered(operands[n + k])
        return x and init and _reduce_leaves(op, operands[k].type.shape, x, init, type)
    if name == "reduce_window":
        x, init = entered(_window_range(op, operands[k])), entered(operands[n + k])
        return x and init and _window_leaves(op, x, init, type)
    if name == "select_and_scatter":
        source = widen_along(operands[1], range(operands[1].type.rank))
        x, init = entered(source), entered(operands[2])
        return x and init and _optional_leaves(x, init, source_count(op).most, type, op.results[k].type)
    if name == "scatter":
        update = widen_along(operands[n + 1 + k], range(operands[n + 1 + k].type.rank))
        x, init = entered(update), entered(operands[k])
        return x and init and _optional_leaves(x, init, landing(op).most, type, op.results[k].type)
    x = entered(
        widen_along(operands[k], [op["scatter_dimension"]]) if name == "reduce_scatter" else operands[k]
    )
    return x and _collective_leaves(op, x, type)


def _enter(ctx: Any, x: Range, type: Type) -> Ends | None:
    """Return the ends of leaves after conversion to the accumulation type: steps, or floats."""
    if not has_order(x.type):
        return None
    source, ends = x.type.element_type, (x.least, x.greatest)
    if source != type:
        if x.nan or not keeps_order(source, type, ends):
            return _all_of(type, x.type.rank)
        ends = tuple(entering(ctx, end, source, type) for end in ends)
    if not is_stored_as_integer(type):
        floats = tuple(end.astype(np.float64) for end in ends)
        return None if x.nan or not all(np.isfinite(end).all() for end in floats) else Ends(*floats)
    steps = (integers(NUMPY, end, type) if isinstance(type, QuantizedType) else end for end in ends)
    return Ends(*(np.asarray(end).astype(object) for end in steps))


def _all_of(type: Type, rank: int) -> Ends | None:
    """Return the ends of everything that an integer type holds; None for floats."""
    if not is_stored_as_integer(type):
        return None
    ends = (np.full((1,) * rank, end - zero_point(type), object) for end in storage_range(type))
    return Ends(*ends)


def _make_leaves(type: Type, low: Array, high: Array, copies: int, init: Ends | None) -> Leaves:
    if is_stored_as_integer(type):
        return exact(low, high, copies, init)
    return Leaves(low, high, copies, init)


def _reduce_leaves(op: Op, shape: tuple[int, ...], x: Ends, init: Ends, type: Type) -> Leaves:
    """Return the leaves along the reduced dimensions, which count as copies if all are alike."""
    dims = sorted(op["dimensions"])
    kept = [d for d in range(len(shape)) if d not in dims]
    alike = all(end.shape[d] == 1 for end in x for d in dims)
    count, seed = prod(shape[d] for d in dims), _seed(init, len(kept))
    if not count:
        nothing = np.zeros((0,) + (1,) * len(kept), x.least.dtype)
        return _make_leaves(type, nothing, nothing, 1, seed)

    def stack(end: Array) -> Array:
        sizes = [n if alike or d in kept else shape[d] for d, n in enumerate(end.shape)]
        return (
            np.broadcast_to(end, sizes).transpose([*dims, *kept]).reshape(-1, *(end.shape[d] for d in kept))
        )

    return _make_leaves(type, stack(x.least), stack(x.greatest), count if alike else 1, seed)


def _seed(init: Ends, rank: int) -> Ends:
    return Ends(*(end.reshape((1,) * rank) for end in init))


def _window_range(op: Op, x: Range) -> Range:
    """Return the operand with ends that are the same along the dimensions of windows."""
    columns = op["window_strides"], dilation_factors(op, "base_dilations"), op["window_dimensions"]
    moved = [d for d in range(x.type.rank) if any(c[d] != 1 for c in columns) or any(op["padding"][d])]
    return widen_along(x, moved)


def _window_leaves(op: Op, x: Ends, init: Ends, type: Type) -> Leaves:
    """Return the leaves of windows; those in the padding are init values."""
    fewest, _, positions = window_count(op)
    seed, ends = _seed(init, x.least.ndim), x
    if fewest < positions:
        ends = x.join(seed)
    return _make_leaves(type, ends.least[None], ends.greatest[None], positions, seed)


def _optional_leaves(x: Ends, init: Ends, most: int, type: Type, result: TensorType) -> Leaves:
    """Return at most this many leaves; any of them may be absent, and then adds nothing."""
    ends = Ends(*(end.reshape((1,) * result.rank) for end in x))
    ends = ends.join(Ends(*(np.zeros_like(end) for end in ends)))
    seed = init if init.least.ndim == result.rank else _seed(init, result.rank)
    return _make_leaves(type, ends.least[None], ends.greatest[None], most, seed)


def _collective_leaves(op: Op, x: Ends, type: Type) -> Leaves | None:
    """Return the leaves of a collective, one from each process; None if their number is unknown."""
    groups = op["replica_groups"]
    by_device = "use_global_device_ids" in op.attributes
    if not groups or (by_device and not op["use_global_device_ids"] and op["channel_id"] > 0):
        return None
    most = max(sum(member >= 0 for member in group) for group in groups)
    return _make_leaves(type, x.least[None], x.greatest[None], most, None)


def keeps_order(source: Type, destination: Type, ends: Sequence[Array]) -> bool:
    """Return whether a conversion of what lies between the ends keeps order, and makes no NaN."""
    quantized = [type for type in (source, destination) if isinstance(type, QuantizedType)]
    if not quantized and is_stored_as_integer(destination):
        low, high = storage_range(destination)
        return all(bool(np.all((low <= x.astype(object)) & (x.astype(object) <= high))) for x in ends)
    return all(map(has_numbers, quantized)) and all(np.isfinite(to_reals(x, source)).all() for x in ends)


def repeating(leaves: Leaves, schedule: Schedule) -> Leaves:
    """Return leaves whose init stands for all that a schedule has of it."""
    if leaves.init is None or not any(end.any() for end in leaves.init):
        return leaves
    whole = leaves.least.dtype.kind in "iO"
    dtype = object if whole else np.float64
    ends = (np.asarray(end.astype(dtype) * schedule.most_inits(leaves.n), dtype) for end in leaves.init)
    init = ends_of(
        *(f(end, np.zeros_like(end)) for f, end in zip((np.minimum, np.maximum), ends, strict=True))
    )
    more = Leaves(leaves.least, leaves.greatest, leaves.copies, init)
    return exact(*more) if whole else more
