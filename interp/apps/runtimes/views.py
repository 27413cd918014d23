"""Operations seen as a runtime's operators see them: one fold, one window, one matrix product, one kernel.

A view drops nothing: what it cannot say of an operation is `NotExpressible`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod

import numpy as np

from interp.apps.runtimes.translation import Operand, need
from interp.backends.dtypes import numpy_dtype
from interp.engine.facts import facts_of
from interp.engine.storage import neutral
from spec.ir import Op, captures
from spec.op_attributes import has_algorithm
from spec.types import ElementType, QuantizedType, TensorType

Type = ElementType | QuantizedType


@dataclass(frozen=True)
class Fold:
    """A reduction of one operand by one commutative operation, `body`; `accumulator` is the body's type."""

    body: str
    x: Operand
    init: Operand
    accumulator: Type

    @property
    def chooses(self) -> bool:
        """Return whether the result is one of the leaves."""
        return facts_of(self.body).chooses

    @property
    def has_identity(self) -> bool:
        """Return whether the init value is known to change nothing, so that an operator may leave it out."""
        if self.init.value is None or self.init.type.element_type != self.accumulator:
            return False
        return bool(self.init.value == identity(self.body, self.accumulator))


def fold(op: Op, operands: Sequence[Operand]) -> Fold:
    """Return the view of a `reduce` or `reduce_window`."""
    need(len(operands) == 2, "several operands are reduced together")
    (region,) = op.regions
    need(len(region.ops) == 2 and not captures(op), "a body of several operations")
    inner = region.ops[0]
    name = inner.name.removeprefix("stablehlo.")
    need(bool(facts_of(name).identity), f"a body of {name}")
    named = {value.name for value in region.arguments}
    need({v.name for v in inner.operands} == named, "a body that does not combine its two arguments")
    types = {value.type.element_type for value in (*region.arguments, inner.result)}
    need(len(types) == 1, "a body of several types")
    need(types == {op.result.type.element_type}, "a result of another type than the body's")
    return Fold(name, operands[0], operands[1], types.pop())


def identity(body: str, type: Type) -> float | int | None:
    """Return the stored number that changes nothing; for sums of floats, -0 counts as 0."""
    if isinstance(type, QuantizedType):
        need(type.is_per_tensor, "a reduction with scales per axis")
        if facts_of(body).scales:
            return None
    number = neutral(facts_of(body), type)
    return int(number) if isinstance(number, Fraction) else number


@dataclass(frozen=True)
class Window:
    """Windows of a `reduce_window`, one number for each dimension, as in the specification."""

    size: tuple[int, ...]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    low: tuple[int, ...]
    high: tuple[int, ...]

    @property
    def spatial(self) -> list[int]:
        """The dimensions in which a window is more than its element."""
        return [k for k in range(len(self.size)) if not self.is_trivial(k)]

    def is_trivial(self, k: int) -> bool:
        return self.size[k] == 1 == self.strides[k] and self.low[k] == 0 == self.high[k]

    @property
    def is_padded(self) -> bool:
        return any(self.low) or any(self.high)


def window(op: Op) -> Window:
    """Return the windows of an operation; negative padding and dilated operands are not expressible."""
    rank = len(op["window_dimensions"])
    pairs = np.reshape(op.attributes.get("padding") or np.zeros((rank, 2), int), (rank, 2)).tolist()
    low, high = (tuple(pair[k] for pair in pairs) for k in (0, 1))
    need(min((*low, *high), default=0) >= 0, "negative padding")
    ones = (1,) * rank
    need(set(op.attributes.get("base_dilations") or ones) <= {1}, "base_dilations")
    strides, dilations = (op.attributes.get(name) or ones for name in ("window_strides", "window_dilations"))
    return Window(tuple(op["window_dimensions"]), tuple(strides), tuple(dilations), low, high)


@dataclass(frozen=True)
class Product:
    """A `dot_general` as matrix products: operands in these orders of dimensions, and in these shapes.

    The lhs becomes (batch, rows, contracted), the rhs (batch, contracted, columns).
    """

    lhs_order: list[int]
    rhs_order: list[int]
    batch: int
    rows: int
    contracted: int
    columns: int


def matrix_product(op: Op) -> Product:
    """Return the view of a `dot_general`."""
    need(not has_algorithm(op), "an algorithm")
    batches = [list(op[f"{side}_batching_dimensions"]) for side in ("lhs", "rhs")]
    inner = [list(op[f"{side}_contracting_dimensions"]) for side in ("lhs", "rhs")]
    shapes = [value.type.shape for value in op.operands]
    free = [
        [k for k in range(len(shape)) if k not in batch + contracted]
        for shape, batch, contracted in zip(shapes, batches, inner, strict=True)
    ]

    def size(side: int, dimensions: list[int]) -> int:
        return prod(shapes[side][k] for k in dimensions)

    return Product(
        batches[0] + free[0] + inner[0],
        batches[1] + inner[1] + free[1],
        size(0, batches[0]),
        size(0, free[0]),
        size(0, inner[0]),
        size(1, free[1]),
    )


@dataclass(frozen=True)
class Kernel:
    """A `convolution`: orders of dimensions (batch, feature, spatial...), kernels (output, input, ...)."""

    lhs_order: list[int]
    rhs_order: list[int]
    result_order: list[int]  # of the result's dimensions: (batch, feature, spatial...)
    strides: list[int]
    dilations: list[int]
    pads: list[tuple[int, int]]
    groups: int


def kernel(op: Op) -> Kernel:
    """Return the view of a `convolution`."""
    rank = len(op["input_spatial_dimensions"])
    need(rank > 0, "no spatial dimensions")
    need(op["batch_group_count"] == 1, "batch_group_count")
    need(not any(op.attributes.get("window_reversal") or ()), "window_reversal")
    need(set(op.attributes.get("lhs_dilation") or (1,)) <= {1}, "lhs_dilation")
    pairs = np.reshape(op.attributes.get("padding") or np.zeros((rank, 2), int), (rank, 2)).tolist()
    need(min(np.ravel(pairs).tolist(), default=0) >= 0, "negative padding")
    return Kernel(
        [op["input_batch_dimension"], op["input_feature_dimension"], *op["input_spatial_dimensions"]],
        [
            op["kernel_output_feature_dimension"],
            op["kernel_input_feature_dimension"],
            *op["kernel_spatial_dimensions"],
        ],
        [op["output_batch_dimension"], op["output_feature_dimension"], *op["output_spatial_dimensions"]],
        list(op.attributes.get("window_strides") or [1] * rank),
        list(op.attributes.get("rhs_dilation") or [1] * rank),
        [(low, high) for low, high in pairs],
        op["feature_group_count"],
    )


def inverse(order: Sequence[int]) -> list[int]:
    """Return the permutation that undoes another."""
    return np.argsort(order).tolist() if len(order) else []


def scalar(number: float | int | None, type: TensorType) -> np.ndarray:
    """Return a stored number as an array of rank 0."""
    return np.array(number, numpy_dtype(type.storage_type))


def scale(type: QuantizedType) -> float:
    """Return the scale of a per-tensor type, rounded to its expressed type."""
    return float(np.array(type.scale).astype(numpy_dtype(type.expressed_type)))
