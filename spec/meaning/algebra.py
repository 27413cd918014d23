"""triangular_solve, cholesky (every operation rounds, in the order of E35), and fft (rounded once, E36)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import MAX_EMAX, MIN_EMIN, Decimal, getcontext, localcontext
from fractions import Fraction
from math import isfinite, nan, prod
from typing import Any, NamedTuple

from spec.formats import round_to
from spec.ir import Op
from spec.meaning import complexes, numbers, transcendental
from spec.meaning.complex_pairs import multiply
from spec.meaning.index import Context, Index, Meaning, Results, Tensor, build, index_space
from spec.meaning.notation import dequantize_op_quantize
from spec.meaning.transcendental import pi, sin_cos
from spec.types import ElementType, TensorType, complex_part

Matrix = list[list[Any]]


class Field(NamedTuple):
    """The arithmetic of an element type: floats or complex numbers."""

    type: ElementType

    def multiply(self, x: Any, y: Any) -> Any:
        f = complexes.multiply if self.type.kind == "complex" else numbers.multiply
        return f(x, y, self.type)

    def subtract(self, x: Any, y: Any) -> Any:
        f = complexes.subtract if self.type.kind == "complex" else numbers.subtract
        return f(x, y, self.type)

    def divide(self, x: Any, y: Any) -> Any:
        f = complexes.divide if self.type.kind == "complex" else numbers.divide
        return f(x, y, self.type)

    def conjugate(self, x: Any) -> Any:
        return x.conjugate() if self.type.kind == "complex" else x

    def root(self, x: Any) -> float:
        """Return the square root of the real part."""
        part = complex_part(self.type) if self.type.kind == "complex" else self.type
        return transcendental.sqrt(x.real, part)

    def divide_by_real(self, x: Any, y: float) -> Any:
        if self.type.kind != "complex":
            return numbers.divide(x, y, self.type)
        part = complex_part(self.type)
        return complex(numbers.divide(x.real, y, part), numbers.divide(x.imag, y, part))


def triangular_solve(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """Return the solution x of op(a) x = b, or of x op(a) = b if `left_side` is false."""

    def on_floats(a: Tensor, b: Tensor) -> Tensor:
        field, left = Field(b.type.storage_type), op["left_side"]
        turned = op["transpose_a"] != "NO_TRANSPOSE"
        conjugate = field.conjugate if op["transpose_a"] == "ADJOINT" else lambda x: x
        lower = op["lower"] != turned if left else op["lower"] == turned
        solved: dict[Index, Any] = {}
        for batch in index_space(b.type.shape[:-2]):
            matrix = [[conjugate(x) for x in row] for row in rows(a, batch, turned == left)]
            columns = rows(b, batch, left)
            for k, column in enumerate(columns):
                x = substitute(field, matrix, column, lower, op["unit_diagonal"])
                solved.update({Index((*batch, *((i, k) if left else (k, i)))): v for i, v in enumerate(x)})
        return build(b.type, lambda index: solved[index])

    return (dequantize_op_quantize(on_floats, *operands, result_type=op.result.type),)


def substitute(
    field: Field, matrix: Matrix, right: Sequence[Any], lower: bool, unit_diagonal: bool
) -> list[Any]:
    """Return the solution x of matrix x = right: x[i] = (right[i] - matrix[i, j] x[j] - ...) / matrix[i, i].

    The terms of a row are subtracted in the order in which the x[j] are computed.
    """
    n = len(matrix)
    x: dict[int, Any] = {}
    for i in range(n) if lower else reversed(range(n)):
        rest = right[i]
        for j, known in x.items():
            rest = field.subtract(rest, field.multiply(matrix[i][j], known))
        x[i] = rest if unit_diagonal else field.divide(rest, matrix[i][i])
    return [x[i] for i in range(n)]


def rows(x: Tensor, batch: Index, transposed: bool) -> Matrix:
    """Return one matrix of a batch as a list of rows, or of columns."""
    m, n = x.type.shape[-2:]
    if transposed:
        return [[x[(*batch, i, k)] for i in range(m)] for k in range(n)]
    return [[x[(*batch, i, k)] for k in range(n)] for i in range(m)]


def cholesky(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """Return lower ? L : U with a = L adjoint(L) = adjoint(U) U, and zeros in the other triangle."""

    def on_floats(a: Tensor) -> Tensor:
        field, lower = Field(a.type.storage_type), op["lower"]
        conjugate = (lambda x: x) if lower else field.conjugate
        factors = {
            batch: factor(field, [[conjugate(x) for x in row] for row in rows(a, batch, not lower)])
            for batch in index_space(a.type.shape[:-2])
        }

        def element(index: Index) -> Any:
            *batch, i, j = index
            return conjugate(factors[Index(batch)][i if lower else j][j if lower else i])

        return build(a.type, element)

    return (dequantize_op_quantize(on_floats, *operands, result_type=op.result.type),)


def factor(field: Field, a: Matrix) -> Matrix:
    """l[i, j] = (a[i, j] - l[i, 0] conjugate(l[j, 0]) - l[i, 1] conjugate(l[j, 1]) - ...) / l[j, j]

    l[j, j] is the square root of the real part of this numerator.
    """
    n = len(a)
    zero = complex(0.0, 0.0) if field.type.kind == "complex" else 0.0
    factors: Matrix = [[zero] * n for _ in range(n)]
    for j in range(n):
        for i in range(j, n):
            rest = a[i][j]
            for k in range(j):
                rest = field.subtract(rest, field.multiply(factors[i][k], field.conjugate(factors[j][k])))
            if i == j:
                root = field.root(rest)
            factors[i][j] = type(zero)(root) if i == j else field.divide_by_real(rest, root)
    return factors


MEANINGS: dict[str, Meaning] = {
    "stablehlo.cholesky": cholesky,
    "stablehlo.triangular_solve": triangular_solve,
}


# fft: the sums of the discrete Fourier transform with many digits, rounded once (E36).

Pair = tuple[Decimal, Decimal]
DIGITS = 60  # beside those between the largest and the smallest operand
SPARE = 20  # of these, digits that sums may lose


def fft(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """FFT: result[..., j] = sum over k of operand[..., k] exp(-2 pi i j k / n), for each last dimension

    IFFT: with exp(+2 pi i j k / n), divided by the sizes. RFFT: only the first n / 2 + 1 results along the
    last dimension. IRFFT: the real part of IFFT, after adding the elements that RFFT leaves out.
    """
    (operand,) = operands
    type, L = op.result.type, len(op["fft_length"])
    found: dict[Index, Any] = {}
    for batch in index_space(operand.type.shape[: operand.type.rank - L]):
        inside = operand.type.shape[operand.type.rank - L :]
        values = {i: complex(operand[(*batch, *i)]) for i in index_space(inside)}
        places = list(index_space(type.shape[type.rank - L :]))
        for i, value in zip(places, transform(op["fft_type"], values, inside, places, type), strict=True):
            found[Index((*batch, *i))] = value
    return (Tensor(type, tuple(found[i] for i in index_space(type.shape))),)


def transform(
    fft_type: str, values: dict[Index, complex], inside: Sequence[int], places: list[Index], type: TensorType
) -> list[Any]:
    """Return the elements at `places`; NaN if an operand is not finite."""
    element = type.tensor_element_type
    if not all(isfinite(v.real) and isfinite(v.imag) for v in values.values()):
        return [complex(nan, nan) if element.kind == "complex" else nan] * len(places)
    exact = {i: (Decimal(v.real), Decimal(v.imag)) for i, v in values.items()}
    magnitudes = [d.adjusted() for pair in exact.values() for d in pair if d] or [0]
    precision = DIGITS + max(magnitudes) - min(magnitudes)
    with localcontext(prec=precision, Emin=MIN_EMIN, Emax=MAX_EMAX):
        sizes = (*inside[:-1], type.shape[-1]) if fft_type == "IRFFT" else tuple(inside)
        whole = exact if fft_type != "IRFFT" else complete(exact, sizes)
        sums = sum_terms(whole, sizes, -1 if fft_type in ("FFT", "RFFT") else 1)
        divisor = 1 if fft_type in ("FFT", "RFFT") else prod(sizes)
        rest = Decimal(10) ** (max(magnitudes) + SPARE - precision)
        return [round_quotient(sums[i], divisor, rest, element) for i in places]


def complete(half: dict[Index, Pair], sizes: Sequence[int]) -> dict[Index, Pair]:
    """Return all elements, those that RFFT leaves out as conjugates of those at negated indices."""
    found = {}
    for i in index_space(sizes):
        mirrored = Index(-k % n for k, n in zip(i, sizes, strict=True))
        re, im = half[i] if i in half else half[mirrored]
        found[i] = (re, im if i in half else -im)
    return found


def sum_terms(values: dict[Index, Pair], sizes: Sequence[int], sign: int) -> dict[Index, Pair]:
    """Return the transform along one dimension after the other."""
    for d, n in enumerate(sizes):
        turn = [root_of_unity(sign * k, n) for k in range(n)]
        values = {
            j: total(multiply(values[Index((*j[:d], k, *j[d + 1 :]))], turn[j[d] * k % n]) for k in range(n))
            for j in values
        }
    return values


def root_of_unity(k: int, n: int) -> Pair:
    """Return exp(2 pi i k / n), rounded to all but the last five digits, so that halves are exact."""
    sin, cos = sin_cos(2 * pi() * k / n)
    exponent = Decimal(10) ** (5 - getcontext().prec)
    return cos.quantize(exponent), sin.quantize(exponent)


def total(pairs: Iterable[Pair]) -> Pair:
    reals, imaginaries = zip(*pairs, strict=True)
    return sum(reals, Decimal(0)), sum(imaginaries, Decimal(0))


def round_quotient(x: Pair, divisor: int, rest: Decimal, type: ElementType) -> Any:
    """Return a sum divided and rounded once, or zero if it is only the error of cancelled digits."""
    part = complex_part(type) if type.kind == "complex" else type
    re, im = (round_to(Fraction(v) / divisor if abs(v) > rest else 0.0, part) for v in x)
    return complex(re, im) if type.kind == "complex" else re


FOURIER_MEANINGS: dict[str, Meaning] = {"stablehlo.fft": fft}
