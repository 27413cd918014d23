"""Every op of the oracle by name: its constraints and its meaning."""

from spec.ops import (
    algebra,
    algebra_constraints,
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
    fourier,
    indexing,
    indexing_constraints,
    manual,
    normalization,
    normalization_constraints,
    placement_constraints,
    program_grid,
    random,
    random_constraints,
    reduction,
    scatter,
    scatter_constraints,
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
    **indexing_constraints.CONSTRAINTS,
    **scatter_constraints.CONSTRAINTS,
    **normalization_constraints.CONSTRAINTS,
    **random_constraints.CONSTRAINTS,
    **algebra_constraints.CONSTRAINTS,
}
MEANINGS = {
    **elementwise.OPS,
    **conversion.OPS,
    **structure.OPS,
    **indexing.OPS,
    **contraction.OPS,
    **reduction.OPS,
    **scatter.OPS,
    **control.OPS,
    **normalization.OPS,
    **random.OPS,
    **algebra.OPS,
    **fourier.OPS,
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
