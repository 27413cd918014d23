"""Batches of values to check for events, and judgements: the events of one kind in a batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod
from typing import Any, NamedTuple

import numpy as np

from interp.engine.evaluate import Place
from interp.engine.storage import is_at_zero, may_clip
from interp.recorder.event import Event, Ids
from interp.recorder.exact import Array, Number
from interp.recorder.names import ALONE, Qualifier
from spec.ir import Op
from spec.types import QuantizedType

# Judgements: the events of one kind in an operation's result, before they are counted or kept.


class Judgement(NamedTuple):
    """Events of one kind at the ascending flat positions `at`; the worst is where `sizes` is largest.

    `error` has one number for each of them. `exact` gives the exact value at a flat
    position, where there is one. `clips`: all of them are clipped at the zero point (`engine.clipping`).
    """

    kind: str
    at: Array
    error: Array
    exact: Callable[[int], Number | None]
    clips: bool = False

    @property
    def sizes(self) -> Array:
        """Return the size of each event's error; infinite for NaN."""
        return np.nan_to_num(np.abs(self.error).astype(np.float64), nan=np.inf)


def mask_events(
    kind: str, mask: Array, error: Array, exact: Callable[[int], Number | None]
) -> Iterator[Judgement]:
    """Yield the events at the true elements of a mask, if there are any; `error` has the mask's shape."""
    at = np.flatnonzero(mask)
    if at.size:
        yield Judgement(kind, at, np.broadcast_to(error, mask.shape).reshape(-1)[at], exact)


def no_value(at: int) -> None:
    return None


SCATTER = "stablehlo.select_and_scatter"
PART = 1 << 16  # elements that are judged at a time: what they need on the way stays in the cache


class Batch(NamedTuple):
    """Batch of values to check for events: `stored`, the result of `inner` (in a body of `op`).

    `what` names the tensor. Arrays have the shape `shape`, or are scalars. In a part of a batch, `offset` is
    the flat position of the first element, and `whole` the shape of the whole batch.
    """

    op: Op
    inner: Op
    operands: tuple[Any, ...]
    stored: Any
    place: Place | None
    shape: tuple[int, ...]
    what: str = "result"
    offset: int = 0
    whole: tuple[int, ...] | None = None

    def parts(self) -> Iterator[Batch]:
        """Yield the batch in parts of about `PART` elements, or whole if its elements' parameters differ."""
        if prod(self.shape) <= PART or not self._is_uniform:
            yield self
            return
        arrays = [x for x in (*self.operands, self.stored) if x is not None and np.ndim(x)]
        flat = all(x.flags.c_contiguous for x in arrays)
        row = 1 if flat else prod(self.shape[1:])
        rows = prod(self.shape) // row
        for first in range(0, rows, step := max(1, PART // row)):
            yield self._rows(slice(first, min(first + step, rows)), flat, first * row)

    @property
    def is_product(self) -> bool:
        """Return whether these are products of a contraction, before any sum."""
        return (
            self.place is not None
            and not self.place.node.stacked
            and bool(self.place.node.first == self.place.node.last)
        )

    @property
    def _is_uniform(self) -> bool:
        types = [value.type.element_type for value in (*self.inner.operands, *self.inner.results)]
        arrays = [x for x in (*self.operands, self.stored) if x is not None and np.ndim(x)]
        per_tensor = all(not isinstance(type, QuantizedType) or type.is_per_tensor for type in types)
        return per_tensor and all(x.shape == self.shape for x in arrays)

    def _rows(self, rows: slice, flat: bool, offset: int) -> Batch:
        def cut(x: Array) -> Array:
            return x if not np.ndim(x) else x.reshape(-1)[rows] if flat else x[rows]

        shape = (rows.stop - rows.start, *(() if flat else self.shape[1:]))
        stored = None if self.stored is None else cut(self.stored)
        operands = tuple(map(cut, self.operands))
        return self._replace(operands=operands, stored=stored, shape=shape, offset=offset, whole=self.shape)

    def present(self, found: Judgement) -> Judgement:
        """Return the events, except those at nodes with an absent child."""
        if self.place is None or self.place.node.present is None:
            return found
        present, batch = self.place.node.present, self.whole or self.shape
        inside = np.zeros(len(found.at), bool)
        if len(batch) == present.ndim:  # else a body runs element by element
            inside = np.broadcast_to(present, batch).flat[found.at + self.offset]
        return found._replace(at=found.at[inside], error=found.error[inside])

    def apart(self, found: Judgement) -> list[Judgement]:
        """Return the events, apart from those that clip at the zero point, which are no overflows."""
        clips = found.kind == "saturate" and self.place is None and self.what == "result"
        if not clips or self.inner is not self.op or not may_clip(self.op):
            return [found]
        type = self.op.result.type.quantized_element_type
        at_zero = is_at_zero(type, np.asarray(self.stored), self.shape, found.at)
        parts = [(found._replace(clips=is_such), at_zero == is_such) for is_such in (False, True)]
        return [x._replace(at=found.at[here], error=found.error[here]) for x, here in parts if here.any()]

    def event(
        self, found: Judgement, k: int, qualifier: Qualifier = ALONE, run: int = 0, process: Ids | None = None
    ) -> Event:
        """Return event number k; `Event` explains the qualifier, the run and the process."""
        at = int(found.at[k])
        index, leaves = self._position(at + self.offset)
        operands = tuple(self._item(x, at) for x in self.operands)
        stored = None if self.stored is None else self._item(self.stored, at)
        what = "window" if self._selects else self.what
        numbers = operands, found.exact(at), stored
        within = self.place.block if self.place else None
        own = found.kind, self.op, self.inner, what, index, leaves
        return Event(*own, *numbers, qualifier, run, process, within)

    def columns(self, found: Judgement) -> Array | None:
        """Return the flat result indices to which the events belong, or None if they belong to none."""
        at, shape = found.at + self.offset, self.whole or self.shape
        if self.place is not None and self.place.node.stacked:
            at, shape = at % prod(shape[1:]), shape[1:]
        if self.place is not None and self.place.columns is not None:
            return None if self._selects else self.place.columns[at]
        if self.place is not None and not self.op.regions:  # a contraction, which folds its normal form
            return _result_places(self.op, at)
        elsewhere = self.what != "result" or self._selects
        return None if elsewhere or shape != self.op.results[0].type.shape else at

    def _item(self, x: Array, at: int) -> Any:
        return np.asarray(np.broadcast_to(x, self.shape).flat[at]).item()  # perhaps a Python integer

    @property
    def _selects(self) -> bool:
        """Return whether the node belongs to `select`, which chooses an element and computes no result."""
        return self.place is not None and self.op.name == SCATTER and self.place.region == 0

    def _position(self, at: int) -> tuple[tuple[int, ...] | None, tuple[int, int] | None]:
        """Return the result index and the node at a flat position of the whole batch."""
        shape = self.whole or self.shape
        if self.place is None:
            return _unravel(at, shape), None
        node = self.place.node
        if node.stacked:
            k, at = divmod(at, prod(shape[1:]))
            shape, leaves = shape[1:], (int(node.first[k]), int(node.last[k]))
        else:
            leaves = int(node.first), int(node.last)
        if self.place.columns is not None:
            return _unravel(int(self.place.columns[at]), self.op.results[0].type.shape), leaves
        target = self.op.operands[1].type.shape if self._selects else self.op.results[0].type.shape
        if prod(shape) != prod(target):
            return None, leaves  # of a body that runs element by element
        return result_index(self.op, at, target), leaves


def result_index(op: Op, at: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the result index at a flat position; a convolution works on [batch, *spatial, feature]."""
    if op.name != "stablehlo.convolution":
        return _unravel(at, shape)
    order = _output_dimensions(op)
    index = dict(zip(order, _unravel(at, tuple(shape[d] for d in order)), strict=True))
    return tuple(index[d] for d in range(len(shape)))


def _result_places(op: Op, at: Array) -> Array:
    """Return the flat result indices of flat positions, vectorized like `result_index`."""
    shape = op.results[0].type.shape
    if op.name != "stablehlo.convolution":
        return at
    order = _output_dimensions(op)
    index = dict(zip(order, np.unravel_index(at, tuple(shape[d] for d in order)), strict=True))
    return np.asarray(np.ravel_multi_index(tuple(index[d] for d in range(len(shape))), shape))


def _output_dimensions(op: Op) -> tuple[int, ...]:
    return op["output_batch_dimension"], *op["output_spatial_dimensions"], op["output_feature_dimension"]


def _unravel(at: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(i) for i in np.unravel_index(at, shape))
