"""Errata, where the specification contradicts itself or is silent: its text, our choice, and the reason."""

from __future__ import annotations

from typing import NamedTuple


class Erratum(NamedTuple):
    """A row of the table: a place where the specification contradicts itself or is silent.

    `section` is the place: usually a line of StableHLO 1.20's docs/spec.md.
    """

    id: str
    text: str
    we_do: str
    why: str
    section: str
    test: str


def E(number: int, text: str, we_do: str, why: str, section: str, name: str) -> Erratum:
    """Return a row; `test` is `tests/test_errata.py::test_e1_<name>`."""
    test = f"tests/test_errata.py::test_e{number}_{name}"
    return Erratum(f"E{number}", text, we_do, why, section, test)


ERRATA = (
    E(
        1,
        "dequantize subtracts the zero point in the storage type, which wraps",
        "subtract exactly",
        "127 - (-128) is not -1; an event tells when the literal reading differs",
        "docs/spec.md:7863, dequantize",
        "subtraction_does_not_wrap",
    ),
    E(
        2,
        "to_destination_type calls quantize on a quantized value, which asserts a float",
        "dequantize first",
        "the only reading that runs; it equals uniform_quantize",
        "docs/spec.md:7723, to_destination_type",
        "requantizing_dequantizes_first",
    ),
    E(
        3,
        "convert(storage_max, expressed_type) rounds up (to 2147483648.0 in f32) and comes back out of range",
        "saturate at the storage bound",
        "as XLA and the reference interpreter do (openxla/stablehlo issue 180)",
        "docs/spec.md:7879, quantize",
        "rounded_bounds_saturate",
    ),
    E(
        4,
        "the conversion of NaN to an integer is unspecified",
        "0, clamped into the storage range, with an event",
        "as XLA",
        "docs/spec.md:2308, convert",
        "nan_quantizes_to_clamped_zero",
    ),
    E(
        5,
        "quantize ends in convert(x_rounded, result_type), which is not defined for a quantized type",
        "store the integer",
        "nothing else can be meant",
        "docs/spec.md:7885, quantize",
        "quantize_stores_the_integer",
    ),
    E(
        6,
        "is_promotable is false for booleans, and compares only the width of the storage",
        "booleans promote to booleans; mlir mode accepts what jaxlib's verifier accepts",
        "jnp.any is a boolean reduce; MLIR takes any float for a float and i1 for an integer of one bit",
        "docs/spec.md:7667, is_promotable",
        "booleans_promote",
    ),
    E(
        7,
        "reduce (C8) forbids the result that the reduction RFC's own example has",
        "(C8) by default; in dialect 'rfc' a result of the body's type or of the input's baseline",
        "the specification is later than the RFC",
        "docs/spec.md:5129, reduce (C8)",
        "rfc_example_runs_in_its_dialect",
    ),
    E(
        8,
        "a window of select_and_scatter without values is unspecified",
        "nothing is scattered, with an event",
        "as XLA and the reference interpreter (openxla/stablehlo issue 731)",
        "docs/spec.md:6063, select_and_scatter",
        "empty_window_scatters_nothing",
    ),
    E(
        9,
        "any number of init values may stand anywhere in the schedule",
        "one, leftmost",
        "as XLA; any count would conform, so a non-identity init is reported",
        "docs/spec.md:5099, reduce",
        "init_occurs_once_leftmost",
    ),
    E(
        10,
        "reduce_window pads with init values before they are converted",
        "padding and holes are ordinary converted leaves",
        "literal",
        "docs/spec.md:5314, reduce_window",
        "padding_is_a_converted_leaf",
    ),
    E(
        11,
        "u8 and ui8 are two MLIR types, and the reference interpreter evaluates u8 as signed",
        "both are unsigned",
        "the quant dialect says so",
        "docs/spec.md:135, QuantizationStorageType",
        "both_spellings_are_unsigned",
    ),
    E(
        12,
        "jaxlib's verifier takes init_values, and a float source, of any type that promotes to the body's",
        "strict: a violation; mlir: each is converted from its own type",
        "the stored bits would mean another number",
        "docs/spec.md:5120, reduce (C2), reduce_window (C3), select_and_scatter (C1), (C3)",
        "init_of_another_scale",
    ),
    E(
        13,
        "the reference interpreter counts init_value twice for an element selected once",
        "once (E9)",
        "XLA agrees",
        "docs/spec.md:6064, select_and_scatter",
        "scatter_counts_init_once",
    ),
    E(
        14,
        "jaxlib's verifier lets results differ from the body in scale and zero point, against (C8)",
        "strict: a violation; mlir: to_destination_type(accumulator, result type)",
        "the stored bits would mean another number",
        "docs/spec.md:5129, reduce (C8), reduce_window (C16), select_and_scatter (C12)",
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
        "as uniform_quantize and uniform_dequantize do: to nearest even, saturating at the storage bounds",
        "one meaning of a quantized type; MLIR's lowering, which truncates, is a mode of `quant_pass`",
        "MLIR quant dialect: quant.qcast, quant.dcast",
        "qcast_rounds_to_nearest",
    ),
    E(
        17,
        "bits, the in-memory representation that bitcast_convert reads, is implementation-defined",
        "little-endian; a NaN is the quiet one of its format, sign bit clear",
        "as XLA; a payload would need storage that a number does not have",
        "docs/spec.md:1449, bitcast_convert",
        "bits_are_little_endian",
    ),
    E(
        18,
        "jaxlib's verifier lets a bitcast between equally wide types change the shape, against (C1)",
        "a violation in both modes",
        "the bits of two elements are not those of four",
        "docs/spec.md:1471, bitcast_convert (C1)",
        "bitcast_keeps_the_number_of_bits",
    ),
    E(
        19,
        "dot_general's result may be of any type; for jaxlib its operands, and convolution's result, too",
        "products are of the result's type; one that cannot hold them (complex to float) is a violation",
        "jnp.dot and lax.conv ask for i32 or f32 results of narrower operands",
        "docs/spec.md:2948, dot_general (C13); convolution (C27)",
        "contractions_widen",
    ),
    E(
        20,
        "jaxlib checks quantized types where an op takes them, not in signatures, nor that scales are no NaN",
        "every type of every value satisfies (C1) to (C13) in both modes, sub-channel types those of quant",
        "no computation could use such a value",
        "docs/spec.md:157, quantized types",
        "types_of_signatures_are_checked",
    ),
    E(
        21,
        "jaxlib's verifier lets select of select_and_scatter take floats of another precision, against (C9)",
        "a violation in both modes",
        "nothing says that operand is converted: select sees its own type",
        "docs/spec.md:6107, select_and_scatter (C9)",
        "select_sees_the_operands_type",
    ),
    E(
        22,
        "complex multiplication, division and the modulus are named, not defined",
        "the schoolbook formulas on the parts, each real operation rounding once; the modulus rounds once",
        "the only formulas that need no choice of scaling; XLA's own differ between backends",
        "docs/spec.md: add, multiply, divide, abs",
        "complex_operations_are_schoolbook",
    ),
    E(
        23,
        "a convolution pads lhs with 0, so that padding times an infinite or NaN weight is NaN",
        "padding and dilation holes are zero products",
        "no implementation multiplies what is not there; a sum over the window alone has no NaN",
        "docs/spec.md: convolution, padded_lhs",
        "padding_is_zero_products",
    ),
    E(
        24,
        "TOTALORDER orders NaNs by sign and payload, which bits of a NaN are implementation-defined",
        "-NaN < -inf < ... < -0 < +0 < ... < inf < NaN, payloads ignored",
        "a NaN has one payload here (E17)",
        "docs/spec.md: compare",
        "total_order",
    ),
    E(
        25,
        "jaxlib's verifier overlooks the last of an odd number of operands, against (C3)",
        "a violation in both modes",
        "it is neither an input nor an init value",
        "docs/spec.md:5122, reduce (C3), reduce_window (C1)",
        "an_odd_operand_is_a_violation",
    ),
    E(
        26,
        "reduce_precision to 0 mantissa bits: a tie has no last bit by whose parity to decide",
        "the significand 1.5 rounds to 2, so that 3.0 becomes 4.0",
        "roundToIntegralTiesToEven, as the text says; XLA and the reference take the exponent's parity: 2.0",
        "docs/spec.md: reduce_precision",
        "ties_without_mantissa_bits",
    ),
    E(
        27,
        "reduce_precision to 0 mantissa bits: nothing is said of NaN, which such a format lacks",
        "+infinity (a NaN has no sign, E17); in a format without infinities NaN stays",
        "its mantissa is truncated; so the reference and XLA's constant folding; XLA's CPU code keeps NaN",
        "docs/spec.md: reduce_precision",
        "nan_without_mantissa_bits",
    ),
    E(
        28,
        "the semantics of precision_config's words is underspecified",
        "the formula as written, whatever the words say: every product and sum rounds once",
        "DEFAULT and HIGH permit what HIGHEST asks for (openxla/stablehlo issue 755)",
        "docs/spec.md: dot_general, convolution",
        "precision_config_changes_nothing",
    ),
    E(
        29,
        "an algorithm says what operands are rounded to and what accumulates, not what products round to",
        "operands, integers too, to the precision types; products (once) and sums to the accumulation type, "
        "never a narrower one, even where that is allowed; the sum to the result's type",
        "the accumulation type is the only one left; jaxlib refuses algorithms that no hardware is known for",
        "docs/spec.md: dot_general (I8) to (I14)",
        "algorithm_rounds_operands_products_sums_and_result",
    ),
    E(
        30,
        "of quantized operands dot_general keeps precision_config, and leaves out the algorithm",
        "operands are dequantized, then rounded; the sum goes to the expressed type and is quantized",
        "an algorithm that is given and not supported is to be refused, not dropped",
        "docs/spec.md: dot_general, dequantize_op_quantize and hybrid_dequantize_then_op",
        "algorithm_applies_to_dequantized_operands",
    ),
    E(
        31,
        "whether quantized operations compute in floats or in integers is the implementation's choice",
        "run and judge in the dequantize reading, and say so of every verdict",
        "formulas stand for it alone; what the integer reading may permit is not called nonconforming",
        "docs/spec.md:7429, Execution semantics of quantized operation",
        "readings_of_quantized_operations_differ",
    ),
    E(
        32,
        "functions of complex numbers (exponential, log, power, ...) are named, not defined",
        "both parts of the principal value, rounded once; at infinities and NaN the formulas of their parts",
        "as C99's annex G where it says what a part is; XLA and the reference differ from it and each other",
        "docs/spec.md: exponential, log, power, sine and their like, for complex numbers",
        "complex_functions_round_both_parts",
    ),
    E(
        33,
        "THREE_FRY, PHILOX and DEFAULT are implementation-defined variants of their algorithms",
        "Threefry-2x32-20 and Philox-4x32-10 (DEFAULT, too) in XLA's order; low bits of words below 32",
        "bit-equal to XLA on CPU; jaxlib also takes states of other types and sizes",
        "docs/spec.md: rng_bit_generator",
        "random_bits_are_those_of_xla",
    ),
    E(
        34,
        "how rng draws is implementation-defined, and its result undefined where a >= b, or b < 0",
        "from Threefry's state (0, 0), the same each time; a >= b gives a, and NORMAL takes b as it is",
        "deterministic, and in the range whatever rounding does",
        "docs/spec.md: rng",
        "rng_is_deterministic_and_in_range",
    ),
    E(
        35,
        "what triangular_solve and cholesky round, in which order, and what is beside the triangle, is open",
        "substitution row by row, each operation rounded; zeros beside cholesky's triangle; no check of `a`",
        "the textbook's order; a matrix that is not positive definite gives NaN, as in XLA",
        "docs/spec.md: triangular_solve, cholesky",
        "substitution_is_row_by_row",
    ),
    E(
        36,
        "fft is a series of transforms, and nothing says what each rounds",
        "the sums of all dimensions are rounded once; NaN where an operand of the sum is not finite",
        "transforms that round on their way differ among each other in a few units of the largest element",
        "docs/spec.md: fft",
        "a_transform_rounds_once",
    ),
    E(
        37,
        "a scatter whose data breaks the promise of unique_indices, or of indices_are_sorted, is undefined",
        "the updates are folded in ascending order all the same, with an event where they meet",
        "as XLA on CPU and the reference interpreter",
        "docs/spec.md: scatter",
        "a_broken_promise_folds_all_the_same",
    ),
    E(
        38,
        "ONNX does not say what integer NaN becomes in QuantizeLinear",
        "the least value of the type",
        "the ReferenceEvaluator and onnxruntime agree, though StableHLO's choice is 0 (E4)",
        "ONNX: QuantizeLinear",
        "onnx_nan_is_the_least_integer",
    ),
    E(
        39,
        "saturate((x / y_scale) + y_zero_point) does not say what limits the numbers in between",
        "nothing does: quotients beyond int32, infinite ones, and those by a scale of 0 saturate",
        "as the formula; the ReferenceEvaluator's int32 wraps, so that 1e10 becomes -128",
        "ONNX: QuantizeLinear",
        "onnx_saturates_beyond_int32",
    ),
    E(
        40,
        "the scale's type is the precision of the division, also where it is int32 or float8e8m0",
        "f64 for int32, f32 for float8e8m0",
        "neither rounds quotients; as the ReferenceEvaluator, and of int32 by int32 the exact rounding",
        "ONNX: QuantizeLinear 23, y_scale, precision",
        "onnx_precision_of_scales_without_quotients",
    ),
    E(
        41,
        "a precision is that of the division between x and y_scale, which may have other types",
        "both are rounded to it first, and so is the quotient, f16 included",
        "the words; onnxruntime divides in f32 always, the ReferenceEvaluator in the wider type",
        "ONNX: QuantizeLinear 23, precision",
        "onnx_operands_round_to_the_precision",
    ),
    E(
        42,
        "the output type is the precision of DequantizeLinear's multiplication, not of what it multiplies",
        "difference (exact for integers), scale and product in f32, then rounded to the output type",
        "as both runtimes; 65535 is no f16, and times a scale of 0.5 it is finite",
        "ONNX: DequantizeLinear 21, 23",
        "onnx_dequantizes_in_f32",
    ),
    E(
        43,
        "DynamicQuantizeLinear divides by zero where all of x is 0, and converts NaN to uint8",
        "a range of 0 counts as 1 (scale 1/255); a zero point from NaN is 255, NaN of x propagates",
        "as the ReferenceEvaluator; onnxruntime's scale is 1, and its maximum skips NaN",
        "ONNX: DynamicQuantizeLinear 11",
        "onnx_dynamic_range_of_zero",
    ),
    E(
        44,
        "accumulation may overflow if and only if in 32 bits, and nothing says what follows",
        "sums of products are those modulo 2**32",
        "as both runtimes; no partial sum counts, so the order does not",
        "ONNX: MatMulInteger, ConvInteger, QLinearMatMul 10",
        "onnx_accumulators_wrap",
    ),
    E(
        45,
        "QLinearMatMul and QLinearConv name no order of rounding for their three scales and zero point",
        "multiplier fl(fl(a_scale * b_scale) / y_scale) in the scales' type, times the sum in f32, rounded, "
        "then the zero point; sums with floats of 8 bits are in f32, and their results saturate",
        "as onnxruntime; the ReferenceEvaluator adds the zero point before it rounds",
        "ONNX: QLinearMatMul, QLinearConv",
        "onnx_zero_points_follow_the_rounding",
    ),
    E(
        46,
        "scale and zero point must have one shape, and ONNX's node tests give a scalar and a vector of one",
        "one element is a scalar, whether or not in a vector",
        "both runtimes take them",
        "ONNX: QuantizeLinear, DequantizeLinear",
        "onnx_a_vector_of_one_is_a_scalar",
    ),
    E(
        47,
        "the formula remains the same for zero points of floats of 8, 6 and 4 bits",
        "for 6 and 4 bits added in f32 (to quotients in f64, in f64), or subtracted in f32; for 8 bits 0, "
        "else a violation where it is known",
        "the words; the ReferenceEvaluator drops those of 8 bits, and of 4 bits where it dequantizes",
        "ONNX: QuantizeLinear 23, DequantizeLinear 23",
        "onnx_zero_points_of_floats",
    ),
)


def table() -> str:
    """Return the errata as lines of text: the text, our choice, the reason, and the test that shows it."""
    return "\n".join(
        f"{row.id}: {row.text}\n  where: {row.section}\n  we do: {row.we_do}\n"
        f"  why: {row.why}\n  shown by: {row.test}"
        for row in ERRATA
    )
