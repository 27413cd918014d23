"""Linear algebra whose every step rounds (E35), and fft, which rounds once (E36)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interp.backends import Array, Namespace, State
from interp.engine.evaluate import Context
from interp.engine.quant import complex_parts
from interp.engine.storage import expressed_type
from interp.kernels.elementwise import plain, through_floats
from spec.ir import Op
from spec.types import ElementType, complex_part


class Field:
    """The rounding arithmetic of a type: floats or complex numbers."""

    def __init__(self, xp: Namespace, type: ElementType) -> None:
        self.xp, self.type, self.is_complex = xp, type, type.kind == "complex"
        self.part = complex_part(type) if self.is_complex else type
        self.multiply, self.subtract, self.divide = (
            plain(xp, name, type, type) for name in ("multiply", "subtract", "divide")
        )
        self._divide_parts = plain(xp, "divide", self.part, self.part)

    def conjugate(self, x: Array) -> Array:
        if not self.is_complex:
            return x
        real, imag = complex_parts(self.xp, x, self.type)
        return self.xp.join_complex(real, -imag, self.xp.carrier(self.type))

    def from_real(self, x: Array) -> Array:
        if not self.is_complex:
            return x
        return self.xp.join_complex(x, self.xp.zeros_like(x), self.xp.carrier(self.type))

    def root(self, x: Array) -> Array:
        """Return the square root of the real part, a real number."""
        real = complex_parts(self.xp, x, self.type)[0] if self.is_complex else x
        return plain(self.xp, "sqrt", self.part, self.part)(real)

    def divide_by_real(self, x: Array, y: Array) -> Array:
        if not self.is_complex:
            return self._divide_parts(x, y)
        real, imag = (self._divide_parts(p, y) for p in complex_parts(self.xp, x, self.type))
        return self.xp.join_complex(real, imag, self.xp.carrier(self.type))


def _triangular_solve(ctx: Context, op: Op, a: Array, b: Array) -> State:
    """Reduce the problem to `m x = b`, with `m[column, row, batch, 1]` and `b[row, batch, column]`."""
    xp, field = ctx.xp, Field(ctx.xp, expressed_type(op.operands[0].type.element_type))
    left, turned = op["left_side"], op["transpose_a"] != "NO_TRANSPOSE"
    if op["transpose_a"] == "ADJOINT":
        a = field.conjugate(a)
    lower = op["lower"] != turned if left else op["lower"] == turned
    a = a if turned == left else xp.swapaxes(a, -1, -2)
    columns = xp.moveaxis(a, (-2, -1), (0, 1))[..., None]
    right = xp.moveaxis(b if left else xp.swapaxes(b, -1, -2), -2, 0)
    solved = xp.moveaxis(_substitute(field, columns, right, lower, op["unit_diagonal"]), 0, -2)
    return (solved if left else xp.swapaxes(solved, -1, -2),)


def _substitute(field: Field, columns: Array, right: Array, lower: bool, unit_diagonal: bool) -> Array:
    """Solve for one row after the other, and subtract its contribution from all remaining rows."""
    xp, n = field.xp, right.shape[0]
    index = xp.arange(n).reshape(-1, *[1] * (right.ndim - 1))

    def step(i: Array, state: State) -> State:
        (rest,) = state
        row = i if lower else n - 1 - i
        column = columns[row]
        x = rest[row] if unit_diagonal else field.divide(rest[row], column[row])
        remaining = index > row if lower else index < row
        less = field.subtract(rest, field.multiply(column, x[None]))
        return (xp.where(remaining, less, xp.where(index == row, x[None], rest)),)

    return xp.fori_loop(0, n, step, (right,))[0]


def _cholesky(ctx: Context, op: Op, a: Array) -> State:
    """Factor the lower triangle; for an upper one, factor the adjoint."""
    xp, field = ctx.xp, Field(ctx.xp, expressed_type(op.operands[0].type.element_type))
    if not op["lower"]:
        a = field.conjugate(xp.swapaxes(a, -1, -2))
    factor = xp.moveaxis(_factor(field, xp.moveaxis(a, (-2, -1), (0, 1))), (0, 1), (-2, -1))
    return (factor if op["lower"] else field.conjugate(xp.swapaxes(factor, -1, -2)),)


def _factor(field: Field, a: Array) -> Array:
    """Compute one column after the other, and subtract its products from all remaining columns."""
    xp, n = field.xp, a.shape[0]
    rows = xp.arange(n).reshape(-1, *[1] * (a.ndim - 2))

    def step(j: Array, state: State) -> State:
        (rest,) = state
        column = rest[:, j]
        root = field.root(column[j])
        below = field.divide_by_real(column, root[None])
        diagonal = xp.where(rows == j, field.from_real(root)[None], xp.zeros_like(below))
        column = xp.where(rows > j, below, diagonal)
        products = field.multiply(column[:, None], field.conjugate(column)[None])
        remaining = (rows[None] > j) & (rows[:, None] >= rows[None])
        rest = xp.where(remaining, field.subtract(rest, products), rest)
        return (xp.where(rows[None] == j, column[:, None], rest),)

    return xp.fori_loop(0, n, step, (a,))[0]


KERNELS: dict[str, Callable[..., Any]] = {
    "stablehlo.cholesky": through_floats(_cholesky),
    "stablehlo.triangular_solve": through_floats(_triangular_solve),
}


# fft by the array module's own transforms of complex<f64>, rounded once (E36).


def fft(ctx: Context, op: Op, operand: Array) -> State:
    """Transform the last dimensions; if any number of a transform is not finite, all its results are NaN."""
    xp, source, result = ctx.xp, op.operand.type.tensor_element_type, op.result.type.tensor_element_type
    axes = tuple(range(operand.ndim - len(op["fft_length"]), operand.ndim))
    if not op.result.type.size:
        return (xp.zeros(op.result.type.shape, xp.carrier(result)),)
    wide = operand.astype(xp.complex128 if source.kind == "complex" else xp.float64)
    finite = xp.isfinite(wide).all(axes, keepdims=True)
    wide = xp.where(finite, wide, xp.zeros_like(wide))
    sizes = {"s": [op.result.type.shape[d] for d in axes]} if op["fft_type"] == "IRFFT" else {}
    found = getattr(xp.fft, NAMES[op["fft_type"]])(wide, axes=axes, **sizes)
    if result.kind != "complex":
        return (xp.where(finite, xp.round_to(found, result), xp.nan),)
    part = complex_part(result)
    parts = (p.astype(xp.float64) for p in (xp.real(found), xp.imag(found)))
    real, imag = (xp.where(finite, xp.round_to(p, part), xp.nan) for p in parts)
    return (xp.join_complex(real, imag, xp.carrier(result)),)


NAMES = {"FFT": "fftn", "IFFT": "ifftn", "RFFT": "rfftn", "IRFFT": "irfftn"}
TRANSFORMS: dict[str, Callable[..., Any]] = {"stablehlo.fft": fft}
