"""Every op of the oracle by name: its constraints and its meaning."""

from spec.ops import (
    contraction,
    contraction_constraints,
    control,
    conversion,
    elementwise,
    elementwise_constraints,
    reduction,
    structure,
    structure_constraints,
)

CONSTRAINTS = {
    **elementwise_constraints.CONSTRAINTS,
    **structure_constraints.CONSTRAINTS,
    **contraction_constraints.CONSTRAINTS,
}
MEANINGS = {
    **elementwise.OPS,
    **conversion.OPS,
    **structure.OPS,
    **contraction.OPS,
    **reduction.OPS,
    **control.OPS,
}
OPS = {
    name: spec._replace(constraints=CONSTRAINTS.get(name, spec.constraints))
    for name, spec in MEANINGS.items()
}
