"""`once`: what follows from a frozen object alone is computed the first time it is asked for."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


def once(f: Callable[..., T]) -> Callable[..., T]:
    """`f(x, *rest)`, kept as long as the object x lives; `rest` is hashed, x known by its identity.

    Modules, functions, operations and values are frozen, but hashing one would walk through all of it. Two
    threads may both compute what neither has found.
    """
    known: dict[int, dict[tuple[Any, ...], T]] = {}

    def kept(*args: Any) -> T:
        x, *rest = args
        mine = known.get(id(x))
        if mine is None:
            try:
                weakref.finalize(x, known.pop, id(x), None).atexit = False
            except TypeError:  # a str, say, where a module was wanted
                return f(*args)
            mine = known.setdefault(id(x), {})
        key = tuple(rest)
        try:
            return mine[key]
        except KeyError:
            return mine.setdefault(key, f(*args))
        except TypeError:  # a list, say, where a name was wanted
            return f(*args)

    return kept
