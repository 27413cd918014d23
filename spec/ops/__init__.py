"""Every op of the oracle by name: its constraints and its meaning."""

from spec.ops import (
    choice_constraints,
    contraction,
    contraction_constraints,
    control,
    control_constraints,
    conversion,
    convolution_constraints,
    dynamism,
    dynamism_constraints,
    elementwise,
    elementwise_constraints,
    indexing,
    placement_constraints,
    reduction,
    sorting,
    structure,
    structure_constraints,
)

CONSTRAINTS = {
    **elementwise_constraints.CONSTRAINTS,
    **choice_constraints.CONSTRAINTS,
    **structure_constraints.CONSTRAINTS,
    **placement_constraints.CONSTRAINTS,
    **contraction_constraints.CONSTRAINTS,
    **convolution_constraints.CONSTRAINTS,
    **control_constraints.CONSTRAINTS,
    **dynamism_constraints.CONSTRAINTS,
}
MEANINGS = {
    **elementwise.OPS,
    **conversion.OPS,
    **structure.OPS,
    **indexing.OPS,
    **contraction.OPS,
    **reduction.OPS,
    **control.OPS,
    **sorting.OPS,
    **dynamism.OPS,
}
OPS = {
    name: spec._replace(constraints=CONSTRAINTS.get(name, spec.constraints))
    for name, spec in MEANINGS.items()
}
