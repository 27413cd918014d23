"""The NumPy dtypes that hold stored elements, one for each element type."""

from __future__ import annotations

import numpy as np

from spec.attributes import Dense
from spec.types import ElementType


def numpy_dtype(type: ElementType) -> np.dtype:
    """Return the dtype of stored elements, importing those of bf16 and narrower floats on demand."""
    try:
        return np.dtype(type.numpy)
    except TypeError:
        import ml_dtypes  # noqa: F401  (registers their names)

        return np.dtype(type.numpy)


def is_of_numpy(dtype: np.dtype) -> bool:
    """Return whether NumPy itself has a dtype; bf16 and narrower floats are those of ml_dtypes.

    `isbuiltin` is 0 of a dtype that comes from another process, although it equals one of NumPy.
    """
    return dtype.kind in "biufc" and dtype.isbuiltin != 2


def elements(dense: Dense) -> np.ndarray:
    """Return a constant's stored elements in its shape."""
    shape, flat = dense.type.shape, np.frombuffer(dense.data, numpy_dtype(dense.type.storage_type))
    return np.broadcast_to(flat.reshape(()), shape) if dense.splat else flat.reshape(shape)
