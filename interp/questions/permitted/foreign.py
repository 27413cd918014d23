"""Results of another implementation, checked against their types and compared with ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from interp.backends.dtypes import numpy_dtype
from spec.errors import Malformed
from spec.ir import Func
from spec.types import TensorType


def accept_results(func: Func, results: Sequence[Any]) -> list[np.ndarray]:
    """Check the shapes and kinds of given results; the caller checks values beyond the storage range."""
    if len(results) != len(func.results):
        raise Malformed(f"@{func.name} has {len(func.results)} results", f"{len(results)} given")
    pairs = zip(results, func.results, strict=True)
    return [accept_array(np.asarray(x), type, f"result {k}") for k, (x, type) in enumerate(pairs)]


def accept_array(x: np.ndarray, type: TensorType, name: str) -> np.ndarray:
    """Check the shape and the kind of one array, and return it as stored elements of a type."""
    wanted = numpy_dtype(type.storage_type)
    if x.shape == type.shape:
        x = x.astype(x.dtype.newbyteorder("="))
        if x.dtype.kind in "iu" and wanted.kind in "iu" and x.dtype.itemsize == wanted.itemsize:
            return x.view(wanted)  # integers of equal width by their bits, others by value
        if x.dtype == wanted or (x.dtype.kind in "iu" and wanted.kind in "iu"):
            return x
        if wanted.kind not in "iufbc" and x.dtype == np.dtype(f"u{wanted.itemsize}"):
            return x.view(wanted)  # bf16 and the 8-bit floats travel in .npy files as their bits
        if np.can_cast(x.dtype, wanted, "safe"):
            return x.astype(wanted)
    evidence = f"expected {type.shape} {wanted}\ngot {x.shape} {x.dtype}"
    raise Malformed(f"{name} is not a {type!r}", evidence)


def equal(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return where elements have the same bits; any NaN equals any NaN."""
    if x.dtype.kind in "iub":
        return np.asarray(x == y)  # integers of another width by value
    if x.dtype.kind == "c":
        return equal(x.real, y.real) & equal(x.imag, y.imag)
    bits = np.dtype(f"u{x.dtype.itemsize}")
    same = np.ascontiguousarray(x).view(bits) == np.ascontiguousarray(y).view(bits)
    return same.reshape(x.shape) | ((x != x) & (y != y))
