"""The constraint rows of the conversions. Those of `quant` are the dialect's, numbered here in its order."""

from __future__ import annotations

from spec import op_attributes
from spec.ir import Op, Value
from spec.quantized import QuantizedType
from spec.rules.constraint import C, Constraint, Input
from spec.rules.members import element_type, is_quantized, is_sub_channel, kind, operand, shape, values

QUANTIZE_CALL, DEQUANTIZE_CALL = "odml_torch.uniform_quantize", "odml_torch.uniform_dequantize"


def is_unary(op: Op) -> bool:
    return len(op.operands) == len(op.results) == 1


def is_float(value: Value) -> bool:
    return kind(element_type(value)) == "float"


def num_bits(value: Value) -> int:
    return value.type.storage_type.bits


def same_bits(op: Op) -> bool:
    """Return whether the side with the smaller elements has one more dimension, which makes up a larger one.

    jaxlib's verifier accepts different shapes for types of the same width. The operation is not defined for
    them, so neither mode accepts them here.
    """
    small, large = sorted((operand(op), op.result), key=num_bits)
    if num_bits(small) == num_bits(large):
        return shape(small) == shape(large)
    times = shape(small)[-1]
    return shape(small)[:-1] == shape(large) and times * num_bits(small) == num_bits(large)


SHAPES = C(1, "shape(operand) = shape(result)", show="shape(operand), shape(result)")

DEQUANTIZES = C(
    2,
    "element_type(result) = expressed_type(operand)",
    show="element_type(result), element_type(operand)",
)

CONVERT = (
    Input(
        1,
        "operand: tensor",
        lambda op: is_unary(op) and not is_quantized(operand(op)) and not is_quantized(op.result),
        "type(operand), type(result)",
    ),
    SHAPES,
)

BITCAST_CONVERT = (
    Input(
        1,
        "operand: tensor or quantized tensor",
        lambda op: is_unary(op) and not is_sub_channel(operand(op)) and not is_sub_channel(op.result),
        "type(operand), type(result)",
    ),
    C(
        1,
        "shape(result) = shape(operand), but for a last dimension that makes up for num_bits",
        same_bits,
        "type(operand), type(result)",
    ),
    C(
        2,
        "if is_complex(operand) or is_complex(result), then is_complex(operand) and is_complex(result)",
        show="type(operand), type(result)",
    ),
)

UNIFORM_QUANTIZE = (
    Input(
        1,
        "operand: tensor of floating-point or quantized type",
        lambda op: (
            is_unary(op)
            and (is_float(operand(op)) or is_quantized(operand(op)))
            and not any(map(is_sub_channel, (operand(op), op.result)))
        ),
        "type(operand), type(result)",
    ),
    SHAPES,
    C(
        2,
        "expressed_type(result) = is_float(operand) ? element_type(operand) : expressed_type(operand)",
        show="element_type(operand), element_type(result)",
    ),
)

UNIFORM_DEQUANTIZE = (
    Input(
        1,
        "operand: quantized tensor",
        lambda op: is_unary(op) and is_quantized(operand(op)) and not is_sub_channel(operand(op)),
        "type(operand)",
    ),
    SHAPES,
    DEQUANTIZES,
)


def call_row(target: str, rows: tuple[Constraint, ...]) -> Constraint:
    """Return the rows of the op that a custom call names, as one row."""
    return C(
        1 if target == QUANTIZE_CALL else 2,
        f"@{target} satisfies " + "; ".join(row.formula for row in rows),
        lambda op: op["call_target_name"] != target or all(row.check(op) for row in rows),
        "call_target_name, type(operands...), type(results...)",
    )


def compares(op: Op) -> bool:
    """Return whether a check has two values of one type; the second may be an operand or a constant."""
    types = [value.type for value in op.operands]
    types += [each.type for name, each in op.attributes.items() if name == "value"]
    return len(types) == 2 and len({(t.shape, t.storage_type.name) for t in types}) == 1


CUSTOM_CALL = (
    Input(2, "call_target_name: constant of type string"),
    call_row(QUANTIZE_CALL, UNIFORM_QUANTIZE),
    call_row(DEQUANTIZE_CALL, UNIFORM_DEQUANTIZE),
    C(
        3,
        "a check (@check.expect_eq, ...) compares two values of one type",
        lambda op: op["call_target_name"] not in op_attributes.TARGETS or compares(op),
        "call_target_name, type(operands...)",
    ),
)

QCAST = (
    Input(
        1,
        "input: tensor of floating-point",
        lambda op: is_unary(op) and is_float(operand(op)),
        "type(operand)",
    ),
    SHAPES,
    C(
        2,
        "expressed_type(result) = element_type(operand)",
        show="element_type(operand), element_type(result)",
    ),
)

DCAST = (
    Input(
        1,
        "input: tensor of quantized type",
        lambda op: is_unary(op) and is_quantized(operand(op)),
        "type(operand)",
    ),
    SHAPES,
    DEQUANTIZES,
)


def has_signless_storage(op: Op) -> bool:
    """Return whether storage is `u8`, not `ui8`: MLIR stores the first as signless i8 (erratum E11)."""
    types = map(element_type, values(op))
    return not any(isinstance(t, QuantizedType) and t.spelling.startswith(("ui", "si")) for t in types)


SCAST = (
    Input(
        1,
        "input: tensor of signless integer and result quantized, or vice versa",
        lambda op: (
            is_unary(op)
            and is_quantized(operand(op)) != is_quantized(op.result)
            and any(kind(element_type(value)) == "signed" for value in values(op))
        ),
        "type(operand), type(result)",
    ),
    SHAPES,
    C(
        2,
        "num_bits(storage_type) = num_bits(integer), the storage type signless",
        lambda op: num_bits(operand(op)) == num_bits(op.result) and has_signless_storage(op),
        "type(operand), type(result)",
    ),
)

CONSTRAINTS: dict[str, tuple[Constraint, ...]] = {
    "stablehlo.convert": CONVERT,
    "stablehlo.bitcast_convert": BITCAST_CONVERT,
    "stablehlo.uniform_quantize": UNIFORM_QUANTIZE,
    "stablehlo.uniform_dequantize": UNIFORM_DEQUANTIZE,
    "stablehlo.custom_call": CUSTOM_CALL,
    "quant.qcast": QCAST,
    "quant.dcast": DCAST,
    "quant.scast": SCAST,
}
