"""Checks of a caller's choices: a word of a few, a whole number, one or several things; else `Malformed`."""

from __future__ import annotations

from collections.abc import Collection
from numbers import Integral
from typing import Any

from spec.errors import Malformed


def one_of(known: Collection[str], given: Any, what: str) -> str:
    """Return one of the known words; `what` says which it is to be."""
    if not isinstance(given, str) or given not in known:
        raise Malformed(f"{shown(given)} is no {what}", f"known: {', '.join(known)}")
    return given


def whole(given: Any, what: str) -> int:
    """Return an integer that is not negative."""
    if not isinstance(given, Integral) or isinstance(given, bool) or given < 0:
        raise Malformed(f"{shown(given)} is no {what}", "wanted a whole number, 0 or more")
    return int(given)


def several(given: Any, what: str, alone: type | tuple[type, ...] = str) -> tuple[Any, ...]:
    """Return what is given, one after the other; a thing of the type `alone` is given alone."""
    if isinstance(given, alone):
        return (given,)
    try:
        return tuple(given)
    except TypeError:
        raise Malformed(f"{shown(given)} is no sequence of {what}", "wanted a list or a tuple") from None


def shown(given: Any) -> str:
    """Return a short thing as it is, of any other its type."""
    return repr(given) if isinstance(given, str | int | float | None) else type(given).__name__
