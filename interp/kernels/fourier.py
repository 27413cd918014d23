"""fft by the array module's own transforms of complex<f64>, rounded once (E36)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interp.backends import Array, State
from interp.engine.evaluate import Context
from spec.ir import Op
from spec.types import complex_part


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
