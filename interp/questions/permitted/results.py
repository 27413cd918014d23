"""Results of another implementation: checks of their types, places in one row, code to reproduce one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from interp.backends import NUMPY, State
from interp.backends.dtypes import numpy_dtype
from interp.engine.bodies import alone, reduce_of
from interp.questions.permitted.dataflow import Dataflow
from spec.accumulator import INTEGER, LITERAL, Reading
from spec.errors import Malformed
from spec.ir import Func, Module
from spec.types import ElementType, TensorType

# Results of another implementation, checked against their types and compared with ours.


def accept_results(func: Func, results: Sequence[Any]) -> list[np.ndarray]:
    """Check the shapes and kinds of given results; the caller checks values beyond the storage range."""
    if len(results) != len(func.results):
        raise Malformed(f"@{func.name} has {len(func.results)} results", f"{len(results)} given")
    pairs = zip(results, func.results, strict=True)
    return [accept_array(np.asarray(x), type, f"result {k}") for k, (x, type) in enumerate(pairs)]


def accept_array(x: np.ndarray, type: TensorType, name: str) -> np.ndarray:
    """Check the shape and the kind of one array, and return it as stored elements of a type."""
    wanted = numpy_dtype(type.storage_type)
    if x.shape == type.shape:
        x = x.astype(x.dtype.newbyteorder("="))
        if x.dtype.kind in "iu" and wanted.kind in "iu" and x.dtype.itemsize == wanted.itemsize:
            return x.view(wanted)  # integers of equal width by their bits, others by value
        if x.dtype == wanted or (x.dtype.kind in "iu" and wanted.kind in "iu"):
            return x
        if wanted.kind not in "iufbc" and x.dtype == np.dtype(f"u{wanted.itemsize}"):
            return x.view(wanted)  # bf16 and the 8-bit floats travel in .npy files as their bits
        if np.can_cast(x.dtype, wanted, "safe"):
            return x.astype(wanted)
    evidence = f"expected {type.shape} {wanted}\ngot {x.shape} {x.dtype}"
    raise Malformed(f"{name} is not a {type!r}", evidence)


def equal(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return where elements have the same bits; any NaN equals any NaN."""
    if x.dtype.kind in "iub":
        return np.asarray(x == y)  # integers of another width by value
    if x.dtype.kind == "c":
        return equal(x.real, y.real) & equal(x.imag, y.imag)
    bits = np.dtype(f"u{x.dtype.itemsize}")
    same = np.ascontiguousarray(x).view(bits) == np.ascontiguousarray(y).view(bits)
    return same.reshape(x.shape) | ((x != x) & (y != y))


class Results:
    """Arrays of results whose elements are numbered consecutively: `results[place]`."""

    def __init__(self, arrays: Sequence[np.ndarray]) -> None:
        self.arrays = arrays
        self.starts = np.cumsum([0, *(x.size for x in arrays)])

    def at(self, place: int) -> tuple[int, int]:
        """Return the number of the result, and the flat index in it."""
        k = int(np.searchsorted(self.starts, place, "right")) - 1
        return k, place - int(self.starts[k])

    def __getitem__(self, place: int) -> Any:
        k, at = self.at(place)
        return self.arrays[k].reshape(-1)[at]

    def index(self, place: int) -> tuple[int, tuple[int, ...]]:
        """Return the number of the result, and the index in it."""
        k, at = self.at(place)
        return k, tuple(map(int, np.unravel_index(at, self.arrays[k].shape)))

    def name(self, place: int) -> str:
        """Return `result 0[1, 2] = 7`."""
        k, index = self.index(place)
        return f"result {k}{list(index) if index else ''} = {self[place]}"

    def row(self, at: int) -> list[Any]:
        """Return the element at a flat index of every result."""
        return [x.reshape(-1)[at] for x in self.arrays]


def number(x: Any, type: ElementType) -> Any:
    """Return a stored element as a Python number."""
    return x.item() if x.dtype.kind in "iu" else NUMPY.decode(x, type).item()


# Reproduction of a judged result: three lines of Python to paste.

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
