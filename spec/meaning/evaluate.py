"""The loop of the oracle: every operation by its name, in a function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from spec.accumulator import LITERAL, Reading
from spec.errors import Unsupported
from spec.integer_reading import reads_integers
from spec.ir import Module, Op, Region
from spec.meaning import (
    algebra,
    collectives,
    contraction,
    control,
    conversion,
    elementwise,
    fake_quant,
    indexing,
    integer_reading,
    normalization,
    random,
    reduction,
    structure,
)
from spec.meaning.index import Context, Meaning, Order, Results, Tensor
from spec.processes import Process
from spec.schedule import LEFT

# The literal meaning of every operation by its name.

MEANINGS: dict[str, Meaning] = {
    **elementwise.MEANINGS,
    **conversion.MEANINGS,
    **structure.MEANINGS,
    **indexing.MEANINGS,
    **contraction.MEANINGS,
    **reduction.MEANINGS,
    **indexing.SCATTER_MEANINGS,
    **control.MEANINGS,
    **normalization.MEANINGS,
    **random.MEANINGS,
    **algebra.MEANINGS,
    **algebra.FOURIER_MEANINGS,
    **control.TUPLE_MEANINGS,
    **collectives.MEANINGS,
    **collectives.COMMUNICATION_MEANINGS,
    **control.MANUAL_MEANINGS,
    **control.GRID_MEANINGS,
    **control.SORTING_MEANINGS,
    **indexing.DYNAMISM_MEANINGS,
    **fake_quant.SIMULATION_MEANINGS,
    **fake_quant.MEANINGS,
}


def evaluate(
    module: Module,
    args: Sequence[Tensor],
    schedule: Order = LEFT,
    function: str = "",
    process: Process | None = None,
    reading: Reading = LITERAL,
) -> Results:
    """Return the results of `function` (default: the main one) on tensors of its input types.

    process: the process of a grid that runs it; by default the only process of its grid.
    """

    def run(region: Region, args: Sequence[Tensor], outer: Mapping[str, Tensor], process: Process) -> Results:
        env = {**outer, **{value.name: arg for value, arg in zip(region.arguments, args, strict=True)}}
        for op in region.ops[:-1]:
            results = meaning(op, reading)(op, [env[v.name] for v in op.operands], context(op, env, process))
            env.update((value.name, result) for value, result in zip(op.results, results, strict=True))
        return tuple(env[value.name] for value in region.returns)

    def context(op: Op, env: Mapping[str, Tensor], process: Process) -> Context:
        call = lambda name, args: run(module[name].body, args, {}, process)
        bodies = tuple(lambda *args, region=region: run(region, args, env, process) for region in op.regions)
        return Context(
            schedule, bodies, call, process, module, reading, lambda other: context(op, env, other)
        )

    return run((module[function] if function else module.main).body, args, {}, process or Process())


def meaning(op: Op, reading: Reading = LITERAL) -> Meaning:
    """Return the literal meaning of an op in a reading."""
    if op.name in integer_reading.INTEGER_MEANINGS and reads_integers(op, reading):
        return integer_reading.INTEGER_MEANINGS[op.name]
    if op.name not in MEANINGS:
        raise Unsupported(
            f"{op.name} has no meaning here", "see the coverage table in docs/coverage.md", op.location
        )
    return MEANINGS[op.name]
