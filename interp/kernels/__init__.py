"""The kernels, one family per file: `kernel(ctx, op, *operands) -> results` by the name of an operation.

If the only result depends on the operands alone, `prepare(xp, op)` returns a function of the operands, so
that work which depends only on the operation is done once.
"""

from collections.abc import Iterator, Mapping

from interp.engine.facts import FACTS, Family
from interp.engine.prepared import Kernel, Operations, Preparation
from interp.kernels import (
    algebra,
    collectives,
    communication,
    contraction,
    control,
    conversion,
    custom_calls,
    dynamism,
    elementwise,
    fake_quant,
    indexing,
    integer_reading,
    manual,
    normalization,
    random,
    reduce,
    reduce_window,
    scatter,
    select_and_scatter,
    sorting,
    structure,
)
from interp.speed.taping import join
from spec.ir import Module, Op, Region, callee_names, nested_ops

REDUCTIONS = {**reduce.KERNELS, **reduce_window.KERNELS, **select_and_scatter.KERNELS}

# By the family that `interp.engine.facts` names.
FAMILIES: dict[Family, Mapping[str, Kernel | Preparation]] = {
    "elementwise": elementwise.PREPARED,
    "conversion": conversion.PREPARED | custom_calls.KERNELS,
    "structure": structure.PREPARED,
    "indexing": indexing.PREPARED,
    "reduction": REDUCTIONS,
    "scatter": scatter.KERNELS,
    "contraction": contraction.KERNELS,
    "control": control.KERNELS,
    "normalization": normalization.KERNELS,
    "random": random.KERNELS,
    "algebra": {**algebra.KERNELS, **algebra.TRANSFORMS},
    "tuple": control.TUPLES,
    "parallel": {**collectives.KERNELS, **communication.KERNELS, **control.GRIDS, **manual.KERNELS},
    "sorting": sorting.KERNELS,
    "dynamism": dynamism.KERNELS,
    "simulation": {
        **fake_quant.STATISTICS,
        **fake_quant.REGIONS,
        **fake_quant.PREPARED,
        **fake_quant.KERNELS,
    },
}
KERNELS = {name: kernel for kernels in FAMILIES.values() for name, kernel in kernels.items()}

# Why an operation that has a kernel is not built for the types or attributes that it has here, or None.
REFUSALS = {
    **dict.fromkeys(elementwise.PREPARED, elementwise.refusal),
    **dict.fromkeys(contraction.KERNELS, contraction.refusal),
    "stablehlo.dynamic_conv": dynamism.refusal,
    "stablehlo.custom_call": custom_calls.refusal,
}

PREPARED = {
    *elementwise.PREPARED,
    *conversion.PREPARED,
    *structure.PREPARED,
    *indexing.PREPARED,
    *fake_quant.STATISTICS,
    *fake_quant.PREPARED,
}
ELEMENTWISE = {name for name, row in FACTS.items() if row.batches}
OPERATIONS = Operations(KERNELS, frozenset(PREPARED), frozenset(ELEMENTWISE), integer_reading.KERNELS, join)
# Operations that fold what the events and proofs can see.
FOLDS = {*REDUCTIONS, *scatter.KERNELS, *contraction.KERNELS}
# Those whose results depend on the schedule: collectives do on a grid of several processes.
SCHEDULED = (
    FOLDS | normalization.FOLDING | collectives.FOLDS | fake_quant.FOLDING | {"stablehlo.dynamic_conv"}
)


def folds(module: Module, region: Region) -> Iterator[Op]:
    """Yield every operation that depends on the schedule, those of called functions included."""
    for op in nested_ops(region):
        if op.name in SCHEDULED:
            yield op
        for name in callee_names(op):
            yield from folds(module, module[name].body)
