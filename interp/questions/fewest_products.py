"""Delta debugging of a contraction's products: as a smaller contraction, or as a sum of integers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from interp.backends import NUMPY
from interp.engine.bodies import alone
from interp.engine.quant import Type
from interp.engine.stored import is_stored_as_integer, storage, storage_range, zero_point
from interp.questions.fewest import Array, Program, Search
from interp.recorder.contracted import as_sum
from interp.recorder.element import Element
from interp.recorder.event import Event
from interp.recorder.products import Factor
from interp.recorder.recorded import Reduction
from interp.speed.exact_contraction import sums_plain_integers
from interp.theory.widths import narrowest
from spec.errors import Unsupported
from spec.ir import Module, Op, Value
from spec.types import ELEMENT_TYPES, QuantizedType, TensorType, make_quantized


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
