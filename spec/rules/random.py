"""The constraint rows of rng and rng_bit_generator."""

from __future__ import annotations

from spec.ir import Op
from spec.rules.common import SHOWN
from spec.rules.constraint import C, Constraint, Input
from spec.rules.members import element_type, kind, operand, rank, shape

ALGORITHMS = ("DEFAULT", "THREE_FRY", "PHILOX")
SIZES = {"DEFAULT": (2, 3), "THREE_FRY": (2,), "PHILOX": (2, 3)}
DISTRIBUTIONS = ("UNIFORM", "NORMAL")
SCALARS = ("boolean", "signed", "unsigned", "float")


def is_state(op: Op) -> bool:
    type = operand(op).type
    return len(op.operands) == 1 and len(op.results) == 2 and type.rank == 1 and repr(type).endswith("xui64>")


RNG_BIT_GENERATOR = (
    Input(
        1,
        "rng_algorithm: enum of DEFAULT, THREE_FRY and PHILOX",
        lambda op: op["rng_algorithm"] in ALGORITHMS,
        "rng_algorithm",
    ),
    Input(2, "initial_state: 1-dimensional tensor of type ui64", is_state, SHOWN),
    C(1, "type(initial_state) = type(output_state)", show=SHOWN),
    C(
        2,
        "size(initial_state) is 2 if rng_algorithm = THREE_FRY, else 2 or 3",
        lambda op: shape(operand(op))[0] in SIZES[op["rng_algorithm"]],
        f"rng_algorithm, {SHOWN}",
    ),
    C(
        3,
        "output: tensor of integer or floating-point type",
        lambda op: kind(element_type(op.results[1])) in ("signed", "unsigned", "float"),
        SHOWN,
    ),
)


def are_bounds(op: Op) -> bool:
    """Return whether a and b are scalars of a type with an order."""
    bounds = op.operands[:2]
    return (
        len(op.operands) == 3
        and len(op.results) == 1
        and all(rank(v) == 0 and kind(element_type(v)) in SCALARS for v in bounds)
    )


RNG = (
    Input(1, "a, b: 0-dimensional tensors of integer, boolean, or floating-point type", are_bounds, SHOWN),
    Input(
        3,
        "shape: 1-dimensional tensor of type si64",
        lambda op: repr(op.operands[2].type).endswith("xi64>") and rank(op.operands[2]) == 1,
        SHOWN,
    ),
    Input(
        4,
        "rng_distribution: enum of UNIFORM and NORMAL",
        lambda op: op["rng_distribution"] in DISTRIBUTIONS,
        "rng_distribution",
    ),
    C(1, "element_type(a) = element_type(b) = element_type(result)", show=SHOWN),
    C(2, "if rng_distribution = NORMAL, then is_float(a)", show=f"rng_distribution, {SHOWN}"),
    C(
        3,
        "shape(result) = shape, of which the size of shape is known: rank(result)",
        lambda op: shape(op.operands[2]) == (rank(op.result),),
        SHOWN,
    ),
)

RANDOM_CONSTRAINTS: dict[str, tuple[Constraint, ...]] = {
    "stablehlo.rng": RNG,
    "stablehlo.rng_bit_generator": RNG_BIT_GENERATOR,
}
