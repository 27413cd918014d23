"""Values that cross the API: a type and its stored elements, and Python numbers for 0-d parameters."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from interp.backends import NUMPY
from interp.backends.dtypes import is_of_numpy, numpy_dtype
from interp.engine.markup import Display
from interp.engine.memo import once
from interp.engine.quant import Type, convert, dequantize, quantize
from interp.engine.storage import storage_range
from spec.errors import UNKNOWN, Malformed, Unsupported
from spec.ir import Value
from spec.rules.constraint import violations
from spec.rules.quant_dialect import QUANTIZED_TYPE
from spec.types import ELEMENT_TYPES, QuantizedType, TensorType, complex_part, element_type_of

# Python numbers as arguments for 0-d float and complex tensors.


def is_number_for(value: Any, type: TensorType) -> bool:
    """Return whether a value is a Python number that `stored_number` takes for a parameter of this type."""
    if type.rank or type.is_quantized:
        return False
    kind = type.storage_type.kind
    return value.__class__ in {"float": (int, float), "complex": (int, float, complex)}.get(kind, ())


def stored_number(value: complex, parameter: Value) -> np.ndarray:
    """Return a Python number rounded to the parameter's type; `Malformed` if that cannot represent it."""
    import ml_dtypes

    storage = parameter.type.storage_type
    is_complex = storage.kind == "complex"
    largest = float(ml_dtypes.finfo(numpy_dtype(complex_part(storage) if is_complex else storage)).max)
    parts = (value.real, value.imag)
    if any(part == part and largest < abs(part) != math.inf for part in parts):
        evidence = f"the largest number of {storage} is {largest}"
        raise Malformed(f"argument {parameter.title} is beyond {parameter.type.brief}", evidence)
    wide = np.asarray(value, np.complex128 if is_complex else np.float64)
    with np.errstate(all="ignore"):
        stored = NUMPY.encode(convert(NUMPY, wide, ELEMENT_TYPES["f64"], storage), storage)
    if np.isnan(wide) != np.isnan(stored) or np.isinf(wide) != np.isinf(stored):
        raise Malformed(f"argument {parameter.title} is {value}", f"{storage} has no such number")
    return stored


@dataclass(frozen=True, eq=False)
class Tensor(Display):
    """An argument or a result: a type and its `storage`, an ndarray of storage integers or plain elements."""

    type: TensorType
    storage: np.ndarray

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of elements along each dimension.

        >>> Tensor(TensorType((2,), quantized("i8", "f32", 0.5, 3)), np.array([3, 5], np.int8)).shape
        (2,)
        """
        return self.type.shape

    @property
    def dtype(self) -> np.dtype:
        """The dtype of `storage`.

        >>> Tensor(TensorType((2,), quantized("i8", "f32", 0.5, 3)), np.array([3, 5], np.int8)).dtype
        dtype('int8')
        """
        return self.storage.dtype

    def tolist(self) -> Any:
        """Return the stored elements as Python numbers in nested lists; for rank 0 the number alone.

        >>> Tensor(TensorType((2,), quantized("i8", "f32", 0.5, 3)), np.array([3, 5], np.int8)).tolist()
        [3, 5]
        """
        return _plain(self.storage).tolist()

    def item(self) -> Any:
        """Return the only stored element as a Python number; `Malformed` if there is not exactly one.

        >>> Tensor(TensorType((), quantized("i8", "f32", 0.5, 3)), np.array(5, np.int8)).item()
        5
        """
        if self.storage.size != 1:
            raise Malformed(
                f"expected one element, got {self.storage.size}", f"{self.type.brief}: use tolist()"
            )
        return _plain(self.storage).item()

    def __float__(self) -> float:
        """Return the real value of the only element; for a quantized type the dequantized value.

        >>> float(Tensor(TensorType((), quantized("i8", "f32", 0.5, 3)), np.array(5, np.int8)))
        1.0
        """
        self.item()
        return float(_plain(self.dequantize()).item())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.storage, dtype=dtype, copy=copy)

    def dequantize(self) -> np.ndarray:
        """Return the expressed values, in the expressed type; the storage itself if nothing is quantized."""
        element = self.type.element_type
        if not isinstance(element, QuantizedType):
            return self.storage
        carried = NUMPY.decode(self.storage, element.storage_type)
        with np.errstate(all="ignore"):
            return NUMPY.encode(dequantize(NUMPY, carried, element), element.expressed_type)

    def __eq__(self, other: object) -> bool:
        """Return whether types and bits are equal."""
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
        return f"Tensor({body}{real},\n  {self.type.brief})"


def _plain(x: np.ndarray) -> np.ndarray:
    """Return the same numbers, as f64 for types that NumPy lacks: bf16 and floats of at most 8 bits."""
    return x if is_of_numpy(x.dtype) else x.astype(np.float64)


def to_storage(x: Any, type: TensorType | Type | str) -> np.ndarray:
    """Quantize an array of real numbers to the storage of a type (or its text), as `uniform_quantize` does.

    >>> to_storage([0.0, 1.0, 1000.0], TensorType((3,), quantized("i8", "f32", 0.5, 3)))
    array([  3,   5, 127], dtype=int8)
    """
    element = element_type_of(type)
    array = _array(x, "x")
    if array.dtype.isbuiltin == 2:  # a type of ml_dtypes
        array = array.astype(np.float64)
    if array.dtype.kind not in "fiub":
        raise Malformed(
            f"{array.dtype} is not an array of real numbers", f"expected numbers to store as {element!r}"
        )
    plain = element.expressed_type if isinstance(element, QuantizedType) else element
    if isinstance(element, QuantizedType):
        _check_parameters(TensorType(array.shape, element))
    with np.errstate(all="ignore"):
        carried = convert(NUMPY, array.astype(np.float64), ELEMENT_TYPES["f64"], plain)
        if isinstance(element, QuantizedType):
            carried = quantize(NUMPY, carried, element)
        return NUMPY.encode(carried, TensorType((), element).storage_type)


def _check_parameters(type: TensorType) -> None:
    """Raise `Malformed` if scales per axis or per block do not fit the shape."""
    if broken := violations(QUANTIZED_TYPE, type, "quantized_type", UNKNOWN, "mlir", "stablehlo"):
        raise Malformed(f"no array of shape {type.shape} has the type {type.element_type!r}", str(broken[0]))


def accept(value: Any, parameter: Value, position: int) -> np.ndarray:
    """Check argument number `position`, and return it as stored elements of its parameter's type."""
    shape, dtype, total = layout(parameter)
    plain = isinstance(value, np.generic) or value.__class__ is np.ndarray
    if plain and total and value.dtype == dtype and value.shape == shape:
        return np.asarray(value)
    if is_number_for(value, parameter.type):
        return stored_number(value, parameter)
    type, name = parameter.type, parameter.title
    if isinstance(value, Tensor) and value.type != type:
        raise Malformed(f"argument {name} has another type", f"expected {type.brief}\ngot {value.type.brief}")
    array = _array(value, f"argument {name}")
    if array.shape != type.shape:
        evidence = f"expected {type.shape} for {type!r}\ngot {array.shape}\n{parameter.advice}"
        raise Malformed(f"argument {name} has another shape", evidence.rstrip())
    return _convert_exactly(array, parameter, position)


def _array(value: Any, what: str) -> np.ndarray:
    if type(value) is not np.ndarray and isinstance(value, np.ma.MaskedArray):
        raise Malformed(f"{what} is masked", "fill it first: x.filled(value)")
    try:
        return np.asarray(value)
    except (ValueError, TypeError) as error:
        raise Malformed(f"{what} is not an array", str(error)) from None


def _convert_exactly(array: np.ndarray, parameter: Value, position: int) -> np.ndarray:
    """Convert without loss to stored elements; floats that `.npy` files cannot name may come as bits."""
    storage = parameter.type.storage_type
    wanted = numpy_dtype(storage)
    if array.dtype.newbyteorder("=") == wanted or (storage.is_integer and array.dtype.kind in "iu"):
        check_range(array, parameter)
        return array.astype(wanted, copy=False)
    if parameter.type.is_quantized:
        type = parameter.type.brief
        raise Malformed(
            f"argument {parameter.title} is {array.dtype}, its parameter is quantized: {type}",
            f"give storage integers, or quantize first: interp.to_storage(x, m.main.inputs[{position}].type)",
        )
    travels_as_bits = wanted.isbuiltin != 1  # bf16 and the narrower floats
    if travels_as_bits and array.dtype.newbyteorder("=") == np.dtype(f"uint{wanted.itemsize * 8}"):
        elements = array.astype(f"uint{wanted.itemsize * 8}").view(wanted)
        check_range(elements, parameter)
        return elements
    if np.can_cast(array.dtype, wanted, "safe") and not (travels_as_bits and array.dtype.kind in "iu"):
        return array.astype(wanted)
    bits = f", or its bits as uint{wanted.itemsize * 8}" if travels_as_bits else ""
    raise Malformed(
        f"argument {parameter.title} is {array.dtype}, its parameter is {parameter.type.brief}",
        f"convert it without loss first: x.astype({wanted.name!r}){bits}",
    )


def check_range(array: Any, parameter: Value) -> None:
    """Raise `Malformed` if a NumPy or JAX array has integers outside the range of the type, or spare bits."""
    storage = parameter.type.storage_type
    if storage.kind == "float":
        narrow = storage.bits < 8 and isinstance(array, np.ndarray)
        if narrow and (array.view(np.uint8) >> storage.bits).any():
            raise Malformed(
                f"argument {parameter.title} has bytes of more than {storage.bits} bits",
                f"an element of {storage} is the low {storage.bits} bits of a byte; the others are zero",
            )
        return
    least, most = storage_range(parameter.type.element_type)
    if array.dtype.kind not in "iu" or not array.size or holds(array.dtype, least, most):
        return
    low, high = int(array.min()), int(array.max())
    if low < least or high > most:
        raise Malformed(
            f"argument {parameter.title} is out of the range of {parameter.type.brief}",
            f"its values go from {low} to {high}, the type's from {least} to {most}",
        )


def jax_dtype(type: TensorType) -> np.dtype:
    """Return the dtype in which JAX holds stored elements; it has its own dtypes for i4 and i2.

    Raise `Unsupported` for integers of 3, 5, 6 and 7 bits, which JAX lacks, and for f6: XLA refuses arrays
    of f6, and crashes on empty ones.
    """
    element = type.storage_type
    if element.kind == "float" and element.bits == 6:
        raise Unsupported(f"not supported: {element} under jit", f"XLA has no {element}; use interp.run")
    if element.is_integer and element.bits < 8:
        import ml_dtypes

        if element.bits not in (2, 4):
            raise Unsupported(
                f"not supported: {element} under jit",
                "JAX only has integers of 2, 4 and at least 8 bits; use interp.run",
            )
        return np.dtype(getattr(ml_dtypes, f"{'u' * (element.kind == 'unsigned')}int{element.bits}"))
    return numpy_dtype(element)


@once
def layout(parameter: Value) -> tuple[tuple[int, ...], np.dtype, bool]:
    """Return the shape and dtype of an argument, and whether every such array holds valid elements."""
    dtype = numpy_dtype(parameter.type.storage_type)
    storage, ends = parameter.type.storage_type, storage_range(parameter.type.element_type)
    total = holds(dtype, *ends) if storage.is_integer else storage.kind != "float" or storage.bits >= 8
    return parameter.type.shape, dtype, total


def holds(dtype: np.dtype, least: int, most: int) -> bool:
    """Return whether every integer of the dtype lies in the range."""
    limits = np.iinfo(dtype)
    return least <= limits.min and limits.max <= most
