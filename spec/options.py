"""Checks of a caller's options: one of several words, a whole number, one or more objects."""

from __future__ import annotations

from collections.abc import Collection
from numbers import Integral
from typing import Any

from spec.errors import Malformed


def one_of(known: Collection[str], given: Any, what: str) -> str:
    """Return the option if it is a known word, else raise `Malformed`; `what` describes it."""
    if not isinstance(given, str) or given not in known:
        raise Malformed(f"{short_text(given)} is not a {what}", f"known: {', '.join(known)}")
    return given


def whole(given: Any, what: str) -> int:
    """Return the option if it is a whole number, 0 or more; else raise `Malformed`."""
    if not isinstance(given, Integral) or isinstance(given, bool) or given < 0:
        raise Malformed(f"{short_text(given)} is not a valid {what}", "expected a whole number, 0 or more")
    return int(given)


def several(given: Any, what: str, alone: type | tuple[type, ...] = str) -> tuple[Any, ...]:
    """Return a sequence, or a single object of type `alone`, as a tuple; else raise `Malformed`."""
    if isinstance(given, alone):
        return (given,)
    try:
        return tuple(given)
    except TypeError:
        raise Malformed(f"{short_text(given)} is not a sequence of {what}", "expected a list or a tuple") from None


def short_text(given: Any) -> str:
    """Return an object as text if that is short, else the name of its type."""
    return repr(given) if isinstance(given, str | int | float | None) else type(given).__name__
