"""The constraint rows of every operation by its name, and operations on other values than tensors."""

from spec.rules import (
    collectives,
    communication,
    contraction,
    control,
    conversion,
    dynamism,
    elementwise,
    indexing,
    quant_dialect,
    reduction,
    routines,
    structure,
)
from spec.rules.constraint import Constraint

CONSTRAINTS: dict[str, tuple[Constraint, ...]] = {
    **elementwise.CONSTRAINTS,
    **elementwise.CHOICE_CONSTRAINTS,
    **structure.CONSTRAINTS,
    **structure.PLACEMENT_CONSTRAINTS,
    **conversion.CONSTRAINTS,
    **contraction.CONSTRAINTS,
    **contraction.CONVOLUTION_CONSTRAINTS,
    **indexing.CONSTRAINTS,
    **indexing.SCATTER_CONSTRAINTS,
    **reduction.CONSTRAINTS,
    **reduction.SELECTION_CONSTRAINTS,
    **routines.NORMALIZATION_CONSTRAINTS,
    **routines.RANDOM_CONSTRAINTS,
    **routines.CONSTRAINTS,
    **control.CONSTRAINTS,
    **control.TUPLE_CONSTRAINTS,
    **collectives.CONSTRAINTS,
    **communication.CONSTRAINTS,
    **control.MANUAL_CONSTRAINTS,
    **control.GRID_CONSTRAINTS,
    **dynamism.CONSTRAINTS,
    **quant_dialect.SIMULATION_CONSTRAINTS,
    **quant_dialect.FAKE_QUANT_CONSTRAINTS,
}
# Operations that may take or return tuples, tokens or futures.
BUNDLES = frozenset(
    {
        "func.call",
        "interpreter.run_parallel",
        "stablehlo.after_all",
        "stablehlo.async_done",
        "stablehlo.async_start",
        "stablehlo.case",
        "stablehlo.composite",
        "stablehlo.create_token",
        "stablehlo.custom_call",
        "stablehlo.get_tuple_element",
        "stablehlo.if",
        "stablehlo.infeed",
        "stablehlo.optimization_barrier",
        "stablehlo.outfeed",
        "stablehlo.recv",
        "stablehlo.send",
        "stablehlo.tuple",
        "stablehlo.while",
    }
)
