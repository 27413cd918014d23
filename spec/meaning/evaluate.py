"""The loop of the oracle, which evaluates a function one operation after another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from spec.accumulator import LITERAL, Reading
from spec.errors import Unsupported
from spec.integer_reading import reads_integers
from spec.ir import Module, Op, Region
from spec.meaning import integer_reading
from spec.meaning.context import Context, Meaning, Order, Results
from spec.meaning.index import Tensor
from spec.meaning.table import MEANINGS
from spec.processes import Process
from spec.schedule import LEFT


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
