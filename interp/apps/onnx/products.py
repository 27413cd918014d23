"""Functions on arrays: matrix products and convolutions of quantized numbers as ONNX defines them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interp.apps.onnx.call import call, to_tensor
from interp.engine.tensor import Tensor
from spec.types import ELEMENT_TYPES, ElementType

F32, UI8, I32 = (ELEMENT_TYPES[name] for name in ("f32", "ui8", "i32"))
DEFAULT = 23


def matmul_integer(
    a: Any, b: Any, a_zero_point: Any = None, b_zero_point: Any = None, *, version: int = DEFAULT
) -> Tensor:
    """Return `(a - a_zero_point) @ (b - b_zero_point)`, i32, of the shape of `numpy.matmul`.

    a, b: i8 or ui8. a_zero_point: of a's type, a scalar, or one for each row; b_zero_point: of b's type, a
    scalar, or one for each column. Sums wrap in 32 bits. Raises `Violation` and `Malformed`.
    Source: ONNX, MatMulInteger 10, and the erratum E44.

    >>> matmul_integer([[1, 2]], [[3], [4]], 1).tolist()
    [[4]]
    """
    first, second = to_tensor(a, "a", UI8), to_tensor(b, "b", UI8)
    inputs = {
        "A": first,
        "B": second,
        "a_zero_point": _like(a_zero_point, "a_zero_point", first),
        "b_zero_point": _like(b_zero_point, "b_zero_point", second),
    }
    (y,) = call("MatMulInteger", version, inputs, {})
    return y


def conv_integer(
    x: Any,
    w: Any,
    x_zero_point: Any = None,
    w_zero_point: Any = None,
    *,
    version: int = DEFAULT,
    **window: Any,
) -> Tensor:
    """Return the convolution of `x - x_zero_point` by `w - w_zero_point`, i32.

    x: i8 or ui8 (batch, channels, ...); w: i8 or ui8 (outputs, channels / group, ...). x_zero_point: a
    scalar; w_zero_point: a scalar, or one for each output. window: auto_pad, dilations, group, kernel_shape,
    pads (x1_begin, x2_begin, ..., x1_end, ...) and strides. Padding adds nothing, and sums wrap in 32 bits.
    Raises `Violation` and `Malformed`. Source: ONNX, ConvInteger 10, and the erratum E44.

    >>> conv_integer([[[1, 2, 3]]], [[[1, 1]]], 1).tolist()
    [[[1, 3]]]
    """
    first, second = to_tensor(x, "x", UI8), to_tensor(w, "w", UI8)
    inputs = {
        "x": first,
        "w": second,
        "x_zero_point": _like(x_zero_point, "x_zero_point", first),
        "w_zero_point": _like(w_zero_point, "w_zero_point", second),
    }
    (y,) = call("ConvInteger", version, inputs, _window(window))
    return y


def qlinear_matmul(
    a: Any,
    a_scale: Any,
    a_zero_point: Any,
    b: Any,
    b_scale: Any,
    b_zero_point: Any,
    y_scale: Any,
    y_zero_point: Any,
    *,
    version: int = DEFAULT,
) -> Tensor:
    """Return the product of quantized matrices, quantized, of the shape of `numpy.matmul`.

    a, b, y_zero_point: i8, ui8 or, from version 21, a float of 8 bits. Scales: f32, or f16 and bf16 from
    version 21; scale and zero point of a: one, or one for each row; of b: one, or one for each column.
    Raises `Violation` and `Malformed`. Source: ONNX, QLinearMatMul 10 and 21, and the errata E44 and E45.

    >>> qlinear_matmul([[1, 2]], 0.5, 0, [[3], [4]], 0.5, 0, 1.0, 10).tolist()
    [[13]]
    """
    first, second = to_tensor(a, "a", UI8), to_tensor(b, "b", UI8)
    inputs = {
        "a": first,
        "a_scale": to_tensor(a_scale, "a_scale", F32),
        "a_zero_point": _like(a_zero_point, "a_zero_point", first),
        "b": second,
        "b_scale": to_tensor(b_scale, "b_scale", F32),
        "b_zero_point": _like(b_zero_point, "b_zero_point", second),
        "y_scale": to_tensor(y_scale, "y_scale", F32),
        "y_zero_point": to_tensor(y_zero_point, "y_zero_point", UI8),
    }
    (y,) = call("QLinearMatMul", version, inputs, {})
    return y


def qlinear_conv(
    x: Any,
    x_scale: Any,
    x_zero_point: Any,
    w: Any,
    w_scale: Any,
    w_zero_point: Any,
    y_scale: Any,
    y_zero_point: Any,
    bias: Any = None,
    *,
    version: int = DEFAULT,
    **window: Any,
) -> Tensor:
    """Return the convolution of quantized x by quantized w, with a bias, quantized.

    x, w, window: as in `conv_integer`. Scales: f32; those of w, with its zero points: one, or one for each
    output. bias: i32, one for each output, quantized by `x_scale * w_scale`. Raises `Violation` and
    `Malformed`. Source: ONNX, QLinearConv 10, and the errata E44 and E45.

    >>> qlinear_conv([[[1, 2, 3]]], 0.5, 1, [[[1, 1]]], 1.0, 0, 0.5, 10, [5]).tolist()
    [[[16, 18]]]
    """
    first, second = to_tensor(x, "x", UI8), to_tensor(w, "w", UI8)
    inputs = {
        "x": first,
        "x_scale": to_tensor(x_scale, "x_scale", F32),
        "x_zero_point": _like(x_zero_point, "x_zero_point", first),
        "w": second,
        "w_scale": to_tensor(w_scale, "w_scale", F32),
        "w_zero_point": _like(w_zero_point, "w_zero_point", second),
        "y_scale": to_tensor(y_scale, "y_scale", F32),
        "y_zero_point": to_tensor(y_zero_point, "y_zero_point", UI8),
        "B": None if bias is None else to_tensor(bias, "bias", I32),
    }
    (y,) = call("QLinearConv", version, inputs, _window(window))
    return y


def _like(zero_point: Any, name: str, x: Tensor) -> Tensor | None:
    """Return a zero point as a tensor, Python's numbers of the type of x; None for None."""
    type: ElementType = x.type.tensor_element_type
    return None if zero_point is None else to_tensor(zero_point, name, type)


def _window(given: dict[str, Any]) -> dict[str, Any]:
    """Return the attributes of a convolution, lists as tuples."""
    return {
        name: tuple(x) if isinstance(x, Sequence) and not isinstance(x, str) else x
        for name, x in given.items()
    }
