"""The types of the quant dialect by their kind: uniform, any, calibrated, quantile; parsed and printed.

Only a uniform type has an arithmetic meaning, so that tensors have no other. The others are specifications of
ports: a storage that is wanted (`any`), a range that was seen (`calibrated`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from spec.elements import ELEMENT_TYPES, ElementType, element_type
from spec.errors import Malformed, Unsupported
from spec.formats import float_text
from spec.quantized import QuantizedType, bounds_of, float_type, storage_range, storage_type, uniform_type
from spec.scanner import Scanner

Item = TypeVar("Item")
_F64 = ELEMENT_TYPES["f64"]
_LUT_STORAGE = ("boolean", "signed", "unsigned", "float")
_MEANINGLESS = {
    "any": "names a storage without a scale",
    "calibrated": "records the range of a float tensor",
    "quantile": "looks its values up in a table",
}


@dataclass(frozen=True)
class AnyQuantizedType:
    """A quantized type whose scale is still open: `!quant.any<i8<-127:127>:f32>`.

    `expressed_type` is None where the text has none. `spelling` is the storage as MLIR writes it.
    """

    storage_type: ElementType
    storage_min: int
    storage_max: int
    expressed_type: ElementType | None
    spelling: str

    def __repr__(self) -> str:
        bounds = self.storage_min, self.storage_max
        given = "" if bounds == storage_range(self.storage_type) else f"<{bounds[0]}:{bounds[1]}>"
        expressed = "" if self.expressed_type is None else f":{self.expressed_type}"
        return f"!quant.any<{self.spelling}{given}{expressed}>"


@dataclass(frozen=True)
class CalibratedType:
    """The range that float values were seen to have: `!quant.calibrated<f32<-1.0:1.0>>`."""

    expressed_type: ElementType
    min: float
    max: float

    def __repr__(self) -> str:
        least, most = float_text(self.min, _F64), float_text(self.max, _F64)
        return f"!quant.calibrated<{self.expressed_type}<{least}:{most}>>"


@dataclass(frozen=True)
class QuantileType:
    """A table of a float for each storage number: `!quant.quantile<i2:f32, {-1.0, 0.0, 1.0, 2.0}>`.

    `bounds` are the least and the largest storage number where the text gives them.
    """

    storage_type: ElementType
    expressed_type: ElementType
    values: tuple[float, ...]
    bounds: tuple[int, int] | None = None

    def __repr__(self) -> str:
        values = ",".join(float_text(value, _F64) for value in self.values)
        bounds = "" if self.bounds is None else f", <{self.bounds[0]}:{self.bounds[1]}>"
        return f"!quant.quantile<{self.storage_type}:{self.expressed_type}, {{{values}}}{bounds}>"


QuantType = QuantizedType | AnyQuantizedType | CalibratedType | QuantileType
# What a port of a region is to hold: a quantized type, or the element type itself where it stays a float.
Spec = QuantType | ElementType


def uniform_of(scanner: Scanner) -> QuantizedType:
    """Return the type of a tensor's elements from the text after `!quant`; `Unsupported` but for uniform."""
    start = scanner.position
    type = quant_type(scanner)
    if isinstance(type, QuantizedType):
        return type
    scanner.position = scanner.token = start
    kind = repr(type).removeprefix("!quant.").partition("<")[0]
    verdict = f"!quant.{kind} has no arithmetic meaning"
    advice = f"it {_MEANINGLESS[kind]}: use !quant.uniform with a scale and a zero point"
    raise scanner.error(verdict, advice, Unsupported)


def quant_type(scanner: Scanner) -> QuantType:
    """Return the type from the text after `!quant`: `.any<...>` or `<any<...>>`, of whichever kind."""
    wrapped = scanner.accept("<")
    if not wrapped:
        scanner.expect(".")
    kind = scanner.word()
    if kind not in KINDS:
        raise scanner.error(f"unknown quantized type {kind}" if kind else "expected valid keyword")
    scanner.expect("<")
    type = KINDS[kind](scanner)
    if wrapped:
        scanner.expect(">")
    return type


def parse_quant_type(text: str) -> QuantType:
    """Read a type of the quant dialect in MLIR's text; `Malformed` with MLIR's message."""
    scanner = Scanner(text)
    scanner.expect("!quant")
    type = quant_type(scanner)
    scanner.end()
    return type


def parse_specs(text: str) -> tuple[Spec, ...]:
    """Read a list of types as an attribute has it: `[f32, !quant.uniform<i8:f32, 0.1>]`."""
    scanner = Scanner(text)
    scanner.expect("[")
    specs = [] if scanner.peek("]") else scanner.read_items(lambda: _spec(scanner))
    scanner.expect("]")
    scanner.end()
    return tuple(specs)


def _spec(scanner: Scanner) -> Spec:
    if scanner.accept("!quant"):
        return quant_type(scanner)
    if type := element_type(name := scanner.word()):
        return type
    raise scanner.error(f"{name or 'this'} is not a type of elements", "expected a quantized type or a float")


def any_type(scanner: Scanner) -> AnyQuantizedType:
    storage, spelling = storage_type(scanner)
    least, most = bounds_of(scanner, storage)
    expressed = float_type(scanner) if scanner.accept(":") else None
    scanner.expect(">")
    return AnyQuantizedType(storage, least, most, expressed, spelling)


def calibrated_type(scanner: Scanner) -> CalibratedType:
    """Return the type; MLIR says what is missing besides what it met instead."""
    expressed = _also("expecting float expressed type", lambda: float_type(scanner))
    least, most = _also(
        "calibrated values must be present", lambda: _range(scanner, lambda: scanner.float_literal(_F64))
    )
    scanner.expect(">")
    if most <= least:
        raise scanner.error(f"illegal min and max: ({least:.6e}:{most:.6e})".replace("inf", "INF"))
    return CalibratedType(expressed, least, most)


def _range(scanner: Scanner, read: Callable[[], Item]) -> tuple[Item, Item]:
    """Return the two numbers in `<-1.0:1.0>`."""
    scanner.expect("<")
    least = read()
    scanner.expect(":")
    most = read()
    scanner.expect(">")
    return least, most


def _also(missing: str, read: Callable[[], Item]) -> Item:
    """Return what `read` does; its error names what is missing, too."""
    try:
        return read()
    except Malformed as error:
        raise Malformed(error.verdict, f"{error.evidence}\n{missing}") from None


def quantile_type(scanner: Scanner) -> QuantileType:
    storage = _type(scanner)
    scanner.expect(":")
    expressed = _type(scanner)
    scanner.expect(",")
    scanner.expect("{")
    values = [] if scanner.peek("}") else scanner.read_items(lambda: scanner.float_literal(_F64))
    scanner.expect("}")
    bounds = _range(scanner, lambda: scanner.integer_literal(64)) if scanner.accept(",") else None
    scanner.expect(">")
    if storage is None or storage.kind not in _LUT_STORAGE:
        raise scanner.error("storage type must be an integer or float type")
    if expressed is None or expressed.kind != "float":
        raise scanner.error("quantile type must be a float type")
    if not values:
        raise scanner.error("quantile values must not be empty")
    if bounds and bounds[0] >= bounds[1]:
        raise scanner.error("storage min must be less than storage max")
    count = bounds[1] - bounds[0] + 1 if bounds else 1 << storage.bits
    if len(values) != count:
        needed = f"must equal the number of representable storage values ({count})"
        raise scanner.error(f"quantile LUT size ({len(values)}) {needed}")
    return QuantileType(storage, expressed, tuple(values), bounds)


def _type(scanner: Scanner) -> ElementType | None:
    """Return the element type that comes next; None for an MLIR type that is not one, which is skipped."""
    name = scanner.word()
    if type := element_type(name):
        return type
    if not scanner.names_type(name):
        raise scanner.error("expected non-function type")
    depth = 0
    while (character := scanner.text[scanner.position : scanner.position + 1]) and (
        depth or not re.fullmatch(r"[:,>]", character)
    ):
        depth += (character in "<") - (character in ">")
        scanner.position += 1
    return None


KINDS: dict[str, Callable[[Scanner], QuantType]] = {
    "uniform": uniform_type,
    "any": any_type,
    "calibrated": calibrated_type,
    "quantile": quantile_type,
}
