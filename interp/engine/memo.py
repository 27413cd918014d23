"""`once`: a cache of results that depend on a frozen object alone, computed on the first call."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")
UNKNOWN: Any = object()
UNFIT: Any = object()


def once(f: Callable[..., T]) -> Callable[..., T]:
    """Cache `f(x, *rest)` as long as the object x lives; x is known by its identity, and `rest` by its hash.

    Modules, functions, operations and values are frozen, but hashing one would walk through all of it. Two
    threads may both compute a result that is not cached yet.
    """
    known: dict[int, dict[tuple[Any, ...], T]] = {}

    def kept(*args: Any) -> T:
        x, *rest = args
        try:
            mine = known.get(id(x), UNKNOWN)
            if mine is UNKNOWN:
                mine = _remembered(known, x)
            found = mine.get(key := tuple(rest), UNKNOWN)
        except TypeError:  # a str where a module was wanted, say, or a list where a name was
            found = UNFIT
        if found is UNFIT:
            return f(*args)
        return mine.setdefault(key, f(*args)) if found is UNKNOWN else found

    return kept


def _remembered(known: dict[int, dict[Any, Any]], x: object) -> dict[Any, Any]:
    """Return a new dict, kept in `known` as long as x lives."""
    weakref.finalize(x, known.pop, id(x), None).atexit = False
    return known.setdefault(id(x), {})
