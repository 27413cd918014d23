"""PyTorch's eager operators: each runs as soon as it is written.

A quantized value is a tensor of its stored numbers; an operator that takes quantized tensors gets it as one.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from interp.apps.runtimes.translation import NotExpressible, Operand, Refused, announce, need
from interp.backends.dtypes import numpy_dtype
from spec.quantized import storage_range
from spec.types import ElementType, QuantizedType, TensorType

warnings.filterwarnings("ignore", category=UserWarning, module="torch|interp")  # of deprecation
DTYPES = {
    "i1": "bool",
    "bf16": "bfloat16",
    "f16": "float16",
    "f32": "float32",
    "f64": "float64",
    "f8E4M3FN": "float8_e4m3fn",
    "f8E4M3FNUZ": "float8_e4m3fnuz",
    "f8E5M2": "float8_e5m2",
    "f8E5M2FNUZ": "float8_e5m2fnuz",
    "complex<f32>": "complex64",
    "complex<f64>": "complex128",
    **{f"i{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
    **{f"ui{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)},
}
QUANTIZED = {"i8": torch.qint8, "ui8": torch.quint8, "i32": torch.qint32}
BITS = {1: "uint8", 2: "int16"}  # dtypes by which floats pass that NumPy itself does not have


def is_native(type: ElementType) -> bool:
    """Return whether NumPy itself has the element type, so that arrays of it pass in and out."""
    return type.kind != "float" or type.name in ("f16", "f32", "f64")


def dtype_of(type: ElementType) -> Any:
    """Return PyTorch's dtype of an element type."""
    need(type.name in DTYPES, f"element type {type}")
    return getattr(torch, DTYPES[type.name])


def quantized_dtype(type: QuantizedType) -> Any:
    """Return the dtype of quantized tensors, of which only some storage types have one."""
    need(type.storage_type.name in QUANTIZED, f"quantized {type.storage_type}")
    bounds = type.storage_min, type.storage_max
    need(bounds == storage_range(type.storage_type), "storage bounds narrower than the type")
    need(type.expressed_type.name == "f32", f"expressed type {type.expressed_type}")
    need(type.block_sizes is None, "scales per block")
    return QUANTIZED[type.storage_type.name]


def scales(type: QuantizedType) -> list[float]:
    """Return the scales, rounded to the expressed type."""
    return np.array(type.scales, np.float32).tolist()


class TorchGraph:
    """Record of what ran, and the means to run more."""

    def __init__(self) -> None:
        self.how: list[str] = []
        torch.set_num_threads(1)

    def argument(self, name: str, type: TensorType, x: np.ndarray) -> Operand:
        return self.constant(type, x)

    def constant(self, type: TensorType, x: np.ndarray) -> Operand:
        full = np.broadcast_to(x, type.shape).copy()
        dtype = dtype_of(type.storage_type)
        if is_native(type.storage_type):
            return Operand(torch.from_numpy(full), type, full)
        return Operand(torch.from_numpy(full.view(BITS[dtype.itemsize])).view(dtype), type, full)

    def call(self, function: Callable[..., Any], *args: Any, **options: Any) -> Any:
        """Run an operator; what it raises is its refusal."""
        announce(self.how)
        try:
            return function(*args, **options)
        except (RuntimeError, NotImplementedError, TypeError, IndexError, ValueError) as error:
            raise Refused(str(error).partition("\n")[0]) from None

    def run(self, results: Sequence[Operand]) -> list[np.ndarray]:
        return [to_array(x.handle, x.type) for x in results]


def to_array(x: Any, type: TensorType) -> np.ndarray:
    """Return a tensor's elements as they are stored here."""
    x = x.detach().contiguous()
    if x.dtype != dtype_of(type.storage_type) or tuple(x.shape) != type.shape:
        raise NotExpressible(f"a result of {tuple(x.shape)} {x.dtype}, not {type}")
    wanted = numpy_dtype(type.storage_type)
    if is_native(type.storage_type):
        return np.asarray(x.numpy())
    bits = getattr(torch, BITS[x.dtype.itemsize])
    return np.asarray(x.view(bits).numpy()).view(wanted)


def as_quantized(graph: TorchGraph, x: Operand) -> Any:
    """Return a quantized tensor for stored numbers."""
    type = x.quantized_type
    quantized_dtype(type)
    if type.is_per_tensor:
        make = torch._make_per_tensor_quantized_tensor
        return graph.call(make, x.handle, scales(type)[0], type.zero_point)
    parameters = torch.tensor(scales(type), dtype=torch.float64), torch.tensor(type.zero_points)
    axis = type.quantization_dimension
    return graph.call(torch._make_per_channel_quantized_tensor, x.handle, *parameters, axis)


def versions() -> str:
    """Return the versions of what runs."""
    return f"torch {torch.__version__}, engine {torch.backends.quantized.engine}"
