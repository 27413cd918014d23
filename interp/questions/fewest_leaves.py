"""Delta debugging of a reduction's leaves, or of a contraction's products, many subsets side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from interp.backends import NUMPY
from interp.engine.bodies import alone, reduce_of
from interp.engine.quant import Type
from interp.engine.storage import is_stored_as_integer, storage, storage_range, zero_point
from interp.engine.work import Work
from interp.execute.record import Record
from interp.execute.run import run
from interp.recorder.batch import Batch, Judgement
from interp.recorder.element import Element
from interp.recorder.event import Event
from interp.recorder.products import Factor, as_sum
from interp.recorder.recorded import Reduction
from interp.recorder.watcher import Watcher
from interp.speed.exact_contraction import sums_plain_integers
from interp.theory.sums import narrowest
from spec.errors import Unsupported
from spec.ir import Module, Op, Value
from spec.types import ELEMENT_TYPES, QuantizedType, TensorType, make_quantized

CELLS = 1 << 22  # leaves that are folded at once
SMALLER = 1 << 12  # subsets of fewer leaves that are tried at most, to find the fewest

Array = np.ndarray
Program = tuple[Module, tuple[Array, ...]]


class Flags(Watcher):
    """Listener that marks the elements among `columns` that have an event like this one."""

    def __init__(self, like: Event, inner: str, columns: int) -> None:
        super().__init__(like.kind)
        self.like, self.inner, self.found = like, inner, np.zeros(columns, bool)

    def note(self, batch: Batch, found: Judgement) -> None:
        at_node = (batch.place is None) == (self.like.leaves is None)
        if batch.inner.name == self.inner and at_node and batch.is_product == self.like.is_product:
            self.found[(found.at + batch.offset) % len(self.found)] = True


def _inner(event: Event) -> str:
    return "stablehlo.reduce" if event.inner is event.op else event.inner.name


class Search:
    """Subsets of `leaves` (stored numbers, one per operand), each reduced like `reduction` from `init`."""

    def __init__(
        self,
        reduction: Reduction,
        leaves: list[tuple[Any, ...]],
        init: tuple[Any, ...],
        event: Event,
        mode: str,
    ) -> None:
        self.reduction, self.like, self.n, self.inner = reduction, event, len(leaves), _inner(event)
        self.options: dict[str, Any] = {"schedule": reduction.schedule, "mode": mode}
        columns = [[leaf[k] for leaf in leaves] for k in range(len(reduction.inputs))]
        self.columns = [_store(x, value) for x, value in zip(columns, reduction.inputs, strict=True)]
        self.inits = [_store(x, value) for x, value in zip(init, reduction.init_values, strict=True)]

    @property
    def sizes(self) -> Array:
        """Return the leaves of the first operand as numbers."""
        return NUMPY.decode(self.columns[0], _storage(self.reduction.inputs[0]))

    def program(self, picked: Array) -> Program:
        """Return a program that reduces the leaves `picked` along the first dimension, column by column."""
        op, shape = self.reduction.op, picked.shape
        inputs, results = (
            [replace(value.type, shape=own) for value in values]
            for values, own in ((self.reduction.inputs, shape), (op.results, shape[1:]))
        )
        inits = [replace(value.type, shape=()) for value in self.reduction.init_values]
        main = alone(reduce_of(self.reduction.body, inputs, inits, results))
        args = (*(x[picked] for x in self.columns), *self.inits)
        return Module({"main": main}, dialect=self.reduction.module.dialect), args

    def alone(self, picked: Array) -> Program:
        """Return the program read back from its text, so that its names are those of a saved file."""
        from interp.loading.load import load

        module, args = self.program(picked)
        return load(repr(module), dialect=module.dialect), args

    def event(self, module: Module, args: tuple[Array, ...]) -> Event:
        """Return the first event of a program of these leaves."""
        groups = Record.observe_run(module, args, kinds=self.like.kind, **self.options).groups
        alike = [g.first for g in groups if (g.first.leaves is None) == (self.like.leaves is None)]
        alike = [event for event in alike if event.is_product == self.like.is_product]
        return next(event for event in alike if event.inner.name == self.inner)

    def shows(self, picked: Array) -> Array:
        """Return, for each column of leaf numbers, whether these leaves show the event."""
        flags = Flags(self.like, self.inner, picked.shape[1])
        module, args = self.program(picked)
        run(module, *args, listeners=[flags], **self.options)
        return flags.found

    def fewest(self, work: Work) -> tuple[Array, bool, bool]:
        """Return leaves that show the event, whether all are needed, and whether no smaller subset shows it.

        The search ends at the work's deadline. The last answer is known only if the smaller
        subsets are few enough to be tried, as those of 12 leaves are.
        """
        keep, minimal = self.minimal(work)
        if not minimal or sum(comb(self.n, size) for size in range(len(keep))) > SMALLER:
            return keep, minimal, False
        for size in range(len(keep)):
            rows = np.array([*combinations(range(self.n), size)], np.intp)
            subsets = rows.reshape(comb(self.n, size), size).T
            shown = self.shows(subsets)
            if shown.any():
                return subsets[:, shown.argmax()], True, True
        return keep, True, True

    def minimal(self, work: Work) -> tuple[Array, bool]:
        """Return leaves that show the event, and whether all of them are needed."""
        keep = np.arange(self.n)
        if not self.n:
            return keep, True
        if not self.shows(keep[:, None]).any():
            evidence = "the tree over the present leaves alone is another one"
            raise Unsupported("the event depends on leaves that are absent", evidence)
        keep = min((keep, *self.extremes()), key=len)
        size = max(1, len(keep) // 2)
        while not work.is_over:
            work.tell("leaves left out", self.n - len(keep), self.n)
            fewer = next(self.without(keep, size), None) if len(keep) else None
            if fewer is not None:
                keep, size = fewer, max(1, min(size, len(keep) - size))
            elif size == 1:
                return keep, True
            else:
                size //= 2
        return keep, False

    def extremes(self) -> Iterator[Array]:
        """Return the subsets of only the greatest, and of only the least leaves, that show the event."""
        ranked = np.argsort(self.sizes, kind="stable")
        for order in (ranked, ranked[::-1]):
            few, many = 0, self.n
            while many - few > 1:
                middle = (few + many) // 2
                shown = self.shows(np.sort(order[:middle])[:, None]).all()
                few, many = (few, middle) if shown else (middle, many)
            if self.shows(np.sort(order[:many])[:, None]).all():
                yield np.sort(order[:many])

    def without(self, keep: Array, size: int) -> Iterator[Array]:
        """Yield the subsets of `keep` that lack `size` neighbours and still show the event."""
        rest = len(keep) - size
        starts = np.unique([*range(0, rest + 1, size), rest])
        rows = np.arange(rest)[:, None]
        at_once = max(1, CELLS // len(keep))
        for k in range(0, len(starts), at_once):
            some = starts[None, k : k + at_once]
            candidates = keep[rows + size * (rows >= some)]
            yield from candidates.T[self.shows(candidates)]


def _storage(value: Value) -> Any:
    return value.type.storage_type


def _store(x: Any, value: Value) -> Array:
    """Return carried numbers as stored elements."""
    carried = np.asarray(x, NUMPY.carrier(_storage(value)))
    return np.asarray(NUMPY.encode(carried, _storage(value)))


# Delta debugging of a contraction's products: as a smaller contraction, or as a sum of integers.


def search_of(reduction: Reduction, event: Event, mode: str) -> Search:
    """Return the search among the products of the element with an event.

    In the integer reading it is among sums of integers in the accumulator's type, which every reading shows.
    """
    assert reduction.products
    if event.index is None or event.what != "result":
        raise Unsupported("the event is in an operand of a contraction", event.place, event.op.location)
    element = reduction.element(event.index)
    op = reduction.products.op
    if is_stored_as_integer(reduction.types[0]) and not sums_plain_integers(op):
        return _integer_search(reduction, element, event, mode)
    return ProductSearch(reduction, element, event, mode)


def _integer_search(reduction: Reduction, element: Element, event: Event, mode: str) -> Search:
    """Return the search among the integer products of a quantized contraction."""
    (type,), products = reduction.types, reduction.products
    assert products
    if event.leaves is None:
        raise Unsupported("the event is in the result, not in its sum", event.place, event.op.location)
    if (held := _tensor_type(type)) is None:
        what_to_do = "use an accumulator of 8, 16, 32 or 64 bits that wraps, or of at most 32 that saturates"
        raise Unsupported(f"no tensor has the type {reduction.text(type)}", what_to_do)
    low, high = storage_range(type)
    if not all(low <= x <= high for x in element.values()):
        raise Unsupported(f"a product is beyond {reduction.text(type)}", "it cannot be a leaf of a sum in it")
    summed = replace(reduction, op=as_sum(products.op, held, held), products=None)
    search = Search(summed, [leaf.after for leaf in element.leaves[1:]], element.leaves[0].after, event, mode)
    search.inner = "stablehlo.add"
    return search


def _tensor_type(type: Type) -> Type | None:
    """Return the type of an accumulator as tensors have it, in the narrowest storage; None if none has it."""
    if not isinstance(type, QuantizedType):
        return type if type.name in ELEMENT_TYPES else None
    low, high = storage_range(type)
    sizes = [size for size in (8, 16, 32) if size >= narrowest(low, high, True)]
    return make_quantized(f"i{sizes[0]}", "f64", 1.0, storage_min=low, storage_max=high) if sizes else None


class ProductSearch(Search):
    """Subsets of the products of one result element, each the dot product of two vectors."""

    def __init__(self, reduction: Reduction, element: Element, event: Event, mode: str) -> None:
        assert reduction.products
        leaves = element.leaves[1:]
        self.reduction, self.like, self.n, self.inner = reduction, event, len(leaves), "stablehlo.dot_general"
        self.options: dict[str, Any] = {"schedule": reduction.schedule, "mode": mode}
        self.op, self.products = reduction.products.op, np.array([leaf.before[0] for leaf in leaves])
        pairs = [leaf.factors for leaf in leaves if leaf.factors]
        sides = [[pair[k] for pair in pairs] for k in range(2)]
        places = [next((x.index for x in side if x.index is not None), None) for side in sides]
        values = (*self.op.operands[:2], self.op.result)
        self.types = [
            _at(value, place) for value, place in zip(values, (*places, element.index), strict=True)
        ]
        self.columns = [_store_factors(side, type) for side, type in zip(sides, self.types[:2], strict=True)]
        self.inits = []

    @property
    def sizes(self) -> Array:
        return self.products

    def program(self, picked: Array) -> Program:
        """Return a program that sums the products `picked` along the first dimension, column by column."""
        names = ("%lhs", "%rhs", "%sum")
        shapes = (picked.shape, picked.shape, picked.shape[1:])
        values = [
            Value(name, TensorType(shape, type))
            for name, shape, type in zip(names, shapes, self.types, strict=True)
        ]
        is_dot = self.op.name == "stablehlo.dot_general"
        kept = {name: x for name, x in self.op.attributes.items() if is_dot or name == "precision_config"}
        summed = {f"{side}_contracting_dimensions": (0,) for side in ("lhs", "rhs")}
        beside = {f"{side}_batching_dimensions": tuple(range(1, picked.ndim)) for side in ("lhs", "rhs")}
        op = Op("stablehlo.dot_general", tuple(values[:2]), (values[2],), {**kept, **summed, **beside})
        module = Module({"main": alone(op)}, dialect=self.reduction.module.dialect)
        return module, tuple(x[picked] for x in self.columns)


def _at(value: Value, index: tuple[int, ...] | None) -> Type:
    """Return the element type of a tensor with only the scale and the zero point that an element has."""
    type = value.type.element_type
    if not isinstance(type, QuantizedType) or type.is_per_tensor:
        return type
    assert type.quantization_dimension is not None
    channel = index[type.quantization_dimension] if index else 0
    scale, zero_point = type.scales[channel], type.zero_points[channel]
    return replace(type, scales=(scale,), zero_points=(zero_point,), quantization_dimension=None)


def _store_factors(side: Sequence[Factor], type: Type) -> Array:
    """Return factors as stored elements; padding is a zero."""
    numbers = [zero_point(type) if factor.index is None else factor.stored for factor in side]
    carried = np.array(numbers, NUMPY.carrier(storage(type)))
    return np.asarray(NUMPY.encode(carried, storage(type)))
