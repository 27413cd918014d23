"""fft: the sums of the discrete Fourier transform with many digits, rounded once (E36)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import MAX_EMAX, MIN_EMIN, Decimal, getcontext, localcontext
from fractions import Fraction
from math import isfinite, nan, prod
from typing import Any

from spec.formats import round_to
from spec.ir import Op
from spec.meaning.context import Context, Meaning, Results
from spec.meaning.index import Index, Tensor, index_space
from spec.meaning.transcendental import pi, sin_cos
from spec.types import ElementType, TensorType, complex_part

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
            j: total(
                multiply_pairs(values[Index((*j[:d], k, *j[d + 1 :]))], turn[j[d] * k % n]) for k in range(n)
            )
            for j in values
        }
    return values


def root_of_unity(k: int, n: int) -> Pair:
    """Return exp(2 pi i k / n), rounded to all but the last five digits, so that halves are exact."""
    sin, cos = sin_cos(2 * pi() * k / n)
    exponent = Decimal(10) ** (5 - getcontext().prec)
    return cos.quantize(exponent), sin.quantize(exponent)


def multiply_pairs(x: Pair, y: Pair) -> Pair:
    return x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0]


def total(pairs: Iterable[Pair]) -> Pair:
    reals, imaginaries = zip(*pairs, strict=True)
    return sum(reals, Decimal(0)), sum(imaginaries, Decimal(0))


def round_quotient(x: Pair, divisor: int, rest: Decimal, type: ElementType) -> Any:
    """Return a sum divided and rounded once, or zero if it is only the error of cancelled digits."""
    part = complex_part(type) if type.kind == "complex" else type
    re, im = (round_to(Fraction(v) / divisor if abs(v) > rest else 0.0, part) for v in x)
    return complex(re, im) if type.kind == "complex" else re


FOURIER_MEANINGS: dict[str, Meaning] = {"stablehlo.fft": fft}
