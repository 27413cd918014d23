"""Python numbers as arguments for 0-d float and complex tensors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from interp.backends import NUMPY
from interp.backends.dtypes import numpy_dtype
from interp.engine.quant import convert
from spec.errors import Malformed
from spec.ir import Value
from spec.types import ELEMENT_TYPES, TensorType, complex_part


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
        raise Malformed(f"argument {parameter.title} is beyond {parameter.type!r}", evidence)
    wide = np.asarray(value, np.complex128 if is_complex else np.float64)
    with np.errstate(all="ignore"):
        stored = NUMPY.encode(convert(NUMPY, wide, ELEMENT_TYPES["f64"], storage), storage)
    if np.isnan(wide) != np.isnan(stored) or np.isinf(wide) != np.isinf(stored):
        raise Malformed(f"argument {parameter.title} is {value}", f"{storage} has no such number")
    return stored
