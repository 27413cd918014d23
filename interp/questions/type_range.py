"""Losses of a conversion when it is applied to all stored values of a type."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from interp.backends import NUMPY
from interp.backends.dtypes import numpy_dtype
from interp.engine.quant import Type
from interp.engine.stored import convert_leaves, is_stored_as_integer, storage, storage_range
from interp.recorder.detect import conversion_events
from interp.recorder.event import number

TRIED = 1 << 16  # stored values of a type that are converted to see what is lost: all of 16 bits


def losses(name: str, source: Type, destination: Type) -> Iterator[str]:
    """Return, in words, the losses when a conversion is applied to all stored values of a type."""
    if source == destination or "complex" in repr(source):
        return
    before = stored_values(source)
    after = convert_leaves(before, source, destination)
    low, high = storage_range(source)
    tried = " that were tried" if high - low >= TRIED else ""
    for found in conversion_events(source, destination, before, after, lossless=True):
        if found.kind == "erratum":
            continue
        at = int(found.at[found.sizes.argmax()])
        exact = found.exact(at)
        shown = "" if exact is None else f" (exact {number(exact)})"
        explanation = f"{number(before[at].item())} -> {number(after[at].item())}{shown}"
        share = f"{found.kind} for {len(found.at)} of {len(before)} stored values{tried}"
        yield f"{name} from {source!r} to {destination!r}: {share}, {explanation}"


def stored_values(type: Type) -> np.ndarray:
    """Return all finite stored values of a type; for a wide type, both ends and many evenly spaced ones."""
    low, high = storage_range(type)
    last = min(high - low, TRIED - 1)
    integers = [low + (high - low) * i // last for i in range(last + 1)]
    dtype = numpy_dtype(storage(type))
    if is_stored_as_integer(type):
        return np.array(integers, dtype)
    with np.errstate(all="ignore"):
        x = NUMPY.decode(np.array(integers, f"u{dtype.itemsize}").view(dtype), storage(type))
    return x[np.isfinite(x)]
