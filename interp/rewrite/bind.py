"""`bind`: a program whose weights, or other parameters, are constants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike, fspath
from typing import Any

import numpy as np

from interp.engine.arguments import accept_value, function_named
from interp.engine.inputs import ARCHIVES, read_members
from interp.execute.run import refuse_violations
from spec.attributes import Dense
from spec.errors import Malformed
from spec.ir import Func, Module, Op, Value, callees
from spec.types import TensorType


def bind(
    module: Module, values: Mapping[str | int, Any] | str | PathLike[str], function: str = "main"
) -> Module:
    """Return the program with some parameters of a function replaced by constants.

    values: arrays by the parameter's label (`"params['kernel']"`, as JAX names its own), its name (`"%arg0"`
    or `"arg0"`) or its position from 0, each as `run` takes it. Or the path of a `.npz` or `.safetensors`
    file of such names, all of which must be parameters. The other parameters keep their order and names; the
    program has no float reference of its own.

    Verbs that need weights to be constants, as `quantize` for weights alone, then take a program that had
    them as arguments.

    Raises `Malformed` for a name that no parameter has, one that several have, an array of another shape or
    type, and a function that the program calls.
    """
    func = function_named(module, function)
    given: Mapping[Any, Any] = _archive(values) if isinstance(values, str | PathLike) else values
    if not isinstance(given, Mapping):
        raise Malformed("values are not a mapping", 'expected arrays by name, {"%w": array}, or a file')
    if callers := sorted(name for name in module.functions if func.name in callees(module, name)):
        verdict = f"@{func.name} is called with all its parameters, by @{', @'.join(callers)}"
        raise Malformed(verdict, "bind those of a function that is not called")
    found: dict[int, Any] = {}
    for name, array in given.items():
        k = _position(func, name)
        if k in found:
            raise Malformed(f"two arrays for {func.inputs[k].title}", f"the second is called {name!r}")
        found[k] = _constant(func.inputs[k], array, k)
    kept = tuple(v for k, v in enumerate(func.inputs) if k not in found)
    constants = tuple(found[k] for k in sorted(found))
    body = replace(func.body, arguments=kept, ops=(*constants, *func.body.ops))
    functions = {**module.functions, func.name: replace(func, body=body)}
    result = replace(module, functions=functions, reference=None)
    refuse_violations(result, "mlir")
    return result


def _archive(path: str | PathLike[str]) -> Mapping[Any, Any]:
    """Return the arrays of a file by name."""
    if not fspath(path).endswith(ARCHIVES):
        raise Malformed(f"{fspath(path)} is not an archive of arrays", f"expected {' or '.join(ARCHIVES)}")
    return read_members(fspath(path))


def _position(func: Func, name: str | int) -> int:
    """Return the position of the parameter that has a label, a name or a number."""
    if isinstance(name, int | np.integer) and not isinstance(name, bool) and 0 <= name < len(func.inputs):
        return int(name)
    fits = [k for k, v in enumerate(func.inputs) if name in (v.label, v.name, v.name.removeprefix("%"))]
    if len(fits) == 1 and name != "":
        return fits[0]
    known = ", ".join(v.title for v in func.inputs) or "none"
    verdict = f"{len(fits)} parameters of @{func.name} are called {name!r}" if fits else ""
    raise Malformed(verdict or f"no parameter of @{func.name} is called {name!r}", f"parameters: {known}")


def _constant(parameter: Value, array: Any, k: int) -> Op:
    """Return the operation that makes a parameter a constant."""
    if not isinstance(parameter.type, TensorType):
        raise Malformed(f"{parameter.title} cannot be a constant", f"its type is {parameter.type!r}")
    stored = np.array(accept_value(array, parameter, k), order="C")  # the caller may change its own later
    dense = Dense(parameter.type, stored.reshape(-1).view(np.uint8).data)
    return Op("stablehlo.constant", (), (parameter,), {"value": dense})
