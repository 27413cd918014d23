"""Constraints of QuantizeLinear, DequantizeLinear and DynamicQuantizeLinear, version by version."""

from __future__ import annotations

from math import prod

from spec.onnx.granularity import axis_of, is_per_tensor
from spec.onnx.node import Node
from spec.onnx.types import BY_NUMBER, FLOAT8, NUMBERS, QUANTIZED, REAL, SCALE, Since, type_names, number_of
from spec.rules.onnx.rows import Row, row, type_row
from spec.types import TensorType

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
    return number == 0 or (number in BY_NUMBER and BY_NUMBER[number].name in type_names(QUANTIZED, node.version))


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
