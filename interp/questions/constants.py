"""Values that a program computes from constants alone."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from interp.backends import NUMPY
from interp.execute.run import run
from spec.errors import InterpError
from spec.ir import Func, Module, Op, Region, Value


def constant(value: Value, definitions: Mapping[str, Op]) -> np.ndarray | None:
    """Return the value if it is a constant or computed from constants alone, else None."""
    needed: set[str] = set()
    todo = [value.name]
    while todo:
        name = todo.pop()
        op = definitions.get(name)
        if op is None or op.regions or op.name == "func.call":
            return None
        needed.add(name)
        todo += [operand.name for operand in op.operands]
    ops = tuple(op for name, op in definitions.items() if name in needed)
    body = Region((), (*ops, Op("func.return", (value,), ())))
    try:
        (result,) = run(Module({"main": Func("main", body, (value.type,))}))
    except InterpError:
        return None
    return NUMPY.decode(result.storage, value.type.storage_type)
