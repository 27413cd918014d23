"""What each operation adds to the error, and what it inherits from its operands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from interp.comparing.retyped import in_f64
from interp.comparing.stages import alone, exact_twin
from interp.comparing.twin import entered
from interp.evaluate import Context, Listener
from interp.namespace import NUMPY, Array
from interp.quant import dequantize
from interp.tracing.difference import Difference, finite
from interp.tracing.events import heading
from spec.ir import Module, Op, captures
from spec.schedule import Schedule
from spec.types import QuantizedType, TensorType


@dataclass(frozen=True)
class Reals:
    """Runs programs on carriers, in one schedule."""

    schedule: Schedule
    contractions: str

    def run(self, module: Module, args: Sequence[Array], *listeners: Listener) -> list[Array]:
        ctx = Context(NUMPY, module, self.schedule, listeners, self.contractions)
        with np.errstate(all="ignore"):
            return list(ctx.call(module.main.name, args))


@dataclass(frozen=True, eq=False)
class Operation:
    """One result of an operation that is a number, `value` its name.

    `inherited`: the exact operation on what its operands stand for, less the same on exact operands. `local`:
    what the operation gave less the exact operation on the same operands. Their sum is its error.
    """

    op: Op
    value: str
    local: Difference
    inherited: Difference

    def row(self) -> list[str]:
        several = f" {self.value}" if len(self.op.results) > 1 else ""
        return [heading(self.op) + several, f"{self.local.largest:.4g}", f"{self.inherited.largest:.4g}"]


def is_real(type: TensorType) -> bool:
    """Whether elements stand for real numbers."""
    return type.is_quantized or type.storage_type.kind == "float"


def real_numbers(x: Array, type: TensorType) -> Array:
    """What a stored array stands for: `(q - zero_point) * scale` in f64, and others in their carrier."""
    carried = NUMPY.decode(x, type.storage_type)
    element = type.element_type
    return dequantize(NUMPY, carried, in_f64(element)) if isinstance(element, QuantizedType) else carried


def operations(
    program: Module, engine: Reals, numbers: Sequence[Array], stored: Sequence[Array]
) -> tuple[Operation, ...]:
    """Of `@main`, worst first: those with operands, run on `numbers` and on the `stored` arguments."""
    main = program.main
    exact = {v.name: x for v, x in zip(main.inputs, numbers, strict=True)}
    known = {v.name: NUMPY.decode(x, v.type.storage_type) for v, x in zip(main.inputs, stored, strict=True)}
    found = []
    for op in main.body.ops[:-1]:
        values = (*op.operands, *captures(op))
        apart = entered(Module({**program.functions, "": alone(op, "")}), alone(op, ""))
        twin = exact_twin(apart)
        wanted = engine.run(twin, [exact[v.name] for v in values])
        given = engine.run(twin, [real_numbers(known[v.name], v.type) for v in values])
        got = engine.run(apart, [known[v.name] for v in values])
        for k, v in enumerate(op.results):
            exact[v.name], known[v.name] = wanted[k], got[k]
            if values and is_real(v.type):
                found.append(_operation(op, v.name, wanted[k], given[k], real_numbers(got[k], v.type)))
    return tuple(sorted(found, key=lambda operation: -operation.local.largest))


def _operation(op: Op, name: str, *chain: Array) -> Operation:
    wanted, given, got = (x.astype(np.float64) for x in chain)
    counted = finite(wanted, given, got)
    local = Difference("local", given, got, counted)
    return Operation(op, name, local, Difference("inherited", wanted, given, counted))
