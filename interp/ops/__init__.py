"""The kernels, one family per file: `kernel(ctx, op, *operands) -> results` by the name of an operation."""

from collections.abc import Iterator

from interp.engine.evaluate import Kernel, Operations
from interp.engine.facts import FACTS, Family
from interp.ops import (
    contraction,
    control,
    conversion,
    dynamism,
    elementwise,
    indexing,
    reduce,
    reduce_window,
    select_and_scatter,
    sorting,
    structure,
)
from spec.ir import Module, Op, Region, walk

REDUCTIONS = {**reduce.KERNELS, **reduce_window.KERNELS, **select_and_scatter.KERNELS}

# By the family that `interp.engine.facts` names.
FAMILIES: dict[Family, dict[str, Kernel]] = {
    "elementwise": elementwise.KERNELS,
    "conversion": conversion.KERNELS,
    "structure": structure.KERNELS,
    "indexing": indexing.KERNELS,
    "reduction": REDUCTIONS,
    "contraction": contraction.KERNELS,
    "control": control.KERNELS,
    "sorting": sorting.KERNELS,
    "dynamism": dynamism.KERNELS,
}
KERNELS = {name: kernel for kernels in FAMILIES.values() for name, kernel in kernels.items()}

# Why an operation that has a kernel is not built for the types or attributes that it has here, or None.
REFUSALS = {
    **dict.fromkeys(elementwise.KERNELS, elementwise.refusal),
    **dict.fromkeys(contraction.KERNELS, contraction.refusal),
    "stablehlo.dynamic_conv": dynamism.refusal,
    "stablehlo.custom_call": conversion.custom_call_refusal,
}

OPERATIONS = Operations(KERNELS, frozenset(name for name, row in FACTS.items() if row.batches))
# Operations whose results depend on the schedule.
FOLDS = {*REDUCTIONS, *contraction.KERNELS, "stablehlo.dynamic_conv"}


def folds(module: Module, region: Region) -> Iterator[Op]:
    """Yield every operation that depends on the schedule, those of called functions included."""
    for op in walk(region):
        if op.name in FOLDS:
            yield op
        if op.name == "func.call":
            yield from folds(module, module[op["callee"].name].body)
