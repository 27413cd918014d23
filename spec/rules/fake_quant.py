"""The constraint rows of the operations that quantize and dequantize by a range, all in f32."""

from __future__ import annotations

from math import isfinite

from spec.elements import ELEMENT_TYPES
from spec.fake_quant import FORMS, Form, axis_of, bounds, attribute_or_default
from spec.ir import Op
from spec.rules.common import SHOWN
from spec.rules.constraint import C, Constraint, Input

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
                and all(isinstance(attribute_or_default(op, name), bool) for name in ("narrow_range", "is_signed"))
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
