"""The constraint rows of triangular_solve, cholesky, fft, the batch norms and random numbers."""

from __future__ import annotations

from spec.ir import Op, Value
from spec.rules.constraint import SHOWN, C, Constraint, Input, scalar, vector
from spec.rules.elementwise import real_part
from spec.rules.members import element_type, is_per_tensor, kind, operand, rank, shape, values
from spec.types import ElementType

FIELDS = ("float", "complex", "quantized")


def takes(count: int) -> Constraint:
    return Input(
        1,
        f"{count} operands and a result: of floating-point or complex or per-tensor quantized type",
        lambda op: (
            len(op.operands) == count
            and len(op.results) == 1
            and all(kind(element_type(v)) in FIELDS and is_per_tensor(v) for v in values(op))
        ),
        SHOWN,
    )


TRIANGULAR_SOLVE = (
    takes(2),
    Input(3, "left_side: constant of type i1"),
    Input(4, "lower: constant of type i1"),
    Input(5, "unit_diagonal: constant of type i1"),
    Input(6, "transpose_a: enum of NO_TRANSPOSE, TRANSPOSE, and ADJOINT"),
    C(1, "baseline_element_type(a) = baseline_element_type(b)", show=SHOWN),
    C(2, "2 <= rank(a) = rank(b)", show=SHOWN),
    C(
        3,
        "shape(a)[:-2] = shape(b)[:-2] and dim(a, -2) = dim(a, -1) = dim(b, left_side ? -2 : -1)",
        show=f"left_side, {SHOWN}",
    ),
    C(4, "baseline_type(b) = baseline_type(result)", show=SHOWN),
)

CHOLESKY = (
    takes(1),
    Input(2, "lower: constant of type i1"),
    C(1, "baseline_type(a) = baseline_type(result)", show=SHOWN),
    C(2, "2 <= rank(a)", show=SHOWN),
    C(3, "dim(a, -2) = dim(a, -1)", show=SHOWN),
)


def transforms(op: Op) -> bool:
    """Return whether the element types are those that `fft_type` requires."""
    source, result = element_type(operand(op)), element_type(op.result)
    if not isinstance(source, ElementType) or not isinstance(result, ElementType):
        return False
    kinds = {"RFFT": ("float", "complex"), "IRFFT": ("complex", "float")}
    alike = real_part(source) == real_part(result)
    return alike and (source.kind, result.kind) == kinds.get(op["fft_type"], ("complex", "complex"))


def is_halved(op: Op) -> bool:
    """Return whether shapes agree, except that a real side's last size n is n / 2 + 1 on the other side."""
    source, result = shape(operand(op)), shape(op.result)
    half = lambda n: n // 2 + 1 if n else 0
    if op["fft_type"] == "RFFT":
        return result == (*source[:-1], half(source[-1]))
    if op["fft_type"] == "IRFFT":
        return source == (*result[:-1], half(result[-1]))
    return source == result


def lengths(op: Op) -> bool:
    """Return whether `fft_length` equals the last sizes of the real operand or result."""
    reals = [v for v in values(op) if kind(element_type(v)) == "float"]
    return all(shape(v)[rank(v) - len(op["fft_length"]) :] == op["fft_length"] for v in reals)


FFT = (
    Input(
        1,
        "operand and result: tensors of floating-point or complex type",
        lambda op: (
            len(op.operands) == len(op.results) == 1
            and all(kind(element_type(v)) in ("float", "complex") for v in values(op))
        ),
        SHOWN,
    ),
    Input(2, "fft_type: enum of FFT, IFFT, RFFT, and IRFFT"),
    vector(3, "fft_length"),
    C(1, "size(fft_length) <= rank(operand)", show=SHOWN),
    C(2, "the element types of operand and result are those of fft_type", transforms, f"fft_type, {SHOWN}"),
    C(3, "1 <= size(fft_length) <= 3", show="fft_length"),
    C(
        4,
        "shape(real)[-size(fft_length):] = fft_length for a tensor `real` of a floating-point type",
        lengths,
        f"fft_length, {SHOWN}",
    ),
    C(
        5,
        "shape(result) = shape(operand), but for the last dimension of RFFT and IRFFT",
        is_halved,
        f"fft_type, {SHOWN}",
    ),
)

CONSTRAINTS: dict[str, tuple[Constraint, ...]] = {
    "stablehlo.cholesky": CHOLESKY,
    "stablehlo.fft": FFT,
    "stablehlo.triangular_solve": TRIANGULAR_SOLVE,
}


# The constraint rows of batch_norm_training, batch_norm_inference and batch_norm_grad.

Rows = tuple[Constraint, ...]


def is_real(value: Value) -> bool:
    """Return whether a value is a floating-point or per-tensor quantized tensor."""
    return kind(element_type(value)) in ("float", "quantized") and is_per_tensor(value)


def takes_and_gives(operands: int, results: int) -> Constraint:
    return Input(
        1,
        f"operand: the first of {operands} operands for {results} results, of floating-point or per-tensor "
        "quantized type",
        lambda op: (
            len(op.operands) == operands and len(op.results) == results and all(map(is_real, values(op)))
        ),
        SHOWN,
    )


def vectors(names: str, last: int) -> Constraint:
    """Return the row for vector operands, from the second to number `last`."""
    return Input(
        2, f"{names}: 1-dimensional", lambda op: all(rank(v) == 1 for v in op.operands[1:last]), SHOWN
    )


def attributes(number: int) -> Rows:
    """Return the rows of epsilon, which has this number, and feature_index."""
    return Input(number, "epsilon: constant of type f32"), scalar(number + 1, "feature_index")


FEATURE = C(1, "0 <= feature_index < rank(operand)", show="feature_index, rank(operand)")


def baselines_row(names: str) -> Constraint:
    return C(2, f"{names} have the same baseline_element_type", show=SHOWN)


def feature_size_row(number: int, name: str, result: int | None = None) -> Constraint:
    """Return the row for a vector; the text leaves the rank of results open, which are vectors too."""
    holds = lambda op: shape(op.results[result]) == (shape(operand(op))[op["feature_index"]],)
    formula = f"size({name}) = dim(operand, feature_index)"
    return C(number, formula, holds if result else None, f"feature_index, {SHOWN}")


TYPES = C(7, "baseline_type(operand) = baseline_type(results[0])", show=SHOWN)
BATCH_NORM_INFERENCE = (
    takes_and_gives(5, 1),
    vectors("scale, offset, mean, variance", 5),
    *attributes(6),
    FEATURE,
    baselines_row("operand, scale, offset, mean, variance and result"),
    feature_size_row(3, "scale"),
    feature_size_row(4, "offset"),
    feature_size_row(5, "mean"),
    feature_size_row(6, "variance"),
    TYPES,
)
BATCH_NORM_TRAINING = (
    takes_and_gives(3, 3),
    vectors("scale, offset", 3),
    *attributes(4),
    FEATURE,
    baselines_row("operand, scale, offset, batch_mean, batch_var and output"),
    feature_size_row(3, "scale"),
    feature_size_row(4, "offset"),
    feature_size_row(5, "batch_mean", 1),
    feature_size_row(6, "batch_var", 2),
    TYPES,
)


BATCH_NORM_GRAD = (
    takes_and_gives(5, 3),
    vectors("scale, mean, variance", 4),
    *attributes(6),
    FEATURE,
    baselines_row("operand, scale, mean, variance, grad_output, grad_operand, grad_scale and grad_offset"),
    C(3, "operand, grad_output and grad_operand have the same shape", show=SHOWN),
    C(4, "scale, mean, variance, grad_scale and grad_offset have the same shape", show=SHOWN),
    feature_size_row(5, "scale"),
)

NORMALIZATION_CONSTRAINTS: dict[str, Rows] = {
    "stablehlo.batch_norm_grad": BATCH_NORM_GRAD,
    "stablehlo.batch_norm_inference": BATCH_NORM_INFERENCE,
    "stablehlo.batch_norm_training": BATCH_NORM_TRAINING,
}


# The constraint rows of rng and rng_bit_generator.

SIZES = {"DEFAULT": (2, 3), "THREE_FRY": (2,), "PHILOX": (2, 3)}
SCALARS = ("boolean", "signed", "unsigned", "float")


def is_state(op: Op) -> bool:
    type = operand(op).type
    return len(op.operands) == 1 and len(op.results) == 2 and type.rank == 1 and repr(type).endswith("xui64>")


RNG_BIT_GENERATOR = (
    Input(1, "rng_algorithm: enum of DEFAULT, THREE_FRY and PHILOX"),
    Input(2, "initial_state: 1-dimensional tensor of type ui64", is_state, SHOWN),
    C(1, "type(initial_state) = type(output_state)", show=SHOWN),
    C(
        2,
        "size(initial_state) is 2 if rng_algorithm = THREE_FRY, else 2 or 3",
        lambda op: shape(operand(op))[0] in SIZES[op["rng_algorithm"]],
        f"rng_algorithm, {SHOWN}",
    ),
    C(
        3,
        "output: tensor of integer or floating-point type",
        lambda op: kind(element_type(op.results[1])) in ("signed", "unsigned", "float"),
        SHOWN,
    ),
)


def are_bounds(op: Op) -> bool:
    """Return whether a and b are scalars of a type with an order."""
    bounds = op.operands[:2]
    return (
        len(op.operands) == 3
        and len(op.results) == 1
        and all(rank(v) == 0 and kind(element_type(v)) in SCALARS for v in bounds)
    )


RNG = (
    Input(1, "a, b: 0-dimensional tensors of integer, boolean, or floating-point type", are_bounds, SHOWN),
    Input(
        3,
        "shape: 1-dimensional tensor of type si64",
        lambda op: repr(op.operands[2].type).endswith("xi64>") and rank(op.operands[2]) == 1,
        SHOWN,
    ),
    Input(4, "rng_distribution: enum of UNIFORM and NORMAL"),
    C(1, "element_type(a) = element_type(b) = element_type(result)", show=SHOWN),
    C(2, "if rng_distribution = NORMAL, then is_float(a)", show=f"rng_distribution, {SHOWN}"),
    C(
        3,
        "shape(result) = shape, of which the size of shape is known: rank(result)",
        lambda op: shape(op.operands[2]) == (rank(op.result),),
        SHOWN,
    ),
)

RANDOM_CONSTRAINTS: dict[str, tuple[Constraint, ...]] = {
    "stablehlo.rng": RNG,
    "stablehlo.rng_bit_generator": RNG_BIT_GENERATOR,
}
