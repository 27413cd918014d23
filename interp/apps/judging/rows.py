"""Rows of a layer: chosen elements of its output, recomputed by a program of these alone.

A small layer is computed as a whole, so that `permits` sees it as a caller of it would. A large one is
computed on the chosen elements; where that is impossible, as a whole if it is not too large.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from interp.apps.judging.dump import Dump
from interp.apps.judging.layers import Layer
from interp.backends import Array
from interp.engine.arguments import function_named
from interp.engine.facts import facts
from interp.execute.run import run
from interp.kernels import folds
from interp.questions.permitted.results import accept_array, equal
from interp.rewrite.fewer_elements import fewer_elements, take
from interp.theory.contractions import number_of_products
from spec.errors import Malformed, Unsupported
from spec.ir import Module, Op, Value
from spec.types import is_tensor

SMALL = 1 << 16  # numbers of a layer that is computed as a whole
LARGEST = 1 << 24  # numbers of one whose elements cannot be computed alone


@dataclass(frozen=True, eq=False)
class Rows:
    """A program, its arguments, and the device's numbers of its only result, of which some are judged.

    at: the flat indices of these in the layer's output. own: those in the program's result. layer_program:
    for a program of these elements alone, that of the layer, and which arguments have a row for each.
    """

    module: Module
    args: tuple[Array, ...]
    given: Array
    at: Array
    own: Array
    layer_program: tuple[Module, tuple[bool, ...]] | None = None

    def pick(self, numbers: Array) -> Rows:
        """Return some of the rows, by their numbers."""
        at = self.at[numbers]
        if self.layer_program is None:
            return replace(self, at=at, own=self.own[numbers])
        module, is_chosen = self.layer_program
        args = tuple(x[numbers] if row else x for x, row in zip(self.args, is_chosen, strict=True))
        small = fewer_elements(module, at).module
        return Rows(small, args, self.given[numbers], at, np.arange(len(at)), self.layer_program)

    def alone(self, numbers: Array) -> Rows:
        """Return some of the rows, computed by a program of these; `Unsupported` if there is none."""
        if self.layer_program is not None:
            return self.pick(numbers)
        inputs = {v.name: x for v, x in zip(self.module.main.inputs, self.args, strict=True)}
        return _few(self.module, inputs, self.given, "the output", self.own[numbers])

    @property
    def numbers(self) -> Array:
        """The device's numbers that are judged."""
        return np.asarray(self.given).reshape(-1)[self.own]

    def run(self, **options: Any) -> Array:
        """Return the numbers that a run gives in place of those that are judged."""
        (found,) = run(self.module, *self.args, **options)
        return np.asarray(found.storage).reshape(-1)[self.own]

    def same(self, found: Array) -> Array:
        """Return which of the device's numbers are these, bit for bit."""
        return equal(self.numbers, found)


def choose_rows(layer: Layer, dump: Dump, at: Array) -> Rows:
    """Return the rows of elements of a layer's output; `Unsupported` if they cannot be computed."""
    output = _read_array(dump, layer.output, layer.value)
    inputs = {v.name: _read_array(dump, layer.inputs[v.name], v) for v in layer.module.main.inputs}
    size = sum(map(_size, layer.ops)) + sum(x.size for x in inputs.values())
    if size <= SMALL:
        return _whole(layer, output, inputs, at)
    try:
        return _few(layer.module, inputs, output, layer.output, at)
    except Unsupported as error:
        if size > LARGEST:
            why = f"{error.verdict} cannot be computed, and all {size:,} numbers are too many"
            raise Unsupported(why, error.evidence) from error
        return _whole(layer, output, inputs, at)


def _few(module: Module, inputs: Mapping[str, Array], output: Array, name: str, at: Array) -> Rows:
    """Return the rows of elements of an output, by a program of these; `Unsupported` if there is none."""
    few = fewer_elements(module, at)
    main, taken = few.module.main, few.args(inputs.__getitem__)
    args = tuple(accept_array(x, v.type, v.name) for x, v in zip(taken, main.inputs, strict=True))
    positions = np.unravel_index(at, output.shape) if output.shape else ()
    given = accept_array(np.asarray(take(output, tuple(positions))), main.results[0], name)
    is_chosen = tuple(each.is_chosen for each in few.arguments)
    return Rows(few.module, args, given, at, np.arange(len(at)), (module, is_chosen))


def _whole(layer: Layer, output: Array, inputs: dict[str, Array], at: Array) -> Rows:
    args = tuple(accept_array(np.asarray(inputs[v.name]), v.type, v.name) for v in layer.module.main.inputs)
    given = accept_array(np.asarray(output), layer.value.type, layer.output)
    return Rows(layer.module, args, given, at, at)


def _read_array(dump: Dump, name: str, value: Value) -> Array:
    """Return an array of the dump, if it has the shape of a value."""
    x = dump[name]
    if x.shape != value.type.shape:
        evidence = f"expected {value.type.shape} for {value.name}\ngot {x.shape}"
        raise Malformed(f"{name} of the dump has another shape", evidence)
    return x


def _size(op: Op) -> int:
    """Return how many numbers an operation goes through."""
    results = sum(v.type.size for v in op.results if is_tensor(v.type))
    if facts(op).family == "contraction":
        return results * max(1, number_of_products(op))
    return results + sum(v.type.size for v in op.operands if is_tensor(v.type))


def number_of_leaves(module: Module) -> int:
    """Return the number of leaves of all sums of a program."""
    return sum(_size(op) for op in folds(module, function_named(module, "main").body))
