"""Functions on arrays: quantization and dequantization as ONNX defines them."""

from __future__ import annotations

from typing import Any

from interp.apps.onnx.call import call, to_tensor
from interp.engine.tensor import Tensor
from spec.onnx.types import BY_NUMBER, type_number
from spec.types import ELEMENT_TYPES

F32, UI8 = ELEMENT_TYPES["f32"], ELEMENT_TYPES["ui8"]
DEFAULT = 23


def quantize_linear(
    x: Any,
    scale: Any,
    zero_point: Any = None,
    *,
    version: int = DEFAULT,
    axis: int = 1,
    saturate: int = 1,
    block_size: int = 0,
    output_dtype: int | str = 0,
    precision: int | str = 0,
) -> Tensor:
    """Return `saturate(round_half_even(x / scale) + zero_point)`, a tensor of x's shape.

    x: real numbers, f32, f16, bf16 or i32. scale: a scalar; a vector, one scale for each slice along `axis`;
    or, with a `block_size`, one scale for that many elements along `axis`. zero_point: of the scale's shape
    and the result's type. output_dtype: the result's type where there is no zero point, uint8 by default, a
    name ("int4", "i4") or a number of TensorProto. precision: the type of the division, by default scale's.
    saturate: 0 lets values beyond the range of a float of 8 bits become NaN or infinite. version: of the
    operator set; its latest definition of the operator holds.
    Python's numbers are f32, as zero points of the result's type.
    Raises `Violation` for what the version forbids, and `Malformed`. Source: ONNX, QuantizeLinear 10 to 28,
    and the errata E38 to E42.

    >>> quantize_linear([0.0, 1.25, 1000.0], 0.5, 3).tolist()
    [3, 5, 255]
    """
    kind = type_number(output_dtype)
    real = to_tensor(x, "x", F32)
    inputs = {
        "x": real,
        "y_scale": to_tensor(scale, "scale", F32),
        "y_zero_point": None
        if zero_point is None
        else to_tensor(zero_point, "zero_point", BY_NUMBER.get(kind, UI8)),
    }
    attributes = {
        "axis": axis,
        "saturate": saturate,
        "block_size": block_size,
        "output_dtype": kind,
        "precision": type_number(precision),
    }
    (y,) = call("QuantizeLinear", version, inputs, attributes)
    return y


def dequantize_linear(
    x: Any,
    scale: Any,
    zero_point: Any = None,
    *,
    version: int = DEFAULT,
    axis: int = 1,
    block_size: int = 0,
    output_dtype: int | str = 0,
) -> Tensor:
    """Return `(x - zero_point) * scale`, a tensor of x's shape.

    x: stored numbers, of a type to which `quantize_linear` quantizes, or i32 without a zero point.
    scale, zero_point, axis, block_size, version: as in `quantize_linear`. output_dtype: the result's type,
    f32, f16 or bf16, by default the scale's.
    Raises `Violation` for what the version forbids, and `Malformed`. Source: ONNX, DequantizeLinear 10 to 28,
    and the erratum E42.

    >>> dequantize_linear(quantize_linear([0.0, 1.25], 0.5, 3), 0.5, 3).tolist()
    [0.0, 1.0]
    """
    given = to_tensor(x, "x", UI8)
    inputs = {
        "x": given,
        "x_scale": to_tensor(scale, "scale", F32),
        "x_zero_point": None
        if zero_point is None
        else to_tensor(zero_point, "zero_point", given.type.tensor_element_type),
    }
    attributes = {"axis": axis, "block_size": block_size, "output_dtype": type_number(output_dtype)}
    (y,) = call("DequantizeLinear", version, inputs, attributes)
    return y


def dynamic_quantize_linear(x: Any, *, version: int = DEFAULT) -> tuple[Tensor, Tensor, Tensor]:
    """Return x quantized to uint8 by its own range, which includes 0; the scale; and the zero point.

    x: f32 of any shape. scale: `(max - min) / 255`, f32; zero_point: `round_half_even(-min / scale)`.
    Raises `Violation` if x is not f32. Source: ONNX, DynamicQuantizeLinear 11, and the erratum E43.

    >>> y, scale, zero_point = dynamic_quantize_linear([0.0, 51.0, 255.0])
    >>> y.tolist(), scale.item(), zero_point.item()
    ([0, 51, 255], 1.0, 0)
    """
    y, scale, zero_point = call("DynamicQuantizeLinear", version, {"x": to_tensor(x, "x", F32)}, {})
    return y, scale, zero_point
