"""The constraints of each operator, version by version, and `verify`, which returns what a node violates."""

from __future__ import annotations

from math import prod

from spec.errors import Violation
from spec.onnx.node import (
    BY_NUMBER,
    FLOAT8,
    INT8,
    NUMBERS,
    QUANTIZED,
    REAL,
    SCALE,
    Node,
    Since,
    axis_of,
    is_per_tensor,
    matmul,
    number_of,
    type_names,
    windows,
)
from spec.rules.onnx.rows import Predicate, Row, refusals, row, snake, type_row
from spec.types import TensorType

# Constraints of QuantizeLinear, DequantizeLinear and DynamicQuantizeLinear, version by version.

PRECISIONS = (0, *(NUMBERS[name] for name in ("float", "float16", "bfloat16", "double")))
# Since version 23 the scale of QuantizeLinear has a type of its own; before it has that of x.
QUANTIZE_SCALE: Since = {**SCALE, "i32": 19}


def integers(node: Node) -> bool:
    """Return whether every attribute is an integer that the version has."""
    known = {name for name, (since, _) in node.signature.attributes.items() if since <= node.version}
    return set(node.attributes) <= known and all(type(x) is int for x in node.attributes.values())


def scale_of(node: Node) -> TensorType:
    return node.inputs["y_scale" if node.operator == "QuantizeLinear" else "x_scale"]


def zero_point_of(node: Node) -> str:
    return "y_zero_point" if node.operator == "QuantizeLinear" else "x_zero_point"


def granularity_fits(node: Node) -> bool:
    """Return whether the scale is a scalar, a vector along an axis (from 13), or has blocks (from 21)."""
    scale, x = scale_of(node), node["x"].type
    if node["block_size"]:
        return scale.rank == x.rank > 0
    return scale.rank <= 1 and (node.version >= 13 or prod(scale.shape) == 1)


def axis_in_range(node: Node) -> bool:
    rank = node["x"].type.rank
    return is_per_tensor(scale_of(node), node) or -rank <= node["axis"] < rank


def axis_fits(node: Node) -> bool:
    """Return whether a vector of scales has one for each slice; other rows judge other shapes and axes."""
    scale, x = scale_of(node), node["x"].type
    vector = scale.rank == 1 and not node["block_size"] and not is_per_tensor(scale, node)
    return not vector or not axis_in_range(node) or scale.shape == (x.shape[axis_of(node)],)


def blocks_fit(node: Node) -> bool:
    """Return whether the scale has ceil(D / block_size) elements along the axis, and x's sizes elsewhere."""
    if node["block_size"] <= 0 or not granularity_fits(node):
        return True
    sizes = list(node["x"].type.shape)
    sizes[axis_of(node)] = -(-sizes[axis_of(node)] // node["block_size"])
    return scale_of(node).shape == tuple(sizes)


def zero_point_fits(node: Node) -> bool:
    """Return whether there is a zero point for each scale; one in a vector is a scalar (E46)."""
    name, scale = zero_point_of(node), scale_of(node)
    if not node.has(name):
        return True
    both = (scale, node.inputs[name])
    return both[0].shape == both[1].shape or all(is_per_tensor(type, node) for type in both)


def float8_zero_point_is_zero(node: Node) -> bool:
    name = zero_point_of(node)
    if not node.has(name) or node.element(name).name not in FLOAT8:
        return True
    return all(z == 0 for z in node.known.get(name, ()))


def common(scale: str, zero_point: str) -> tuple[Row, ...]:
    """Return the rows that both operators have."""
    shapes = f"shape(x), shape({scale}), axis, block_size"
    return (
        row("i", 4, "attributes: integers that the version has", integers, "attributes, version",
            "leave the attribute out, or raise the version"),
        row("c", 1, f"shape({zero_point}) = shape({scale}), or both have one element", zero_point_fits,
            f"shape({zero_point}), shape({scale})", "give one zero point for each scale"),
        row("c", 2, f"{scale} is a scalar, since version 13 a vector, since 21 of x's rank with a block_size",
            granularity_fits, f"{shapes}, version", "give a scalar, or one scale for each slice along axis"),
        row("c", 3, "-rank(x) <= axis < rank(x), unless there is one scale", axis_in_range, shapes,
            "name a dimension of x"),
        row("c", 4, f"size({scale}) = dim(x, axis), if it is a vector without blocks", axis_fits, shapes,
            "give one scale for each slice along axis, or a block_size"),
        row("c", 5, f"shape({scale}) = shape(x), but ceil(dim(x, axis) / block_size) along axis", blocks_fit,
            shapes, "block_size lies in [ceil(D / S), ceil(D / (S - 1)) - 1], D and S the sizes along axis"),
        row("c", 6, "block_size >= 0", lambda node: node["block_size"] >= 0, "block_size",
            "0 means no blocks"),
        row("c", 7, f"{zero_point} is 0 if it is a float of 8 bits", float8_zero_point_is_zero, zero_point,
            "leave it out, and name the type with output_dtype"),
    )  # fmt: skip


def quantized_output(node: Node) -> bool:
    number = node["output_dtype"]
    return number == 0 or (
        number in BY_NUMBER and BY_NUMBER[number].name in type_names(QUANTIZED, node.version)
    )


def output_is_zero_points(node: Node) -> bool:
    number = node["output_dtype"]
    return not number or not node.has("y_zero_point") or number == number_of(node.element("y_zero_point"))


def scale_type_of_quantize(node: Node) -> bool:
    scale, x = node.element("y_scale"), node.element("x")
    if node.version < 19:
        return scale.name == "f32"
    return scale == x if node.version < 23 else scale.name in type_names(QUANTIZE_SCALE, node.version)


QUANTIZE_LINEAR = (
    type_row(1, "x", {**REAL, "i32": 10}),
    row("i", 2, "y_scale: f32 before version 19, of x's type before 23, then of a type of its version",
        scale_type_of_quantize, "element_type(y_scale), element_type(x), version",
        "convert the scale, or use version 23 or later"),
    type_row(3, "y_zero_point", QUANTIZED, optional=True),
    *common("y_scale", "y_zero_point"),
    row("c", 8, "output_dtype is 0 or the number of a type of its version", quantized_output,
        "output_dtype, version", "the numbers are those of TensorProto.DataType: uint8 is 2, int8 is 3"),
    row("c", 9, "output_dtype is 0 or the type of y_zero_point", output_is_zero_points,
        "output_dtype, element_type(y_zero_point)", "leave output_dtype out"),
    row("c", 10, "saturate is 0 or 1", lambda node: node["saturate"] in (0, 1), "saturate",
        "1 saturates floats of 8 bits"),
    row("c", 11, "precision is 0 or the number of float, float16, bfloat16 or double",
        lambda node: node["precision"] in PRECISIONS, "precision",
        "their numbers are 1, 10, 16 and 11; 0 is the type of the scale"),
)  # fmt: skip


def same_zero_point_type(node: Node) -> bool:
    return not node.has("x_zero_point") or node.element("x_zero_point") == node.element("x")


def dequantized_output(node: Node) -> bool:
    number = node["output_dtype"] or number_of(node.element("x_scale"))
    return number in BY_NUMBER and BY_NUMBER[number].name in REAL


def no_zero_point_of_int32(node: Node) -> bool:
    return node.element("x").name != "i32" or all(z == 0 for z in node.known.get("x_zero_point", ()))


DEQUANTIZE_LINEAR = (
    type_row(1, "x", {**QUANTIZED, "i32": 10}),
    type_row(2, "x_scale", SCALE),
    row("i", 3, "x_zero_point: of x's type", same_zero_point_type,
        "element_type(x_zero_point), element_type(x)", "convert the zero point"),
    *common("x_scale", "x_zero_point"),
    row("c", 8, "y, of type output_dtype or else x_scale's, is of type float, float16 or bfloat16",
        dequantized_output, "output_dtype, element_type(x_scale)",
        "give output_dtype, whose numbers are 1, 10 and 16"),
    row("c", 9, "x_zero_point is 0 if x is int32", no_zero_point_of_int32, "x_zero_point",
        "leave the zero point out"),
)  # fmt: skip

DYNAMIC_QUANTIZE_LINEAR = (type_row(1, "x", {"f32": 11}),)


# Constraints of MatMulInteger, ConvInteger, QLinearMatMul and QLinearConv.

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


CONSTRAINTS: dict[str, tuple[Row, ...]] = {
    "QuantizeLinear": QUANTIZE_LINEAR,
    "DequantizeLinear": DEQUANTIZE_LINEAR,
    "DynamicQuantizeLinear": DYNAMIC_QUANTIZE_LINEAR,
    "MatMulInteger": MATMUL_INTEGER,
    "ConvInteger": CONV_INTEGER,
    "QLinearMatMul": QLINEAR_MATMUL,
    "QLinearConv": QLINEAR_CONV,
}


def verify(node: Node) -> list[Violation]:
    """Return the constraints of its version that a node violates, in order; a missing input comes first."""
    required = [name for name in node.signature.inputs if name not in node.signature.optional]
    if missing := [name for name in required if not node.has(name)]:
        code, given = f"onnx_{snake(node.operator)}_i0", ", ".join(node.inputs) or "none"
        fix = f"given inputs: {given}\ngive {', '.join(missing)}"
        return [Violation(code, f"inputs: {', '.join(required)}", fix, node.location)]
    return refusals(CONSTRAINTS[node.operator], node)
