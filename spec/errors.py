"""Errors, which have one line of verdict and one of evidence, and checks of a caller's options."""

from __future__ import annotations

import re
from collections.abc import Collection
from numbers import Integral
from typing import Any, NamedTuple


class Location(NamedTuple):
    """Place of an operation in its source: `model.mlir:12:8`, or the name that an exporter gave it."""

    file: str = ""
    line: int = 0
    column: int = 0
    name: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        return f"{place} ({self.name})" if self.name and place else place or self.name or "<unknown>"

    @property
    def short(self) -> str:
        """The text for a heading: without the folder of installed packages, and the middle of long paths."""
        return str(self._replace(file=shorten(_PACKAGES.sub("…/", self.file)), name=shorten(self.name)))


_PACKAGES = re.compile(r".*[\\/](?:site|dist)-packages[\\/]")


def shorten(path: str, most: int = 60) -> str:
    """Return a path of at most `most` characters: `/home/…/net/model.py` keeps its beginning and its end."""
    if len(path) <= most:
        return path
    head, *parts = re.split(r"(?<=[^\\/])(?=[\\/])", path)
    ends = (f"{head}/…{''.join(parts[k:])}" for k in range(1, len(parts)))
    half = most // 2
    return next(
        (text for text in ends if len(text) <= most), f"{path[: half - 1]}…{path[len(path) - half :]}"
    )


UNKNOWN = Location()


class InterpError(Exception):
    """Base of the five kinds. `str(error)` is two lines: `where: verdict` and the indented evidence.

    >>> print(Unsupported("stablehlo.sort is not built", "supported: reduce", Location("m.mlir", 3, 5)))
    m.mlir:3:5: stablehlo.sort is not built
      supported: reduce
    """

    def __init__(self, verdict: str, evidence: str = "", where: Location = UNKNOWN) -> None:
        super().__init__(verdict, evidence, where)
        self.verdict, self.evidence, self.where = verdict, evidence, where

    def __str__(self) -> str:
        head = self.verdict if self.where == UNKNOWN else f"{self.where}: {self.verdict}"
        return head + "".join(f"\n  {line}" for line in self.evidence.splitlines())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.verdict!r}, {self.evidence!r}, {self.where!r})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.args == other.args

    def __hash__(self) -> int:
        return hash((type(self), self.args))


class Malformed(InterpError):
    """The bytes, the text or the arguments are not of the expected form."""


class Missing(Malformed, KeyError):
    """An operation has not the attribute that its meaning needs, which a mapping's `KeyError` is, too."""


class Violation(InterpError):
    """A constraint of the specification does not hold. Returned by `verify`, raised only by `run`.

    `code` names the constraint everywhere: here, in the test's id and in `testdata/<op>/<c5_...>.mlir`.
    """

    def __init__(self, code: str, formula: str, evidence: str = "", where: Location = UNKNOWN) -> None:
        super().__init__(f"{code}: {formula}", evidence, where)
        self.args = (code, formula, evidence, where)
        self.code, self.formula = code, formula

    def __repr__(self) -> str:
        return f"Violation({self.code!r}, {self.formula!r}, {self.evidence!r}, {self.where!r})"


class Unsupported(InterpError):
    """The program is legal, but uses something that is not built; the evidence says what to do instead."""


class Unspecified(InterpError):
    """The specification is silent about this program, and no erratum decides."""


class Bug(InterpError):
    """An error in this package, which should be impossible after `verify`; report it with the program."""


class Finding(InterpError):
    """A forbidden outcome of a run: an event that `fail_on` names, or a check that does not hold."""


# Checks of a caller's options: one of several words, a whole number, one or more objects.


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
        raise Malformed(
            f"{short_text(given)} is not a sequence of {what}", "expected a list or a tuple"
        ) from None


def short_text(given: Any) -> str:
    """Return an object as text if that is short, else the name of its type."""
    return repr(given) if isinstance(given, str | int | float | None) else type(given).__name__
