"""The constraint rows of the elementwise ops, and of compare, select and clamp."""

from __future__ import annotations

from spec.ir import Op
from spec.rules.constraint import SHOWN, C, Constraint, Input, uses_quantized, when_quantized
from spec.rules.members import (
    element_type,
    is_per_tensor,
    is_sub_channel,
    kind,
    operand,
    same,
    shape,
    storage_type,
    values,
)
from spec.types import ElementType, complex_part

Rows = tuple[Constraint, ...]

ANY = "boolean signed unsigned float complex quantized"
NUMBERS = "signed unsigned float complex quantized"
SIGNED = "signed float complex quantized"
REALS = "float complex quantized"
FLOATS = "float quantized"
BITS = "boolean signed unsigned"
INTEGERS = "signed unsigned"


def takes(count: int, kinds: str) -> Constraint:
    """Return the row for `count` operands and one result; the last operand is of one of these kinds."""
    return Input(
        1,
        f"{count} operands and a result: tensors of type {', '.join(kinds.split())}, per-tensor quantized",
        lambda op: (
            len(op.operands) == count
            and len(op.results) == 1
            and kind(element_type(op.operands[-1])) in kinds.split()
            and all(map(is_per_tensor, values(op)))
        ),
        SHOWN,
    )


BASELINES = C(1, "baseline_type(operands...) = baseline_type(result)", show=SHOWN)
TYPES = C(1, "type(operands...) = type(result)", show=SHOWN)
SHAPES = C(1, "shape(result) = shape(operand)", show=SHOWN)


def real_part(type: ElementType) -> ElementType:
    return complex_part(type) if type.kind == "complex" else type


def real_result(function: str) -> Constraint:
    return C(
        2,
        f"{function}(result) = is_complex(operand) ? complex_element_type(element_type(operand)) : "
        f"{function}(operand)",
        show=SHOWN,
    )


def along_the_axis(number: int, name: str) -> Constraint:
    return when_quantized(
        number,
        f"if is_per_axis_quantized({name}), quantization_dimension({name}) = quantization_dimension(result)",
    )


ADD = (
    Input(
        1,
        "lhs, rhs, result: tensor or quantized tensor",
        lambda op: (
            len(op.operands) == 2
            and len(op.results) == 1
            and same(map(shape, values(op)))
            and not any(map(is_sub_channel, values(op)))
        ),
        SHOWN,
    ),
    C(1, "type(lhs) = type(rhs) = type(result)", show=SHOWN, when=lambda op: not uses_quantized(op)),
    when_quantized(2, "is_quantized(lhs) and is_quantized(rhs) and is_quantized(result)"),
    when_quantized(3, "storage_type(lhs) = storage_type(rhs) = storage_type(result)"),
    when_quantized(4, "expressed_type(lhs) = expressed_type(rhs) = expressed_type(result)"),
    when_quantized(
        5,
        "(is_per_axis_quantized(lhs) or is_per_axis_quantized(rhs)) = is_per_axis_quantized(result)",
    ),
    along_the_axis(6, "lhs"),
    along_the_axis(7, "rhs"),
)


def is_boolean(op: Op) -> bool:
    return kind(element_type(op.result)) == "boolean"


COMPLEX = (
    takes(2, "float"),
    C(1, "type(lhs) = type(rhs)", show=SHOWN),
    C(2, "shape(result) = shape(lhs)", show=SHOWN),
    C(
        3,
        "element_type(result) has type complex<E> where E = element_type(lhs)",
        lambda op: (
            kind(element_type(op.result)) == "complex"
            and real_part(storage_type(op.result)) == element_type(operand(op))
        ),
        SHOWN,
    ),
)

IS_FINITE = (
    takes(1, FLOATS),
    C(1, "shape(x) = shape(y), of boolean type", lambda op: SHAPES.check(op) and is_boolean(op), SHOWN),
)

REDUCE_PRECISION = (
    takes(1, FLOATS),
    BASELINES,
    C(2, "1 <= exponent_bits", show="exponent_bits"),
    C(3, "0 <= mantissa_bits", show="mantissa_bits"),
)


# By name: the number of operands and their kinds, where baseline types agree.
ELEMENTWISE = {
    "atan2": (2, REALS),
    "cbrt": (1, REALS),
    "ceil": (1, FLOATS),
    "cosine": (1, REALS),
    "divide": (2, NUMBERS),
    "exponential": (1, REALS),
    "exponential_minus_one": (1, REALS),
    "floor": (1, FLOATS),
    "log": (1, REALS),
    "log_plus_one": (1, REALS),
    "logistic": (1, REALS),
    "maximum": (2, ANY),
    "minimum": (2, ANY),
    "multiply": (2, ANY),
    "negate": (1, NUMBERS),
    "power": (2, NUMBERS),
    "remainder": (2, NUMBERS),
    "round_nearest_afz": (1, FLOATS),
    "round_nearest_even": (1, FLOATS),
    "rsqrt": (1, REALS),
    "sign": (1, SIGNED),
    "sine": (1, REALS),
    "sqrt": (1, REALS),
    "subtract": (2, NUMBERS),
    "tan": (1, REALS),
    "tanh": (1, REALS),
}
# Those that no quantized tensor enters: all types agree.
PLAIN = {
    "and": (2, BITS),
    "count_leading_zeros": (1, INTEGERS),
    "not": (1, BITS),
    "or": (2, BITS),
    "popcnt": (1, INTEGERS),
    "shift_left": (2, INTEGERS),
    "shift_right_arithmetic": (2, INTEGERS),
    "shift_right_logical": (2, INTEGERS),
    "xor": (2, BITS),
}

CONSTRAINTS: dict[str, Rows] = {
    **{f"stablehlo.{name}": (takes(*signature), BASELINES) for name, signature in ELEMENTWISE.items()},
    **{f"stablehlo.{name}": (takes(*signature), TYPES) for name, signature in PLAIN.items()},
    "stablehlo.abs": (takes(1, SIGNED), SHAPES, real_result("baseline_element_type")),
    "stablehlo.add": ADD,
    "stablehlo.complex": COMPLEX,
    "stablehlo.imag": (takes(1, "float complex"), SHAPES, real_result("element_type")),
    "stablehlo.is_finite": IS_FINITE,
    "stablehlo.real": (takes(1, "float complex"), SHAPES, real_result("element_type")),
    "stablehlo.reduce_precision": REDUCE_PRECISION,
}


# The constraint rows of compare, select and clamp.

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
    Input(3, "comparison_direction: enum of EQ, NE, GE, GT, LE, and LT"),
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


SELECT = (
    takes(3, ANY),
    Input(2, "pred: tensor of type i1", show="type(operands...)"),
    C(1, "rank(pred) = 0 or shape(pred) = shape(on_true)", show=SHOWN),
    C(2, "baseline_type(on_true) = baseline_type(on_false) = baseline_type(result)", show=SHOWN),
)

CLAMP = (
    takes(3, ANY),
    C(1, "rank(min) = 0 or shape(min) = shape(operand)", show=SHOWN),
    C(2, "rank(max) = 0 or shape(max) = shape(operand)", show=SHOWN),
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
