"""Every op of the oracle by name: its constraints and its meaning."""

from spec.ops import (
    choice_constraints,
    collectives,
    communication,
    contraction,
    contraction_constraints,
    control,
    conversion,
    convolution_constraints,
    elementwise,
    elementwise_constraints,
    indexing,
    manual,
    placement_constraints,
    program_grid,
    reduction,
    structure,
    structure_constraints,
    tuples,
)

CONSTRAINTS = {
    **elementwise_constraints.CONSTRAINTS,
    **choice_constraints.CONSTRAINTS,
    **structure_constraints.CONSTRAINTS,
    **placement_constraints.CONSTRAINTS,
    **contraction_constraints.CONSTRAINTS,
    **convolution_constraints.CONSTRAINTS,
}
MEANINGS = {
    **elementwise.OPS,
    **conversion.OPS,
    **structure.OPS,
    **indexing.OPS,
    **contraction.OPS,
    **reduction.OPS,
    **control.OPS,
    **tuples.OPS,
    **collectives.OPS,
    **communication.OPS,
    **manual.OPS,
    **program_grid.OPS,
}
OPS = {
    name: spec._replace(constraints=CONSTRAINTS.get(name, spec.constraints))
    for name, spec in MEANINGS.items()
}
