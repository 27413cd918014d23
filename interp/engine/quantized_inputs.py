"""Real numbers for quantized parameters: quantized by the parameters' own types, and what saturated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from interp.backends import NUMPY
from interp.engine.quant import round_parameters, spread
from interp.engine.tensor import to_storage
from spec.ir import Func, Value
from spec.types import TOKEN, QuantizedType


def quantized_inputs(arrays: Sequence[np.ndarray], func: Func) -> tuple[list[np.ndarray], list[str]]:
    """Return the arguments with floats quantized where the parameter is, and a note about each of these.

    An array may have one more dimension in front than its parameter: samples of a data set.
    """
    found, notes = list(arrays), []
    parameters = [value for value in func.inputs if value.type != TOKEN]
    for k, (x, parameter) in enumerate(zip(arrays, parameters, strict=False)):
        if x.dtype.kind == "f" and parameter.type.is_quantized:
            type = _type(parameter, x.ndim)
            found[k] = to_storage(x, type)
            notes.append(_note(x, type, parameter))
    return found, notes


def _type(parameter: Value, rank: int) -> QuantizedType:
    """Return the element type of a parameter, or of several samples of it."""
    type = parameter.type.quantized_element_type
    if rank == parameter.type.rank + 1 and type.quantization_dimension is not None:
        return replace(type, quantization_dimension=type.quantization_dimension + 1)
    return type


def _note(x: np.ndarray, type: QuantizedType, parameter: Value) -> str:
    """Return how many elements the storage range clamps, and how many are NaN."""
    scales, points = (spread(NUMPY, each, np.float64, type, x.shape) for each in _parameters(type))
    with np.errstate(all="ignore"):
        steps = np.rint(x.astype(np.float64) / scales + points)
    beyond = int(np.count_nonzero((steps < type.storage_min) | (steps > type.storage_max)))
    nan = int(np.count_nonzero(np.isnan(x)))
    missing = f", {nan:,} are NaN and become 0" if nan else ""
    return f"{parameter.title}: quantized to {type!r}, {beyond:,} of {x.size:,} elements saturated{missing}"


def _parameters(type: QuantizedType) -> tuple[tuple[float, ...], tuple[int, ...]]:
    return round_parameters(type).scales, type.zero_points
