"""`once`: a cache for functions of a frozen object, which lasts as long as the object."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


def once(f: Callable[..., T]) -> Callable[..., T]:
    """Cache `f(x, *rest)` as long as the object x lives; the key is the identity of x and the hash of `rest`.

    Modules, functions, operations and values are frozen, but hashing one would walk through all of it. Two
    threads may both compute a result that is not cached yet.
    """
    known: dict[int, dict[tuple[Any, ...], T]] = {}

    def look_up(x: Any, *rest: Any) -> T:
        try:
            return known[id(x)][rest]
        except KeyError:
            fits = id(x) in known or _remember(known, x)
        except TypeError:  # a list where a name was, say
            fits = False
        return known[id(x)].setdefault(rest, f(x, *rest)) if fits else f(x, *rest)

    return look_up


def _remember(known: dict[int, dict[Any, Any]], x: object) -> bool:
    """Keep a new dict in `known` as long as x lives; return False if x cannot be watched."""
    try:
        weakref.finalize(x, known.pop, id(x), None).atexit = False
    except TypeError:
        return False
    known.setdefault(id(x), {})
    return True
