"""Where the specification contradicts itself or is silent: what the text says, what we do, and why."""

from __future__ import annotations

from typing import NamedTuple


class Erratum(NamedTuple):
    """A row of the table. `section` is a heading of the specification, `test` demonstrates the row."""

    id: str
    text: str
    we_do: str
    why: str
    section: str
    test: str


def E(number: int, text: str, we_do: str, why: str, section: str, name: str) -> Erratum:
    """`test` is `tests/test_errata.py::test_e1_<name>`."""
    test = f"tests/test_errata.py::test_e{number}_{name}"
    return Erratum(f"E{number}", text, we_do, why, section, test)


ERRATA = (
    E(
        1,
        "dequantize subtracts the zero point in the storage type, which wraps",
        "subtract exactly",
        "127 - (-128) is not -1; an event tells when the literal reading differs",
        "Quantization computations: dequantize",
        "subtraction_does_not_wrap",
    ),
    E(
        2,
        "to_destination_type calls quantize on a quantized value, which asserts a float",
        "dequantize first",
        "the only reading that runs; it equals uniform_quantize",
        "Functions on values: to_destination_type",
        "requantizing_dequantizes_first",
    ),
    E(
        3,
        "convert(storage_max, expressed_type) rounds up (to 2147483648.0 in f32) and comes back out of range",
        "saturate at the storage bound",
        "as XLA and the reference interpreter do (openxla/stablehlo issue 180)",
        "Quantization computations: quantize",
        "rounded_bounds_saturate",
    ),
    E(
        4,
        "the conversion of NaN to an integer is unspecified",
        "0, clamped into the storage range, with an event",
        "as XLA",
        "Quantization computations: quantize; convert",
        "nan_quantizes_to_clamped_zero",
    ),
    E(
        5,
        "quantize ends in convert(x_rounded, result_type), which is not defined for a quantized type",
        "store the integer",
        "nothing else can be meant",
        "Quantization computations: quantize",
        "quantize_stores_the_integer",
    ),
    E(
        6,
        "is_promotable is false for booleans, and compares only the width of the storage",
        "booleans promote to booleans; mlir mode accepts what jaxlib's verifier accepts",
        "jnp.any is a boolean reduce; MLIR takes any float for a float and i1 for an integer of one bit",
        "Functions on types: is_promotable",
        "booleans_promote",
    ),
    E(
        7,
        "reduce (C8) forbids the result that the reduction RFC's own example has",
        "(C8) by default; dialect 'rfc' on request",
        "the specification is later than the RFC",
        "reduce (C8)",
        "rfc_example_runs_in_its_dialect",
    ),
    E(
        8,
        "a window of select_and_scatter without values is unspecified",
        "nothing is scattered, with an event",
        "as XLA and the reference interpreter (openxla/stablehlo issue 731)",
        "select_and_scatter: Semantics",
        "empty_window_scatters_nothing",
    ),
    E(
        9,
        "any number of init values may stand anywhere in the schedule",
        "one, leftmost",
        "as XLA; any count would conform, so a non-identity init is reported",
        "reduce: Semantics",
        "init_occurs_once_leftmost",
    ),
    E(
        10,
        "reduce_window pads with init values before they are converted",
        "padding and holes are ordinary converted leaves",
        "literal",
        "reduce_window: Semantics",
        "padding_is_a_converted_leaf",
    ),
    E(
        11,
        "u8 and ui8 are two MLIR types, and the reference interpreter evaluates u8 as signed",
        "both are unsigned",
        "the quant dialect says so",
        "Types: QuantizationStorageType",
        "both_spellings_are_unsigned",
    ),
    E(
        12,
        "jaxlib's verifier lets init_values differ from inputs in scale and zero point, against (C2)",
        "strict: a violation; mlir: each is converted from its own type",
        "the stored bits would mean another number",
        "reduce (C2), reduce_window (C3), select_and_scatter (C3)",
        "init_of_another_scale",
    ),
    E(
        13,
        "the reference interpreter counts init_value twice for an element selected once",
        "once (E9)",
        "XLA agrees",
        "select_and_scatter: Semantics",
        "scatter_counts_init_once",
    ),
    E(
        14,
        "jaxlib's verifier lets results differ from the body in scale and zero point, against (C8)",
        "strict: a violation; mlir: to_destination_type(accumulator, result type)",
        "the stored bits would mean another number",
        "reduce (C8), reduce_window (C16), select_and_scatter (C12)",
        "result_of_another_scale",
    ),
    E(
        15,
        "the RFC's condition on the body, a chain of 'or'ed equalities, holds for nearly any pair of types",
        "same kind: rows A (quantized), F (float) and G (integer) of its table, and complex",
        "the table says so",
        "RFC, Revised specification of reduce op",
        "rfc_body_is_of_the_same_kind",
    ),
    E(
        16,
        "quant.qcast and quant.dcast leave the rounding to the pipeline that lowers them",
        "each float op rounds once; to integer as in convert: truncate, saturate, NaN gives 0; then clamp",
        "the dialect's formula with the conversion of its own lowering (lower-quant-ops), made total",
        "MLIR quant dialect: quant.qcast, quant.dcast",
        "qcast_truncates",
    ),
    E(
        17,
        "bits, the in-memory representation that bitcast_convert reads, is implementation-defined",
        "little-endian; a NaN is the quiet one of its format, sign bit clear",
        "as XLA; a payload would need storage that a number does not have",
        "bitcast_convert: Semantics",
        "bits_are_little_endian",
    ),
)


def table() -> str:
    """The errata as lines of text: the text, what we do, why, and where to see it."""
    return "\n".join(
        f"{row.id}: {row.text} [{row.section}]\n  we do: {row.we_do}\n  why: {row.why}\n  see: {row.test}"
        for row in ERRATA
    )
