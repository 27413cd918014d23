"""The constraint rows of the sdy dialect's operations."""

from __future__ import annotations

from collections.abc import Sequence

from spec.ir import Op, Value
from spec.rules.common import SHOWN
from spec.rules.constraint import C, Constraint, Input
from spec.shardings import MANUAL, Axis, Mesh, manual
from spec.types import TensorType

SHARDINGS = "in_shardings, out_shardings, manual_axes, type(operands...), type(results...)"


def whole(type: TensorType, dimensions: Sequence[Sequence[Axis]], mesh: Mesh) -> tuple[int, ...]:
    """Return the shape of the whole tensor if each device has a part of this type."""
    sizes, shape = dict(mesh.axes), list(type.shape)
    for d, axes in enumerate(dimensions):
        for axis in axes:
            shape[d] *= axis.size or sizes[axis.name]
    return tuple(shape)


def are_parts(values: Sequence[Value], parts: Sequence[Value], dimensions: Sequence, mesh: Mesh) -> bool:  # type: ignore[type-arg]
    rows = zip(values, parts, dimensions, strict=True)
    return all(
        value.type.element_type == part.type.element_type
        and len(axes) == part.type.rank
        and value.type.shape == whole(part.type, axes, mesh)
        for value, part, axes in rows
    )


def takes_parts(op: Op) -> bool:
    layout = manual(op)
    return are_parts(op.operands, op.regions[0].arguments, layout.operands, layout.mesh)


def gives_parts(op: Op) -> bool:
    layout = manual(op)
    return are_parts(op.results, op.regions[0].returns, layout.results, layout.mesh)


MANUAL_COMPUTATION = (
    C(1, "the body's arguments are the operands' parts by in_shardings", takes_parts, SHARDINGS),
    C(2, "the body's returns are the results' parts by out_shardings", gives_parts, SHARDINGS),
)

NAMED_COMPUTATION = (
    C(
        1,
        "the body takes the operands and returns the results",
        lambda op: (
            [v.type for v in op.regions[0].arguments] == [v.type for v in op.operands]
            and [v.type for v in op.regions[0].returns] == [v.type for v in op.results]
        ),
        SHOWN,
    ),
)

# These say where the parts of a tensor lie, and change no element of it.
RESHARDINGS = (
    "all_gather all_slice all_to_all collective_permute propagation_barrier reshard sharding_constraint"
).split()
SAME = (
    Input(1, "one operand and one result", lambda op: len(op.operands) == len(op.results) == 1, SHOWN),
    C(1, "type(result) = type(operand)", show=SHOWN),
)

MANUAL_CONSTRAINTS: dict[str, tuple[Constraint, ...]] = {
    MANUAL: MANUAL_COMPUTATION,
    "sdy.named_computation": NAMED_COMPUTATION,
    "sdy.sharding_group": (),
    **{f"sdy.{name}": SAME for name in RESHARDINGS},
}
