"""triangular_solve and cholesky, element by element; every operation rounds, in the order of E35."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from spec.ir import Op
from spec.meaning import complexes, numbers, transcendental
from spec.meaning.context import Context, Meaning, Results
from spec.meaning.index import Index, Tensor, build, index_space
from spec.meaning.notation import dequantize_op_quantize
from spec.types import ElementType, complex_part

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
