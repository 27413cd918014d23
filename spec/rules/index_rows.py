"""Constraint rows that gather and scatter share, each with the number it has in its op."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from spec.ir import Op, Value
from spec.rules.constraint import C, Constraint, Input
from spec.rules.members import element_type, is_integer_constant, is_integers, kind, rank, shape

OPERANDS = "type(operands...)"
Member = Callable[[Op], Value]


def are_indices(values: Sequence[Value]) -> bool:
    """Return whether the tensors are of integer type."""
    return all(kind(element_type(value)) in ("signed", "unsigned") for value in values)


def is_sorted(xs: Sequence[int]) -> bool:
    return all(a <= b for a, b in pairwise(xs))


def ascending(number: int, name: str) -> Constraint:
    return C(number, f"is_sorted({name})", show=name)


def unique_and_sorted(number: int, name: str) -> Constraint:

    return C(number, f"is_unique({name}) and is_sorted({name})", show=name)


def unique_together(number: int, *names: str) -> Constraint:
    """Return the row for lists of dimensions that are unique, in each list and among the lists."""
    formula = f"is_unique(concatenate({', '.join(names)}))"
    return C(number, formula, show=", ".join(names))


def without(number: int, name: str, dimensions: str) -> Constraint:

    return C(number, f"{name} not in {dimensions}", show=f"{name}, {dimensions}")


def same_length_row(number: int, *names: str) -> Constraint:
    """Return the row for lists of the same length."""
    formula = " == ".join(f"size({name})" for name in names)
    return C(number, formula, show=", ".join(names))


def boolean(number: int, name: str) -> Constraint:
    return Input(number, f"{name}: constant of type i1", lambda op: isinstance(op[name], bool), name)


def dimension_numbers(number: int, *names: str) -> Constraint:
    """Return the row for lists of dimensions and index_vector_dim, which MLIR bundles in one attribute."""
    formula = f"{', '.join(names)}: 1-dimensional tensor constants of type si64, index_vector_dim: si64"

    def holds(op: Op) -> bool:
        return all(is_integers(op[name]) for name in names) and is_integer_constant(op["index_vector_dim"])

    return Input(number, formula, holds, ", ".join([*names, "index_vector_dim"]))


def vectors(value: Value, dimension: int) -> int:
    """index_vector_dim < rank(indices) ? dim(indices, index_vector_dim) : 1"""
    return shape(value)[dimension] if dimension < rank(value) else 1


def combine(places: Sequence[int], inner: Sequence[int], outer: Sequence[int]) -> tuple[int, ...]:
    """Return sizes with `inner` at these places, and `outer` at the others."""
    found, rest = dict(zip(places, inner, strict=True)), list(outer)
    return tuple(found[d] if d in found else rest.pop(0) for d in range(len(inner) + len(outer)))


def without_vector(value: Value, dimension: int) -> tuple[int, ...]:
    """Return shape(indices) without the size of dimension index_vector_dim."""
    return tuple(n for d, n in enumerate(shape(value)) if d != dimension)


def same_sizes(number: int, *sides: tuple[str, str, Member]) -> Constraint:
    """Return the row for batching dimensions, which have the same sizes in both tensors.

    A side is the tensor's name, the list of its dimensions, and the tensor.
    """

    formula = " = ".join(f"dim({name}, {dims}...)" for name, dims, _ in sides)
    return C(number, formula, show=", ".join([*(dims for _, dims, _ in sides), OPERANDS]))


def within(number: int, name: str, of: str, value: Member) -> Constraint:
    """Return the row for dimensions of an operand."""
    return C(number, f"0 <= {name} < rank({of})", show=f"{name}, {OPERANDS}")
