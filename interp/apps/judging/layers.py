"""Layers of a program that a dump has the inputs and the output of, and those that it does not.

A layer is what computes one value of the dump from other values of the dump and constants: one operation, or
all that a device has fused. Nothing is guessed: what needs a value that is not in the dump is listed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from interp.apps.blaming.cut import Flat, flat
from interp.recorder.layers import layer_of
from interp.recorder.names import with_layer
from spec.errors import Malformed
from spec.ir import Func, Module, Op, Region, Value, captures, reads, return_only

ROLE = re.compile(r"(.+)\.(in|out)(\d+)")  # conv2.in0: what goes into a layer, and what comes out of it
PORT = re.compile(r"(arg|out)(\d+)")  # arguments and results of the function


@dataclass(frozen=True, eq=False)
class Layer:
    """A value of a dump, and the program that computes it from other values of the dump.

    name: that of the value, with that of its layer. output: the name of its array in the dump. inputs: the
    names of the arrays of the program's arguments, by theirs. ops: the operations, in program order.
    """

    name: str
    value: Value
    output: str
    inputs: Mapping[str, str]
    ops: tuple[Op, ...]
    module: Module


class Left(NamedTuple):
    """A layer that is not judged: its name, and why."""

    name: str
    reason: str


@dataclass
class Named:
    """Names of a dump by what they mean: `values` by the value's name, `own` inputs by that of the output."""

    values: dict[str, str] = field(default_factory=dict)
    own: dict[str, dict[str, str]] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)


def find_layers(
    module: Module, func: Func, names: Sequence[str]
) -> tuple[list[Layer], list[Left], list[str]]:
    """Return the layers that can be judged, those that cannot, and names that mean nothing."""
    program = flat(module, func)
    named = _Names(program).resolve(names)
    makers = {v.name: op for op in program.func.body.ops for v in op.results}
    places = {id(op): k for k, op in enumerate(program.func.body.ops)}
    layers, left = list[Layer](), list[Left]()
    covered = set[int]()
    for op in program.func.body.ops[:-1]:
        for value in op.results:
            if value.name in named.values:
                found = _layer(program, named, makers, places, op, value)
                if isinstance(found, Layer):
                    layers.append(found)
                    covered |= set(map(id, found.ops))
                else:
                    left.append(found)
    said = {each.name for each in left}
    rest = [op for op in program.ops if id(op) not in covered]
    titles = dict.fromkeys(layer_of(program.module, op) or program.name(op) for op in rest)
    left += [Left(name, "no file has what it gives") for name in titles if name not in said]
    return layers, left, named.unknown


def _layer(
    program: Flat,
    named: Named,
    makers: Mapping[str, Op],
    places: Mapping[int, int],
    op: Op,
    value: Value,
) -> Layer | Left:
    """Return the program of a value, or the values that it lacks."""
    known = {**named.values, **own} if (own := named.own.get(value.name)) else named.values
    ops, inputs, missing, todo = dict[int, Op](), dict[str, Value](), dict[str, None](), [op]
    while todo:
        each = todo.pop()
        if id(each) in ops:
            continue
        ops[id(each)] = each
        for v in reads(each):
            if v.name in known:
                inputs[v.name] = v
            elif v.name in makers:
                todo.append(makers[v.name])
            else:
                missing[v.name] = None
    name = with_layer(program.names.get(value.name, value.name), layer_of(program.module, op))
    if missing:
        return Left(name, f"no file has {', '.join(missing)}, which it reads")
    chosen = tuple(sorted(ops.values(), key=lambda each: places[id(each)]))
    slice = _program(program, chosen, list(inputs.values()), value)
    arrays = {new.name: known[old] for old, new in zip(inputs, slice.main.inputs, strict=True)}
    return Layer(name, value, named.values[value.name], arrays, chosen, slice)


def _program(program: Flat, ops: Sequence[Op], inputs: Sequence[Value], value: Value) -> Module:
    """Return operations as a program of their own, with one result."""
    if any(captures(op) for op in ops):
        arguments = list(inputs)  # regions read them by their names
    else:
        arguments = [replace(v, name=v.name.replace("#", "_")) for v in inputs]
    new = {old.name: v for old, v in zip(inputs, arguments, strict=True)}
    renamed = [replace(op, operands=tuple(new.get(v.name, v) for v in op.operands)) for op in ops]
    main = program.func
    end = replace(main.body.ops[-1], operands=(value,))
    body = return_only(Region(tuple(arguments), (*renamed, end)), [value])
    small = replace(main, body=body, results=(value.type,))
    return replace(program.module, functions={**program.module.functions, main.name: small})


class _Names:
    """Names of values, layers, arguments and results of a program."""

    def __init__(self, program: Flat) -> None:
        self.program = program
        body = program.func.body
        values = [*body.arguments, *(v for op in body.ops for v in op.results)]
        self.values = {v.name: v.name for v in values}
        self.values |= {whole: v.name for v in values if (whole := program.names.get(v.name))}
        self.values |= {v.label: v.name for v in body.arguments if v.label and v.label not in self.values}
        self.ports = {f"arg{k}": v.name for k, v in enumerate(body.arguments)}
        self.ports |= {f"out{k}": v.name for k, v in enumerate(body.returns)}
        self.layers: dict[str, list[Op]] = {}
        for op in program.ops:
            if name := layer_of(program.module, op):
                self.layers.setdefault(name, []).append(op)

    def resolve(self, names: Sequence[str]) -> Named:
        """Return what names mean. Raise `Malformed` where two mean the same value."""
        found = Named()
        for name in names:
            part = ROLE.fullmatch(name)
            base, role, k = (part[1], part[2], int(part[3])) if part else (name, "out", 0)
            if role == "in":
                self._input(found, name, base, k)
                continue
            value = self._output(base, k if part else None)
            if value is None:
                found.unknown.append(name)
            elif value in found.values:
                evidence = f"{found.values[value]} and {name} are both {value}"
                raise Malformed("two arrays of the dump for one value", evidence)
            else:
                found.values[value] = name
        return found

    def _value(self, name: str) -> str | None:
        return self.values.get(name) or self.values.get(f"%{name}") or self.ports.get(name)

    def _output(self, name: str, k: int | None) -> str | None:
        """Return the value that a name means, or the k-th result of an operation or a layer."""
        if name in self.layers and self._value(name) is None:
            outputs = self._results(name)
            if k is None and len(outputs) > 1:
                evidence = f"name one: {', '.join(outputs)}, or {name}.out0 and so on"
                raise Malformed(f"the layer {name} has {len(outputs)} results", evidence)
            return outputs[k or 0] if (k or 0) < len(outputs) else None
        value = self._value(name)
        if k and value:
            op = next((op for op in self.program.ops if any(v.name == value for v in op.results)), None)
            return op.results[k].name if op and k < len(op.results) else None
        return value

    def _results(self, layer: str) -> list[str]:
        """Return what is read outside of a layer, or returned."""
        own = self.layers[layer]
        inside = {id(op) for op in own}
        others = [op for op in self.program.func.body.ops if id(op) not in inside]
        outside = {v.name for op in others for v in reads(op)}
        return [v.name for op in own for v in op.results if v.name in outside]

    def _input(self, found: Named, name: str, base: str, k: int) -> None:
        """Note the k-th value that a layer, or an operation, reads from outside; constants do not count."""
        value = self._output(base, None)
        ops = self.layers.get(base) or [
            op for op in self.program.ops if any(v.name == value for v in op.results)
        ]
        made = {v.name for op in ops for v in op.results}
        read = dict.fromkeys(v.name for op in ops for v in reads(op) if v.name not in made)
        outer = [v for v in read if v not in self.program.constants]
        if value is None or k >= len(outer):
            found.unknown.append(name)
        else:
            found.own.setdefault(value, {})[outer[k]] = name
