"""The forms of fake quantization: operations of the quant dialect and TensorFlow's, with attributes."""

from __future__ import annotations

from typing import Any, NamedTuple

from spec.ir import Op


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
