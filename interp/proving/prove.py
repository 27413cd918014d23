"""`prove`: for every input, whether an accumulation of a program can overflow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from interp.backends import NUMPY
from interp.engine.evaluate import Context
from interp.engine.processes import Grid as OneProcess
from interp.execute.run import runnable
from interp.ops import OPERATIONS
from interp.proving.forward import Forward
from interp.proving.parameters import ranges_of
from spec.accumulator import Accumulator, Reading, reading_named
from spec.grid import ONE
from spec.ir import Module, Op
from spec.schedule import Schedule, parse


def prove(
    module: Module,
    ranges: Mapping[str | int, Any] | None = None,
    *,
    function: str = "main",
    schedule: str | Schedule = "left",
    mode: str = "mlir",
    reading: str | Reading = "dequantize",
    accumulator: int | str | Accumulator | None = None,
    progress: Callable[[Op], None] | None = None,
) -> Any:
    read = reading_named(reading, accumulator)
    func = runnable(module, function, mode, ONE, read)
    ways = parse(schedule), OPERATIONS
    context = Context(NUMPY, module, *ways, process=OneProcess().processes[0], reading=read)
    forward = Forward(context, progress)
    forward.region(func.body, ranges_of(func, ranges or {}), {})
    return forward
