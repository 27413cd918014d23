"""Fourier transforms, DFT and STFT, by StableHLO's fft: complex numbers are pairs in the last dimension."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from interp.apps.onnx.loading.node import Build, Node
from interp.loading.build import F32, F64, I64, Folds
from spec.ir import Value
from spec.types import ELEMENT_TYPES, ElementType, TensorType

MANY = 1 << 26  # numbers in all frames of a signal
COMPLEX = {"f32": ELEMENT_TYPES["complex<f32>"], "f64": ELEMENT_TYPES["complex<f64>"]}


def dft(n: Node) -> Value:
    """Return the transform along an axis, whose signals are cut or filled up with zeros to a length."""
    x = n.value(0)
    axis = _axis(n, x)
    inverse, onesided = bool(n.attribute("inverse", 0)), bool(n.attribute("onesided", 0))
    size = x.type.shape[axis]
    default = 2 * (size - 1) if inverse and onesided else size
    length = int(n.constant(1).reshape(-1)[0]) if n.has(1) else default
    if length < 1:
        raise n.malformed_error(f"a transform of {length} numbers")
    return transform(n, x, axis, length, inverse, onesided)


def _axis(n: Node, x: Value) -> int:
    """Return the axis, an attribute in the first version: any but the last, which makes numbers complex."""
    if x.type.rank < 2 or x.type.shape[-1] not in (1, 2):
        raise n.malformed_error(f"expected a last dimension of 1 or 2, got {x.type!r}")
    default = 1 if n.version < 20 else -2
    given = int(n.constant(2).reshape(-1)[0]) if n.has(2) else n.attribute("axis", default)
    axis = n.place(given, x.type.rank)
    if axis == x.type.rank - 1:
        raise n.malformed_error(f"axis {given} is that of the parts of complex numbers")
    return axis


def transform(n: Node, x: Value, axis: int, length: int, inverse: bool, onesided: bool) -> Value:
    """Return the transform of pairs, or of real numbers, along an axis; f16 and bf16 are computed in f32."""
    element, is_complex = x.type.tensor_element_type, x.type.shape[-1] == 2
    if onesided and is_complex != inverse:
        wanted = "complex numbers of an inverse" if inverse else "real numbers"
        raise n.malformed_error(f"a onesided transform is of {wanted}, got {x.type!r}")
    x = n.b.convert(x, F64 if element == F64 else F32)
    order = [d for d in range(x.type.rank - 1) if d != axis]
    x = n.b.transpose(x, (*order, axis, x.type.rank - 1))
    kept = length // 2 + 1 if onesided and inverse else length
    x = _resize(n.b, x, kept)
    kind = ("IRFFT" if inverse else "RFFT") if onesided else ("IFFT" if inverse else "FFT")
    out = _fft(n.b, x, kind, length)
    back = np.argsort([*order, axis]).tolist()
    return n.b.convert(n.b.transpose(out, (*back, x.type.rank - 1)), element)


def _resize(b: Folds, x: Value, length: int) -> Value:
    """Return x with the last dimension but one cut to a length, or filled up with zeros."""
    padding = [(0, 0)] * (x.type.rank - 2) + [(0, length - x.type.shape[-2]), (0, 0)]
    return b.pad(x, b.full(0, x.type.tensor_element_type), padding)


def _fft(b: Folds, x: Value, kind: str, length: int) -> Value:
    """Return StableHLO's fft of pairs, as pairs."""
    shape, real = x.type.shape[:-1], x.type.tensor_element_type
    parts = [b.reshape(b.slice_in(x, len(shape), k, k + 1), shape) for k in range(x.type.shape[-1])]
    operand = parts[0] if kind == "RFFT" else _complex(b, parts)
    size = length // 2 + 1 if kind == "RFFT" else length
    element: ElementType = real if kind == "IRFFT" else COMPLEX[real.name]
    type = TensorType((*shape[:-1], size), element)
    out = b.emit("fft", [operand], type, (), fft_type=kind, fft_length=(length,))
    if kind == "IRFFT":
        return b.reshape(out, (*type.shape, 1))
    return stack_parts(b, out, real)


def _complex(b: Folds, parts: Sequence[Value]) -> Value:
    real = parts[0]
    imaginary = parts[1] if len(parts) == 2 else b.full(0, real.type)
    type = TensorType(real.type.shape, COMPLEX[real.type.tensor_element_type.name])
    return b.emit("complex", [real, imaginary], type)


def stack_parts(b: Folds, x: Value, real: ElementType) -> Value:
    """Return complex numbers as pairs in a new last dimension."""
    type = TensorType(x.type.shape, real)
    parts = [b.reshape(b.emit(name, [x], type), (*type.shape, 1)) for name in ("real", "imag")]
    return b.concatenate(parts, len(type.shape))


def stft(n: Node) -> Value:
    """Return the transforms of the frames of signals, each multiplied with a window."""
    x = n.value(0)
    if x.type.rank == 2:
        x = n.b.reshape(x, (*x.type.shape, 1))
    if x.type.rank != 3 or x.type.shape[-1] not in (1, 2):
        raise n.malformed_error(f"expected (batch, length, 1 or 2), got {x.type!r}")
    size = x.type.shape[1]
    step = int(n.constant(1).reshape(-1)[0])
    default = n.type(2).size if n.has(2) else size
    length = int(n.constant(3).reshape(-1)[0]) if n.has(3) else default
    if step < 1 or not 1 <= length <= size or (n.has(2) and n.type(2).shape != (length,)):
        raise n.malformed_error(f"frames of {length} with a step of {step} of {size} numbers")
    count = (size - length) // step + 1
    if count * length > MANY:
        raise n.unsupported_error(f"{count} frames of {length} numbers", f"at most {MANY} numbers in all")
    places = np.arange(count)[:, None] * step + np.arange(length)
    frames = n.b.gather(x, n.b.array(places, I64), 1)
    if n.has(2):
        window = n.b.convert(n.value(2), x.type.tensor_element_type)
        frames = n.b.binary("multiply", frames, n.b.place(window, frames.type.shape, (2,)))
    return transform(n, frames, 2, length, False, bool(n.attribute("onesided", 1)))


TABLE: dict[str, Build] = {"DFT": dft, "STFT": stft}
