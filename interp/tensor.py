"""Values at the border: a type and its stored elements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from interp.namespace import NUMPY
from interp.quant import dequantize, quantize
from spec.errors import Malformed
from spec.ir import Value
from spec.types import QuantizedType, TensorType


@dataclass(frozen=True, eq=False)
class Tensor:
    """`type` and `storage`, an ndarray of storage integers (or of the element type). `np.asarray(t)` is the
    storage."""

    type: TensorType
    storage: np.ndarray

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.storage, dtype=dtype, copy=copy)

    def dequantize(self) -> np.ndarray:
        """The expressed values, in the expressed type (the storage itself where the type is not
        quantized)."""
        element = self.type.element_type
        if not isinstance(element, QuantizedType):
            return self.storage
        carried = NUMPY.decode(self.storage, element.storage_type)
        with np.errstate(all="ignore"):
            return NUMPY.encode(dequantize(NUMPY, carried, element), element.expressed_type)

    def __eq__(self, other: object) -> bool:
        """Same type and the same bits."""
        return (
            isinstance(other, Tensor)
            and self.type == other.type
            and np.ascontiguousarray(self.storage).tobytes() == np.ascontiguousarray(other.storage).tobytes()
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        body = np.array2string(self.storage, threshold=64, edgeitems=3, separator=", ", prefix="Tensor(")
        real = ""
        if self.type.is_quantized:
            values = NUMPY.decode(self.dequantize(), self.type.quantized_element_type.expressed_type)
            text = np.array2string(values, threshold=64, edgeitems=3, separator=", ", prefix="  values ")
            real = f",\n  values {text}"
        return f"Tensor({body}{real},\n  {self.type!r})"


def to_storage(x: Any, type: TensorType) -> np.ndarray:
    """Quantize an array of real numbers to the storage of `type`, as `uniform_quantize` does.

    >>> to_storage([0.0, 1.0, 1000.0], TensorType((3,), quantized("i8", "f32", 0.5, 3)))
    array([  3,   5, 127], dtype=int8)
    """
    element = type.element_type
    if not isinstance(element, QuantizedType):
        return np.asarray(x).astype(np.dtype(element.numpy))
    expressed = element.expressed_type
    with np.errstate(all="ignore"):
        carried = NUMPY.round_to(np.asarray(x, np.float64), expressed)
        return NUMPY.encode(quantize(NUMPY, carried, element), element.storage_type)


def accept(value: Any, parameter: Value, position: int) -> np.ndarray:
    """Argument number `position` as stored elements of the parameter's type, or a `Malformed` that says what to do."""
    type = parameter.type
    if isinstance(value, Tensor):
        if value.type != type:
            raise Malformed(
                f"argument {parameter.name} has another type", f"wanted {type!r}\n   given {value.type!r}"
            )
        return value.storage
    array = np.asarray(value)
    wanted = np.dtype(type.storage_type.numpy)
    if array.shape != type.shape:
        raise Malformed(
            f"argument {parameter.name} has another shape",
            f"wanted {type.shape} for {type!r}\n   given {array.shape}",
        )
    if array.dtype == wanted:
        _check_range(array, parameter)
        return array
    return _converted(array, wanted, parameter, position)


def _converted(array: np.ndarray, wanted: np.dtype, parameter: Value, position: int) -> np.ndarray:
    """Only conversions that cannot lose anything: integers in range, floats to wider ones, bits of exotic
    types."""
    storage, name = parameter.type.storage_type, parameter.name
    if isinstance(parameter.type.element_type, QuantizedType) and array.dtype.kind not in "iu":
        raise Malformed(
            f"argument {name} is {array.dtype}, its parameter is quantized: {parameter.type!r}",
            f"give storage integers, or quantize first: interp.to_storage(x, m.main.inputs[{position}].type)",
        )
    if storage.is_integer and array.dtype.kind in "iu":
        _check_range(array, parameter)
        return array.astype(wanted)
    if (
        storage.kind == "float"
        and wanted.kind not in "f"
        and array.dtype == np.dtype(f"uint{wanted.itemsize * 8}")
    ):
        return array.view(wanted)  # bf16 and the 8-bit floats travel in .npy files as their bits
    if np.can_cast(array.dtype, wanted, "safe"):
        return array.astype(wanted)
    raise Malformed(
        f"argument {name} is {array.dtype}, its parameter is {parameter.type!r}",
        f"convert it without loss first: x.astype({wanted.name!r})",
    )


def _check_range(array: np.ndarray, parameter: Value) -> None:
    element, storage = parameter.type.element_type, parameter.type.storage_type
    if not storage.is_integer or array.size == 0:
        return
    least, most = storage.min_value, storage.max_value
    if isinstance(element, QuantizedType):
        least, most = element.storage_min, element.storage_max
    low, high = int(array.min()), int(array.max())
    if low < least or high > most:
        raise Malformed(
            f"argument {parameter.name} is out of the range of {element!r}",
            f"its values go from {low} to {high}, the type's from {least} to {most}",
        )
