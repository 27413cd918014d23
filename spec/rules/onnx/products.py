"""Constraints of MatMulInteger, ConvInteger, QLinearMatMul and QLinearConv."""

from __future__ import annotations

from math import prod

from spec.onnx.geometry import matmul, windows
from spec.onnx.node import Node
from spec.onnx.types import FLOAT8, INT8, Since
from spec.rules.onnx.rows import Predicate, Row, row, type_row
from spec.types import TensorType

PADDINGS = ("NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID")
PRODUCT_TYPES: Since = {**INT8, **dict.fromkeys(FLOAT8, 21)}
PRODUCT_SCALE: Since = {"f32": 10, "f16": 21, "bf16": 21}


def multiplies(a: str, b: str) -> Row:
    holds = lambda node: bool(matmul(node.inputs[a].shape, node.inputs[b].shape))
    shapes = f"shape({a}), shape({b})"
    return row("c", 1, f"{a} and {b} multiply as in numpy.matmul", holds, shapes, "the inner sizes are equal")


def same_type(number: int, first: str, second: str) -> Row:
    """Return the row for an optional input, of the type of another one."""
    holds = lambda node: not node.has(first) or node.element(first) == node.element(second)
    shown = f"element_type({first}), element_type({second})"
    return row("i", number, f"{first}: of {second}'s type", holds, shown, f"convert {first}")


def is_one(type: TensorType) -> bool:
    """Return whether a tensor is a scalar, or a vector of one element."""
    return type.rank <= 1 and prod(type.shape) == 1


def one(number: int, *names: str) -> Row:
    holds = lambda node: all(is_one(node.inputs[name]) for name in names if node.has(name))
    shown = ", ".join(f"shape({name})" for name in names)
    return row("c", number, f"{', '.join(names)}: one element", holds, shown, "give a scalar")


def per_row(number: int, name: str, of: str) -> Row:
    """Return the row for parameters of a left factor: one, or one for each row: (M,) or (..., M, 1)."""
    holds = per(name, of, lambda shape: (shape[-2] if len(shape) > 1 else 1, (*shape[:-1], 1)))
    shown = f"shape({name}), shape({of})"
    return row("c", number, f"{name}: a scalar, (M,) or (..., M, 1) for {of} of (..., M, K)", holds, shown,
               "give one number for each row")  # fmt: skip


def per_column(number: int, name: str, of: str) -> Row:
    """Return the row for parameters of a right factor: one, or one for each column: (N,) or (..., 1, N)."""
    holds = per(name, of, lambda shape: (shape[-1] if len(shape) > 1 else 1, (*shape[:-2], 1, *shape[-1:])))
    shown = f"shape({name}), shape({of})"
    return row("c", number, f"{name}: a scalar, (N,) or (..., 1, N) for {of} of (..., K, N)", holds, shown,
               "give one number for each column")  # fmt: skip


def per(name: str, of: str, sizes: object) -> Predicate:
    def holds(node: Node) -> bool:
        if not node.has(name) or is_one(node.inputs[name]):
            return True
        vector, full = sizes(node.inputs[of].shape)  # type: ignore[operator]
        return node.inputs[name].shape in ((vector,), full)

    return holds


def same_shape(number: int, *pairs: tuple[str, str]) -> Row:
    holds = lambda node: all(node.inputs[a].shape == node.inputs[b].shape for a, b in pairs)
    formula = ", ".join(f"shape({a}) = shape({b})" for a, b in pairs)
    shown = ", ".join(f"shape({name})" for pair in pairs for name in pair)
    return row("c", number, formula, holds, shown, "give one zero point for each scale")


def zero_if_float8(number: int, *names: str) -> Row:
    def holds(node: Node) -> bool:
        known = [node.known.get(name, ()) for name in names if node.element(name).name in FLOAT8]
        return all(z == 0 for zeros in known for z in zeros)

    return row("c", number, "zero points of floats of 8 bits are 0", holds, "", "give zeros")


def convolves(node: Node) -> bool:
    x, w = node["x"].type.shape, node["w"].type.shape
    return len(x) == len(w) >= 3


def groups_fit(node: Node) -> bool:
    x, w, group = node["x"].type.shape, node["w"].type.shape, node["group"]
    return group >= 1 and x[1] == w[1] * group and w[0] % group == 0


def windows_fit(node: Node) -> bool:
    spatial = node["x"].type.rank - 2
    lengths = {"strides": spatial, "dilations": spatial, "pads": 2 * spatial}
    given = {name: node[name] for name in lengths if node[name]}
    sized = all(len(numbers) == lengths[name] for name, numbers in given.items())
    return sized and all(n >= (name != "pads") for name, numbers in given.items() for n in numbers)


def window_rows(first: int) -> tuple[Row, ...]:
    """Return the rows of a convolution's attributes."""
    shapes = "shape(x), shape(w)"
    kernel = lambda node: tuple(node["kernel_shape"]) in ((), node["w"].type.shape[2:])
    padding = lambda node: node["auto_pad"] in PADDINGS and (node["auto_pad"] == "NOTSET" or not node["pads"])
    return (
        row("c", first, "rank(x) = rank(w) >= 3", convolves, shapes, "give (N, C, D1, ...), (M, C, k1, ...)"),
        row("c", first + 1, "dim(x, 1) = dim(w, 1) * group, dim(w, 0) is divisible by group", groups_fit,
            f"{shapes}, group", "group is the number of parts of the channels"),
        row("c", first + 2, "strides, dilations: positive, one for each dimension; pads: two for each, >= 0",
            windows_fit, "strides, dilations, pads, shape(x)", "pads are x1_begin, ..., x1_end, ..."),
        row("c", first + 3, "kernel_shape = shape(w)[2:]", kernel, "kernel_shape, shape(w)",
            "leave kernel_shape out"),
        row("c", first + 4, f"auto_pad is one of {', '.join(PADDINGS)}, with pads only NOTSET", padding,
            "auto_pad, pads", "give pads or auto_pad"),
        row("c", first + 5, "the window fits into the padded x", lambda node: all(windows(node).sizes),
            f"{shapes}, pads, dilations", "pad more, or give a smaller w"),
    )  # fmt: skip


def channels(number: int, *names: str) -> Row:
    def holds(node: Node) -> bool:
        given = [node.inputs[name] for name in names if node.has(name)]
        return all(is_one(type) or type.shape == node["w"].type.shape[:1] for type in given)

    shown = ", ".join(f"shape({name})" for name in names)
    return row("c", number, f"{', '.join(names)}: one element, or one for each output channel", holds,
               f"{shown}, shape(w)", "give dim(w, 0) numbers")  # fmt: skip


def bias_fits(node: Node) -> bool:
    given = node.inputs.get("B")
    return given is None or (given.shape == node["w"].type.shape[:1] and node.element("B").name == "i32")


MATMUL_INTEGER = (
    type_row(1, "A", INT8),
    type_row(2, "B", INT8),
    same_type(3, "a_zero_point", "A"),
    same_type(4, "b_zero_point", "B"),
    multiplies("A", "B"),
    per_row(2, "a_zero_point", "A"),
    per_column(3, "b_zero_point", "B"),
)
CONV_INTEGER = (
    type_row(1, "x", INT8),
    type_row(2, "w", INT8),
    same_type(3, "x_zero_point", "x"),
    same_type(4, "w_zero_point", "w"),
    *window_rows(1),
    one(7, "x_zero_point"),
    channels(8, "w_zero_point"),
)
QLINEAR_MATMUL = (
    type_row(1, "a", PRODUCT_TYPES),
    type_row(2, "a_scale", PRODUCT_SCALE),
    same_type(3, "a_zero_point", "a"),
    type_row(4, "b", PRODUCT_TYPES),
    same_type(5, "b_scale", "a_scale"),
    same_type(6, "b_zero_point", "b"),
    same_type(7, "y_scale", "a_scale"),
    type_row(8, "y_zero_point", PRODUCT_TYPES),
    multiplies("a", "b"),
    same_shape(2, ("a_zero_point", "a_scale"), ("b_zero_point", "b_scale"), ("y_zero_point", "y_scale")),
    per_row(3, "a_scale", "a"),
    per_column(4, "b_scale", "b"),
    one(5, "y_scale"),
    zero_if_float8(6, "a_zero_point", "b_zero_point", "y_zero_point"),
)
QLINEAR_CONV = (
    type_row(1, "x", INT8),
    type_row(2, "x_scale", {"f32": 10}),
    same_type(3, "x_zero_point", "x"),
    type_row(4, "w", INT8),
    type_row(5, "w_scale", {"f32": 10}),
    same_type(6, "w_zero_point", "w"),
    type_row(7, "y_scale", {"f32": 10}),
    type_row(8, "y_zero_point", INT8),
    *window_rows(1),
    one(7, "x_scale", "x_zero_point", "y_scale", "y_zero_point"),
    channels(8, "w_scale", "w_zero_point"),
    same_shape(9, ("w_zero_point", "w_scale")),
    row("c", 10, "B: int32, one for each output channel", bias_fits, "type(B), shape(w)",
        "quantize the bias by x_scale * w_scale, zero point 0"),
)  # fmt: skip
