"""The constraint rows of triangular_solve, cholesky and fft."""

from __future__ import annotations

from spec.ir import Op
from spec.rules.common import SHOWN, vector
from spec.rules.constraint import C, Constraint, Input
from spec.rules.elementwise import real_part
from spec.rules.members import (
    element_type,
    is_per_tensor,
    kind,
    operand,
    rank,
    shape,
    values,
)
from spec.types import ElementType

FIELDS = ("float", "complex", "quantized")
TRANSPOSES = ("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT")
FFT_TYPES = ("FFT", "IFFT", "RFFT", "IRFFT")


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


def flag(number: int, name: str) -> Constraint:
    return Input(
        number, f"{name}: constant of type i1", lambda op: op[name] is True or op[name] is False, name
    )


def solvable(op: Op) -> bool:
    """Return whether batches agree, and the matrices are square and as large as the side of b they act on."""
    a, b = map(shape, op.operands)
    return a[:-2] == b[:-2] and a[-2] == a[-1] == b[-2 if op["left_side"] else -1]


TRIANGULAR_SOLVE = (
    takes(2),
    flag(3, "left_side"),
    flag(4, "lower"),
    flag(5, "unit_diagonal"),
    Input(
        6,
        "transpose_a: enum of NO_TRANSPOSE, TRANSPOSE, and ADJOINT",
        lambda op: op["transpose_a"] in TRANSPOSES,
        "transpose_a",
    ),
    C(1, "baseline_element_type(a) = baseline_element_type(b)", show=SHOWN),
    C(2, "2 <= rank(a) = rank(b)", show=SHOWN),
    C(
        3,
        "shape(a)[:-2] = shape(b)[:-2] and dim(a, -2) = dim(a, -1) = dim(b, left_side ? -2 : -1)",
        solvable,
        f"left_side, {SHOWN}",
    ),
    C(4, "baseline_type(b) = baseline_type(result)", show=SHOWN),
)

CHOLESKY = (
    takes(1),
    flag(2, "lower"),
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
    Input(
        2,
        "fft_type: enum of FFT, IFFT, RFFT, and IRFFT",
        lambda op: op["fft_type"] in FFT_TYPES,
        "fft_type",
    ),
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
