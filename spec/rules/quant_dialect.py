"""The constraint rows of quantized types, and of operations that simulate quantization."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite, prod
from typing import Any

from spec.attributes import Dense
from spec.elements import ELEMENT_TYPES, EXPRESSED_TYPES, ElementType
from spec.ir import Op, Value, captures
from spec.op_attributes import FORMS, Form, attribute_or_default, axis_of, bounds
from spec.quant_kinds import Spec
from spec.quantized import QuantizedType
from spec.rules.constraint import SHOWN, C, Constraint, Input
from spec.rules.control import takes_and_gives
from spec.rules.members import element_type, kind, shape
from spec.types import TensorType

# The constraints of quantized types, checked on a tensor type.
#
# C1 to C13 are the specification's. It has no sub-channel types: S1 to S9 are those of the `quant` dialect.


def has_type(constant: object, type: ElementType) -> bool:
    """Return whether a constant has an integer type, as any integer does; (C3) and (C7) check the range."""
    return isinstance(constant, int) and type.is_integer


def element(
    number: int, formula: str, show: str, holds: Callable[[QuantizedType], bool] | None = None
) -> Constraint:
    """Return a row about the element type alone."""
    judge = lambda holds: lambda self: holds(self.element_type)
    return C(number, formula, holds and judge(holds), show)


def per_axis(number: int, formula: str, show: str) -> Constraint:
    """Return a row about types with a quantization dimension."""
    return C(number, formula, show=show, when=lambda self: self.element_type.is_per_axis)


def sub_channel(
    number: int, formula: str, show: str, holds: Callable[[Any, Any], bool] | None = None
) -> Constraint:
    """Return a row about a sub-channel type `t` in a tensor type `self`."""
    judge = lambda holds: lambda self: holds(self, self.element_type)
    when = lambda self: self.element_type.block_sizes is not None
    return C(number, formula, holds and judge(holds), show, letter="s", when=when)


def blocks_fill(self: TensorType, t: QuantizedType) -> bool:
    """Return whether (S9) holds: blocks divide the sizes. An axis that is not named is one block."""
    sizes = dict(t.block_sizes or ())
    pairs = enumerate(zip(self.shape, t.parameters_shape, strict=True))
    return all(count * sizes.get(axis, n) == n for axis, (n, count) in pairs)


QUANTIZED_TYPE: tuple[Constraint, ...] = (
    element(
        1,
        "type(storage_min) = storage_type",
        "storage_min, storage_type",
        lambda t: has_type(t.storage_min, t.storage_type),
    ),
    element(
        2,
        "type(storage_max) = storage_type",
        "storage_max, storage_type",
        lambda t: has_type(t.storage_max, t.storage_type),
    ),
    element(
        3,
        "min_value(storage_type) <= storage_min < storage_max <= max_value(storage_type)",
        "storage_type, storage_min, storage_max",
    ),
    element(
        4,
        "type(scales...) = expressed_type",
        "scales, expressed_type",
        lambda t: t.expressed_type in EXPRESSED_TYPES and all(isinstance(scale, float) for scale in t.scales),
    ),
    element(5, "0 < scales", "scales, expressed_type"),
    element(6, "is_finite(scales...)", "scales, expressed_type"),
    element(7, "storage_min <= zero_points <= storage_max", "storage_min, zero_points, storage_max"),
    element(
        8,
        "type(zero_points...) = storage_type",
        "zero_points, storage_type",
        lambda t: all(has_type(point, t.storage_type) for point in t.zero_points),
    ),
    element(9, "size(scales) = size(zero_points)", "size(scales), size(zero_points)"),
    C(
        10,
        "if is_empty(quantization_dimension), then size(scales) = 1",
        show="size(scales)",
        when=lambda self: self.element_type.block_sizes is None,
    ),
    per_axis(11, "0 <= quantization_dimension", "quantization_dimension"),
    per_axis(12, "quantization_dimension < rank(self)", "quantization_dimension, rank(self)"),
    per_axis(
        13,
        "dim(self, quantization_dimension) = size(scales)",
        "shape(self), quantization_dimension, size(scales)",
    ),
    sub_channel(1, "size(scales) = prod(parameters_shape)", "size(scales), parameters_shape"),
    sub_channel(2, "0 < rank(self)", "rank(self)"),
    sub_channel(
        3,
        "0 <= axis < rank(self) for axis and size in block_sizes",
        "block_sizes, rank(self)",
        lambda self, t: all(0 <= axis < self.rank for axis, _ in t.block_sizes),
    ),
    sub_channel(
        4,
        "is_unique(axis for axis and size in block_sizes)",
        "block_sizes",
        lambda self, t: len(dict(t.block_sizes)) == len(t.block_sizes),
    ),
    sub_channel(
        5,
        "0 < size for axis and size in block_sizes",
        "block_sizes",
        lambda self, t: all(size > 0 for _, size in t.block_sizes),
    ),
    sub_channel(
        6,
        "dim(self, axis) % size = 0 for axis and size in block_sizes",
        "shape(self), block_sizes",
        lambda self, t: all(size and self.shape[axis] % size == 0 for axis, size in t.block_sizes),
    ),
    sub_channel(7, "0 < shape(self)...", "shape(self)"),
    sub_channel(8, "size(parameters_shape) = rank(self)", "parameters_shape, rank(self)"),
    sub_channel(
        9,
        "parameters_shape[axis] = dim(self, axis) / size, or 1 for an axis that block_sizes does not name",
        "parameters_shape, shape(self), block_sizes",
        blocks_fill,
    ),
)


# The constraint rows of the operations that quantize and dequantize by a range, all in f32.

F32 = ELEMENT_TYPES["f32"]


def takes_floats(op: Op) -> bool:
    form = FORMS[op.name]
    counts = len(op.operands), len(op.results)
    wanted = 1 + form.gradient + 2 * form.vars, 3 if form.gradient and form.vars else 1
    return counts == wanted and all(v.type.element_type == F32 for v in (*op.operands, *op.results))


def has_range(op: Op) -> bool:
    both = [attribute_or_default(op, "min"), attribute_or_default(op, "max")]
    one = (lambda x: isinstance(x, tuple)) if FORMS[op.name].axis else lambda x: isinstance(x, float)
    return FORMS[op.name].vars or all(map(one, both))


def is_range(least: float, most: float, op: Op) -> bool:
    empty = least == most == 0 and op.name.startswith("quant.")
    return isfinite(least) and isfinite(most) and (least < most or empty)


def range_shapes(op: Op) -> bool:
    """Return whether there is a range for each slice, or one."""
    form, axis = FORMS[op.name], axis_of(op)
    inputs = op.operands[form.gradient].type.shape
    size = () if axis is None else (inputs[axis],)
    if form.vars:
        return all(v.type.shape == size for v in op.operands[-2:])
    return axis is None or len(bounds(op)) == inputs[axis]


def result_types(op: Op) -> bool:
    form = FORMS[op.name]
    ranges = [v.type for v in op.operands[-2:]] if form.vars and form.gradient else []
    inputs = [v.type for v in op.operands[: 1 + form.gradient]]
    return len(set(inputs)) == 1 and [v.type for v in op.results] == [inputs[0], *ranges]


def rows(form: Form) -> tuple[Constraint, ...]:
    """Return the rows of an operation of this form."""
    found: list[Constraint] = [
        Input(1, "inputs, and gradients, min, max if they are operands: tensors of f32", takes_floats, SHOWN),
        Input(2, "min, max: f32, or a list of them along an axis", has_range, "min, max"),
        Input(
            3,
            "num_bits: integer; narrow_range, is_signed: booleans",
            lambda op: (
                type(attribute_or_default(op, "num_bits")) is int
                and all(
                    isinstance(attribute_or_default(op, name), bool) for name in ("narrow_range", "is_signed")
                )
            ),
            "num_bits, narrow_range, is_signed",
        ),
        C(1, "types(results) = type(inputs), and those of min and max for a gradient", result_types, SHOWN),
        C(2, "2 <= num_bits <= 16", show="num_bits"),
        C(3, "there is one range, or one for each slice along the axis", range_shapes, f"min, max, {SHOWN}"),
    ]
    if form.axis == "attribute":
        found.append(C(5, "0 <= axis < rank(inputs)", show="axis, type(operand)"))
    if not form.vars:
        found.append(
            C(
                4,
                "min < max, both finite; or, in quant, both 0",
                lambda op: all(is_range(*pair, op) for pair in bounds(op)),
                "min, max",
            )
        )
    return tuple(sorted(found, key=lambda row: ("io".find(row.letter) < 0, row.number)))


FAKE_QUANT_CONSTRAINTS = {name: rows(form) for name, form in FORMS.items()}


# The constraint rows of the operations that the quant dialect had once: statistics and regions.


def is_real(value: Value) -> bool:
    return kind(element_type(value)) in ("float", "quantized")


REAL = Input(
    1,
    "arg: tensor of floating-point or quantized type",
    lambda op: len(op.operands) == len(op.results) == 1 and is_real(op.operand),
    SHOWN,
)
SAME = C(1, "type(result) = type(arg)", show=SHOWN)


def is_float_constant(constant: object) -> bool:
    return isinstance(constant, Dense) and constant.type.storage_type.kind == "float"


def slice_size(op: Op) -> int:
    """Return the product of the sizes from `axis` to the last dimension."""
    return prod(shape(op.operand)[op["axis"] :])


def has_axis(op: Op) -> bool:
    return "axisStats" not in op.attributes or (
        isinstance(axis := op.attributes.get("axis"), int) and 0 <= axis < op.operand.type.rank
    )


STATS = (
    REAL,
    Input(
        2, "layerStats: floating-point constant", lambda op: is_float_constant(op["layerStats"]), "layerStats"
    ),
    Input(
        3,
        "axisStats: optional floating-point constant",
        lambda op: "axisStats" not in op.attributes or is_float_constant(op["axisStats"]),
        "axisStats",
    ),
    SAME,
    C(2, "shape(layerStats) = [2]", show="layerStats"),
    C(3, "axis, a dimension of arg, is specified for axisStats", has_axis, "axis, type(arg)"),
    C(
        4,
        "shape(axisStats) = [N, 2], where N is the product of the sizes of arg from axis on",
        lambda op: "axisStats" not in op.attributes or op["axisStats"].type.shape == (slice_size(op), 2),
        "axisStats, axis, type(arg)",
    ),
)


def key(name: str) -> tuple[Constraint, ...]:
    """Return the rows of an operation that gives its argument a key."""
    return (
        REAL,
        Input(2, f"{name}: string", lambda op: isinstance(op[name], str) and op[name] != "", name),
        SAME,
    )


def is_specified(value: Value, spec: Spec) -> bool:
    """Return whether a spec is the element type of a value, or a quantized type that expresses it."""
    own = element_type(value)
    return spec == own if isinstance(spec, ElementType) else spec.expressed_type == own


def are_specified(values: Sequence[Value], specs: Sequence[Spec]) -> bool:
    return all(is_specified(*pair) for pair in zip(values, specs, strict=True))


def holds_types(op: Op) -> bool:
    """Return whether every uniform spec is a type that the tensor of its port may have."""
    ports = zip((*op.operands, *op.results), (*op["input_specs"], *op["output_specs"]), strict=True)
    types = [TensorType(shape(value), spec) for value, spec in ports if isinstance(spec, QuantizedType)]
    return all(row.check(type) for type in types for row in QUANTIZED_TYPE)


SPECS = "input_specs, output_specs"
REGION = (
    Input(1, "input_specs: list of types"),
    Input(2, "output_specs: list of types"),
    Input(3, "logical_kernel: string"),
    Input(4, "body: function", lambda op: len(op.regions) == 1, "size(regions)"),
    C(
        1,
        "size(inputs) = size(input_specs) and size(outputs) = size(output_specs)",
        show=f"{SPECS}, {SHOWN}",
    ),
    C(
        2,
        "expressed_type(input_specs[i]) or input_specs[i] = element_type(inputs[i])",
        lambda op: are_specified(op.operands, op["input_specs"]),
        "input_specs, type(operands...)",
    ),
    C(
        3,
        "expressed_type(output_specs[i]) or output_specs[i] = element_type(outputs[i])",
        lambda op: are_specified(op.results, op["output_specs"]),
        "output_specs, type(results...)",
    ),
    C(4, "a uniform spec is a valid element type of its port", holds_types, f"{SPECS}, {SHOWN}"),
    C(
        5,
        "body has type (type(inputs)...) -> (type(outputs)...)",
        takes_and_gives,
        f"{SHOWN}, type(regions...)",
    ),
    C(6, "body reads no value from outside", lambda op: not captures(op), ""),
)

SIMULATION_CONSTRAINTS: dict[str, tuple[Constraint, ...]] = {
    "quant.stats": STATS,
    "quant.stats_ref": key("statsKey"),
    "quant.coupled_ref": key("coupledKey"),
    "quant.region": REGION,
}
