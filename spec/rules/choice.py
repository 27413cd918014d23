"""The constraint rows of compare, select and clamp."""

from __future__ import annotations

from spec.ir import Op
from spec.rules.common import SHOWN
from spec.rules.constraint import C, Constraint, Input
from spec.rules.elementwise import ANY, is_boolean, takes
from spec.rules.members import (
    element_type,
    kind,
    operand,
    rank,
    same,
    shape,
    values,
)

DIRECTIONS = ("EQ", "NE", "GE", "GT", "LE", "LT")
COMPARE_TYPES = {
    "signed": ("SIGNED",),
    "unsigned": ("UNSIGNED",),
    "boolean": ("UNSIGNED",),
    "float": ("FLOAT", "TOTALORDER"),
    "complex": ("FLOAT",),
    "quantized": ("FLOAT",),
}


def compares(op: Op) -> bool:
    """Return whether compare_type fits the operands; MLIR lets it be absent."""
    given = op.attributes.get("compare_type", "NOTYPE")
    return given == "NOTYPE" or given in COMPARE_TYPES[kind(element_type(operand(op)))]


COMPARE = (
    takes(2, ANY),
    Input(
        3,
        "comparison_direction: enum of EQ, NE, GE, GT, LE, and LT",
        lambda op: op["comparison_direction"] in DIRECTIONS,
        "comparison_direction",
    ),
    C(1, "baseline_element_type(lhs) = baseline_element_type(rhs)", show=SHOWN),
    C(
        2,
        "shape(lhs) = shape(rhs) = shape(result), of boolean type",
        lambda op: same(map(shape, values(op))) and is_boolean(op),
        SHOWN,
    ),
    C(
        3,
        "compare_type is that of element_type(lhs)",
        compares,
        "compare_type, element_type(lhs)",
        mlir=lambda op: True,  # jaxlib's verifier does not look
    ),
)


def scalar_or_same(number: int, name: str, index: int, of: int) -> Constraint:
    return C(
        number,
        f"rank({name}) = 0 or the shape of the operand",
        lambda op: rank(op.operands[index]) == 0 or shape(op.operands[index]) == shape(op.operands[of]),
        SHOWN,
    )


SELECT = (
    takes(3, ANY),
    Input(
        2,
        "pred: tensor of type i1",
        lambda op: kind(element_type(operand(op))) == "boolean",
        "type(operands...)",
    ),
    scalar_or_same(1, "pred", 0, 1),
    C(2, "baseline_type(on_true) = baseline_type(on_false) = baseline_type(result)", show=SHOWN),
)

CLAMP = (
    takes(3, ANY),
    scalar_or_same(1, "min", 0, 1),
    scalar_or_same(2, "max", 2, 1),
    C(
        3,
        "baseline_element_type(min) = baseline_element_type(operand) = baseline_element_type(max)",
        show=SHOWN,
    ),
    C(4, "baseline_type(operand) = baseline_type(result)", show=SHOWN),
)

CHOICE_CONSTRAINTS: dict[str, tuple[Constraint, ...]] = {
    "stablehlo.clamp": CLAMP,
    "stablehlo.compare": COMPARE,
    "stablehlo.select": SELECT,
}
