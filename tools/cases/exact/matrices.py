"""Triangular systems and Cholesky factors of floats and complex numbers, recursively by index."""

from __future__ import annotations

from functools import cache
from typing import Any

from cases.exact import floats
from cases.exact.evaluate import Array, Index, Program, indices, number, plain, put
from cases.exact.operations import product, ratio
from cases.exact.quantization import ELEMENT
from spec.ir import Op


class Field:
    """The four operations that a factorization takes, of floats or pairs."""

    def __init__(self, type: Any) -> None:
        self.complex = type.kind == "complex"
        self.t = ELEMENT(type).name if self.complex else type.name

    def less(self, a: Any, b: Any, c: Any) -> Any:
        """Return `a - b * c`, each operation rounded."""
        if not self.complex:
            return floats.subtract(a, floats.multiply(b, c, self.t), self.t)
        return tuple(floats.subtract(x, y, self.t) for x, y in zip(a, product(b, c, self.t), strict=True))

    def over(self, a: Any, b: Any) -> Any:
        return ratio(a, b, self.t) if self.complex else floats.divide(a, b, self.t)

    def bar(self, a: Any) -> Any:
        return (a[0], -a[1]) if self.complex else a

    def over_real(self, a: Any, b: float) -> Any:
        return tuple(floats.divide(x, b, self.t) for x in a) if self.complex else floats.divide(a, b, self.t)

    def root(self, a: Any) -> float:
        return floats.square_root(a[0] if self.complex else a, self.t)


def triangular_solve(p: Program, op: Op, a: Array, b: Array) -> dict[Index, Any]:
    field, transposed = Field(plain(a.type)), op["transpose_a"] != "NO_TRANSPOSE"
    left, n = op["left_side"], a.type.shape[-1]

    def entry(batch: Index, i: int, j: int) -> Any:
        """Return the matrix that multiplies x from the left, if x is a column."""
        i, j = (j, i) if transposed == left else (i, j)
        x = number(a, (*batch, i, j))
        return field.bar(x) if op["transpose_a"] == "ADJOINT" else x

    lower = op["lower"] ^ transposed if left else not op["lower"] ^ transposed

    @cache
    def solved(batch: Index, i: int, k: int) -> Any:
        x = number(b, (*batch, i, k) if left else (*batch, k, i))
        for j in range(i) if lower else range(n - 1, i, -1):
            x = field.less(x, entry(batch, i, j), solved(batch, j, k))
        return x if op["unit_diagonal"] else field.over(x, entry(batch, i, i))

    found = {}
    for index in indices(op.result.type.shape):
        *batch, i, k = index
        x = solved(tuple(batch), i, k) if left else solved(tuple(batch), k, i)
        found[index] = put(x, op.result.type, index)
    return found


def cholesky(p: Program, op: Op, a: Array) -> dict[Index, Any]:
    field, lower = Field(plain(a.type)), op["lower"]

    @cache
    def factor(batch: Index, i: int, j: int) -> Any:
        """Return an element of the lower factor; the diagonal as real numbers."""
        x = number(a, (*batch, i, j)) if lower else field.bar(number(a, (*batch, j, i)))
        for k in range(j):
            x = field.less(x, full(batch, i, k), field.bar(full(batch, j, k)))
        return field.root(x) if i == j else field.over_real(x, factor(batch, j, j))

    def full(batch: Index, i: int, j: int) -> Any:
        x = factor(batch, i, j) if i >= j else 0.0
        return (x, 0.0) if field.complex and isinstance(x, float) else x

    found = {}
    for index in indices(op.result.type.shape):
        *batch, i, j = index
        x = full(tuple(batch), i, j) if lower else field.bar(full(tuple(batch), j, i))
        found[index] = put(x, op.result.type, index)
    return found
