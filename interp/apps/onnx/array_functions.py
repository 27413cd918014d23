"""ONNX's quantization operators as functions on arrays: each is a program of one operator, which runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from interp.apps.onnx.loading.quantized_operators import OPERATORS, plain
from interp.backends.dtypes import numpy_dtype
from interp.engine.tensor import Tensor
from interp.execute.run import run
from interp.loading.build import Folds
from spec.errors import Malformed
from spec.ir import Func, Module, Op, Region, Value
from spec.onnx.node import BY_NUMBER, Node, type_number, version_of
from spec.rules.onnx.verify import verify
from spec.types import ELEMENT_TYPES, ElementType, TensorType

NARROW = ("int2", "uint2", "int4", "uint4")  # ml_dtypes' integers, which are stored in 8 bits here
BY_DTYPE = {
    numpy_dtype(type): type
    for type in ELEMENT_TYPES.values()
    if type.bits >= 8 or type.kind in ("float", "boolean")
}


def to_tensor(given: Any, name: str, otherwise: ElementType) -> Tensor:
    """Return an input as a tensor; Python's numbers take the type `otherwise`."""
    if isinstance(given, Tensor):
        return given
    array = np.asarray(given)
    if not hasattr(given, "dtype"):
        return Tensor(TensorType(array.shape, otherwise), array.astype(numpy_dtype(otherwise)))
    if array.dtype.name in NARROW:
        narrow = ELEMENT_TYPES[array.dtype.name.replace("uint", "ui").replace("int", "i")]
        return Tensor(TensorType(array.shape, narrow), array.astype(numpy_dtype(narrow)))
    if array.dtype not in BY_DTYPE:
        raise Malformed(f"{name} is an array of {array.dtype}", "expected numbers of NumPy or ml_dtypes")
    return Tensor(TensorType(array.shape, BY_DTYPE[array.dtype]), array)


def call(
    operator: str, opset: int, inputs: Mapping[str, Tensor | None], attributes: Mapping[str, Any]
) -> tuple[Tensor, ...]:
    """Return the outputs of an operator; attributes that are given as their default may be later ones."""
    given = {name: x for name, x in inputs.items() if x is not None}
    node = node_of(operator, opset, given, attributes)
    for violation in verify(node):
        raise violation
    types = tuple((name, type) for name, type in node.inputs.items())
    module = program(operator, node.version, types, tuple(sorted(node.attributes.items())))
    return run(module, *given.values())


def node_of(operator: str, opset: int, inputs: Mapping[str, Tensor], attributes: Mapping[str, Any]) -> Node:
    """Return the node for an operator's inputs; zero points are known, to be checked."""
    version = version_of(operator, opset)
    types = {name: x.type for name, x in inputs.items()}
    bare = Node(operator, version, types)
    numbers = {k: int(x) if isinstance(x, bool | np.integer) else x for k, x in attributes.items()}
    chosen = {name: value for name, value in numbers.items() if value != bare[name]}
    points = {
        name: tuple(np.asarray(x).astype(float).ravel())
        for name, x in inputs.items()
        if "zero_point" in name and x.type.size <= 1 << 16
    }
    return Node(operator, version, types, chosen, points)


@lru_cache(maxsize=512)
def program(
    operator: str,
    version: int,
    types: tuple[tuple[str, TensorType], ...],
    attributes: tuple[tuple[str, Any], ...],
) -> Module:
    """Return a program of one operator, whose parameters are its inputs."""
    return module_of(Node(operator, version, dict(types), dict(attributes)))


def module_of(node: Node) -> Module:
    """Return a program of one node, whose parameters are its inputs."""
    inputs = {name: Value(f"%{name}", type) for name, type in node.inputs.items()}
    b = Folds({value.name for value in inputs.values()}, hint="y")
    outputs = tuple(plain(b, value) for value in OPERATORS[node.operator](b, node, inputs))
    body = Region(tuple(inputs.values()), (*b.ops, Op("func.return", outputs, ())))
    return Module({"main": Func("main", body, tuple(value.type for value in outputs))})


# Functions on arrays: quantization and dequantization as ONNX defines them.

F32, UI8, I32 = ELEMENT_TYPES["f32"], ELEMENT_TYPES["ui8"], ELEMENT_TYPES["i32"]
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


# Functions on arrays: matrix products and convolutions of quantized numbers as ONNX defines them.


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
