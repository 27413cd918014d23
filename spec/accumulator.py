"""Readings of quantized operations as values, and the accumulator of the reading that uses integers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, NamedTuple

from spec.elements import ElementType, integer
from spec.errors import Malformed, one_of, short_text
from spec.recipes import EXACT, SPECIFICATION, recipe_named

DEQUANTIZE, INTEGER = "dequantize", "integer"
READINGS = {
    DEQUANTIZE: "an operation dequantizes its operands, computes in the expressed type, and quantizes",
    INTEGER: "an operation computes with integers: stored elements less their zero points, rescaled",
}
WIDEST = 64
_TEXT = re.compile(r"i([0-9]{1,2})(?: (wrap|saturate))?")
_EXPECTED = 'expected a width or a type, such as 32, "i32", "i16 saturate"; 2 to 64 bits, signed'


@dataclass(frozen=True)
class Accumulator:
    """Signed integer type in which products are summed; sums wrap, or each sum is clamped to its range.

    >>> Accumulator(16, saturates=True)
    i16 saturate
    """

    bits: int = 32
    saturates: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.bits, int) or isinstance(self.bits, bool) or not 2 <= self.bits <= WIDEST:
            raise Malformed(f"{short_text(self.bits)} is not a valid accumulator width", _EXPECTED)

    def __repr__(self) -> str:
        return f"i{self.bits}" + " saturate" * self.saturates

    @property
    def type(self) -> ElementType:
        """The element type of the sums."""
        return integer(self.bits, True)


class Reading(NamedTuple):
    """A way to execute quantized operations: `name` is a key of `READINGS`.

    chosen: the recipe of requantization that was asked for, a key of `spec.recipes.RECIPES`, or "".
    is_asked: whether the accumulator was asked for; else it is the default.
    """

    name: str = DEQUANTIZE
    accumulator: Accumulator = Accumulator()
    chosen: str = ""
    is_asked: bool = False

    def __repr__(self) -> str:
        if not self.is_integer:
            return self.name
        return f"{self.name}, accumulator {self.accumulator}" + (
            f", recipe {self.chosen}" * bool(self.chosen)
        )

    @property
    def is_integer(self) -> bool:
        return self.name == INTEGER

    @property
    def recipe(self) -> str:
        """The recipe of requantization: the chosen one, or the reading's default."""
        return self.chosen or (EXACT if self.is_integer else SPECIFICATION)


LITERAL = Reading()


VENDORS = ("nvidia.", "amd.")


def is_profile(given: object) -> bool:
    """Return whether this is a name of `spec.hardware`, known or not: it begins with a vendor."""
    return isinstance(given, str) and given.strip().startswith(VENDORS)


def accumulator_of(given: int | str | Accumulator) -> Accumulator:
    """Return an accumulator from its width in bits, or from `i16`, `i16 wrap`, `i16 saturate`."""
    if isinstance(given, Accumulator):
        return given
    if isinstance(given, str):
        if match := _TEXT.fullmatch(given.strip()):
            return Accumulator(int(match[1]), match[2] == "saturate")
        raise Malformed(f"{given!r} is not an accumulator", _EXPECTED)
    return Accumulator(given)


def is_accumulator(text: Any) -> bool:
    """Return whether a text names an accumulator of the integer reading: `i16`, `i16 saturate`."""
    return isinstance(text, str) and _TEXT.fullmatch(text.strip()) is not None


def is_width(given: Any) -> bool:
    """Return whether this is an accumulator of the integer reading, or the width or the name of one."""
    return isinstance(given, int | Accumulator) or is_accumulator(given)


def reading_named(
    name: str | Reading,
    accumulator: int | str | Accumulator | None = None,
    recipe: str | None = None,
) -> Reading:
    """Return the reading of that name, with its accumulator (default: i32, which wraps) and recipe."""
    if isinstance(name, Reading):
        changed = name
        if accumulator is not None:
            changed = name._replace(accumulator=accumulator_of(accumulator), is_asked=True)
        return changed if recipe is None else changed._replace(chosen=recipe_named(recipe, name.is_integer))
    one_of(READINGS, name, "reading of quantized operations")
    chosen = recipe_named(recipe, name == INTEGER)
    if accumulator is None:
        return Reading(name, chosen=chosen)
    if name != INTEGER:
        evidence = f'expected reading="{INTEGER}" beside it; this verb takes no accumulators of single sums'
        raise Malformed(f"the reading {name} has no accumulator", evidence)
    return Reading(name, accumulator_of(accumulator), chosen, True)
