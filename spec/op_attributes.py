"""Attributes that bundle an operation's inputs: algorithms, forms of fake quantization, limits of checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from spec.attributes import ALGORITHM, Algorithm, Opaque
from spec.errors import Malformed, Unsupported
from spec.ir import Op
from spec.types import FLOATS, ElementType, TensorType

TF32 = "tf32"
COUNTS = ("lhs_component_count", "rhs_component_count", "num_primitive_operations")


TYPES = ALGORITHM[:3]


def algorithm_of(op: Op) -> Algorithm | None:
    """Return the algorithm of a verified operation, or None if it has none."""
    if not has_algorithm(op):
        return None
    return Algorithm(*(op[name] for name in ALGORITHM))


def has_algorithm(op: Op) -> bool:
    """Return `!is_empty_algorithm(...)`."""
    return any(name in op.attributes for name in ("algorithm", *ALGORITHM))


def algorithm_error(op: Op) -> Unsupported | None:
    """Return the error for an op's algorithm that is not built; None if it is built, or there is none."""
    algorithm = algorithm_of(op)
    if algorithm is None:
        return None
    for name in COUNTS:
        if (count := getattr(algorithm, name)) != 1:
            return _unsupported_error(op, f"{name} = {count}", "supported: 1, an operand is not decomposed")
    for name in TYPES:
        if (type := getattr(algorithm, name)) not in FLOATS and type.name != TF32:
            supported = ", ".join([TF32, *(row.name for row in FLOATS)])
            return _unsupported_error(op, f"{name} = {type!r}", f"supported: {supported}")
    if any(expressed_element(value.type).kind == "complex" for value in (*op.operands, op.result)):
        return _unsupported_error(
            op, "complex numbers", "supported: floats, integers, booleans, quantized types"
        )
    return None


def expressed_element(type: TensorType) -> ElementType:
    """Return the type of the numbers that a tensor represents: if quantized, the expressed type."""
    return type.quantized_element_type.expressed_type if type.is_quantized else type.tensor_element_type


def _unsupported_error(op: Op, what: str, supported: str) -> Unsupported:
    return Unsupported(f"{op.name} with an algorithm of {what} is not built", supported, op.location)


# The forms of fake quantization: operations of the quant dialect and TensorFlow's, with attributes.


class Form(NamedTuple):
    """Form of one operation.

    vars:     the range is two operands, else two attributes
    axis:     each slice has a range: "attribute" names its dimension, "last" is the last one, "" none
    divides:  it divides by the scale, else it multiplies with the reciprocal
    gradient: the first operand is the gradient of the result
    """

    vars: bool = False
    axis: str = ""
    divides: bool = False
    gradient: bool = False


FORMS = {
    "quant.const_fake_quant": Form(),
    "quant.const_fake_quant_per_axis": Form(axis="attribute"),
    "tf.FakeQuantWithMinMaxArgs": Form(),
    "tf.FakeQuantWithMinMaxArgsGradient": Form(gradient=True),
    "tf.FakeQuantWithMinMaxVars": Form(vars=True, divides=True),
    "tf.FakeQuantWithMinMaxVarsGradient": Form(vars=True, divides=True, gradient=True),
    "tf.FakeQuantWithMinMaxVarsPerChannel": Form(vars=True, axis="last"),
    "tf.FakeQuantWithMinMaxVarsPerChannelGradient": Form(vars=True, axis="last", gradient=True),
}
DEFAULTS: dict[str, Any] = {"num_bits": 8, "narrow_range": False, "is_signed": False}


def attribute_or_default(op: Op, name: str) -> Any:
    """Return an attribute, or its default."""
    if name in ("min", "max") and name not in op.attributes and op.name.startswith("tf."):
        return {"min": -6.0, "max": 6.0}[name]
    return op.attributes.get(name, DEFAULTS.get(name))


def axis_of(op: Op) -> int | None:
    """Return the dimension whose slices have their own range, or None."""
    form = FORMS[op.name]
    if form.axis == "attribute":
        return int(op["axis"])
    return op.operands[form.gradient].type.rank - 1 if form.axis else None


def bounds(op: Op) -> list[tuple[float, float]]:
    """Return the ranges that attributes give: one, or one for each slice."""
    least, most = attribute_or_default(op, "min"), attribute_or_default(op, "max")
    return list(zip(least, most, strict=True)) if FORMS[op.name].axis else [(least, most)]


# Limits of the checks in a program, which are attributes of custom calls.
#
# The defaults are those of StableHLO's interpreter for custom calls, wider than those of its check dialect.

# The custom calls that compare two values; those named `_const` take the second from their attribute `value`.
TARGETS = {
    "check.eq",
    "check.expect_almost_eq",
    "check.expect_almost_eq_const",
    "check.expect_close",
    "check.expect_eq",
    "check.expect_eq_const",
}


def tolerance(op: Op) -> float:
    """Return the largest difference that `check.expect_almost_eq` or `check.eq` accepts."""
    return _number(op, "tolerance", 1e-4 if op["call_target_name"] == "check.eq" else 1e-3)


def maximal(op: Op) -> float:
    """Return the largest difference in units in the last place that `check.expect_close` accepts."""
    return _number(op, "max_ulp_difference", 3)


def minimal(op: Op) -> float:
    """Return the least difference in units in the last place that `check.expect_close` accepts."""
    return _number(op, "min_ulp_difference", 0)


def probe_value(op: Op, values: Mapping[str, Sequence[Any]]) -> Any:
    """Return the value that this check's probe saw, the first or number `iter`, or raise `Malformed`."""
    name = op.attributes.get("probe_id", "")
    seen, turn = values.get(name, ()), int(_number(op, "iter", _number(op, "iteration", 0)))
    if not 0 <= turn < len(seen):
        verdict = f"no value {turn} of the probe {name!r}"
        raise Malformed(verdict, f"probes that ran before: {', '.join(values) or 'none'}", op.location)
    return seen[turn]


def _number(op: Op, name: str, default: float) -> float:
    """Return an attribute as a number: `0.1 : f64`, `3 : ui64`."""
    given = op.attributes.get(name, default)
    text = given.text.partition(":")[0] if isinstance(given, Opaque) else given
    try:
        return float(text)
    except (TypeError, ValueError):
        raise Malformed(f"{name} is {given!r}", "expected a number", op.location) from None
