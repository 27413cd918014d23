"""dot_general's algorithm: the specification's inputs (I8) to (I14), bundled by one MLIR attribute."""

from __future__ import annotations

from typing import NamedTuple

from spec.errors import Unsupported
from spec.ir import Op
from spec.types import FLOATS, ElementType, TensorType

TF32 = "tf32"
COUNTS = ("lhs_component_count", "rhs_component_count", "num_primitive_operations")


class Algorithm(NamedTuple):
    """The inputs of dot_general that make up its algorithm; they are set together or not at all."""

    lhs_precision_type: ElementType
    rhs_precision_type: ElementType
    accumulation_type: ElementType
    lhs_component_count: int
    rhs_component_count: int
    num_primitive_operations: int
    allow_imprecise_accumulation: bool

    @property
    def precision_types(self) -> tuple[ElementType, ElementType]:
        return self.lhs_precision_type, self.rhs_precision_type


FIELDS = Algorithm._fields
TYPES = FIELDS[:3]


def algorithm_of(op: Op) -> Algorithm | None:
    """Return the algorithm of a verified operation, or None if it has none."""
    if not has_algorithm(op):
        return None
    return Algorithm(*(op[name] for name in FIELDS))


def has_algorithm(op: Op) -> bool:
    """Return `!is_empty_algorithm(...)`."""
    return any(name in op.attributes for name in ("algorithm", *FIELDS))


def algorithm_error(op: Op) -> Unsupported | None:
    """Return the error for an op's algorithm that is not built; None if it is built, or there is none."""
    algorithm = algorithm_of(op)
    if algorithm is None:
        return None
    for name in COUNTS:
        if (count := getattr(algorithm, name)) != 1:
            return _unsupported_error(op, f"{name} = {count}", "supported: 1, an operand is not decomposed")
    for name in TYPES:
        if (type := getattr(algorithm, name)) not in FLOATS and type.name != TF32:
            supported = ", ".join([TF32, *(row.name for row in FLOATS)])
            return _unsupported_error(op, f"{name} = {type!r}", f"supported: {supported}")
    if any(expressed_element(value.type).kind == "complex" for value in (*op.operands, op.result)):
        return _unsupported_error(op, "complex numbers", "supported: floats, integers, booleans, quantized types")
    return None


def expressed_element(type: TensorType) -> ElementType:
    """Return the type of the numbers that a tensor represents: if quantized, the expressed type."""
    return type.quantized_element_type.expressed_type if type.is_quantized else type.tensor_element_type


def _unsupported_error(op: Op, what: str, supported: str) -> Unsupported:
    return Unsupported(f"{op.name} with an algorithm of {what} is not built", supported, op.location)
