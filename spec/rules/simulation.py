"""The constraint rows of the operations that the quant dialect had once: statistics and regions."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from spec.elements import ElementType
from spec.ir import Dense, Op, Value, captures
from spec.quant_kinds import Spec
from spec.quantized import QuantizedType
from spec.rules.common import SHOWN
from spec.rules.constraint import C, Constraint, Input
from spec.rules.members import element_type, kind, shape
from spec.rules.quantized_type import QUANTIZED_TYPE
from spec.types import TensorType


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


def takes_and_gives(op: Op) -> bool:
    """Return whether the body takes the types of the operands and returns those of the results."""
    (body,) = op.regions
    return [v.type for v in body.arguments] == [v.type for v in op.operands] and [
        v.type for v in body.returns
    ] == [v.type for v in op.results]


def specs(number: int, name: str) -> Constraint:
    return Input(number, f"{name}: list of types", lambda op: isinstance(op[name], tuple), name)


SPECS = "input_specs, output_specs"
REGION = (
    specs(1, "input_specs"),
    specs(2, "output_specs"),
    Input(
        3,
        "logical_kernel: string",
        lambda op: isinstance(op["logical_kernel"], str),
        "logical_kernel",
    ),
    Input(4, "body: function", lambda op: len(op.regions) == 1, "size(regions)"),
    C(
        1,
        "size(inputs) = size(input_specs) and size(outputs) = size(output_specs)",
        lambda op: (len(op.operands), len(op.results)) == (len(op["input_specs"]), len(op["output_specs"])),
        f"{SPECS}, {SHOWN}",
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
