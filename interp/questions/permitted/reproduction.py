"""Reproduction of a judged result: three lines of Python to paste."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from interp.backends import NUMPY, State
from interp.engine.bodies import alone, reduce_of
from interp.questions.permitted.dataflow import Dataflow
from spec.accumulator import INTEGER, LITERAL, Reading
from spec.ir import Module

MOST = 1000  # elements of an array that are written out


class Program(NamedTuple):
    """A program, its arguments and an implementation's results for them."""

    module: Module
    args: Sequence[np.ndarray]
    given: Sequence[np.ndarray]
    function: str = "main"
    reading: Reading = LITERAL


def one_element(whole: Dataflow, leaves: State, given: Sequence[np.ndarray]) -> Program:
    """Return a program that reduces only these leaves: `[leaves]` per operand, the init first."""
    half = len(whole.op.results)
    stored = [
        NUMPY.encode(x, v.type.storage_type) for x, v in zip(leaves, whole.body.arguments, strict=False)
    ]
    types = [value.type for value in whole.body.arguments]
    inputs = [replace(type, shape=(len(x) - 1,)) for type, x in zip(types, stored, strict=False)]
    main = alone(reduce_of(whole.body, inputs, types[half:], [v.type for v in whole.body.returns]))
    others = {name: f for name, f in whole.module.functions.items() if name not in ("main", whole.func.name)}
    args = [*(x[1:] for x in stored), *(x[0] for x in stored)]
    return Program(Module({"main": main, **others}), args, given)


def lines(program: Program) -> str:
    main = program.function in ("main", program.module.main.name)
    options = "" if main else f", function={program.function!r}"
    if program.reading.is_integer:
        options += f", reading={INTEGER!r}, accumulator={str(program.reading.accumulator)!r}"
        options += f", recipe={program.reading.chosen!r}" if program.reading.chosen else ""
    return (
        f"m = interp.load({repr(program.module)!r})\n"
        f"args = [{', '.join(map(array, program.args))}]\n"
        f"interp.permits(m, args, [{', '.join(map(array, program.given))}]{options})"
    )


def array(x: np.ndarray) -> str:
    """Return an array as Python text, `np.array([1, 2], 'int8')`; bf16 and narrower floats as their bits."""
    x = np.asarray(x)
    if x.size > MOST:
        return f"... as given, {x.shape} {x.dtype} ..."
    if x.dtype.kind not in "iufbc":
        x = x.view(f"u{x.dtype.itemsize}")
    text = repr(x.tolist()).replace("nan", "np.nan").replace("inf", "np.inf")
    return f"np.array({text}, {x.dtype.name!r})"
