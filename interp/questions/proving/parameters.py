"""The ranges of a program's parameters: those of their types, or those that the caller gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from interp.backends import NUMPY
from interp.engine.tensor import accept
from interp.questions.proving.ranges import Range, compact, finite_range, value_range
from spec.errors import Malformed
from spec.ir import Func, Value

EXPECTED = "expected (least, greatest) as stored elements, or an array for a value that is known"


def ranges_of(func: Func, given: Mapping[str | int, Any]) -> list[Range]:
    """Return the range of every parameter; `given` has some by name (`%x`, `x`) or position."""
    known: dict[int, Any] = {}
    for key, wanted in given.items():
        known[_position(func, key)] = wanted
    return [
        _range(value, k, known[k]) if k in known else finite_range(value.type)
        for k, value in enumerate(func.inputs)
    ]


def parse_range(text: str) -> tuple[str, tuple[float, float]]:
    """Return the parameter's name and the ends in `x=-4:4`."""
    name, _, ends = text.rpartition("=")
    try:
        least, greatest = (float(end) if not _is_whole(end) else int(end) for end in ends.split(":"))
    except ValueError:
        raise Malformed(f"{text!r} is not a range", "expected a parameter and two numbers: x=-4:4") from None
    return name, (least, greatest)


def _is_whole(text: str) -> bool:
    return text.strip().removeprefix("-").isdigit()


def _position(func: Func, key: str | int) -> int:
    names = [value.name.removeprefix("%") for value in func.inputs]
    titles = [value.title for value in func.inputs]
    if isinstance(key, str) and key.removeprefix("%") in names:
        return names.index(key.removeprefix("%"))
    if isinstance(key, str) and key in titles:
        return titles.index(key)
    if isinstance(key, int) and not isinstance(key, bool) and 0 <= key < len(names):
        return key
    raise Malformed(
        f"no parameter {key!r}", "parameters: " + (", ".join(value.title for value in func.inputs))
    )


def _range(value: Value, k: int, given: Any) -> Range:
    """Return a parameter's range from two ends, each a number or an array, or from its value."""
    if isinstance(given, tuple):
        if len(given) != 2:
            raise Malformed(f"{len(given)} ends for parameter {value.title}", EXPECTED)
        least, greatest = (
            compact(NUMPY.decode(_store(value, k, end), value.type.storage_type)) for end in given
        )
        if not bool(np.all(least <= greatest)):
            raise Malformed(f"the range of parameter {value.title} is empty", "expected least <= greatest")
        return Range(value.type, least, greatest)
    known = compact(NUMPY.decode(_store(value, k, given), value.type.storage_type))
    return value_range(value.type, known)


def _store(value: Value, k: int, x: Any) -> np.ndarray:
    """Return a number or an array as stored elements of a parameter, in its shape."""
    array = np.asarray(x)
    if not array.ndim and value.type.rank:
        scalar = Value(value.name, type(value.type)((), value.type.element_type))
        return np.broadcast_to(accept(array.item(), scalar, k), value.type.shape)
    return accept(x, value, k)
