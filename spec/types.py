"""Types of elements, tensors, tokens and tuples. `repr` is MLIR's text and parses back."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, cast

from spec.elements import (
    ELEMENT_TYPES,
    FLOATS,
    FOREIGN_FLOATS,
    ElementType,
    complex_part,
    element_type,
    integer,
)
from spec.errors import InterpError, Malformed, Unsupported, short_text
from spec.quant_kinds import uniform_of
from spec.quantized import LONG, QuantizedType, make_quantized
from spec.scanner import Scanner

__all__ = [
    "ELEMENT_TYPES",
    "FLOATS",
    "FOREIGN_FLOATS",
    "TOKEN",
    "BundleType",
    "ElementType",
    "FutureType",
    "QuantizedType",
    "TensorType",
    "TokenType",
    "TupleType",
    "complex_part",
    "element_type_of",
    "integer",
    "is_tensor",
    "make_quantized",
    "parse_element_type",
    "parse_type",
]


_BOUNDS = (("#stablehlo.bounds<", ">"), ("#stablehlo.type_extensions<bounds = [", "]>"))


@dataclass(frozen=True)
class TensorType:
    """A tensor type, `tensor<2x3xf32>`. A dynamic size is None: it parses and prints, but cannot run.

    bounds: the largest values of dynamic sizes, None for a size without a bound; () if there are no bounds.
    """

    shape: tuple[int, ...]
    element_type: ElementType | QuantizedType
    bounds: tuple[int | None, ...] = ()

    @property
    def rank(self) -> int:
        return len(self.shape)

    @cached_property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def is_quantized(self) -> bool:
        return isinstance(self.element_type, QuantizedType)

    @property
    def quantized_element_type(self) -> QuantizedType:
        """The element type of a tensor that is quantized."""
        assert isinstance(self.element_type, QuantizedType)
        return self.element_type

    @property
    def tensor_element_type(self) -> ElementType:
        """The element type of a tensor that is not quantized."""
        assert isinstance(self.element_type, ElementType)
        return self.element_type

    @cached_property
    def storage_type(self) -> ElementType:
        """The element type of the stored numbers: the storage type if quantized, else the element type."""
        return (
            self.element_type.storage_type
            if isinstance(self.element_type, QuantizedType)
            else self.element_type
        )

    @property
    def brief(self) -> str:
        """The type as messages show it: without a long table of blocks."""
        element = self.element_type
        if not isinstance(element, QuantizedType) or len(element.scales) <= LONG:
            return repr(self)
        return f"tensor<{''.join(f'{_size(n)}x' for n in self.shape)}{element.brief}>"

    def __repr__(self) -> str:
        sizes = "".join(f"{_size(n)}x" for n in self.shape)
        bounds = f", #stablehlo.bounds<{', '.join(map(_size, self.bounds))}>" if self.bounds else ""
        return f"tensor<{sizes}{self.element_type!r}{bounds}>"


def _size(n: int | None) -> str:
    return "?" if n is None else str(n)


@dataclass(frozen=True, repr=False)
class BundleType(TensorType):
    """A type of values that are not tensors but consist of `types`: a token (of none), a tuple, a future.

    Its shape and elements are those of an empty tensor.
    """

    shape: tuple[int, ...] = (0,)
    element_type: ElementType | QuantizedType = ELEMENT_TYPES["i1"]
    types: tuple[TensorType, ...] = ()

    def _types_text(self) -> str:
        return ", ".join(map(repr, self.types))


@dataclass(frozen=True, repr=False)
class TokenType(BundleType):
    """The type of tokens, which order operations and hold nothing: `!stablehlo.token`."""

    def __repr__(self) -> str:
        return "!stablehlo.token"


@dataclass(frozen=True, repr=False)
class TupleType(BundleType):
    """A tuple type, `tuple<tensor<2xf32>, !stablehlo.token>`."""

    def __repr__(self) -> str:
        return f"tuple<{self._types_text()}>"


@dataclass(frozen=True, repr=False)
class FutureType(BundleType):
    """The type of an asynchronous operation's future results: `!stablehlo.future<tensor<2xf32>>`."""

    def __repr__(self) -> str:
        return f"!stablehlo.future<{self._types_text()}>"


TOKEN = TokenType()


def is_tensor(type: TensorType) -> bool:
    """Return whether values of a type are tensors: not tokens, tuples or futures."""
    return not isinstance(type, BundleType)


def parse_type(text: str) -> TensorType:
    """Read a type of values in MLIR's text; `Malformed` with MLIR's message, `Unsupported` if not built."""
    scanner = Scanner(text)
    type = _value(scanner)
    scanner.end()
    return type


def parse_element_type(text: str) -> ElementType | QuantizedType:
    """Read an element type: `bf16`, `ui4`, `complex<f32>`, `!quant.uniform<i8:f32, 0.5:3>`."""
    scanner = Scanner(text)
    type = _element(scanner)
    scanner.end()
    return type


def element_type_of(given: Any) -> ElementType | QuantizedType:
    """Return the element type for an element type, a tensor type or the text of either; else `Malformed`."""
    if isinstance(given, str):
        is_tensor = given.lstrip().startswith("tensor")
        given = parse_type(given) if is_tensor else parse_element_type(given)
    found = given.element_type if isinstance(given, TensorType) else given
    if not isinstance(found, ElementType | QuantizedType):
        raise Malformed(
            f"{short_text(given)} is not a type", "expected a type, or MLIR's text: i8, tensor<4xf32>"
        )
    return found


def _value(scanner: Scanner) -> TensorType:
    if scanner.accept("!stablehlo.token"):
        return TOKEN
    if scanner.accept("!stablehlo.future"):
        return FutureType(types=_read_types(scanner))
    if (name := scanner.word()) == "tuple":
        return TupleType(types=_read_types(scanner))
    if name != "tensor":
        raise _no_type(scanner, name, "values are tensors, tokens and tuples here")
    return _tensor(scanner)


def _read_types(scanner: Scanner) -> tuple[TensorType, ...]:
    """Return the types between `<` and `>`."""
    scanner.expect("<")
    types = [] if scanner.peek(">") else scanner.read_items(lambda: _value(scanner))
    scanner.expect(">")
    return tuple(types)


def _tensor(scanner: Scanner) -> TensorType:
    scanner.expect("<")
    if scanner.peek("*"):
        advice = "operations take tensors of a known rank: export it with one; sizes may be `?`"
        raise scanner.error("unranked tensor", advice, Unsupported)
    shape = scanner.sizes()
    element = _element(scanner)
    bounds = _bounds(scanner, shape) if scanner.peek(",") else ()
    scanner.expect(">")
    return TensorType(cast("tuple[int, ...]", shape), element, bounds)


def _bounds(scanner: Scanner, shape: tuple[int | None, ...]) -> tuple[int | None, ...]:
    """Return the bounds in `, #stablehlo.bounds<?, 4>`, or in an older spelling of it."""
    scanner.expect(",")
    for opening, closing in _BOUNDS:
        if scanner.accept(opening):
            bounds = [] if scanner.peek(closing) else scanner.read_items(lambda: _bound(scanner))
            scanner.expect(closing)
            if len(bounds) != len(shape):
                verdict = f"Bounds length is {len(bounds)}, expected to be equal to rank({len(shape)})"
                raise scanner.error(verdict)
            for d, (size, bound) in enumerate(zip(shape, bounds, strict=True)):
                if size is not None and bound is not None:
                    raise scanner.error(f"Static dimension {d} cannot have a bound")
            return tuple(bounds)
    raise scanner.error("a tensor type with an encoding", "layouts are not built", Unsupported)


def _bound(scanner: Scanner) -> int | None:
    return None if scanner.accept("?") else scanner.integer_literal(64)


def _element(scanner: Scanner) -> ElementType | QuantizedType:
    if scanner.accept("!quant"):
        return uniform_of(scanner)
    name = scanner.word()
    if name == "complex":
        scanner.expect("<")
        name = f"complex<{scanner.word()}>"
        scanner.expect(">")
    if type := element_type(name):
        return type
    raise _no_type(scanner, name, "not an element type of StableHLO")


def _no_type(scanner: Scanner, name: str, reason: str) -> InterpError:
    """Return the error for text that is an MLIR type unknown to us, or not a type."""
    if scanner.names_type(name):
        return scanner.error(f"unsupported type {name}".rstrip(), reason, Unsupported)
    return scanner.error("expected non-function type")
