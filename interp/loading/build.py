"""Builder of StableHLO: appends operations whose result types it infers from static shapes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

import numpy as np

from interp.backends.dtypes import numpy_dtype
from interp.loading.writer import Writer
from spec.ir import Op, Region, Value
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType, TensorType

I1, I32, I64, F32, F64 = (ELEMENT_TYPES[name] for name in ("i1", "i32", "i64", "f32", "f64"))
Element = ElementType | QuantizedType
Pairs = Sequence[tuple[int, int]]
Block = Callable[[Any, list[Value]], Sequence[Value]]
LARGEST = 1 << 31  # elements of a value: more is a mistake, or would not fit in memory


@dataclass
class Builder(Writer):
    """A writer of operations that knows the type of each result.

    Elementwise operations broadcast their operands as NumPy does; all other operands have the shapes that
    the specification asks for. Whether a constraint holds, `spec.rules.verify` decides.
    """

    def emit(
        self,
        name: str,
        operands: Sequence[Value],
        type: TensorType,
        regions: tuple[Region, ...] = (),
        **attributes: Any,
    ) -> Value:
        (result,) = self.emit_all(name, operands, [type], regions, **attributes)
        return result

    def emit_all(
        self,
        name: str,
        operands: Sequence[Value],
        types: Sequence[TensorType],
        regions: tuple[Region, ...] = (),
        **attributes: Any,
    ) -> tuple[Value, ...]:
        """Append an operation with any number of results."""
        for type in types:
            if type.size > LARGEST:
                raise ValueError(f"{type!r} is too large: at most {LARGEST} elements")
        results = tuple(Value(self.fresh(), type) for type in types)
        op = Op(f"stablehlo.{name}", tuple(operands), results, attributes, regions, self.location)
        self.ops.append(op)
        for result in results:
            self.keep(("maker", result.name), op)
        return results

    # Constants

    def full(self, number: Any, type: TensorType | ElementType) -> Value:
        """Return a constant of one number."""
        type = type if isinstance(type, TensorType) else TensorType((), type)
        element = np.asarray(number).astype(numpy_dtype(type.storage_type))
        return self.constant(np.broadcast_to(element, type.shape), type)

    def array(self, array: Any, element: Element) -> Value:
        """Return a constant of an array of stored numbers."""
        array = np.asarray(array)
        return self.constant(array, TensorType(array.shape, element))

    # Elementwise operations

    def unary(self, name: str, x: Value) -> Value:
        return self.emit(name, [x], x.type)

    def binary(self, name: str, x: Value, y: Value) -> Value:
        """Return an elementwise operation on two values, broadcast to one shape."""
        x, y = self.broadcast_all([x, y])
        return self.emit(name, [x, y], x.type)

    def binary_scalar(self, name: str, x: Value, number: float) -> Value:
        """Return an elementwise operation on a value and a number of its type."""
        return self.binary(name, x, self.full(number, x.type.tensor_element_type))

    def compare(self, direction: str, x: Value, y: Value) -> Value:
        x, y = self.broadcast_all([x, y])
        return self.emit("compare", [x, y], TensorType(x.type.shape, I1), (), comparison_direction=direction)

    def select(self, predicate: Value, x: Value, y: Value) -> Value:
        predicate, x, y = self.broadcast_all([predicate, x, y])
        return self.emit("select", [predicate, x, y], x.type)

    def clamp(self, low: float, x: Value, high: float) -> Value:
        ends = [self.full(end, TensorType((), x.type.element_type)) for end in (low, high)]
        return self.emit("clamp", [ends[0], x, ends[1]], x.type)

    def convert(self, x: Value, element: ElementType) -> Value:
        """Return a value converted to an element type, or unchanged if it has that type."""
        return x if x.type.element_type == element else self._as("convert", x, element)

    def bitcast(self, x: Value, element: Element) -> Value:
        """Return the same stored numbers as another type of the same width."""
        return x if x.type.element_type == element else self._as("bitcast_convert", x, element)

    def quantize(self, x: Value, element: QuantizedType) -> Value:
        return self._as("uniform_quantize", x, element)

    def dequantize(self, x: Value) -> Value:
        return self._as("uniform_dequantize", x, x.type.quantized_element_type.expressed_type)

    def _as(self, name: str, x: Value, element: Element) -> Value:
        return self.emit(name, [x], TensorType(x.type.shape, element))

    # Movement of elements

    def broadcast_all(self, values: Sequence[Value]) -> list[Value]:
        """Return values broadcast to their common shape; ValueError if there is none."""
        return [self.broadcast(v, np.broadcast_shapes(*(v.type.shape for v in values))) for v in values]

    def broadcast(self, x: Value, shape: Sequence[int]) -> Value:
        """Return a value broadcast as NumPy does it: its dimensions are the last ones of `shape`."""
        shape = tuple(shape)
        start = len(shape) - x.type.rank
        return self.place(x, shape, range(start, len(shape)))

    def place(self, x: Value, shape: Sequence[int], dimensions: Sequence[int]) -> Value:
        """Return `broadcast_in_dim`: each dimension of x becomes that dimension of the result."""
        shape = tuple(shape)
        if x.type.shape == shape and tuple(dimensions) == tuple(range(len(shape))):
            return x
        type = self._moved_type(x, shape, dict(enumerate(dimensions)))
        return self.emit("broadcast_in_dim", [x], type, (), broadcast_dimensions=tuple(dimensions))

    def reshape(self, x: Value, shape: Sequence[int]) -> Value:
        shape = tuple(int(n) for n in shape)
        return x if shape == x.type.shape else self.emit("reshape", [x], self._reshaped_type(x, shape))

    def transpose(self, x: Value, permutation: Sequence[int]) -> Value:
        permutation = tuple(permutation)
        if permutation == tuple(range(x.type.rank)):
            return x
        shape = tuple(x.type.shape[d] for d in permutation)
        type = self._moved_type(x, shape, {d: k for k, d in enumerate(permutation)})
        return self.emit("transpose", [x], type, (), permutation=permutation)

    def concatenate(self, values: Sequence[Value], dimension: int) -> Value:
        shape = list(values[0].type.shape)
        shape[dimension] = sum(v.type.shape[dimension] for v in values)
        type = replace(values[0].type, shape=tuple(shape))
        return values[0] if len(values) == 1 else self.emit("concatenate", values, type, dimension=dimension)

    def slice(self, x: Value, starts: Sequence[int], limits: Sequence[int], strides: Sequence[int]) -> Value:
        parts = zip(starts, limits, strides, strict=True)
        shape = tuple(max(0, ceil((limit - start) / stride)) for start, limit, stride in parts)
        places = {"start_indices": starts, "limit_indices": limits, "strides": strides}
        attributes = {name: tuple(map(int, numbers)) for name, numbers in places.items()}
        if shape == x.type.shape:
            return x
        return self.emit("slice", [x], replace(x.type, shape=shape), (), **attributes)

    def slice_in(self, x: Value, dimension: int, start: int, limit: int) -> Value:
        """Return a slice along one dimension."""
        starts, limits = [0] * x.type.rank, list(x.type.shape)
        starts[dimension], limits[dimension] = start, limit
        return self.slice(x, starts, limits, [1] * x.type.rank)

    def row(self, x: Value, index: int, axis: int) -> Value:
        """Return the slice of x at an index of an axis, without that axis."""
        return self.reshape(self.slice_in(x, axis, index, index + 1), _without(x.type.shape, axis))

    def row_at(self, x: Value, index: Value, axis: int) -> Value:
        """Return the slice of x at an index that is a value, without that axis."""
        sizes = tuple(1 if d == axis else size for d, size in enumerate(x.type.shape))
        starts = [index if d == axis else self.full(0, index.type) for d in range(x.type.rank)]
        part = self.emit("dynamic_slice", [x, *starts], replace(x.type, shape=sizes), (), slice_sizes=sizes)
        return self.reshape(part, _without(sizes, axis))

    def put_row(self, x: Value, row: Value, index: Value, axis: int) -> Value:
        """Return x with another slice at an index of an axis."""
        shape = list(row.type.shape)
        shape.insert(axis, 1)
        starts = [index if d == axis else self.full(0, index.type) for d in range(x.type.rank)]
        return self.emit("dynamic_update_slice", [x, self.reshape(row, shape), *starts], x.type)

    def repeat(self, state: Sequence[Value], test: Block, body: Block) -> tuple[Value, ...]:
        """Return the last state of `while`; test and body make their results from a writer and a state."""
        regions = []
        for make in (test, body):
            inner = self.inner()
            arguments = [Value(inner.fresh(v.name), v.type) for v in state]
            regions.append(inner.block(arguments, make(inner, arguments)))
        return self.emit_all("while", state, [v.type for v in state], tuple(regions))

    def block(self, arguments: Sequence[Value], results: Sequence[Value]) -> Region:
        """Return the region that this writer has written."""
        return Region(tuple(arguments), (*self.ops, Op("stablehlo.return", tuple(results), ())))

    def pad(self, x: Value, padding_value: Value, padding: Pairs, interior: Sequence[int] = ()) -> Value:
        """Return a padded value; padding: the elements before and after, per dimension, negative to cut."""
        inner = tuple(interior) or (0,) * x.type.rank
        if not any(inner) and all(pair == (0, 0) for pair in padding):
            return x
        sizes = zip(x.type.shape, padding, inner, strict=True)
        shape = tuple(low + high + n + max(n - 1, 0) * gap for n, (low, high), gap in sizes)
        attributes = {
            "edge_padding_low": tuple(low for low, _ in padding),
            "edge_padding_high": tuple(high for _, high in padding),
            "interior_padding": inner,
        }
        return self.emit("pad", [x, padding_value], replace(x.type, shape=shape), (), **attributes)

    def reverse(self, x: Value, dimensions: Sequence[int]) -> Value:
        dimensions = tuple(dimensions)
        return self.emit("reverse", [x], x.type, (), dimensions=dimensions) if dimensions else x

    def iota(self, shape: Sequence[int], dimension: int, element: ElementType) -> Value:
        return self.emit("iota", [], TensorType(tuple(shape), element), (), iota_dimension=dimension)

    def gather(self, x: Value, indices: Value, axis: int) -> Value:
        """Return the slices of x at indices along an axis, which are counted from 0 and in bounds."""
        rank, inner = x.type.rank, indices.type.rank
        shape = (*x.type.shape[:axis], *indices.type.shape, *x.type.shape[axis + 1 :])
        attributes = {
            "offset_dims": tuple(d for d in range(len(shape)) if not axis <= d < axis + inner),
            "collapsed_slice_dims": (axis,),
            "operand_batching_dims": (),
            "start_indices_batching_dims": (),
            "start_index_map": (axis,),
            "index_vector_dim": inner,
            "slice_sizes": tuple(1 if d == axis else x.type.shape[d] for d in range(rank)),
            "indices_are_sorted": False,
        }
        return self.emit("gather", [x, indices], replace(x.type, shape=shape), (), **attributes)

    def _moved_type(self, x: Value, shape: tuple[int, ...], places: dict[int, int]) -> TensorType:
        """Return the type of x's elements in another shape; `places`: where each dimension goes."""
        element = x.type.element_type
        if isinstance(element, QuantizedType) and element.quantization_dimension is not None:
            element = replace(element, quantization_dimension=places[element.quantization_dimension])
        return TensorType(shape, element)

    def _reshaped_type(self, x: Value, shape: tuple[int, ...]) -> TensorType:
        element = x.type.element_type
        if not isinstance(element, QuantizedType) or element.quantization_dimension is None:
            return TensorType(shape, element)
        before = int(np.prod(x.type.shape[: element.quantization_dimension]))
        starts = [int(np.prod(shape[:d])) for d in range(len(shape))]
        size = len(element.scales)
        found = [d for d, start in enumerate(starts) if start == before and shape[d] == size]
        if not found:
            raise ValueError("a reshape takes the quantized dimension apart")
        return TensorType(shape, replace(element, quantization_dimension=found[0]))


def _without(shape: Sequence[int], axis: int) -> list[int]:
    return [size for d, size in enumerate(shape) if d != axis]


# Builder of StableHLO's contractions and reductions, as `build.Builder`.

PRECISION = ("DEFAULT", "DEFAULT")


@dataclass(frozen=True)
class Window:
    """The geometry of a window, per dimension."""

    dimensions: tuple[int, ...]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    padding: tuple[tuple[int, int], ...]

    def sizes(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Return how many positions the window has along each dimension."""
        reach = [(n - 1) * d + 1 for n, d in zip(self.dimensions, self.dilations, strict=True)]
        rows = zip(shape, self.padding, reach, self.strides, strict=True)
        return tuple(max(0, (n + low + high - r) // s + 1) for n, (low, high), r, s in rows)

    @property
    def attributes(self) -> dict[str, Any]:
        """Return the attributes of `reduce_window`."""
        return {
            "window_dimensions": self.dimensions,
            "window_strides": self.strides,
            "base_dilations": (1,) * len(self.dimensions),
            "window_dilations": self.dilations,
            "padding": self.padding,
        }


@dataclass
class Folds(Builder):
    """A builder that also writes contractions and reductions."""

    def body(self, name: str, type: TensorType) -> Region:
        """Return the body of a reduction: one operation on two scalars."""
        first, second, out = (Value(self.fresh(hint), type) for hint in ("a", "b", "c"))
        combined = Op(f"stablehlo.{name}", (first, second), (out,), {}, (), self.location)
        return Region((first, second), (combined, Op("stablehlo.return", (out,), ())))

    def reduce(
        self, x: Value, init: Value, body: str, dimensions: Sequence[int], element: Any = None
    ) -> Value:
        """Return x folded along dimensions, in an accumulator of `element`, by default that of x."""
        element = x.type.element_type if element is None else element
        shape = tuple(n for d, n in enumerate(x.type.shape) if d not in dimensions)
        type, region = TensorType(shape, element), self.body(body, TensorType((), element))
        return self.emit("reduce", [x, init], type, (region,), dimensions=tuple(sorted(dimensions)))

    def reduce_window(self, x: Value, init: Value, body: str, window: Window, element: Any = None) -> Value:
        """Return x folded in windows, in an accumulator of `element`, by default that of x."""
        element = x.type.element_type if element is None else element
        type = TensorType(window.sizes(x.type.shape), element)
        region = self.body(body, TensorType((), element))
        return self.emit("reduce_window", [x, init], type, (region,), **window.attributes)

    def dot_general(
        self,
        lhs: Value,
        rhs: Value,
        batching: tuple[Sequence[int], Sequence[int]],
        contracting: tuple[Sequence[int], Sequence[int]],
        element: Any = None,
    ) -> Value:
        """Return a contraction in an accumulator of `element`, by default that of lhs."""
        kept = [
            [n for d, n in enumerate(v.type.shape) if d not in (*batch, *contracted)]
            for v, batch, contracted in zip((lhs, rhs), batching, contracting, strict=True)
        ]
        batches = [lhs.type.shape[d] for d in batching[0]]
        attributes = {
            "lhs_batching_dimensions": tuple(batching[0]),
            "rhs_batching_dimensions": tuple(batching[1]),
            "lhs_contracting_dimensions": tuple(contracting[0]),
            "rhs_contracting_dimensions": tuple(contracting[1]),
            "precision_config": PRECISION,
        }
        type = TensorType((*batches, *kept[0], *kept[1]), element or lhs.type.element_type)
        return self.emit("dot_general", [lhs, rhs], type, (), **attributes)

    def convolution(
        self,
        x: Value,
        kernel: Value,
        strides: Sequence[int],
        padding: Pairs,
        dilations: Sequence[int],
        groups: int = 1,
        lhs_dilation: Sequence[int] = (),
        element: Any = None,
        features_last: bool = False,
    ) -> Value:
        """Return a convolution of x (batch, features, ...) with a kernel (outputs, inputs, ...).

        features_last: x is (batch, ..., features), and the kernel (outputs, ..., inputs).
        """
        rank = x.type.rank - 2
        gaps = tuple(lhs_dilation) or (1,) * rank
        spatial = slice(1, -1) if features_last else slice(2, None)
        spread = [(n - 1) * gap + 1 if n else 0 for n, gap in zip(x.type.shape[spatial], gaps, strict=True)]
        pairs = tuple((low, high) for low, high in padding)
        window = Window(tuple(kernel.type.shape[spatial]), tuple(strides), tuple(dilations), pairs)
        sizes, outputs = window.sizes(spread), (kernel.type.shape[0],)
        shape = (x.type.shape[0], *((*sizes, *outputs) if features_last else (*outputs, *sizes)))
        attributes = {
            "window_strides": tuple(strides),
            "padding": window.padding,
            "lhs_dilation": gaps,
            "rhs_dilation": tuple(dilations),
            "feature_group_count": groups,
            **_layout(rank, features_last),
        }
        type = TensorType(shape, element or x.type.element_type)
        return self.emit("convolution", [x, kernel], type, (), **attributes)


def _layout(rank: int, features_last: bool) -> dict[str, Any]:
    """Return the places of the dimensions of a convolution with `rank` spatial dimensions."""
    first, feature = (1, rank + 1) if features_last else (2, 1)
    spatial = tuple(range(first, rank + first))
    return {
        "window_reversal": (False,) * rank,
        "input_batch_dimension": 0,
        "input_feature_dimension": feature,
        "input_spatial_dimensions": spatial,
        "kernel_input_feature_dimension": feature,
        "kernel_output_feature_dimension": 0,
        "kernel_spatial_dimensions": spatial,
        "output_batch_dimension": 0,
        "output_feature_dimension": feature,
        "output_spatial_dimensions": spatial,
        "batch_group_count": 1,
        "precision_config": PRECISION,
    }
