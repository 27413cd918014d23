"""The specification's Notation chapter: quantize, convert, promote; and `fold`, the tree of a reduction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, isinf, isnan
from typing import Any, TypeVar

from spec.accumulation import Accumulation
from spec.errors import Unspecified
from spec.formats import round_to, wrap
from spec.meaning import integers, sums
from spec.meaning.index import Tensor, build
from spec.meaning.numbers import add, divide, maximum, minimum, multiply, rne
from spec.schedule import Schedule
from spec.types import ElementType, QuantizedType, TensorType, complex_part

Element = ElementType | QuantizedType
Node = TypeVar("Node")


def parameter_at(type: TensorType, index: Sequence[int]) -> int:
    """Return the position of an index's parameters in `scales` and `zero_points`."""
    element = quantized_element_type(type)
    if element.quantization_dimension is not None:
        return index[element.quantization_dimension]
    if element.block_sizes is None:
        return 0
    blocks, flat = dict(element.block_sizes), 0
    for axis, size in enumerate(element.parameters_shape):
        flat = flat * size + (index[axis] // blocks[axis] if axis in blocks else 0)
    return flat


def scale_at(type: TensorType, index: Sequence[int]) -> float:
    """Return `compute_scales(type)[index]`: fl of the binary64 that the type holds."""
    element = quantized_element_type(type)
    return round_to(element.scales[parameter_at(type, index)], element.expressed_type)


def zero_point_at(type: TensorType, index: Sequence[int]) -> int:
    """Return `compute_zero_points(type)[index]`."""
    return quantized_element_type(type).zero_points[parameter_at(type, index)]


def quantized_element_type(type: TensorType) -> QuantizedType:
    assert isinstance(type.element_type, QuantizedType), type
    return type.element_type


def expressed_type(type: TensorType) -> TensorType:
    """Return the type of the numbers that a tensor represents: if quantized, the expressed type."""
    element = type.element_type
    return TensorType(type.shape, element.expressed_type) if isinstance(element, QuantizedType) else type


def dequantize(x: Tensor) -> Tensor:
    """(x_storage - zero_points) * scales, with an exact subtraction (erratum E1)."""
    T = quantized_element_type(x.type).expressed_type

    def element(index: Sequence[int]) -> float:
        x_expressed_sub = round_to(x[index] - zero_point_at(x.type, index), T)
        return multiply(x_expressed_sub, scale_at(x.type, index), T)

    return build(expressed_type(x.type), element)


def quantize(x: Tensor, type: TensorType) -> Tensor:
    """round_nearest_even(clamp(storage_min, x / scales + zero_points, storage_max)) in the expressed type."""
    element = quantized_element_type(type)
    numbers = convert(x, expressed_type(type))
    return build(
        type,
        lambda i: quantize_element(numbers[i], element, scale_at(type, i), zero_point_at(type, i)),
    )


def quantize_element(x: float, type: QuantizedType, scale: float, zero_point: int) -> int:
    """Return the storage integer of an expressed number; the zero point is added before rounding."""
    T = type.expressed_type
    x_scaled_add_zp = add(divide(x, scale, T), round_to(zero_point, T), T)
    low, high = round_to(type.storage_min, T), round_to(type.storage_max, T)
    x_clamped = minimum(maximum(low, x_scaled_add_zp, T), high, T)
    if isnan(x_clamped):
        return min(max(0, type.storage_min), type.storage_max)  # erratum E4
    if isinf(x_clamped):
        return type.storage_max if x_clamped == inf else type.storage_min
    return min(max(rne(x_clamped), type.storage_min), type.storage_max)  # erratum E3


def convert(x: Tensor, type: TensorType) -> Tensor:
    """Apply the op `convert`, per element, to tensors that are not quantized."""
    source, target = x.type.storage_type, type.storage_type
    return Tensor(type, tuple(convert_element(value, source, target) for value in x.elements))


def convert_element(value: Any, source: ElementType, target: ElementType) -> Any:
    """Convert: 0 is false; integers wrap; floats saturate to integers, and round to floats."""
    if source == target:
        return value
    if target.kind == "complex":
        part = complex_part(target)
        return complex(*(round_to(v, part) for v in (value.real, value.imag)))
    number = value.real if source.kind == "complex" else value
    if target.kind == "boolean":
        return number != 0
    if target.kind == "float":
        return round_to(number, target)
    return integers.saturate(number, target) if isinstance(number, float) else wrap(int(number), target)


def to_destination_type(x: Tensor, element_type: Element) -> Tensor:
    """Convert x to `element_type`, as reductions implicitly convert their operands and results."""
    source, type = x.type.element_type, TensorType(x.type.shape, element_type)
    if source == element_type:
        return x
    if isinstance(element_type, QuantizedType):
        return quantize(dequantize(x) if isinstance(source, QuantizedType) else x, type)  # erratum E2
    if isinstance(source, QuantizedType):
        if source.expressed_type != element_type:
            raise Unspecified(
                f"to_destination_type is not defined from {source!r} to {element_type!r}",
                f"a quantized value is dequantized to its expressed type {source.expressed_type!r} only",
            )
        return dequantize(x)
    return convert(x, type)


def dequantize_op_quantize(op: Callable[..., Tensor], *inputs: Tensor, result_type: TensorType) -> Tensor:
    """Return quantize(op(dequantize(inputs)...), result_type), even if only some types are quantized.

    It therefore includes `dequantize_compare`, `dequantize_select_quantize` and `hybrid_dequantize_then_op`,
    and is just `op` if no type is quantized.
    """
    result = op(*(dequantize(x) if x.type.is_quantized else x for x in inputs))
    return quantize(result, result_type) if result_type.is_quantized else result


def fold(
    body: Callable[..., tuple[Node, ...]],
    leaves: Sequence[tuple[Node, ...]],
    present: Sequence[bool],
    schedule: Schedule | Accumulation,
    seeded: bool,
    adding: sums.Sum | None = None,
) -> tuple[Node, ...]:
    """Fold all leaves with the body along the tree of exec(schedule); absent leaves are left out of it.

    A leaf is a tuple: `body(*lhs, *rhs)` returns another one. Leaf 0 is the init value if `seeded`. At least
    one leaf must be present. adding: the fold as a sum, for accumulations with another arithmetic.
    """
    if isinstance(schedule, Accumulation):
        return sums.fold(schedule, body, leaves, present, seeded, adding)
    nodes = [leaf if here else None for leaf, here in zip(leaves, present, strict=True)]
    for lhs, rhs in schedule.steps(len(leaves), seeded):
        a, b = nodes[lhs], nodes[rhs]
        nodes.append((b if a is None else a) if a is None or b is None else tuple(body(*a, *b)))
    root = nodes[-1]
    assert root is not None, "no leaf is present"
    return root
